//! The built-in models equal the output of their recipes and have the promised properties. Nothing here may
//! depend on the loader: the tests compare the files with their own generator.

use std::collections::HashMap;
use std::sync::OnceLock;

use glam::{DMat4, DQuat, DVec3, Vec3};
use sinew_model::{Model, Primitive};
use sinew_skinning::SkinningMode;
use sinew_skinning::pose::{ClipMix, Pose, PoseChoice};
use sinew_skinning::posed::{SkinnedPrimitive, skin_model};

use sinew_tools::recipes;

fn character() -> &'static Model {
    static MADE: OnceLock<Model> = OnceLock::new();
    MADE.get_or_init(|| recipe("character")())
}

fn recipe(name: &str) -> recipes::Recipe {
    recipes::recipe(name).unwrap_or_else(|| unreachable!("there is no recipe for {name}"))
}

fn body() -> &'static Primitive {
    &character().meshes[0].primitives[0]
}

fn assert_stored(name: &str, made: &Model) {
    let made = recipes::file(name, made).unwrap_or_default();
    let stored = std::fs::read(recipes::path(name)).unwrap_or_default();
    let same = made.iter().zip(stored.iter()).take_while(|(a, b)| a == b).count();
    assert!(
        !made.is_empty() && made == stored,
        "assets/{name}.glb is not what its recipe makes (first difference at byte {same}); \
         `cargo run --release -p sinew-tools --bin generate_assets` writes it anew"
    );
}

#[test]
fn recipes_still_make_the_stored_files() {
    for (name, recipe) in recipes::ALL {
        if name == "character" {
            assert_stored(name, character());
        } else {
            assert_stored(name, &recipe());
        }
    }
}

#[test]
fn the_comparison_of_files_can_fail() {
    let mut moved = recipe("twist")();
    moved.meshes[0].primitives[0].positions[0][0] += 1e-6;
    assert!(std::panic::catch_unwind(|| assert_stored("twist", &moved)).is_err());
}

#[test]
fn the_character_is_a_closed_surface() {
    // Vertices are doubled where colours meet: weld those at the same position.
    let body = body();
    let mut welded: HashMap<[u32; 3], usize> = HashMap::new();
    let mut weld = |v: u32| {
        let next = welded.len();
        *welded.entry(body.positions[v as usize].map(f32::to_bits)).or_insert(next)
    };
    let corners: Vec<usize> = body.indices.iter().map(|&v| weld(v)).collect();
    let mut edges: HashMap<(usize, usize), i32> = HashMap::new();
    for t in corners.chunks_exact(3) {
        for k in 0..3 {
            *edges.entry((t[k], t[(k + 1) % 3])).or_default() += 1;
        }
    }
    let good = edges.iter().all(|(&(a, b), &count)| count == 1 && edges.get(&(b, a)) == Some(&1));
    assert!(good, "an edge does not have exactly two triangles, one each way");
    assert!(body.positions.len() >= 8_000, "{} vertices", body.positions.len());
    let faces = corners.len() as i64 / 3;
    assert_eq!(welded.len() as i64 - edges.len() as i64 / 2 + faces, 2, "a hole or a handle");
}

#[test]
fn the_character_stands_on_the_floor_and_is_symmetric() {
    let places = &body().positions;
    let low = places.iter().map(|p| p[1]).fold(f32::INFINITY, f32::min);
    let high = places.iter().map(|p| p[1]).fold(f32::NEG_INFINITY, f32::max);
    assert!(low.abs() < 0.002 && (1.75..1.85).contains(&high), "from {low} to {high}");
    let known: std::collections::HashSet<_> = places.iter().map(|p| p.map(f32::to_bits)).collect();
    let mirrored = |p: &[f32; 3]| [if p[0] == 0.0 { 0.0 } else { -p[0] }, p[1], p[2]].map(f32::to_bits);
    assert!(places.iter().all(|p| known.contains(&mirrored(p))));
}

#[test]
fn the_character_is_bound_in_an_a_and_rests_in_a_t() {
    let model = character();
    let (rig, skin) = (&model.rig, &model.skins[0]);
    let mut world: Vec<DMat4> = Vec::new();
    for (local, parent) in rig.rest.iter().zip(&rig.parents) {
        let above = parent.map_or(DMat4::IDENTITY, |parent| world[parent as usize]);
        world.push(above * local.parent_from_node());
    }
    let node = |name: &str| rig.names.iter().position(|own| own == name).unwrap_or(usize::MAX);
    let bound = |node: usize| {
        let joint = skin.joints.iter().position(|joint| *joint == node).unwrap_or(usize::MAX);
        skin.joint_from_bind[joint].inverse().w_axis.truncate()
    };
    // The angle of a bone below the horizontal, in degrees.
    let below = |from: DVec3, to: DVec3| -(to - from).normalize().y.asin().to_degrees();
    for side in ["L", "R"] {
        let arm = ["upper_arm", "forearm", "hand"].map(|name| node(&format!("{name}.{side}")));
        for bone in arm.windows(2) {
            let at_rest = [bone[0], bone[1]].map(|node| world[node].w_axis.truncate());
            assert!(below(at_rest[0], at_rest[1]).abs() < 1.0, "{side}");
            assert!((40.0..50.0).contains(&below(bound(bone[0]), bound(bone[1]))), "{side}");
        }
        // All clips turn the arms, so that none shows the rest pose's.
        for clip in &model.clips {
            let has_keys = |node: &usize| clip.channels.iter().any(|channel| channel.node == *node);
            assert!(arm.iter().all(has_keys), "{}", clip.name);
        }
    }
}

/// Tangents are perpendicular to normals and point where u grows; up in the texture is where v falls. The right
/// half is the left one's mirror image, so both kinds of handedness occur.
#[test]
fn the_characters_tangents_follow_its_texture_coordinates() {
    let body = body();
    let (normals, tangents) = (body.normals.as_ref().unwrap(), body.tangents.as_ref().unwrap());
    let vector = |v: &[f32]| DVec3::new(v[0].into(), v[1].into(), v[2].into());
    for (normal, tangent) in normals.iter().zip(tangents) {
        let (n, t) = (vector(normal), vector(tangent));
        assert!((t.length() - 1.0).abs() < 1e-6 && n.dot(t).abs() < 1e-6, "{normal:?} {tangent:?}");
        assert!(tangent[3].abs() == 1.0);
    }
    for side in [-1.0, 1.0] {
        assert!(tangents.iter().filter(|t| t[3] == side).count() > tangents.len() / 3);
    }
    let (mut along, mut upward, mut triangles) = (0, 0, 0);
    for t in body.indices.chunks_exact(3) {
        let [a, b, c] = [0, 1, 2].map(|k| t[k] as usize);
        let [pa, pb, pc] = [a, b, c].map(|v| vector(&body.positions[v]));
        let [ta, tb, tc] = [a, b, c].map(|v| body.texcoords[0][v].map(f64::from));
        let (du1, dv1, du2, dv2) = (tb[0] - ta[0], tb[1] - ta[1], tc[0] - ta[0], tc[1] - ta[1]);
        let area = du1 * dv2 - du2 * dv1;
        if area.abs() < 1e-9 {
            continue;
        }
        let u = ((pb - pa) * dv2 - (pc - pa) * dv1) / area;
        let v = ((pc - pa) * du1 - (pb - pa) * du2) / area;
        let (normal, tangent) = (vector(&normals[a]), vector(&tangents[a]));
        let up = normal.cross(tangent) * f64::from(tangents[a][3]);
        triangles += 1;
        along += u32::from(u.dot(tangent) > 0.0);
        upward += u32::from(v.dot(up) < 0.0);
    }
    // At poles and folds a triangle may go the other way.
    assert!(triangles > 30_000, "{triangles} triangles have coordinates");
    assert!(
        along > triangles * 98 / 100 && upward > triangles * 98 / 100,
        "{along}, {upward} of {triangles}"
    );
}

#[test]
fn the_characters_weights_are_exact() {
    let influences = body().influences.as_ref().unwrap();
    assert_eq!(influences.spans.len(), 1);
    let joints = character().skins[0].joints.len() as i32;
    assert!(joints >= 40);
    let span = &influences.spans[0];
    let mut moves = vec![false; joints as usize];
    for (joints_of, weights) in span.joints.iter().zip(&span.weights) {
        assert_eq!(weights.iter().sum::<f32>(), 1.0);
        assert!(weights.is_sorted_by(|a, b| a >= b));
        for (&joint, &weight) in joints_of.iter().zip(weights) {
            assert!((0..joints).contains(&joint));
            moves[joint as usize] |= weight > 0.0;
        }
    }
    // The root carries the figure; every other joint carries skin.
    assert_eq!(moves.iter().filter(|m| !**m).count(), 1);
}

#[test]
fn the_characters_clips_are_named_and_close() {
    let names: Vec<&str> = character().clips.iter().map(|c| c.name.as_str()).collect();
    assert_eq!(names, ["idle", "walk", "wave", "range-of-motion"]);
    for clip in &character().clips {
        for channel in &clip.channels {
            let width = channel.values.len() / channel.times.len();
            let (first, last) = (&channel.values[..width], &channel.values[channel.values.len() - width..]);
            // q and −q are the same rotation.
            let apart = |sign: f32| first.iter().zip(last).all(|(a, b)| (a - sign * b).abs() < 2e-3);
            let whole = channel.times.len() == 1 || (channel.times[0] == 0.0 && apart(1.0) || apart(-1.0));
            assert!(whole, "{}: node {} jumps when the clip starts over", clip.name, channel.node);
        }
    }
}

/// The heaviest joint stays the heaviest only where all weight goes to it; seams stay closed in every case.
#[test]
fn the_elbows_shape_takes_linear_blending_to_dual_quaternions() {
    let model = recipe("elbow")();
    let skinned = |mode: SkinningMode, time: f64, weight: Option<f64>| {
        let mut mix = ClipMix { clips: vec![0], time_secs: time, ..ClipMix::default() };
        if let Some(weight) = weight {
            assert!(mix.edits.set_weight(&model, 0, 0, weight));
        }
        let mut pose = Pose::default();
        pose.set(&model, &PoseChoice::Clips(mix));
        skin_model(&model, mode, &pose).remove(0)
    };
    let apart = |a: &SkinnedPrimitive<f32>, b: &SkinnedPrimitive<f32>| {
        let pairs = a.positions.iter().zip(&b.positions);
        pairs.map(|(a, b)| Vec3::from(*a).distance(Vec3::from(*b))).fold(0.0, f32::max)
    };
    // 90 degrees at 1 s; elsewhere the clip's weight comes nearer than none.
    for (time, most) in [(0.0, 0.0), (0.5, 0.5), (1.0, 0.0), (1.5, 0.9)] {
        let wanted = skinned(SkinningMode::DualQuat, time, Some(0.0));
        let [with, without] = [None, Some(0.0)].map(|weight| skinned(SkinningMode::Linear, time, weight));
        let (with_shape, alone) = (apart(&with, &wanted), apart(&without, &wanted));
        assert!(with_shape <= most * alone + 1e-5, "{time}: {with_shape} {alone}");
        if time == 1.0 {
            let turned = |one: &SkinnedPrimitive<f32>| one.normals.clone().unwrap_or_default();
            let normals = turned(&with).into_iter().zip(turned(&wanted));
            let apart = normals.map(|(a, b)| Vec3::from(a).distance(Vec3::from(b))).fold(0.0, f32::max);
            assert!(alone > 0.01 && apart < 1e-4, "{alone} {apart}");
        }
    }
}

/// A driver gives the shape the weight of the angle in poses without keys: the bend by hand is that of the clip.
#[test]
fn the_elbows_shape_follows_its_angle_in_any_pose() {
    let model = recipe("elbow")();
    let posed = |clips: Vec<usize>, time_secs: f64, degrees: Option<f64>| {
        let mut mix = ClipMix { clips, time_secs, ..ClipMix::default() };
        if let Some(degrees) = degrees {
            assert!(mix.edits.set_rotation(&model, 2, DQuat::from_rotation_z(-degrees.to_radians())));
        }
        let mut pose = Pose::default();
        pose.set(&model, &PoseChoice::Clips(mix));
        pose.weights[0]
    };
    // In the clip the elbow bends by 90 degrees a second.
    for time in [0.0, 0.25, 0.6, 1.0, 1.5, 2.0] {
        let wanted = posed(vec![0], time, None);
        for clips in [vec![], vec![0]] {
            let found = posed(clips, 0.0, Some(90.0 * time));
            assert!((found - wanted).abs() < 0.03, "{time}: {found} {wanted}");
        }
    }
    assert_eq!((posed(vec![], 0.0, Some(-90.0)), posed(vec![0], 1.0, Some(0.0))), (0.0, 0.0));
    let mut mix = ClipMix::default();
    assert!(mix.edits.set_rotation(&model, 2, DQuat::from_rotation_z(-1.5)));
    assert!(mix.edits.set_weight(&model, 0, 0, 0.25));
    let mut pose = Pose::default();
    pose.set(&model, &PoseChoice::Clips(mix));
    assert_eq!(pose.weights, [0.25], "a weight by hand stays");
}

/// Neither the brow nor the cheek blinks, the jaw opens the mouth without a tear beside it, and both are symmetric.
#[test]
fn the_characters_face_moves_where_it_should() {
    let (body, names) = (body(), &character().meshes[0].target_names);
    assert_eq!(*names, ["jaw", "blink"]);
    let moves =
        body.morphs.as_ref().and_then(|morphs| morphs.positions.as_ref()).map(|moves| moves.by_target(2));
    let moved: Vec<HashMap<u32, Vec3>> = moves
        .unwrap_or_default()
        .into_iter()
        .map(|moves| moves.into_iter().map(|(vertex, by)| (vertex, Vec3::from(by))).collect())
        .collect();
    let at = |vertex: u32| Vec3::from(body.positions[vertex as usize]);
    for (vertex, by) in &moved[1] {
        let at = at(*vertex);
        assert!(
            (1.667..1.6945).contains(&at.y) && (0.0135..0.0515).contains(&at.x.abs()),
            "{at} blinks by {by}"
        );
    }
    let drop = moved[0].values().map(|by| -by.y).fold(0.0, f32::max);
    assert!(drop > 0.015 && moved[1].values().any(|by| by.y < -0.002), "{drop}");
    let jaw = |vertex: u32| at(vertex) + moved[0].get(&vertex).copied().unwrap_or_default();
    for corners in body.indices.as_chunks::<3>().0 {
        for (a, b) in [(corners[0], corners[1]), (corners[1], corners[2]), (corners[2], corners[0])] {
            if at(a).x.abs().min(at(b).x.abs()) > 0.024 {
                let stretch = jaw(a).distance(jaw(b)) / at(a).distance(at(b));
                assert!((0.3..2.0).contains(&stretch), "{} to {}: {stretch}", at(a), at(b));
            }
        }
    }
    let key = |at: Vec3| at.to_array().map(f32::to_bits);
    for moved in &moved {
        let by_place: HashMap<_, _> = moved.iter().map(|(vertex, by)| (key(at(*vertex)), *by)).collect();
        for (vertex, by) in moved.iter().filter(|(vertex, _)| at(**vertex).x > 0.0) {
            let mirror = Vec3::new(-1.0, 1.0, 1.0);
            assert_eq!(by_place.get(&key(at(*vertex) * mirror)), Some(&(*by * mirror)));
        }
    }
}

#[test]
fn spoilt_weights_are_weights() {
    use sinew_tools::spoil::{Spoil, spoil};
    let weights = |model: &Model, vertex: usize| {
        let influences = model.meshes[0].primitives[0].influences.as_ref();
        influences.map(|influences| influences.of_vertex(0, vertex)).unwrap_or_default()
    };
    let model = character();
    for (name, how) in Spoil::ALL {
        let mut spoilt = model.clone();
        spoil(&mut spoilt, how);
        let (mut places, mut changed, mut used) = (HashMap::new(), 0, 0);
        for (vertex, position) in body().positions.iter().enumerate() {
            let (before, after) = (weights(model, vertex), weights(&spoilt, vertex));
            let sum: f32 = after.1.iter().sum();
            assert!(
                (sum - 1.0).abs() < 1e-6 && after.1.is_sorted_by(|a, b| a >= b),
                "{name} {vertex}: {after:?}"
            );
            assert!(how != Spoil::Rigid || (after.0[0] == before.0[0] && after.1[0] == 1.0), "{vertex}");
            changed += usize::from(before != after);
            used += after.1.iter().filter(|weight| **weight > 0.0).count();
            assert_eq!(*places.entry(position.map(f32::to_bits)).or_insert(after), after, "{name} {vertex}");
        }
        let count = body().positions.len();
        assert!(changed > count / 2, "{name}: {changed} of {count}");
        assert!((how == Spoil::Rigid) == (used == count), "{name}: {used} weights of {count} vertices");
    }
}
