//! Delta mush against another derivation, and what it must keep: the bind pose, rigid motions, seams, units, shapes.

use super::*;
use crate::SkinningMode;
use crate::pose::PoseChoice;
use crate::posed::reference_surfaces;
use crate::{Yardstick, posed};
use glam::{DMat3, DMat4, DQuat};
use sinew_model::{Deltas, Influences, LocalTransform, Morphs, Rig, Skin, Span, Topology, builtin, gltf};

/// A bumpy sheet of two primitives, far from the origin, with a seam where their weights differ.
fn sheet() -> Mesh {
    let mut halves = [Primitive::default(), Primitive::default()];
    for (side, primitive) in halves.iter_mut().enumerate() {
        let (mut joints, mut weights, mut normals) = (Vec::new(), Vec::new(), Vec::new());
        for y in 0..6 {
            for x in side * 3..side * 3 + 4 {
                let (x, y) = (x as f32, y as f32);
                primitive.positions.push([x + 40.0, y + 0.2 * (x * 1.3).sin(), (x * y * 0.7).cos() - 30.0]);
                // Exact numbers, which sum to one.
                let a = ((x / 6.0 + 0.1 * side as f32).min(1.0) * 64.0).round() / 64.0;
                joints.push([0, 1, 0, 0]);
                weights.push([1.0 - a, a, 0.0, 0.0]);
                normals.push([0.0, 0.0, 1.0]);
            }
        }
        for y in 0..5 {
            for x in 0..3 {
                let a = y * 4 + x;
                primitive.indices.extend([a, a + 1, a + 4, a + 1, a + 5, a + 4]);
            }
        }
        primitive.tangents = Some(vec![[1.0, 0.0, 0.0, -1.0]; 24]);
        primitive.normals = Some(normals);
        primitive.influences = Some(Influences { spans: vec![Span { joints, weights }] });
    }
    Mesh { primitives: halves.into(), ..Mesh::default() }
}

/// A model of one mesh and two joints.
fn model(mesh: Mesh) -> Model {
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
    Model { rig, meshes: vec![mesh], skins: vec![skin], instances, ..Model::default() }
}

fn pose(model: &Model, joints: [DMat4; 2]) -> Pose {
    let mut pose = Pose::rest(&model.rig);
    pose.world_from_node[1..].copy_from_slice(&joints);
    pose
}

fn bent() -> [DMat4; 2] {
    let pivot = DVec3::new(43.0, 2.0, -30.0);
    let turn = DMat4::from_quat(DQuat::from_axis_angle(DVec3::new(0.0, 0.6, 0.8), 1.4));
    [DMat4::IDENTITY, DMat4::from_translation(pivot) * turn * DMat4::from_translation(-pivot)]
}

fn settings(weights: Weights) -> Settings {
    Settings { iterations: 7, factor: 0.6, weights }
}

fn mushed(model: &Model, settings: Settings, pose: &Pose) -> Vec<SkinnedPrimitive<f64>> {
    let mut skinned = Vec::new();
    Yardstick::Mush(settings).measure(model).surfaces_into(model, pose, &mut skinned);
    skinned
}

fn blended(model: &Model, pose: &Pose) -> Vec<SkinnedPrimitive<f64>> {
    let mut skinned = Vec::new();
    reference_surfaces(model, SkinningMode::Linear, pose, &mut skinned);
    skinned
}

fn places(skinned: &[SkinnedPrimitive<f64>]) -> Vec<DVec3> {
    skinned.iter().flat_map(|own| own.positions.iter().map(|place| DVec3::from(*place))).collect()
}

fn furthest(a: &[DVec3], b: &[DVec3]) -> f64 {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).map(|(a, b)| a.distance(*b)).fold(0.0, f64::max)
}

/// Smooths with a matrix of all pairs of points.
fn smoothed(mut places: Vec<DVec3>, joined: &[Vec<bool>], settings: Settings) -> Vec<DVec3> {
    for _ in 0..settings.iterations {
        let step = |i: usize| {
            let around: Vec<DVec3> = (0..places.len()).filter(|&j| joined[i][j]).map(|j| places[j]).collect();
            let count = around.len() as f64;
            let goal: DVec3 = match settings.weights {
                Weights::Uniform => around.iter().sum::<DVec3>() / count,
                Weights::Lengths => {
                    let whole: f64 = around.iter().map(|at| at.distance(places[i])).sum();
                    let share = |at: &DVec3| (*at - places[i]) * (at.distance(places[i]) / whole);
                    places[i] + around.iter().map(share).sum::<DVec3>() * (2.0 / count)
                }
            };
            places[i].lerp(goal, settings.factor)
        };
        places = (0..places.len()).map(step).collect();
    }
    places
}

/// Returns the axes of a corner, with the middle of its two edges as the first, and the angle inside it.
fn axes(at: DVec3, before: DVec3, after: DVec3) -> (DMat3, f64) {
    let (a, b) = ((before - at).normalize(), (after - at).normalize());
    let normal = b.cross(a).normalize();
    (DMat3::from_cols((a + b).normalize(), normal.cross((a + b).normalize()), normal), a.angle_between(b))
}

/// Delta mush with points found by comparing all places, and corners point by point.
fn derived(model: &Model, blended: &[DVec3], settings: Settings) -> Vec<DVec3> {
    let primitives = &model.meshes[0].primitives;
    let stored = primitives.iter().flat_map(|primitive| &primitive.positions);
    let stored: Vec<DVec3> = stored.map(|place| DVec3::from(place.map(f64::from))).collect();
    let alike = |i: usize| (0..stored.len()).filter(|&j| stored[i] == stored[j]).collect::<Vec<_>>();
    let first: Vec<usize> = (0..stored.len()).map(|i| alike(i)[0]).collect();
    let mut firsts = 0;
    let mut triangles: Vec<[usize; 3]> = Vec::new();
    for primitive in primitives {
        let corners = primitive.indices.as_chunks::<3>().0.iter();
        triangles.extend(corners.map(|corners| corners.map(|corner| first[firsts + corner as usize])));
        firsts += primitive.positions.len();
    }
    let mut joined = vec![vec![false; stored.len()]; stored.len()];
    for [a, b, c] in &triangles {
        for (a, b) in [(a, b), (b, c), (c, a)] {
            (joined[*a][*b], joined[*b][*a]) = (true, true);
        }
    }
    let mean = |i: usize| alike(i).iter().map(|&j| blended[j]).sum::<DVec3>() / alike(i).len() as f64;
    let joined: Vec<Vec<bool>> = first.iter().map(|&i| joined[i].clone()).collect();
    let posed = smoothed((0..stored.len()).map(mean).collect(), &joined, settings);
    let rest = smoothed(stored.clone(), &joined, settings);
    let moved = |i: usize| {
        let (mut sum, mut whole) = (DVec3::ZERO, 0.0);
        for triangle in &triangles {
            let Some(at) = triangle.iter().position(|corner| *corner == first[i]) else { continue };
            let [here, next, last] = [0, 1, 2].map(|step| triangle[(at + step) % 3]);
            let (frame, inside) = axes(posed[here], posed[last], posed[next]);
            let (before, _) = axes(rest[here], rest[last], rest[next]);
            let weight = std::f64::consts::PI - inside;
            sum += frame * (before.inverse() * (stored[i] - rest[i])) * weight;
            whole += weight;
        }
        posed[i] + sum / whole
    };
    (0..stored.len()).map(moved).collect()
}

#[test]
fn vertices_are_where_another_derivation_puts_them() {
    let model = model(sheet());
    let pose = pose(&model, bent());
    let blended = places(&blended(&model, &pose));
    for weights in [Weights::Uniform, Weights::Lengths] {
        let found = places(&mushed(&model, settings(weights), &pose));
        let off = furthest(&found, &derived(&model, &blended, settings(weights)));
        assert!(off < 1e-12 && furthest(&found, &blended) > 0.1, "{weights:?}: {off:e}");
    }
}

#[test]
fn the_bind_pose_is_the_stored_mesh() {
    let mut models: Vec<Model> = ["character", "bend", "strip"]
        .iter()
        .map(|name| gltf::load_bytes(&builtin::glb(name).unwrap(), None).unwrap())
        .collect();
    models.push(model(sheet()));
    for model in &mut models {
        // No rounding of inverse bind matrices.
        model
            .skins
            .iter_mut()
            .for_each(|skin| skin.joint_from_bind = vec![DMat4::IDENTITY; skin.joints.len()].into());
        model.rig.rest.fill(LocalTransform::IDENTITY);
        let mut pose = Pose::rest(&model.rig);
        for weights in [Weights::Uniform, Weights::Lengths] {
            let [found, plain] = [mushed(model, settings(weights), &pose), blended(model, &pose)];
            assert!(places(&found) == places(&plain), "{weights:?}");
            let stored = model.meshes.iter().flat_map(|mesh| &mesh.primitives);
            let stored =
                stored.flat_map(|own| own.positions.iter().map(|place| DVec3::from(place.map(f64::from))));
            assert!(places(&found).into_iter().eq(stored), "{weights:?}");
        }
        pose.set(model, &PoseChoice::Bind);
        assert_eq!(mushed(model, Settings::default(), &pose), blended(model, &pose));
    }
}

#[test]
fn rigid_motions_and_units_change_nothing() {
    let settings = settings(Weights::Lengths);
    let plain = model(sheet());
    let whole = DMat4::from_rotation_translation(DQuat::from_rotation_x(2.0), DVec3::new(5.0, -7.0, 1.0));
    let place = |joints: [DMat4; 2]| joints.map(|joint| whole * joint);
    let there = places(&mushed(&plain, settings, &pose(&plain, place(bent()))));
    let here = places(&mushed(&plain, settings, &pose(&plain, bent())));
    let moved: Vec<DVec3> = here.iter().map(|place| whole.transform_point3(*place)).collect();
    assert!(furthest(&there, &moved) < 1e-12);
    // The same mesh stored in other units and axes, which the joints undo at rest.
    let units = DMat4::from_scale_rotation_translation(
        DVec3::new(-0.5, 0.5, 0.5),
        DQuat::from_rotation_x(1.0),
        DVec3::ZERO,
    );
    let mut other = plain.clone();
    for position in other.meshes[0].primitives.iter_mut().flat_map(|own| &mut own.positions) {
        *position =
            units.inverse().transform_point3(DVec3::from(position.map(f64::from))).as_vec3().to_array();
    }
    other.skins[0].joint_from_bind = vec![units; 2].into();
    let found = places(&mushed(&other, settings, &pose(&other, bent())));
    assert!(furthest(&found, &here) < 1e-4, "{}", furthest(&found, &here));
}

#[test]
fn seams_stay_closed_and_normals_turn_with_the_surface() {
    let model = model(sheet());
    let pose = pose(&model, bent());
    let found = mushed(&model, settings(Weights::Uniform), &pose);
    let plain = blended(&model, &pose);
    for y in 0..6 {
        let at = |skinned: &[SkinnedPrimitive<f64>]| {
            [skinned[0].positions[4 * y + 3], skinned[1].positions[4 * y]]
        };
        let [[left, right], [before, after]] = [at(&found), at(&plain)];
        assert_eq!(left, right);
        assert_ne!(before, after, "weights differ there");
    }
    let mut truths = posed::reference_model(&model, SkinningMode::Linear, &pose);
    let mut all: Vec<SkinnedPrimitive<f64>> = truths.drain(..).map(|truth| truth.skinned).collect();
    DeltaMush::new(&model, settings(Weights::Uniform)).apply(&model, &pose, &mut all);
    // The last column follows the second joint, which turns by its whole angle.
    let [_, joint] = bent();
    let expected = joint.transform_vector3(DVec3::Z);
    let (normals, tangents) = (all[1].normals.as_ref().unwrap(), all[1].tangents.as_ref().unwrap());
    assert!(DVec3::from(normals[3]).dot(expected) > 0.95, "{:?}", normals[3]);
    for ([x, y, z], [a, b, c, side]) in normals.iter().zip(tangents) {
        let (normal, tangent) = (DVec3::new(*x, *y, *z), DVec3::new(*a, *b, *c));
        assert!((normal.length() - 1.0).abs() < 1e-12 && normal.dot(tangent).abs() < 1e-12 && *side == -1.0);
    }
}

/// A closed bar of square rings whose weights change over its middle.
fn bar() -> Mesh {
    let mut bar = Primitive::default();
    let (mut joints, mut weights) = (Vec::new(), Vec::new());
    for ring in 0..25_u32 {
        for side in 0..8_u32 {
            let along = ring as f32 * 0.25;
            let (sine, cosine) = (side as f32 * std::f32::consts::FRAC_PI_4).sin_cos();
            bar.positions.push([along, 0.7 * cosine, 0.7 * sine]);
            let a = ((ring as f32 - 5.0) / 14.0).clamp(0.0, 1.0);
            joints.push([0, 1, 0, 0]);
            weights.push([1.0 - a, a, 0.0, 0.0]);
            let [here, next] = [8 * ring + side, 8 * ring + (side + 1) % 8];
            if ring < 24 {
                bar.indices.extend([here, next, here + 8, next, next + 8, here + 8]);
            }
        }
    }
    for side in 1..7 {
        bar.indices.extend([0, side + 1, side, 192, 192 + side, 193 + side]);
    }
    bar.influences = Some(Influences { spans: vec![Span { joints, weights }] });
    Mesh { primitives: vec![bar], ..Mesh::default() }
}

#[test]
fn a_bent_bar_keeps_its_volume() {
    let model = model(bar());
    let volume = |skinned: &[SkinnedPrimitive<f64>]| {
        let indices = model.meshes[0].primitives[0].indices.as_chunks::<3>().0;
        let at = |corner: u32| DVec3::from(skinned[0].positions[corner as usize]);
        indices.iter().map(|&[a, b, c]| at(a).dot(at(b).cross(at(c))) / 6.0).sum::<f64>()
    };
    let middle = DMat4::from_translation(DVec3::X * 3.0);
    let whole = volume(&blended(&model, &pose(&model, [DMat4::IDENTITY; 2])));
    let settings = Settings { iterations: 20, ..Settings::default() };
    for turn in [DQuat::from_rotation_z(1.6), DQuat::from_rotation_x(1.6)] {
        let pose = pose(&model, [DMat4::IDENTITY, middle * DMat4::from_quat(turn) * middle.inverse()]);
        let off = |skinned: &[SkinnedPrimitive<f64>]| (volume(skinned) / whole - 1.0).abs();
        let [plain, mushed] = [off(&blended(&model, &pose)), off(&mushed(&model, settings, &pose))];
        assert!(
            plain > 0.1 && mushed < 0.5 * plain,
            "{turn}: {mushed} of the volume off, and {plain} in lbs"
        );
    }
}

#[test]
fn morph_targets_change_the_bind_mesh() {
    let mut mesh = sheet();
    let deltas = Deltas::new(24, &[vec![(9, [0.0, 0.0, 2.0]), (10, [0.0, 0.5, 1.0])]]);
    mesh.primitives[0].morphs = Some(Morphs { positions: deltas, ..Morphs::default() });
    let mut model = model(mesh);
    model.rig.rest_weights = vec![0.5];
    model.rig.weight_ends = vec![1; 3];
    let mut rest = pose(&model, [DMat4::IDENTITY; 2]);
    rest.weights = vec![0.5];
    let [found, plain] = [mushed(&model, Settings::default(), &rest), blended(&model, &rest)];
    assert!(furthest(&places(&found), &places(&plain)) < 1e-12);
    assert!(
        (plain[0].positions[9][2] - f64::from(model.meshes[0].primitives[0].positions[9][2]) - 1.0).abs()
            < 1e-6
    );
}

/// Parts without a frame stay as blended, and a number that is none spreads no further than smoothing reaches.
#[test]
fn odd_surfaces_do_no_harm() {
    let mut mesh = sheet();
    let primitive = &mut mesh.primitives[1];
    // A loose vertex; a triangle without area, one twice, one on an edge of two others; one that has a corner twice.
    for place in [[50.0, 50.0, 50.0], [43.5, 0.1, -29.0], [44.0, 9.0, -20.0]] {
        primitive.positions.push(place);
        primitive.normals.as_mut().unwrap().push([0.0, 0.0, 1.0]);
        primitive.tangents.as_mut().unwrap().push([1.0, 0.0, 0.0, 1.0]);
        let span = &mut primitive.influences.as_mut().unwrap().spans[0];
        span.joints.push([0, 1, 0, 0]);
        span.weights.push([0.5, 0.5, 0.0, 0.0]);
    }
    primitive.indices.extend([0, 1, 4, 5, 6, 26, 2, 2, 3, 25, 25, 25]);
    let lines = Primitive {
        topology: Topology::Lines,
        indices: vec![0, 1],
        positions: vec![[1.0, 2.0, 3.0], [40.0, 0.0, -29.0]],
        ..Primitive::default()
    };
    mesh.primitives.push(lines);
    let model = model(mesh);
    let pose_of = |joints| pose(&model, joints);
    let [found, plain] =
        [mushed(&model, Settings::default(), &pose_of(bent())), blended(&model, &pose_of(bent()))];
    assert!(places(&found).iter().all(|place| place.is_finite()));
    assert_eq!(found[1].positions[24..26], plain[1].positions[24..26], "loose");
    assert_eq!(found[2].positions, plain[2].positions, "not skinned");
    assert_ne!(found[1].positions[26], plain[1].positions[26]);
    // The second joint's part is no number; two rings away from it, vertices move as if it were one.
    let lost = [DMat4::IDENTITY, DMat4::from_scale(DVec3::NAN)];
    let once = Settings { iterations: 1, ..Settings::default() };
    let [found, plain] = [mushed(&model, once, &pose_of(lost)), blended(&model, &pose_of(lost))];
    let is_lost = |skinned: &[SkinnedPrimitive<f64>]| -> Vec<bool> {
        places(skinned).iter().map(|place| !place.is_finite()).collect()
    };
    assert_eq!(is_lost(&found), is_lost(&plain));
    assert!(is_lost(&plain).contains(&true) && is_lost(&plain).contains(&false));
    // A collapsed mesh has no frames at all.
    let flat = [DMat4::from_scale(DVec3::ZERO); 2];
    assert_eq!(places(&mushed(&model, once, &pose_of(flat))), places(&blended(&model, &pose_of(flat))));
    assert_eq!(places(&mushed(&Model::default(), once, &Pose::default())), []);
}
