//! Files that sinew writes: read back, checked by OpenUSD's validators, skinned by OpenUSD, and imported by Blender.

use std::path::{Path, PathBuf};

use glam::DVec3;
use sinew_model::usd::{Form, write_usd};
use sinew_model::{Model, Options, Property, SkinningMethod, gltf, load_bytes};
use sinew_skinning::SkinningMode;
use sinew_skinning::pose::{ClipMix, Pose, PoseChoice};
use sinew_skinning::posed::reference_model;

use super::{BOUND, compare, python, run};

/// The largest distance of Blender's points, which are single numbers, as a share of the size.
const BLENDER: f64 = 5e-6;

/// Models of the corpus, with the method to write and whether Blender's points are compared: it knows one method only.
const MODELS: [(&str, Option<SkinningMethod>, bool); 14] = [
    ("Fox/Fox.glb", None, true),
    ("CesiumMan/CesiumMan.glb", None, true),
    ("CesiumMan/CesiumMan.glb", Some(SkinningMethod::DualQuaternion), false),
    ("RiggedFigure/RiggedFigure.glb", None, true),
    ("RiggedSimple/RiggedSimple.glb", None, true),
    ("AnimatedMorphCube/AnimatedMorphCube.glb", None, true),
    ("SimpleSkin/SimpleSkin.gltf", None, true),
    ("SimpleMorph/SimpleMorph.gltf", None, true),
    ("InterpolationTest/InterpolationTest.glb", None, false),
    ("influences_10/influences_10.glb", None, true),
    ("sparse_morph/sparse_morph.glb", None, true),
    ("maya_dual_quaternion/maya_dual_quaternion.glb", None, false),
    ("BoxTextured/BoxTextured.glb", None, false),
    ("OrientationTest/OrientationTest.glb", None, false),
];

/// The models that the corpus has, with names of their own.
pub fn models() -> Vec<(String, Model, Option<SkinningMethod>, bool)> {
    let Some(corpus) = std::env::var_os("SINEW_CORPUS") else { return Vec::new() };
    let mut all = Vec::new();
    for (number, (file, method, is_plain)) in MODELS.into_iter().enumerate() {
        let file = Path::new(&corpus).join("models").join(file);
        let Ok(bytes) = std::fs::read(&file) else { continue };
        let model = gltf::load_bytes(&bytes, file.parent()).unwrap();
        let stem = file.file_stem().unwrap().to_string_lossy();
        all.push((format!("{stem}{number}"), model, method, is_plain));
    }
    all
}

fn choice(clip: Option<usize>, time_secs: f64) -> PoseChoice {
    clip.map_or(PoseChoice::Rest, |clip| {
        PoseChoice::Clips(ClipMix { clips: vec![clip], time_secs, ..ClipMix::default() })
    })
}

/// Points that a model draws, those of triangles alone, by their primitives.
fn points(model: &Model, mode: SkinningMode, choice: &PoseChoice) -> Vec<Vec<DVec3>> {
    let mut pose = Pose::default();
    pose.set(model, choice);
    let drawn = reference_model(model, mode, &pose);
    drawn.into_iter().map(|one| one.skinned.positions.iter().map(|at| DVec3::from(*at)).collect()).collect()
}

/// The largest distance of a point from the nearest of others, and the size of the others. Points that differ less than this
/// count as one.
fn off(found: &[DVec3], wanted: &[DVec3]) -> (f64, f64) {
    let (low, high) =
        wanted.iter().fold((DVec3::MAX, DVec3::MIN), |(low, high), at| (low.min(*at), high.max(*at)));
    let mut sorted: Vec<DVec3> = wanted.to_vec();
    sorted.sort_by(|a, b| a.x.total_cmp(&b.x));
    let size = (high - low).length();
    let nearest = |at: &DVec3| {
        let reach = size * 1e-4;
        let first = sorted.partition_point(|other| other.x < at.x - reach);
        let near = sorted[first..].iter().take_while(|other| other.x <= at.x + reach);
        near.map(|other| other.distance(*at)).fold(f64::INFINITY, f64::min)
    };
    (found.iter().map(nearest).fold(0.0, f64::max), size)
}

/// All of a model's clips, or its rest pose.
fn clips(model: &Model) -> Vec<Option<usize>> {
    if model.clips.is_empty() { vec![None] } else { (0..model.clips.len()).map(Some).collect() }
}

#[test]
fn models_read_back_as_they_were() {
    let models = models();
    println!("{} models written and read back", models.len());
    for (name, model, method, _) in models {
        for form in [Form::Text, Form::Binary, Form::Archive] {
            let written = write_usd(&model, form, &name, method).unwrap();
            let again = write_usd(&model, form, &name, method).unwrap();
            assert!(written.bytes == again.bytes, "{name}: the same bytes each time");
            let read = load_bytes(&written.bytes, None, &Options::default()).unwrap().model;
            let titles = |model: &Model| model.clips.iter().map(|clip| clip.name.clone()).collect::<Vec<_>>();
            if titles(&model).iter().all(|title| !title.is_empty()) {
                assert_eq!(titles(&read), titles(&model), "{name}");
            }
            assert_eq!(read.clips.len(), model.clips.len(), "{name}");
            let joints = |model: &Model| -> Vec<Vec<String>> {
                let skins = model.instances.iter().filter_map(|one| Some(&model.skins[one.skin?]));
                let names = skins.map(|skin| skin.joints.iter().map(|node| model.rig.names[*node].clone()));
                names.map(Iterator::collect).collect()
            };
            let (found, wanted) = (joints(&read).concat(), joints(&model).concat());
            assert_eq!(found.len(), wanted.len(), "{name}");
            let named = found.iter().zip(&wanted).filter(|(_, wanted)| !wanted.is_empty());
            named.for_each(|(found, wanted)| assert_eq!(found, wanted, "{name}"));
            for clip in clips(&model) {
                for step in 0..5 {
                    let length = clip.map_or(0.0, |clip| f64::from(model.clips[clip].duration_secs));
                    let choice = choice(clip, length * (0.003 + f64::from(step) / 4.03));
                    for mode in [SkinningMode::Linear, SkinningMode::DualQuat] {
                        let [wanted, found] =
                            [&model, &read].map(|model| points(model, mode, &choice).concat());
                        let (off, size) = off(&found, &wanted);
                        assert!(off <= BOUND * size, "{name} {form:?} {clip:?} {step}: {:e}", off / size);
                    }
                }
            }
        }
    }
}

/// Writes models into a folder.
fn write(folder: &Path, forms: &[&str]) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for (name, model, method, _) in models() {
        for ending in forms {
            let file = folder.join(format!("{name}.{ending}"));
            let written = write_usd(&model, Form::of(&file).unwrap(), &name, method).unwrap();
            for (picture, bytes) in &written.pictures {
                std::fs::write(folder.join(picture), bytes).unwrap();
            }
            std::fs::write(&file, &written.bytes).unwrap();
            files.push(file);
        }
    }
    files
}

#[test]
fn openusd_finds_no_fault_in_written_files_and_skins_them_alike() {
    let folder = tempfile::tempdir().unwrap();
    if python().is_none() || models().is_empty() {
        println!("NOT RUN: checks of written files, because OpenUSD or the corpus is missing");
        return;
    }
    let files = write(folder.path(), &["usda", "usdc", "usdz"]);
    let said = run("checked.py", &files);
    assert!(said.is_empty(), "{said}");
    compare(&files);
}

#[test]
fn blender_moves_written_files_alike() {
    let folder = tempfile::tempdir().unwrap();
    if python().is_none() || models().is_empty() {
        println!("NOT RUN: imports of written files, because Blender or the corpus is missing");
        return;
    }
    write(folder.path(), &["usdc"]);
    let plain: Vec<_> = models().into_iter().filter(|(.., is_plain)| *is_plain).collect();
    let files: Vec<PathBuf> =
        plain.iter().map(|(name, ..)| folder.path().join(format!("{name}.usdc"))).collect();
    let keys: Vec<Vec<f64>> = plain.iter().map(|(_, model, ..)| keys(model)).collect();
    for (((_, model, ..), file), keys) in plain.iter().zip(&files).zip(&keys) {
        let frames: Vec<f64> = keys.iter().map(|secs| secs * model.frame_rate()).collect();
        std::fs::write(file.with_added_extension("times.json"), serde_json::to_vec(&frames).unwrap())
            .unwrap();
    }
    run("imported.py", &files);
    for (((name, model, ..), file), keys) in plain.iter().zip(&files).zip(&keys) {
        let imported = std::fs::read(file.with_added_extension("blender.json")).unwrap();
        let imported: Vec<Vec<f64>> = serde_json::from_slice(&imported).unwrap();
        let mut worst = 0.0f64;
        for (time, found) in keys.iter().zip(&imported) {
            let wanted = points(model, SkinningMode::Linear, &choice(clips(model)[0], *time)).concat();
            let (found, _) = found.as_chunks::<3>();
            let found: Vec<DVec3> = found.iter().map(|at| DVec3::from(*at)).collect();
            assert_eq!(found.len(), wanted.len(), "{name}");
            let (off, size) = off(&found, &wanted);
            worst = worst.max(off / size);
        }
        println!("{name}: {worst:.1e} of the size, in Blender");
        assert!(worst <= BLENDER, "{name}: {worst:e}");
    }
}

/// Five times at which all rotations of the first clip have keys: Blender has lines between them, where others have arcs.
fn keys(model: &Model) -> Vec<f64> {
    let channels = model.clips.iter().take(1).flat_map(|clip| &clip.channels);
    let turns = channels.filter(|one| matches!(one.property, Property::Rotation | Property::Weights));
    let longest = turns.max_by_key(|channel| channel.times.len());
    let times = longest.map_or(vec![0.0], |channel| channel.times.clone());
    (0..5).map(|step| f64::from(times[(times.len() - 1) * step / 4])).collect()
}
