//! Turns the nodes into a rig, parents first.

use super::pointer::{self, Found, Owner};
use super::transform;
use crate::clip::Property;
use crate::gltf::json::{Document, Node};
use crate::gltf::parents::parents;
use crate::reading::error::LoadError;
use crate::reading::warnings::Warnings;
use crate::rig::Rig;

/// The rig, and where each of the file's nodes is in it.
#[derive(Debug)]
pub struct Nodes {
    /// All nodes, parents before children.
    pub rig: Rig,
    rig_by_file: Vec<usize>,
}

impl Nodes {
    /// Returns the rig index of a node in the file; `from` is the path of the reference.
    pub fn rig_index(&self, file: usize, from: impl FnOnce() -> String) -> Result<usize, LoadError> {
        let found = self.rig_by_file.get(file).copied();
        found.ok_or_else(|| LoadError::no_such(&from(), "node", file, self.rig_by_file.len()))
    }
}

/// Reads all nodes, whether a scene shows them or not.
pub fn read(document: &Document, warnings: &mut Warnings) -> Result<Nodes, LoadError> {
    let nodes = &document.nodes;
    let parents = parents(nodes)?;
    let order = parents_first(nodes, &parents)?;
    let animated = animated(document);

    let mut rig = Rig::default();
    let mut rig_by_file = vec![0; nodes.len()];
    for (rig_index, file_index) in order.into_iter().enumerate() {
        let Some(node) = nodes.get(file_index) else { continue };
        let parent = parents.get(file_index).copied().flatten();
        // A parent is ahead of its children, so its place is already known.
        let parent = parent.and_then(|parent| rig_by_file.get(parent)).map(|index| *index as u32);
        let is_animated = animated.get(file_index).copied().unwrap_or(false);
        let path = format!("nodes[{file_index}]");
        rig.names.push(node.name.clone());
        rig.parents.push(parent);
        rig.rest.push(transform::read(node, &path, is_animated, warnings)?);
        rig.file_index.push(file_index as u32);
        if let Some(slot) = rig_by_file.get_mut(file_index) {
            *slot = rig_index;
        }
    }
    Ok(Nodes { rig, rig_by_file })
}

/// Returns all nodes in depth-first order from the roots. A node without a path from a root is on a cycle or below one,
/// which is an error.
fn parents_first(nodes: &[Node], parents: &[Option<usize>]) -> Result<Vec<usize>, LoadError> {
    let mut order = Vec::with_capacity(nodes.len());
    let mut reached = vec![false; nodes.len()];
    let is_root = |index: &usize| parents.get(*index).is_some_and(Option::is_none);
    // A stack of our own: chains may be as long as the file.
    let mut stack: Vec<usize> = (0..nodes.len()).rev().filter(is_root).collect();
    while let Some(index) = stack.pop() {
        if let (Some(node), Some(reached)) = (nodes.get(index), reached.get_mut(index)) {
            *reached = true;
            order.push(index);
            stack.extend(node.children.iter().rev());
        }
    }
    match reached.iter().position(|reached| !reached) {
        Some(lost) => {
            let on_cycle = on_cycle(lost, parents);
            Err(LoadError::broken("NODE_LOOP", format!("nodes[{on_cycle}]"), "is its own ancestor"))
        }
        None => Ok(order),
    }
}

/// A node on the cycle that is found going up from one that no root leads to.
fn on_cycle(lost: usize, parents: &[Option<usize>]) -> usize {
    let mut at = lost;
    // From any start, as many steps as there are nodes end on the cycle.
    for _ in parents {
        at = parents.get(at).copied().flatten().unwrap_or(at);
    }
    at
}

/// For each node whether a clip sets its translation, rotation or scale.
fn animated(document: &Document) -> Vec<bool> {
    let mut animated = vec![false; document.nodes.len()];
    for channel in document.animations.iter().flat_map(|animation| &animation.channels) {
        let Found::Property(Owner::Node(node), property) = pointer::find(&channel.target) else { continue };
        match property {
            Property::Translation | Property::Rotation | Property::Scale => {}
            Property::Weights | Property::Weight(_) => continue,
        }
        if let Some(slot) = animated.get_mut(node) {
            *slot = true;
        }
    }
    animated
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gltf::json;

    fn rig(nodes: &str) -> Result<Rig, String> {
        let text = format!(r#"{{"asset": {{"version": "2.0"}}, "nodes": {nodes}}}"#);
        let document = json::parse(text.as_bytes()).unwrap();
        read(&document, &mut Warnings::default()).map(|nodes| nodes.rig).map_err(|e| e.to_string())
    }

    #[test]
    fn parents_come_first_and_keep_their_numbers() {
        let rig = rig(r#"[{"name": "c"}, {"children": [3, 0]}, {"name": "r"}, {"children": [2]}]"#).unwrap();
        assert_eq!(rig.file_index, [1, 3, 2, 0]);
        assert_eq!(rig.parents, [None, Some(0), Some(1), Some(0)]);
        assert_eq!(rig.names, ["", "", "r", "c"]);
    }

    #[test]
    fn graphs_that_are_no_forest_are_errors() {
        for (nodes, error) in [
            (r#"[{"children": [0]}]"#, "nodes[0]: is its own ancestor"),
            (
                r#"[{}, {"children": [2]}, {"children": [3]}, {"children": [2]}]"#,
                "nodes[3].children[0]: node 2 is already a child of node 1",
            ),
            (r#"[{}, {"children": [2]}, {"children": [1]}]"#, "nodes[2]: is its own ancestor"),
            (r#"[{"children": [1, 1]}, {}]"#, "nodes[0].children[1]: node 1 is already a child of node 0"),
            (r#"[{"children": [1]}]"#, "nodes[0].children[0]: there is no node 1 (the file has 1)"),
        ] {
            assert_eq!(rig(nodes).unwrap_err(), error);
        }
    }

    #[test]
    fn a_very_long_chain_is_no_problem() {
        let links: Vec<String> = (1..200_000).map(|child| format!(r#"{{"children": [{child}]}}"#)).collect();
        let rig = rig(&format!("[{}, {{}}]", links.join(","))).unwrap();
        assert_eq!(rig.len(), 200_000);
        assert_eq!(rig.parents[199_999], Some(199_998));
    }
}
