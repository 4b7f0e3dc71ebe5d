//! Tests delta mush from outside: as a yardstick of `compare` and `sweep`, in pictures, and refused elsewhere in one line.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::path::Path;

use glam::DVec3;
use serde_json::{Value, json};
use sinew::skinning::delta_mush::Settings;
use sinew::skinning::pose::{Pose, PoseChoice};
use sinew::skinning::posed::{SkinnedPrimitive, reference_surfaces};
use sinew::skinning::{SkinningMode, Yardstick};

use crate::cli::assert_fails;
use crate::common::{self, run, run_well, sinew};

const SETTINGS: &str = "iterations=20,factor=0.4,weights=lengths";

fn json_of(words: &[&str]) -> Value {
    serde_json::from_slice(&run_well(&mut sinew(words))).unwrap()
}

/// The bend at 0.9 s, and the vertices that triangles use.
fn bent(skin: impl FnOnce(&sinew::model::Model, &mut Vec<SkinnedPrimitive<f64>>)) -> Vec<DVec3> {
    let model = common::builtin("bend");
    let mut skinned = Vec::new();
    skin(&model, &mut skinned);
    let used: std::collections::BTreeSet<u32> =
        model.meshes[0].primitives[0].indices.iter().copied().collect();
    used.into_iter().map(|vertex| DVec3::from(skinned[0].positions[vertex as usize])).collect()
}

fn furthest(a: &[DVec3], b: &[DVec3]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a.distance(*b)).fold(0.0, f64::max)
}

#[test]
fn modes_are_measured_from_delta_mush() {
    let words = ["compare", "builtin:bend", "--time", "0.9", "--modes", "lbs,ddm", "--against", "mush"];
    let pose = |model: &sinew::model::Model| {
        let mut pose = Pose::default();
        pose.set(model, &PoseChoice::clip(0, 0.9));
        pose
    };
    for (flags, settings) in
        [(&[][..], Settings::default()), (&["--mush-settings", SETTINGS], SETTINGS.parse().unwrap())]
    {
        let found = json_of(&[&words, flags, &["--json"]].concat());
        assert_eq!((&found["against"], &found["mush"]), (&json!("mush"), &json!(settings)));
        let mushed = bent(|model, out| {
            Yardstick::Mush(settings).measure(model).surfaces_into(model, &pose(model), out)
        });
        for (number, mode) in [SkinningMode::Linear, SkinningMode::DirectDeltaMush].into_iter().enumerate() {
            let skinned = bent(|model, out| reference_surfaces(model, mode, &pose(model), out));
            let figures = &found["clips"][0]["frames"][0]["modes"][number];
            assert_eq!(figures["mode"], mode.name());
            let apart = figures["max_m"].as_f64().unwrap();
            assert!((apart - furthest(&skinned, &mushed)).abs() < 1e-12 && apart > 1e-3, "{mode}: {apart}");
        }
        // The printed command draws the difference from the same vertices.
        let folder = tempfile::tempdir().unwrap();
        let command = found["worst"][0]["command"].as_str().unwrap();
        assert!(command.contains(" --view=difference:mush "), "{command}");
        assert_eq!(command.contains(" --mush-settings "), !flags.is_empty(), "{command}");
        let picture = folder.path().join("worst.png");
        run_well(sinew(command.split(' ').skip(1)).arg("--screenshot").arg(&picture));
    }
}

#[test]
fn clips_pages_pictures_and_limits_have_it() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let [page, picture] = [at("mush.md"), at("mush.png")];
    let words = [
        "compare",
        "builtin:character",
        "--all-clips",
        "--frames",
        "2",
        "--modes",
        "lbs,dqs",
        "--against",
        "mush",
    ];
    let table = run_well(sinew(words).args([
        "--markdown",
        &page,
        "-o",
        &picture,
        "--size",
        "320x160",
        "--mush-settings",
        SETTINGS,
    ]));
    let table = String::from_utf8(table).unwrap();
    assert!(table.contains(&format!("modes against mush ({SETTINGS}), over ")), "{table}");
    assert_eq!(table.lines().filter(|line| line.starts_with("  lbs ")).count(), 4 + 4, "{table}");
    let markdown = std::fs::read_to_string(page).unwrap();
    assert!(markdown.contains("compare builtin:character"), "{markdown}");
    let shown = String::from_utf8(run_well(&mut sinew(["show", &picture]))).unwrap();
    assert!(shown.contains("--split='mode=dqs view=difference:mush@"), "{shown}");
    assert!(shown.contains(&format!("--mush-settings {SETTINGS}")), "{shown}");
    let limited = run(sinew(words).args(["--fail-above", "1mm"]));
    assert_eq!(limited.code, Some(6));
    assert!(limited.err.contains(" from mush ("), "{}", limited.err);
}

#[test]
fn sweeps_are_measured_from_delta_mush() {
    let folder = tempfile::tempdir().unwrap();
    let sheet = folder.path().join("sheet.png");
    let words = [
        "sweep",
        "builtin:bend",
        "--joint",
        "upper",
        "--steps",
        "2",
        "--range",
        "0..90",
        "--modes",
        "lbs,dqs",
    ];
    let flags = ["--against", "mush", "--mush-settings", SETTINGS];
    let found = json_of(&[&words[..], &flags, &["--json"]].concat());
    let settings: Settings = SETTINGS.parse().unwrap();
    assert_eq!((&found["against"], &found["mush"]), (&json!("mush"), &json!(settings)));
    let apart = |step: usize| found["steps"][step]["modes"][0]["distance_max_m"].as_f64().unwrap();
    assert!(apart(0) == 0.0 && apart(1) > 1e-3, "{found}");
    let text = String::from_utf8(run_well(sinew(words).args(flags).arg("-o").arg(&sheet))).unwrap();
    assert!(text.contains(&format!("Distances are to mush ({SETTINGS}).")), "{text}");
    let shown = String::from_utf8(run_well(sinew(["show"]).arg(&sheet))).unwrap();
    assert!(shown.contains(&format!("--against mush --mush-settings {SETTINGS}")), "{shown}");
    assert_eq!(json_of(&[&words[..], &["--json"]].concat()).get("mush"), None);
}

/// Draws and returns the pixels, and what is said.
fn draw(folder: &Path, words: &[&str]) -> (Vec<u8>, String) {
    let picture = folder.join("picture.png");
    let run = run(sinew(["builtin:bend", "--time", "1"]).args(words).arg("--screenshot").arg(&picture));
    assert_eq!(run.code, Some(0), "{}", run.err);
    (sinew::image::read_png(&picture).unwrap().rgba, run.err)
}

#[test]
fn pictures_show_delta_mush_and_say_that_it_is_slow() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let note = "note: delta mush is computed on the CPU, frame by frame, and is not real time\n";
    let strong = "iterations=150,factor=0.9";
    let (lbs, silent) = draw(folder, &["--mode", "lbs", "--size", "96x96"]);
    let (mush, said) = draw(folder, &["--mode", "mush", "--size", "96x96"]);
    let (stronger, _) = draw(folder, &["--mode", "mush", "--mush-settings", strong, "--size", "96x96"]);
    assert_eq!((silent.as_str(), said.as_str()), ("", note));
    assert!(lbs != mush && mush != stronger && lbs != stronger);
    let shown = String::from_utf8(run_well(sinew(["show"]).arg(folder.join("picture.png")))).unwrap();
    assert!(
        shown.contains(" --mode mush --mush-settings iterations=150,factor=0.9,weights=uniform "),
        "{shown}"
    );
    // Panes beside it have their own modes.
    let half = ["--size", "192x96", "--no-legend"];
    let (split, said) = draw(folder, &[&["--mode", "mush", "--split", "lbs"], &half[..]].concat());
    let (panes, _) = draw(folder, &[&["--split", "mode=mush", "--split", "mode=lbs"], &half[..]].concat());
    assert_eq!(said, note);
    assert!(split == panes, "modes beside it, and panes");
    let (swapped, _) = draw(folder, &[&["--mode", "lbs", "--split", "dqs"], &half[..]].concat());
    assert!(split != swapped);
    let animation = folder.join("a.gif");
    let words = ["builtin:bend", "--mode", "mush", "--size", "48x48", "--frames", "3", "--screenshot"];
    let moved = run(sinew(words).arg(&animation));
    assert_eq!((moved.code, moved.err.as_str()), (Some(0), note));
    assert!(animation.exists());
}

#[test]
fn what_has_no_delta_mush_says_where_it_is() {
    let elsewhere = "delta mush is computed on the CPU, for --against of compare and sweep, and for pictures with --mode mush";
    let table: &[(&[&str], &str)] = &[
        (&["export", "--mode", "mush", "-o", "a.ply"], elsewhere),
        (&["bake", "--mode", "mush", "-o", "a.glb"], elsewhere),
        (&["explain", "--mode", "mush", "--vertex", "node0:0:0"], elsewhere),
        (&["palette", "--mode", "mush"], elsewhere),
        (&["why", "--mode", "mush", "--joint", "elbow"], elsewhere),
        (&["report", "--modes", "lbs,mush", "-o", "a"], elsewhere),
        (&["compare", "--modes", "mush"], elsewhere),
        (&["sweep", "--joint", "elbow", "--modes", "mush"], elsewhere),
        (&["--split", "mush", "--screenshot", "a.png"], "mush is computed on the CPU alone"),
        (&["--wipe", "mush@0.5", "--screenshot", "a.png"], elsewhere),
        (
            &["--mode", "mush"],
            "--mode mush needs --screenshot: delta mush is computed on the CPU and is not real time",
        ),
        (
            &["--mode", "mush", "--crowd", "9", "--screenshot", "a.png"],
            "--mode mush cannot be used with --crowd",
        ),
        (&["--mode", "mush", "--skin", "gpu", "--screenshot", "a.png"], "cannot be used with --skin gpu"),
        (
            &["--mode", "mush", "--vertex", "node0:0:0", "--screenshot", "a.png"],
            "cannot be used with --vertex",
        ),
        (
            &["--mode", "mush", "--view", "skin-space", "--screenshot", "a.png"],
            "cannot be used with --view skin-space",
        ),
        (&["compare", "--against", "mush", "--mush-settings", "factor=2"], "factor is from 0 to 1"),
        (
            &["compare", "--against", "mush", "--mush-settings", "iterations=0"],
            "iterations is a whole number from 1 to 200",
        ),
        (
            &["sweep", "--joint", "elbow", "--mush-settings", "weight=1"],
            "expected settings such as iterations=10,factor=0.5",
        ),
        (&["compare", "a.glb", "b.glb", "--against", "mush"], "cannot be used with"),
        (
            &["report", "--mush-settings", "factor=1"],
            "--mush-settings is a flag of 'sinew compare', 'sinew sweep'",
        ),
    ];
    let folder = tempfile::tempdir().unwrap();
    for (words, says) in table {
        assert_fails(sinew(*words).current_dir(folder.path()), 2, &[says]);
    }
}
