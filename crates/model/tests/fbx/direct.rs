//! Clips against scenes that `ufbx` evaluates at that very time: every vertex, with inherited scales and geometric offsets
//! left as the file has them. What the reader makes of them are helper nodes, samples and keys.

use std::collections::BTreeMap;
use std::path::Path;

use glam::{DMat4, DVec3};
use sinew_model::{Model, Options, fbx};
use sinew_skinning::SkinningMode;
use sinew_skinning::pose::PoseChoice;

use crate::document::{Cluster, Document, Key, Node, property, vector};

/// Tolerances of a vertex at a frame and between frames, as shares of the size.
const AT_FRAMES: f64 = 2e-6;
const BETWEEN: f64 = 1e-5;

/// The vertices of each mesh on each node, by the mesh's number and the node's name.
type Vertices = BTreeMap<(usize, String), Vec<DVec3>>;

fn point(at: &ufbx::Vec3) -> DVec3 {
    DVec3::new(at.x, at.y, at.z)
}

fn transformed(by: &ufbx::Matrix, at: &ufbx::Vec3) -> DVec3 {
    let column = |x: f64, y: f64, z: f64| DVec3::new(x, y, z);
    column(by.m00, by.m10, by.m20) * at.x
        + column(by.m01, by.m11, by.m21) * at.y
        + column(by.m02, by.m12, by.m22) * at.z
        + column(by.m03, by.m13, by.m23)
}

/// The scene with nothing converted but axes and units, as the reader's root has them.
pub fn scene_of(bytes: &[u8]) -> ufbx::SceneRoot {
    let how = ufbx::LoadOpts {
        clean_skin_weights: true,
        target_axes: ufbx::CoordinateAxes::right_handed_y_up(),
        target_unit_meters: 1.0,
        space_conversion: ufbx::SpaceConversion::TransformRoot,
        ..Default::default()
    };
    ufbx::load_memory(bytes, how).unwrap()
}

/// Returns what `ufbx` makes of a scene at a time of one of its stacks.
fn direct(scene: &ufbx::Scene, stack: usize, time: f64) -> Vertices {
    let how = ufbx::EvaluateOpts { evaluate_skinning: true, ..Default::default() };
    let scene = ufbx::evaluate_scene(scene, &scene.anim_stacks[stack].anim, time, how).unwrap();
    let mut found = Vertices::new();
    for node in &scene.nodes {
        let Some(mesh) = &node.mesh else { continue };
        let at = |at: &ufbx::Vec3| match mesh.skinned_is_local {
            true => transformed(&node.geometry_to_world, at),
            false => point(at),
        };
        let key = (mesh.element.typed_id as usize, node.element.name.to_string());
        found.entry(key).or_default().extend(mesh.skinned_position.values.iter().map(at));
    }
    found
}

/// Returns what the model makes of a clip at a time; `None` stands for control points without corners.
fn ours(model: &Model, clip: usize, time: f64) -> BTreeMap<(usize, String), Vec<Option<DVec3>>> {
    let mode = SkinningMode::authored(model).unwrap_or(SkinningMode::Linear);
    let points = crate::control_points(model, mode, &PoseChoice::clip(clip, time));
    let mut found: BTreeMap<_, Vec<Option<DVec3>>> = BTreeMap::new();
    for (instance, points) in model.instances.iter().zip(points) {
        // Helpers have no names.
        let mut node = instance.node;
        while model.rig.names[node].is_empty() {
            node = model.rig.parents[node].unwrap() as usize;
        }
        found.entry((instance.mesh, model.rig.names[node].clone())).or_default().extend(points);
    }
    found
}

/// Returns how far vertices are off at a time, in parts of the size.
fn distance(model: &Model, scene: &ufbx::Scene, clip: usize, time: f64) -> f64 {
    let stack =
        scene.anim_stacks.iter().position(|stack| *stack.element.name == *model.clips[clip].name).unwrap();
    let (want, got) = (direct(scene, stack, time), ours(model, clip, time));
    assert!(want.keys().eq(got.keys()), "{:?} and {:?}", want.keys(), got.keys());
    let all = want.values().flatten();
    let (low, high) = all.fold((DVec3::MAX, DVec3::MIN), |(low, high), at| (low.min(*at), high.max(*at)));
    let mut most = 0.0f64;
    for (want, got) in want.values().zip(got.values()) {
        let off = want.iter().zip(got).filter_map(|(want, got)| Some(want.distance((*got)?)));
        most = off.fold(most, f64::max);
    }
    most / (high - low).length()
}

/// Checks all frames of all clips, and times between them.
pub fn check(what: &str, bytes: &[u8]) {
    let [at_frames, between] = distances(bytes);
    println!("{what}: {at_frames:.1e} at frames, {between:.1e} between them");
    assert!(at_frames < AT_FRAMES, "{what}: {at_frames:e} of the size at a frame");
    assert!(between < BETWEEN, "{what}: {between:e} of the size between frames");
}

/// Returns how far vertices are off at frames, and between them.
fn distances(bytes: &[u8]) -> [f64; 2] {
    distances_of(bytes, bytes)
}

/// Returns how far the vertices of a file are off those that another file is evaluated to.
fn distances_of(bytes: &[u8], truth: &[u8]) -> [f64; 2] {
    let scene = scene_of(truth);
    let model = fbx::load_bytes(bytes, None, &Options::default()).unwrap();
    crate::sound::assert_sound_types(&model);
    assert!(!model.clips.is_empty());
    let rate = scene.settings.frames_per_second;
    let mut most = [0.0f64; 2];
    for (clip, of) in model.clips.iter().enumerate() {
        let [first, last] = [of.first_secs().min(0.0), of.duration_secs].map(|at| f64::from(at) * rate);
        for frame in first.floor() as i32 - 1..=last.ceil() as i32 + 1 {
            // Between frames at no simple part of them.
            for (most, part) in most.iter_mut().zip([0.0, 0.2763]) {
                let time = (f64::from(frame) + part) / rate;
                *most = most.max(distance(&model, &scene, clip, time));
            }
        }
    }
    most
}

fn check_both(what: &str, document: &Document) {
    for bytes in [document.binary(), document.ascii()] {
        check(what, &bytes);
    }
}

#[test]
fn files_of_the_corpus_move_as_they_are_evaluated() {
    let Some(corpus) = std::env::var_os("SINEW_CORPUS") else {
        println!("NOT RUN: FBX files of the corpus, because SINEW_CORPUS names no folder");
        return;
    };
    let mut compared = 0;
    for entry in std::fs::read_dir(Path::new(&corpus).join("fbx")).unwrap() {
        let file = entry.unwrap().path();
        let name = file.file_name().unwrap().to_str().unwrap().to_owned();
        if file.extension().is_none_or(|extension| extension != "fbx") {
            continue;
        }
        let bytes = std::fs::read(&file).unwrap();
        if fbx::load_bytes(&bytes, None, &Options::default()).unwrap().clips.is_empty() {
            continue;
        }
        let [at_frames, between] = distances(&bytes);
        println!("{name}: {at_frames:.1e} at frames, {between:.1e} between them");
        // Maya moves a skin with the mesh's node, and these have rounded tangents; the files' own programs have the word.
        let differs = ["maya_transformed_skin", "max7", "blender_279_sausage_6100"];
        let bound = if differs.iter().any(|own| name.starts_with(own)) { continue } else { BETWEEN };
        assert!(at_frames < bound && between < bound, "{name}: {at_frames:e} and {between:e}");
        compared += 1;
    }
    assert!(compared >= 5, "{compared}");
}

const BOX: [[f64; 3]; 4] = [[0.5, 0.0, 0.0], [0.5, 1.0, 0.25], [0.0, 1.0, -0.25], [0.5, 2.0, 0.5]];
const FACES: [[i32; 3]; 4] = [[0, 1, 2], [0, 1, 3], [0, 2, 3], [1, 2, 3]];

fn int(name: &str, value: i32) -> Node {
    property(name, "int", [value.into()])
}

/// A chain of joints that multiply scales (RrSs), Rrs or neither, which write only what they must, with a skin on a node
/// that hangs on `above`, or on the scene.
fn chain(modes: [i32; 4], above: Option<usize>, animated: &[(usize, &str)], keys: &[Key]) -> Document {
    let mut document = Document::new();
    let mut joints = Vec::new();
    let mut parent = 0;
    for (number, mode) in modes.into_iter().enumerate() {
        let place =
            vector("Lcl Translation", [0.1 * number as f64, if number == 0 { 0.0 } else { 0.5 }, 0.0]);
        let turn = vector("Lcl Rotation", [10.0 * number as f64, 5.0, -20.0]);
        let pivot = vector("RotationPivot", [0.1, 0.2, 0.0]);
        let mut all = vec![int("InheritType", mode), place, turn];
        if number == 2 {
            all.extend([pivot, int("RotationActive", 1), int("RotationOrder", 4)]);
        }
        parent = document.node(&format!("joint{number}"), "LimbNode", parent, all);
        joints.push(parent);
    }
    let on = above.map_or(0, |above| joints[above]);
    let own =
        vec![vector("Lcl Translation", [0.2, 0.0, 0.1]), vector("GeometricTranslation", [0.0, 0.1, 0.0])];
    let node = document.node("skinned", "Mesh", on, own);
    let mesh = document.mesh(node, &BOX, &FACES);
    let cluster = |(number, bone): (usize, &i64)| {
        let bound = DMat4::from_translation(DVec3::new(0.0, number as f64 * 0.5, 0.0));
        let weights =
            (0..4).map(|vertex| (vertex, 1.0 / f64::from(1 + (vertex - number as i32).abs()))).collect();
        let [bone_from_mesh, world_from_bone] = [bound.inverse(), bound].map(|matrix| matrix.to_cols_array());
        Cluster { bone: *bone, weights, bone_from_mesh, world_from_bone }
    };
    let clusters: Vec<Cluster> = joints.iter().enumerate().map(cluster).collect();
    document.skin(mesh, "Linear", &clusters, &[]);
    // A mesh on a joint, too, which follows it alone.
    let held = document.node("held", "Mesh", joints[3], vec![int("InheritType", 0)]);
    document.mesh(held, &BOX, &FACES);
    let layer = document.clip("move", 0.5);
    for (joint, name) in animated {
        document.animate_by(layer, joints[*joint], name, keys);
    }
    document
}

/// Scales from one and back, and turns.
fn bends(key: fn(f64, [f64; 3]) -> Key) -> Vec<Key> {
    let values = [[1.0, 1.0, 1.0], [2.0, 0.5, 1.5], [0.75, 1.25, 3.0], [1.0, 2.0, 0.5]];
    (0..).zip(values).map(|(number, value)| key(f64::from(number) * 4.0 / 24.0, value)).collect()
}

#[test]
fn scales_that_are_inherited_apart() {
    for modes in [[0; 4], [1, 0, 0, 0], [2, 2, 2, 2], [1, 0, 2, 0], [1, 2, 0, 1]] {
        for above in [None, Some(0), Some(2)] {
            for animated in [
                &[(0, "Lcl Scaling")][..],
                &[(1, "Lcl Scaling")],
                &[(0, "Lcl Scaling"), (2, "Lcl Scaling"), (1, "Lcl Translation")],
                &[(0, "Lcl Scaling"), (1, "Lcl Scaling"), (2, "Lcl Scaling"), (3, "Lcl Rotation")],
            ] {
                let what = format!("inherit modes {modes:?}, skin on {above:?}, {animated:?}");
                check_both(&what, &chain(modes, above, animated, &bends(Key::line)));
            }
        }
    }
}

/// A key's time counts in single precision: steps stay on the frames where the file has them.
#[test]
fn steps_stay_on_their_frames() {
    let mut document = Document::new();
    let node = document.node("a", "Mesh", 0, vec![]);
    document.mesh(node, &BOX, &FACES);
    let layer = document.clip("jump", 2.0);
    for key in [Key::held as fn(f64, [f64; 3]) -> Key, Key::held_next] {
        let keys: Vec<Key> = (0..48)
            .map(|frame| key(f64::from(frame) / 24.0, [f64::from(frame % 5), 0.0, f64::from(frame)]))
            .collect();
        let lines: Vec<Key> =
            (0..48).map(|frame| Key::line(f64::from(frame) / 24.0, [f64::from(frame % 7); 3])).collect();
        document.animate_by(layer, node, "Lcl Translation", &keys);
        document.animate_by(layer, node, "Lcl Rotation", &lines);
        check_both("steps", &document);
    }
}

/// A curve that swings to one side as far as to the other between two frames.
#[test]
fn motion_within_a_frame_is_found() {
    let mut document = Document::new();
    let node = document.node("a", "Mesh", 0, vec![]);
    document.mesh(node, &BOX, &FACES);
    let layer = document.clip("swing", 0.25);
    let keys = (0..6)
        .map(|frame| Key::flat(f64::from(frame) / 24.0, [f64::from(frame % 2), 0.0, 0.0]))
        .collect::<Vec<_>>();
    document.animate_by(layer, node, "Lcl Translation", &keys);
    check_both("within a frame", &document);
}

/// Two cubes under each other, with pivots, offsets and geometric offsets, of which everything moves.
#[test]
fn pivots_and_geometric_offsets_of_what_moves() {
    for inherit in 0..3 {
        let mut document = Document::new();
        let layer = document.clip("move", 0.5);
        let mut parent = 0;
        for number in 0..4 {
            let number = f64::from(number);
            let all = vec![
                int("RotationActive", 1),
                int("RotationOrder", number as i32 + 1),
                int("InheritType", inherit),
                vector("Lcl Translation", [number, 0.5, 0.0]),
                vector("PreRotation", [10.0, 20.0 * number, 0.0]),
                vector("PostRotation", [0.0, 15.0, 5.0 * number]),
                vector("RotationPivot", [0.1, 0.2 * number, 0.3]),
                vector("RotationOffset", [0.3, -0.2, 0.1 * number]),
                vector("ScalingPivot", [0.5, 0.0, -0.5 * number]),
                vector("ScalingOffset", [0.0, 0.1 * number, 0.0]),
                vector("GeometricTranslation", [0.5 * number, 0.0, 0.25]),
                vector("GeometricRotation", [30.0, 10.0 * number, -45.0]),
                vector("GeometricScaling", [1.0 + number, 1.0, 0.5]),
            ];
            let node = document.node(&format!("cube{number}"), "Mesh", parent, all);
            document.mesh(node, &BOX, &FACES);
            let turns = [[0.0; 3], [90.0, 30.0, -60.0], [180.0, -45.0, 10.0 * number], [0.0, 90.0, 200.0]];
            let turns: Vec<Key> =
                (0..).zip(turns).map(|(at, turn)| Key::smooth(f64::from(at) * 4.0 / 24.0, turn)).collect();
            document.animate_by(layer, node, "Lcl Rotation", &turns);
            document.animate_by(layer, node, "Lcl Scaling", &bends(Key::smooth));
            parent = node;
        }
        check_both(&format!("pivots, inherit mode {inherit}"), &document);
    }
}

/// A layer's blend mode (0 adds, 1 overrides, 2 lets the layer below through), whether rotations and scales add up by channel, and its weight.
struct Over {
    blend: i32,
    by_channel: [i32; 2],
    weight: f64,
}

#[test]
fn layers_add_and_override_by_either_mode() {
    for (blend, by_channel, weight) in [
        (0, [0, 0], 100.0),
        (0, [1, 0], 100.0),
        (0, [0, 1], 40.0),
        (0, [1, 1], 70.0),
        (1, [0, 0], 100.0),
        (2, [0, 0], 30.0),
        (2, [1, 1], 60.0),
    ] {
        let over = Over { blend, by_channel, weight };
        for order in 0..6 {
            for moves in [false, true] {
                let what = format!("layer {blend} {by_channel:?} {weight} {moves}, order {order}");
                check_both(&what, &layered(&over, order, moves, Key::smooth));
            }
        }
    }
}

/// A cube in an order of rotation with a layer over its motion, whose weight may move, too.
fn layered(over: &Over, order: i32, moves: bool, key: fn(f64, [f64; 3]) -> Key) -> Document {
    let mut document = Document::new();
    let own =
        vec![int("RotationActive", 1), int("RotationOrder", order), vector("PreRotation", [0.0, 30.0, 0.0])];
    let node = document.node("cube", "Mesh", 0, own);
    document.mesh(node, &BOX, &FACES);
    let base = document.clip("move", 0.5);
    let number = |name: &str, value: f64| property(name, "Number", [value.into()]);
    let layer = document.layer(vec![
        number("Weight", over.weight),
        int("BlendMode", over.blend),
        int("RotationAccumulationMode", over.by_channel[0]),
        int("ScaleAccumulationMode", over.by_channel[1]),
    ]);
    let turns = |by: f64| {
        let turns = [[0.0; 3], [90.0, 30.0, -60.0], [120.0, -45.0, 10.0], [0.0, 60.0, 200.0]];
        let turns =
            (0..).zip(turns).map(|(at, turn)| key(f64::from(at) * 4.0 / 24.0, turn.map(|turn| turn * by)));
        turns.collect::<Vec<Key>>()
    };
    document.animate_by(base, node, "Lcl Rotation", &turns(1.0));
    document.animate_by(base, node, "Lcl Scaling", &bends(key));
    document.animate_by(layer, node, "Lcl Rotation", &turns(-0.7));
    document.animate_by(layer, node, "Lcl Scaling", &bends(key));
    document.animate_by(layer, node, "Lcl Translation", &bends(key));
    if moves {
        let weights = [(0.0, 0.0), (4.0, 100.0), (12.0, 20.0)];
        let weights: Vec<Key> = weights.map(|(at, weight)| key(at / 24.0, [weight; 3])).into();
        document.animate_by(layer, layer, "Weight", &weights);
    }
    document
}

/// Blender paints how much of a shape each vertex has, and writes it as the full weights of the shape's channel.
#[test]
fn shapes_with_a_weight_for_each_vertex() {
    let mut document = Document::new();
    document.creator = "Blender (stable FBX IO) - 4.4.0 - 5.13.0".to_owned();
    let node = document.node("face", "Mesh", 0, vec![]);
    let mesh = document.mesh(node, &BOX, &FACES);
    let moved = [(0, [0.5, 0.0, 0.0]), (2, [0.0, 1.0, 0.0]), (3, [0.0, 0.0, -2.0])];
    let painted = document.weighted_shape(mesh, "painted", &moved, 0.0, &[100.0, 25.0, 50.0]);
    let whole = document.weighted_shape(mesh, "whole", &moved, 30.0, &[100.0; 3]);
    let layer = document.clip("smile", 0.5);
    for (channel, from) in [(painted, 0.0), (whole, 50.0)] {
        let keys = [Key::line(0.0, [from; 3]), Key::line(0.5, [100.0 - from; 3])];
        document.animate_by(layer, channel, "DeformPercent", &keys);
    }
    check_both("shapes", &document);
}

/// Tangents whose length is a third, rounded to four digits, mean a third in every layer and below every scale.
#[test]
fn rounded_tangents_mean_a_third() {
    let over = Over { blend: 0, by_channel: [0, 1], weight: 70.0 };
    let rounded = layered(&over, 3, true, Key::rounded);
    let exact = layered(&over, 3, true, Key::third);
    let animated = [(0, "Lcl Scaling"), (1, "Lcl Scaling"), (1, "Lcl Rotation"), (2, "Lcl Translation")];
    let scaled = [Key::rounded, Key::third].map(|key| chain([0; 4], None, &animated, &bends(key)));
    for [rounded, exact] in [[&rounded, &exact], [&scaled[0], &scaled[1]]] {
        let [at_frames, between] = distances_of(&rounded.binary(), &exact.binary());
        println!("rounded tangents: {at_frames:.1e} at frames, {between:.1e} between them");
        assert!(at_frames < AT_FRAMES && between < BETWEEN, "{at_frames:e} and {between:e}");
    }
}
