//! The contents of a finding: its kind, its place, and a view of it.

use std::collections::BTreeMap;

use serde::Serialize;

use super::surface::Surface;
use sinew_model::{Model, PrimitiveName, VertexIndex, VertexName};
use sinew_skinning::pose::Names;

/// The kinds of findings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// A joint of one side moves vertices of the other side, and its twin is nearer to them.
    Leak,
    /// A joint moves vertices far from its home, cut off from it.
    Far,
    /// A joint moves a small patch of vertices near its home, but cut off from it.
    Island,
    /// A vertex differs from its neighbours, which agree with each other.
    Outlier,
    /// Vertices at the same position on both sides of a seam have different weights, so the seam tears open.
    Split,
    /// Weights too small for 8 bits.
    Tiny,
}

impl Kind {
    /// Every kind, the worst first.
    pub const ALL: [Self; 6] = [Self::Leak, Self::Far, Self::Island, Self::Outlier, Self::Split, Self::Tiny];

    /// Returns the kind's name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Leak => "leak",
            Self::Far => "far",
            Self::Island => "island",
            Self::Outlier => "outlier",
            Self::Split => "split",
            Self::Tiny => "tiny",
        }
    }
}

/// A fault in the weights of some vertices of one primitive.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Finding {
    /// The kind of fault.
    pub kind: Kind,
    /// The skin's index.
    pub skin: usize,
    /// The index of the first instance that draws the mesh with the skin.
    pub instance: usize,
    /// The mesh's index.
    pub mesh: usize,
    /// The primitive's name.
    pub primitive: String,
    /// The joint at fault; null if there is none in particular.
    pub joint: Option<FoundJoint>,
    /// The number of vertices.
    pub count: usize,
    /// The vertices in ascending order.
    pub vertices: Vec<u32>,
    /// The worst vertex.
    pub worst: Worst,
    /// The view that shows it, in the form that `--view` accepts: `joint:NAME`, `influences`, or `weights` if no joint is at
    /// fault or it has no name.
    pub view: String,
    /// The command that shows it; the caller sets it.
    pub command: String,
}

/// A joint at fault.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FoundJoint {
    /// The index in the skin.
    pub joint: usize,
    /// The node's index in the file.
    pub node: u32,
    /// The name as command lines accept it: `elbow`, or `#12` if its name is ambiguous.
    pub name: String,
}

/// The worst vertex of a finding.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Worst {
    /// The vertex's name, in the form that `--vertex` accepts.
    pub vertex: String,
    /// The joint's weight there, or the smallest weight of a [`Kind::Tiny`] finding.
    pub weight: f64,
    /// The distance of its weights from those of its neighbours, or of the other side of a seam: the sum of |Δw|, at most 2;
    /// null for other kinds.
    pub difference: Option<f64>,
}

/// A vertex at fault, before vertices are gathered into findings.
#[derive(Clone, Copy, Debug)]
pub struct Fault {
    /// The kind of fault.
    pub kind: Kind,
    /// The joint at fault.
    pub joint: Option<u32>,
    /// The vertex's index on the surface.
    pub vertex: u32,
    /// The value for [`Worst::weight`].
    pub weight: f64,
    /// The value for [`Worst::difference`].
    pub difference: Option<f64>,
}

impl Fault {
    /// Returns the severity among faults of its kind.
    fn size(&self) -> f64 {
        match self.kind {
            Kind::Tiny => -self.weight,
            _ => self.difference.unwrap_or(self.weight),
        }
    }
}

/// The key of a finding: the kind, the joint, and the index in [`Surface::primitives`].
type Group = (Kind, Option<u32>, usize);

/// Gathers faults into findings: one for each kind, joint and primitive; outliers and seams of all joints together.
pub fn gather(model: &Model, names: &Names<'_>, surface: &Surface, faults: &[Fault]) -> Vec<Finding> {
    let mut groups: BTreeMap<Group, Vec<(u32, Fault)>> = BTreeMap::new();
    for fault in faults {
        let Some((drawn, vertex)) = surface.locate(fault.vertex) else { continue };
        let joint = match fault.kind {
            Kind::Leak | Kind::Far | Kind::Island => fault.joint,
            Kind::Outlier | Kind::Split | Kind::Tiny => None,
        };
        groups.entry((fault.kind, joint, drawn)).or_default().push((vertex, *fault));
    }
    let found = |((kind, _, drawn), faults): (Group, Vec<(u32, Fault)>)| {
        finding(model, names, surface, kind, drawn, &faults)
    };
    groups.into_iter().filter_map(found).collect()
}

fn finding(
    model: &Model,
    names: &Names<'_>,
    surface: &Surface,
    kind: Kind,
    drawn: usize,
    faults: &[(u32, Fault)],
) -> Option<Finding> {
    let drawn = surface.primitives.get(drawn)?;
    // The first of equal ones.
    let (vertex, worst) =
        faults.iter().min_by(|(v, a), (w, b)| b.size().total_cmp(&a.size()).then(v.cmp(w)))?;
    let mut vertices: Vec<u32> = faults.iter().map(|(vertex, _)| *vertex).collect();
    vertices.sort_unstable();
    vertices.dedup();
    let primitive = PrimitiveName::of(model, drawn.instance, drawn.primitive);
    let vertex = *vertex as usize;
    let index = VertexIndex { instance: drawn.instance, primitive: drawn.primitive, vertex };
    let joint = worst.joint.map(|joint| found_joint(model, names, surface.skin, joint as usize));
    Some(Finding {
        kind,
        skin: surface.skin,
        instance: drawn.instance,
        mesh: drawn.mesh,
        primitive: primitive.to_string(),
        count: vertices.len(),
        vertices,
        worst: Worst {
            vertex: VertexName::of(model, index).to_string(),
            weight: worst.weight,
            difference: worst.difference,
        },
        view: match (worst.joint.and_then(|joint| view_name(model, surface.skin, joint as usize)), kind) {
            (_, Kind::Tiny) => "influences".to_owned(),
            (Some(name), _) => format!("joint:{name}"),
            (None, _) => "weights".to_owned(),
        },
        command: String::new(),
        joint,
    })
}

/// The longest name, in bytes, because many findings may have the same one.
const MAX_NAME: usize = 256;

/// Returns the joint's own name, as views accept it; `None` if it has none.
fn view_name(model: &Model, skin: usize, joint: usize) -> Option<&str> {
    let node = model.skins.get(skin)?.joints.get(joint)?;
    let name = model.rig.names.get(*node)?;
    (1..=MAX_NAME).contains(&name.len()).then_some(name)
}

/// Names a joint; one with a long name by its index.
pub fn found_joint(model: &Model, names: &Names<'_>, skin: usize, joint: usize) -> FoundJoint {
    let rig_node =
        model.skins.get(skin).and_then(|skin| skin.joints.get(joint)).copied().unwrap_or(usize::MAX);
    let node = model.rig.file_index.get(rig_node).copied().unwrap_or(0);
    let is_short = model.rig.names.get(rig_node).is_some_and(|name| name.len() <= MAX_NAME);
    let name = if is_short { names.node_name(rig_node) } else { format!("#{node}") };
    FoundJoint { joint, node, name }
}
