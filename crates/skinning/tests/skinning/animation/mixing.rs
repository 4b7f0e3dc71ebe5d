//! Several clips at once: overriding and blending, with values worked out by hand.

use glam::{DMat4, DQuat, DVec3};
use sinew_model::{Channel, Clip, Interpolation, LocalTransform, Model, Property, Rig};
use sinew_skinning::pose::{Blend, ClipMix, Pose, PoseChoice};

const REST: LocalTransform = LocalTransform::Trs {
    translation: DVec3::new(1.0, 0.0, 0.0),
    rotation: DQuat::IDENTITY,
    scale: DVec3::ONE,
};

/// A channel with one key.
fn still(node: usize, property: Property, values: &[f32]) -> Channel {
    Channel { node, property, interpolation: Interpolation::Step, times: vec![0.0], values: values.to_vec() }
}

/// Two nodes, child and parent, with morph weights (0, 0) and (0.5), and these clips.
fn model(clips: Vec<Vec<Channel>>) -> Model {
    let rig = Rig {
        names: vec![String::new(); 2],
        parents: vec![None, Some(0)],
        rest: vec![REST, REST],
        file_index: vec![0, 1],
        rest_weights: vec![0.0, 0.0, 0.5],
        weight_ends: vec![2, 3],
        ..Rig::default()
    };
    let clip = |channels| Clip { channels, ..Clip::default() };
    Model { rig, clips: clips.into_iter().map(clip).collect(), ..Model::default() }
}

fn mixed(model: &Model, clips: &[usize], blends: &[(usize, f64)], time_secs: f64) -> Pose {
    let blends = blends.iter().map(|&(clip, weight)| Blend { clip, weight }).collect();
    let mix = ClipMix { clips: clips.to_vec(), blends, time_secs, ..ClipMix::default() };
    let mut pose = Pose::default();
    pose.set(model, &PoseChoice::Clips(mix));
    pose
}

fn parts(pose: &Pose, node: usize) -> (DVec3, DQuat, DVec3) {
    match pose.locals[node] {
        LocalTransform::Trs { translation, rotation, scale } => (translation, rotation, scale),
        LocalTransform::Matrix(_) => panic!("a matrix"),
    }
}

fn turn(degrees: f64) -> DQuat {
    DQuat::from_rotation_z(degrees.to_radians())
}

/// A channel that holds a turn about z.
fn turned(node: usize, degrees: f64) -> Channel {
    still(node, Property::Rotation, &turn(degrees).to_array().map(|number| number as f32))
}

#[test]
fn later_clips_override_what_they_set_and_nothing_else() {
    let model = model(vec![
        vec![
            still(0, Property::Translation, &[1.0, 2.0, 3.0]),
            still(0, Property::Scale, &[2.0; 3]),
            still(0, Property::Weights, &[0.25, 0.75]),
        ],
        vec![
            still(0, Property::Translation, &[7.0, 8.0, 9.0]),
            still(1, Property::Scale, &[3.0; 3]),
            still(0, Property::Weight(1), &[1.0]),
        ],
    ]);
    let both = mixed(&model, &[0, 1], &[], 0.0);
    assert_eq!(parts(&both, 0), (DVec3::new(7.0, 8.0, 9.0), DQuat::IDENTITY, DVec3::splat(2.0)));
    assert_eq!(parts(&both, 1).2, DVec3::splat(3.0));
    assert_eq!(both.weights, [0.25, 1.0, 0.5]);

    let turned_round = mixed(&model, &[1, 0], &[], 0.0);
    assert_eq!(parts(&turned_round, 0).0, DVec3::new(1.0, 2.0, 3.0));
    assert_eq!(parts(&turned_round, 1).2, DVec3::splat(3.0));
    assert_eq!(turned_round.weights, [0.25, 0.75, 0.5]);
    // Setting a pose again forgets the other clips.
    let mut pose = both;
    pose.set(&model, &PoseChoice::clip(1, 0.0));
    assert_eq!(parts(&pose, 0).2, DVec3::ONE);
    assert_eq!(pose.weights, [0.0, 1.0, 0.5]);
}

#[test]
fn blending_goes_straight_and_turns_the_shortest_way() {
    let model = model(vec![
        vec![
            still(0, Property::Translation, &[0.0, 4.0, 0.0]),
            turned(0, 30.0),
            still(0, Property::Scale, &[1.0, 2.0, 4.0]),
            still(0, Property::Weights, &[1.0, 0.0]),
        ],
        vec![
            still(0, Property::Translation, &[8.0, 0.0, 0.0]),
            // 90°, spelled as its antipode: 360° more.
            turned(0, 450.0),
            still(0, Property::Scale, &[5.0, 2.0, 0.0]),
            still(0, Property::Weights, &[0.0, -2.0]),
        ],
    ]);
    let pose = mixed(&model, &[0], &[(1, 0.25)], 0.0);
    let (translation, rotation, scale) = parts(&pose, 0);
    assert_eq!((translation, scale), (DVec3::new(2.0, 3.0, 0.0), DVec3::new(2.0, 2.0, 3.0)));
    // A quarter of the way from 30° to 90°; keys are single precision.
    assert!((rotation.dot(turn(45.0)).abs() - 1.0).abs() < 1e-14, "{rotation}");
    assert!((rotation.length() - 1.0).abs() < 1e-15);
    assert_eq!(pose.weights, [0.75, -0.5, 0.5]);
    // Blending is in local space: the child follows its parent's blend.
    let world = pose.world_from_node[1];
    let parent = DMat4::from_scale_rotation_translation(scale, rotation, translation);
    assert!(world.abs_diff_eq(parent * REST.parent_from_node(), 1e-12));
}

#[test]
fn what_only_one_side_moves_is_blended_with_rest() {
    let model = model(vec![
        vec![still(0, Property::Translation, &[5.0, 0.0, 0.0]), turned(1, 40.0)],
        vec![still(0, Property::Scale, &[3.0; 3]), still(1, Property::Weights, &[1.0])],
    ]);
    let pose = mixed(&model, &[0], &[(1, 0.25)], 0.0);
    // From 5 a quarter of the way back to 1; from 1 a quarter of the way to 3; 40° to 30°; ½ to ⅝.
    assert_eq!(parts(&pose, 0), (DVec3::new(4.0, 0.0, 0.0), DQuat::IDENTITY, DVec3::splat(1.5)));
    assert!((parts(&pose, 1).1.dot(turn(30.0)) - 1.0).abs() < 1e-14);
    assert_eq!(parts(&pose, 1).0, DVec3::X, "what neither moves");
    assert_eq!(pose.weights, [0.0, 0.0, 0.625]);
}

#[test]
fn shares_of_nothing_and_of_all_are_exact() {
    let third = 1.0_f32 / 3.0;
    let model = model(vec![
        vec![still(0, Property::Translation, &[third, 0.1, 1e-30]), turned(0, 20.0)],
        vec![still(0, Property::Translation, &[1e30, 0.7, third]), turned(1, 70.0)],
    ]);
    let alone = |clip: usize| mixed(&model, &[clip], &[], 0.0);
    let nothing = mixed(&model, &[0], &[(1, 0.0)], 0.0);
    assert_eq!(nothing.locals, alone(0).locals);
    let all = mixed(&model, &[0], &[(1, 1.0)], 0.0);
    assert_eq!(all.locals, alone(1).locals);
    // A clip blended with itself is itself, to the bit.
    let itself = mixed(&model, &[1], &[(1, 0.3)], 0.0);
    assert_eq!((itself.locals, itself.weights), (alone(1).locals, alone(1).weights));
}

#[test]
fn blends_are_laid_over_each_other_in_order() {
    let at = |x: f32| vec![still(0, Property::Translation, &[x, 0.0, 0.0])];
    let model = model(vec![at(0.0), at(8.0), at(12.0)]);
    let x = |blends: &[(usize, f64)]| parts(&mixed(&model, &[0], blends, 0.0), 0).0.x;
    // Half of 8 is 4; three quarters of that and a quarter of 12 are 6. The other way round:
    // a quarter of 12 is 3; half of that and half of 8 are 5½.
    assert_eq!(x(&[(1, 0.5), (2, 0.25)]), 6.0);
    assert_eq!(x(&[(2, 0.25), (1, 0.5)]), 5.5);
    // Without a clip below, the rest pose is, at 1.
    assert_eq!(parts(&mixed(&model, &[], &[(1, 0.5)], 0.0), 0).0.x, 4.5);
}

#[test]
fn all_clips_are_at_the_same_time_and_hold_their_ends() {
    let ramp = |end: f32| {
        let values = vec![0.0, 0.0, 0.0, 2.0 * end, 0.0, 0.0];
        let interpolation = Interpolation::Linear;
        vec![Channel {
            node: 0,
            property: Property::Translation,
            interpolation,
            times: vec![0.0, end],
            values,
        }]
    };
    let model = model(vec![ramp(1.0), ramp(4.0)]);
    let x = |time_secs| parts(&mixed(&model, &[0], &[(1, 0.5)], time_secs), 0).0.x;
    // Both clips are at twice the time, until the first ends.
    assert_eq!([x(-1.0), x(0.5), x(1.0), x(3.0), x(9.0)], [0.0, 1.0, 2.0, 4.0, 5.0]);
}

#[test]
fn clips_that_are_not_there_move_nothing() {
    let model = model(vec![vec![still(0, Property::Scale, &[3.0; 3])]]);
    assert_eq!(mixed(&model, &[0, 7], &[(9, 0.5)], 0.0).locals, mixed(&model, &[0], &[], 0.0).locals);
    assert_eq!(mixed(&model, &[7], &[], 0.0).locals, model.rig.rest);
}

#[test]
fn matrices_are_kept_unless_something_moves_them() {
    let sheared = DMat4::from_cols_array(&[
        2.0, 0.0, 0.0, 0.0, 1.0, 2.0, 0.0, 0.0, 0.0, 0.0, 2.0, 0.0, 5.0, 6.0, 7.0, 1.0,
    ]);
    let mut model = model(vec![vec![still(1, Property::Translation, &[4.0, 4.0, 4.0])], vec![]]);
    let plain = DMat4::from_scale_rotation_translation(DVec3::splat(2.0), turn(90.0), DVec3::splat(2.0));
    model.rig.rest = vec![LocalTransform::from_matrix(sheared), LocalTransform::from_matrix(plain)];
    for (clips, blends) in [([1], [(0, 0.5)]), ([0], [(1, 0.5)])] {
        let pose = mixed(&model, &clips, &blends, 0.0);
        assert_eq!(pose.locals[0], LocalTransform::from_matrix(sheared));
        // Half way from 2 to 4; turned and scaled as before.
        let mut want = plain;
        want.w_axis = DVec3::splat(3.0).extend(1.0);
        assert!(pose.locals[1].parent_from_node().abs_diff_eq(want, 1e-14), "{:?}", pose.locals[1]);
    }
}
