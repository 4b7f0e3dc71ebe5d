//! The rig: every node of a file as flat arrays with parents before children, and the skins that
//! choose joints from it. It must not know poses other than the one stored in the file.

use std::ops::Range;

use glam::{DMat4, DQuat, DVec3};

/// Nodes as parallel arrays, parents before children, so that posing is one forward loop.
#[derive(Clone, Debug, Default)]
pub struct Rig {
    /// Node names; empty where the file gives none.
    pub names: Vec<String>,
    /// Parent of each node, always a smaller index; `None` for roots.
    pub parents: Vec<Option<u32>>,
    /// Each node's transform in its parent, as the file stores it.
    pub rest: Vec<LocalTransform>,
    /// Each node's index in the file.
    pub file_index: Vec<u32>,
    /// Morph weights of all nodes that have any, node after node, as the file stores them.
    pub rest_weights: Vec<f32>,
    /// Where each node's morph weights end in [`Rig::rest_weights`]; they start where those of the node
    /// before end. Empty in a rig without morph weights.
    pub weight_ends: Vec<u32>,
    /// The last nodes of the rig are no nodes of the file but copies, each a child of the mesh node whose
    /// mesh it shows again and with its file index: their numbers among the copies of that node.
    pub copies: Vec<u32>,
}

impl Rig {
    /// How many nodes there are.
    pub fn len(&self) -> usize {
        self.parents.len()
    }

    /// Where a node's morph weights are in [`Rig::rest_weights`] and in a pose's; empty for most nodes.
    /// A copy has those of the node it is a copy of.
    pub fn weights_of(&self, node: usize) -> Range<usize> {
        let node = match self.copy_number(node).and(self.parents.get(node)) {
            Some(Some(original)) => *original as usize,
            _ => node,
        };
        let end = |node: usize| self.weight_ends.get(node).map_or(0, |end| *end as usize);
        node.checked_sub(1).map_or(0, end)..end(node)
    }

    /// Which of its original's copies a node is; `None` for nodes of the file.
    pub fn copy_number(&self, node: usize) -> Option<u32> {
        let first = self.len().checked_sub(self.copies.len())?;
        self.copies.get(node.checked_sub(first)?).copied()
    }

    /// Adds a copy of a node of the file at the end and says where.
    pub(super) fn add_copy(&mut self, original: usize, number: u32, transform: LocalTransform) -> usize {
        let node = self.len();
        self.names.push(self.names.get(original).cloned().unwrap_or_default());
        self.parents.push(Some(original as u32));
        self.rest.push(transform);
        self.file_index.push(self.file_index.get(original).copied().unwrap_or_default());
        self.copies.push(number);
        node
    }

    /// Whether there is no node at all.
    pub fn is_empty(&self) -> bool {
        self.parents.is_empty()
    }
}

/// A node's transform in its parent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LocalTransform {
    /// Translation, rotation, scale: what clips can move.
    Trs {
        /// Offset from the parent, in metres.
        translation: DVec3,
        /// Unit quaternion.
        rotation: DQuat,
        /// Scale along the node's own axes.
        scale: DVec3,
    },
    /// A matrix as the file gives it, kept whole because it may hold shear.
    Matrix(DMat4),
}

impl LocalTransform {
    /// No transform at all.
    pub const IDENTITY: Self =
        Self::Trs { translation: DVec3::ZERO, rotation: DQuat::IDENTITY, scale: DVec3::ONE };

    /// The matrix that takes the node's space to its parent's.
    pub fn parent_from_node(&self) -> DMat4 {
        match *self {
            Self::Trs { translation, rotation, scale } => {
                DMat4::from_scale_rotation_translation(scale, rotation, translation)
            }
            Self::Matrix(matrix) => matrix,
        }
    }
}

/// The joints that a mesh's influences refer to.
#[derive(Clone, Debug, Default)]
pub struct Skin {
    /// Name; empty where the file gives none.
    pub name: String,
    /// Index into [`Rig`] per joint, in the skin's order.
    pub joints: Vec<usize>,
    /// Inverse bind matrix per joint, identity where the file gives none.
    pub joint_from_bind: Vec<DMat4>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_come_last_and_share_morph_weights() {
        let mut rig = Rig {
            names: vec!["a".into(), "b".into()],
            parents: vec![None, Some(0)],
            rest: vec![LocalTransform::IDENTITY; 2],
            file_index: vec![1, 0],
            rest_weights: vec![0.0; 5],
            weight_ends: vec![2, 5],
            ..Rig::default()
        };
        assert_eq!(rig.copy_number(1), None);
        assert_eq!(rig.add_copy(1, 0, LocalTransform::IDENTITY), 2);
        assert_eq!(rig.add_copy(1, 1, LocalTransform::IDENTITY), 3);
        assert_eq!(rig.add_copy(0, 0, LocalTransform::IDENTITY), 4);
        assert_eq!(rig.parents[2..], [Some(1), Some(1), Some(0)]);
        assert_eq!(rig.file_index[2..], [0, 0, 1]);
        let numbers: Vec<_> = (0..6).map(|node| rig.copy_number(node)).collect();
        assert_eq!(numbers, [None, None, Some(0), Some(1), Some(0), None]);
        let weights: Vec<_> = (0..5).map(|node| rig.weights_of(node)).collect();
        assert_eq!(weights, [0..2, 2..5, 2..5, 2..5, 0..2]);
    }
}
