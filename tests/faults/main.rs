//! Makes every Vulkan call of a picture, a sequence and a check fail once, in each way that Vulkan allows it. What follows is
//! an error that names the call or a picture all the same; nothing hangs, nothing is left, and the layer has nothing to say.
//! `make soak` runs it: it takes thousands of runs.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on has failed")]

#[path = "../common/mod.rs"]
mod common;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use sinew::look::{Look, Quality};
use sinew::model::Model;
use sinew::render::{Renderer, open_device};
use sinew::scene::{Processor, Scene};
use sinew::skinning::SkinningMode;
use sinew::skinning::pose::PoseChoice;
use sinew::vulkan::faults::{self, Answer, Fault};
use sinew::vulkan::{Device, DeviceChoice, InstanceOptions, Messages, Validation, VulkanError};

/// What is drawn on a device that was opened for it.
type Work = fn(&Arc<Device>, &Arc<Model>, &Path) -> Result<(), VulkanError>;

/// A picture with everything that a picture can have.
fn still(device: &Arc<Device>, model: &Arc<Model>, cache: &Path) -> Result<(), VulkanError> {
    let mut renderer = Renderer::new(Arc::clone(device), Some(cache))?;
    let scene = Scene {
        size: [48, 32],
        mode: SkinningMode::DualQuat,
        pose: PoseChoice::clip(0, 0.5),
        look: Look { quality: Quality::Full, ..Look::default() },
        ..Scene::new("test")
    };
    let mut gpu = renderer.upload_framed(Arc::clone(model), &scene.pose)?;
    renderer.draw(&mut gpu, &scene)?;
    renderer.read()?;
    renderer.pass_times()?;
    Ok(())
}

/// Frames in every mode, by every processor.
fn sequence(device: &Arc<Device>, model: &Arc<Model>, cache: &Path) -> Result<(), VulkanError> {
    let mut renderer = Renderer::new(Arc::clone(device), Some(cache))?;
    let mut gpu = renderer.upload(Arc::clone(model))?;
    for (number, mode) in SkinningMode::ALL.into_iter().enumerate() {
        for skin in [Processor::Gpu, Processor::Cpu, Processor::Compute] {
            let time = number as f64 * 0.1;
            let scene = Scene { skin, ..common::scene(mode, PoseChoice::clip(0, time), [16, 16]) };
            renderer.draw(&mut gpu, &scene)?;
            renderer.read()?;
        }
    }
    Ok(())
}

/// Numbers in place of pictures.
fn skinned(device: &Arc<Device>, model: &Arc<Model>, cache: &Path) -> Result<(), VulkanError> {
    let mut renderer = Renderer::new(Arc::clone(device), Some(cache))?;
    let mut gpu = renderer.upload(Arc::clone(model))?;
    for mode in SkinningMode::ALL {
        renderer.skin(&mut gpu, mode, &PoseChoice::clip(0, 0.5))?;
    }
    Ok(())
}

/// Opens a device, works, and closes everything.
fn run(work: Work, model: &Arc<Model>, cache: &Path, messages: &Arc<Messages>) -> Result<(), VulkanError> {
    let options = InstanceOptions {
        validation: Validation::Required,
        messages: Arc::clone(messages),
        ..InstanceOptions::default()
    };
    let device = open_device(&options, &DeviceChoice::Best)?;
    let result = work(&device, model, cache);
    device.close();
    result
}

/// Fails each call in each way.
fn every_call_fails(name: &str, work: Work) {
    let model = common::builtin("bend");
    let cache = tempfile::tempdir().unwrap();
    faults::begin(None);
    let messages = Arc::<Messages>::default();
    run(work, &model, cache.path(), &messages).unwrap();
    let (calls, _) = faults::end();
    let (mut runs, mut went_on) = (0, BTreeMap::<&str, usize>::new());
    let mut faulty = Vec::new();
    for call in 0..calls {
        for code in 0.. {
            let messages = Arc::<Messages>::default();
            let start = Instant::now();
            faults::begin(Some(Fault { call, code }));
            let result = run(work, &model, cache.path(), &messages);
            let (_, answer) = faults::end();
            let Some(Answer { call: function, code: answered, codes }) = answer else { break };
            runs += 1;
            let said = [messages.errors(), messages.warnings()].concat();
            let what = format!("{function} ({call}) answers {answered:?}");
            if !said.is_empty() {
                faulty.push(format!("{what}: {}", said[0]));
            }
            if start.elapsed().as_secs() >= 5 {
                faulty.push(format!("{what}: took {:?}", start.elapsed()));
            }
            match result {
                Ok(()) => *went_on.entry(function).or_default() += 1,
                Err(error) if error.to_string().is_empty() => faulty.push(format!("{what}: no words")),
                Err(_) => {}
            }
            if code + 1 == codes {
                break;
            }
        }
    }
    println!("{name}: {calls} calls, {runs} faults, went on after {went_on:?}");
    assert!(runs > calls && calls > 50, "{runs} runs of {calls} calls");
    assert!(faulty.is_empty(), "{} of {runs}:\n{}", faulty.len(), faulty[..faulty.len().min(40)].join("\n"));
}

#[test]
fn every_call_of_a_picture_fails_once() {
    every_call_fails("still", still);
}

#[test]
fn every_call_of_a_sequence_fails_once() {
    every_call_fails("sequence", sequence);
}

#[test]
fn every_call_of_skinned_vertices_fails_once() {
    every_call_fails("skinned", skinned);
}
