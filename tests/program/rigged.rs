//! Tests `sinew export --rigged` from outside: what is kept, what is changed, and that the figures are those of
//! `sinew compare`.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on has failed")]

use std::path::{Path, PathBuf};

use serde_json::Value;
use sinew::model::{Model, gltf};

use crate::common::{Run, run, run_well, sinew};
use crate::edited::edited;

/// Metres: quaternions are brought to length 1 in single precision whenever they are read.
const ROUNDING: f64 = 1e-8;

/// Writes the built-in character with its two shortest clips: every frame is measured.
fn walker(folder: &Path) -> PathBuf {
    let glb = edited("character", |json| {
        let animations = json["animations"].as_array_mut().unwrap();
        animations.retain(|clip| clip["name"] == "walk" || clip["name"] == "idle");
    });
    let path = folder.join("walker.glb");
    std::fs::write(&path, glb).unwrap();
    path
}

/// Writes this model with these flags, and returns the file and the figures.
fn export(model: &Path, flags: &[&str]) -> (PathBuf, Value) {
    let out = model.with_file_name("out.glb");
    let mut command = sinew(["export", "--rigged", "--json", "-", "-o"]);
    let json = run_well(command.arg(&out).arg(model).args(flags));
    (out, serde_json::from_slice(&json).unwrap())
}

fn load(path: &Path) -> Model {
    let model = gltf::load(path).unwrap();
    assert!(model.warnings.is_empty() && model.faults.is_empty(), "{:?} {:?}", model.warnings, model.faults);
    model
}

/// Counts the vertices with each number of influences.
fn influences(model: &Model) -> Vec<usize> {
    let mut counts = vec![0; 17];
    for primitive in model.meshes.iter().flat_map(|mesh| &mesh.primitives) {
        let Some(influences) = &primitive.influences else { continue };
        for vertex in 0..primitive.positions.len() {
            let weights = (0..influences.spans.len()).flat_map(|span| influences.of_vertex(span, vertex).1);
            counts[weights.filter(|weight| *weight > 0.0).count()] += 1;
        }
    }
    counts
}

fn elements(model: &Model) -> usize {
    model.meshes.iter().flat_map(|mesh| &mesh.primitives).map(|primitive| primitive.indices.len()).sum()
}

#[test]
fn without_limits_everything_stays() {
    let folder = tempfile::tempdir().unwrap();
    let walker = walker(folder.path());
    let original = load(&walker);
    let (out, json) = export(&walker, &[]);
    let model = load(&out);
    assert_eq!((model.skins.len(), model.clips.len()), (original.skins.len(), original.clips.len()));
    assert_eq!((&model.materials, &model.pictures), (&original.materials, &original.pictures));
    assert_eq!(model.rig.names, original.rig.names);
    assert_eq!(influences(&model), influences(&original));
    assert_eq!(json["vertices_changed"], 0);
    assert!(json["max_m"].as_f64().unwrap() < ROUNDING, "{}", json["max_m"]);
    assert_eq!(json["clips"].as_array().unwrap().len(), original.clips.len());
    assert_eq!(json["max_joints"]["most_joints"].as_u64().unwrap() as usize, original.skins[0].joints.len());
}

#[test]
fn limits_are_kept_counted_and_measured_as_compare_does() {
    let folder = tempfile::tempdir().unwrap();
    let walker = walker(folder.path());
    let original = load(&walker);
    let (out, json) = export(&walker, &["--max-influences", "2", "--prune", "0.1"]);
    let model = load(&out);
    let (before, after) = (influences(&original), influences(&model));
    assert!(before[3..].iter().sum::<usize>() > 0, "the character has nothing to limit: {before:?}");
    assert_eq!(after[3..].iter().sum::<usize>(), 0);
    let all =
        |counts: &[usize]| counts.iter().enumerate().map(|(number, count)| number * count).sum::<usize>();
    let dropped =
        ["max_influences", "prune"].map(|limit| json[limit]["influences"].as_u64().unwrap() as usize);
    assert_eq!(dropped.iter().sum::<usize>(), all(&before) - all(&after));
    assert_eq!(json["max_influences"]["vertices"], before[3..].iter().sum::<usize>());
    let pruned = json["prune"]["largest_weight"].as_f64().unwrap();
    assert!(pruned > 0.0 && pruned < 0.1, "{pruned}");

    let mut command = sinew(["compare", "--json=-", "--all-clips", "--modes", "lbs"]);
    let figures: Value = serde_json::from_slice(&run_well(command.arg(&walker).arg(&out))).unwrap();
    for (clip, expected) in json["clips"].as_array().unwrap().iter().zip(figures["clips"].as_array().unwrap())
    {
        let frames = expected["frames"].as_array().unwrap();
        let max = frames.iter().map(|frame| frame["modes"][0]["max_m"].as_f64().unwrap()).fold(0.0, f64::max);
        assert_eq!(clip["max_m"].as_f64(), Some(max), "{}", clip["name"]);
        assert_eq!(clip["frames"].as_u64().unwrap() as usize, frames.len());
    }
    assert!(json["max_m"].as_f64().unwrap() > 1e-4, "two influences change something: {}", json["max_m"]);
}

#[test]
fn parts_have_few_joints_and_every_vertex_stays_where_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let walker = walker(folder.path());
    let original = load(&walker);
    let (out, json) = export(&walker, &["--max-joints", "20"]);
    let model = load(&out);
    let most = model.skins.iter().map(|skin| skin.joints.len()).max().unwrap();
    assert!(most <= 20 && original.skins[0].joints.len() > 20, "{most}");
    assert_eq!(json["max_joints"]["most_joints"], most);
    assert_eq!(json["max_joints"]["skins"], model.skins.len());
    assert!(model.skins.len() > 2 && model.instances.len() > original.instances.len());
    assert_eq!(elements(&model), elements(&original));
    assert_eq!(json["vertices_changed"], 0);
    assert!(json["max_m"].as_f64().unwrap() < ROUNDING, "{}", json["max_m"]);
    // The GPU skins it as the reference does.
    run_well(sinew(["verify", "--samples", "4"]).arg(&out));
}

#[test]
fn the_table_says_what_was_changed() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out.glb");
    let mut command = sinew(["export", "builtin:bend", "--rigged", "--max-influences", "1", "-o"]);
    let table = String::from_utf8(run_well(command.arg(&out))).unwrap();
    for part in [
        "vertices changed",
        "beyond --max-influences",
        "lbs against the original",
        "clip bend",
        "largest distance is",
    ] {
        assert!(table.contains(part), "no '{part}' in\n{table}");
    }
}

#[test]
fn what_cannot_be_written_says_why() {
    let folder = tempfile::tempdir().unwrap();
    let fails = |flags: &[&str], code: i32, says: &str| {
        let Run { code: found, out, err } = run(sinew(["export"]).args(flags).current_dir(folder.path()));
        assert_eq!((found, out.len()), (Some(code), 0), "{flags:?}: {err}");
        assert!(err.starts_with("error: ") && err.lines().count() == 1 && err.contains(says), "{err}");
    };
    fails(&["--rigged", "-o", "a.obj"], 2, "ends in .glb");
    fails(&["--max-influences", "4", "-o", "a.glb"], 2, "--rigged");
    fails(&["--rigged", "--time", "1", "-o", "a.glb"], 2, "--time");
    fails(&["--rigged", "--max-influences", "0", "-o", "a.glb"], 2, "1..=16");
    fails(&["--rigged", "--prune", "2", "-o", "a.glb"], 2, "0 to 1");
    fails(&["--rigged", "--max-joints", "1", "-o", "a.glb"], 1, "cannot be split for 1 joints");
    fails(&["--rigged", "-o", "no/such/a.glb"], 5, "a.glb");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "something is left behind");
}
