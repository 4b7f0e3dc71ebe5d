//! Bindings of meshes to skeletons, which prims inherit from those above them.

use openusd::sdf::Path;

use super::stage::{Prim, Stage};
use super::values;

/// The binding of a prim. Each number is the prim that says it.
#[derive(Clone, Default)]
pub struct Binding {
    /// True below a `SkelRoot`; only there does anything deform.
    pub in_root: bool,
    /// The skeleton.
    pub skeleton: Option<Path>,
    /// The animation of skeletons.
    pub animation: Option<Path>,
    /// The material.
    pub material: Option<Path>,
    /// Joint indices.
    pub indices: Option<usize>,
    /// Joint weights.
    pub weights: Option<usize>,
    /// The matrix from the mesh's space to that of its bind pose.
    pub geometry: Option<usize>,
    /// The skinning method.
    pub method: Option<usize>,
    /// Joints that indices refer to.
    pub joints: Option<usize>,
    /// True if it is hidden.
    pub hidden: bool,
    /// Purpose of the nearest prim that has one; drawn are `default` and `render`.
    pub purpose: Option<String>,
}

/// Names of the properties.
pub const INDICES: &str = "primvars:skel:jointIndices";
pub const WEIGHTS: &str = "primvars:skel:jointWeights";
pub const GEOMETRY: &str = "primvars:skel:geomBindTransform";
pub const METHOD: &str = "primvars:skel:skinningMethod";
pub const JOINTS: &str = "skel:joints";
const SKELETON: &str = "skel:skeleton";
const ANIMATION: &str = "skel:animationSource";
const MATERIAL: &str = "material:binding";

impl Binding {
    /// Returns true if it is drawn.
    pub fn is_shown(&self) -> bool {
        !self.hidden && !matches!(self.purpose.as_deref(), Some("proxy" | "guide"))
    }
}

/// The binding of every prim.
pub fn of(stage: &Stage, prims: &[Prim]) -> Vec<Binding> {
    let mut all: Vec<Binding> = Vec::with_capacity(prims.len());
    for (number, prim) in prims.iter().enumerate() {
        let above = prim.parent.and_then(|parent| all.get(parent));
        let mut own = above.cloned().unwrap_or_default();
        own.in_root |= prim.kind == "SkelRoot";
        for name in stage.properties(prim) {
            let say = |place: &mut Option<usize>| *place = Some(number);
            match name.as_str() {
                INDICES => say(&mut own.indices),
                WEIGHTS => say(&mut own.weights),
                GEOMETRY => say(&mut own.geometry),
                METHOD => say(&mut own.method),
                JOINTS => say(&mut own.joints),
                SKELETON if stage.has_targets(prim, SKELETON) => own.skeleton = first(stage, prim, SKELETON),
                ANIMATION if stage.has_targets(prim, ANIMATION) => {
                    own.animation = first(stage, prim, ANIMATION)
                }
                MATERIAL => own.material = first(stage, prim, MATERIAL),
                "visibility" => {
                    own.hidden |= first_word(stage, prim, "visibility") == Some("invisible".to_owned())
                }
                "purpose" => own.purpose = stage.text(prim, "purpose").or(own.purpose.take()),
                _ => {}
            }
        }
        all.push(own);
    }
    all
}

fn first(stage: &Stage, prim: &Prim, name: &str) -> Option<Path> {
    stage.targets(prim, name).into_iter().next()
}

/// A word at the first time that it has a sample for, or else at any time.
fn first_word(stage: &Stage, prim: &Prim, name: &str) -> Option<String> {
    let first = stage.samples(prim, name).into_iter().next().map(|(_, word)| word);
    first.or_else(|| stage.value(prim, name)).and_then(|word| values::text(&word))
}
