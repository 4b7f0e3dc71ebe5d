//! Skeletons: joints as nodes below their prim, each below its nearest ancestor by path.

use std::collections::HashMap;

use glam::{DAffine3, DMat4};
use openusd::sdf::Path;

use super::Work;
use super::nodes::Nodes;
use super::places::exact;
use super::stage::{Prim, Stage};
use super::values;
use crate::LocalTransform;
use crate::reading::LoadError;

/// Bytes of a joint in the rig and in poses.
const JOINT_BYTES: usize = 512;

/// A skeleton with its nodes.
pub struct Skeleton {
    /// The node of each joint.
    pub joints: Vec<usize>,
    /// Inverse bind matrices; `None` if the file has none that can be used.
    pub from_bind: Option<Vec<DMat4>>,
    /// True if its space is the world's, and stays so.
    pub is_in_place: bool,
    numbers: HashMap<String, usize>,
}

impl Skeleton {
    /// The number of the joint of a path.
    pub fn number(&self, name: &str) -> Option<usize> {
        self.numbers.get(name).copied()
    }
}

/// Reads all skeletons, and adds their joints to the rig.
///
/// # Errors
/// If one has more joints than a file of this size may have.
pub fn read(
    stage: &Stage,
    prims: &[Prim],
    nodes: &mut Nodes,
    work: &mut Work<'_>,
) -> Result<HashMap<Path, Skeleton>, LoadError> {
    let mut skeletons = HashMap::new();
    for prim in prims.iter().filter(|prim| prim.kind == "Skeleton") {
        let Some(node) = nodes.of.get(&prim.path).copied() else { continue };
        let list = |name: &str| stage.value(prim, name);
        let names = list("joints").and_then(|names| values::texts(&names)).unwrap_or_default();
        work.budget.charge("skeletons", names.len(), JOINT_BYTES)?;
        let mut matrices = |name: &str| {
            let all = list(name).and_then(|all| values::matrices(&all))?;
            let is_whole = all.len() == names.len() && all.iter().all(values::is_bearable);
            if !is_whole {
                let message = format!("its {name} are not a finite matrix for each joint; they are ignored");
                work.warnings.add("INVALID_SKELETON", prim.path.as_str(), message);
            }
            is_whole.then_some(all)
        };
        let (bind, rest) = (matrices("bindTransforms"), matrices("restTransforms"));
        let parents = parents_of(&names);
        if parents.iter().enumerate().any(|(joint, parent)| parent.is_some_and(|parent| parent >= joint)) {
            let message = "joints come before their parents; it has no joints then";
            work.warnings.add("INVALID_SKELETON", prim.path.as_str(), message);
            continue;
        }
        let is_in_place = is_in_place(nodes, node);
        let titles = list("jointNames").and_then(|titles| values::texts(&titles));
        let titles = titles.filter(|titles| titles.len() == names.len());
        let mut joints = Vec::new();
        for (joint, (name, parent)) in names.iter().zip(&parents).enumerate() {
            let rest = rest.as_ref().and_then(|rest| rest.get(joint).copied());
            let rest = rest.unwrap_or_else(|| bound(bind.as_deref(), joint, *parent));
            let above = parent.and_then(|parent| joints.get(parent).copied()).unwrap_or(node);
            let short = name.rsplit('/').next().unwrap_or(name);
            let title = titles.as_ref().and_then(|titles| titles.get(joint)).map_or(short, String::as_str);
            joints.push(nodes.add(title.to_owned(), Some(above), exact(&rest)));
        }
        let from_bind = bind.map(|bind| bind.iter().map(inverse).collect::<Vec<_>>());
        let from_bind = from_bind.filter(|all| all.iter().all(values::is_bearable));
        let numbers = (0..names.len()).rev().filter_map(|number| Some((names.get(number)?.clone(), number)));
        let numbers = numbers.collect();
        skeletons.insert(prim.path.clone(), Skeleton { joints, from_bind, is_in_place, numbers });
    }
    Ok(skeletons)
}

/// Returns true if a node and all above it rest at the origin, without a turn or scale, and nothing moves them.
fn is_in_place(nodes: &Nodes, node: usize) -> bool {
    let rig = &nodes.rig;
    let parent = |node: &usize| rig.parents.get(*node).copied().flatten().map(|parent| parent as usize);
    let rests = |node: usize| {
        let rest = rig.rest.get(node).map(LocalTransform::parent_from_node);
        rest == Some(DMat4::IDENTITY) && nodes.moving.iter().all(|(moving, ..)| *moving != node)
    };
    std::iter::successors(Some(node), parent).all(rests)
}

/// The inverse of a matrix whose last row counts as 0 0 0 1.
fn inverse(matrix: &DMat4) -> DMat4 {
    DAffine3::from_mat4(*matrix).inverse().into()
}

/// A joint's place in its parent as it was bound.
fn bound(bind: Option<&[DMat4]>, joint: usize, parent: Option<usize>) -> DMat4 {
    let of = |joint: usize| bind.and_then(|bind| bind.get(joint)).copied().unwrap_or(DMat4::IDENTITY);
    let back = parent.map_or(DMat4::IDENTITY, |parent| of(parent).inverse());
    let place = back.mul_mat4(&of(joint));
    if values::is_bearable(&place) { place } else { DMat4::IDENTITY }
}

/// The nearest ancestor of each joint, by their paths.
fn parents_of(names: &[String]) -> Vec<Option<usize>> {
    let numbers: HashMap<&str, usize> = names.iter().map(String::as_str).zip(0..).collect();
    let parent = |name: &String| {
        let above = std::iter::successors(name.rsplit_once('/'), |(above, _)| above.rsplit_once('/'));
        above.into_iter().find_map(|(above, _)| numbers.get(above).copied())
    };
    names.iter().map(parent).collect()
}

#[cfg(test)]
mod tests {
    use super::parents_of;

    #[test]
    fn parents_are_the_nearest_ancestors_by_path() {
        let names = ["a", "a/b", "a/b/c/d", "x/y", "ab"].map(str::to_owned);
        assert_eq!(parents_of(&names), [None, Some(0), Some(1), None, None]);
    }
}
