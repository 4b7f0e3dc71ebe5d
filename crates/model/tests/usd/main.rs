//! USD files against what OpenUSD makes of them: files of single features that it wrote, and models that Blender wrote.
#![cfg(feature = "usd")]
#![allow(
    clippy::disallowed_methods,
    clippy::panic,
    clippy::unwrap_used,
    reason = "runs other programs, and fails by panics"
)]

mod bombs;
#[path = "../../../../tests/hostile/breaking.rs"]
mod breaking;
#[path = "../../../../tests/hostile/counting.rs"]
#[allow(unsafe_code, reason = "an allocator is an unsafe trait; this one hands on to the system's")]
mod counting;
mod crates;
mod hostile;
mod looks;
mod parts;
#[path = "../common/pictures.rs"]
mod pictures;
#[path = "../common/sound.rs"]
mod sound;
mod things;
#[path = "../../../../tools/src/usd_seeds.rs"]
mod usd_seeds;
mod wrecks;
mod written;

use std::path::{Path, PathBuf};
use std::process::Command;

use glam::DVec3;
use serde::Deserialize;
use sinew_model::{Model, Options, load_bytes};
use sinew_skinning::SkinningMode;
use sinew_skinning::pose::{ClipMix, Pose, PoseChoice};
use sinew_skinning::posed::reference_model;

/// The largest error of a vertex, as a share of the size.
const BOUND: f64 = 1e-6;

/// The largest error against `BakeSkinning`, which rounds the rotation matrix of each joint to single precision. The error
/// grows along chains of joints.
const ROUNDED: f64 = 3e-6;

/// Models of the corpus that Blender writes.
const CORPUS: [&str; 6] = [
    "Fox/Fox.glb",
    "CesiumMan/CesiumMan.glb",
    "RiggedFigure/RiggedFigure.glb",
    "RiggedSimple/RiggedSimple.glb",
    "AnimatedMorphCube/AnimatedMorphCube.glb",
    "maya_dual_quaternion/maya_dual_quaternion.glb",
];

/// Coordinates by time and mesh, in metres and y up.
type Meshes = Vec<Vec<Vec<f64>>>;

/// Points of meshes as OpenUSD skins them.
#[derive(Deserialize)]
struct Truth {
    /// Seconds.
    times: Vec<f64>,
    /// By `ComputeSkinnedPoints`, with joints composed in double precision.
    skinned: Meshes,
    /// By `BakeSkinning`.
    baked: Meshes,
    /// By `BakeSkinning`, with joints in double precision: the pose of each time is a rest pose, which has matrices.
    baked_of_double: Meshes,
}

/// The Python that has OpenUSD and Blender, if `make peers` has installed it.
fn python() -> Option<PathBuf> {
    let python = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../.deps/peers/python/bin/python");
    python.exists().then_some(python)
}

/// Runs a script; returns its output.
fn run(script: &str, arguments: &[PathBuf]) -> String {
    run_with(script, arguments, "0.8.0")
}

/// Runs a script that writes binary layers of a version.
fn run_with(script: &str, arguments: &[PathBuf], version: &str) -> String {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/usd").join(script);
    let mut command = Command::new(python().unwrap());
    command.arg(script).args(arguments).env("USD_WRITE_NEW_USDC_FILES_AS_VERSION", version);
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}: {}", output.status, String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|ending| ending.to_str().unwrap().starts_with("usd")));
    files.sort();
    files
}

fn load(file: &Path) -> Model {
    let bytes = std::fs::read(file).unwrap();
    load_bytes(&bytes, file.parent(), &Options::default()).unwrap().model
}

/// Points of a model's meshes at a time, as its author's mode skins them; `None` where no polygon has a corner.
fn points(model: &Model, time_secs: f64) -> Vec<Vec<Option<DVec3>>> {
    let mode = SkinningMode::authored(model).unwrap_or(SkinningMode::Linear);
    let choice = match model.clips.is_empty() {
        true => PoseChoice::Rest,
        false => PoseChoice::Clips(ClipMix { clips: vec![0], time_secs, ..ClipMix::default() }),
    };
    let mut pose = Pose::default();
    pose.set(model, &choice);
    let mut points: Vec<Vec<Option<DVec3>>> = vec![Vec::new(); model.meshes.len()];
    for reference in reference_model(model, mode, &pose) {
        let skinned = reference.skinned;
        let mesh = model.instances[skinned.instance].mesh;
        let primitive = &model.meshes[mesh].primitives[skinned.primitive];
        for (point, at) in primitive.control_points.as_ref().unwrap().iter().zip(&skinned.positions) {
            let (points, point) = (&mut points[mesh], *point as usize);
            points.resize(points.len().max(point + 1), None);
            points[point] = Some(DVec3::from(*at));
        }
    }
    points
}

/// Points of a model by time and mesh.
type Found = Vec<Vec<Vec<Option<DVec3>>>>;

/// The largest distance of points from the truth, as a share of the size, and the number of points compared.
fn off(all: &Found, truth: &Meshes) -> (f64, usize) {
    let (mut worst, mut count, mut low, mut high) = (0.0f64, 0, DVec3::MAX, DVec3::MIN);
    assert_eq!(all.len(), truth.len());
    for (found, meshes) in all.iter().zip(truth) {
        assert_eq!(found.len(), meshes.len());
        for (found, want) in found.iter().zip(meshes) {
            let (want, _) = want.as_chunks::<3>();
            assert!(found.len() <= want.len() && !found.is_empty());
            for (found, want) in found.iter().zip(want) {
                let want = DVec3::from(*want);
                let Some(found) = found else { continue };
                (low, high) = (low.min(want), high.max(want));
                worst = worst.max(found.distance(want));
                count += 1;
            }
        }
    }
    (worst / (high - low).length(), count)
}

fn compare(files: &[PathBuf]) {
    run("skin.py", files);
    let mut faults = Vec::new();
    for file in files {
        let name = file.file_name().unwrap().to_string_lossy();
        println!("{name}:");
        let model = load(file);
        sound::assert_sound_types(&model);
        let truth = file.with_added_extension("json");
        let truth: Truth = serde_json::from_slice(&std::fs::read(truth).unwrap()).unwrap();
        let found: Found = truth.times.iter().map(|time| points(&model, f64::from(*time as f32))).collect();
        let mut check = |by: &str, meshes: &Meshes, bound: f64| {
            let (off, count) = off(&found, meshes);
            println!("  {off:.1e} of the size by {by}, {count} points");
            if off > bound || off.is_nan() {
                faults.push(format!("{name} by {by}: {off:e}"));
            }
        };
        check("ComputeSkinnedPoints of double", &truth.skinned, BOUND);
        check("BakeSkinning of double", &truth.baked_of_double, BOUND);
        check("BakeSkinning", &truth.baked, ROUNDED);
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn openusd_skins_its_files_as_the_reference_does() {
    if python().is_none() {
        println!("NOT RUN: files of OpenUSD, because make peers has not installed it");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    run("write.py", &[folder.path().into()]);
    let files = files(folder.path());
    assert!(files.len() > 20, "{}", files.len());
    compare(&files);
}

#[test]
fn openusd_skins_layers_of_old_versions_as_the_reference_does() {
    if python().is_none() {
        println!("NOT RUN: old files of OpenUSD, because make peers has not installed it");
        return;
    }
    for minor in 4..=6 {
        let folder = tempfile::tempdir().unwrap();
        run_with("write.py", &[folder.path().into()], &format!("0.{minor}.0"));
        let mut files = files(folder.path());
        files.retain(|file| {
            std::fs::read(file).unwrap().starts_with(&[&b"PXR-USDC\0"[..], &[minor]].concat())
        });
        println!("version 0.{minor}:");
        assert!(files.len() > 4, "{}", files.len());
        compare(&files);
    }
}

#[test]
fn openusd_skins_blenders_files_as_the_reference_does() {
    let (Some(corpus), Some(_)) = (std::env::var_os("SINEW_CORPUS"), python()) else {
        println!("NOT RUN: files of Blender, because it or the corpus is missing");
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let models = CORPUS.map(|file| Path::new(&corpus).join("models").join(file));
    let arguments: Vec<PathBuf> = std::iter::once(folder.path().into()).chain(models).collect();
    run("blender.py", &arguments);
    let files = files(folder.path());
    assert_eq!(files.len(), CORPUS.len() + 1);
    compare(&files);
    for (file, gltf) in [
        ("Fox.blender.usdc", "Fox/Fox.glb"),
        ("Fox.blender.usdz", "Fox/Fox.glb"),
        ("CesiumMan.blender.usdc", "CesiumMan/CesiumMan.glb"),
    ] {
        let own = load(&folder.path().join(file));
        let other = load(&Path::new(&corpus).join("models").join(gltf));
        let [(pixels, coordinates), (want, places)] = [texture(&own), texture(&other)];
        assert!(pixels == want, "{file}: other pixels");
        let has = |place: &[f32; 2]| {
            coordinates.iter().any(|own| own.iter().zip(place).all(|(a, b)| (a - b).abs() < 1e-5))
        };
        assert!(places.iter().all(has), "{file}: other coordinates");
    }
}

/// The pixels of a model's one colour texture, and the coordinates on its surface.
fn texture(model: &Model) -> (&[u8], &[[f32; 2]]) {
    let primitive = &model.meshes[0].primitives[0];
    let texture = model.materials[primitive.material.unwrap()].base_color_texture.unwrap();
    let picture = model.pictures[texture.picture].as_ref().unwrap();
    (&picture.rgba, &primitive.texcoords[texture.texcoord])
}
