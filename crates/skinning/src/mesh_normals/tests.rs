//! Recomputed normals against surfaces whose normals are known, and what they must keep: creases, seams, sides, motions.

use super::*;
use crate::SkinningMode;
use crate::posed::{reference_model, skin_model};
use glam::{DQuat, Quat, Vec3};
use sinew_model::{Influences, LocalTransform, Rig, Skin, Span, builtin, gltf};

/// A grid of points `(u, v)` from 0 to 1 in two triangles per cell, with a shape's places and normals.
fn grid(count: u32, shape: impl Fn(f32, f32) -> (Vec3, Vec3)) -> Primitive {
    let mut primitive = Primitive::default();
    let (mut normals, mut tangents) = (Vec::new(), Vec::new());
    for row in 0..=count {
        for column in 0..=count {
            let [u, v] = [column, row].map(|step| step as f32 / count as f32);
            let (place, normal) = shape(u, v);
            primitive.positions.push(place.to_array());
            normals.push(normal.to_array());
            tangents.push(normal.any_orthonormal_vector().extend(-1.0).to_array());
            if row < count && column < count {
                let a = row * (count + 1) + column;
                let (b, c, d) = (a + 1, a + count + 1, a + count + 2);
                primitive.indices.extend([a, b, c, b, d, c]);
            }
        }
    }
    (primitive.normals, primitive.tangents) = (Some(normals), Some(tangents));
    primitive
}

fn flat(u: f32, v: f32) -> (Vec3, Vec3) {
    (Vec3::new(u, v, 0.0), Vec3::Z)
}

/// The unit sphere with a seam, about a centre that is not the origin.
fn ball(u: f32, v: f32) -> (Vec3, Vec3) {
    // The poles and the seam close exactly.
    let up = if v == 1.0 { (0.0, -1.0) } else { (v * std::f32::consts::PI).sin_cos() };
    let around = (if u == 1.0 { 0.0 } else { u } * std::f32::consts::TAU).sin_cos();
    let normal = Vec3::new(up.0 * around.1, up.0 * around.0, -up.1);
    (normal + Vec3::new(3.0, 0.0, 1.0), normal)
}

/// Gives vertices a second joint with a weight.
fn weigh(primitive: &mut Primitive, weight: impl Fn([f32; 3]) -> f32) {
    let weights: Vec<f32> = primitive.positions.iter().map(|place| weight(*place)).collect();
    // The heavier joint first.
    let sort = |second: f32| match second > 0.5 {
        true => ([1, 0, 0, 0], [second, 1.0 - second, 0.0, 0.0]),
        false => ([0, 1, 0, 0], [1.0 - second, second, 0.0, 0.0]),
    };
    let (joints, weights) = weights.into_iter().map(sort).unzip();
    primitive.influences = Some(Influences { spans: vec![Span { joints, weights }] });
}

/// A model of one mesh and two joints.
fn model(primitives: Vec<Primitive>) -> Model {
    let rig = Rig {
        names: vec![String::new(); 3],
        parents: vec![None; 3],
        rest: vec![LocalTransform::IDENTITY; 3],
        file_index: vec![0, 1, 2],
        ..Rig::default()
    };
    let skin =
        Skin { joints: vec![1, 2], joint_from_bind: vec![DMat4::IDENTITY; 2].into(), ..Skin::default() };
    let instances = vec![Instance { node: 0, mesh: 0, skin: Some(0) }];
    let meshes = vec![Mesh { primitives, ..Mesh::default() }];
    Model { rig, meshes, skins: vec![skin], instances, ..Model::default() }
}

/// A pose of the node and both joints.
fn pose_of(model: &Model, nodes: [DMat4; 3]) -> Pose {
    let mut pose = Pose::rest(&model.rig);
    pose.world_from_node.copy_from_slice(&nodes);
    pose
}

const STILL: DMat4 = DMat4::IDENTITY;

type Skinned = Vec<SkinnedPrimitive<f64>>;

/// Returns the vertices with moved normals, and with recomputed ones.
fn both(model: &Model, mode: SkinningMode, pose: &Pose) -> [Skinned; 2] {
    let moved: Skinned = reference_model(model, mode, pose).into_iter().map(|truth| truth.skinned).collect();
    let mut recomputed = moved.clone();
    MeshNormals::new(model).apply(model, pose, &mut recomputed);
    [moved, recomputed]
}

fn normals(skinned: &[SkinnedPrimitive<f64>]) -> impl Iterator<Item = DVec3> {
    skinned.iter().flat_map(|own| own.normals.iter().flatten()).map(|normal| DVec3::from_array(*normal))
}

/// The largest angle between normals, in degrees.
fn largest_angle(a: &[SkinnedPrimitive<f64>], b: &[SkinnedPrimitive<f64>]) -> f64 {
    assert_eq!(normals(a).count(), normals(b).count());
    normals(a).zip(normals(b)).map(|(a, b)| angle(a, b)).fold(0.0, f64::max)
}

/// The angle between two vectors in degrees; exact also for small ones.
fn angle(a: DVec3, b: DVec3) -> f64 {
    a.cross(b).length().atan2(a.dot(b)).to_degrees()
}

/// Linear blending bends a sheet. Its surface is known, and so are the true normals, which moved ones miss because weights
/// differ from vertex to vertex.
#[test]
fn a_bent_sheet_has_the_normals_of_its_surface() {
    let weight = |x: f32| 0.5 - 0.5 * (x * std::f32::consts::PI).cos();
    let mut sheet = grid(128, flat);
    weigh(&mut sheet, |[x, ..]| weight(x));
    let model = model(vec![sheet]);
    let about = DMat4::from_translation(DVec3::X * 0.5);
    let turn = about * DMat4::from_rotation_y(-1.8) * about.inverse();
    let pose = pose_of(&model, [STILL, STILL, turn]);
    let place = |x: f64| {
        let p = DVec3::new(x, 0.0, 0.0);
        p.lerp(turn.transform_point3(p), f64::from(weight(x as f32)))
    };
    let [moved, recomputed] = both(&model, SkinningMode::Linear, &pose);
    let (mut off_moved, mut off_recomputed) = (0.0_f64, 0.0_f64);
    for ((stored, moved), found) in
        model.meshes[0].primitives[0].positions.iter().zip(normals(&moved)).zip(normals(&recomputed))
    {
        let x = f64::from(stored[0]).clamp(0.01, 0.99);
        if x != f64::from(stored[0]) {
            continue;
        }
        let truth = (place(x + 1e-3) - place(x - 1e-3)).cross(DVec3::Y).normalize();
        off_moved = off_moved.max(angle(truth, moved));
        off_recomputed = off_recomputed.max(angle(truth, found));
    }
    assert!(off_recomputed < 1.5, "{off_recomputed}");
    assert!(off_moved > 15.0, "{off_moved}");
}

#[test]
fn a_ball_has_nearly_its_stored_normals_and_no_seam() {
    let mut ball = grid(64, ball);
    weigh(&mut ball, |_| 0.0);
    let model = model(vec![ball]);
    let [stored, recomputed] = both(&model, SkinningMode::Linear, &Pose::rest(&model.rig));
    let apart = largest_angle(&stored, &recomputed);
    assert!(apart > 0.0 && apart < 1.0, "{apart}");
    let found = recomputed[0].normals.as_ref().unwrap();
    for row in 0..=64 {
        assert_eq!(found[row * 65], found[row * 65 + 64], "{row}");
    }
}

/// A cube with a square for each side, corner by corner.
fn cube() -> Primitive {
    let mut cube = Primitive::default();
    let mut normals = Vec::new();
    for turn in [
        Quat::IDENTITY,
        Quat::from_rotation_x(std::f32::consts::PI),
        Quat::from_rotation_x(std::f32::consts::FRAC_PI_2),
        Quat::from_rotation_x(-std::f32::consts::FRAC_PI_2),
        Quat::from_rotation_y(std::f32::consts::FRAC_PI_2),
        Quat::from_rotation_y(-std::f32::consts::FRAC_PI_2),
    ] {
        let first = cube.positions.len() as u32;
        for [x, y] in [[-1.0, -1.0], [1.0, -1.0], [-1.0, 1.0], [1.0, 1.0]] {
            cube.positions.push((turn * Vec3::new(x, y, 1.0)).round().to_array());
            normals.push((turn * Vec3::Z).round().to_array());
        }
        cube.indices.extend([0, 1, 2, 1, 3, 2].map(|corner| first + corner));
    }
    cube.normals = Some(normals);
    cube
}

#[test]
fn creases_stay_hard_and_unskinned_primitives_have_normals_too() {
    let model = model(vec![cube()]);
    let turn = DMat4::from_rotation_x(0.7) * DMat4::from_scale(DVec3::new(2.0, 1.0, 0.5));
    let pose = pose_of(&model, [turn, STILL, STILL]);
    let creased = Creased::new(&model.meshes[0]);
    assert_eq!(creased.groups, 24, "three sides at each of eight places");
    let [moved, recomputed] = both(&model, SkinningMode::Linear, &pose);
    assert!(largest_angle(&moved, &recomputed) < 1e-5);
}

/// Two primitives share a place: the seam between them is smooth, though their weights differ.
#[test]
fn seams_between_primitives_stay_smooth() {
    let half = |from: f32| {
        let mut half = grid(8, |u, v| (Vec3::new(from + u, v, 0.0), Vec3::Z));
        weigh(&mut half, |[x, ..]| x / 2.0);
        half
    };
    let model = model(vec![half(0.0), half(1.0)]);
    let pose = pose_of(&model, [STILL, STILL, DMat4::from_rotation_y(-1.0)]);
    let [_, recomputed] = both(&model, SkinningMode::Linear, &pose);
    let [left, right] = [0, 1].map(|half: usize| recomputed[half].normals.as_ref().unwrap());
    for row in 0..=8 {
        assert_eq!(left[row * 9 + 8], right[row * 9], "{row}");
        assert_ne!(left[row * 9 + 7], right[row * 9], "{row}");
    }
}

/// Steps below the limit do not add up to a smooth side.
#[test]
fn a_chain_of_small_steps_does_not_join_two_sides() {
    let at = |degrees: f32| Quat::from_rotation_x(degrees.to_radians()) * Vec3::Z;
    let normals = [0.0, 0.8, 1.6, 0.1].map(|degrees| at(degrees).to_array()).to_vec();
    let primitive =
        Primitive { positions: vec![[1.0, 2.0, 3.0]; 4], normals: Some(normals), ..Primitive::default() };
    let mut skinned = primitive.clone();
    skinned.influences = Some(Influences::default());
    let creased = Creased::new(&Mesh { primitives: vec![primitive, skinned], ..Mesh::default() });
    assert_eq!(creased.group_of, [[0, 0, 1, 0], [2, 2, 3, 2]]);
}

#[test]
fn a_file_with_all_vertices_at_one_place_is_prepared_in_time() {
    let normal = |number: u32| {
        let turn = f64::from(number) * 2.399_963;
        let z = 1.0 - f64::from(number) * 1e-5;
        let [x, y] = [turn.cos(), turn.sin()].map(|part| part * (1.0 - z * z).sqrt());
        [x, y, z].map(|part| part as f32)
    };
    let normals: Vec<[f32; 3]> = (0..200_000).map(normal).collect();
    let positions = vec![[0.0; 3]; normals.len()];
    let primitive = Primitive { positions, normals: Some(normals), ..Primitive::default() };
    let start = std::time::Instant::now();
    let creased = Creased::new(&Mesh { primitives: vec![primitive], ..Mesh::default() });
    assert!(creased.groups > MAX_COMPARED);
    assert!(start.elapsed().as_secs() < 20, "{:?}", start.elapsed());
}

/// All of the ball is mirrored, then half of it, where weights change at once.
#[test]
fn mirrored_parts_keep_their_stored_side() {
    let mirror = DMat4::from_scale(DVec3::new(-1.0, 1.0, 1.0));
    for (mirrored, weight) in [([STILL, mirror, mirror], 0.0), ([STILL, STILL, mirror], 0.9)] {
        let mut ball = grid(32, ball);
        weigh(&mut ball, |[x, ..]| if x > 3.0 { weight } else { 0.0 });
        // The middle of a blend with its mirror image is flat: leave it out.
        let is_of_one = |corners: &&[u32; 3]| {
            let sides = corners.map(|corner| ball.positions[corner as usize][0] > 3.0);
            weight == 0.0 || sides.iter().all(|side| *side == sides[0])
        };
        let kept: Vec<[u32; 3]> = ball.indices.as_chunks::<3>().0.iter().filter(is_of_one).copied().collect();
        ball.indices = kept.into_flattened();
        let model = model(vec![ball]);
        let pose = pose_of(&model, mirrored);
        let drawn: Vec<usize> =
            model.meshes[0].primitives[0].indices.iter().map(|corner| *corner as usize).collect();
        for mode in [SkinningMode::Rigid, SkinningMode::Linear] {
            if mode == SkinningMode::Rigid && weight != 0.0 {
                continue;
            }
            let [moved, recomputed] = both(&model, mode, &pose).map(|all| normals(&all).collect::<Vec<_>>());
            for vertex in &drawn {
                assert!(moved[*vertex].dot(recomputed[*vertex]) > 0.7, "{mode}: {vertex}");
            }
        }
        let node = pose_of(&model, [mirror, STILL, STILL]);
        let mut unskinned = model.clone();
        unskinned.instances[0].skin = None;
        let [moved, recomputed] = both(&unskinned, SkinningMode::Linear, &node);
        let drawn = |skinned: &Skinned| normals(skinned).collect::<Vec<_>>()[drawn[0]];
        assert!(drawn(&moved).dot(drawn(&recomputed)) > 0.7);
    }
}

#[test]
fn normals_that_oppose_the_winding_stay_on_their_side() {
    let mut inside = grid(24, ball);
    inside.normals.as_mut().unwrap().iter_mut().for_each(|normal| *normal = normal.map(|part| -part));
    weigh(&mut inside, |_| 0.0);
    let model = model(vec![inside]);
    let [stored, recomputed] = both(&model, SkinningMode::Linear, &Pose::rest(&model.rig));
    assert!(largest_angle(&stored, &recomputed) < 5.0);
}

#[test]
fn vertices_without_an_area_keep_the_modes_normal() {
    let mut sheet = grid(1, flat);
    // A vertex of no triangle, one of a point, and three of a triangle that has no area.
    sheet.positions.extend([[5.0, 0.0, 0.0], [9.0, 0.1, 0.0], [9.0, 0.2, 0.0], [9.0, 0.3, 0.0]]);
    let slanted = [0.0, 0.6, 0.8];
    let normals = sheet.normals.as_mut().unwrap();
    normals.extend([slanted; 4]);
    normals[0] = slanted;
    sheet.tangents = None;
    sheet.indices.extend([5, 6, 7, 4, 4, 5]);
    let points = Primitive { topology: Topology::Points, ..sheet.clone() };
    let mut lost = sheet.clone();
    lost.positions.iter_mut().for_each(|place| place[2] = 1.0);
    let model = model(vec![sheet, points, lost]);
    let mut skinned: Skinned = reference_model(&model, SkinningMode::Linear, &Pose::rest(&model.rig))
        .into_iter()
        .map(|truth| truth.skinned)
        .collect();
    skinned[2].positions[3] = [f64::NAN; 3];
    let before = skinned.clone();
    MeshNormals::new(&model).apply(&model, &Pose::rest(&model.rig), &mut skinned);
    let of = |all: &Skinned, primitive: usize| all[primitive].normals.clone().unwrap();
    assert_eq!(of(&skinned, 0)[0], [0.0, 0.0, 1.0]);
    assert_eq!(of(&skinned, 0)[4..], of(&before, 0)[4..]);
    // Triangles of the first primitive are not at the places of the third.
    assert_eq!(of(&skinned, 2)[0], [0.0, 0.0, 1.0]);
    assert_eq!(of(&skinned, 2)[3], of(&before, 2)[3]);
    // A point at a triangle's corner has its group.
    assert_eq!(of(&skinned, 1)[1..4], of(&skinned, 0)[1..4]);
    assert_eq!(of(&skinned, 1)[4..], of(&before, 1)[4..]);
}

/// A corner of a box has three sides, of which one is two triangles there; their diagonal must not count.
#[test]
fn triangles_count_by_their_angles() {
    let normal = DVec3::ONE.normalize();
    let positions = vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 1.0, 0.0]];
    let stored = vec![normal.to_array().map(|part| part as f32); positions.len()];
    let indices = vec![0, 1, 4, 0, 4, 2, 0, 2, 3, 0, 3, 1];
    let sides = Primitive { positions, normals: Some(stored), indices, ..Primitive::default() };
    let model = model(vec![sides]);
    let [_, recomputed] = both(&model, SkinningMode::Linear, &Pose::rest(&model.rig));
    let corner = normals(&recomputed).next().unwrap();
    assert!(angle(corner, normal) < 1e-5, "{corner}");
}

#[test]
fn triangles_that_cancel_have_no_direction() {
    let [x, y] = [DVec3::X, DVec3::Y];
    assert!(facet([DVec3::ZERO, x, y]).is_some_and(|(normal, _)| normal == DVec3::Z));
    assert!(facet([DVec3::ZERO, x, x * 0.5 + y * 1e-9]).is_none(), "less than rounding");
    assert!(facet([DVec3::ZERO, x, DVec3::NAN]).is_none() && facet([x; 3]).is_none());
    assert!(direction(DVec4::new(0.0, 1e-9, 0.0, 3.0)).is_none() && direction(DVec4::ZERO).is_none());
    assert_eq!(direction(DVec4::new(0.0, 0.5, 0.0, 3.0)), Some(y));
}

/// Every mode, with every joint of a figure moved alike, by a turn and a move.
#[test]
fn a_motion_of_the_whole_turns_recomputed_normals_alike() {
    let model = gltf::load_bytes(&builtin::glb("character").unwrap(), None).unwrap();
    let rest = Pose::rest(&model.rig);
    let turn = DQuat::from_euler(glam::EulerRot::XYZ, 0.4, 2.0, -0.9);
    let motion = DMat4::from_rotation_translation(turn, DVec3::new(0.3, 2.0, -1.0));
    let mut turned = rest.clone();
    turned.world_from_node.iter_mut().for_each(|node| *node = motion * *node);
    for mode in SkinningMode::ALL {
        let [_, before] = both(&model, mode, &rest);
        let [_, after] = both(&model, mode, &turned);
        let furthest = normals(&before).zip(normals(&after)).map(|(a, b)| (turn * a - b).length());
        assert!(furthest.fold(0.0, f64::max) < 1e-5, "{mode}");
    }
}

/// In every mode, `f32` as pictures and files have it agrees with `f64`, all are unit vectors, tangents are orthogonal.
#[test]
fn all_modes_have_unit_normals_and_orthogonal_tangents() {
    let mut sheet = grid(24, flat);
    weigh(&mut sheet, |[x, ..]| x);
    let model = model(vec![sheet]);
    let turn = DMat4::from_rotation_y(-2.0) * DMat4::from_rotation_x(1.0);
    let pose = pose_of(&model, [STILL, STILL, turn]);
    for mode in SkinningMode::ALL {
        let [moved, recomputed] = both(&model, mode, &pose);
        let apart = largest_angle(&moved, &recomputed);
        assert!(apart > 1.0, "{mode}: {apart}");
        assert_eq!(moved[0].positions, recomputed[0].positions);
        let mut rounded = skin_model(&model, mode, &pose);
        MeshNormals::new(&model).apply(&model, &pose, &mut rounded);
        let rounded: Skinned = rounded.into_iter().map(|own| own.map(f64::from)).collect();
        let apart = largest_angle(&rounded, &recomputed);
        assert!(apart < 0.02, "{mode}: {apart}");
        let tangents = recomputed[0].tangents.as_ref().unwrap();
        let moved = moved[0].tangents.as_ref().unwrap();
        for ((normal, tangent), moved) in normals(&recomputed).zip(tangents).zip(moved) {
            let along = DVec4::from_array(*tangent).truncate();
            assert!((normal.length() - 1.0).abs() < 1e-12 && (along.length() - 1.0).abs() < 1e-12);
            assert!(normal.dot(along).abs() < 1e-12, "{mode}");
            assert_eq!(tangent[3], moved[3]);
        }
    }
}

#[test]
fn names_are_read_back() {
    for normals in Normals::ALL {
        assert_eq!(normals.to_string().parse(), Ok(normals));
    }
    assert!("flat".parse::<Normals>().is_err());
    assert!(Normals::Moved.prepare(&Model::default()).is_none());
    assert!(Normals::Recomputed.prepare(&Model::default()).is_some());
}
