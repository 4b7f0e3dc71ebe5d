//! Tests of scores, trees and limits against closed forms.

use super::super::{joints, report, text};
use super::{built_in, by_hand, cube, joint, primitive};
use sinew_model::{Channel, Clip, Interpolation, Property, Span};

#[test]
fn smoothness_is_the_mean_squared_step() {
    // Of a quad's five edges, two lie within a joint; the others step by (1, −1).
    let positions = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]];
    let row = |joint: i32| ([joint, 0, 0, 0], [1.0, 0.0, 0.0, 0.0]);
    let model = by_hand(&[0.0, 1.0], &positions, &[0, 1, 2, 0, 2, 3], &[row(0), row(1), row(1), row(0)]);
    let found = report(&model, false);
    assert_eq!(found.skins[0].smoothness, Some(6.0 / 5.0));
    assert_eq!(found.skins[0].locality, Some(0.0));
    assert_eq!((found.skins[0].points, found.skins[0].pieces), (4, 1));
}

#[test]
fn locality_is_the_share_of_weight_out_of_reach() {
    // A strip of points one apart; joint 0 is at home at 0 and 1, its longest bone is 2 long, and it has a tenth of
    // every point to the end. From 1, it reaches 3.
    let positions: Vec<[f32; 3]> =
        (0..9).flat_map(|n| [[n as f32, 0.0, 0.0], [n as f32, 1.0, 0.0]]).collect();
    let indices: Vec<u32> =
        (0..8_u32).flat_map(|n| [0, 1, 3, 0, 3, 2].map(|corner| 2 * n + corner)).collect();
    let row = |v: usize| {
        let share = if v < 4 { 1.0 } else { 0.1 };
        ([0, 1, 0, 0], [share, 1.0 - share, 0.0, 0.0])
    };
    let rows: Vec<_> = (0..18).map(row).collect();
    let found = report(&by_hand(&[0.0, 2.0], &positions, &indices, &rows), false);
    let away = f64::from(0.1_f32) * 10.0 / 18.0;
    assert!((found.skins[0].locality.unwrap() - away).abs() < 1e-7, "{:?}", found.skins[0].locality);
    assert!(found.findings.is_empty(), "it hangs together: {:?}", found.findings);
}

#[test]
fn volume_kept_is_that_of_the_sheared_cube() {
    // The cube's right half turns by 90° about the origin, across x: from x = 1 to the plane z = 1 or y = 1.
    let found = report(&cube(), true);
    let volume = found.skins[0].volume.as_ref().unwrap();
    assert_eq!((volume.closed_parts, volume.bent, volume.left_out), (1, 1, 0));
    let name = volume.modes[1].joint.as_ref().map(|joint| joint.name.as_str());
    assert_eq!((volume.modes[1].mode, name), ("lbs", Some("j1")));
    for mode in &volume.modes {
        // With one influence per vertex, all modes agree.
        assert!((mode.smallest.unwrap() - volume.modes[0].smallest.unwrap()).abs() < 1e-9);
        assert_eq!(mode.mean, mode.smallest);
    }
    // A wedge: between the sides x = −1 and the turned side, which share an edge; half of the cube is left.
    assert!((volume.modes[0].smallest.unwrap() - 0.5).abs() < 1e-9, "{volume:?}");
    let open = report(&built_in("strip"), true);
    assert_eq!(open.skins[0].volume.as_ref().unwrap().closed_parts, 0);
}

#[test]
fn trees_count_what_joints_move() {
    let mut model = cube();
    let channel = |property, node| Channel {
        node,
        property,
        interpolation: Interpolation::Linear,
        times: vec![0.0],
        values: vec![0.0; 4],
    };
    let channels =
        vec![channel(Property::Rotation, 2), channel(Property::Scale, 2), channel(Property::Weights, 1)];
    model.clips = vec![Clip { name: "wave".into(), duration_secs: 0.0, channels }];
    let trees = joints(&model);
    let tree = &trees.skins[0];
    assert_eq!((trees.clips.as_slice(), tree.vertices, trees.reduced), (&["wave"][..], 8, false));
    let found: Vec<_> =
        tree.joints.iter().map(|j| (j.name, j.node, j.parent, j.depth, j.vertices, j.weight)).collect();
    assert_eq!(found, [("j0", 1, None, 0, 4, 4.0), ("j1", 2, Some(0), 1, 4, 4.0)]);
    assert_eq!((tree.joints[0].clips.len(), tree.joints[1].clips.as_slice()), (0, &[0][..]));
    assert_eq!(tree.joints[0].share, 0.5);
    let lines = text::joints(&trees);
    assert!(lines.contains("         4        4.0  50.0 %    'j1' (node 2, 1 clip)"), "{lines}");
}

#[test]
fn one_thing_is_not_several() {
    let positions = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    let model = by_hand(&[0.0], &positions, &[0, 1, 2], &[([0; 4], [1.0, 0.0, 0.0, 0.0]); 3]);
    let lines = text::report(&report(&model, false));
    assert!(lines.contains("skin 0: 3 vertices at 3 places in 1 piece\n"), "{lines}");
    assert!(lines.contains(": 1 joint; parts by joints"), "{lines}");
    let lines = text::joints(&joints(&model));
    assert!(lines.starts_with("skin 0: 1 joint, 3 vertices\n"), "{lines}");
}

#[test]
fn the_characters_tree_has_every_joint_after_its_parent() {
    let model = built_in("character");
    let trees = joints(&model);
    let tree = &trees.skins[0].joints;
    assert_eq!(tree.len(), model.skins[0].joints.len());
    assert!((tree.iter().map(|joint| joint.share).sum::<f64>() - 1.0).abs() < 1e-9);
    for (place, found) in tree.iter().enumerate() {
        let parent =
            found.parent.map(|parent| tree[..place].iter().find(|joint| joint.joint == parent).unwrap());
        assert_eq!(found.depth, parent.map_or(0, |parent| parent.depth + 1));
    }
    let forearm = tree.iter().find(|found| found.joint as i32 == joint(&model, "forearm.L")).unwrap();
    assert!(forearm.vertices > 100 && !forearm.clips.is_empty());
}

#[test]
fn primitives_are_split_for_small_palettes() {
    let parts = |model: &super::Model| {
        let found = report(model, false).limits;
        (found[0].joints, found[0].parts.iter().map(|parts| parts.parts).collect::<Vec<_>>())
    };
    assert_eq!(parts(&built_in("tube-24")), (24, vec![Some(1); 4]));
    let (joints, counts) = parts(&built_in("tube-512"));
    assert_eq!(joints, 512);
    for (count, limit) in counts.iter().map(|count| count.unwrap()).zip([24, 64, 128, 256]) {
        assert!((512_usize.div_ceil(limit)..=512 / (limit - 6) + 1).contains(&count), "{count} at {limit}");
    }
    // One triangle with 36 joints fits no palette of 24.
    let positions = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    let places: Vec<f64> = (0..36).map(f64::from).collect();
    let mut model = by_hand(&places, &positions, &[0, 1, 2], &[([0; 4], [0.0; 4]); 3]);
    let span = |s: i32| Span {
        joints: (0..3).map(|v| [0, 1, 2, 3].map(|k| v * 12 + s * 4 + k)).collect(),
        weights: vec![[1.0 / 12.0; 4]; 3],
    };
    primitive(&mut model).influences.as_mut().unwrap().spans = (0..3).map(span).collect();
    assert_eq!(parts(&model), (36, vec![None, Some(1), Some(1), Some(1)]));
}
