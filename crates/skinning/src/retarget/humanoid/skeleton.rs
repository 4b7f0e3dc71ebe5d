//! A rig as the search for a human in it sees it: the joints that count, their places at rest, and who is above whom.

use super::words::{self, Words};
use crate::retarget::rest::Rest;
use crate::retarget::tree::Tree;
use glam::DVec3;
use sinew_model::Model;

/// The joints of a rig, with names as words.
pub struct Skeleton {
    /// True for nodes that may be bones.
    pub is_kept: Vec<bool>,
    /// True for joints of skins; all kept nodes if the rig has no skin.
    pub is_joint: Vec<bool>,
    /// The parents.
    pub parents: Vec<Option<usize>>,
    /// The words of each kept node; empty for others.
    pub words: Vec<Words>,
    /// The number of nodes above each.
    pub depths: Vec<usize>,
    /// Positions at rest, in the world.
    pub places: Vec<DVec3>,
    pub tree: Tree,
}

impl Skeleton {
    /// Reads a rig. `matters` marks joints of skins and nodes that clips move; without any, all nodes count.
    pub fn new(model: &Model, is_joint: &[bool], matters: &[bool]) -> Self {
        let rig = &model.rig;
        let own = rig.len().saturating_sub(rig.copies.len());
        let parents: Vec<Option<usize>> =
            rig.parents.iter().map(|parent| parent.map(|parent| parent as usize)).collect();
        let has_joints = is_joint.contains(&true);
        let mut is_kept: Vec<bool> = (0..rig.len())
            .map(|node| node < own && (!has_joints || matters.get(node) == Some(&true)))
            .collect();
        // Hips need no vertices.
        for (node, parent) in parents.iter().enumerate().rev() {
            if let Some(above) = parent.filter(|_| is_kept.get(node) == Some(&true))
                && let Some(mark) = is_kept.get_mut(above)
            {
                *mark = true;
            }
        }
        let mut depths: Vec<usize> = Vec::with_capacity(parents.len());
        for parent in &parents {
            let above = parent.and_then(|parent| depths.get(parent));
            depths.push(above.map_or(0, |depth| depth.saturating_add(1)));
        }
        let kept: Vec<usize> = (0..own).filter(|node| is_kept.get(*node) == Some(&true)).collect();
        let names: Vec<&str> =
            kept.iter().map(|node| rig.names.get(*node).map_or("", String::as_str)).collect();
        let mut words = vec![Words::default(); rig.len()];
        for (node, read) in kept.iter().zip(words::read(&names)) {
            if let Some(place) = words.get_mut(*node) {
                *place = read;
            }
        }
        let rest = Rest::new(rig);
        let is_joint = if has_joints { is_joint.to_vec() } else { is_kept.clone() };
        let places = (0..rig.len()).map(|node| rest.place(node)).collect();
        Self { is_kept, is_joint, parents, words, depths, places, tree: Tree::new(rig) }
    }

    /// Returns the nodes that may be bones.
    pub fn kept(&self) -> impl Iterator<Item = usize> + '_ {
        self.is_kept.iter().enumerate().filter(|(_, is_kept)| **is_kept).map(|(node, _)| node)
    }

    /// Returns a node's position at rest.
    pub fn place(&self, node: usize) -> DVec3 {
        self.places.get(node).copied().unwrap_or_default()
    }

    /// Returns the distance between two nodes at rest.
    pub fn length(&self, one: usize, other: usize) -> f64 {
        self.place(one).distance(self.place(other))
    }

    /// Returns the number of nodes above one.
    pub fn depth(&self, node: usize) -> usize {
        self.depths.get(node).copied().unwrap_or_default()
    }

    /// Returns true if a node is another, or below it.
    pub fn is_within(&self, node: usize, above: usize) -> bool {
        node == above || self.tree.is_below(node, above)
    }

    /// Returns the parent.
    pub fn parent(&self, node: usize) -> Option<usize> {
        self.parents.get(node).copied().flatten()
    }

    /// Returns the lowest node that both are within.
    pub fn common(&self, one: usize, other: usize) -> Option<usize> {
        std::iter::successors(Some(one), |node| self.parent(*node)).find(|node| self.is_within(other, *node))
    }
}
