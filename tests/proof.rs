//! The proof: on this machine's driver every mode gives the CPU's bits, and GPU and CPU are within the
//! bounds of the `f64` reference; and every comparison objects when one joint is moved by a millimetre.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod common;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use glam::DVec3;
use sinew::analysis::compare::{Bits, DIRECTION_BOUND, Error};
use sinew::analysis::verify::{Report, Samples, looks, verify};
use sinew::look::Quality;
use sinew::model::{LocalTransform, Model, gltf};
use sinew::render::Renderer;
use sinew::scene::{Processor, Scene};
use sinew::skinning::SkinningMode;
use sinew::skinning::pose::{Pose, PoseChoice};
use sinew::skinning::posed::{SkinnedPrimitive, Truth, reference_model, skin_model};
use sinew::view::View;

const BUILTINS: [&str; 8] =
    ["character", "twist", "bend", "strip", "tube-2", "tube-512", "tube-513", "tube-4096"];

/// Fewer times a clip than `sinew verify` looks at, which takes a test too long; tests/verify_times.rs holds those.
const SAMPLES: Samples = Samples::AtMost(32);

fn renderer() -> Renderer {
    Renderer::new(common::open(), None).unwrap()
}

fn check(renderer: &mut Renderer, name: &str, model: Arc<Model>) -> Report {
    let mut gpu = renderer.upload(Arc::clone(&model)).unwrap();
    assert!(renderer.is_exact(), "the tests run on a software driver");
    type Failure = Box<dyn std::error::Error>;
    let skin = |mode, pose: &PoseChoice| renderer.skin(&mut gpu, mode, pose).map_err(Failure::from);
    let report: Report = verify(&model, true, SAMPLES, skin, |_, _| ()).unwrap();
    for row in &report.rows {
        assert_eq!(row.faults, Vec::<String>::new(), "{name}: {} {}", row.mode, row.pose);
        assert!(row.gpu_twin.components >= 3 * row.vertices as u64, "{name} was compared");
    }
    report
}

#[test]
fn every_builtin_is_proven() {
    let mut renderer = renderer();
    for name in BUILTINS {
        let model = common::builtin(name);
        let report = check(&mut renderer, name, Arc::clone(&model));
        assert_eq!(report.rows.len(), SkinningMode::ALL.len() * looks(&model, SAMPLES).len(), "{name}");
        assert_eq!(report.worst.len(), SkinningMode::ALL.len(), "{name}");
        for worst in &report.worst {
            assert!(!worst.influences.is_empty(), "{name}: {worst}");
        }
    }
    assert_eq!(renderer.device().messages().errors(), Vec::<String>::new());
}

/// A pose in which something moves, and the model with one joint a millimetre further along.
fn nudged(model: &Model) -> (PoseChoice, Model) {
    let skin = model.skins.first().unwrap();
    let joint = *skin.joints.last().unwrap();
    let mut nudged = model.clone();
    let rest = nudged.rig.rest.get_mut(joint).unwrap();
    let parent_from_node = rest.parent_from_node();
    *rest = LocalTransform::Matrix(glam::DMat4::from_translation(DVec3::X * 1e-3) * parent_from_node);
    (PoseChoice::Rest, nudged)
}

fn posed(model: &Model, choice: &PoseChoice) -> Pose {
    let mut pose = Pose::default();
    pose.set(model, choice);
    pose
}

#[test]
fn a_joint_moved_by_a_millimetre_is_noticed_by_every_comparison() {
    let mut renderer = renderer();
    let model = common::builtin("bend");
    let (choice, other) = nudged(&model);
    let (pose, other_pose) = (posed(&model, &choice), posed(&other, &choice));
    let mut gpu = renderer.upload(Arc::clone(&model)).unwrap();
    for mode in SkinningMode::ALL {
        let on_gpu = renderer.skin(&mut gpu, mode, &choice).unwrap();
        let twin = skin_model(&model, mode, &pose);
        let truth = reference_model(&model, mode, &pose);
        let wrong_twin = skin_model(&other, mode, &other_pose);
        let wrong_truth = reference_model(&other, mode, &other_pose);
        let (on_gpu, twin, truth) = (&on_gpu[0], &twin[0], &truth[0]);

        assert_eq!(Bits::between(on_gpu, twin).differing, 0, "{mode}");
        assert!(Bits::between(on_gpu, &wrong_twin[0]).differing > 100, "{mode}: GPU against CPU");
        assert!(Error::of(on_gpu, truth).max < 1e-6, "{mode}");
        assert!(Error::of(on_gpu, &wrong_truth[0]).max > 1e-4, "{mode}: GPU against the reference");
        assert!(Error::of(twin, &wrong_truth[0]).max > 1e-4, "{mode}: CPU against the reference");
    }
}

#[test]
fn a_lost_stream_or_a_number_that_is_none_is_noticed() {
    let model = common::builtin("bend");
    let pose = posed(&model, &PoseChoice::Rest);
    let twin = skin_model(&model, SkinningMode::Linear, &pose).remove(0);
    let truth = reference_model(&model, SkinningMode::Linear, &pose).remove(0);
    let broken = |change: fn(&mut SkinnedPrimitive<f32>)| {
        let mut broken = twin.clone();
        change(&mut broken);
        (Bits::between(&broken, &twin).differing, Error::of(&broken, &truth))
    };
    let (differing, error) = broken(|p| p.normals = None);
    assert!(differing > 0 && error.max_direction.is_infinite());
    let (differing, error) = broken(|p| p.positions[5][1] = f32::NAN);
    assert!(differing == 1 && error.max.is_infinite() && error.worst_vertex == 5);
    let (differing, error) = broken(|p| p.normals.as_mut().unwrap()[5][1] = f32::NAN);
    assert!(differing == 1 && error.max_direction.is_infinite());
    let (differing, error) = broken(|p| p.positions.truncate(7));
    assert!(differing > 0 && error.max.is_infinite());
}

/// Every built-in model in every mode; the longer tube is split over two palettes.
#[test]
fn the_cpu_draws_the_picture_that_the_gpu_draws() {
    let mut renderer = renderer();
    for name in ["character", "twist", "bend", "strip", "tube-8", "tube-513"] {
        let model = common::builtin(name);
        let mut gpu = renderer.upload(Arc::clone(&model)).unwrap();
        for (mode, time_secs) in SkinningMode::ALL.into_iter().flat_map(|mode| [(mode, 0.7), (mode, 1.1)]) {
            let scene = common::scene(mode, PoseChoice::clip(0, time_secs), [256, 256]);
            let mut draw = |skin: Processor, pose: &PoseChoice| {
                renderer.draw(&mut gpu, &Scene { skin, pose: pose.clone(), ..scene.clone() }).unwrap();
                renderer.read().unwrap()
            };
            let (on_gpu, on_cpu) = (draw(Processor::Gpu, &scene.pose), draw(Processor::Cpu, &scene.pose));
            // Positions are the same bits; a normal is brought to length one a second time, which may take
            // a channel to the next of its 256 levels.
            let off = on_gpu.rgba.iter().zip(&on_cpu.rgba).map(|(a, b)| a.abs_diff(*b));
            let worst = off.clone().max();
            assert!(worst <= Some(1), "{name} {mode}: {worst:?} levels off");
            let count = off.filter(|levels| *levels > 0).count();
            assert!(count < 64, "{name} {mode}: {count} channels are off");

            // Clips of the others hold still for as long, at times.
            if name != "character" {
                continue;
            }
            let later = draw(Processor::Gpu, &PoseChoice::clip(0, time_secs + 0.05));
            let off = on_gpu.rgba.iter().zip(&later.rgba).filter(|(a, b)| a.abs_diff(**b) > 1).count();
            assert!(
                off > 64,
                "{name} {mode}: a twentieth of a second later is another picture, not {off} off"
            );
        }
        renderer.device().wait_idle().unwrap();
    }
}

/// The character has everything that a vertex can have, tangents and a normal map among it: whatever is shown of
/// it, and in whatever light, it is the same whoever has skinned it.
#[test]
fn the_cpu_draws_every_view_that_the_gpu_draws() {
    let mut renderer = renderer();
    let model = common::builtin("character");
    let body = &model.meshes[0].primitives[0];
    assert!(body.tangents.is_some() && model.materials[body.material.unwrap()].normal.is_some());
    let mut gpu = renderer.upload(Arc::clone(&model)).unwrap();
    let views = View::all().into_iter().chain([View::Joint("forearm.R".to_owned())]);
    let cases = views.flat_map(|view| SkinningMode::ALL.map(|mode| (mode, view.clone())));
    for (mode, view) in cases {
        for quality in [Quality::Draft, Quality::Full] {
            let mut scene = common::scene(mode, PoseChoice::clip(2, 1.2), [192, 192]);
            (scene.view, scene.look.quality) = (view.clone(), quality);
            let [on_gpu, on_cpu] = [Processor::Gpu, Processor::Cpu].map(|skin| {
                renderer.draw(&mut gpu, &Scene { skin, ..scene.clone() }).unwrap();
                renderer.read().unwrap()
            });
            // As above: directions are brought to length one a second time.
            let off = on_gpu.rgba.iter().zip(&on_cpu.rgba).map(|(a, b)| a.abs_diff(*b));
            let (worst, count) = (off.clone().max(), off.filter(|levels| *levels > 0).count());
            assert!(worst <= Some(1) && count < 64, "{mode} {view} {quality:?}: {count} by up to {worst:?}");
        }
    }
    renderer.device().wait_idle().unwrap();
}

/// Linear blending flattens a rod that is twisted by half a turn, and just before that its normals hang
/// on the last bits of the joints. The bound for directions takes that into account, and nothing else.
#[test]
fn normals_are_held_to_what_flattening_leaves_of_them() {
    let model = common::builtin("twist");
    let directions = |time_secs, turn: f32| {
        let pose = posed(&model, &PoseChoice::clip(0, time_secs));
        let mut twin = skin_model(&model, SkinningMode::Linear, &pose).remove(0);
        for normal in twin.normals.as_mut().unwrap() {
            normal[0] += turn;
        }
        Error::of(&twin, &reference_model(&model, SkinningMode::Linear, &pose)[0]).max_direction
    };
    for time_secs in [1.0, 1.9, 1.99, 1.999, 1.9999, 1.99999, 2.0] {
        let error = directions(time_secs, 0.0);
        assert!(error <= DIRECTION_BOUND, "{time_secs} s: {error:e}");
        assert!(directions(time_secs, 1e-4) > DIRECTION_BOUND, "{time_secs} s: a tilt goes unnoticed");
    }
}

/// The folder of given models; a checkout may lack it.
fn corpus() -> Option<PathBuf> {
    std::env::var_os("SINEW_CORPUS").map(PathBuf::from)
}

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.extension().and_then(|extension| extension.to_str()) {
            _ if path.is_dir() => files(&path, found),
            Some("gltf" | "glb") => found.push(path),
            _ => {}
        }
    }
}

#[test]
fn every_given_model_is_proven() {
    let mut paths = Vec::new();
    if let Some(corpus) = corpus() {
        files(&corpus.join("models"), &mut paths);
        assert!(!paths.is_empty(), "SINEW_CORPUS has no models");
    }
    let mut renderer = renderer();
    for path in &paths {
        let model = gltf::load(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        check(&mut renderer, &path.display().to_string(), Arc::new(model));
    }
    println!("{} given models proven", paths.len());
}

/// Independent results, made elsewhere in `f64`.
#[test]
fn the_given_results_are_ours() {
    let mut checked = 0;
    if let Some(corpus) = corpus() {
        let mut renderer = renderer();
        for entry in std::fs::read_dir(corpus.join("expected")).unwrap() {
            let text = std::fs::read(entry.unwrap().path()).unwrap();
            let expected: serde_json::Value = serde_json::from_slice(&text).unwrap();
            checked += check_expected(&mut renderer, &corpus, &expected);
        }
        assert!(checked > 0, "SINEW_CORPUS has no expected results");
    }
    println!("{checked} given primitives agree");
}

fn check_expected(renderer: &mut Renderer, corpus: &Path, expected: &serde_json::Value) -> usize {
    let name = expected["model"].as_str().unwrap();
    let mode: SkinningMode = expected["mode"].as_str().unwrap().parse().unwrap();
    let choice = match expected["clip"].as_u64() {
        Some(clip) => PoseChoice::clip(clip as usize, expected["time"].as_f64().unwrap()),
        None => PoseChoice::Rest,
    };
    let model = Arc::new(gltf::load(&corpus.join("models").join(name)).unwrap());
    let pose = posed(&model, &choice);
    let mut gpu = renderer.upload(Arc::clone(&model)).unwrap();
    let bound = if mode == SkinningMode::DualQuat { 2e-6 } else { 1e-6 };
    let on_gpu = renderer.skin(&mut gpu, mode, &choice).unwrap();
    let twin = skin_model(&model, mode, &pose);
    let primitives = expected["primitives"].as_array().unwrap();
    assert_eq!(primitives.len(), twin.len(), "{name}");
    for primitive in primitives {
        let same = |skinned: &&SkinnedPrimitive<f32>| {
            let instance = model.instances[skinned.instance];
            let file_index = model.meshes[instance.mesh].primitives[skinned.primitive].file_index;
            u64::from(model.rig.file_index[instance.node]) == primitive["node"].as_u64().unwrap()
                && instance.mesh as u64 == primitive["mesh"].as_u64().unwrap()
                && file_index as u64 == primitive["primitive"].as_u64().unwrap()
        };
        let skinned = SkinnedPrimitive {
            instance: 0,
            primitive: 0,
            positions: triples(&primitive["positions"]).unwrap(),
            normals: triples(&primitive["normals"]),
            tangents: None,
        };
        let reach = skinned.positions.as_flattened().iter().fold(0.0f64, |largest, x| largest.max(x.abs()));
        let truth = Truth { skinned, reach, steadiness: Vec::new() };
        for skinned in [on_gpu.iter().find(same).unwrap(), twin.iter().find(same).unwrap()] {
            let error = Error::of(skinned, &truth);
            assert!(error.max <= bound, "{name} {mode}: {:e} r", error.max);
            assert!(error.max_direction <= 2e-5, "{name} {mode}: {:e}", error.max_direction);
        }
    }
    primitives.len()
}

fn triples(numbers: &serde_json::Value) -> Option<Vec<[f64; 3]>> {
    let numbers: Vec<f64> = numbers.as_array()?.iter().map(|number| number.as_f64().unwrap()).collect();
    Some(numbers.chunks_exact(3).map(|xyz| [xyz[0], xyz[1], xyz[2]]).collect())
}
