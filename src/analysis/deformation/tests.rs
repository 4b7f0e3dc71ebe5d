//! Tests on meshes made by hand, against closed forms, and on the built-in models.

use std::f64::consts::{PI, TAU};

use glam::{DMat4, DQuat, DVec3};

use super::*;
use sinew_model::{
    Deltas, Influences, Instance, LocalTransform, Mesh, Model, Morphs, Primitive, Rig, Skin, Span, Topology,
    builtin, gltf,
};
use sinew_skinning::SkinningMode;
use sinew_skinning::pose::{Pose, PoseChoice};
use sinew_skinning::posed::{SkinnedPrimitive, reference_model};

/// A mesh drawn once: without joints, or with a chain of joints at these heights above the origin.
fn model(primitives: Vec<Primitive>, joints: &[f64]) -> Model {
    let mut rig = Rig::default();
    let mut add = |parent: Option<u32>, y: f64| {
        let translation = DVec3::new(0.0, y, 0.0);
        rig.names.push(String::new());
        rig.parents.push(parent);
        rig.rest.push(LocalTransform::Trs { translation, rotation: DQuat::IDENTITY, scale: DVec3::ONE });
        rig.file_index.push(rig.file_index.len() as u32);
    };
    add(None, 0.0);
    for (number, y) in joints.iter().enumerate() {
        let below = number.checked_sub(1);
        add(below.map(|below| below as u32 + 1), y - below.map_or(0.0, |below| joints[below]));
    }
    let inverse = |y: &f64| DMat4::from_translation(DVec3::new(0.0, -y, 0.0));
    let skin = Skin {
        joints: (1..=joints.len()).collect(),
        joint_from_bind: joints.iter().map(inverse).collect(),
        ..Skin::default()
    };
    Model {
        rig,
        meshes: vec![Mesh { primitives, ..Mesh::default() }],
        skins: vec![skin],
        instances: vec![Instance { node: 0, mesh: 0, skin: (!joints.is_empty()).then_some(0) }],
        ..Model::default()
    }
}

fn primitive(positions: Vec<[f32; 3]>, indices: &[u32]) -> Primitive {
    Primitive { positions, indices: indices.to_vec(), ..Primitive::default() }
}

fn with_joints(mut primitive: Primitive, of: impl Fn([f32; 3]) -> ([i32; 4], [f32; 4])) -> Primitive {
    let (joints, weights) = primitive.positions.iter().map(|&position| of(position)).unzip();
    primitive.influences = Some(Influences { spans: vec![Span { joints, weights }] });
    primitive
}

/// The sides of the unit cube, two triangles each, outside out.
const SIDES: [[usize; 4]; 6] =
    [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];

/// Some sides of a cube, each with four vertices of its own.
fn cube(sides: &[[usize; 4]]) -> Primitive {
    let corner = |&number: &usize| [number & 1, number >> 1 & 1, number >> 2 & 1].map(|bit| bit as f32);
    let positions = sides.iter().flatten().map(corner).collect();
    let indices: Vec<u32> =
        (0..sides.len() as u32).flat_map(|side| [0, 1, 2, 0, 2, 3].map(|corner| 4 * side + corner)).collect();
    primitive(positions, &indices)
}

/// A square of cells in the plane z = 0, each cut by the diagonal that avoids its corner nearest to the origin.
fn grid(cells: u32) -> Primitive {
    let row = cells + 1;
    let positions =
        (0..row * row).map(|number| [(number % row) as f32, (number / row) as f32, 0.0]).collect();
    let cell = |number: u32| {
        let a = number / cells * row + number % cells;
        [a, a + 1, a + row, a + 1, a + row + 1, a + row]
    };
    primitive(positions, &(0..cells * cells).flat_map(cell).collect::<Vec<_>>())
}

/// An open tube around the y axis from −1 to 2, with rings a quarter apart.
fn tube(radius: f32) -> Primitive {
    let (rings, around) = (13, 24);
    let position = |number: u32| {
        let angle = f64::from(number % around) / f64::from(around) * TAU;
        let y = (number / around) as f32 / 4.0 - 1.0;
        [radius * angle.cos() as f32, y, radius * angle.sin() as f32]
    };
    let quad = |number: u32| {
        let (ring, at, next) = (number / around * around, number % around, (number + 1) % around);
        let [a, b] = [ring + at, ring + next];
        [a, a + around, b, b, a + around, b + around]
    };
    let indices: Vec<u32> = (0..(rings - 1) * around).flat_map(quad).collect();
    primitive((0..rings * around).map(position).collect(), &indices)
}

/// Weights that go from joint 0 to joint 1 around y = 1, where they are equal.
fn twisting([_, y, _]: [f32; 3]) -> ([i32; 4], [f32; 4]) {
    let upper = y.clamp(0.5, 1.5) - 0.5;
    if upper > 0.5 {
        ([1, 0, 0, 0], [upper, 1.0 - upper, 0.0, 0.0])
    } else {
        ([0, 1, 1, 1], [1.0 - upper, upper, 0.0, 0.0])
    }
}

/// The rest pose with rotations of some nodes.
fn turned_by(model: &Model, turns: &[(usize, DQuat)]) -> Pose {
    let mut pose = Pose::rest(&model.rig);
    for &(node, turn) in turns {
        if let LocalTransform::Trs { rotation, .. } = &mut pose.locals[node] {
            *rotation = turn;
        }
    }
    pose.update_world(&model.rig);
    pose
}

fn skin(model: &Model, mode: SkinningMode, pose: &Pose) -> Vec<SkinnedPrimitive<f64>> {
    reference_model(model, mode, pose).into_iter().map(|truth| truth.skinned).collect()
}

/// Measures a model whose stored positions are moved by hand.
fn moved(model: &Model, by: impl Fn(DVec3) -> DVec3) -> Frame {
    let pose = Pose::rest(&model.rig);
    let mut skinned = skin(model, SkinningMode::Rigid, &pose);
    for position in skinned.iter_mut().flat_map(|skinned| &mut skinned.positions) {
        *position = by(DVec3::from_array(*position)).to_array();
    }
    measure(&Shape::new(model).unwrap(), model, &pose, 0.0, &skinned, &mut Scratch::default())
}

/// Measures two poses, one after the other, and returns the second frame.
fn after(model: &Model, mode: SkinningMode, poses: [&Pose; 2]) -> Frame {
    let shape = Shape::new(model).unwrap();
    let mut scratch = Scratch::default();
    let [first, second] =
        poses.map(|pose| measure(&shape, model, pose, 0.0, &skin(model, mode, pose), &mut scratch));
    assert_eq!(first.jump, None);
    second
}

#[track_caller]
fn close(a: f64, b: f64) {
    assert!((a - b).abs() < 1e-9, "{a} is not {b}");
}

#[test]
fn volumes_follow_scale_and_mirroring_far_from_the_origin() {
    let model = model(vec![cube(&SIDES)], &[]);
    let shape = Shape::new(&model).unwrap();
    let [part] = shape.parts() else { panic!("{:?}", shape.parts()) };
    assert_eq!((part.points, part.triangles, part.primitives.as_slice()), (8, 12, &[0][..]));
    close(part.volume, 1.0);
    for (scale, volume) in
        [([2.0, 1.0, 1.0], 2.0), ([-1.0, 1.0, 1.0], -1.0), ([1.0, 0.0, 1.0], 0.0), ([0.5; 3], 0.125)]
    {
        let found = moved(&model, |p| p * DVec3::from_array(scale) + DVec3::splat(1e9)).volume.unwrap();
        close(found.smallest, volume);
        close(found.largest, volume);
    }
    // A second cube, half the size of the first in a pose.
    let mut two = model.clone();
    let apart: Vec<_> = cube(&SIDES).positions.iter().map(|[x, y, z]| [x + 5.0, *y, *z]).collect();
    two.meshes[0].primitives.push(Primitive { positions: apart, ..cube(&SIDES) });
    let found = moved(&two, |p| if p.x > 4.0 { p * 0.5 } else { p }).volume.unwrap();
    assert_eq!((found.smallest_at, found.largest_at), (1, 0));
    close(found.smallest, 0.125);
    close(found.largest, 1.0);
}

#[test]
fn primitives_of_an_instance_are_welded() {
    let halves = model(vec![cube(&SIDES[..3]), cube(&SIDES[3..])], &[]);
    let shape = Shape::new(&halves).unwrap();
    let [part] = shape.parts() else { panic!("{:?}", shape.parts()) };
    assert_eq!(part.primitives, [0, 1]);
    let expected = Counts { vertices: 24, points: 8, triangles: 12, edges: 18, skipped_sections: 0 };
    assert_eq!(shape.counts(), expected);
    close(moved(&halves, |p| p * 2.0).volume.unwrap().largest, 8.0);
    // A cube without a side, and one with a side turned over, are not closed.
    assert_eq!(Shape::new(&model(vec![cube(&SIDES[..5])], &[])).unwrap().parts(), []);
    let mut over = SIDES;
    over[0].reverse();
    assert_eq!(Shape::new(&model(vec![cube(&over)], &[])).unwrap().parts(), []);
    // A triangle and its back are closed, but enclose nothing.
    let flat = primitive(vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], &[0, 1, 2, 0, 2, 1]);
    assert_eq!(Shape::new(&model(vec![flat], &[])).unwrap().parts(), []);
    // Instances are not welded: two halves of a cube are not closed.
    let mut apart = model(vec![cube(&SIDES[..3])], &[]);
    apart.meshes.push(Mesh { primitives: vec![cube(&SIDES[3..])], ..Mesh::default() });
    apart.instances.push(Instance { node: 0, mesh: 1, skin: None });
    assert_eq!(Shape::new(&apart).unwrap().parts(), []);
}

#[test]
fn triangles_turned_over_are_found() {
    let follow = |[x, ..]: [f32; 3]| ([i32::from(x > 1.5), i32::from(x < 1.5), 0, 0], [0.75, 0.25, 0.0, 0.0]);
    let mut sheet = model(vec![with_joints(grid(4), follow)], &[0.0, 1.0]);
    let corner =
        |to: [f64; 3]| moved(&sheet, |p| if p == DVec3::ZERO { DVec3::from_array(to) } else { p }).turned;
    let vertex = |vertex| Some(Place { instance: 0, primitive: 0, vertex });
    assert_eq!(corner([1.5, 1.2, 0.0]), Turned { count: 1, largest: vertex(0) });
    // On the line between its other corners it has no area, and before it everything is in order.
    assert_eq!(corner([0.5, 0.5, 0.0]), Turned::default());
    assert_eq!(corner([0.4, 0.4, 0.0]), Turned::default());
    // Rounding does not turn it, where it has no area or stands upright.
    assert_eq!(corner([0.5, 0.5 + 1e-12, 0.0]), Turned::default());
    assert_eq!(corner([0.5, 0.5 + 1e-9, 1.0]), Turned::default());
    // A column of cells that folds back over the next one turns over as a whole; the last row is made the highest.
    sheet.meshes[0].primitives[0].positions.iter_mut().for_each(|p| p[1] *= p[1]);
    let folded = moved(&sheet, |p| DVec3::new(3.0 - (3.0 - p.x).abs(), p.y, p.z)).turned;
    assert_eq!((folded.count, folded.largest), (8, vertex(18)));
    // What no skin moves, or one joint alone, cannot be turned, wherever it is put.
    let alone = with_joints(grid(4), |_| ([1; 4], [1.0, 0.0, 0.0, 0.0]));
    for fixed in [model(vec![grid(4)], &[]), model(vec![alone], &[0.0, 1.0])] {
        assert_eq!(moved(&fixed, |p| DVec3::new(-p.x, p.y, p.z)).turned.count, 0);
    }

    // One joint that explains it is enough, even if it is not the heaviest. "No joint" stays as it is.
    let mirrored = |model: &Model, degrees: f64| {
        let pose = turned_by(model, &[(2, DQuat::from_rotation_x(degrees.to_radians()))]);
        let mut skinned = skin(model, SkinningMode::Rigid, &Pose::rest(&model.rig));
        skinned[0].positions.iter_mut().for_each(|p| p[1] = -p[1]);
        let shape = Shape::new(model).unwrap();
        measure(&shape, model, &pose, 0.0, &skinned, &mut Scratch::default()).turned.count
    };
    assert_eq!([0.0, 180.0].map(|degrees| mirrored(&sheet, degrees)), [32, 0]);
    let none = with_joints(grid(4), |_| ([-1, 99, 0, 0], [0.75, 0.25, 0.0, 0.0]));
    assert_eq!(mirrored(&model(vec![none], &[0.0, 1.0]), 180.0), 32);

    // What all joints turn, or mirror, alike is not turned over.
    for mode in SkinningMode::ALL {
        let turned = |scale: f64, degrees: f64| {
            let mut pose = turned_by(&sheet, &[(1, DQuat::from_rotation_x(degrees.to_radians()))]);
            pose.world_from_node.iter_mut().for_each(|node| node.x_axis *= scale);
            after(&sheet, mode, [&pose, &pose]).turned.count
        };
        assert_eq!([turned(1.0, 0.0), turned(1.0, 180.0), turned(-1.0, 75.0)], [0; 3], "{mode}");
    }
    // The right half slides left, past the left half: the column between them turns over.
    let mut pose = Pose::rest(&sheet.rig);
    pose.world_from_node[2].w_axis.x = -3.0;
    assert_eq!(after(&sheet, SkinningMode::Linear, [&pose, &pose]).turned.count, 8);
}

#[test]
fn stretch_is_by_nearest_rank() {
    // 20 edges along x, 20 along y, 16 diagonals.
    let grid = model(vec![grid(4)], &[]);
    let found = moved(&grid, |p| DVec3::new(2.0 * p.x, p.y, p.z)).stretch.unwrap();
    assert_eq!((found.p1, found.p99), (1.0, 2.0));
    close(found.p50, 2.5f64.sqrt());
    let found = moved(&grid, |p| DVec3::new(p.x, 0.25 * p.y, p.z)).stretch.unwrap();
    assert_eq!((found.p1, found.p99), (0.25, 1.0));
    close(found.p50, (1.0625f64 / 2.0).sqrt());
}

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
    // Beside a tube there is nothing around the joint, and the cut of an open surface comes to an end.
    let mut beside = nested.clone();
    beside.skins[0].joint_from_bind.iter_mut().for_each(|joint| joint.w_axis.x = 0.6);
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
    // In the middle, half of 179 degrees becomes half of −179: a chord over 179 degrees. The upper joint alone would
    // have gone 2 degrees.
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

/// What is measured, without the jump and the time.
fn shape_of(frame: &Frame) -> Frame {
    Frame { time: 0.0, jump: None, ..frame.clone() }
}

fn assert_finite(frame: &Frame) {
    let json = serde_json::to_string(frame).unwrap();
    assert_eq!(&serde_json::from_str::<Frame>(&json).unwrap(), frame, "{json}");
}

#[test]
fn every_built_in_model_is_measured() {
    for listed in builtin::list() {
        let name = listed.name.replace("-N", "-40");
        let model = gltf::load_bytes(&builtin::glb(&name).unwrap(), None).unwrap();
        let shape = Shape::new(&model).unwrap();
        let mut choices = vec![PoseChoice::Bind];
        let times = [0.0, 0.05, 0.1, 1.0, 1.9, 2.0, 2.1];
        choices
            .extend((0..model.clips.len()).flat_map(|clip| times.map(|time| PoseChoice::clip(clip, time))));
        let mut frames = Vec::new();
        for mode in SkinningMode::ALL {
            let mut scratch = Scratch::default();
            let mut pose = Pose::default();
            for (number, choice) in choices.iter().enumerate() {
                pose.set(&model, choice);
                let skinned = skin(&model, mode, &pose);
                let frame = measure(&shape, &model, &pose, number as f64, &skinned, &mut scratch);
                assert_finite(&frame);
                assert!(mode == SkinningMode::DualQuat || frame.jump.is_none(), "{name} {mode} {frame:?}");
                let again = measure(&shape, &model, &pose, 0.0, &skinned, &mut scratch);
                assert_eq!((shape_of(&again), again.jump), (shape_of(&frame), None));
                frames.push(frame);
            }
        }
        let bind = &frames[0];
        assert_eq!((bind.lost, bind.turned.count), (0, 0));
        for found in [bind.volume, bind.section].into_iter().flatten() {
            close(found.smallest, 1.0);
            close(found.largest, 1.0);
        }
        let stretch = bind.stretch.unwrap();
        for ratio in [stretch.p1, stretch.p50, stretch.p99] {
            close(ratio, 1.0);
        }
        assert_eq!(frames[0].volume.is_some(), name != "strip", "{name}");
        assert_eq!(shape.sections().is_empty(), name == "strip", "{name}");
    }
}

#[test]
fn the_candy_wrapper_is_seen_on_the_twisted_rod() {
    let model = gltf::load_bytes(&builtin::glb("twist").unwrap(), None).unwrap();
    let mut pose = Pose::default();
    pose.set(&model, &PoseChoice::clip(0, 2.0));
    let shape = Shape::new(&model).unwrap();
    let frame =
        |mode| measure(&shape, &model, &pose, 2.0, &skin(&model, mode, &pose), &mut Scratch::default());
    let (linear, dual_quat) = (frame(SkinningMode::Linear), frame(SkinningMode::DualQuat));
    assert!(linear.section.unwrap().smallest < 0.05, "{linear:?}");
    assert!((dual_quat.section.unwrap().smallest - 1.0).abs() < 0.01, "{dual_quat:?}");
    assert!(linear.volume.unwrap().smallest < 0.8, "{linear:?}");
    assert!((dual_quat.volume.unwrap().smallest - 1.0).abs() < 0.05, "{dual_quat:?}");
}

#[test]
fn lost_vertices_are_counted_and_spoil_nothing_else() {
    let mut two = model(vec![cube(&SIDES), grid(4)], &[]);
    two.meshes[0].primitives[1].positions.iter_mut().for_each(|position| position[2] = 9.0);
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e300] {
        let frame = moved(&two, |p| if p.length() == 0.0 { DVec3::new(0.0, bad, bad) } else { p * 2.0 });
        assert_eq!(frame.lost, if bad.is_finite() { 0 } else { 3 });
        assert_finite(&frame);
        assert_eq!((frame.volume, frame.turned.count), (None, 0));
        close(frame.stretch.unwrap().p50, 2.0);
        let all = moved(&two, |_| DVec3::splat(bad));
        assert_finite(&all);
        assert_eq!(all.lost, if bad.is_finite() { 0 } else { 49 });
        assert_eq!(all.stretch.is_some(), bad.is_finite());
    }
}

#[test]
fn hostile_models_are_measured_without_harm() {
    let tube = || with_joints(tube(0.25), twisting);
    let fan = primitive(
        vec![[0.0; 3], [0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [-1.0, 0.0, 0.0]],
        &[0, 1, 2, 0, 1, 3, 0, 1, 4, 0, 0, 1, 2, 2, 2, 1, 2],
    );
    let mut broken = tube();
    broken.positions.iter_mut().step_by(7).for_each(|p| p[0] = f32::NAN);
    broken.positions.iter_mut().skip(3).step_by(11).for_each(|p| *p = [f32::MAX, f32::MIN, 0.0]);
    broken.indices.push(9999);
    let lines = Primitive { topology: Topology::Lines, ..grid(3) };
    let mut short = tube();
    short.influences.as_mut().unwrap().spans[0].joints.truncate(5);
    let spanless = Primitive { influences: Some(Influences::default()), ..tube() };
    let wild = with_joints(tube(), |_| ([-1, i32::MIN, i32::MAX, 99], [0.25; 4]));
    let all = vec![tube(), fan, Primitive::default(), broken, lines, short, spanless, wild];
    let mut hostile = model(all, &[0.0, 1.0, 1.0, f64::NAN, f64::INFINITY, 1e300]);
    hostile.skins.push(Skin { joints: vec![1, 2, 999, 2, 2], ..Skin::default() });
    for skin in [Some(0), Some(1), Some(77), None] {
        hostile.instances.push(Instance { node: 2, mesh: 0, skin });
        hostile.instances.push(Instance { node: 999, mesh: 0, skin });
        hostile.instances.push(Instance { node: 0, mesh: 5, skin });
    }
    for model in [hostile, model(Vec::new(), &[0.0, 1.0]), Model::default()] {
        let shape = Shape::new(&model).unwrap();
        for mode in SkinningMode::ALL {
            let mut scratch = Scratch::default();
            for degrees in [0.0, 45.0, f64::NAN] {
                let turns = [(2, DQuat::from_rotation_y(degrees))];
                let pose = turned_by(&model, if model.rig.is_empty() { &[] } else { &turns });
                let mut skinned = skin(&model, mode, &pose);
                assert_finite(&measure(&shape, &model, &pose, 0.0, &skinned, &mut scratch));
                // Vertices of something else.
                skinned.iter_mut().for_each(|skinned| skinned.positions.truncate(20));
                skinned.pop();
                assert_finite(&measure(&shape, &model, &pose, 0.0, &skinned, &mut scratch));
            }
        }
    }
}

#[test]
fn vertices_without_a_place_are_not_welded() {
    let mut lost = grid(1);
    lost.positions.insert(0, [f32::NAN; 3]);
    lost.indices.iter_mut().for_each(|vertex| *vertex += 1);
    lost.indices.extend([0, 1, 2]);
    let counts = Shape::new(&model(vec![lost], &[])).unwrap().counts();
    assert_eq!((counts.points, counts.triangles, counts.edges), (5, 2, 5));
}

/// Nothing explains how a vertex without a joint moves.
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

#[test]
fn what_draws_too_much_is_refused() {
    let mut crowd = model(vec![grid(100)], &[]);
    let one = crowd.instances[0];
    crowd.instances = vec![one; 10_000];
    let refused = Shape::new(&crowd).err().unwrap();
    assert_eq!(refused, TooLarge { vertices: 102_010_000, triangles: 200_000_000 });
    assert!(refused.to_string().contains("102010000 vertices"));
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
