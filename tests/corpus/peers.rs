//! Holds `sinew compare` to what other programs make of models: gltf-transform's reorder, weld, meshopt and draco, and
//! Blender's exporters. They run as processes, if `make peers` has installed them.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use sinew::model::builtin;

use crate::common;

/// The models: of the corpus by their files, and built-in.
const CORPUS: [&str; 7] = [
    "Fox/Fox.glb",
    "CesiumMan/CesiumMan.glb",
    "RiggedFigure/RiggedFigure.glb",
    "RiggedSimple/RiggedSimple.glb",
    "AnimatedMorphCube/AnimatedMorphCube.glb",
    "BoxTextured/BoxTextured.glb",
    "maya_dual_quaternion/maya_dual_quaternion.glb",
];
const BUILT_IN: [&str; 3] = ["twist", "bend", "strip"];

/// Differences below this are none, in metres, or as a share of models that are larger than a metre: what `f32` keeps.
const SAME: f64 = 1e-6;

/// The folder that `make peers` fills, with what there is.
pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(".deps/peers")
}

pub fn exports_of_other_programs_are_the_same_models(corpus: &Path) -> usize {
    let folder = tempfile::tempdir().unwrap();
    let mut models: Vec<PathBuf> = CORPUS.iter().map(|file| corpus.join("models").join(file)).collect();
    for name in BUILT_IN {
        let path = folder.path().join(name).with_extension("glb");
        std::fs::write(&path, builtin::glb(name).unwrap()).unwrap();
        models.push(path);
    }
    let mut count = 0;
    let mut faults = Vec::new();
    for (model, file) in exports(&models, folder.path()) {
        count += 1;
        faults.extend(fault(&model, &file).map(|fault| format!("{}: {fault}", file.display())));
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    count
}

/// Every model, and each file that a program has made of it.
fn exports(models: &[PathBuf], folder: &Path) -> Vec<(PathBuf, PathBuf)> {
    let mut made = Vec::new();
    let transform = self::folder().join("node_modules/.bin/gltf-transform");
    let out = |model: &Path, ending: &str| {
        folder.join(format!("{}.{ending}", model.file_stem().unwrap().to_string_lossy()))
    };
    if transform.exists() {
        for (model, tool) in
            models.iter().flat_map(|model| ["reorder", "weld", "meshopt", "draco"].map(|tool| (model, tool)))
        {
            let out = out(model, &format!("{tool}.glb"));
            run(process(&transform).arg(tool).arg(model).arg(&out));
            made.push((model.clone(), out));
        }
    } else {
        println!("gltf-transform is not there: make peers");
    }
    if let Some(python) = blender() {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus/blender.py");
        run(process(&python).arg(script).arg(folder).args(models));
        for (model, kind) in models.iter().flat_map(|model| ["glb", "fbx"].map(|kind| (model, kind))) {
            made.push((model.clone(), out(model, &format!("blender.{kind}"))));
        }
    } else {
        println!("Blender is not there: make peers, with Python 3.11");
    }
    made
}

/// Returns the Python that has Blender as a module, if there is one.
pub fn blender() -> Option<PathBuf> {
    let python = folder().join("python/bin/python");
    let has_blender =
        || process(&python).args(["-c", "import importlib.util as u; exit(not u.find_spec('bpy'))"]).status();
    (python.exists() && has_blender().is_ok_and(|status| status.success())).then_some(python)
}

pub fn process(program: &Path) -> Command {
    Command::new(program)
}

pub fn run(command: &mut Command) {
    let output = command.output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {said}");
}

/// Returns what `sinew compare` says wrongly, or does not name.
fn fault(model: &Path, file: &Path) -> Option<String> {
    // Blender writes no clips of morph weights alone as FBX. Then the rest pose is measured.
    let mut command = common::sinew(["compare", "--modes", "lbs", "--frames", "9"]);
    let run = common::run(command.arg(model).arg(file).arg("--json"));
    if run.code != Some(0) {
        return Some(run.err);
    }
    let found: Value = serde_json::from_slice(&run.out).unwrap();
    let number = |value: &Value| value.as_f64().unwrap_or(0.0);
    let matched = &found["matched"];
    let size = number(&matched["rest"]["size_m"]).max(1.0);
    let grid = number(&matched["grids"][1]["positions_m"]);
    let pairs = found["primitives"].as_array().unwrap();
    if pairs.iter().any(|pair| number(&pair["on_surface"]) > 0.0) {
        return Some(format!("vertices without a partner: {pairs:?}"));
    }
    let bind = number(&matched["bind_max_m"]);
    if bind > 4.0 * SAME * size + grid {
        return Some(format!("{bind} m apart in the bind pose, on a grid of {grid} m"));
    }
    let worst = found["worst"].as_array().unwrap().first()?;
    let apart = number(&worst["distance_m"]);
    let is_named = grid > 0.0
        || number(&matched["weights_max"]) > 1e-5
        || number(&matched["rest"]["max_m"]) > SAME * size
        || number(&worst["motion_m"]) > 0.5 * apart
        || number(&worst["morph_weights"]) > 1e-5;
    let is_wrong = apart > SAME * size && !is_named;
    is_wrong.then(|| format!("{apart} m apart without a reason: {worst} {matched}"))
}
