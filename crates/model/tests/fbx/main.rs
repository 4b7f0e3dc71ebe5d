//! FBX files against what the programs that wrote them made of them: the vertices of the corpus, at the frames that its
//! files are named for.
#![cfg(feature = "fbx")]
#![allow(clippy::disallowed_methods, clippy::unwrap_used, reason = "reads the corpus")]

mod direct;
mod document;
mod limits;
#[path = "../common/pictures.rs"]
mod pictures;
mod rigs;
#[path = "../common/sound.rs"]
mod sound;
mod things;
#[path = "../common/told.rs"]
mod told;

use std::path::{Path, PathBuf};

use glam::DVec3;
use sinew_model::{Model, Options, SkinningMethod, fbx};
use sinew_skinning::SkinningMode;
use sinew_skinning::pose::{ClipMix, Pose, PoseChoice};
use sinew_skinning::posed::reference_model;

/// The largest error of a vertex, as a share of the size.
const BOUND: f64 = 1e-5;

/// A file's evaluated vertices at a frame.
struct Truth {
    file: PathBuf,
    take: Option<String>,
    frame: Option<f64>,
}

/// All OBJ files of an FBX file; none without a corpus.
fn truths(fbx: &Path) -> Vec<Truth> {
    let name = fbx.file_stem().unwrap().to_str().unwrap();
    let name = name.trim_end_matches("_binary").trim_end_matches("_ascii");
    let (name, _version) = name.rsplit_once('_').unwrap();
    let folder = std::fs::read_dir(fbx.parent().unwrap()).unwrap().map(|entry| entry.unwrap().path());
    let truth = |file: PathBuf| {
        let own = file.file_name()?.to_str()?.strip_suffix(".obj")?.strip_prefix(name)?.to_owned();
        let (take, frame) = match own.trim_start_matches('_').rsplit_once('_') {
            Some((take, frame)) => (Some(take.to_owned()), frame.parse().ok()),
            None => (None, own.trim_start_matches('_').parse().ok()),
        };
        (own.is_empty() || own.starts_with('_') && frame.is_some()).then_some(Truth { file, take, frame })
    };
    let mut truths: Vec<Truth> = folder.filter_map(truth).collect();
    truths.sort_by(|a, b| a.file.cmp(&b.file));
    truths
}

/// The vertices of an OBJ file, in metres and y up as the model's root has them.
fn vertices(file: &Path, model: &Model) -> Vec<DVec3> {
    let root = model.rig.rest[0].parent_from_node();
    let text = std::fs::read_to_string(file).unwrap();
    let vertex = |line: &str| {
        let numbers: Vec<f64> = line.split_whitespace().map(|word| word.parse().unwrap()).collect();
        root.transform_point3(DVec3::new(numbers[0], numbers[1], numbers[2]))
    };
    text.lines().filter_map(|line| line.strip_prefix("v ")).map(vertex).collect()
}

/// The control points of a model at a frame, mesh after mesh, as the definition skins them.
fn evaluated(model: &Model, mode: SkinningMode, truth: &Truth, rate: f64) -> Vec<DVec3> {
    let take = |clip: &&sinew_model::Clip| match &truth.take {
        Some(take) => clip.name.to_lowercase().ends_with(&take.to_lowercase()),
        None => true,
    };
    let clip = model.clips.iter().position(|clip| take(&clip));
    let choice = match (truth.frame, clip) {
        (Some(frame), Some(clip)) => {
            PoseChoice::Clips(ClipMix { clips: vec![clip], time_secs: frame / rate, ..ClipMix::default() })
        }
        _ => PoseChoice::Rest,
    };
    // Some files have control points that no polygon has a corner at.
    control_points(model, mode, &choice).into_iter().flatten().flatten().collect()
}

/// The control points of a model's instances in a pose; `None` where no polygon has a corner.
fn control_points(model: &Model, mode: SkinningMode, choice: &PoseChoice) -> Vec<Vec<Option<DVec3>>> {
    let mut pose = Pose::default();
    pose.set(model, choice);
    let mut points: Vec<Vec<Option<DVec3>>> = vec![Vec::new(); model.instances.len()];
    for reference in reference_model(model, mode, &pose) {
        let skinned = reference.skinned;
        let instance = model.instances[skinned.instance];
        let primitive = &model.meshes[instance.mesh].primitives[skinned.primitive];
        for (point, at) in primitive.control_points.as_ref().unwrap().iter().zip(&skinned.positions) {
            let points = &mut points[skinned.instance];
            let point = *point as usize;
            points.resize(points.len().max(point + 1), None);
            points[point] = Some(DVec3::from(*at));
        }
    }
    points
}

/// How far a place can be from the nearest of others.
fn farthest(places: &[DVec3], others: &[DVec3]) -> f64 {
    let nearest =
        |place: &DVec3| others.iter().map(|other| place.distance(*other)).fold(f64::INFINITY, f64::min);
    places.iter().map(nearest).fold(0.0, f64::max)
}

#[test]
fn what_the_authors_programs_made_of_their_files() {
    let Some(corpus) = std::env::var_os("SINEW_CORPUS") else {
        println!("NOT RUN: FBX files of the corpus, because SINEW_CORPUS names no folder");
        return;
    };
    let folder = Path::new(&corpus).join("fbx");
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "fbx"));
    files.sort();
    let mut faults = Vec::new();
    let mut compared = 0;
    for file in &files {
        let model = fbx::load_bytes(&std::fs::read(file).unwrap(), None, &Options::default()).unwrap();
        sound::assert_sound_types(&model);
        let name = file.file_name().unwrap().to_str().unwrap();
        for truth in truths(file) {
            let method = model.skins.first().and_then(|skin| skin.method);
            let mode = match method {
                Some(SkinningMethod::DualQuaternion) => SkinningMode::DualQuat,
                _ => SkinningMode::Linear,
            };
            let rate = if name.starts_with("max7") { 30.0 } else { 24.0 };
            let got = evaluated(&model, mode, &truth, rate);
            let want = vertices(&truth.file, &model);
            let (low, high) =
                want.iter().fold((DVec3::MAX, DVec3::MIN), |(low, high), at| (low.min(*at), high.max(*at)));
            let size = (high - low).length();
            let off = if got.len() == want.len() {
                got.iter().zip(&want).map(|(got, want)| got.distance(*want)).fold(0.0, f64::max)
            } else {
                // One program writes a control point for each corner that differs: both lists have the same places.
                farthest(&got, &want).max(farthest(&want, &got))
            } / size;
            let frame = truth.file.file_stem().unwrap().to_str().unwrap();
            println!("{name} {frame}: {off:.1e}, {} and {} points", got.len(), want.len());
            compared += 1;
            if got.is_empty() || off > BOUND {
                faults.push(format!("{name} {frame}: {off:e}, {} and {} points", got.len(), want.len()));
            }
        }
    }
    println!("{} files, {compared} frames", files.len());
    assert!(faults.is_empty(), "{faults:#?}");
}

/// Files cut off and with bytes changed are read or refused, and never more than that.
#[test]
fn broken_files_do_no_harm() {
    let Some(corpus) = std::env::var_os("SINEW_CORPUS") else {
        println!("NOT RUN: broken FBX files, because SINEW_CORPUS names no folder");
        return;
    };
    let (mut read, mut refused) = (0, 0);
    let mut dice = 7u64;
    let mut below = |limit: usize| {
        dice = dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (dice >> 33) as usize % limit
    };
    for entry in std::fs::read_dir(Path::new(&corpus).join("fbx")).unwrap() {
        let file = entry.unwrap().path();
        if file.extension().is_none_or(|extension| extension != "fbx" && extension != "obj") {
            continue;
        }
        let whole = std::fs::read(&file).unwrap();
        for number in 0..40 {
            let mut bytes = whole.clone();
            if number % 2 == 0 {
                bytes.truncate(below(whole.len()));
            } else {
                for _ in 0..=number / 4 {
                    let at = below(whole.len());
                    bytes[at] = below(256) as u8;
                }
            }
            match fbx::load_bytes(&bytes, None, &Options::default()) {
                Ok(model) => {
                    sound::assert_sound_types(&model);
                    read += 1;
                }
                Err(error) => {
                    refused += 1;
                    let text = error.to_string();
                    assert!(!text.is_empty() && !text.contains('\n'), "{text:?}");
                }
            }
        }
    }
    println!("{read} broken files read, {refused} refused");
    assert!(read > 0 && refused > 0);
}
