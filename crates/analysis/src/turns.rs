//! The turn of a joint away from rest, about its own axes, and the axis that the clips use most.

use std::fmt;
use std::str::FromStr;

use glam::{DQuat, DVec3};
use serde::Serialize;
use sinew_model::{Clip, LocalTransform, Model, Property};
use sinew_skinning::pose::{ClipMix, Edits, Pose, PoseChoice};

/// An axis of a joint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Axis {
    /// The first axis.
    X,
    /// The second axis.
    Y,
    /// The third axis.
    Z,
}

impl Axis {
    /// All three.
    pub const ALL: [Self; 3] = [Self::X, Self::Y, Self::Z];

    /// Returns the axis as a unit vector.
    pub const fn direction(self) -> DVec3 {
        match self {
            Self::X => DVec3::X,
            Self::Y => DVec3::Y,
            Self::Z => DVec3::Z,
        }
    }

    /// Returns the letter that users type.
    pub const fn name(self) -> &'static str {
        match self {
            Self::X => "x",
            Self::Y => "y",
            Self::Z => "z",
        }
    }

    /// Returns the axis of the largest component.
    pub fn of_most(turn: DVec3) -> Self {
        Self::ALL[turn.abs().max_position()]
    }
}

impl fmt::Display for Axis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Text that is not an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected x, y or z")]
pub struct NoAxis;

impl FromStr for Axis {
    type Err = NoAxis;

    fn from_str(text: &str) -> Result<Self, NoAxis> {
        Self::ALL.into_iter().find(|axis| axis.name() == text).ok_or(NoAxis)
    }
}

/// The axis that clips use most.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Used {
    /// The axis.
    pub axis: Axis,
    /// True if the mean angle about it is negative.
    pub is_backward: bool,
}

/// The minimum mean angle, in degrees, for a joint that clips turn.
const STILL_DEGREES: f64 = 0.5;

/// The maximum number of frames to read of a clip, and of all clips.
const MAX_FRAMES: [usize; 2] = [61, 1 << 14];

/// Returns the rest pose with the joint turned. A joint without a rotation turns from the identity.
pub fn turned(model: &Model, node: usize, axis: Axis, degrees: f64) -> PoseChoice {
    let turn = DQuat::from_axis_angle(axis.direction(), degrees.to_radians());
    let mut edits = Edits::default();
    edits.set_rotation(model, node, rest_rotation(model, node) * turn);
    PoseChoice::Clips(ClipMix { edits, ..ClipMix::default() })
}

/// Returns the turn of a joint from rest: the axis, in the joint's own axes, as long as the angle in degrees.
pub fn turn_from_rest(model: &Model, node: usize, pose: &Pose) -> DVec3 {
    let now = pose.locals.get(node).map_or(DQuat::IDENTITY, rotation);
    let turn = rest_rotation(model, node).inverse() * now;
    // A quaternion and its negative are one rotation; take the shorter way.
    let turn = if turn.w < 0.0 { -turn } else { turn };
    let turn = turn.to_scaled_axis().map(f64::to_degrees);
    if turn.is_finite() { turn } else { DVec3::ZERO }
}

/// Returns the axis about which clips turn a joint furthest from rest, on average over all their frames; `None` if they do
/// not turn it.
pub fn used_most(model: &Model, node: usize) -> Option<Used> {
    let turns = |clip: &Clip| {
        clip.channels.iter().any(|channel| channel.node == node && channel.property == Property::Rotation)
    };
    let clips: Vec<usize> =
        model.clips.iter().enumerate().filter(|(_, clip)| turns(clip)).map(|(number, _)| number).collect();
    let [of_one, of_all] = MAX_FRAMES;
    let frames = (of_all / clips.len().max(1)).clamp(2, of_one);
    let mut pose = Pose::default();
    let (mut sum, mut squares, mut count) = (DVec3::ZERO, DVec3::ZERO, 0.0);
    for clip in clips.into_iter().take(of_all / 2) {
        let period = model.period_of_all(std::iter::once(clip));
        for frame in 0..frames {
            let time = period.start + period.length() * frame as f64 / (frames - 1) as f64;
            pose.set(model, &PoseChoice::clip(clip, time));
            let turn = turn_from_rest(model, node, &pose);
            (sum, squares, count) = (sum + turn, squares + turn * turn, count + 1.0);
        }
    }
    let axis = Axis::of_most(squares);
    let degrees = (squares.dot(axis.direction()) / f64::max(count, 1.0)).sqrt();
    (degrees > STILL_DEGREES).then(|| Used { axis, is_backward: sum.dot(axis.direction()) < 0.0 })
}

fn rest_rotation(model: &Model, node: usize) -> DQuat {
    model.rig.rest.get(node).map_or(DQuat::IDENTITY, rotation)
}

fn rotation(local: &LocalTransform) -> DQuat {
    match local {
        LocalTransform::Trs { rotation, .. } => *rotation,
        LocalTransform::Matrix(matrix) => matrix.to_scale_rotation_translation().1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew_model::{builtin, gltf};

    fn model(name: &str) -> Model {
        gltf::load_bytes(&builtin::glb(name).unwrap(), None).unwrap()
    }

    fn node(model: &Model, name: &str) -> usize {
        model.rig.names.iter().position(|known| known == name).unwrap()
    }

    #[test]
    fn a_turn_is_found_again_whatever_the_rest() {
        let model = model("character");
        let node = node(&model, "forearm.R");
        let mut pose = Pose::default();
        for (axis, degrees) in [(Axis::X, 30.0), (Axis::Y, -120.0), (Axis::Z, 179.0)] {
            pose.set(&model, &turned(&model, node, axis, degrees));
            let turn = turn_from_rest(&model, node, &pose);
            assert!(turn.distance(axis.direction() * degrees) < 1e-6, "{axis}: {turn}");
            assert_eq!(Axis::of_most(turn), axis);
        }
    }

    #[test]
    fn clips_say_which_axis_they_use_and_which_way() {
        let mut twist = model("twist");
        let upper = node(&twist, "upper");
        assert_eq!(used_most(&twist, upper), Some(Used { axis: Axis::Y, is_backward: false }));
        // The same clip in the opposite direction.
        for channel in &mut twist.clips[0].channels {
            if channel.property == Property::Rotation {
                channel.values.chunks_exact_mut(4).for_each(|quaternion| quaternion[3] = -quaternion[3]);
            }
        }
        assert_eq!(used_most(&twist, upper), Some(Used { axis: Axis::Y, is_backward: true }));
        twist.clips.clear();
        assert_eq!(used_most(&twist, upper), None);
    }
}
