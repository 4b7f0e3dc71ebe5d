//! Tests `sinew explain`, `sinew palette` and what `sinew inspect` says of joints and weights, from outside.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on has failed")]

use serde_json::Value;

use crate::common;

fn json<const N: usize>(words: [&str; N]) -> Value {
    serde_json::from_slice(&common::run_well(&mut common::sinew(words))).unwrap()
}

fn triple(value: &Value) -> [f64; 3] {
    [0, 1, 2].map(|axis| value[axis].as_f64().unwrap())
}

#[test]
fn modes_put_a_vertex_where_the_reference_exports_it() {
    let pose = ["builtin:bend", "--clip", "bend", "--time", "0.9"];
    let [model, clip, name, time, secs] = pose;
    let found = json(["explain", model, clip, name, time, secs, "--vertex", "900", "--json"]);
    assert_eq!(found["vertex"], "node0:0:900");
    for moved in found["modes"].as_array().unwrap() {
        let mode = moved["mode"].as_str().unwrap();
        let words = ["export", model, clip, name, time, secs, "--mode", mode, "--on", "reference", "-o", "-"];
        let positions = &json(words)["primitives"][0]["positions"];
        let exported = [0, 1, 2].map(|axis| positions[2700 + axis].as_f64().unwrap());
        assert_eq!(triple(&moved["position"]), exported, "{mode}");
    }
    // Linear blending is the mean of where the joints alone put it.
    let influences = found["influences"].as_array().unwrap();
    let mean = [0, 1, 2].map(|axis| {
        influences
            .iter()
            .map(|i| i["weight"].as_f64().unwrap() * i["alone"][axis].as_f64().unwrap())
            .sum::<f64>()
    });
    let lbs = found["modes"].as_array().unwrap().iter().find(|moved| moved["mode"] == "lbs").unwrap();
    for (mean, lbs) in mean.into_iter().zip(triple(&lbs["position"])) {
        assert!((mean - lbs).abs() < 1e-12, "{mean} {lbs}");
    }
    assert_eq!(found["loading"]["stored"]["slots"].as_array().unwrap().len() % 4, 0);
}

#[test]
fn a_pixel_names_the_vertex_under_it() {
    let found = json(["explain", "builtin:twist", "--pixel", "480,360", "--camera", "front", "--json"]);
    // The camera looks along −z at the middle of the rod.
    let [x, y, z] = triple(&found["stored"]["position"]);
    assert!(x.abs() < 0.05 && (0.9..1.1).contains(&y) && z > 0.15, "{x} {y} {z}");
    let nothing = common::run(&mut common::sinew(["explain", "builtin:twist", "--pixel", "1,1"]));
    assert_eq!((nothing.code, nothing.err.lines().count()), (Some(1), 1), "{}", nothing.err);
}

/// Each printed matrix times the vector before it is the next vector, as far as the pixel, and that pixel names the vertex.
#[test]
fn the_way_to_a_pixel_multiplies_out() {
    let list = |value: &Value| value.as_array().unwrap().iter().map(|one| one.as_f64().unwrap()).collect();
    for mode in ["lbs", "dqs", "cor"] {
        let words = ["explain", "builtin:bend", "--clip", "bend", "--time", "0.9", "--mode", mode, "--json"];
        let of = |which: [&str; 2]| -> Value {
            serde_json::from_slice(&common::run_well(common::sinew(words).args(which))).unwrap()
        };
        let found = of(["--vertex", "900"]);
        let screen = &found["screen"];
        let vector = |key: &str| -> Vec<f64> { list(&screen[key]) };
        let times = |key: &str, of: &[f64]| -> Vec<f64> {
            let columns: Vec<Vec<f64>> = screen[key].as_array().unwrap().iter().map(list).collect();
            (0..4)
                .map(|row| columns.iter().zip(of).map(|(column, along)| column[row] * along).sum())
                .collect()
        };
        let near = |a: &[f64], b: &[f64]| {
            assert_eq!(a.len(), b.len());
            assert!(a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-12), "{mode}: {a:?} {b:?}");
        };
        for (from, matrix, to) in [
            ("bind", "world_from_bind", "world"),
            ("world", "view_from_world", "view"),
            ("view", "clip_from_view", "clip"),
        ] {
            near(&times(matrix, &vector(from)), &vector(to));
        }
        let moved = found["modes"].as_array().unwrap().iter().find(|moved| moved["mode"] == mode).unwrap();
        near(&vector("world")[..3], &list(&moved["position"]) as &Vec<f64>);
        let clip = vector("clip");
        let ndc: Vec<f64> = clip[..3].iter().map(|along| along / clip[3]).collect();
        near(&vector("ndc"), &ndc);
        let pixel = [(ndc[0] + 1.0) / 2.0 * 960.0, (ndc[1] + 1.0) / 2.0 * 720.0];
        assert!(vector("pixel").iter().zip(pixel).all(|(a, b)| (a - b).abs() < 1e-9));
        if mode == "lbs" {
            let influences = found["influences"].as_array().unwrap();
            for (column, row) in (0..4).flat_map(|column| (0..3).map(move |row| (column, row))) {
                let number = |value: &Value| value[column][row].as_f64().unwrap();
                let weighted =
                    |one: &Value| one["weight"].as_f64().unwrap() * number(&one["world_from_bind"]);
                let sum: f64 = influences.iter().map(weighted).sum();
                assert!((sum - number(&screen["world_from_bind"])).abs() < 1e-12);
            }
        }
        let [x, y] = pixel;
        assert_eq!(of(["--pixel", &format!("{x},{y}")])["vertex"], "node0:0:900");
    }
}

#[test]
fn vertices_that_are_not_there_are_named() {
    for (words, code) in [
        (vec!["explain", "builtin:bend"], 2),
        (vec!["explain", "builtin:bend", "--vertex", "x"], 2),
        (vec!["explain", "builtin:bend", "--vertex", "999999999"], 1),
        (vec!["explain", "builtin:bend", "--vertex", "node7:0:1"], 1),
        (vec!["explain", "builtin:bend", "--vertex", "1", "--pixel", "1,1"], 2),
        (vec!["palette", "nothing.glb"], 1),
    ] {
        let run = common::run(&mut common::sinew(&words));
        assert_eq!((run.code, run.err.lines().count()), (Some(code), 1), "{words:?}: {}", run.err);
    }
}

#[test]
fn a_palette_has_every_joint_in_the_files_order() {
    let found = json(["palette", "builtin:bend", "--time", "0.9", "--mode", "dqs", "--json"]);
    assert_eq!(found["mode"], "dqs");
    let model = common::builtin("bend");
    let joints = found["skins"][0]["joints"].as_array().unwrap();
    assert_eq!(joints.len(), model.skins[0].joints.len());
    let mut pose = sinew::skinning::pose::Pose::default();
    pose.set(&model, &sinew::skinning::pose::PoseChoice::clip(0, 0.9));
    let matrices = sinew::skinning::world_from_bind(&model.skins[0], &pose);
    for (joint, matrix) in joints.iter().zip(&matrices) {
        let columns = matrix.to_cols_array_2d();
        let slot = sinew::skinning::SkinningMode::DualQuat.slot(matrix);
        for (column, row) in (0..4).flat_map(|column| (0..4).map(move |row| (column, row))) {
            assert_eq!(joint["world_from_bind"][column][row].as_f64(), Some(columns[column][row]));
            let number = joint["slot"][column][row].as_f64().unwrap();
            assert!((number - f64::from(slot.columns[column][row])).abs() < 1e-7 * number.abs().max(1.0));
        }
    }
}

#[test]
fn inspection_lists_joints_and_finds_nothing_wrong_with_the_character() {
    let found = json(["inspect", "builtin:character", "--weights", "--json"]);
    assert!(found["joints"]["skins"][0]["joints"].as_array().unwrap().len() > 40);
    let serious = |finding: &&Value| finding["kind"] != "tiny";
    assert_eq!(found["weights"]["findings"].as_array().unwrap().iter().filter(serious).count(), 0);
    let plain = json(["inspect", "builtin:character", "--json"]);
    assert!(plain["weights"].is_null() && plain["joints"].is_object());
}
