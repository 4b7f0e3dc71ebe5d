//! Tests of two joints with known numbers.

use super::*;
use glam::{DMat4, DVec3};
use std::f64::consts::{FRAC_1_SQRT_2, FRAC_PI_2, PI};

const HALVES: [f32; 4] = [0.5, 0.5, 0.0, 0.0];

fn explained(joints: &[DMat4], weights: [f32; 4]) -> Explanation {
    let (model, pose) = model(joints, weights);
    explain(&model, &pose, vertex(0)).unwrap()
}

fn assert_near(found: Option<[f64; 3]>, want: [f64; 3]) {
    let found = found.unwrap();
    assert!((DVec3::from(found) - DVec3::from(want)).length() < 1e-14, "{found:?} instead of {want:?}");
}

fn positions(explanation: &Explanation) -> Vec<Option<[f64; 3]>> {
    explanation.modes.iter().map(|moved| moved.place.position).collect()
}

/// A still joint, and one that turns a quarter about z: (1, 0, 0) goes to (0, 1, 0).
#[test]
fn a_quarter_turn() {
    let explanation = explained(&[DMat4::IDENTITY, DMat4::from_rotation_z(FRAC_PI_2)], HALVES);
    assert_eq!(explanation.vertex, "node10:3:0");
    assert_eq!(explanation.mesh, Named { number: 0, name: "m".into() });
    assert_eq!(explanation.mover, Mover::Skin(Named { number: 0, name: "s".into() }));
    let [still, turned] = &explanation.influences[..] else { panic!("two influences") };
    assert_eq!((still.joint, still.node, still.name.as_str(), still.weight), (Some(0), Some(10), "j0", 0.5));
    assert_near(still.alone, [1.0, 0.0, 0.0]);
    assert_near(turned.alone, [0.0, 1.0, 0.0]);
    assert_eq!(still.alone_from_bind, Some(0.0));
    assert!((turned.alone_from_bind.unwrap() - 2.0_f64.sqrt()).abs() < 1e-15);
    assert_eq!(still.sign.unwrap(), Sign { dot: Some(1.0), is_flipped: false, is_tie: false });
    assert!((turned.sign.unwrap().dot.unwrap() - FRAC_1_SQRT_2).abs() < 1e-15);
    assert!((turned.motion.determinant.unwrap() - 1.0).abs() < 1e-15);
    let q = turned.motion.rotation.unwrap();
    assert!((q[2].abs() - FRAC_1_SQRT_2).abs() < 1e-15 && (q[3].abs() - FRAC_1_SQRT_2).abs() < 1e-15);

    let [rigid, linear, dual_quat, center, ..] = positions(&explanation)[..] else { panic!("modes") };
    assert_near(rigid, [1.0, 0.0, 0.0]);
    assert_near(linear, [0.5, 0.5, 0.0]);
    assert_near(dual_quat, [FRAC_1_SQRT_2, FRAC_1_SQRT_2, 0.0]);
    // Nothing resembles the vertex, so it is its own centre and linear blending moves it.
    assert_near(center, [0.5, 0.5, 0.0]);
    assert_near(explanation.modes[2].place.normal, [FRAC_1_SQRT_2, FRAC_1_SQRT_2, 0.0]);
    let [to_rigid, to_dual_quat, to_center, to_ddm] = explanation.modes[1].distances[..] else {
        panic!("four distances")
    };
    // It has no triangles, and so no surroundings but its joints.
    assert!(to_ddm.mode == SkinningMode::DirectDeltaMush && to_ddm.distance.unwrap() < 1e-7, "{to_ddm:?}");
    assert!(to_center.mode == SkinningMode::CenterOfRotation && to_center.distance.unwrap() < 1e-14);
    assert_eq!((to_rigid.mode, to_dual_quat.mode), (SkinningMode::Rigid, SkinningMode::DualQuat));
    assert!((to_rigid.distance.unwrap() - FRAC_1_SQRT_2).abs() < 1e-14);
    assert!((to_dual_quat.distance.unwrap() - (1.0 - FRAC_1_SQRT_2)).abs() < 1e-14);
    // |(q0 + q1) / 2| = cos 22.5°, a quarter of the turn in quaternions.
    let blend = explanation.dual_quaternions.unwrap();
    assert!((blend.length.unwrap() - (PI / 8.0).cos()).abs() < 1e-15);
    assert!(!blend.is_cancelled && !blend.has_tie);

    let text = all_lines(&explanation);
    for part in ["0 'j0'", "0.500000", "1 'j1'", "lbs ", "to dqs", "kept", "world from bind", "determinant"] {
        assert!(text.contains(part), "{part} is not in\n{text}");
    }
    let json = serde_json::to_value(&explanation).unwrap();
    assert_eq!(json["modes"][1]["mode"], "lbs");
    assert_eq!(json["influences"][0]["joint_from_bind"][0], serde_json::json!([1.0, 0.0, 0.0, 0.0]));
    assert_eq!(json["mover"], serde_json::json!({"by": "skin", "number": 0, "name": "s"}));
}

/// From −60° to 170° it is 130° the short way, through 235°. The quaternions of the matrices are on opposite sides: 115°
/// apart.
#[test]
fn opposite_quaternions_are_flipped() {
    let turns = [-60.0_f64, 170.0].map(|degrees| DMat4::from_rotation_z(degrees.to_radians()));
    let explanation = explained(&turns, HALVES);
    let signs: Vec<Sign> = explanation.influences.iter().filter_map(|influence| influence.sign).collect();
    assert!((signs[1].dot.unwrap() - 115.0_f64.to_radians().cos()).abs() < 1e-14);
    assert_eq!([signs[0].is_flipped, signs[1].is_flipped], [false, true]);
    let [_, linear, dual_quat, ..] = positions(&explanation)[..] else { panic!("modes") };
    let on_circle = |degrees: f64| DVec3::new(degrees.to_radians().cos(), degrees.to_radians().sin(), 0.0);
    assert_near(linear, ((on_circle(-60.0) + on_circle(170.0)) / 2.0).to_array());
    assert_near(dual_quat, on_circle(235.0).to_array());
    let length = explanation.dual_quaternions.unwrap().length.unwrap();
    assert!((length - 32.5_f64.to_radians().cos()).abs() < 1e-14);
    assert!(all_lines(&explanation).contains("flipped"));
}

/// Half a turn: the dot product is zero up to rounding, and the sign stays.
#[test]
fn half_a_turn_is_a_tie() {
    let explanation = explained(&[DMat4::IDENTITY, DMat4::from_rotation_z(PI)], HALVES);
    let sign = explanation.influences[1].sign.unwrap();
    assert!(sign.dot.unwrap().abs() < 1e-15 && sign.is_tie && !sign.is_flipped);
    let blend = explanation.dual_quaternions.unwrap();
    assert!(blend.has_tie && (blend.length.unwrap() - FRAC_1_SQRT_2).abs() < 1e-15);
    let [_, linear, dual_quat, ..] = positions(&explanation)[..] else { panic!("modes") };
    assert_near(linear, [0.0; 3]);
    let [x, y, z] = dual_quat.unwrap();
    assert!(x.abs() < 1e-14 && (y.abs() - 1.0).abs() < 1e-14 && z == 0.0);
    assert!(all_lines(&explanation).contains("half a turn apart, a tie"));
}

/// Without any weight the quaternions sum to nothing, and the first influence's replace them.
#[test]
fn nothing_to_sum_takes_the_first() {
    let joints = [DMat4::from_translation(DVec3::Y), DMat4::from_rotation_z(PI)];
    let explanation = explained(&joints, [0.0; 4]);
    assert_eq!(explanation.influences.len(), 1);
    let blend = explanation.dual_quaternions.unwrap();
    assert_eq!((blend.length, blend.is_cancelled), (Some(0.0), true));
    assert!(all_lines(&explanation).contains("they cancel"));
}

/// A joint that doubles x and mirrors z, as in `S` and the determinant.
#[test]
fn stretch_and_determinant() {
    let explanation = explained(&[DMat4::from_scale(DVec3::new(2.0, 1.0, -1.0))], [1.0, 0.0, 0.0, 0.0]);
    let motion = explanation.influences[0].motion;
    assert!((motion.determinant.unwrap() + 2.0).abs() < 1e-14);
    // A = R S, and S is negative where A mirrors: R turns by half about z.
    let stretch = motion.stretch.unwrap();
    assert!((stretch[0][0] + 2.0).abs() < 1e-14 && (stretch[2][2] + 1.0).abs() < 1e-14);
    assert_near(explanation.influences[0].alone, [2.0, 0.0, 0.0]);
}

#[test]
fn points_to_draw() {
    let explanation = explained(&[DMat4::IDENTITY, DMat4::from_translation(DVec3::Z)], HALVES);
    let drawing = drawing(&explanation);
    assert_eq!(drawing.bind, Some([1.0, 0.0, 0.0]));
    let second = JointPoint { label: "j1".into(), weight: 0.5, position: [1.0, 0.0, 1.0] };
    assert_eq!(drawing.joints[1], second);
    assert_eq!(drawing.modes.len(), explanation.modes.len());
    assert_eq!(drawing.modes[1], ModePoint { mode: SkinningMode::Linear, position: [1.0, 0.0, 0.5] });
}
