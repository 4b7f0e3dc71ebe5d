//! Tests how `sinew compare` matches the vertices of two files: reordered, welded, split, merged, stored on a grid, scaled
//! and turned.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on has failed")]

use std::path::Path;

use serde_json::{Value, json};
use sinew::model::{Deltas, Influences, Model, Morphs, Primitive, Span, gltf};

use crate::common;
use crate::edited::{edited, packed, unpacked};

/// Two exports of one model are nearer to each other than this, in metres.
const SAME: f64 = 1e-6;

/// Compares two models that are written to files, at five times of the first clip in lbs.
fn compare(old: &[u8], new: &[u8]) -> Value {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        path
    };
    let (old, new) = (write("old.glb", old), write("new.glb", new));
    compare_files(&old, &new)
}

fn compare_files(old: &Path, new: &Path) -> Value {
    let mut command = common::sinew(["compare", "--modes", "lbs", "--frames", "5"]);
    serde_json::from_slice(&common::run_well(command.arg(old).arg(new).arg("--json"))).unwrap()
}

/// The largest distance in any frame.
fn largest(found: &Value) -> f64 {
    let clips = found["clips"].as_array().unwrap().iter();
    let frames = clips.flat_map(|clip| clip["frames"].as_array().unwrap());
    frames.map(|frame| frame["modes"][0]["max_m"].as_f64().unwrap()).fold(0.0, f64::max)
}

/// Returns the distance by which the joints alone move the worst vertex apart.
fn motion(found: &Value) -> f64 {
    found["worst"][0]["motion_m"].as_f64().unwrap()
}

/// Returns how each pair was matched, and how many vertices were.
fn how(found: &Value) -> Vec<(String, u64)> {
    let of = |pair: &Value| (pair["how"].as_str().unwrap().to_owned(), pair["vertices"].as_u64().unwrap());
    found["primitives"].as_array().unwrap().iter().map(of).collect()
}

fn write(model: &Model) -> Vec<u8> {
    gltf::write_glb(&Model { scenes: Vec::new(), scene: None, ..model.clone() }).unwrap()
}

/// The primitive with these of its vertices, in this order; each must be among them.
fn gathered(primitive: &Primitive, vertices: &[u32]) -> Primitive {
    fn pick<T: Copy>(stream: &[T], vertices: &[u32]) -> Vec<T> {
        vertices.iter().map(|vertex| stream[*vertex as usize]).collect()
    }
    let span =
        |span: &Span| Span { joints: pick(&span.joints, vertices), weights: pick(&span.weights, vertices) };
    let mut numbers = vec![0_u32; primitive.positions.len()];
    for (number, &vertex) in (0..).zip(vertices) {
        numbers[vertex as usize] = number;
    }
    Primitive {
        positions: pick(&primitive.positions, vertices),
        normals: primitive.normals.as_deref().map(|stream| pick(stream, vertices)),
        tangents: primitive.tangents.as_deref().map(|stream| pick(stream, vertices)),
        texcoords: primitive.texcoords.iter().map(|set| pick(set, vertices)).collect(),
        colors: primitive.colors.as_deref().map(|stream| pick(stream, vertices)),
        influences: primitive
            .influences
            .as_ref()
            .map(|influences| Influences { spans: influences.spans.iter().map(span).collect() }),
        morphs: primitive.morphs.as_ref().map(|morphs| Morphs {
            positions: morphs
                .positions
                .as_ref()
                .map(|deltas| deltas.pick(vertices.iter().map(|v| *v as usize))),
            ..morphs.clone()
        }),
        indices: primitive.indices.iter().map(|index| numbers[*index as usize]).collect(),
        ..primitive.clone()
    }
}

/// All numbers below a count, shuffled the same way each time.
fn shuffled(count: usize) -> Vec<u32> {
    let mut numbers: Vec<u32> = (0..count as u32).collect();
    let mut state = 7_u64;
    for last in (1..count).rev() {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        numbers.swap(last, (state >> 33) as usize % (last + 1));
    }
    numbers
}

fn reordered(model: &Model) -> Model {
    let mut model = model.clone();
    for primitive in model.meshes.iter_mut().flat_map(|mesh| &mut mesh.primitives) {
        *primitive = gathered(primitive, &shuffled(primitive.positions.len()));
    }
    model
}

#[test]
fn vertices_that_only_the_new_file_has_are_named() {
    let model = common::builtin("bend");
    // A vertex of its middle, a metre away, and a triangle to it: in the same order, and with all others elsewhere.
    let spiked = |model: &Model| {
        let mut model = model.clone();
        let primitive = &mut model.meshes[0].primitives[0];
        let count = primitive.positions.len() as u32;
        let all: Vec<u32> = (0..count).chain([0]).collect();
        *primitive = gathered(primitive, &all);
        primitive.indices.iter_mut().filter(|index| **index == count).for_each(|index| *index = 0);
        primitive.positions[count as usize][0] += 1.0;
        primitive.indices.extend([0, 1, count]);
        model
    };
    for new in [spiked(&model), spiked(&reordered(&model))] {
        let found = compare(&write(&model), &write(&new));
        assert!(largest(&found) < SAME);
        let added = found["added"].as_array().unwrap();
        let [added] = added.as_slice() else { panic!("{added:?}") };
        assert_eq!(added["vertices"], 1);
        assert!((added["bind_max_m"].as_f64().unwrap() - 1.0).abs() < 0.2, "{added}");
    }
    // Neither vertices in another order nor a triangle's middle are anything new.
    let mut split = Model::clone(&model);
    let primitive = &mut split.meshes[0].primitives[0];
    let count = primitive.positions.len() as u32;
    let [a, b, c] = [0, 1, 2].map(|corner| primitive.indices[corner]);
    *primitive = gathered(primitive, &(0..count).chain([a]).collect::<Vec<_>>());
    let places = [a, b, c].map(|corner| primitive.positions[corner as usize]);
    primitive.indices.iter_mut().filter(|index| **index == count).for_each(|index| *index = a);
    primitive.positions[count as usize] =
        [0, 1, 2].map(|axis| places.iter().map(|p| p[axis]).sum::<f32>() / 3.0);
    primitive.indices.splice(0..3, [a, b, count, b, c, count, c, a, count]);
    for new in [split, reordered(&model)] {
        assert_eq!(compare(&write(&model), &write(&new))["added"], json!([]));
    }
    let folder = tempfile::tempdir().unwrap();
    let [old, new] = [("old.glb", &*model), ("new.glb", &spiked(&model))].map(|(name, model)| {
        let path = folder.path().join(name);
        std::fs::write(&path, write(model)).unwrap();
        path
    });
    let run = |flags: &[&str]| {
        let mut command = common::sinew(["compare", "--clip", "0", "--frames", "2"]);
        common::run(command.arg(&old).arg(&new).args(flags))
    };
    let plain = run(&[]);
    assert_eq!(plain.code, Some(0));
    assert!(String::from_utf8_lossy(&plain.out).contains("1 vertex only in the new file"));
    assert_eq!(run(&["--fail-on", "new-vertices"]).code, Some(6));
    assert_eq!(run(&["--fail-on", "new-vertices", "--fail-above", "2m"]).code, Some(0));
    assert_eq!(run(&["--fail-on", "new-vertices", "--fail-above", "2mm"]).code, Some(6));
}

#[test]
fn reordered_vertices_are_found_by_place() {
    for name in ["character", "bend"] {
        let model = common::builtin(name);
        let found = compare(&write(&model), &write(&reordered(&model)));
        assert!(largest(&found) < SAME, "{name}: {}", largest(&found));
        let vertices = found["vertices"].as_u64().unwrap();
        assert_eq!(how(&found), [("place".to_owned(), vertices)]);
        assert_eq!(found["primitives"][0]["on_surface"], 0, "{name}");
        // A joint that is elsewhere shows all the same.
        let mut wrong = reordered(&model);
        let joints = wrong.skins[0].joints.len();
        wrong.skins[0].joints.swap(0, joints - 1);
        assert!(largest(&compare(&write(&model), &write(&wrong))) > 0.01, "{name}");
    }
}

#[test]
fn vertices_of_triangles_alone_are_found_by_place() {
    let model = common::builtin("bend");
    let mut apart = (*model).clone();
    let primitive = &mut apart.meshes[0].primitives[0];
    let indices = primitive.indices.clone();
    *primitive = Primitive {
        indices: (0..indices.len() as u32).collect(),
        ..gathered(&Primitive { indices: Vec::new(), ..primitive.clone() }, &indices)
    };
    for [old, new] in [[&*model, &apart], [&apart, &*model]] {
        let found = compare(&write(old), &write(new));
        assert!(largest(&found) < SAME, "{}", largest(&found));
        assert_eq!(
            (how(&found)[0].0.as_str(), found["primitives"][0]["on_surface"].as_u64()),
            ("place", Some(0))
        );
    }
}

#[test]
fn split_and_merged_primitives_are_searched_together() {
    let folder = tempfile::tempdir().unwrap();
    let (whole, split) = (folder.path().join("whole.glb"), folder.path().join("split.glb"));
    std::fs::write(&whole, write(&common::builtin("character"))).unwrap();
    let mut export = common::sinew(["export", "--rigged", "--max-joints", "32", "-o"]);
    common::run_well(export.arg(&split).arg(&whole));
    let found = compare_files(&whole, &split);
    assert!(largest(&found) < SAME, "{}", largest(&found));
    let parts = how(&found);
    assert!(parts.len() > 1 && parts.iter().all(|(how, _)| how == "place"), "{parts:?}");
    assert_eq!(parts.iter().map(|(_, vertices)| vertices).sum::<u64>(), found["vertices"].as_u64().unwrap());
    assert_eq!(found["only_in"], json!([[], []]));
    let merged = compare_files(&split, &whole);
    assert!(largest(&merged) < SAME, "{}", largest(&merged));
    assert_eq!((how(&merged).len(), &merged["only_in"]), (parts.len(), &json!([[], []])));
}

#[test]
fn files_without_a_name_in_common_are_matched_by_place() {
    let model = common::builtin("character");
    let mut renamed = reordered(&model);
    renamed.meshes[0].name = "other".into();
    let node = renamed.instances[0].node;
    renamed.rig.names[node] = "another".into();
    let found = compare(&write(&model), &write(&renamed));
    assert!(largest(&found) < SAME, "{}", largest(&found));
}

/// A model whose skins have another bind space: larger, turned and moved, as exporters leave it.
#[test]
fn another_bind_space_is_the_same_model() {
    use glam::{DMat4, DQuat, DVec3};
    let model = common::builtin("character");
    let turn = DQuat::from_rotation_x(std::f64::consts::FRAC_PI_2);
    let other = DMat4::from_scale_rotation_translation(DVec3::splat(100.0), turn, DVec3::new(1.0, 2.0, 3.0));
    let in_space = |mut model: Model| {
        for primitive in model.meshes.iter_mut().flat_map(|mesh| &mut mesh.primitives) {
            let moved = |place: &mut [f32; 3]| {
                *place = other.transform_point3(DVec3::from(place.map(f64::from))).as_vec3().to_array()
            };
            primitive.positions.iter_mut().for_each(moved);
            let turned = |normal: &mut [f32; 3]| {
                *normal = (turn * DVec3::from(normal.map(f64::from))).as_vec3().to_array()
            };
            primitive.normals.iter_mut().flatten().for_each(turned);
        }
        for skin in &mut model.skins {
            skin.joint_from_bind =
                skin.joint_from_bind.iter().map(|matrix| *matrix * other.inverse()).collect();
        }
        model
    };
    for (new, expected) in [((*model).clone(), "order"), (reordered(&model), "place")] {
        let found = compare(&write(&model), &write(&in_space(new)));
        // Positions are a hundred times larger, and so is their rounding.
        assert!(largest(&found) < 1e-5, "{}", largest(&found));
        assert_eq!((how(&found)[0].0.as_str(), &found["matched"]["rest_words"]), (expected, &Value::Null));
    }
    // A vertex elsewhere in the bind pose is no motion of joints.
    let mut moved = (*model).clone();
    let vertex = moved.meshes[0].primitives[0].indices[100];
    moved.meshes[0].primitives[0].positions[vertex as usize][0] += 0.05;
    let found = compare(&write(&model), &write(&in_space(moved)));
    assert!((largest(&found) - 0.05).abs() < 1e-4 && motion(&found) < 1e-5, "{}", motion(&found));
}

#[test]
fn a_larger_export_is_named_as_one() {
    let model = common::builtin("bend");
    let new = |json: &mut Value| {
        let nodes = json["nodes"].as_array().unwrap().len();
        let roots = json["scenes"][0]["nodes"].clone();
        let half = std::f64::consts::FRAC_1_SQRT_2;
        let root = json!({ "name": "units", "scale": [100, 100, 100], "rotation": [half, 0, 0, half], "children": roots });
        json["nodes"].as_array_mut().unwrap().push(root);
        json["scenes"][0]["nodes"] = json!([nodes]);
    };
    let found = compare(&write(&model), &edited("bend", new));
    let words = "100 times larger, turned by 90° about x, z up";
    assert_eq!(found["matched"]["rest_words"], words);
    assert!(found["matched"]["rest"]["left_m"].as_f64().unwrap() < SAME);
    assert_eq!(how(&found)[0].0, "order");
    assert!(largest(&found) > 1.0, "the difference is real");
    assert!(motion(&found) > 0.9 * largest(&found), "the joints make it");
    // It is one all the same if it is not quite the same model.
    let mut moved = (*model).clone();
    let vertex = moved.meshes[0].primitives[0].indices[100];
    moved.meshes[0].primitives[0].positions[vertex as usize][0] += 0.05;
    let (mut json, bin) = unpacked(&write(&moved));
    new(&mut json);
    let found = compare(&write(&model), &packed(&json, &bin));
    assert_eq!(found["matched"]["rest_words"], words);
    let left = found["matched"]["rest"]["left_m"].as_f64().unwrap();
    assert!((left - 0.05).abs() < 0.01, "{left}");
}

#[test]
fn one_moved_vertex_stays_the_same_vertex() {
    let model = common::builtin("bend");
    let mut moved = (*model).clone();
    let vertex = moved.meshes[0].primitives[0].indices[100];
    moved.meshes[0].primitives[0].positions[vertex as usize][0] += 0.05;
    let found = compare(&write(&model), &write(&moved));
    assert_eq!(how(&found)[0].0, "order");
    let bind = found["primitives"][0]["bind_max_m"].as_f64().unwrap();
    assert!(
        (bind - 0.05).abs() < SAME && (largest(&found) - 0.05).abs() < SAME,
        "{bind} {}",
        largest(&found)
    );
    assert!(motion(&found) < SAME, "its joints move as before");
}

/// Joints whose names have another namespace and case.
#[test]
fn renamed_joints_are_the_same_joints() {
    let model = common::builtin("character");
    let mut renamed = reordered(&model);
    for joint in renamed.skins.iter().flat_map(|skin| &skin.joints) {
        renamed.rig.names[*joint] = format!("rig:{}", renamed.rig.names[*joint].to_uppercase());
    }
    let found = compare(&write(&model), &write(&renamed));
    assert!(largest(&found) < SAME, "{}", largest(&found));
    assert_eq!(found["matched"]["weights_max"], 0.0);
    let folder = tempfile::tempdir().unwrap();
    let [old, new] = [("old.glb", &*model), ("new.glb", &renamed)].map(|(name, model)| {
        let path = folder.path().join(name);
        std::fs::write(&path, write(model)).unwrap();
        path
    });
    let mut command = common::sinew(["compare", "--weights"]);
    let found: Value =
        serde_json::from_slice(&common::run_well(command.arg(old).arg(new).arg("--json"))).unwrap();
    for key in ["only_in_a", "only_in_b"] {
        assert_eq!(found["weights"][key], json!([]), "{key}");
    }
}

/// A square of so many vertices on a side that faces z, from a corner on, moved by one of two joints.
fn square(side: usize, [left, low]: [f32; 2], joint: i32) -> Primitive {
    let mut out = Primitive { normals: Some(vec![[0.0, 0.0, 1.0]; side * side]), ..Primitive::default() };
    for (row, column) in (0..side).flat_map(|row| (0..side).map(move |column| (row, column))) {
        let [up, right] = [row, column].map(|at| at as f32 / (side - 1) as f32);
        out.positions.push([left + right, low + up, 0.0]);
        if row > 0 && column > 0 {
            let [a, b] = [row - 1, row].map(|row| (row * side + column) as u32);
            out.indices.extend([a - 1, a, b - 1, b - 1, a, b]);
        }
    }
    let (joints, weights) = (vec![[joint; 4]; side * side], vec![[1.0, 0.0, 0.0, 0.0]; side * side]);
    out.influences = Some(Influences { spans: vec![Span { joints, weights }] });
    out
}

/// Two primitives as one.
fn joined(mut one: Primitive, other: &Primitive) -> Primitive {
    let count = one.positions.len() as u32;
    one.indices.extend(other.indices.iter().map(|index| index + count));
    one.positions.extend(&other.positions);
    one.normals.as_mut().unwrap().extend(other.normals.as_ref().unwrap());
    one.texcoords.iter_mut().zip(&other.texcoords).for_each(|(one, other)| one.extend(other));
    let [one_span, other_span] =
        [&mut one.influences.as_mut().unwrap().spans[0], &mut other.influences.clone().unwrap().spans[0]];
    one_span.joints.append(&mut other_span.joints);
    one_span.weights.append(&mut other_span.weights);
    one
}

/// A model of two joints, of which a clip moves one, that draws these primitives.
fn of(primitives: Vec<Primitive>) -> Model {
    let mut model = (*common::builtin("strip")).clone();
    model.meshes[0].primitives = primitives;
    model
}

#[test]
fn vertices_that_are_stored_but_not_drawn_match_nothing() {
    let merged = joined(square(5, [0.0, 0.0], 0), &square(5, [2.0, 0.0], 1));
    let (first, second) = merged.indices.split_at(merged.indices.len() / 2);
    let drawn = |indices: &[u32]| Primitive { indices: indices.to_vec(), ..merged.clone() };
    let shared = [drawn(first), drawn(second)];
    let whole = write(&of(vec![merged.clone()]));
    let split = write(&of(shared.to_vec()));
    for (old, new) in [(&whole, &split), (&split, &whole)] {
        let found = compare(old, new);
        assert!(largest(&found) < SAME, "{}", largest(&found));
        assert_eq!((how(&found).len(), &found["only_in"]), (2, &json!([[], []])));
    }
    // The new file stores the right weights and draws others.
    let mut wrong = shared.clone();
    wrong[1].influences.as_mut().unwrap().spans[0].joints.fill([0; 4]);
    assert!(largest(&compare(&whole, &write(&of(wrong.to_vec())))) > 0.1);
    // It stores all vertices and draws half of them.
    let found = compare(&whole, &write(&of(vec![drawn(first)])));
    assert_eq!((how(&found)[0].1, found["primitives"][0]["on_surface"].as_u64()), (50, Some(25)));
    assert!(found["matched"]["bind_max_m"].as_f64().unwrap() > 1.9 && largest(&found) > 1.0);
    // Both have swapped their numbers.
    let [first, second] = shared;
    let found = compare(&split, &write(&of(vec![second, first])));
    let names =
        |side: &str| found["primitives"].as_array().unwrap().iter().map(|pair| pair[side].clone()).collect();
    let [old, new]: [Vec<Value>; 2] = ["old", "new"].map(names);
    assert_eq!(old.iter().rev().collect::<Vec<_>>(), new.iter().collect::<Vec<_>>());
}

/// Two sheets at one place, each with another joint, whose vertices have swapped their numbers.
#[test]
fn vertices_of_one_place_that_swap_their_numbers_are_the_same() {
    for has_texcoords in [false, true] {
        let with_texcoords = |mut primitive: Primitive, from: f32| {
            if has_texcoords {
                primitive.texcoords =
                    vec![primitive.positions.iter().map(|[x, y, _]| [from + 0.4 * x, *y]).collect()];
            }
            primitive
        };
        let sheets = [0, 1].map(|joint| with_texcoords(square(5, [0.0, 0.0], joint), 0.5 * joint as f32));
        let old = joined(sheets[0].clone(), &sheets[1]);
        let swapped = gathered(&old, &(25..50).chain(0..25).collect::<Vec<_>>());
        let [old_file, new_file] = [&old, &swapped].map(|primitive| write(&of(vec![primitive.clone()])));
        let found = compare(&old_file, &new_file);
        assert!(largest(&found) < SAME, "{}", largest(&found));
        assert_eq!(how(&found), [("place".to_owned(), 50)]);
        assert_eq!(found["matched"]["weights_max"], 0.0);
        let by_weights = if has_texcoords { 0 } else { 50 };
        assert_eq!(found["primitives"][0]["by_weights"], by_weights);
        // A weight that was changed is a difference, whether or not the other sheet has the old one.
        for mut new in [old.clone(), swapped] {
            let span = &mut new.influences.as_mut().unwrap().spans[0];
            (span.joints[12], span.weights[12]) = ([0, 1, 0, 0], [0.5, 0.5, 0.0, 0.0]);
            let found = compare(&old_file, &write(&of(vec![new])));
            assert!(largest(&found) > 0.05, "{}", largest(&found));
        }
        let mut torn = old.clone();
        torn.influences.as_mut().unwrap().spans[0].joints[12] = [1; 4];
        let found = compare(&old_file, &write(&of(vec![torn])));
        assert!(how(&found)[0].0 == "order" && largest(&found) > 0.1, "{}", largest(&found));
    }
}

/// Facets of a curved sheet: the edges of neighbours share places, and their normals are five degrees apart.
#[test]
fn the_nearest_normal_is_taken_of_those_at_one_place() {
    let facet = |number: usize| {
        let mut facet = square(2, [number as f32, 0.0], 0);
        let (sin, cos) = (number as f32 * 5.0).to_radians().sin_cos();
        facet.normals = Some(vec![[sin, 0.0, cos]; 4]);
        facet
    };
    let model = of(vec![(1..12).map(facet).fold(facet(0), |sum, next| joined(sum, &next))]);
    let found = compare(&write(&model), &write(&reordered(&model)));
    let clips = found["clips"].as_array().unwrap().iter();
    let frames = clips.flat_map(|clip| clip["frames"].as_array().unwrap());
    let normals = frames.map(|frame| frame["modes"][0]["normal_max_deg"].as_f64().unwrap());
    let most = normals.fold(0.0, f64::max);
    assert!(most < 0.01 && largest(&found) < SAME, "{most}° {}", largest(&found));
}

/// Two halves that share an edge, of which a morph target moves one.
#[test]
fn morph_targets_tell_vertices_of_one_place_apart() {
    let mut halves = joined(square(9, [0.0, 0.0], 0), &square(9, [0.0, 1.0], 0));
    let moves = (81..162).map(|vertex| (vertex, [0.0, 0.5, 0.0])).collect();
    halves.morphs = Some(Morphs { positions: Deltas::new(162, &[moves]), ..Morphs::default() });
    let mut model = of(vec![halves]);
    model.meshes[0].target_names = vec![String::new()];
    let opened = |model: &Model| {
        let (mut json, bin) = unpacked(&write(model));
        json["meshes"][0]["weights"] = json!([1.0]);
        packed(&json, &bin)
    };
    let found = compare(&opened(&model), &opened(&reordered(&model)));
    assert!(largest(&found) < SAME, "{}", largest(&found));
    // Targets that differ are a difference.
    let mut wrong = reordered(&model);
    wrong.meshes[0].primitives[0].morphs.as_mut().unwrap().positions.as_mut().unwrap().values[3][1] = 0.4;
    let found = compare(&opened(&model), &opened(&wrong));
    assert!((largest(&found) - 0.1).abs() < SAME, "{}", largest(&found));
}

/// Both sides of a cloth, a millimetre apart, follow joints that part. The new cloth has other triangles, and lies so that
/// its other side is nearer.
#[test]
fn each_side_of_a_cloth_is_matched_to_its_own() {
    let cloth = |cells: usize, height: f32| {
        let mut model = (*common::builtin("strip")).clone();
        let mut out = Primitive::default();
        let mut spans = Span::default();
        for side in 0..2_usize {
            let first = out.positions.len() as u32;
            for (row, column) in (0..=cells).flat_map(|row| (0..=cells).map(move |column| (row, column))) {
                let [x, y] = [row, column].map(|at| at as f32 / cells as f32);
                out.positions.push([x, y, 0.001 * side as f32 + height]);
                out.normals.get_or_insert_default().push([0.0, 0.0, if side == 0 { -1.0 } else { 1.0 }]);
                spans.joints.push([side as i32; 4]);
                spans.weights.push([1.0, 0.0, 0.0, 0.0]);
            }
            let wide = cells as u32 + 1;
            for (row, column) in (0..wide - 1).flat_map(|row| (0..wide - 1).map(move |column| (row, column)))
            {
                let [a, b] = [first + row * wide + column, first + (row + 1) * wide + column];
                let quad =
                    if side == 0 { [a, a + 1, b, b, a + 1, b + 1] } else { [a, b, a + 1, b, b + 1, a + 1] };
                out.indices.extend(quad);
            }
        }
        out.influences = Some(Influences { spans: vec![spans] });
        model.meshes[0].primitives = vec![out];
        model
    };
    let found = compare(&write(&cloth(6, 0.0)), &write(&cloth(7, 0.0006)));
    assert_eq!(how(&found)[0].0, "surface");
    assert!((largest(&found) - 0.0006).abs() < SAME, "{}", largest(&found));
}

/// Positions as whole numbers of 16 bits, as KHR_mesh_quantization stores them.
#[test]
fn a_grid_of_positions_is_named_with_its_step() {
    let model = common::builtin("bend");
    let mut reordered = reordered(&model);
    let (places, steps) = (&mut reordered.meshes[0].primitives[0].positions, 8191.0_f32);
    let extent = places.as_flattened().iter().fold(0.0_f32, |extent, at| extent.max(at.abs()));
    let stored: Vec<[i16; 3]> = places
        .iter()
        .map(|place| {
            place.map(|at| {
                let kept = (at.abs() / extent * steps).round() as i16;
                ((kept << 2) | (kept >> 11)) * at.signum() as i16
            })
        })
        .collect();
    for skin in &mut reordered.skins {
        let scale = glam::DMat4::from_scale(glam::DVec3::splat(f64::from(extent)));
        skin.joint_from_bind = skin.joint_from_bind.iter().map(|matrix| *matrix * scale).collect();
    }
    let (mut json, mut bin) = unpacked(&write(&reordered));
    let accessor = json["meshes"][0]["primitives"][0]["attributes"]["POSITION"].as_u64().unwrap() as usize;
    let view = json["bufferViews"].as_array().unwrap().len();
    let start = bin.len();
    for place in &stored {
        place.iter().chain(&[0]).for_each(|at| bin.extend(at.to_le_bytes()));
    }
    json["bufferViews"].as_array_mut().unwrap().push(json!({ "buffer": 0, "byteOffset": start, "byteLength": bin.len() - start, "byteStride": 8, "target": 34962 }));
    json["buffers"][0]["byteLength"] = json!(bin.len());
    let ends = |fold: fn(i16, i16) -> i16| -> Vec<i16> {
        (0..3).map(|axis| stored.iter().map(|place| place[axis]).reduce(fold).unwrap()).collect()
    };
    json["accessors"][accessor] = json!({ "bufferView": view, "componentType": 5122, "normalized": true, "count": stored.len(), "type": "VEC3", "min": ends(i16::min), "max": ends(i16::max) });
    json["extensionsUsed"] = json!(["KHR_mesh_quantization"]);
    json["extensionsRequired"] = json!(["KHR_mesh_quantization"]);
    let found = compare(&write(&model), &packed(&json, &bin));
    let step = f64::from(extent) / 8191.0;
    let grid = found["matched"]["grids"][1]["positions_m"].as_f64().unwrap();
    assert!((grid / step - 1.0).abs() < 1e-3, "{grid} is not {step}");
    assert_eq!(found["matched"]["grids"][0]["positions_m"], Value::Null);
    assert_eq!(
        (how(&found)[0].0.as_str(), found["primitives"][0]["on_surface"].as_u64()),
        ("place", Some(0))
    );
    let bind = found["matched"]["bind_max_m"].as_f64().unwrap();
    assert!(bind > 0.1 * step && bind <= 0.87 * step, "{bind}");
    assert!(largest(&found) <= 2.0 * step, "{}", largest(&found));
}
