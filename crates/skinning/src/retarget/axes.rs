//! The axes of a node: a rotation, and a flag for mirroring by a negative scale.

use crate::pose::split;
use glam::{DMat3, DQuat, DVec3};
use sinew_model::{LocalTransform, Rig};

/// The tolerance for equal rest poses, in radians and in shares of a length. Files store 24 bits, and errors add up along a
/// chain of joints.
pub const NOISE: f64 = 1e-6;

/// An orthogonal matrix `±R`: the axes of one space seen from another. A mirror about one axis is the mirror about all
/// three, after half a turn. The mirror about all three commutes with every rotation, so a sign beside a rotation is enough.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Axes {
    /// `R`
    pub rotation: DQuat,
    /// True if the sign is negative.
    pub is_mirrored: bool,
}

impl Axes {
    /// The axes of the world.
    pub const WORLD: Self = Self { rotation: DQuat::IDENTITY, is_mirrored: false };

    /// Returns the axes of a node in its parent, without its scale.
    pub fn of(local: &LocalTransform) -> Self {
        let (rotation, scale) = match *local {
            LocalTransform::Trs { rotation, scale, .. } => (rotation, scale),
            LocalTransform::Matrix(matrix) => match split(&matrix) {
                LocalTransform::Trs { rotation, scale, .. } => (rotation, scale),
                LocalTransform::Matrix(_) => (DQuat::IDENTITY, DVec3::ONE),
            },
        };
        let (half_turn, is_mirrored) = mirror(scale);
        Self { rotation: unit(rotation * half_turn), is_mirrored }
    }

    /// Returns these axes inside of others.
    pub fn inside(self, outer: Self) -> Self {
        Self {
            rotation: unit(outer.rotation * self.rotation),
            is_mirrored: outer.is_mirrored != self.is_mirrored,
        }
    }

    /// Returns the axes of the outer space, seen from these.
    pub fn inverse(self) -> Self {
        Self { rotation: self.rotation.conjugate(), ..self }
    }

    /// Returns the rotation alone. A mirror about all axes commutes with every rotation, so it does not affect turns.
    pub fn without_mirror(self) -> Self {
        Self { is_mirrored: false, ..self }
    }

    /// Returns the matrix.
    pub fn matrix(self) -> DMat3 {
        DMat3::from_quat(self.rotation) * if self.is_mirrored { -1.0 } else { 1.0 }
    }

    /// Returns true if they equal those of the outer space, but for noise.
    pub fn is_plain(self) -> bool {
        !self.is_mirrored && angle(self.rotation) <= NOISE
    }
}

/// Returns the signs of a scale as half a turn and the mirror about all axes.
fn mirror(scale: DVec3) -> (DQuat, bool) {
    let [x, y, z] = scale.to_array().map(|scale| scale < 0.0);
    let is_mirrored = x ^ y ^ z;
    // The remaining signs after turning over all three if they mirror: none or two are negative.
    let half_turn = match [x, y, z].map(|sign| sign != is_mirrored) {
        [false, true, true] => DQuat::from_xyzw(1.0, 0.0, 0.0, 0.0),
        [true, false, true] => DQuat::from_xyzw(0.0, 1.0, 0.0, 0.0),
        [true, true, false] => DQuat::from_xyzw(0.0, 0.0, 1.0, 0.0),
        _ => DQuat::IDENTITY,
    };
    (half_turn, is_mirrored)
}

/// Returns the rotation at length one; the identity if it has no direction.
pub fn unit(rotation: DQuat) -> DQuat {
    let length = rotation.length();
    if length.is_finite() && length > 0.0 { rotation / length } else { DQuat::IDENTITY }
}

/// Returns the angle of a rotation, in radians.
pub fn angle(rotation: DQuat) -> f64 {
    2.0 * rotation.xyz().length().atan2(rotation.w.abs())
}

/// Returns the local rotation of a node.
pub fn rotation_of(local: &LocalTransform) -> DQuat {
    match *local {
        LocalTransform::Trs { rotation, .. } => unit(rotation),
        LocalTransform::Matrix(matrix) => match split(&matrix) {
            LocalTransform::Trs { rotation, .. } => unit(rotation),
            LocalTransform::Matrix(_) => DQuat::IDENTITY,
        },
    }
}

/// Computes the world axes of every node, parents before children.
pub fn world_axes(rig: &Rig, locals: &[LocalTransform], axes: &mut Vec<Axes>) {
    axes.clear();
    for (local, parent) in locals.iter().zip(&rig.parents) {
        let outer = parent.and_then(|parent| axes.get(parent as usize)).copied().unwrap_or(Axes::WORLD);
        axes.push(Axes::of(local).inside(outer));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A scale of any signs equals the matrix of its half turn and its sign.
    #[test]
    fn signs_of_scales_are_half_turns_and_a_mirror() {
        for signs in 0..8 {
            let sign = |bit: i32| if signs & bit == 0 { 1.0 } else { -1.0 };
            let scale = DVec3::new(sign(1), sign(2), sign(4));
            let local = LocalTransform::Trs {
                translation: DVec3::ZERO,
                rotation: DQuat::IDENTITY,
                scale: scale * 3.0,
            };
            let matrix = Axes::of(&local).matrix();
            assert!(matrix.abs_diff_eq(DMat3::from_diagonal(scale), 1e-15), "{scale}: {matrix}");
        }
    }
}
