//! Tests of edits alone and over clips, with positions computed by hand.

use super::*;
use crate::pose::{Blend, ClipMix, Pose, PoseChoice, rotation_from_degrees};
use glam::{DMat4, DVec3};
use sinew_model::{Channel, Clip, Interpolation, Property};

fn up(y: f64) -> LocalTransform {
    LocalTransform::Trs { translation: DVec3::new(0.0, y, 0.0), rotation: DQuat::IDENTITY, scale: DVec3::ONE }
}

/// Makes a root at (0, 1, 0), an elbow two above it and a hand four above that; the hand has two morph weights.
fn arm() -> Model {
    let rig = Rig {
        names: ["root", "elbow", "hand"].map(String::from).to_vec(),
        parents: vec![None, Some(0), Some(1)],
        rest: vec![up(1.0), up(2.0), up(4.0)],
        file_index: vec![2, 1, 0],
        rest_weights: vec![0.25, 0.75],
        weight_ends: vec![0, 0, 2],
        ..Rig::default()
    };
    Model { rig, clips: vec![clip()], ..Model::default() }
}

/// Makes a clip with the elbow turned a quarter about x and twice as large at (0, 3, 0), and the second weight at 1.
fn clip() -> Clip {
    let step = |node, property, values: &[f32]| Channel {
        node,
        property,
        interpolation: Interpolation::Step,
        times: vec![0.0],
        values: values.to_vec(),
    };
    let channels = vec![
        step(1, Property::Rotation, &[1.0, 0.0, 0.0, 1.0]),
        step(1, Property::Scale, &[2.0, 2.0, 2.0]),
        step(1, Property::Translation, &[0.0, 3.0, 0.0]),
        step(2, Property::Weight(1), &[1.0]),
    ];
    Clip { channels, duration_secs: 1.0, ..Clip::default() }
}

fn rotation(edits: &Edits, node: usize) -> Option<DQuat> {
    edits.joint(node).and_then(|edit| edit.rotation)
}

fn quarter() -> DQuat {
    rotation_from_degrees([0.0, 0.0, 90.0])
}

fn posed(model: &Model, mix: ClipMix) -> Pose {
    let mut pose = Pose::default();
    pose.set(model, &PoseChoice::Clips(mix));
    pose
}

fn hand(pose: &Pose) -> DVec3 {
    pose.world_from_node[2].w_axis.truncate()
}

#[test]
fn a_turned_joint_takes_its_children_along() {
    let model = arm();
    let mut edits = Edits::default();
    assert!(edits.is_empty() && edits.set_rotation(&model, 1, quarter()) && !edits.is_empty());
    let rest = posed(&model, ClipMix { edits: edits.clone(), ..ClipMix::default() });
    // The elbow is at (0, 3, 0); the hand goes from four above it to four beside it.
    assert!((hand(&rest) - DVec3::new(-4.0, 3.0, 0.0)).length() < 1e-14, "{}", hand(&rest));
    // Over the clip the rotation is the same; the clip's translation (0, 4, 0) and scale 2 stay.
    let mix = ClipMix { clips: vec![0], edits: edits.clone(), ..ClipMix::default() };
    assert!((hand(&posed(&model, mix)) - DVec3::new(-8.0, 4.0, 0.0)).length() < 1e-14);
    // No blend reduces the edits.
    let blends = vec![Blend { clip: 0, weight: 1.0 }];
    let mix = ClipMix { clips: vec![0], blends, edits: edits.clone(), ..ClipMix::default() };
    let LocalTransform::Trs { rotation, .. } = posed(&model, mix).locals[1] else { panic!("a matrix") };
    assert_eq!(rotation, quarter());
    assert!(edits.reset_joint(1) && edits.is_empty() && !edits.reset_joint(1));
}

/// Each part of a transform is fixed separately; the others stay the clip's.
#[test]
fn places_and_scales_are_fixed_like_rotations() {
    let model = arm();
    let mut edits = Edits::default();
    assert!(edits.set_translation(&model, 1, DVec3::new(1.0, 0.0, 0.0)));
    let mix = |edits: &Edits| ClipMix { clips: vec![0], edits: edits.clone(), ..ClipMix::default() };
    // The clip turns the elbow's y to z and doubles it; it stands at (1, 1, 0).
    assert!((hand(&posed(&model, mix(&edits))) - DVec3::new(1.0, 1.0, 8.0)).length() < 1e-14);
    assert!(edits.set_scale(&model, 1, DVec3::new(1.0, 0.5, 1.0)));
    assert!((hand(&posed(&model, mix(&edits))) - DVec3::new(1.0, 1.0, 2.0)).length() < 1e-14);
    assert!(edits.set_rotation(&model, 1, quarter()));
    assert!((hand(&posed(&model, mix(&edits))) - DVec3::new(-1.0, 1.0, 0.0)).length() < 1e-14);
    assert_eq!(edits.joints().count(), 1);
    let kept = edits.clone();
    for wrong in [f64::NAN, f64::INFINITY, 1e39] {
        assert!(!edits.set_translation(&model, 1, DVec3::new(0.0, wrong, 0.0)), "{wrong}");
        assert!(!edits.set_scale(&model, 1, DVec3::splat(wrong)), "{wrong}");
    }
    assert!(!edits.set_translation(&model, 9, DVec3::ZERO) && !edits.set_scale(&model, 9, DVec3::ONE));
    assert_eq!(edits, kept);
    assert!(edits.reset_joint(1) && edits.is_empty());
}

#[test]
fn morph_weights_hold_whatever_clips_say() {
    let model = arm();
    let mut edits = Edits::default();
    assert!(edits.set_weight(&model, 2, 1, -0.5));
    let weights = |edits: &Edits, clips: &[usize]| {
        posed(&model, ClipMix { clips: clips.to_vec(), edits: edits.clone(), ..ClipMix::default() }).weights
    };
    assert_eq!(weights(&edits, &[]), [0.25, -0.5]);
    assert_eq!(weights(&edits, &[0]), [0.25, -0.5]);
    assert_eq!(edits.weight(&model.rig, 2, 1), Some(-0.5));
    assert!(edits.reset_weight(&model.rig, 2, 1));
    assert_eq!(weights(&edits, &[0]), [0.25, 1.0]);
    for (node, target, weight) in [(2, 2, 0.0), (1, 0, 0.0), (9, 0, 0.0), (2, 0, f64::NAN), (2, 0, 1e39)] {
        assert!(!edits.set_weight(&model, node, target, weight), "{node} {target} {weight}");
    }
    assert_eq!(edits, Edits::default());
}

#[test]
fn neither_bind_pose_nor_skin_space_nor_rest_know_edits() {
    let model = arm();
    for choice in [PoseChoice::Bind, PoseChoice::Rest, PoseChoice::SkinSpace(None)] {
        let mut pose = posed(&model, ClipMix::default());
        pose.set(&model, &choice);
        assert_eq!(pose.locals, model.rig.rest);
    }
}

#[test]
fn a_matrix_is_split_and_keeps_its_place_and_scale() {
    let mut model = arm();
    let (scale, place) = (DVec3::new(2.0, 3.0, 4.0), DVec3::new(0.0, 2.0, 0.0));
    let turned = DMat4::from_scale_rotation_translation(scale, DQuat::from_rotation_x(0.5), place);
    model.rig.rest[1] = LocalTransform::from_matrix(turned);
    let mut edits = Edits::default();
    assert!(edits.set_rotation(&model, 1, quarter()));
    let pose = posed(&model, ClipMix { edits, ..ClipMix::default() });
    // Four along y, times three, a quarter about z, at (0, 3, 0).
    assert!((hand(&pose) - DVec3::new(-12.0, 3.0, 0.0)).length() < 1e-14, "{}", hand(&pose));
}

#[test]
fn only_rotations_are_taken_and_their_bits_stay() {
    let model = arm();
    let mut edits = Edits::default();
    let unit = DQuat::from_xyzw(0.1, -0.2, 0.3, 0.4).normalize();
    assert!(edits.set_rotation(&model, 0, unit));
    assert_eq!(rotation(&edits, 0), Some(unit));
    // Normalised once, it no longer changes.
    for number in 0..1000 {
        let q = DQuat::from_xyzw(0.1, f64::from(number).sin(), 0.7, f64::from(number).cos()).normalize();
        assert_eq!(
            unit_rotation(q).map(|q| q.to_array().map(f64::to_bits)),
            Some(q.to_array().map(f64::to_bits))
        );
    }
    assert!(edits.set_rotation(&model, 0, DQuat::from_xyzw(0.0, 0.0, 0.707, 0.707)));
    assert!((rotation(&edits, 0).unwrap() - quarter()).length() < 1e-15);
    let kept = edits.clone();
    for wrong in [
        [0.0; 4],
        [0.0, 0.0, 0.0, 0.89],
        [0.0, 0.0, 0.0, 1.11],
        [f64::NAN, 0.0, 0.0, 1.0],
        [f64::INFINITY, 0.0, 0.0, 0.0],
        [1e300, 0.0, 0.0, 1.0],
    ] {
        assert!(!edits.set_rotation(&model, 0, DQuat::from_array(wrong)), "{wrong:?}");
    }
    assert!(!edits.set_rotation(&model, 3, unit));
    assert_eq!(edits, kept);
}

#[test]
fn edits_come_in_the_rigs_order_with_the_files_names() {
    let mut model = arm();
    model.rig.names[0] = "hand".to_owned();
    let mut edits = Edits::default();
    for node in [2, 0, 1] {
        assert!(edits.set_rotation(&model, node, quarter()));
    }
    edits.set_weight(&model, 2, 1, 1.0);
    edits.set_weight(&model, 2, 0, 2.0);
    let names: Vec<(usize, &str)> = edits.joints().map(|(node, edit)| (node, edit.name.as_str())).collect();
    assert_eq!(names, [(0, "#2"), (1, "elbow"), (2, "#0")]);
    let weights: Vec<(usize, usize, &str, &str, f64)> = edits
        .weights()
        .map(|(node, target, edit)| (node, target, edit.node.as_str(), edit.target.as_str(), edit.weight))
        .collect();
    assert_eq!(weights, [(2, 0, "#0", "#0", 2.0), (2, 1, "#0", "#1", 1.0)]);
    let mut by_names = Edits::default();
    assert!(by_names.set_weights(&Names::new(&model), &[(2, 1, 1.0)], 1.0));
    assert!(by_names.set_weights(&Names::new(&model), &[(2, 0, 1.0)], 2.0));
    assert!(!by_names.set_weights(&Names::new(&model), &[(2, 0, 1.0)], f64::INFINITY));
    assert!(by_names.weights().eq(edits.weights()));
    edits.reset();
    assert!(edits.is_empty());
}

#[test]
fn copies_share_weights_and_are_not_turned() {
    let mut model = arm();
    model.rig.names.push("hand".to_owned());
    model.rig.parents.push(Some(2));
    model.rig.rest.push(LocalTransform::IDENTITY);
    model.rig.file_index.push(0);
    model.rig.copies.push(0);
    let mut edits = Edits::default();
    assert!(!edits.set_rotation(&model, 3, quarter()));
    assert!(edits.set_weight(&model, 3, 0, 0.5));
    assert_eq!((edits.weight(&model.rig, 2, 0), edits.weight(&model.rig, 3, 0)), (Some(0.5), Some(0.5)));
    // The copy's name does not make the node's own ambiguous.
    assert_eq!(
        edits.weights().next().map(|(node, _, edit)| (node, edit.node.clone())),
        Some((2, "hand".into()))
    );
}

#[test]
fn edits_are_carried_to_what_has_the_same_names() {
    let model = arm();
    let mut edits = Edits::default();
    edits.set_rotation(&model, 1, quarter());
    edits.set_rotation(&model, 0, quarter());
    edits.set_weight(&model, 2, 1, 0.5);
    // A new first node, and the root has another name.
    let mut newer = arm();
    newer.rig.names = ["ground", "trunk", "elbow", "hand"].map(String::from).to_vec();
    newer.rig.parents = vec![None, Some(0), Some(1), Some(2)];
    newer.rig.rest.insert(0, LocalTransform::IDENTITY);
    newer.rig.file_index = vec![3, 2, 1, 0];
    newer.rig.weight_ends = vec![0, 0, 0, 2];
    let carried = edits.carried_to(&newer);
    assert_eq!(carried.joints().map(|(node, _)| node).collect::<Vec<_>>(), [2]);
    assert_eq!(carried.weight(&newer.rig, 3, 1), Some(0.5));
    assert_eq!(edits.carried_to(&model), edits);
}

#[test]
fn other_edits_are_another_motion() {
    let model = arm();
    let plain = PoseChoice::clip(0, 0.0);
    let mut edits = Edits::default();
    edits.set_rotation(&model, 1, quarter());
    let edited = |time_secs| {
        PoseChoice::Clips(ClipMix { clips: vec![0], time_secs, edits: edits.clone(), ..ClipMix::default() })
    };
    assert!(edited(0.0).is_same_motion(&edited(0.5)) && !edited(0.0).is_same_motion(&plain));
}

#[test]
fn changes_are_laid_over_other_edits() {
    let model = arm();
    let half = rotation_from_degrees([180.0, 0.0, 0.0]);
    let edits = |rotations: &[(usize, DQuat)], weights: &[(usize, f64)]| {
        let mut edits = Edits::default();
        rotations.iter().for_each(|(node, rotation)| assert!(edits.set_rotation(&model, *node, *rotation)));
        weights.iter().for_each(|(target, weight)| assert!(edits.set_weight(&model, 2, *target, *weight)));
        edits
    };
    let before = edits(&[(0, quarter()), (1, quarter())], &[(0, 0.5)]);
    // One joint released, another turned, a target weighted; one unchanged.
    let after = edits(&[(0, quarter()), (2, half)], &[(0, 0.5), (1, 1.0)]);
    let read = edits(&[(0, half), (1, half)], &[]);
    assert_eq!(read.clone().with_changes(&before, &after), edits(&[(0, half), (2, half)], &[(1, 1.0)]));
    assert_eq!(read.clone().with_changes(&before, &before), read);
    assert_eq!(before.clone().with_changes(&before, &after), after);
}
