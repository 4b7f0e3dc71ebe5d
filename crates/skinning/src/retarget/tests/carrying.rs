//! Tests of keys that stay, and keys that are converted one by one.

use super::rigs::*;
use crate::retarget::{Carried, Dropped, JointMap, Match};
use glam::{DMat4, DQuat, DVec3};
use sinew_model::{Channel, Clip, Interpolation, LocalTransform, Model, Property};

const ALL: [Interpolation; 3] = [Interpolation::Step, Interpolation::Linear, Interpolation::CubicSpline];

fn assert_same_bits(one: &Channel, other: &Channel) {
    let bits = |values: &[f32]| values.iter().map(|value| value.to_bits()).collect::<Vec<_>>();
    assert_eq!(bits(&one.values), bits(&other.values));
    assert_eq!(bits(&one.times), bits(&other.times));
    assert_eq!((one.node, one.property), (other.node, other.property));
    assert_eq!(one.interpolation, other.interpolation);
}

/// Makes the figure in an A-pose: other axes in every joint, arms hanging.
fn other_rest() -> Model {
    let mut nodes = FIGURE;
    for (number, node) in nodes.iter_mut().enumerate() {
        node.3 = turn([1.0, number as f64, 2.0], 40.0 + 50.0 * number as f64);
    }
    model(&nodes)
}

#[test]
fn the_same_rig_gets_the_same_bits() {
    for interpolation in ALL {
        let mut source = with_turns(other_rest(), interpolation);
        let odd = vec![0.1, 1.0, -0.0, 1e-40, 0.9, 0.2, 0.0, 1.1, 0.3];
        let interpolation = Interpolation::Linear;
        let moves = channel(0, Property::Translation, interpolation, odd.clone());
        let bone = channel(2, Property::Translation, interpolation, odd.clone());
        source.clips[0].channels.extend([moves, bone, channel(3, Property::Scale, interpolation, odd)]);
        let found = borrowed(&source, &source);
        assert!(found.carried.iter().all(|how| *how == Carried::AsIs), "{:?}", found.carried);
        assert_eq!(found.clip.channels.len(), source.clips[0].channels.len());
        for (one, other) in found.clip.channels.iter().zip(&source.clips[0].channels) {
            assert_same_bits(one, other);
        }
    }
}

/// A rig without names and its copy still have the same places in the tree.
#[test]
fn the_same_rig_without_names_gets_the_same_bits() {
    let nodes = FIGURE.map(|(name, parent, place, rotation)| {
        (if name == "arm" { "spine" } else { "" }, parent, place, rotation)
    });
    let source = with_turns(model(&nodes), Interpolation::Linear);
    let found = borrowed(&source, &source);
    for (one, other) in found.clip.channels.iter().zip(&source.clips[0].channels) {
        assert_same_bits(one, other);
    }
    assert_eq!(found.clip.channels.len(), 5);
}

#[test]
fn joints_turn_in_the_world_whatever_their_axes() {
    for interpolation in ALL {
        let source = with_turns(model(&FIGURE), interpolation);
        let target = other_rest();
        let found = borrowed(&target, &source);
        assert!(found.carried.iter().all(|how| *how == Carried::Converted));
        let all: Vec<_> = (0..5).map(|node| (node, node)).collect();
        assert_turns((&target, &found.clip), &source, &all, 1e-6);
        // And back again: the same motion.
        let back = Model { clips: vec![found.clip], ..target };
        let again = borrowed(&source, &back);
        assert_turns((&source, &again.clip), &source, &all, 2e-6);
    }
}

/// Mirrored parts of the rig, nodes stored as matrices, and scales do not change the result.
#[test]
fn mirrors_matrices_and_sizes_do_not_break_turns() {
    let source = with_turns(model(&FIGURE), Interpolation::Linear);
    let mut target = other_rest();
    if let LocalTransform::Trs { scale, .. } = &mut target.rig.rest[1] {
        *scale = DVec3::new(-1.0, 1.0, 1.0);
    }
    if let LocalTransform::Trs { scale, .. } = &mut target.rig.rest[0] {
        *scale = DVec3::splat(0.01);
    }
    target.rig.rest[3] = LocalTransform::from_matrix(DMat4::from_scale_rotation_translation(
        DVec3::new(2.0, -2.0, 2.0),
        turn([0.0, 1.0, 0.4], 70.0),
        DVec3::X,
    ));
    let found = borrowed(&target, &source);
    let all: Vec<_> = (0..5).map(|node| (node, node)).collect();
    assert_turns((&target, &found.clip), &source, &all, 2e-6);
    // The reverse direction works, too.
    let mirrored = with_turns(other_rest(), Interpolation::Linear);
    let mut source = mirrored;
    if let LocalTransform::Trs { scale, .. } = &mut source.rig.rest[1] {
        *scale = DVec3::new(1.0, -3.0, 1.0);
    }
    let target = model(&FIGURE);
    let found = borrowed(&target, &source);
    assert_turns((&target, &found.clip), &source, &all, 2e-6);
}

/// Makes the figure in centimetres below a node that turns Z up to Y up, with longer arms.
fn tall() -> Model {
    let half = 0.5_f64.sqrt();
    let mut nodes = vec![("Armature", None, [0.0; 3], DQuat::from_xyzw(-half, 0.0, 0.0, half))];
    for (name, parent, [x, y, z], _) in FIGURE {
        let parent = Some(parent.map_or(0, |parent| parent + 1));
        let longer = if name == "hand" { 130.0 } else { 80.0 };
        nodes.push((name, parent, [x * longer, -z * longer, y * longer], STILL));
    }
    let mut model = model(&nodes);
    if let LocalTransform::Trs { scale, .. } = &mut model.rig.rest[0] {
        *scale = DVec3::splat(0.01);
    }
    model
}

/// Gives every joint a translation, as many exporters write them; the hips walk.
fn with_bones(mut source: Model) -> Model {
    let mut channels = Vec::new();
    for node in 0..source.rig.len() {
        let LocalTransform::Trs { translation, .. } = source.rig.rest[node] else { panic!("a matrix") };
        let step = |number: f64| match node {
            0 => translation + DVec3::new(0.1, -0.05, 0.4) * number,
            // Another direction but the same length, so the bone keeps its length.
            2 => turn([0.0, 0.0, 1.0], 5.0 * number) * translation,
            _ => translation,
        };
        let values = (0..4).flat_map(|number| step(f64::from(number)).to_array().map(|v| v as f32));
        channels.push(channel(node, Property::Translation, Interpolation::Linear, values.collect()));
    }
    source.clips[0].channels.extend(channels);
    source
}

#[test]
fn a_rig_of_other_proportions_keeps_its_bones() {
    let source = with_bones(with_turns(model(&FIGURE), Interpolation::Linear));
    let target = tall();
    let found = borrowed(&target, &source);
    let all: Vec<_> = (0..5).map(|node| (node + 1, node)).collect();
    assert_turns((&target, &found.clip), &source, &all, 1e-6);
    let length = |places: &[DVec3], node: usize, parent: usize| places[node].distance(places[parent]);
    let (_, rest) = posed(&target, None, 0.0);
    for time in [0.0, 0.5, 1.0, 1.5] {
        let (_, places) = posed(&target, Some(&found.clip), time);
        for (node, parent) in [(2, 1), (3, 2), (4, 3), (5, 1)] {
            let apart = length(&places, node, parent) - length(&rest, node, parent);
            assert!(apart.abs() < 1e-6, "{node} at {time}: {apart}");
        }
    }
    // The hips go 0.8 as far, because they are 0.8 as high.
    for time in times() {
        let way = |model: &Model, clip: &Clip, node: usize| {
            posed(model, Some(clip), time).1[node] - posed(model, None, 0.0).1[node]
        };
        let apart = way(&target, &found.clip, 1) - way(&source, &source.clips[0], 0) * 0.8;
        assert!(apart.length() < 1e-6, "{apart} at {time}");
    }
}

/// One file has a node that turns Z up to Y up above the same skeleton, the other lacks it: the keys stay.
#[test]
fn the_same_skeleton_standing_otherwise_keeps_its_keys() {
    let lying = other_rest();
    let half = 0.5_f64.sqrt();
    let mut nodes = vec![("Z_UP", None, [0.0; 3], DQuat::from_xyzw(-half, 0.0, 0.0, half))];
    for ((name, parent, place, _), rest) in FIGURE.into_iter().zip(&lying.rig.rest) {
        let LocalTransform::Trs { rotation, .. } = *rest else { panic!("a matrix") };
        nodes.push((name, Some(parent.map_or(0, |parent| parent + 1)), place, rotation));
    }
    let source = with_turns(lying, Interpolation::Linear);
    let found = borrowed(&model(&nodes), &source);
    assert!(found.carried.iter().all(|how| *how == Carried::AsIs), "{:?}", found.carried);
}

#[test]
fn rest_poses_are_compared() {
    let source = with_bones(with_turns(model(&FIGURE), Interpolation::Linear));
    let mut nodes = FIGURE;
    // The arm hangs by 90°, by the axes of the shoulder; the hand is half as far.
    nodes[2].3 = turn([0.0, 0.0, 1.0], -90.0);
    nodes[3].2 = [0.25, 0.0, 0.01];
    let target = model(&nodes);
    let found = Match::new(&target, &source, &no_map()).unwrap();
    let [hips, _, arm, hand, _] = found.pairs[..] else { panic!("{:?}", found.pairs) };
    assert!(hips.is_root && !arm.is_root && hips.length_ratio == Some(1.0));
    assert!((arm.rest_degrees - 90.0).abs() < 1e-6 && arm.bone_degrees.unwrap() < 1e-6);
    // Its bone is not quite in the plane of that turn.
    assert!((hand.bone_degrees.unwrap() - 90.0).abs() < 0.2);
    assert!((hand.length_ratio.unwrap() - 0.5).abs() < 1e-9);
}

/// Scale is relative to that at rest, along the axes of the world if nodes have others.
#[test]
fn scales_follow_the_axes() {
    let mut source = with_turns(model(&FIGURE), Interpolation::Linear);
    let scale = channel(3, Property::Scale, Interpolation::Linear, vec![1.0, 2.0, 3.0, 1.0, 1.0, 1.0]);
    source.clips[0].channels = vec![scale];
    let mut nodes = FIGURE;
    nodes[3].3 = turn([0.0, 0.0, 1.0], 90.0);
    let mut target = model(&nodes);
    if let LocalTransform::Trs { scale, .. } = &mut target.rig.rest[3] {
        *scale = DVec3::splat(10.0);
    }
    let values = &borrowed(&target, &source).clip.channels[0].values;
    for (value, expected) in values.iter().zip([20.0, 10.0, 30.0, 10.0, 10.0, 10.0]) {
        assert!((value - expected).abs() < 1e-4, "{values:?}");
    }
}

/// Weights go only to nodes with as many targets.
#[test]
fn weights_need_as_many_targets() {
    let face = |targets: u32| {
        let mut model = model(&[("face", None, [0.0; 3], STILL)]);
        model.rig.weight_ends = vec![targets];
        model.rig.rest_weights = vec![0.0; targets as usize];
        model
    };
    let mut source = face(2);
    let weights = |property, values: Vec<f32>| Channel {
        node: 0,
        property,
        interpolation: Interpolation::Linear,
        times: vec![0.0, 1.0],
        values,
    };
    let channels = vec![
        weights(Property::Weights, vec![0.0, 1.0, 1.0, 0.0]),
        weights(Property::Weight(1), vec![0.0, 1.0]),
    ];
    source.clips = vec![Clip { channels, ..Clip::default() }];
    let found = borrowed(&face(2), &source);
    assert_eq!(found.carried, [Carried::AsIs; 2]);
    let found = borrowed(&face(3), &source);
    assert_eq!(found.carried, [Carried::Dropped(Dropped::Targets); 2]);
    assert!(found.clip.channels.is_empty());
}

/// Rest poses without length or size, and values beyond `f32`, leave joints in place.
#[test]
fn nothing_becomes_infinite() {
    let mut nodes = FIGURE;
    nodes[2].2 = [3e38, 0.0, 0.0];
    nodes[3].2 = [0.0; 3];
    let mut target = model(&nodes);
    if let LocalTransform::Trs { scale, .. } = &mut target.rig.rest[1] {
        *scale = DVec3::ZERO;
    }
    target.rig.rest[4] = LocalTransform::from_matrix(DMat4::ZERO);
    let huge = vec![3e38_f32; 6];
    let mut tiny = FIGURE;
    tiny[2].2 = [0.0, 1e-45, 0.0];
    tiny[0].2 = [0.0, 1e-30, 0.0];
    for nodes in [tiny, nodes, FIGURE] {
        let mut source = with_turns(model(&nodes), Interpolation::CubicSpline);
        let interpolation = Interpolation::Linear;
        for node in 0..5 {
            source.clips[0].channels.push(channel(node, Property::Translation, interpolation, huge.clone()));
            source.clips[0].channels.push(channel(node, Property::Scale, interpolation, huge.clone()));
        }
        for channel in &mut source.clips[0].channels {
            if channel.property == Property::Rotation {
                channel.values.iter_mut().for_each(|value| *value *= 3e38);
                channel.values.iter_mut().for_each(|value| *value = value.clamp(f32::MIN, f32::MAX));
            }
        }
        for target in [&target, &model(&FIGURE)] {
            let found = Match::new(target, &source, &JointMap::default()).unwrap();
            let ratios = found.pairs.iter().filter_map(|pair| pair.length_ratio);
            assert!(ratios.into_iter().all(f64::is_finite));
            for channel in &found.clips().remove(0).clip.channels {
                assert!(channel.values.iter().all(|value| value.is_finite()), "{channel:?}");
            }
        }
    }
}
