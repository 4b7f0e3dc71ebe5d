//! Tests of sections and jumps in poses, against closed forms.

use std::sync::Arc;

use super::*;

#[test]
fn a_twisted_tube_has_the_closed_form_at_its_joint() {
    let tube = model(vec![with_joints(tube(0.25), twisting)], &[0.0, 1.0]);
    let shape = Shape::new(&tube).unwrap();
    let [low, high] = shape.sections() else { panic!("{:?}", shape.sections()) };
    assert_eq!((low.joint, low.node, high.joint, high.node), (0, 1, 1, 2));
    assert!((high.radius - 0.25).abs() < 1e-6 && (low.radius - 0.25).abs() < 1e-6);
    let mut scratch = Scratch::default();
    for degrees in [0.0, 30.0, 90.0, 135.0, 170.0, 179.0f64] {
        let turn = degrees.to_radians();
        let pose = turned_by(&tube, &[(2, DQuat::from_rotation_y(turn))]);
        let mut section = |mode| {
            let frame = measure(&shape, &tube, &pose, 0.0, &skin(&tube, mode, &pose), &mut scratch);
            frame.section.unwrap()
        };
        let linear = section(SkinningMode::Linear);
        close(linear.smallest, (turn / 2.0).cos());
        close(linear.largest, 1.0);
        assert_eq!(linear.smallest_at, usize::from(degrees > 0.0));
        let dual_quat = section(SkinningMode::DualQuat);
        close(dual_quat.smallest, 1.0);
        close(dual_quat.largest, 1.0);
    }
}

#[test]
fn a_section_is_the_smallest_loop_around_the_joint() {
    let around = |radius| with_joints(tube(radius), twisting);
    let nested = model(vec![around(0.5), around(0.25)], &[0.0, 1.0]);
    let radii = |model: &Model| {
        Shape::new(model).unwrap().sections().iter().map(|section| section.radius).collect::<Vec<_>>()
    };
    assert!(radii(&nested).iter().all(|radius| (radius - 0.25).abs() < 1e-6) && radii(&nested).len() == 2);
    // Beside a tube nothing surrounds the joint, and the cut of an open surface ends.
    let mut beside = nested.clone();
    Arc::make_mut(&mut beside.skins[0].joint_from_bind).iter_mut().for_each(|joint| joint.w_axis.x = 0.6);
    assert_eq!(radii(&beside), [0.0; 0]);
    let mut slit = model(vec![around(0.25)], &[0.0, 1.0]);
    slit.meshes[0].primitives[0].indices.truncate(12 * 6 * 24 - 6 * 24);
    let slit_indices = &mut slit.meshes[0].primitives[0].indices;
    *slit_indices = slit_indices.chunks(6 * 24).flat_map(|ring| ring[6..].to_vec()).collect();
    assert_eq!(radii(&slit), [0.0; 0]);
    // A single joint has no bone.
    assert_eq!(radii(&model(vec![around(0.25)], &[0.0])), [0.0; 0]);
}

#[test]
fn dual_quaternions_jump_where_they_take_the_other_way_round() {
    let tube = model(vec![with_joints(tube(0.25), twisting)], &[0.0, 1.0]);
    let turn = |degrees: f64| turned_by(&tube, &[(2, DQuat::from_rotation_y(degrees.to_radians()))]);
    let (before, beyond) = (turn(179.0), turn(181.0));
    let found = after(&tube, SkinningMode::DualQuat, [&before, &beyond]).jump.unwrap();
    // In the middle, half of 179 degrees becomes half of −179: a chord over 179 degrees. The upper joint
    // alone would have gone 2 degrees.
    let chord = |degrees: f64| 2.0 * 0.25 * (degrees / 2.0).to_radians().sin();
    assert!((found.metres - (chord(179.0) - chord(2.0))).abs() < 1e-6, "{found:?}");
    let at = tube.meshes[0].primitives[0].positions[found.vertex.vertex];
    assert_eq!((found.vertex.instance, found.vertex.primitive, at[1]), (0, 0, 1.0));
    for (mode, poses) in [
        (SkinningMode::Linear, [&before, &beyond]),
        (SkinningMode::Rigid, [&before, &beyond]),
        (SkinningMode::DualQuat, [&turn(100.0), &turn(102.0)]),
    ] {
        assert_eq!(after(&tube, mode, poses).jump, None, "{mode}");
    }
    // A new clip begins without a previous frame.
    let shape = Shape::new(&tube).unwrap();
    let mut scratch = Scratch::default();
    let mode = SkinningMode::DualQuat;
    measure(&shape, &tube, &before, 0.0, &skin(&tube, mode, &before), &mut scratch);
    scratch.restart();
    let first = measure(&shape, &tube, &beyond, 0.0, &skin(&tube, mode, &beyond), &mut scratch);
    assert_eq!(first.jump, None);
}

/// Half a turn of a joint between two frames, about any axis: linear blending never jumps.
#[test]
fn linear_blending_never_jumps() {
    let tube = model(vec![with_joints(tube(0.25), twisting)], &[0.0, 1.0]);
    let shape = Shape::new(&tube).unwrap();
    for mode in [SkinningMode::Linear, SkinningMode::Rigid] {
        let mut scratch = Scratch::default();
        for number in 0..40 {
            let number = f64::from(number);
            let axis = DVec3::new(number.sin(), (3.0 * number).cos(), 0.3).normalize();
            let turns =
                [1, 2].map(|node| (node, DQuat::from_axis_angle(axis, number * node as f64 * PI / 7.0)));
            let pose = turned_by(&tube, &turns);
            let frame = measure(&shape, &tube, &pose, number, &skin(&tube, mode, &pose), &mut scratch);
            assert_eq!(frame.jump, None);
        }
    }
}

#[test]
fn morph_targets_and_fixed_vertices_do_not_jump() {
    let fixed = |position: [f32; 3]| match position {
        [x, ..] if x > 0.2 => ([-1, 7, 0, 0], [0.5, 0.25, 0.25, 0.0]),
        _ => twisting(position),
    };
    let mut tube = with_joints(tube(0.25), fixed);
    let out = (0..tube.positions.len() as u32).map(|vertex| (vertex, [0.0, 3.0, 1.0])).collect();
    tube.morphs = Some(Morphs { positions: Deltas::new(tube.positions.len(), &[out]), ..Morphs::default() });
    let mut tube = model(vec![tube], &[0.0, 1.0]);
    tube.rig.rest_weights = vec![0.0];
    tube.rig.weight_ends = vec![1, 1, 1];
    let pose = |degrees: f64, weight: f64| {
        let turn = DQuat::from_rotation_z(degrees.to_radians());
        let mut pose = turned_by(&tube, &[(1, turn), (2, turn.inverse())]);
        pose.weights = vec![weight];
        pose
    };
    for (from, to) in [((0.0, 0.0), (0.0, 1.0)), ((10.0, 0.25), (20.0, 1.0)), ((90.0, 1.0), (90.0, 0.0))] {
        for mode in [SkinningMode::Rigid, SkinningMode::Linear] {
            let found = after(&tube, mode, [&pose(from.0, from.1), &pose(to.0, to.1)]).jump;
            assert_eq!(found, None, "{mode} {from:?}");
        }
    }
}

/// No joint explains the motion of a vertex without a joint.
#[test]
fn vertices_without_a_joint_jump_as_far_as_they_move() {
    for joint in [-1, 99] {
        let fixed = with_joints(grid(4), |_| ([joint; 4], [1.0, 0.0, 0.0, 0.0]));
        let model = model(vec![fixed], &[0.0, 1.0]);
        let (shape, mut scratch) = (Shape::new(&model).unwrap(), Scratch::default());
        let pose = Pose::rest(&model.rig);
        let mut skinned = skin(&model, SkinningMode::Linear, &pose);
        assert_eq!(measure(&shape, &model, &pose, 0.0, &skinned, &mut scratch).jump, None);
        skinned[0].positions[4][2] += 0.5;
        skinned[0].positions[7][0] -= 0.75;
        let jump = measure(&shape, &model, &pose, 0.0, &skinned, &mut scratch).jump.unwrap();
        close(jump.metres, 0.75);
        assert_eq!(jump.vertex, Place { instance: 0, primitive: 0, vertex: 7 });
    }
}
