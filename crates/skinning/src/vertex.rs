//! A mode's input for one vertex.

use sinew_model::DdmRow;

/// The joints of a vertex and the other input for its motion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VertexSkin<'a> {
    /// Four joints per span; the first joint of the first span is the heaviest.
    pub joints: &'a [[i32; 4]],
    /// Weights in the joints' order.
    pub weights: &'a [[f32; 4]],
    /// The share of dual quaternion skinning in *blend*, from 0 to 1.
    pub share: f32,
    /// The centre of rotation in bind space, about which *cor* turns.
    pub center: [f32; 3],
    /// The position in bind space, after morph targets, which *dqs-blender* reads.
    pub position: [f32; 3],
    /// The smoothed surroundings, which *ddm* reads.
    pub ddm: Option<DdmRow<'a>>,
}

impl<'a> VertexSkin<'a> {
    /// Makes a vertex that one joint moves alone. Its centre and position have no effect.
    pub fn of_joint(joint: &'a [[i32; 4]; 1]) -> Self {
        let weights = &[[1.0, 0.0, 0.0, 0.0]];
        Self { joints: joint, weights, share: 1.0, center: [0.0; 3], position: [0.0; 3], ddm: None }
    }

    /// Returns the heaviest joint.
    pub fn heaviest(&self) -> i32 {
        self.joints.first().map_or(-1, |span| span[0])
    }

    /// Returns all joints with their weights.
    pub fn influences(&self) -> impl Iterator<Item = (i32, f32)> {
        self.joints.as_flattened().iter().copied().zip(self.weights.as_flattened().iter().copied())
    }
}
