//! Tests `--normals recomputed` from outside: in pictures and panes, in files, as figures of `compare`, and its limits.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::path::Path;

use glam::DVec3;
use serde_json::Value;
use sinew::skinning::pose::{Pose, PoseChoice};
use sinew::skinning::posed::reference_model;
use sinew::skinning::{MeshNormals, SkinningMode};

use crate::cli::assert_fails;
use crate::common::{self, run, run_well, sinew};

fn json_of(words: &[&str]) -> Value {
    serde_json::from_slice(&run_well(&mut sinew(words))).unwrap()
}

fn vectors(numbers: &Value) -> Vec<DVec3> {
    let numbers: Vec<f64> =
        numbers.as_array().unwrap().iter().map(|number| number.as_f64().unwrap()).collect();
    numbers.as_chunks::<3>().0.iter().map(|vector| DVec3::from_array(*vector)).collect()
}

/// The angles of two lists of normals in degrees, of vertices that triangles use.
fn angles(a: &[DVec3], b: &[DVec3]) -> Vec<f64> {
    let model = common::builtin("bend");
    let used: std::collections::BTreeSet<u32> =
        model.meshes[0].primitives[0].indices.iter().copied().collect();
    let pairs = used.into_iter().map(|vertex| (a[vertex as usize], b[vertex as usize]));
    pairs.map(|(a, b)| a.cross(b).length().atan2(a.dot(b)).to_degrees()).collect()
}

/// The normals of the library at 0.9 s of the bend, moved and recomputed.
fn both(mode: SkinningMode) -> [Vec<DVec3>; 2] {
    let model = common::builtin("bend");
    let mut pose = Pose::default();
    pose.set(&model, &PoseChoice::clip(0, 0.9));
    let mut skinned: Vec<_> =
        reference_model(&model, mode, &pose).into_iter().map(|truth| truth.skinned).collect();
    let moved = skinned[0].normals.clone().unwrap();
    MeshNormals::new(&model).apply(&model, &pose, &mut skinned);
    [moved, skinned[0].normals.clone().unwrap()]
        .map(|normals| normals.into_iter().map(DVec3::from_array).collect())
}

#[test]
fn compare_measures_the_angles_of_every_mode() {
    let words = ["compare", "builtin:bend", "--time", "0.9", "--normals", "recomputed"];
    let found = json_of(&[&words[..], &["--json"]].concat());
    let modes = found["clips"][0]["frames"][0]["modes"].as_array().unwrap();
    assert_eq!(modes.len(), found["normals"].as_array().unwrap().len());
    for (figures, whole) in modes.iter().zip(found["normals"].as_array().unwrap()) {
        let mode: SkinningMode = figures["mode"].as_str().unwrap().parse().unwrap();
        let [moved, recomputed] = both(mode);
        let angles = angles(&moved, &recomputed);
        let max = angles.iter().copied().fold(0.0, f64::max);
        let rms = (angles.iter().map(|angle| angle * angle).sum::<f64>() / angles.len() as f64).sqrt();
        for (name, expected) in [("max_deg", max), ("rms_deg", rms)] {
            for given in [&figures["recomputed"], whole] {
                let given = given[name].as_f64().unwrap();
                assert!((given - expected).abs() < 1e-6 && given > 1.0, "{mode} {name}: {given} {expected}");
            }
        }
        assert_eq!(whole["worst"], figures["recomputed"]["worst"]);
        assert!((whole["time"].as_f64().unwrap() - 0.9).abs() < 1e-12);
    }
    let text = String::from_utf8(run_well(&mut sinew(words))).unwrap();
    assert!(text.contains("recomputed from the triangles it deforms"), "{text}");
    // The printed command draws both.
    let folder = tempfile::tempdir().unwrap();
    let command = found["normals"][1]["command"].as_str().unwrap();
    assert!(command.contains(" --split=normals=moved --split=normals=recomputed "), "{command}");
    assert!(text.lines().any(|line| line.contains(" --split=normals=moved --split=normals=recomputed ")));
    run_well(sinew(command.split(' ').skip(1)).arg("--screenshot").arg(folder.path().join("worst.png")));
    // Without the flag there is nothing of it.
    let plain = run_well(&mut sinew([&words[..4], &["--json"]].concat()));
    assert!(!String::from_utf8(plain).unwrap().contains("\"normals\""));
}

#[test]
fn files_have_recomputed_normals() {
    let folder = tempfile::tempdir().unwrap();
    for on in ["gpu", "cpu", "reference"] {
        let words = ["export", "builtin:bend", "--time", "0.9", "--mode", "cor", "--on", on, "-o", "-"];
        let [moved, recomputed] =
            [&words[..], &[&words[..], &["--normals", "recomputed"]].concat()].map(json_of);
        assert_eq!(recomputed["normals_from"], "recomputed");
        assert_eq!(moved.get("normals_from"), None);
        let [own, of_mesh] = both(SkinningMode::CenterOfRotation);
        let positions = |file: &Value| vectors(&file["primitives"][0]["positions"]);
        assert_eq!(positions(&moved), positions(&recomputed), "{on}");
        for (file, expected) in [(&moved, &own), (&recomputed, &of_mesh)] {
            let found = vectors(&file["primitives"][0]["normals"]);
            let apart = angles(&found, expected).into_iter().fold(0.0, f64::max);
            assert!(apart < 0.1, "{on}: {apart}");
        }
    }
    let baked = |name: &str, flags: &[&str]| {
        let file = folder.path().join(name);
        run_well(
            sinew(["bake", "builtin:bend", "--fps", "1", "--mode", "lbs"]).args(flags).arg("-o").arg(&file),
        );
        std::fs::read(folder.path().join(name.replace("{frame}", "0001"))).unwrap()
    };
    let lines = |bytes: Vec<u8>, start: &str| {
        let text = String::from_utf8(bytes).unwrap();
        text.lines().filter(|line| line.starts_with(start)).map(str::to_owned).collect::<Vec<_>>()
    };
    let [moved, recomputed] = [("m-{frame}.obj", &[][..]), ("r-{frame}.obj", &["--normals", "recomputed"])]
        .map(|(name, flags)| baked(name, flags));
    assert!(lines(moved.clone(), "vn ") != lines(recomputed.clone(), "vn "));
    assert!(lines(moved, "v ") == lines(recomputed, "v "));
}

/// Draws and returns the pixels.
fn draw(folder: &Path, words: &[&str]) -> Vec<u8> {
    let picture = folder.join("picture.png");
    let run = run(sinew(["builtin:bend", "--time", "1.5"]).args(words).arg("--screenshot").arg(&picture));
    assert_eq!(run.code, Some(0), "{}", run.err);
    sinew::image::read_png(&picture).unwrap().rgba
}

#[test]
fn pictures_and_panes_show_them() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let one = ["--no-legend", "--size", "96x96"];
    for mode in ["rigid", "lbs", "dqs", "ddm", "mush"] {
        let with =
            |normals: &str| draw(folder, &[&["--mode", mode, "--normals", normals], &one[..]].concat());
        assert!(with("moved") != with("recomputed"), "{mode}");
    }
    let shown = String::from_utf8(run_well(sinew(["show"]).arg(folder.join("picture.png")))).unwrap();
    assert!(shown.contains(" --mode mush --normals recomputed "), "{shown}");
    let two = ["--no-legend", "--size", "192x96"];
    let panes =
        |left: &str, right: &str| draw(folder, &[&["--split", left, "--split", right], &two[..]].concat());
    let [moved, recomputed] = ["normals=moved", "normals=recomputed"];
    assert!(panes(moved, recomputed) != panes(moved, moved));
    assert!(panes(moved, recomputed) != panes(recomputed, recomputed));
    // Panes of modes have those of the whole.
    let modes = |flags: &[&str]| draw(folder, &[&["--split", "dqs"], flags, &two[..]].concat());
    assert!(modes(&[]) != modes(&["--normals", "recomputed"]));
}

#[test]
fn what_has_none_says_so() {
    let recomputed = ["--normals", "recomputed"];
    let folder = tempfile::tempdir().unwrap();
    let table: &[(&[&str], &str)] = &[
        (&["--skin", "gpu", "--screenshot", "a.png"], "--normals recomputed cannot be used with --skin gpu"),
        (&["--skin", "compute", "--screenshot", "a.png"], "cannot be used with --skin compute"),
        (&["compare", "a.glb", "b.glb"], "cannot be used with"),
        (&["export", "--rigged", "-o", "a.glb"], "cannot be used with"),
        (&["export", "--ddm", "-o", "a.npz"], "cannot be used with"),
        (&["sweep", "--joint", "upper"], "--normals is a flag of"),
    ];
    for (words, says) in table {
        assert_fails(sinew(*words).args(recomputed).current_dir(folder.path()), 2, &[says]);
    }
    let odd = ["--normals", "flat", "--screenshot", "a.png"];
    assert_fails(sinew(odd).current_dir(folder.path()), 2, &["expected moved or recomputed"]);
}
