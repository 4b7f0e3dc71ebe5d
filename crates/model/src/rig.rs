//! The rig: all nodes of a file as flat arrays with parents before children, and the skins that choose joints from it.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use glam::{DAffine3, DMat4, DQuat, DVec3, EulerRot};

use crate::constraint::Constraint;
use crate::driver::Driver;

/// Nodes as parallel arrays, parents before children, so that posing is one forward loop.
#[derive(Clone, Debug, Default)]
pub struct Rig {
    /// Node names; empty if the file gives none.
    pub names: Vec<String>,
    /// Parent of each node, always at a smaller index; `None` for roots.
    pub parents: Vec<Option<u32>>,
    /// Each node's transform relative to its parent, as stored in the file.
    pub rest: Vec<LocalTransform>,
    /// Each node's index in the file.
    pub file_index: Vec<u32>,
    /// Morph weights as stored in the file, node after node, for the nodes that have any.
    pub rest_weights: Vec<f32>,
    /// End of each node's morph weights in [`Rig::rest_weights`]; they begin at the previous node's end. Empty in a rig
    /// without morph weights.
    pub weight_ends: Vec<u32>,
    /// Instance numbers of the rig's last nodes, which are not in the file. Instancing adds them as copies. Each is a
    /// child of the mesh node whose mesh it shows, with the same file index.
    pub copies: Vec<u32>,
    /// Rotation limits of nodes, if the file has any.
    pub limits: BTreeMap<usize, TurnLimits>,
    /// Rules by which nodes follow others after clips and edits, each after those that it depends on.
    pub constraints: Vec<Constraint>,
    /// Rules by which morph weights follow joints after all of that, at most one for each target of a node.
    pub drivers: Vec<Driver>,
}

/// Rotation limits of a node. Its rotation is `before`, then three rotations about its axes, then `after`, as a product
/// from left to right.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TurnLimits {
    /// The fixed rotation before them.
    pub before: DQuat,
    /// The fixed rotation after them.
    pub after: DQuat,
    /// The order of the three turns: all three axes, each once.
    pub order: EulerRot,
    /// The smallest angles about x, y and z in radians, at most the largest; −∞ for an axis without a limit.
    pub least: DVec3,
    /// The largest angles; ∞ for an axis without a limit.
    pub most: DVec3,
}

impl Rig {
    /// The number of nodes.
    pub fn len(&self) -> usize {
        self.parents.len()
    }

    /// The range of a node's morph weights in [`Rig::rest_weights`] and in a pose; empty for most nodes. A copy has the
    /// range of its original.
    pub fn weights_of(&self, node: usize) -> Range<usize> {
        let node = match self.copy_number(node).and(self.parents.get(node)) {
            Some(Some(original)) => *original as usize,
            _ => node,
        };
        let end = |node: usize| self.weight_ends.get(node).map_or(0, |end| *end as usize);
        node.checked_sub(1).map_or(0, end)..end(node)
    }

    /// The number of a copy among those of its original; `None` for nodes of the file.
    pub fn copy_number(&self, node: usize) -> Option<u32> {
        let first = self.len().checked_sub(self.copies.len())?;
        self.copies.get(node.checked_sub(first)?).copied()
    }

    /// Appends a copy of a node of the file and returns its index.
    pub(super) fn add_copy(&mut self, original: usize, number: u32, transform: LocalTransform) -> usize {
        let node = self.len();
        self.names.push(self.names.get(original).cloned().unwrap_or_default());
        self.parents.push(Some(original as u32));
        self.rest.push(transform);
        self.file_index.push(self.file_index.get(original).copied().unwrap_or_default());
        self.copies.push(number);
        node
    }

    /// Returns true if the rig has no nodes.
    pub fn is_empty(&self) -> bool {
        self.parents.is_empty()
    }
}

/// A node's transform relative to its parent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LocalTransform {
    /// Translation, rotation and scale, which clips can animate.
    Trs {
        /// Offset from the parent, in metres.
        translation: DVec3,
        /// Unit quaternion.
        rotation: DQuat,
        /// Scale along the node's own axes.
        scale: DVec3,
    },
    /// A matrix as stored in the file, kept whole because it may contain shear.
    Matrix(DAffine3),
}

impl LocalTransform {
    /// The identity.
    pub const IDENTITY: Self =
        Self::Trs { translation: DVec3::ZERO, rotation: DQuat::IDENTITY, scale: DVec3::ONE };

    /// The matrix from the node's space to its parent's.
    pub fn parent_from_node(&self) -> DMat4 {
        match *self {
            Self::Trs { translation, rotation, scale } => {
                DMat4::from_scale_rotation_translation(scale, rotation, translation)
            }
            Self::Matrix(matrix) => matrix.into(),
        }
    }

    /// The transform of a matrix; its last row counts as 0 0 0 1.
    pub fn from_matrix(parent_from_node: DMat4) -> Self {
        Self::Matrix(DAffine3::from_mat4(parent_from_node))
    }
}

/// The joints that influences refer to.
#[derive(Clone, Debug, Default)]
pub struct Skin {
    /// Name; empty if the file gives none.
    pub name: String,
    /// The joints as indices into [`Rig`], in the skin's order.
    pub joints: Vec<usize>,
    /// Inverse bind matrix per joint; the identity if the file gives none. Skins may share them.
    pub joint_from_bind: Arc<[DMat4]>,
    /// The author's skinning method, if the file specifies it.
    pub method: Option<SkinningMethod>,
}

/// An author's skinning method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SkinningMethod {
    /// Each vertex follows one joint.
    Rigid,
    /// Matrices are blended.
    Linear,
    /// Dual quaternions are blended.
    DualQuaternion,
    /// A blend of both, with a share per vertex: [`Primitive::shares`](crate::Primitive::shares).
    Blended,
}

impl SkinningMethod {
    /// All methods.
    pub const ALL: [Self; 4] = [Self::Rigid, Self::Linear, Self::DualQuaternion, Self::Blended];

    /// Returns the method's name in a skin's extras.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Rigid => "rigid",
            Self::Linear => "linear",
            Self::DualQuaternion => "dual quaternion",
            Self::Blended => "blended",
        }
    }

    /// The method of a name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|method| method.name() == name)
    }
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
