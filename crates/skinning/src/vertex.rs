//! What a mode reads of one vertex.

/// The joints of a vertex and what else decides how they move it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VertexSkin<'a> {
    /// Four joints per span; the first one of all is the heaviest.
    pub joints: &'a [[i32; 4]],
    /// Weights in the joints' order.
    pub weights: &'a [[f32; 4]],
    /// How much of dual quaternion skinning *blend* takes, from 0 to 1.
    pub share: f32,
    /// The centre of rotation in bind space, about which *cor* turns.
    pub center: [f32; 3],
}

impl<'a> VertexSkin<'a> {
    /// A vertex that one joint moves alone. Its centre has no influence on where it goes.
    pub fn of_joint(joint: &'a [[i32; 4]; 1]) -> Self {
        Self { joints: joint, weights: &[[1.0, 0.0, 0.0, 0.0]], share: 1.0, center: [0.0; 3] }
    }

    /// The first joint.
    pub fn heaviest(&self) -> i32 {
        self.joints.first().map_or(-1, |span| span[0])
    }

    /// All joints with their weights.
    pub fn influences(&self) -> impl Iterator<Item = (i32, f32)> {
        self.joints.as_flattened().iter().copied().zip(self.weights.as_flattened().iter().copied())
    }
}
