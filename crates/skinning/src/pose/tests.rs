//! Tests of one clip at a time, with values computed by hand.

use super::*;
use glam::{DQuat, DVec3, DVec4};
use sinew_model::{Channel, Interpolation, Property};
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

/// On its way up the tree, a joint's vertices pass through the space of each parent.
#[test]
fn only_joint_goes_some_steps_up_the_tree() {
    let up = LocalTransform::Trs {
        translation: DVec3::new(0.0, 2.0, 0.5),
        rotation: DQuat::from_rotation_x(0.7),
        scale: DVec3::new(1.0, 2.0, 1.0),
    };
    let bind = DMat4::from_translation(DVec3::new(0.0, -3.0, 1.0));
    let skin = sinew_model::Skin {
        name: String::new(),
        joints: vec![0, 2],
        joint_from_bind: [DMat4::IDENTITY, bind].into(),
        method: None,
    };
    let model = Model { rig: rig(vec![up; 3]), skins: vec![skin], ..Model::default() };
    let matrix = |steps| {
        let only_joint = Some(OnlyJoint { node: 2, name: String::new(), steps });
        let mut pose = Pose::default();
        pose.set(&model, &PoseChoice::Clips(ClipMix { only_joint, ..ClipMix::default() }));
        let matrices = crate::world_from_bind(&model.skins[0], &pose);
        assert_eq!(matrices[0], matrices[1]);
        matrices[1]
    };
    let local = up.parent_from_node();
    assert_eq!(matrix(Some(0)), bind);
    assert_eq!(matrix(Some(1)), local * bind);
    assert!(matrix(Some(2)).abs_diff_eq(local * local * bind, 1e-12));
    for all in [Some(3), Some(usize::MAX)] {
        assert!(matrix(all).abs_diff_eq(matrix(None), 1e-12));
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
    // From 1, leaving at 3 per second, to 5, arriving at -1 per second, two seconds later. Half way: (1 + 5) / 2 + 2 · (3 -
    // -1) / 8 = 4; a quarter: 0.84375 + 2 · 0.421875 + 0.78125 + 2 · 0.046875.
    let values = [9.0, 0.0, 0.0, 1.0, 0.0, 0.0, 3.0, 0.0, 0.0, -1.0, 0.0, 0.0, 5.0, 0.0, 0.0, 9.0, 0.0, 0.0];
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
fn rotations_too_small_to_square_have_a_length_of_one() {
    // Zero at either key, with a turn about z as the first out-tangent: t times that, near t = 0.
    let mut values = [0.0; 24];
    values[8..12].copy_from_slice(&[0.0, 0.0, 1.0, 0.0]);
    for time_secs in [1e-3, 1e-120, 1e-160, 1e-200, 1e-310] {
        let rotation = rotation_at(Interpolation::CubicSpline, &[0.0, 1.0], &values, time_secs);
        assert_eq!(rotation, DQuat::from_xyzw(0.0, 0.0, 1.0, 0.0), "{time_secs}");
    }
    assert_eq!(rotation_at(Interpolation::CubicSpline, &[0.0, 1.0], &values, 0.0), DQuat::IDENTITY);
}

#[test]
fn broken_channels_leave_the_rest_pose() {
    let rest = LocalTransform::IDENTITY;
    let short = channel(Property::Translation, Interpolation::CubicSpline, &TIMES, &VALUES);
    assert_eq!(at(short, 3.0), rest);
    assert_eq!(at(channel(Property::Scale, Interpolation::Linear, &[], &[]), 1.0), rest);
    let elsewhere = Channel { node: 7, ..channel(Property::Scale, Interpolation::Step, &[0.0], &[2.0; 3]) };
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
    let rig = rig(vec![LocalTransform::from_matrix(matrix)]);
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

/// Makes two nodes with two and three morph weights.
fn morphing() -> Rig {
    let two = rig(vec![LocalTransform::IDENTITY; 2]);
    Rig { rest_weights: vec![0.1, 0.2, 0.3, 0.4, 0.5], weight_ends: vec![2, 5], ..two }
}

fn weights_at(channels: Vec<Channel>, time_secs: f64) -> Vec<f64> {
    let rig = morphing();
    let mut pose = Pose::rest(&rig);
    pose.set_clip(&rig, &Clip { channels, ..Clip::default() }, time_secs);
    pose.weights
}

/// Returns the numbers rounded to `f32`.
fn rounded<const N: usize>(numbers: [f32; N]) -> [f64; N] {
    numbers.map(f64::from)
}

#[test]
fn the_bind_pose_morphs_nothing_and_the_next_pose_does_again() {
    let rig = morphing();
    let mut pose = Pose::default();
    pose.set_bind(&rig);
    assert_eq!((pose.is_bind(), &pose.weights), (true, &vec![0.0; 5]));
    pose.set_rest(&rig);
    assert_eq!((pose.is_bind(), pose.weights), (false, rounded([0.1, 0.2, 0.3, 0.4, 0.5]).to_vec()));
}

#[test]
fn morph_weights_follow_their_node() {
    assert_eq!(weights_at(Vec::new(), 1.0), rounded([0.1, 0.2, 0.3, 0.4, 0.5]));
    // Three weights per key; half way between 0.5, 1, 0 and 1, 0, 0.25.
    let values = [0.5, 1.0, 0.0, 1.0, 0.0, 0.25];
    let of = |interpolation| {
        let channel = channel(Property::Weights, interpolation, &[1.0, 3.0], &values);
        vec![Channel { node: 1, ..channel }]
    };
    let [a, b] = rounded([0.1, 0.2]);
    assert_eq!(weights_at(of(Interpolation::Linear), 2.0), [a, b, 0.75, 0.5, 0.125]);
    assert_eq!(weights_at(of(Interpolation::Step), 2.0), [a, b, 0.5, 1.0, 0.0]);
    assert_eq!(weights_at(of(Interpolation::Linear), 0.0), [a, b, 0.5, 1.0, 0.0]);
    assert_eq!(weights_at(of(Interpolation::Linear), 9.0), [a, b, 1.0, 0.0, 0.25]);
}

#[test]
fn morph_weights_go_along_splines_one_by_one() {
    // Two weights: all in-tangents of a key come first, then its values, then its out-tangents. The first goes from 1,
    // leaving at 3 per second, to 5, arriving at -1 per second, which is 4 half way (see above). The second has flat
    // tangents and is half way between 2 and 4.
    let values = [9.0, 9.0, 1.0, 2.0, 3.0, 0.0, -1.0, 0.0, 5.0, 4.0, 9.0, 9.0];
    let spline = channel(Property::Weights, Interpolation::CubicSpline, &[1.0, 3.0], &values);
    assert_eq!(weights_at(vec![spline.clone()], 2.0)[..2], [4.0, 3.0]);
    assert_eq!(weights_at(vec![spline.clone()], 1.0)[..2], [1.0, 2.0]);
    assert_eq!(weights_at(vec![spline], 3.0)[..2], [5.0, 4.0]);
}

#[test]
fn one_morph_weight_moves_alone() {
    let second =
        Channel { node: 1, ..channel(Property::Weight(1), Interpolation::Linear, &[0.0, 1.0], &[2.0, 4.0]) };
    let [a, b, c, e] = rounded([0.1, 0.2, 0.3, 0.5]);
    assert_eq!(weights_at(vec![second.clone()], 0.25), [a, b, c, 2.5, e]);
    // The other node has only two weights, and there is no third node.
    let beyond = Channel { node: 0, property: Property::Weight(2), ..second.clone() };
    let nowhere = Channel { node: 2, ..second };
    assert_eq!(weights_at(vec![beyond, nowhere], 0.25), weights_at(Vec::new(), 0.0));
}

#[test]
fn morph_weights_that_do_not_fit_set_what_there_is() {
    let fewer = channel(Property::Weights, Interpolation::Step, &[0.0], &[7.0]);
    assert_eq!(weights_at(vec![fewer], 0.0)[..3], [7.0, f64::from(0.2_f32), f64::from(0.3_f32)]);
    let more = channel(Property::Weights, Interpolation::Step, &[0.0], &[7.0, 8.0, 9.0]);
    assert_eq!(weights_at(vec![more], 0.0)[..3], [7.0, 8.0, f64::from(0.3_f32)]);
    let none = channel(Property::Weights, Interpolation::CubicSpline, &[0.0], &[7.0]);
    assert_eq!(weights_at(vec![none], 0.0), weights_at(Vec::new(), 0.0));
}
