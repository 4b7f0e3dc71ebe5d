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
