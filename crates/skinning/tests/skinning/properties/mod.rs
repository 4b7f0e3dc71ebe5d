//! Properties of every skinning mode, over random rigs, poses, scales, mirrors, shears and weights. They must
//! not need Vulkan or files.

mod cases;
mod cpu;
mod no_joint;
mod steady;

use cases::*;
use glam::{DMat4, DQuat, DVec3};
use proptest::prelude::*;
use sinew_model::{Influences, Primitive, Span};
use sinew_skinning::partition::partition;
use sinew_skinning::twin::Vertices;
use sinew_skinning::{SkinningMode, VertexSkin, affine};

proptest! {
    #![proptest_config(ProptestConfig { cases: 192, ..ProptestConfig::default() })]

    #[test]
    fn the_bind_pose_is_the_mesh_to_the_bit(mut case in case()) {
        case.world_from_bind.fill(DMat4::IDENTITY);
        for mode in SkinningMode::ALL {
            prop_assert_eq!(&twin(mode, &case).positions, &case.primitive.positions, "{}", mode);
        }
    }

    #[test]
    fn twins_meet_the_reference(case in case()) {
        prop_assume!(nearest_to_half_turn(&case) > 1e-5);
        for mode in SkinningMode::ALL {
            let (got, want) = (twin(mode, &case), reference(mode, &case));
            let compared = compare_positions(&got.positions, &want.positions, hostile(mode));
            prop_assert!(compared.is_ok(), "{}: {:?}", mode, compared);
        }
    }

    #[test]
    fn twins_meet_the_definitions_bounds_for_usual_poses(case in usual_case()) {
        prop_assume!(nearest_to_half_turn(&case) > 1e-5);
        for (mode, bound) in SkinningMode::ALL.map(|mode| (mode, mode.facts().bound)) {
            let (got, want) = (twin(mode, &case), reference(mode, &case));
            let compared = compare_positions(&got.positions, &want.positions, bound);
            prop_assert!(compared.is_ok(), "{}: {:?}", mode, compared);
            let difference = largest_turn(&got, &want);
            prop_assert!(difference < 2e-5, "{mode}: normals or tangents differ by {difference:e}");
        }
    }

    #[test]
    fn one_influence_moves_by_its_matrix_in_every_mode(case in case().prop_map(one_influence)) {
        let joints = &case.primitive.influences.as_ref().unwrap().spans[0].joints;
        for mode in SkinningMode::ALL {
            let moving = moving(mode, &case).world_from_bind;
            let moved = |(p, joints): (&DVec3, &[i32; 4])| moving[joints[0] as usize].transform_point3(*p);
            let want: Vec<DVec3> = to_f64(&case.primitive.positions).iter().zip(joints).map(moved).collect();
            let compared = compare_positions(&twin(mode, &case).positions, &want, hostile(mode));
            prop_assert!(compared.is_ok(), "{}: {:?}", mode, compared);
        }
    }

    #[test]
    fn one_influence_turns_normals_alike_in_every_mode(case in case().prop_map(one_influence)) {
        for mode in SkinningMode::ALL {
            let rigid = reference(SkinningMode::Rigid, &moving(mode, &case));
            let difference = largest_turn(&twin(mode, &case), &rigid);
            prop_assert!(difference < 2e-5, "{mode}: {difference:e}");
        }
    }

    #[test]
    fn a_quaternion_and_its_negative_skin_alike(case in case(), negated in prop::collection::vec(any::<bool>(), 8)) {
        prop_assume!(nearest_to_half_turn(&case) > 1e-5);
        for mode in TURNING {
            let slots = slots(mode, &case.world_from_bind);
            let mut other = slots.clone();
            let columns = if mode.slot(&DMat4::IDENTITY).columns[0][3] == 1.0 { 0..2 } else { 3..4 };
            for (slot, _) in other.iter_mut().zip(&negated).filter(|(_, negated)| **negated) {
                for column in &mut slot.columns[columns.clone()] {
                    *column = column.map(|v| -v);
                }
            }
            let skin = |slots| skin_with(mode, slots, &case.primitive);
            prop_assert_eq!(skin(&slots), skin(&other), "{}", mode);
        }
    }

    #[test]
    fn moving_the_rig_rigidly_moves_the_mesh_rigidly(case in case(), turn in rotation(), shift in within(-1.0..1.0)) {
        prop_assume!(nearest_to_half_turn(&case) > 1e-5);
        let motion = DMat4::from_rotation_translation(turn, shift);
        let mut elsewhere = case.clone();
        elsewhere.world_from_bind.iter_mut().for_each(|matrix| *matrix = motion * *matrix);
        for mode in SkinningMode::ALL {
            let here = to_f64(&twin(mode, &case).positions);
            let want: Vec<DVec3> = here.iter().map(|p| motion.transform_point3(*p)).collect();
            let compared = compare_positions(&twin(mode, &elsewhere).positions, &want, 2.0 * hostile(mode));
            prop_assert!(compared.is_ok(), "{}: {:?}", mode, compared);
        }
    }

    #[test]
    fn no_joint_without_weight_contributes_nothing(case in case(), gone in any::<prop::sample::Index>()) {
        let slot = 1 + gone.index(3);
        let mut without_weight = case;
        without_weight.primitive.influences.as_mut().unwrap().spans[0].weights.iter_mut().for_each(|w| w[slot] = 0.0);
        let mut without_joint = without_weight.clone();
        without_joint.primitive.influences.as_mut().unwrap().spans[0].joints.iter_mut().for_each(|j| j[slot] = -1);
        for mode in SkinningMode::ALL {
            prop_assert_eq!(twin(mode, &without_joint), twin(mode, &without_weight), "{}", mode);
        }
    }

    #[test]
    fn normals_do_not_depend_on_the_size_of_joints(case in case(), exponent in -100..100) {
        let size = 2.0_f64.powi(exponent);
        let mut resized = case.clone();
        resized.world_from_bind.iter_mut().for_each(|matrix| *matrix *= DMat4::from_scale(DVec3::splat(size)));
        for mode in SkinningMode::ALL {
            prop_assert_eq!(twin(mode, &case).normals, twin(mode, &resized).normals, "{}", mode);
        }
    }

    /// A joint scaled to nothing along an axis flattens, and the sign that rounding gives its determinant does
    /// not turn over the plane's normal.
    #[test]
    fn a_flat_joint_keeps_the_normal_of_its_plane(turn in rotation(), before in rotation()) {
        let flat = DMat4::from_quat(turn * before)
            * DMat4::from_scale(DVec3::new(2.0, 0.0, 3.0))
            * DMat4::from_quat(before.inverse());
        for mode in SkinningMode::ALL {
            let b = mode.blend(&[mode.slot(&flat)], &VertexSkin::of_joint(&[[0; 4]]));
            let normal = (before * DVec3::Y).as_vec3().to_array();
            let got = DVec3::from_array(affine::transform_normal(&b, normal).map(f64::from));
            prop_assert!((got - turn * (before * DVec3::Y)).length() < 1e-6, "{}: {}", mode, got);
        }
    }

    /// Without scale, the dialects of *dqs* are one mode.
    #[test]
    fn dialects_are_equal_where_no_joint_scales(case in case()) {
        let rigid = moving(SkinningMode::DualQuatRigid, &case);
        let vertices = Vertices::of(&case.primitive);
        let skin = |mode, case: &Case| sinew_skinning::reference::skin(mode, &case.world_from_bind, &vertices);
        let want = skin(SkinningMode::DualQuat, &rigid);
        for mode in SkinningMode::ALL.into_iter().filter(|mode| mode.facts().is_dialect) {
            let got = skin(mode, &rigid);
            for (got, want) in got.positions.iter().zip(&want.positions) {
                prop_assert!((*got - *want).length() < 1e-12, "{}", mode);
            }
            for (got, want) in got.normals.iter().flatten().zip(want.normals.iter().flatten()) {
                prop_assert!((*got - *want).length() < 1e-12, "{}", mode);
            }
        }
    }

    /// In *dqs-blender* the surface turns as in *dqs*; *dqs-rigid* is *dqs* of the joints without their scale.
    #[test]
    fn dialects_differ_in_scale_alone(case in case()) {
        let [dqs, blender, rigid] =
            [SkinningMode::DualQuat, SkinningMode::DualQuatBlender, SkinningMode::DualQuatRigid];
        prop_assert_eq!(reference(blender, &case).normals, reference(dqs, &case).normals);
        let want = reference(dqs, &moving(rigid, &case));
        for (got, want) in reference(rigid, &case).positions.iter().zip(&want.positions) {
            prop_assert!((*got - *want).length() < 1e-12);
        }
    }

    /// *Dqs-blender* scales about the vertex, *dqs* about the origin of bind space.
    #[test]
    fn dqs_blender_does_not_depend_on_the_origin_of_bind_space(mut case in case(), by in within(-1.0..1.0)) {
        // On a grid, sums are exact in single precision.
        let on_grid = |v: DVec3| (v * 1048576.0).round() / 1048576.0;
        let moved = |p: &[f32; 3], by: DVec3| (on_grid(DVec3::from(p.map(f64::from))) + on_grid(by)).as_vec3().to_array();
        let positions = case.primitive.positions.clone();
        case.primitive.positions = positions.iter().map(|p| moved(p, DVec3::ZERO)).collect();
        let mut elsewhere = case.clone();
        elsewhere.primitive.positions = positions.iter().map(|p| moved(p, by)).collect();
        let back = DMat4::from_translation(-on_grid(by));
        elsewhere.world_from_bind.iter_mut().for_each(|matrix| *matrix *= back);
        let skin = |case| reference(SkinningMode::DualQuatBlender, case).positions;
        for (got, want) in skin(&elsewhere).iter().zip(&skin(&case)) {
            prop_assert!((*got - *want).length() < 1e-8, "{} {}", got, want);
        }
    }

    /// The ends of a blend are the two that it blends.
    #[test]
    fn shares_of_nothing_and_of_all_are_the_other_modes(case in case()) {
        for (share, mode) in [(0.0, SkinningMode::Linear), (1.0, SkinningMode::DualQuat)] {
            let shares = vec![share; case.primitive.positions.len()];
            let vertices = Vertices { shares: Some(&shares), ..Vertices::of(&case.primitive) };
            let blend = |mode| sinew_skinning::reference::skin(mode, &case.world_from_bind, &vertices);
            let (got, want) = (blend(SkinningMode::Blended), blend(mode));
            for (got, want) in got.positions.iter().zip(&want.positions) {
                prop_assert!((*got - *want).length() < 1e-12, "{}", mode);
            }
        }
    }

    /// A vertex at its centre goes where linear blending takes it, and the surface turns as in dual quaternions.
    #[test]
    fn centers_go_where_linear_blending_takes_them(case in case()) {
        let vertices = Vertices { centers: Some(&case.primitive.positions), ..Vertices::of(&case.primitive) };
        let skin = |mode| sinew_skinning::reference::skin(mode, &case.world_from_bind, &vertices);
        let [lbs, dqs, cor] =
            [SkinningMode::Linear, SkinningMode::DualQuat, SkinningMode::CenterOfRotation].map(skin);
        for (got, want) in cor.positions.iter().zip(&lbs.positions) {
            prop_assert!((*got - *want).length() < 1e-12);
        }
        prop_assert_eq!(cor.normals, dqs.normals);
    }

    #[test]
    fn parts_skin_as_the_whole(seed in prop::collection::vec((within(-1.0..1.0), rotation()), 200), vertices in primitive(200)) {
        let matrices: Vec<DMat4> = seed.iter().map(|(t, q)| DMat4::from_rotation_translation(*q, *t)).collect();
        let case = Case { world_from_bind: matrices, primitive: vertices };
        let parts = partition(&case.primitive, 48);
        for mode in SkinningMode::ALL {
            let whole = twin(mode, &case);
            let mut seen = vec![false; whole.positions.len()];
            for part in &parts {
                let palette: Vec<DMat4> = part.joints.iter().map(|&joint| case.world_from_bind[joint as usize]).collect();
                prop_assert!(palette.len() <= 48);
                let source = case.primitive.influences.as_ref().unwrap();
                let spans = part.spans.iter().zip(&source.spans).map(|(joints, source)| Span {
                    joints: joints.iter().map(|j| j.map(i32::from)).collect(),
                    weights: part.gather(&source.weights),
                });
                let own = Primitive {
                    positions: part.gather(&case.primitive.positions),
                    influences: Some(Influences { spans: spans.collect() }),
                    ..Primitive::default()
                };
                let moved = skin_with(mode, &slots(mode, &palette), &own);
                for (position, &vertex) in moved.positions.iter().zip(&part.vertices) {
                    prop_assert_eq!(*position, whole.positions[vertex as usize]);
                    seen[vertex as usize] = true;
                }
            }
            prop_assert!(seen.into_iter().all(|seen| seen));
        }
    }
}

fn radii(positions: &[[f32; 3]]) -> impl Iterator<Item = f32> {
    positions.iter().map(|p| p[0].hypot(p[2]))
}

#[test]
fn half_a_turn_collapses_linear_but_not_dual_quaternions() {
    let case = ring_half_way(179.9);
    assert!(radii(&twin(SkinningMode::Linear, &case).positions).all(|radius| radius < 1e-3));
    assert!(radii(&twin(SkinningMode::DualQuat, &case).positions).all(|radius| (radius - 1.0).abs() < 1e-6));
}

/// The modes that blend quaternions.
const TURNING: [SkinningMode; 5] = [
    SkinningMode::DualQuat,
    SkinningMode::Blended,
    SkinningMode::CenterOfRotation,
    SkinningMode::DualQuatBlender,
    SkinningMode::DualQuatRigid,
];

/// Turns by multiples of 15° in several joints meet quaternions exactly half a turn apart, where only rounding
/// could choose a side.
#[test]
fn a_tie_of_half_a_turn_is_decided_alike_in_both_precisions() {
    for axis in [DVec3::X, DVec3::Y, DVec3::new(1.0, 2.0, -0.5).normalize()] {
        for (first, second) in (0..24).flat_map(|a| (0..24).map(move |b| (a, b))) {
            let turn = |step: i32| DMat4::from_axis_angle(axis, f64::from(step * 15).to_radians());
            let mut case = ring_half_way(0.0);
            case.world_from_bind = vec![turn(first), turn(second)];
            for mode in TURNING {
                let want = reference(mode, &case).positions;
                compare_positions(&twin(mode, &case).positions, &want, mode.facts().bound)
                    .unwrap_or_else(|why| panic!("{mode}, {first} and {second} steps about {axis}: {why}"));
            }
        }
    }
}

/// Each comparison must be able to fail: it notices a joint nudged by a thousandth, in every mode.
#[test]
fn the_comparison_objects_to_a_nudged_joint() {
    let case = ring_half_way(60.0);
    let nudge = DMat4::from_translation(DVec3::new(0.0, 1e-3, 0.0));
    for mode in SkinningMode::ALL {
        // Without terms, slot 0 alone moves a vertex in *ddm*.
        let joint = usize::from(!matches!(mode, SkinningMode::Rigid | SkinningMode::DirectDeltaMush));
        let want = reference(mode, &case).positions;
        assert_eq!(compare_positions(&twin(mode, &case).positions, &want, hostile(mode)), Ok(()));
        let mut nudged = case.clone();
        nudged.world_from_bind[joint] = nudge * nudged.world_from_bind[joint];
        assert!(compare_positions(&twin(mode, &nudged).positions, &want, hostile(mode)).is_err(), "{mode}");
    }
    assert!(compare_positions(&[[f32::NAN; 3]], &[DVec3::ONE], 1.0).is_err());
    assert!(compare_positions(&[], &[DVec3::ONE], 1.0).is_err());
}

/// If weights cancel, nothing is left of the blend: slot 0 alone moves the vertex.
#[test]
fn cancelled_quaternions_fall_back_to_slot_0() {
    let span = Span { joints: vec![[0; 4]], weights: vec![[1.0, -0.5, -0.5, 0.0]] };
    let matrix = DMat4::from_rotation_translation(DQuat::from_rotation_x(1.0), DVec3::new(3.0, 4.0, 5.0));
    let case = Case {
        world_from_bind: vec![matrix],
        primitive: Primitive {
            positions: vec![[1.0, 2.0, 3.0]],
            influences: Some(Influences { spans: vec![span] }),
            ..Primitive::default()
        },
    };
    // The stretches cancel as well. In dqs and blend the vertex sits at the joint's translation; cor takes the centre
    // where lbs takes it, and the sum of nothing is nowhere. The dialects stretch nothing here.
    let [dqs, _, cor, blender, rigid] = TURNING;
    let want = [DVec3::new(3.0, 4.0, 5.0)];
    assert_eq!(compare_positions(&twin(dqs, &case).positions, &want, 1e-6), Ok(()));
    assert_eq!(compare_positions(&twin(cor, &case).positions, &[DVec3::ZERO], 1e-6), Ok(()));
    let want = [matrix.transform_point3(DVec3::new(1.0, 2.0, 3.0))];
    assert_eq!(compare_positions(&twin(blender, &case).positions, &want, 1e-6), Ok(()));
    assert_eq!(compare_positions(&twin(rigid, &case).positions, &want, 1e-6), Ok(()));
    for mode in TURNING {
        let want = reference(mode, &case).positions;
        assert_eq!(compare_positions(&twin(mode, &case).positions, &want, 1e-6), Ok(()), "{mode}");
    }
}

#[test]
fn an_unskinned_primitive_moves_with_its_node() {
    let turn = DMat4::from_rotation_translation(DQuat::from_rotation_z(1.0), DVec3::ONE);
    let mut case = ring_half_way(0.0);
    case.primitive.influences = None;
    case.world_from_bind = vec![turn];
    let want: Vec<DVec3> =
        to_f64(&case.primitive.positions).iter().map(|p| turn.transform_point3(*p)).collect();
    for mode in SkinningMode::ALL {
        assert_eq!(compare_positions(&twin(mode, &case).positions, &want, 1e-6), Ok(()), "{mode}");
        assert_eq!(
            compare_positions(&twin(mode, &case).positions, &reference(mode, &case).positions, 1e-6),
            Ok(())
        );
    }
}

/// Products of rounding noise would be denormal, and devices and processors treat denormals differently.
#[test]
fn dual_quaternion_slots_hold_no_noise() {
    let turns = (0..24).map(|step| DMat4::from_rotation_y(f64::from(step * 15).to_radians()));
    for matrix in turns.map(|turn| turn * DMat4::from_scale(DVec3::new(1.0, 2.0, 3.0)) * turn) {
        let slot = SkinningMode::DualQuat.slot(&matrix);
        for number in slot.columns.as_flattened() {
            assert!(*number == 0.0 || number.abs() > 1e-9, "{slot:?}");
        }
    }
}

/// A tangent along the normal has no direction within the surface: it stays unchanged.
#[test]
fn a_tangent_along_the_normal_keeps_its_direction() {
    for step in 0..100 {
        let b = SkinningMode::Linear.slot(&DMat4::from_rotation_x(f64::from(step)));
        let b = SkinningMode::Linear.blend(&[b], &VertexSkin::of_joint(&[[0; 4]]));
        let along = DVec3::new(f64::from(step) - 50.0, 20.0, 30.0).normalize().as_vec3();
        let normal = affine::transform_normal(&b, along.to_array());
        let tangent = along.extend(1.0).to_array();
        assert_eq!(affine::transform_tangent(&b, tangent, normal), tangent);
    }
}

/// Animators hide joints by scaling them to nothing; vertices that only such joints move shrink to a point.
#[test]
fn a_vanished_joint_keeps_directions() {
    for mode in SkinningMode::ALL {
        let nothing =
            DMat4::from_scale_rotation_translation(DVec3::ZERO, DQuat::from_rotation_x(1.0), DVec3::ONE);
        let position = [3.0, 4.0, 5.0];
        let vertex = VertexSkin { position, ..VertexSkin::of_joint(&[[0; 4]]) };
        let b = mode.blend(&[mode.slot(&nothing)], &vertex);
        let want = if mode.facts().drops_scale { [4.0, 5.0, 6.0] } else { [1.0; 3] };
        assert_eq!(affine::transform_position(&b, position), want, "{mode}");
        assert_eq!(affine::transform_normal(&b, [0.6, 0.0, 0.8]), [0.6, 0.0, 0.8], "{mode}");
        assert_eq!(
            affine::transform_tangent(&b, [0.0, 1.0, 0.0, -1.0], [0.6, 0.0, 0.8]),
            [0.0, 1.0, 0.0, -1.0]
        );
    }
}
