//! USD files through the program, against points that OpenUSD bakes.
#![cfg(feature = "usd")]
#![allow(clippy::disallowed_methods, clippy::unwrap_used, reason = "runs other programs")]

use std::path::{Path, PathBuf};
use std::process::Command;

use glam::DVec3;
use serde_json::Value;

use crate::common::{run, run_well, sinew};

/// The largest error, as a share of the size.
const BOUND: f64 = 1e-6;

/// Files that OpenUSD writes and bakes.
const FILES: [&str; 4] = ["shapes_dual.usdc", "dual_sheared.usdc", "geom_bind.usda", "plain.usdz"];

/// Runs a script of the reader's tests; false if OpenUSD is not installed.
fn script(name: &str, arguments: &[PathBuf]) -> bool {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let program = root.join(".deps/peers/python/bin/python");
    if !program.exists() {
        println!("NOT RUN: files of OpenUSD, because make peers has not installed it");
        return false;
    }
    let script = root.join("crates/model/tests/usd").join(name);
    let output = Command::new(program).arg(script).args(arguments).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    true
}

fn json(command: &mut Command) -> Value {
    serde_json::from_slice(&run_well(command)).unwrap()
}

fn numbers(list: &Value) -> Vec<f64> {
    list.as_array().unwrap().iter().map(|number| number.as_f64().unwrap()).collect()
}

#[test]
fn the_program_exports_what_openusd_bakes() {
    let folder = tempfile::tempdir().unwrap();
    if !script("write.py", &[folder.path().into()]) {
        return;
    }
    let files = FILES.map(|file| folder.path().join(file));
    assert!(script("skin.py", &files));
    for file in &files {
        let truth = std::fs::read(file.with_added_extension("json")).unwrap();
        let truth: Value = serde_json::from_slice(&truth).unwrap();
        let (mut worst, mut low, mut high) = (0.0f64, DVec3::MAX, DVec3::MIN);
        for (time, meshes) in numbers(&truth["times"]).iter().zip(truth["baked"].as_array().unwrap()) {
            let mut export = sinew(["export", "-o", "-", "--control-points", "--mode", "authored"]);
            let export = json(export.arg(file).args(["--time", &time.to_string()]));
            let primitive = &export["primitives"][0];
            let (found, want) = (numbers(&primitive["positions"]), numbers(&meshes[0]));
            let (found, want) = (found.as_chunks::<3>().0, want.as_chunks::<3>().0);
            assert_eq!(found.len(), want.len());
            for (found, want) in found.iter().zip(want) {
                let want = DVec3::from(*want);
                (low, high) = (low.min(want), high.max(want));
                worst = worst.max(want.distance(DVec3::from(*found)));
            }
        }
        let off = worst / (high - low).length();
        println!("{}: {off:.1e} of the size", file.display());
        assert!(off < BOUND, "{}: {off:e}", file.display());
    }
}

#[test]
fn every_command_opens_a_usd_file() {
    let folder = tempfile::tempdir().unwrap();
    if !script("write.py", &[folder.path().into()]) {
        return;
    }
    let at = |name: &str| folder.path().join(name).into_os_string().into_string().unwrap();
    let inspected = json(&mut sinew(["inspect", "--json", &at("plain.usdz")]));
    assert_eq!((inspected["format"].as_str(), inspected["version"].as_str()), (Some("USD"), Some("archive")));
    let verified = run(&mut sinew(["verify", &at("plain.usdc"), &at("shapes_dual.usdc")]));
    assert_eq!(verified.code, Some(0), "{}", verified.err);
    // One scene in three forms is one model. The unit of the file stretches nothing.
    for other in ["plain.usda", "plain.usdz"] {
        let compared =
            sinew(["compare", &at("plain.usdc"), &at(other), "--fail-above", "0mm"]).output().unwrap();
        assert!(compared.status.success(), "{}", String::from_utf8_lossy(&compared.stdout));
    }
    let scaled = json(&mut sinew(["inspect", "--json", &at("dual.usda")]));
    assert_eq!(scaled["skins"][0]["stretched"], Value::Array(Vec::new()), "{scaled}");
    let picture = at("plain.png");
    run_well(&mut sinew([&at("plain.usdz"), "--size", "32x32", "--screenshot", &picture]));
    // A reader misses its files by name, and a folder names them.
    let missing = run(&mut sinew(["inspect", &at("plane.usdz")]));
    assert!(missing.err.contains("did you mean"), "{}", missing.err);
}

/// Runs; fails the test unless the program succeeds. It may warn.
fn done(command: &mut Command) -> Vec<u8> {
    let run = run(command);
    assert_eq!(run.code, Some(0), "{command:?}: {}", run.err);
    run.out
}

#[test]
fn models_go_to_usd_and_back() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    for (model, ending) in
        [("builtin:character", "usdc"), ("builtin:bend", "usda"), ("builtin:twist", "usdz")]
    {
        let (there, back) = (at("there").with_extension(ending), at("back.glb"));
        let made: Value =
            serde_json::from_slice(&done(sinew(["convert", model, "--json", "-o"]).arg(&there))).unwrap();
        assert!(made["max_percent"].as_f64().unwrap() <= 1e-4, "{made}");
        done(sinew(["convert"]).arg(&there).arg("-o").arg(&back));
        for file in [&there, &back] {
            done(sinew(["compare", model, "--all-clips", "--fail-above", "0.0001%"]).arg(file));
        }
    }
    let names = |file: &Path| json(sinew(["inspect", "--json"]).arg(file))["clips"].as_array().unwrap().len();
    assert_eq!(names(&at("there.usdc")), 4, "each clip is a variant");
}

#[test]
fn baked_usd_has_points_in_time() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("bend.usda");
    done(sinew(["bake", "builtin:bend", "--mode", "dqs", "--fps", "10", "-o"]).arg(&file));
    let text = std::fs::read_to_string(&file).unwrap();
    let (_, samples) = text.split_once("point3f[] points.timeSamples").unwrap();
    let frames = samples.split_once('}').unwrap().0.matches(": [").count();
    assert!(frames > 10, "{frames}");
    assert!(text.contains("timeCodesPerSecond = 10") && !text.contains("Skeleton"), "{}", &text[..500]);
}

#[test]
fn what_usd_cannot_hold_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.usdc");
    let said = run(sinew(["convert", "builtin:bend", "--mode", "cor", "-o"]).arg(&file)).err;
    assert!(said.contains("USD cannot hold the mode cor"), "{said}");
}

#[test]
fn parts_of_avatars_are_not_lost_in_silence() {
    let folder = tempfile::tempdir().unwrap();
    let avatar = folder.path().join("a.vrm");
    let glb = crate::edited::edited("bend", |json| {
        json["extensionsUsed"] = serde_json::json!(["VRMC_vrm", "VRMC_node_constraint"]);
        json["extensions"]["VRMC_vrm"] = serde_json::json!({"specVersion": "1.0", "meta": {"name": "A"}});
        let roll = serde_json::json!({"source": 0, "rollAxis": "X"});
        json["nodes"][1]["extensions"]["VRMC_node_constraint"] =
            serde_json::json!({"specVersion": "1.0", "constraint": {"roll": roll}});
    });
    std::fs::write(&avatar, glb).unwrap();
    let said = |name: &str| run(sinew(["convert"]).arg(&avatar).arg("-o").arg(folder.path().join(name))).err;
    let (glb, usd) = (said("b.glb"), said("b.usda"));
    assert!(glb.contains("cannot hold an avatar's bones, expressions and springs"), "{glb}");
    assert!(
        usd.contains("cannot hold an avatar's bones") && usd.contains("cannot hold constraints"),
        "{usd}"
    );
}

#[test]
fn a_fit_is_made_for_linear_blending() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("fitted.usda");
    let words = ["fit", "builtin:bend", "--mode", "dqs", "--helpers", "1", "--fps", "2", "-o"];
    run_well(sinew(words).arg(&out));
    let text = std::fs::read_to_string(&out).unwrap();
    assert!(text.contains("skel:skinningMethod = \"classicLinear\""), "{text}");
    assert!(!text.contains("dualQuaternion"));
}
