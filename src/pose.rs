//! Poses: what a clip makes of a rig at a time, as node transforms in the parent and in the world.
//! It must not know skins, meshes or skinning modes.

use crate::model::{Channel, Clip, Interpolation, LocalTransform, Model, Property, Rig};
use glam::{DMat4, DQuat, DVec4};

/// Which pose is asked for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PoseChoice {
    /// Neither skinned nor morphed: the mesh exactly as stored.
    Bind,
    /// The file's own node transforms.
    Rest,
    /// A clip of the file at a time.
    Clip {
        /// Number of the clip in the file.
        clip: usize,
        /// Seconds from its start.
        time_secs: f64,
    },
}

/// Where every node of a rig is. Setting a pose again allocates nothing.
#[derive(Clone, Debug, Default)]
pub struct Pose {
    /// Whether skins and morph targets are left unapplied: palettes are identities and weights count as 0,
    /// whatever the nodes do.
    pub is_bind: bool,
    /// Each node's transform in its parent.
    pub locals: Vec<LocalTransform>,
    /// Each node's transform in the world.
    pub world_from_node: Vec<DMat4>,
    /// Morph weights, where [`Rig::weights_of`] says.
    pub weights: Vec<f64>,
}

impl Pose {
    /// The pose that the file stores, without any clip.
    pub fn rest(rig: &Rig) -> Self {
        let mut pose = Self::default();
        pose.set_rest(rig);
        pose
    }

    /// Goes to the chosen pose; a clip that the model does not have is the rest pose.
    pub fn set(&mut self, model: &Model, choice: PoseChoice) {
        match choice {
            PoseChoice::Bind | PoseChoice::Rest => self.set_rest(&model.rig),
            PoseChoice::Clip { clip, time_secs } => match model.clips.get(clip) {
                Some(clip) => self.set_clip(&model.rig, clip, time_secs),
                None => self.set_rest(&model.rig),
            },
        }
        self.is_bind = choice == PoseChoice::Bind;
    }

    /// Goes to the pose that the file stores.
    pub fn set_rest(&mut self, rig: &Rig) {
        self.reset(rig);
        self.update_world(rig);
    }

    /// Goes to a clip's pose at a time: nodes that the clip does not move stay as the file stores
    /// them, and before the first and after the last key the nearest key holds.
    pub fn set_clip(&mut self, rig: &Rig, clip: &Clip, time_secs: f64) {
        self.reset(rig);
        for channel in &clip.channels {
            if let Some(local) = self.locals.get_mut(channel.node) {
                apply(channel, time_secs, local);
            }
        }
        self.update_world(rig);
    }

    /// Everything as the file stores it, but for the transforms in the world.
    fn reset(&mut self, rig: &Rig) {
        self.is_bind = false;
        self.locals.clone_from(&rig.rest);
        self.weights.clear();
        self.weights.extend(rig.rest_weights.iter().copied().map(f64::from));
    }

    /// Local to world in one forward loop: parents come before their children.
    pub fn update_world(&mut self, rig: &Rig) {
        self.world_from_node.clear();
        for (local, parent) in self.locals.iter().zip(&rig.parents) {
            let parent_from_node = local.parent_from_node();
            let world_from_parent = parent.and_then(|parent| self.world_from_node.get(parent as usize));
            let world_from_node =
                world_from_parent.map_or(parent_from_node, |world| *world * parent_from_node);
            self.world_from_node.push(world_from_node);
        }
    }
}

/// Sets what the channel animates. A node stored as a matrix is split first, once per pose: files
/// should not animate such a node, and what shear it has is lost.
fn apply(channel: &Channel, time_secs: f64, local: &mut LocalTransform) {
    let Some(value) = sample(channel, time_secs) else { return };
    if let LocalTransform::Matrix(matrix) = *local {
        *local = split(&matrix);
    }
    let LocalTransform::Trs { translation, rotation, scale } = local else { return };
    match channel.property {
        Property::Translation => *translation = value.truncate(),
        Property::Rotation => *rotation = DQuat::from_vec4(value),
        Property::Scale => *scale = value.truncate(),
        Property::Weights => {}
    }
}

fn split(matrix: &DMat4) -> LocalTransform {
    let (scale, rotation, translation) = matrix.to_scale_rotation_translation();
    // A matrix that scales an axis to nothing has no rotation to be found this way.
    let rotation = if rotation.is_finite() { rotation } else { DQuat::IDENTITY };
    LocalTransform::Trs { translation, rotation, scale }
}

/// The channel's value at a time; three components where the property has three. `None` where the
/// channel has too few values, and for morph weights, which no node transform depends on.
fn sample(channel: &Channel, time_secs: f64) -> Option<DVec4> {
    let times = &channel.times;
    let after = times.partition_point(|&key_secs| f64::from(key_secs) <= time_secs);
    let before = after.saturating_sub(1);
    if after == 0 || after == times.len() {
        return key(channel, before, Part::Value).map(|value| finish(channel, value));
    }
    let (start_secs, end_secs) = (f64::from(*times.get(before)?), f64::from(*times.get(after)?));
    let distance_secs = end_secs - start_secs;
    let t = (time_secs - start_secs) / distance_secs;

    let start = key(channel, before, Part::Value)?;
    let end = key(channel, after, Part::Value)?;
    let value = match (channel.interpolation, channel.property) {
        (Interpolation::Step, _) => start,
        (Interpolation::Linear, Property::Rotation) => slerp(unit(start), unit(end), t),
        (Interpolation::Linear, _) => start.lerp(end, t),
        (Interpolation::CubicSpline, _) => {
            let leaving = key(channel, before, Part::OutTangent)? * distance_secs;
            let arriving = key(channel, after, Part::InTangent)? * distance_secs;
            hermite(start, leaving, end, arriving, t)
        }
    };
    Some(finish(channel, value))
}

/// Rotations leave at length one, whatever the file's rounding or a spline made of them.
fn finish(channel: &Channel, value: DVec4) -> DVec4 {
    if channel.property == Property::Rotation { unit(value) } else { value }
}

/// Which of the three values of a spline's key; other keys have the value only.
#[derive(Clone, Copy)]
enum Part {
    InTangent,
    Value,
    OutTangent,
}

fn key(channel: &Channel, index: usize, part: Part) -> Option<DVec4> {
    let components = match channel.property {
        Property::Translation | Property::Scale => 3,
        Property::Rotation => 4,
        Property::Weights => return None,
    };
    let element = match channel.interpolation {
        Interpolation::CubicSpline => index * 3 + part as usize,
        Interpolation::Step | Interpolation::Linear => index,
    };
    let numbers = channel.values.get(element * components..(element + 1) * components)?;
    let mut value = [0.0; 4];
    for (value, &number) in value.iter_mut().zip(numbers) {
        *value = f64::from(number);
    }
    Some(DVec4::from_array(value))
}

/// A quaternion at length one; the identity for zero, which has no direction.
fn unit(q: DVec4) -> DVec4 {
    q.try_normalize().unwrap_or(DVec4::W)
}

/// The shortest arc between unit quaternions (glTF 2.0, appendix C.4). The angle is taken from
/// both chords, which keeps its digits where an arc cosine loses them.
fn slerp(start: DVec4, end: DVec4, t: f64) -> DVec4 {
    let end = if start.dot(end) < 0.0 { -end } else { end };
    let angle = 2.0 * (end - start).length().atan2((end + start).length());
    let sine = angle.sin();
    if sine < 1e-9 {
        return start.lerp(end, t);
    }
    start * ((angle * (1.0 - t)).sin() / sine) + end * ((angle * t).sin() / sine)
}

/// Cubic Hermite spline (glTF 2.0, appendix C.5); tangents are scaled to the keys' distance.
fn hermite(start: DVec4, leaving: DVec4, end: DVec4, arriving: DVec4, t: f64) -> DVec4 {
    let (t2, t3) = (t * t, t * t * t);
    start * (2.0 * t3 - 3.0 * t2 + 1.0)
        + leaving * (t3 - 2.0 * t2 + t)
        + end * (3.0 * t2 - 2.0 * t3)
        + arriving * (t3 - t2)
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DVec3;
    use std::f64::consts::FRAC_1_SQRT_2;

    fn rig(rest: Vec<LocalTransform>) -> Rig {
        let parents = (0..rest.len()).map(|node| node.checked_sub(1).map(|parent| parent as u32)).collect();
        Rig {
            names: vec![String::new(); rest.len()],
            file_index: vec![0; rest.len()],
            parents,
            rest,
            ..Rig::default()
        }
    }

    fn channel(property: Property, interpolation: Interpolation, times: &[f32], values: &[f32]) -> Channel {
        Channel { node: 0, property, interpolation, times: times.to_vec(), values: values.to_vec() }
    }

    fn at(channel: Channel, time_secs: f64) -> LocalTransform {
        let rig = rig(vec![LocalTransform::IDENTITY]);
        let mut pose = Pose::rest(&rig);
        let clip = Clip { name: String::new(), duration_secs: 4.0, channels: vec![channel] };
        pose.set_clip(&rig, &clip, time_secs);
        pose.locals[0]
    }

    fn translation_at(interpolation: Interpolation, times: &[f32], values: &[f32], time_secs: f64) -> DVec3 {
        match at(channel(Property::Translation, interpolation, times, values), time_secs) {
            LocalTransform::Trs { translation, .. } => translation,
            LocalTransform::Matrix(_) => panic!("a matrix"),
        }
    }

    fn rotation_at(interpolation: Interpolation, times: &[f32], values: &[f32], time_secs: f64) -> DQuat {
        match at(channel(Property::Rotation, interpolation, times, values), time_secs) {
            LocalTransform::Trs { rotation, .. } => rotation,
            LocalTransform::Matrix(_) => panic!("a matrix"),
        }
    }

    const TIMES: [f32; 3] = [1.0, 2.0, 4.0];
    const VALUES: [f32; 9] = [1.0, 2.0, 3.0, 2.0, 4.0, 6.0, 6.0, 0.0, 8.0];

    #[test]
    fn step_holds_the_earlier_key() {
        let sampled = |time| translation_at(Interpolation::Step, &TIMES, &VALUES, time);
        assert_eq!(sampled(1.999), DVec3::new(1.0, 2.0, 3.0));
        assert_eq!(sampled(2.0), DVec3::new(2.0, 4.0, 6.0));
        assert_eq!(sampled(3.999), DVec3::new(2.0, 4.0, 6.0));
    }

    #[test]
    fn linear_goes_straight() {
        let sampled = |time| translation_at(Interpolation::Linear, &TIMES, &VALUES, time);
        assert_eq!(sampled(1.25), DVec3::new(1.25, 2.5, 3.75));
        assert_eq!(sampled(3.0), DVec3::new(4.0, 2.0, 7.0));
    }

    #[test]
    fn ends_hold_in_every_interpolation() {
        let spline =
            VALUES.chunks(3).flat_map(|value| [&[9.0; 3], value, &[9.0; 3]].concat()).collect::<Vec<_>>();
        for (interpolation, values) in [
            (Interpolation::Step, VALUES.to_vec()),
            (Interpolation::Linear, VALUES.to_vec()),
            (Interpolation::CubicSpline, spline),
        ] {
            let sampled = |time| translation_at(interpolation, &TIMES, &values, time);
            for early in [f64::NEG_INFINITY, -3.0, 0.0, 1.0, f64::NAN] {
                assert_eq!(sampled(early), DVec3::new(1.0, 2.0, 3.0), "{interpolation:?} at {early}");
            }
            for late in [4.0, 5.0, f64::INFINITY] {
                assert_eq!(sampled(late), DVec3::new(6.0, 0.0, 8.0), "{interpolation:?} at {late}");
            }
        }
    }

    #[test]
    fn a_single_key_holds_always() {
        for time in [0.0, 1.0, 2.0] {
            assert_eq!(translation_at(Interpolation::Linear, &[1.0], &[1.0, 2.0, 3.0], time).y, 2.0);
            let spline = [9.0, 9.0, 9.0, 1.0, 2.0, 3.0, 9.0, 9.0, 9.0];
            assert_eq!(translation_at(Interpolation::CubicSpline, &[1.0], &spline, time).y, 2.0);
        }
    }

    #[test]
    fn spline_tangents_are_scaled_by_the_distance_of_keys() {
        // From 1, leaving at 3 a second, to 5, arriving at -1 a second, two seconds later. Half way:
        // (1 + 5) / 2 + 2 · (3 - -1) / 8 = 4; a quarter: 0.84375 + 2 · 0.421875 + 0.78125 + 2 · 0.046875.
        let values =
            [9.0, 0.0, 0.0, 1.0, 0.0, 0.0, 3.0, 0.0, 0.0, -1.0, 0.0, 0.0, 5.0, 0.0, 0.0, 9.0, 0.0, 0.0];
        let sampled = |time| translation_at(Interpolation::CubicSpline, &[1.0, 3.0], &values, time).x;
        assert_eq!(sampled(2.0), 4.0);
        assert_eq!(sampled(1.5), 0.84375 + 0.84375 + 0.78125 + 0.09375);
    }

    #[test]
    fn rotations_take_the_shortest_arc_at_even_speed() {
        // No turn to 90° about z; the second key is written as the antipode of the same rotation.
        let half = std::f32::consts::FRAC_1_SQRT_2;
        for sign in [1.0, -1.0] {
            let values = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, sign * half, sign * half];
            let sampled = rotation_at(Interpolation::Linear, &[0.0, 3.0], &values, 1.0);
            let want = DQuat::from_rotation_z(30.0_f64.to_radians());
            assert!((sampled.dot(want) - 1.0).abs() < 1e-15, "{sampled}");
        }
    }

    #[test]
    fn rotations_leave_at_length_one() {
        // Keys rounded to three digits, as tools write them, equal and nearly so.
        let values = [0.0, 0.0, 0.707, 0.707, 0.0, 0.0, 0.707, 0.707, 0.0, 0.0, 0.707, 0.7070001];
        for time in [0.0, 0.5, 1.0, 1.5, 2.0] {
            for interpolation in [Interpolation::Step, Interpolation::Linear] {
                let sampled = rotation_at(interpolation, &[0.0, 1.0, 2.0], &values, time);
                assert!((sampled - DQuat::from_xyzw(0.0, 0.0, FRAC_1_SQRT_2, FRAC_1_SQRT_2)).length() < 1e-7);
                assert!((sampled.length() - 1.0).abs() < 1e-15);
            }
        }
    }

    #[test]
    fn spline_rotations_are_normalised() {
        // Flat tangents: half way is the mean of the keys, here (0, 0, ½, ½) before normalising.
        let mut values = [0.0; 24];
        (values[7], values[18]) = (1.0, 1.0);
        let sampled = rotation_at(Interpolation::CubicSpline, &[0.0, 1.0], &values, 0.5);
        assert!((sampled - DQuat::from_xyzw(0.0, 0.0, FRAC_1_SQRT_2, FRAC_1_SQRT_2)).length() < 1e-15);
    }

    #[test]
    fn broken_channels_leave_the_rest_pose() {
        let rest = LocalTransform::IDENTITY;
        let short = channel(Property::Translation, Interpolation::CubicSpline, &TIMES, &VALUES);
        assert_eq!(at(short, 3.0), rest);
        assert_eq!(at(channel(Property::Scale, Interpolation::Linear, &[], &[]), 1.0), rest);
        let elsewhere =
            Channel { node: 7, ..channel(Property::Scale, Interpolation::Step, &[0.0], &[2.0; 3]) };
        assert_eq!(at(elsewhere, 1.0), rest);
        let zero = rotation_at(Interpolation::Linear, &[0.0, 1.0], &[0.0; 8], 0.5);
        assert_eq!(zero, DQuat::IDENTITY);
    }

    #[test]
    fn an_animated_matrix_keeps_what_the_clip_leaves_alone() {
        let matrix = DMat4::from_scale_rotation_translation(
            DVec3::new(2.0, 3.0, 4.0),
            DQuat::from_rotation_x(0.5),
            DVec3::new(1.0, 2.0, 3.0),
        );
        let rig = rig(vec![LocalTransform::Matrix(matrix)]);
        let mut pose = Pose::rest(&rig);
        assert_eq!(pose.world_from_node[0], matrix);
        let moved = channel(Property::Translation, Interpolation::Step, &[0.0], &[7.0, 8.0, 9.0]);
        pose.set_clip(&rig, &Clip { channels: vec![moved], ..Clip::default() }, 0.0);
        let mut want = matrix;
        want.w_axis = DVec4::new(7.0, 8.0, 9.0, 1.0);
        assert!(pose.world_from_node[0].abs_diff_eq(want, 1e-15));
    }

    #[test]
    fn children_follow_their_parents_and_a_clip_ends_with_itself() {
        let up = |y| LocalTransform::Trs {
            translation: DVec3::new(0.0, y, 0.0),
            rotation: DQuat::IDENTITY,
            scale: DVec3::ONE,
        };
        let rig = rig(vec![up(1.0), up(2.0), up(4.0)]);
        let mut quarter = channel(Property::Rotation, Interpolation::Step, &[0.0], &[0.0, 0.0, 1.0, 1.0]);
        quarter.node = 1;
        let mut pose = Pose::rest(&rig);
        assert_eq!(pose.world_from_node[2].w_axis.y, 7.0);
        pose.set_clip(&rig, &Clip { channels: vec![quarter], ..Clip::default() }, 1.0);
        let tip = pose.world_from_node[2].transform_point3(DVec3::ZERO);
        assert!((tip - DVec3::new(-4.0, 3.0, 0.0)).length() < 1e-14, "{tip}");
        pose.set_clip(&rig, &Clip::default(), 1.0);
        assert_eq!(pose.locals, rig.rest);
    }
}
