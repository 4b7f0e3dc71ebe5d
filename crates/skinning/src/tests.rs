//! The glTF tutorial's strip by hand: two joints, ten vertices, with every coordinate written out.

use super::*;
use crate::pose::{Pose, PoseChoice};
use glam::{DMat4, DQuat, DVec3};
use sinew_model::{Influences, LocalTransform, Primitive, Rig, Skin, Span, builtin, gltf};
use std::f64::consts::FRAC_1_SQRT_2;

/// Returns half-height rows of a strip two high and one wide, with its lower left corner at the origin. Both joints are half
/// way up its left edge.
fn strip() -> (Rig, Skin, Primitive) {
    let lower = LocalTransform::Trs { translation: DVec3::Y, rotation: DQuat::IDENTITY, scale: DVec3::ONE };
    let rig = Rig {
        names: vec![String::new(); 2],
        parents: vec![None, Some(0)],
        rest: vec![lower, LocalTransform::IDENTITY],
        file_index: vec![1, 2],
        ..Rig::default()
    };
    let skin = Skin {
        name: String::new(),
        joints: vec![0, 1],
        joint_from_bind: [DMat4::from_translation(DVec3::NEG_Y); 2].into(),
        method: None,
    };
    let mut span = Span::default();
    let mut primitive = Primitive::default();
    for (row, upper) in [0.0, 0.25, 0.5, 0.75, 1.0_f32].into_iter().enumerate() {
        for x in [0.0, 1.0] {
            primitive.positions.push([x, row as f32 * 0.5, 0.0]);
            // Largest first; ties keep the lower joint first.
            let (joints, weights) = if upper > 0.5 {
                ([1, 0, 0, 0], [upper, 1.0 - upper, 0.0, 0.0])
            } else {
                ([0, 1, 1, 1], [1.0 - upper, upper, 0.0, 0.0])
            };
            span.joints.push(joints);
            span.weights.push(weights);
        }
    }
    primitive.influences = Some(Influences { spans: vec![span] });
    (rig, skin, primitive)
}

/// Returns the strip with its upper joint turned about z, by the twin and by the reference.
fn turned(mode: SkinningMode, degrees: f64) -> Vec<[f64; 2]> {
    let (rig, skin, primitive) = strip();
    let mut pose = Pose::rest(&rig);
    if let LocalTransform::Trs { rotation, .. } = &mut pose.locals[1] {
        *rotation = DQuat::from_rotation_z(degrees.to_radians());
    }
    pose.update_world(&rig);
    let palette = world_from_bind(&skin, &pose);
    let mut slots = Vec::new();
    mode.slots_into(&palette, &mut slots);
    let source = twin::Vertices::of(&primitive);
    let mut positions = vec![[0.0; 3]; 10];
    twin::skin(mode, &slots, &source, twin::Skinned { positions: &mut positions, ..Default::default() });

    let reference = reference::skin(mode, &palette, &source).positions;
    for (twin, reference) in positions.iter().zip(&reference) {
        let difference = (DVec3::from_array(twin.map(f64::from)) - reference).abs().max_element();
        assert!(difference < 5e-7, "{mode} at {degrees}°: {twin:?} instead of {reference}");
        assert_eq!(twin[2], 0.0);
    }
    reference.iter().map(|p| [p.x, p.y]).collect()
}

fn assert_near(got: &[[f64; 2]], want: &[[f64; 2]]) {
    assert_eq!(got.len(), want.len());
    for (vertex, (got, want)) in got.iter().zip(want).enumerate() {
        let difference = (got[0] - want[0]).abs().max((got[1] - want[1]).abs());
        assert!(difference < 1e-8, "vertex {vertex}: {got:?} instead of {want:?}");
    }
}

/// The matrices of a quarter turn: the upper joint turns about (0, 1), (x, y) → (1 − y, 1 + x).
#[test]
fn the_palette_of_a_quarter_turn() {
    let (rig, skin, _) = strip();
    let mut pose = Pose::rest(&rig);
    assert_eq!(world_from_bind(&skin, &pose), [DMat4::IDENTITY; 2]);
    if let LocalTransform::Trs { rotation, .. } = &mut pose.locals[1] {
        *rotation = DQuat::from_rotation_z(90.0_f64.to_radians());
    }
    pose.update_world(&rig);
    let palette = world_from_bind(&skin, &pose);
    let want = [[0.0, 1.0, 0.0, 0.0], [-1.0, 0.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [1.0, 1.0, 0.0, 1.0]];
    assert_eq!(palette[0], DMat4::IDENTITY);
    assert!(palette[1].abs_diff_eq(DMat4::from_cols_array_2d(&want), 1e-15));

    // q = (0, 0, √½, √½); d = ½ (1, 1, 0, 0) q = (√½, 0, 0, 0); no stretch.
    let half = std::f32::consts::FRAC_1_SQRT_2;
    let slot = SkinningMode::DualQuat.slot(&palette[1]);
    let want = [[0.0, 0.0, half, half], [half, 0.0, 0.0, 0.0], [1.0, 1.0, 1.0, 0.0], [0.0; 4]];
    assert_eq!(slot.columns, want);
}

#[test]
fn nothing_turned_is_the_strip() {
    let (_, _, primitive) = strip();
    let want: Vec<_> = primitive.positions.iter().map(|p| [f64::from(p[0]), f64::from(p[1])]).collect();
    for mode in SkinningMode::ALL {
        assert_eq!(turned(mode, 0.0), want, "{mode}");
    }
}

#[test]
fn a_quarter_turn_by_matrices() {
    let below = [[0.0, 0.0], [1.0, 0.0], [0.0, 0.5], [1.0, 0.5], [0.0, 1.0], [1.0, 1.0]];
    let above = [[-0.5, 1.0], [-0.5, 2.0], [-1.0, 1.0], [-1.0, 2.0]];
    assert_near(&turned(SkinningMode::Rigid, 90.0), &[&below[..], &above].concat());
    let below = [[0.0, 0.0], [1.0, 0.0], [0.125, 0.625], [0.875, 0.875], [0.0, 1.0], [0.5, 1.5]];
    let above = [[-0.375, 1.125], [-0.125, 1.875], [-1.0, 1.0], [-1.0, 2.0]];
    assert_near(&turned(SkinningMode::Linear, 90.0), &[&below[..], &above].concat());
}

/// Both joints leave (0, 1) in place, so each row turns about it: by 45° half way, and at a quarter of the weight by 2
/// atan(sin 45° / (3 + cos 45°)) = 21.598°.
#[test]
fn a_quarter_turn_by_dual_quaternions() {
    let want = [
        [0.0, 0.0],
        [1.0, 0.0],
        [0.184047355, 0.535105849],
        [1.113835656, 0.903200559],
        [0.000000000, 1.000000000],
        [FRAC_1_SQRT_2, 1.0 + FRAC_1_SQRT_2],
        [-0.464894151, 1.184047355],
        [-0.096799441, 2.113835656],
        [-1.0, 1.0],
        [-1.0, 2.0],
    ];
    assert_near(&turned(SkinningMode::DualQuat, 90.0), &want);
}

/// Just before half a turn the middle row has turned a quarter to the left, just after it a quarter to the
/// right: the shorter way round. Matrices shrink it to nothing either way.
#[test]
fn half_a_turn_from_both_sides() {
    for (degrees, side) in [(179.9, 1.0), (180.1, -1.0)] {
        let quarter = 89.95_f64.to_radians();
        let want = [quarter.cos(), 1.0 + side * quarter.sin()];
        assert_near(&turned(SkinningMode::DualQuat, degrees)[5..6], &[want]);
        let [x, y] = turned(SkinningMode::Linear, degrees)[5];
        assert!((x.abs() + (y - 1.0).abs()) < 1e-3);
    }
}

/// The comparison of these positions detects a shift of a thousandth at one joint.
#[test]
#[should_panic(expected = "instead of")]
fn the_comparison_objects_to_a_nudge() {
    let mut moved = turned(SkinningMode::Linear, 90.0);
    moved[9][0] += 1e-3;
    assert_near(&moved, &turned(SkinningMode::Linear, 90.0));
}

/// "No joint" has the same slot in every mode as a joint that does not move; the GPU tests check the shaders for it.
#[test]
fn no_joint_is_the_slot_of_the_identity() {
    for mode in SkinningMode::ALL {
        assert_eq!(*mode.no_joint(), mode.slot(&DMat4::IDENTITY), "{mode}");
    }
}

/// A vertex of the strip without a joint stays, whichever way the joints turn.
#[test]
fn a_vertex_without_a_joint_stays() {
    let (_, _, mut primitive) = strip();
    let turn = DMat4::from_rotation_z(1.0) * DMat4::from_translation(DVec3::X);
    for mode in SkinningMode::ALL {
        let slots = [mode.slot(&turn); 2];
        let spans = &mut primitive.influences.as_mut().unwrap().spans;
        spans[0].joints[7] = [-1; 4];
        let vertices = twin::Vertices::of(&primitive);
        let mut moved = vec![[0.0; 3]; 10];
        let out = twin::Skinned { positions: &mut moved, ..Default::default() };
        twin::skin(mode, &slots, &vertices, out);
        for (vertex, (moved, still)) in moved.iter().zip(&primitive.positions).enumerate() {
            assert_eq!(moved == still, vertex == 7, "{mode}: vertex {vertex}");
        }
        let reference = reference::skin(mode, &[turn; 2], &vertices).positions;
        assert_eq!(reference[7], DVec3::from_array(primitive.positions[7].map(f64::from)));
    }
}

#[test]
fn names_are_read_back_and_others_refused() {
    for mode in SkinningMode::ALL {
        assert_eq!(mode.to_string().parse(), Ok(mode));
    }
    let refused = "linear".parse::<SkinningMode>().map_err(|error| error.to_string());
    assert_eq!(
        refused,
        Err("no skinning mode 'linear'; the modes are rigid, lbs, dqs, blend, cor, dqs-blender, dqs-rigid, ddm"
            .to_owned())
    );
}

/// The strength of each mode, on rods with a radius of 0.2.
#[test]
fn centers_neither_collapse_nor_bulge_much() {
    let skinned = |name: &str, mode, time_secs| {
        let model = gltf::load_bytes(&builtin::glb(name).unwrap(), None).unwrap();
        let mut pose = Pose::default();
        pose.set(&model, &PoseChoice::clip(0, time_secs));
        crate::posed::reference_model(&model, mode, &pose).remove(0).skinned.positions
    };
    let [lbs, dqs, cor] = [SkinningMode::Linear, SkinningMode::DualQuat, SkinningMode::CenterOfRotation];
    // The thinnest place of the middle after half a turn.
    let radius = |mode| {
        let middle = skinned("twist", mode, 2.0).into_iter().filter(|[_, y, _]| (0.95..1.05).contains(y));
        middle.map(|[x, _, z]| x.hypot(z)).fold(f64::INFINITY, f64::min)
    };
    assert!(radius(lbs) < 1e-6);
    assert!((radius(dqs) - 0.2).abs() < 1e-6 && (radius(cor) - 0.2).abs() < 1e-6);
    // The distance by which the outside of a right angle stands out.
    let outside = |mode| {
        skinned("bend", mode, 1.0).into_iter().map(|[x, ..]| -x).fold(f64::NEG_INFINITY, f64::max) - 0.2
    };
    for (mode, expected) in [(lbs, 0.018), (dqs, 0.078), (cor, 0.047)] {
        assert!((outside(mode) - expected).abs() < 6e-4, "{mode}: {}", outside(mode));
    }
}
