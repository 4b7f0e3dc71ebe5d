//! Tests of each fault against its wrong result, computed by hand.

use super::{Fault, blend, pose::STALE_SECS};
use crate::affine::transform_position;
use crate::pose::{ClipMix, Pose, PoseChoice};
use crate::posed::{fault_shows, skin_model};
use crate::{SkinningMode, Slot, VertexSkin, dual_quat, matrices_into};
use glam::{DMat4, DQuat, DVec3};
use sinew_model::{Channel, Clip, Interpolation, LocalTransform, Model, Property, builtin, gltf};

fn character() -> Model {
    gltf::load_bytes(&builtin::glb("character").unwrap(), None).unwrap()
}

/// Returns the middle of the walk.
fn walk() -> PoseChoice {
    PoseChoice::clip(1, 0.4)
}

fn posed(model: &Model, choice: &PoseChoice, fault: Option<Fault>) -> Pose {
    let mut pose = Pose::default();
    pose.set_with(model, choice, fault);
    pose
}

/// Returns the palette of the first instance.
fn palette(model: &Model, choice: &PoseChoice, fault: Option<Fault>) -> Vec<DMat4> {
    let mut matrices = Vec::new();
    matrices_into(model, &model.instances[0], true, &posed(model, choice, fault), &mut matrices);
    matrices
}

#[test]
fn names_are_read_and_printed() {
    for fault in Fault::ALL {
        assert_eq!(fault.to_string().parse(), Ok(fault));
    }
    let error = "transpose".parse::<Fault>().unwrap_err().to_string();
    assert!(error.starts_with("no fault 'transpose'; the faults are skip-inverse-bind, "), "{error}");
}

#[test]
fn faults_of_the_palette_are_the_wrong_products() {
    let model = character();
    let (skin, right) = (&model.skins[0], posed(&model, &walk(), None));
    let world = |node: usize| right.world_from_node[node];
    let earlier = posed(&model, &PoseChoice::clip(1, 0.4 - STALE_SECS), None);
    let node_of_number =
        |number: usize| model.rig.file_index.iter().position(|&at| at as usize == number).unwrap();
    let good = palette(&model, &walk(), None);
    for (number, (&node, &inverse_bind)) in skin.joints.iter().zip(&*skin.joint_from_bind).enumerate() {
        let wrong = |fault| palette(&model, &walk(), Some(fault))[number];
        assert_eq!(wrong(Fault::SkipInverseBind), world(node));
        assert_eq!(wrong(Fault::SwappedOrder), inverse_bind * world(node));
        assert_eq!(wrong(Fault::DoubleMeshNode), world(model.instances[0].node) * good[number]);
        assert_eq!(wrong(Fault::StalePalette), earlier.world_from_node[node] * inverse_bind);
        assert_eq!(wrong(Fault::WrongNodeOrder), world(node_of_number(number)) * inverse_bind);
        let kept = if number < 27 { good[number] } else { DMat4::ZERO };
        assert_eq!(wrong(Fault::ShortPalette), kept);
        let point = DVec3::new(0.3, -2.0, 5.0);
        let by_columns = good[number].transpose() * point.extend(0.0);
        assert!(wrong(Fault::Transposed).transform_point3(point).distance(by_columns.truncate()) < 1e-12);
    }
    assert_eq!(skin.joints.len(), 53);
}

#[test]
fn columns_without_padding_slide_into_each_other() {
    let model = character();
    let [good, wrong] = [None, Some(Fault::WrongPad)].map(|fault| palette(&model, &walk(), fault));
    let packed: Vec<f64> =
        good.iter().flat_map(|matrix| matrix.to_cols_array_2d()).flat_map(|[x, y, z, _]| [x, y, z]).collect();
    for (number, matrix) in wrong.iter().enumerate() {
        for (column, numbers) in matrix.to_cols_array_2d().iter().enumerate() {
            let start = number * 16 + column * 4;
            let read = [0, 1, 2].map(|at| packed.get(start + at).copied().unwrap_or(0.0));
            assert_eq!(numbers[..3], read, "joint {number}, column {column}");
        }
    }
}

#[test]
fn faults_of_the_pose_are_in_the_nodes() {
    let model = character();
    // The file is sorted, so the loop runs backwards and no parent is ready.
    let unsorted = posed(&model, &walk(), Some(Fault::UnsortedParents));
    for (world, local) in unsorted.world_from_node.iter().zip(&unsorted.locals) {
        assert_eq!(*world, local.parent_from_node());
    }
    let misread = posed(&model, &PoseChoice::Rest, Some(Fault::QuaternionWxyz));
    for (wrong, right) in misread.locals.iter().zip(&model.rig.rest) {
        let (LocalTransform::Trs { rotation: wrong, .. }, LocalTransform::Trs { rotation: right, .. }) =
            (wrong, right)
        else {
            panic!("the character has no matrices");
        };
        let [w, x, y, z] = right.to_array();
        assert_eq!(*wrong, DQuat::from_xyzw(x, y, z, w));
    }
    // Skin space omits the pose, and with it every step that could be wrong.
    let space = posed(&model, &PoseChoice::SkinSpace(None), Some(Fault::QuaternionWxyz));
    assert_eq!(space.fault(), None);
    // Setting a pose again clears the fault.
    let mut pose = misread;
    pose.set(&model, &PoseChoice::Rest);
    assert_eq!((pose.fault(), &pose.locals), (None, &model.rig.rest));
}

/// A right pose and a wrong one of a node that turns about three axes in a second, and moves along x.
fn between(fault: Fault) -> (Pose, Pose) {
    let mut model = character();
    let node = model.skins[0].joints[5];
    let channel = |property, values: Vec<f32>| Channel {
        node,
        property,
        interpolation: Interpolation::Linear,
        times: vec![0.0, 1.0],
        values,
    };
    let end = DQuat::from_euler(glam::EulerRot::XYZ, 1.2, -0.9, 2.0).to_array().map(|number| number as f32);
    let rotations = [[0.0, 0.0, 0.0, 1.0], end].concat();
    let channels = vec![
        channel(Property::Rotation, rotations),
        channel(Property::Translation, vec![0.0, 0.0, 0.0, 1.0, 0.0, 0.0]),
    ];
    model.clips = vec![Clip { name: "turn".into(), duration_secs: 1.0, channels }];
    let [right, wrong] = [None, Some(fault)].map(|fault| posed(&model, &PoseChoice::clip(0, 0.25), fault));
    for at_key in [0.0, 1.0] {
        let [right, wrong] =
            [None, Some(fault)].map(|fault| posed(&model, &PoseChoice::clip(0, at_key), fault));
        let apart = right.world_from_node.iter().zip(&wrong.world_from_node);
        assert!(apart.into_iter().all(|(a, b)| a.abs_diff_eq(*b, 1e-9)), "right at the keys");
    }
    let ends = [0.0, 1.0].map(|time| posed(&model, &PoseChoice::clip(0, time), None).world_from_node[node]);
    let own = wrong.world_from_node[node];
    match fault {
        Fault::MatrixLerp => assert!(own.abs_diff_eq(ends[0] * 0.75 + ends[1] * 0.25, 1e-12)),
        _ => {
            let LocalTransform::Trs { rotation, translation, .. } = wrong.locals[node] else { panic!() };
            let quarter = DQuat::from_euler(glam::EulerRot::XYZ, 0.3, -0.225, 0.5);
            assert!(rotation.angle_between(quarter) < 1e-6, "{rotation}");
            assert!((translation - DVec3::X * 0.25).length() < 1e-12);
        }
    }
    (right, wrong)
}

#[test]
fn between_keys_matrices_shrink_and_angles_take_a_detour() {
    let (right, wrong) = between(Fault::MatrixLerp);
    let sizes = wrong.world_from_node.iter().map(|world| world.determinant());
    assert!(right.world_from_node.iter().all(|world| (world.determinant() - 1.0).abs() < 1e-9));
    assert!(sizes.fold(1.0, f64::min) < 0.9);
    let (right, wrong) = between(Fault::EulerAngles);
    let turned =
        |pose: &Pose| pose.world_from_node.iter().map(|world| DQuat::from_mat4(world)).collect::<Vec<_>>();
    let apart =
        turned(&right).into_iter().zip(turned(&wrong)).map(|(a, b)| a.angle_between(b)).fold(0.0, f64::max);
    assert!(apart > 0.05, "{apart}");
}

/// Numbers of joints as a half float holds them, computed here from the bits of the format.
#[test]
fn truncated_joints_are_those_that_half_floats_round_down() {
    let model = character();
    let [good, wrong] = [None, Some(Fault::TruncatedJoints)].map(|fault| palette(&model, &walk(), fault));
    let half = |number: f64| {
        let bits = (number as f32).to_bits();
        // 13 digits fewer, to the nearest, and ties to even.
        let (kept, cut) = (bits >> 13, bits & 0x1fff);
        let up = cut > 0x1000 || (cut == 0x1000 && kept & 1 == 1);
        f32::from_bits((kept + u32::from(up)) << 13)
    };
    let mut lower = Vec::new();
    for (number, matrix) in wrong.iter().enumerate() {
        let read = (half(number as f64 / 255.0) * 255.0) as usize;
        assert_eq!(*matrix, good[read], "{number} {read}");
        assert!(read == number || read + 1 == number);
        lower.extend((read < number).then_some(number));
    }
    assert!(lower.len() > 10 && lower.len() < 40, "{lower:?}");
}

#[test]
fn plain_normals_are_turned_by_the_matrix_and_positions_stay() {
    let model = gltf::load_bytes(&builtin::glb("bend").unwrap(), None).unwrap();
    let node = model.skins[0].joints[1];
    let mut mix = ClipMix { clips: vec![0], ..ClipMix::default() };
    assert!(mix.edits.set_scale(&model, node, DVec3::new(3.0, 1.0, 0.5)));
    let choice = PoseChoice::Clips(mix);
    for mode in SkinningMode::ALL {
        let [right, wrong] = [None, Some(Fault::PlainNormals)]
            .map(|fault| skin_model(&model, mode, &posed(&model, &choice, fault)).remove(0));
        assert_eq!(right.positions, wrong.positions, "{mode}");
        let shows = fault_shows(&model, mode, &choice, Fault::PlainNormals);
        // These leave out scale.
        let has_scale = !matches!(mode, SkinningMode::DualQuatRigid | SkinningMode::DirectDeltaMush);
        assert_eq!(shows, has_scale, "{mode}");
        assert!(right.normals != wrong.normals || !has_scale, "{mode}");
        let lengths =
            wrong.normals.unwrap().into_iter().map(|normal| normal.iter().map(|n| n * n).sum::<f32>());
        assert!(lengths.into_iter().all(|length| (length - 1.0).abs() < 1e-5), "{mode}");
        // Without scale a blend of matrices still is no rotation; dual quaternions are one.
        let without_scale = fault_shows(&model, mode, &PoseChoice::clip(0, 0.5), Fault::PlainNormals);
        let is_rotation = matches!(mode, SkinningMode::Rigid | SkinningMode::DualQuat) || !has_scale;
        assert!(!(without_scale && is_rotation), "{mode}");
    }
    // A vertex of the second joint alone: its normal by hand.
    let pose = posed(&model, &choice, Some(Fault::PlainNormals));
    let primitive = &model.meshes[0].primitives[0];
    let all = primitive.influences.as_ref().unwrap();
    let alone = |vertex: &usize| all.of_vertex(0, *vertex).0[0] == 1 && all.of_vertex(0, *vertex).1[0] == 1.0;
    let vertex = (0..primitive.positions.len()).find(alone).unwrap();
    let matrix = palette(&model, &choice, None)[1];
    let stored = DVec3::from(primitive.normals.as_ref().unwrap()[vertex].map(f64::from));
    let wanted = matrix.transform_vector3(stored).normalize().to_array();
    let skinned = skin_model(&model, SkinningMode::Linear, &pose).remove(0);
    is_at(skinned.normals.unwrap()[vertex], wanted.map(|n| n as f32));
}

/// Returns the character with only "no joint" at these vertices.
fn without_joints(is_none: impl Fn(usize) -> bool) -> Model {
    let mut model = character();
    let influences = model.meshes[0].primitives[0].influences.as_mut().unwrap();
    for (number, span) in influences.spans.iter_mut().enumerate() {
        for vertex in (0..span.joints.len()).filter(|vertex| is_none(*vertex)) {
            span.joints[vertex] = [-1; 4];
            span.weights[vertex] = [if number == 0 { 1.0 } else { 0.0 }, 0.0, 0.0, 0.0];
        }
    }
    model
}

#[test]
fn vertices_of_no_joint_follow_the_first_and_others_stay_to_the_bit() {
    let (is_third, fault) = (|vertex: usize| vertex.is_multiple_of(3), Fault::NoJointAsZero);
    let (some, all, right_model) = (without_joints(is_third), without_joints(|_| true), character());
    // The first joint stands still in all clips.
    let mut mix = ClipMix { clips: vec![1], time_secs: 0.4, ..ClipMix::default() };
    assert!(mix.edits.set_rotation(&some, some.skins[0].joints[0], DQuat::from_rotation_z(0.5)));
    let choice = PoseChoice::Clips(mix);
    let first = palette(&some, &choice, None)[0];
    for mode in SkinningMode::ALL {
        let skinned = |model: &Model, fault| {
            let mut skinned = skin_model(model, mode, &posed(model, &choice, fault)).remove(0);
            (std::mem::take(&mut skinned.positions), skinned.normals.unwrap())
        };
        assert_eq!(skinned(&right_model, None), skinned(&right_model, Some(fault)), "{mode}");
        assert!(!fault_shows(&right_model, mode, &choice, fault), "{mode}");
        // In ddm, the neighbours of a vertex of no joint move with it.
        let mut cases: Vec<(&Model, &dyn Fn(usize) -> bool)> = vec![(&all, &|_| true)];
        if mode != SkinningMode::DirectDeltaMush {
            cases.push((&some, &is_third));
        }
        for (model, is_none) in cases {
            assert!(fault_shows(model, mode, &choice, fault), "{mode}");
            let (right, wrong) = (skinned(model, None), skinned(model, Some(fault)));
            let primitive = &model.meshes[0].primitives[0];
            let normals = primitive.normals.as_ref().unwrap();
            for (vertex, stored) in primitive.positions.iter().enumerate() {
                if !is_none(vertex) {
                    let bits = |(positions, normals): &(Vec<[f32; 3]>, Vec<[f32; 3]>)| {
                        [positions[vertex], normals[vertex]].map(|of| of.map(f32::to_bits))
                    };
                    assert_eq!(bits(&right), bits(&wrong), "{mode} {vertex}");
                    continue;
                }
                is_at(right.0[vertex], *stored);
                let moved = first.transform_point3(DVec3::from(stored.map(f64::from)));
                let turned = first.transform_vector3(DVec3::from(normals[vertex].map(f64::from)));
                for (place, wanted) in [(wrong.0[vertex], moved), (wrong.1[vertex], turned)] {
                    let apart = (DVec3::from(place.map(f64::from)) - wanted).length();
                    assert!(apart < 1e-5, "{mode} {vertex}: {apart}");
                }
            }
        }
    }
}

#[test]
fn an_unsorted_file_is_walked_in_its_own_order() {
    let mut model = character();
    // As if the file listed the last node before its parent.
    let last = model.rig.len() - 1;
    model.rig.file_index.iter_mut().for_each(|number| *number += 1);
    model.rig.file_index[last] = 0;
    let right = posed(&model, &walk(), None);
    let wrong = posed(&model, &walk(), Some(Fault::UnsortedParents));
    assert_eq!(wrong.world_from_node[..last], right.world_from_node[..last]);
    assert_eq!(wrong.world_from_node[last], right.locals[last].parent_from_node());
}

/// Returns rotations about y, each as a slot.
fn turns(degrees: [f32; 2]) -> [Slot; 2] {
    degrees.map(|degrees| {
        let (sin, cos) = (degrees.to_radians() * 0.5).sin_cos();
        let [_, d, diagonal, off_diagonal] = dual_quat::NO_JOINT.columns;
        Slot { columns: [[0.0, sin, 0.0, cos], d, diagonal, off_diagonal] }
    })
}

const HALVES: ([[i32; 4]; 1], [[f32; 4]; 1]) = ([[0, 1, 1, 1]], [[0.5, 0.5, 0.0, 0.0]]);

fn moved(fault: Fault, slots: &[Slot]) -> [f32; 3] {
    let (joints, weights) = (&HALVES.0[..], &HALVES.1[..]);
    let vertex = VertexSkin { joints, weights, share: 1.0, center: [0.0; 3], position: [0.0; 3], ddm: None };
    transform_position(&blend(fault, SkinningMode::DualQuat, slots, &vertex), [1.0, 2.0, 0.0])
}

fn is_at(place: [f32; 3], wanted: [f32; 3]) {
    assert!(place.iter().zip(wanted).all(|(a, b)| (a - b).abs() < 1e-6), "{place:?} {wanted:?}");
}

#[test]
fn without_normalising_vertices_are_drawn_back() {
    // Joints at 0 and 120 degrees: the blend turns by 60 with length cos 30, whose square is 3/4.
    let (sin, cos) = 60.0f32.to_radians().sin_cos();
    is_at(moved(Fault::NoNormalise, &turns([0.0, 120.0])), [0.75 * cos + 0.25, 2.0, -0.75 * sin]);
    is_at(moved(Fault::Transposed, &turns([0.0, 120.0])), [cos, 2.0, -sin]);
}

#[test]
fn without_a_sign_the_long_way_is_taken() {
    // 170 degrees and 190, the latter as the quaternion of the opposite sign: the blend is 0 instead of 180.
    let [first, second] = turns([170.0, 190.0]);
    let negative = Slot { columns: second.columns.map(|column| column.map(|number| -number)) };
    let negative =
        Slot { columns: [negative.columns[0], negative.columns[1], second.columns[2], second.columns[3]] };
    is_at(moved(Fault::NoAntipodal, &[first, negative]), [1.0, 2.0, 0.0]);
    is_at(moved(Fault::NoAntipodal, &[first, second]), [-1.0, 2.0, 0.0]);
    is_at(moved(Fault::NoNormalise, &[first, negative]), moved(Fault::NoNormalise, &[first, second]));
}

#[test]
fn faults_show_where_they_can() {
    let model = character();
    let shows = |choice: &PoseChoice, mode| {
        let shown = Fault::ALL.into_iter().filter(|fault| fault_shows(&model, mode, choice, *fault));
        shown.map(Fault::name).collect::<Vec<_>>()
    };
    let in_all = [
        "skip-inverse-bind",
        "transposed",
        "swapped-order",
        "unsorted-parents",
        "stale-palette",
        "short-palette",
        "wrong-pad",
        "quaternion-wxyz",
        "wrong-node-order",
        "truncated-joints",
    ];
    // The node of its mesh stands at the origin, and its clips have keys close together.
    let in_lbs = shows(&walk(), SkinningMode::Linear);
    assert_eq!(in_lbs, [&in_all[..], &["plain-normals"]].concat());
    let in_dqs = shows(&walk(), SkinningMode::DualQuat);
    assert!(
        in_dqs.contains(&"no-normalise") && in_dqs.contains(&"no-antipodal") && in_dqs.len() == 12,
        "{in_dqs:?}"
    );
    assert!(shows(&PoseChoice::Bind, SkinningMode::DualQuat).is_empty());
    assert!(!shows(&PoseChoice::Rest, SkinningMode::Linear).contains(&"stale-palette"));
}

#[test]
fn models_built_by_hand_do_not_panic() {
    let mut model = character();
    model.skins[0].joints.extend([99_999, usize::MAX]);
    model.skins[0].joint_from_bind = model.skins[0].joint_from_bind[..3].into();
    model.rig.parents[5] = Some(4_000_000);
    model.rig.file_index[7] = 77;
    model.rig.file_index.truncate(30);
    for fault in Fault::ALL {
        for choice in [walk(), PoseChoice::Rest, PoseChoice::Bind, PoseChoice::Clips(ClipMix::default())] {
            for mode in SkinningMode::ALL {
                let pose = posed(&model, &choice, Some(fault));
                assert_eq!(skin_model(&model, mode, &pose).len(), 1);
            }
        }
    }
}
