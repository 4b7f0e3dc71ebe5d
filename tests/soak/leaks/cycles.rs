//! Loads models, draws them in every mode and drops everything, many times in one process.

use std::path::PathBuf;
use std::process::Command;
use std::sync::Arc;

use sinew::look::{Look, Quality, Samples};
use sinew::model::{Model, builtin, gltf};
use sinew::overlay::Overlays;
use sinew::render::{Renderer, open_device};
use sinew::scene::{Processor, Scene};
use sinew::skinning::SkinningMode;
use sinew::skinning::pose::PoseChoice;
use sinew::view::View;
use sinew::vulkan::{Device, DeviceChoice, InstanceOptions, Messages, Validation};
use sinew_system::{give_back_memory, keep_little_memory};

use super::random::Random;
use super::resident::{MAX_GROWTH, Resident};
use crate::common;

const CYCLES: usize = 200;
const CHANGES: usize = 4000;

/// Ten models in two qualities: each tenth of the cycles has them all.
const BUILTINS: [&str; 4] = ["character", "twist", "strip", "tube-513"];
const OTHERS: [&str; 6] = [
    "AnimatedMorphCube/AnimatedMorphCube.glb",
    "BoxTextured/BoxTextured.glb",
    "CesiumMan/CesiumMan.glb",
    "Fox/Fox.glb",
    "RiggedFigure/RiggedFigure.glb",
    "SimpleSkin/SimpleSkin.gltf",
];

/// The variable that selects the part of this test that a process runs.
const PART: &str = "SINEW_SOAK_PART";

/// The bytes of a model and the folder it lies in are read anew each time.
fn load(number: usize) -> Model {
    let corpus = std::env::var_os("SINEW_CORPUS").map(PathBuf::from);
    match (BUILTINS.get(number), corpus) {
        (Some(name), _) => gltf::load_bytes(&builtin::glb(name).unwrap(), None).unwrap(),
        (None, Some(corpus)) => {
            gltf::load(&corpus.join("models").join(OTHERS[number - BUILTINS.len()])).unwrap()
        }
        (None, None) => gltf::load_bytes(&builtin::glb("bend").unwrap(), None).unwrap(),
    }
}

/// Loads a model, draws it in every mode, and drops it; returns how many pictures that were.
fn cycle(device: &Arc<Device>, number: usize) -> usize {
    let mut renderer = Renderer::new(Arc::clone(device), Some(&common::caches())).unwrap();
    let quality = [Quality::Full, Quality::Draft][number % 2];
    let pose = PoseChoice::clip(0, 0.1);
    let model = Arc::new(load(number / 2));
    let pose = if model.clips.is_empty() { PoseChoice::Rest } else { pose };
    for mode in SkinningMode::ALL {
        let look = Look { quality, ..Look::default() };
        let scene = Scene { mode, size: [160, 120], pose: pose.clone(), look, ..Scene::new("test") };
        let mut gpu = renderer.upload_framed(Arc::clone(&model), &scene).unwrap();
        renderer.draw(&mut gpu, &scene).unwrap();
        let image = renderer.read().unwrap();
        assert!(image.rgba.chunks(4).any(|pixel| pixel != &image.rgba[..4]), "something is drawn");
    }
    SkinningMode::ALL.len()
}

fn open(validation: Validation, messages: &Arc<Messages>) -> Arc<Device> {
    let options =
        InstanceOptions { validation, messages: Arc::clone(messages), ..InstanceOptions::default() };
    open_device(&options, &DeviceChoice::Best).unwrap()
}

fn close(device: Arc<Device>, messages: &Messages) {
    assert_eq!(device.allocations(), [""; 0], "the allocator's report");
    device.close();
    assert_eq!((messages.errors(), messages.warnings()), (vec![], vec![]));
}

/// All cycles, on one device or each on its own; returns how much memory has grown.
fn cycles(what: &str, validation: Validation, is_reopened: bool) -> f64 {
    let messages = Arc::<Messages>::default();
    let mut resident = Resident::default();
    let mut kept = (!is_reopened).then(|| open(validation, &messages));
    let mut pictures = 0;
    for number in 0..CYCLES {
        let device = kept.take().unwrap_or_else(|| open(validation, &messages));
        pictures += cycle(&device, number % ((BUILTINS.len() + OTHERS.len()) * 2));
        assert_eq!(device.allocations(), [""; 0], "the allocator's report");
        if is_reopened {
            close(device, &messages);
            give_back_memory();
            resident.note_but_made_code("self");
        } else {
            kept = Some(device);
            give_back_memory();
            resident.note("self");
        }
    }
    if let Some(device) = kept {
        close(device, &messages);
    }
    let growth = resident.growth(what);
    println!("{what}: {pictures} pictures");
    assert_eq!(pictures, CYCLES * SkinningMode::ALL.len());
    growth
}

/// Runs a test in a separate process, whose memory nothing else uses; returns `None` in that process. It has the
/// allocator's settings of a window, which releases memory now and then.
fn in_a_process_of_its_own(test: &str) -> Option<()> {
    if std::env::var_os(PART).is_some() {
        keep_little_memory();
        return None;
    }
    let mut command = Command::new(std::env::current_exe().unwrap());
    let test = format!("leaks::cycles::{test}");
    command.args([&test, "--exact", "--nocapture"]).env(PART, "1");
    // Before a test there is the thread that it runs on, and its heap: only that of the process gives its end back.
    let done = command.env("MALLOC_ARENA_MAX", "1").output().unwrap();
    let (out, err) = (String::from_utf8_lossy(&done.stdout), String::from_utf8_lossy(&done.stderr));
    assert!(done.status.success() && out.contains("1 passed"), "{test}:\n{out}\n{err}");
    out.lines()
        .filter(|line| line.contains(" MB ") || line.contains(" pictures"))
        .for_each(|line| println!("{line}"));
    Some(())
}

#[test]
fn drawn_models_leave_no_memory_behind() {
    if in_a_process_of_its_own("drawn_models_leave_no_memory_behind").is_none() {
        assert!(cycles("models on one device", Validation::Off, false) < MAX_GROWTH);
    }
}

#[test]
fn closed_devices_leave_no_memory_behind() {
    if in_a_process_of_its_own("closed_devices_leave_no_memory_behind").is_none() {
        assert!(cycles("devices", Validation::Off, true) < MAX_GROWTH);
    }
}

/// Draws in looks that change at random, which need more pipelines than are kept; returns how much memory has grown.
fn looks() -> f64 {
    let messages = Arc::<Messages>::default();
    let device = open(Validation::Off, &messages);
    let mut renderer = Renderer::new(Arc::clone(&device), Some(&common::caches())).unwrap();
    let mut gpus = [0, 2].map(|number| renderer.upload(Arc::new(load(number))).unwrap());
    let (mut random, mut resident) = (Random::new(7), Resident::default());
    for number in 0..CHANGES {
        let scene = random_scene(&mut random);
        renderer.draw(&mut gpus[number % 2], &scene).unwrap();
        renderer.read().unwrap();
        if number % 10 == 9 {
            give_back_memory();
            resident.note("self");
        }
    }
    drop((gpus, renderer));
    close(device, &messages);
    resident.growth("looks")
}

fn random_scene(random: &mut Random) -> Scene {
    let mut is = || random.below(2) == 1;
    let overlays = Overlays { wireframe: is(), skeleton: is(), ..Overlays::default() };
    let samples = Some(if is() { Samples::One } else { Samples::Four });
    let is_shaded = is();
    let quality = [Quality::Full, Quality::Draft, Quality::Plain][random.below(3) as usize];
    let views = View::all();
    let view =
        if is_shaded { View::Shaded } else { views[random.below(views.len() as u32) as usize].clone() };
    let exposure = f64::from(random.below(2));
    Scene {
        mode: SkinningMode::ALL[random.below(SkinningMode::ALL.len() as u32) as usize],
        skin: [Processor::Gpu, Processor::Cpu, Processor::Compute][random.below(3) as usize],
        view,
        overlays,
        size: [96, 64],
        pose: PoseChoice::clip(0, 0.1),
        look: Look { quality, samples, exposure, ..Look::default() },
        ..Scene::new("test")
    }
}

#[test]
fn many_looks_leave_no_memory_behind() {
    if in_a_process_of_its_own("many_looks_leave_no_memory_behind").is_none() {
        assert!(looks() < MAX_GROWTH);
    }
}

/// The layer allocates its own records, so only objects alive at the end count.
#[test]
fn nothing_is_alive_when_a_device_ends() {
    if in_a_process_of_its_own("nothing_is_alive_when_a_device_ends").is_none() {
        cycles("models on one device, with the layer", Validation::Required, false);
        cycles("devices, with the layer", Validation::Required, true);
    }
}
