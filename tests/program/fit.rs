//! `sinew fit`: the written file, the table, and what is refused.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::f64::consts::TAU;

use glam::{DQuat, DVec3};
use serde_json::Value;
use sinew::model::{Channel, Model, Property, gltf};
use sinew::skinning::pose::{Pose, parts};

use crate::common::{run, run_well, sinew};

fn figures(words: &[&str]) -> Value {
    let ended = run(&mut sinew(words));
    assert_eq!(ended.code, Some(0), "{words:?}: {}", ended.err);
    serde_json::from_slice(&ended.out).unwrap()
}

/// Linear blending in the file is as far from the mode as the table says, by another command's measure.
#[test]
fn the_file_is_as_near_as_the_table_says() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let [out, cache] = ["fitted.glb", "twist.pc2"].map(path);
    let said = figures(&["fit", "builtin:twist", "--all-clips", "--helpers", "4", "-o", &out, "--json"]);
    assert_eq!(said["helpers"].as_array().unwrap().len(), 4);
    assert_eq!(said["mode"], "dqs");
    let row = &said["rows"][0];
    let max = |side: &str| row[side]["max_m"].as_f64().unwrap();
    assert!(max("before") > 0.19 && max("after") < 0.05, "{row}");
    run_well(&mut sinew(["bake", "builtin:twist", "--mode", "dqs", "--fps", "60", "-o", &cache]));
    let compared = figures(&["compare", &out, &cache, "--modes", "lbs", "--json"]);
    let apart = compared["worst"][0]["distance_m"].as_f64().unwrap();
    assert!((apart - max("after")).abs() < 2e-6 + 0.02 * apart, "{apart} {row}");
    // The file breaks no rule.
    let found = figures(&["inspect", &out, "--json"]);
    assert_eq!(found["warnings"], Value::Array(Vec::new()));
}

/// Frames of a point cache are followed by the model's joints and by joints of their own.
#[test]
fn vertices_from_elsewhere_are_followed() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let [cache, kept, made] = ["bend.pc2", "kept.glb", "made.glb"].map(path);
    run_well(&mut sinew(["bake", "builtin:bend", "--mode", "dqs", "--fps", "10", "-o", &cache]));
    let by_helpers =
        figures(&["fit", "builtin:bend", "--from", &cache, "--helpers", "3", "-o", &kept, "--json"]);
    let alone = figures(&["fit", "builtin:bend", "--from", &cache, "--joints", "5", "-o", &made, "--json"]);
    for (said, most) in [(&by_helpers, 0.1), (&alone, 0.05)] {
        assert_eq!(said["mode"], Value::Null);
        let rms = |side: &str| said["rows"][0][side]["rms_m"].as_f64().unwrap();
        assert!(rms("after") < most * rms("before"), "{}", said["rows"][0]);
    }
    let compared = figures(&["compare", &made, &cache, "--modes", "lbs", "--json"]);
    let apart = compared["worst"][0]["distance_m"].as_f64().unwrap();
    let said = alone["rows"][0]["after"]["max_m"].as_f64().unwrap();
    assert!((apart - said).abs() < 1e-5 + 0.02 * said, "{apart} {said}");
    // Root and four more, each below another one.
    let joints = figures(&["inspect", &made, "--json"]);
    assert_eq!(joints["skins"][0]["joints"], 5, "{}", joints["skins"][0]);
    // A cache is an input, whatever the name of an output.
    std::fs::hard_link(&cache, path("link.glb")).unwrap();
    let found = run(&mut sinew(["fit", "builtin:bend", "--from", &cache, "-o", &path("link.glb")]));
    assert_eq!(found.code, Some(2), "{}", found.err);
    assert!(found.err.contains("the output would overwrite"), "{}", found.err);
}

/// The table of each joint, evaluated as the guide says, gives what the driver's rotation at rest should.
#[test]
fn tables_of_driven_joints_are_polynomials() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let [out, tables, picture] = ["a.glb", "tables.json", "a.png"].map(path);
    let said = figures(&[
        "fit",
        "builtin:bend",
        "--helpers",
        "2",
        "--range",
        "20",
        "--driven",
        &tables,
        "--screenshot",
        &picture,
        "-o",
        &out,
        "--json",
    ]);
    let rms = |row: &Value, side: &str| row[side]["rms_m"].as_f64().unwrap();
    let range = said["rows"].as_array().unwrap().last().unwrap();
    assert_eq!((range["name"].as_str(), range["frames"].as_u64()), (Some("range of motion"), Some(20)));
    assert!(
        rms(range, "after") < rms(range, "driven") && rms(range, "driven") < 0.5 * rms(range, "before"),
        "{range}"
    );
    let document: Value = serde_json::from_slice(&std::fs::read(&tables).unwrap()).unwrap();
    assert_eq!((document["terms"][0].as_str(), document["terms"][4].as_str()), (Some("1"), Some("xx")));
    let joints = document["joints"].as_array().unwrap();
    assert_eq!(joints.len(), 2);
    for joint in joints {
        let rows = |key: &str| joint[key].as_array().unwrap().len();
        assert!([1, 4, 10, 20].contains(&rows("translation")) && rows("translation") == rows("rotation"));
    }
    let model = gltf::load_bytes(&std::fs::read(&out).unwrap(), None).unwrap();
    for joint in joints {
        let apart = evaluated(&model, &document, joint);
        assert!(apart < 0.02, "{apart} {joint}");
    }
    let bytes = std::fs::read(&picture).unwrap();
    assert!(bytes.starts_with(b"\x89PNG") && bytes[16..24] == [0, 0, 7, 128, 0, 0, 1, 224]);
}

/// Poses of files are fitted besides those of clips.
#[test]
fn poses_of_files_are_fitted() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    for (name, degrees) in [("a.json", 70), ("b.json", 120), ("c.json", 150)] {
        let pose = format!(
            r#"{{"sinew-pose": 2, "joints": {{"upper": {{"rotation": {}}}}}}}"#,
            turned(f64::from(degrees))
        );
        std::fs::write(path(name), pose).unwrap();
    }
    std::fs::write(path("notes.txt"), "not a pose").unwrap();
    let out = path("out.glb");
    let said =
        figures(&["fit", "builtin:bend", "--helpers", "3", "--poses", &path("."), "-o", &out, "--json"]);
    let row = said["rows"].as_array().unwrap().last().unwrap();
    assert_eq!((row["name"].as_str(), row["frames"].as_u64()), (Some("poses"), Some(3)));
    let rms = |side: &str| row[side]["rms_m"].as_f64().unwrap();
    assert!(rms("after") < 0.2 * rms("before"), "{row}");
    let found = figures(&["inspect", &out, "--json"]);
    assert_eq!(found["clips"].as_array().unwrap().len(), 1);
    // A pose is an input.
    let words = ["fit", "builtin:bend", "--poses", &path("."), "--driven", &path("a.json"), "-o", &out];
    let found = run(&mut sinew(words));
    assert!(found.code == Some(2) && found.err.contains("the output would overwrite"), "{}", found.err);
    std::fs::write(path("d.json"), "{").unwrap();
    let found = run(&mut sinew(["fit", "builtin:bend", "--poses", &path("."), "-o", &out]));
    assert!(found.code == Some(1) && found.err.contains("d.json"), "{}", found.err);
}

/// Returns the distance of a helper's place by its table from that of a key in the middle of its clip.
fn evaluated(model: &Model, document: &Value, table: &Value) -> f64 {
    let node = |key: &str| model.rig.names.iter().position(|name| *name == table[key]).unwrap();
    let (helper, driver, clip) = (node("name"), node("driver"), &model.clips[0]);
    let is_place = |one: &&Channel| one.node == helper && one.property == Property::Translation;
    let channel = clip.channels.iter().find(is_place).unwrap();
    let key = channel.times.len() / 3;
    let mut pose = Pose::default();
    pose.set_clip(&model.rig, clip, f64::from(channel.times[key]));
    let (_, rotation, _) = parts(&pose.locals[driver]);
    let number = |key: &str, at: usize| table[key][at].as_f64().unwrap();
    let rest = DQuat::from_array([0, 1, 2, 3].map(|at| number("driver_rest", at)));
    let center = DVec3::from_array([0, 1, 2].map(|at| number("driver_center", at)));
    let turned = (rest.inverse() * rotation).to_scaled_axis();
    let other = turned - TAU * turned.normalize();
    let turned = if other.distance(center) < turned.distance(center) { other } else { turned };
    let number = |letter: char| match letter {
        'x' => turned.x,
        'y' => turned.y,
        'z' => turned.z,
        _ => 1.0,
    };
    let term = |term: &Value| term.as_str().unwrap().chars().map(number).product::<f64>();
    let terms: Vec<f64> = document["terms"].as_array().unwrap().iter().map(term).collect();
    let rows = table["translation"].as_array().unwrap().iter().zip(&terms);
    let place =
        rows.map(|(row, term)| DVec3::from_array([0, 1, 2].map(|at| row[at].as_f64().unwrap())) * *term);
    let keyed = DVec3::from_array([0, 1, 2].map(|at| f64::from(channel.values[3 * key + at])));
    place.sum::<DVec3>().distance(keyed)
}

/// A turn about z, as a pose file has it.
fn turned(degrees: f64) -> String {
    let half = degrees.to_radians() / 2.0;
    format!("[0, 0, {}, {}]", half.sin(), half.cos())
}

#[test]
fn what_cannot_be_fitted_is_refused_in_one_line() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("a.glb");
    for (words, code, cause) in [
        (&["builtin:twist", "--mode", "lbs"][..], 2, "linear blending follows lbs already"),
        (&["builtin:twist", "--clip", "dance"], 1, "no clip"),
        (&["builtin:twist", "--clip", "0", "--all-clips"], 2, "--all-clips"),
        (&["builtin:twist", "--helpers", "0"], 2, "--helpers"),
        (&["builtin:twist", "--helpers", "2", "--within", "1mm"], 2, "--within"),
        (&["builtin:twist", "--within", "wide"], 2, "--within"),
        (&["builtin:twist", "--joints", "4"], 2, "--from"),
        (&["builtin:twist", "--driven", "-"], 2, "--driven"),
        (&["builtin:twist", "--screenshot", "a.gif"], 2, "--screenshot"),
        (&["builtin:twist", "--from", "a.pc2", "--joints", "4", "--driven", "a.json"], 2, "--driven"),
        (
            &["builtin:twist", "--from", "a.pc2", "--clip", "a", "--clip", "b"],
            2,
            "--from has the frames of one clip",
        ),
        (&["builtin:twist", "--poses", "absent"], 1, "absent"),
        (&["builtin:twist", "--from", "builtin:bend"], 2, "--from takes a point cache"),
        (&["builtin:twist", "--from", "absent.pc2"], 1, "absent.pc2"),
        (&["builtin:twist", "--from", "absent.pc2", "--mode", "ddm"], 2, "--mode"),
    ] {
        let found = run(sinew(["fit"]).args(words).arg("-o").arg(&out));
        assert_eq!(found.code, Some(code), "{words:?}: {}", found.err);
        assert!(found.err.contains(cause), "{words:?}: {}", found.err);
        assert_eq!(found.err.lines().count(), 1, "{}", found.err);
        assert!(!out.exists(), "{words:?}");
    }
}
