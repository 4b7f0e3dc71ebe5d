//! Draws every model in every mode, with one sample and with four, as stills and as sequences, and in a window, while the
//! validation layer looks for wrong calls, missing barriers, bad practice and shaders that read out of bounds.
//!
//! What a layer is asked to look for comes through the environment, before the loader is opened: each test runs another
//! process of itself. `SINEW_NEWER_LAYER` names the folder of a current layer, which `scripts/setup.sh drivers` unpacks.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::time::Instant;

use sinew::look::{Look, Quality, Samples};
use sinew::model::{Model, builtin, load_bytes};
use sinew::overlay::Overlays;
use sinew::render::{Renderer, Stretch, shaders};
use sinew::scene::{Arrangement, Processor, Scene};
use sinew::skinning::SkinningMode;
use sinew::skinning::pose::PoseChoice;
use sinew::vulkan::{
    Buffer, CommandBuffer, ComputePipeline, Descriptor, DescriptorPool, DescriptorSetLayout, Fence, Image,
    ImageBarrier, ImageDesc, MemoryLocation, Messages, PipelineCache, PipelineLayout, ShaderModule, vk,
};

use crate::common;
use crate::screen::Screen;

/// Synchronization across submissions and best practices, beside what the program itself asks for.
const CHECKS: &str = "VALIDATION_CHECK_ENABLE_SYNCHRONIZATION_VALIDATION_QUEUE_SUBMIT:\
                      VK_VALIDATION_FEATURE_ENABLE_BEST_PRACTICES_EXT";
/// Checks of the reads and writes of shaders.
const ON_THE_GPU: &str = "VK_VALIDATION_FEATURE_ENABLE_GPU_ASSISTED_EXT:\
                          VK_VALIDATION_FEATURE_ENABLE_GPU_ASSISTED_RESERVE_BINDING_SLOT_EXT";

/// Messages about validation itself, which no change of the program would avoid. It is configured through the extensions
/// `VK_EXT_debug_utils` and `VK_EXT_validation_features`, and the first three say that those are for debugging, and old. The
/// others say what a newer layer changes of the device before it instruments shaders, and that a setting has an old name.
const ABOUT_VALIDATION: [&str; 5] = [
    "[UNASSIGNED-BestPractices-vkCreateInstance-specialuse-extension-debugging]",
    "[BestPractices-specialuse-extension]",
    "[BestPractices-deprecated-extension]",
    "[WARNING-Setting-Limit-Adjusted]",
    "[VALIDATION-SETTINGS]",
];

/// Advice for values that differ from instance to instance, which would better lie beside each other in one buffer. Ours do
/// not differ: they are what a mesh has in place of streams that it lacks, sixteen bytes over and over, all in one buffer
/// (`Stream::defaults`). A stride of zero would do without instances, but portable devices have none.
const NO_INSTANCES: [&str; 2] = [
    "[UNASSIGNED-BestPractices-vkCreateGraphicsPipelines-too-many-instanced-vertex-buffers]",
    "[BestPractices-vkCreateGraphicsPipelines-too-many-instanced-vertex-buffers]",
];

/// The messages about what the program does.
fn about_us(messages: &Messages) -> Vec<String> {
    let all = [messages.errors(), messages.warnings()].concat();
    all.into_iter().filter(|text| is_about_us(text)).collect()
}

fn is_about_us(text: &str) -> bool {
    !ABOUT_VALIDATION.iter().chain(&NO_INSTANCES).any(|id| text.contains(id))
}

/// Every built-in model, a model with everything, and those of the corpus.
fn every_model() -> Vec<(String, Arc<Model>)> {
    let of_one_length = builtin::list().iter().map(|listed| listed.name).filter(|name| !name.contains("-N"));
    let mut models: Vec<(String, Arc<Model>)> = of_one_length
        .chain(["tube-2", "tube-512", "tube-513", "tube-4096"])
        .map(|name| (format!("builtin:{name}"), common::builtin(name)))
        .collect();
    models.push(("everything".to_owned(), Arc::new(crate::vulkan_models::everything())));
    let corpus = std::env::var_os("SINEW_CORPUS").map(PathBuf::from);
    for path in corpus.iter().flat_map(|corpus| files(corpus)) {
        let bytes = std::fs::read(&path).unwrap();
        let loaded = load_bytes(&bytes, path.parent(), &Default::default());
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        match loaded {
            Ok(loaded) => models.push((name, Arc::new(loaded.model))),
            Err(error) => panic!("{}: {error}", path.display()),
        }
    }
    models
}

/// The files of models in the corpus that must load.
fn files(corpus: &Path) -> Vec<PathBuf> {
    let mut folders = vec![corpus.join("models"), corpus.join("fbx")];
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for path in std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()) {
            let extension = path.extension().unwrap_or_default().to_ascii_lowercase();
            if path.is_dir() {
                folders.push(path);
            } else if ["gltf", "glb", "fbx"].iter().any(|known| extension == *known) {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

/// Draws all of it and returns what was said.
fn draw_everything() -> Vec<String> {
    let started = Instant::now();
    let device = common::open();
    let messages = Arc::clone(device.messages());
    let mut renderer = Renderer::new(Arc::clone(&device), None).unwrap();
    let (mut stills, mut frames, mut models) = (0, 0, 0);
    let mut said = Vec::new();
    for (name, model) in every_model() {
        let mut gpu = renderer.upload(Arc::clone(&model)).unwrap();
        let moves = !model.clips.is_empty();
        let pose = |secs: f64| if moves { PoseChoice::clip(0, secs) } else { PoseChoice::Rest };
        for mode in SkinningMode::ALL {
            for samples in [Samples::One, Samples::Four] {
                let look = Look { quality: Quality::Full, samples: Some(samples), ..Look::default() };
                let scene =
                    Scene { mode, look, pose: pose(0.3), size: [40, 30], ..Scene::new(name.as_str()) };
                renderer.draw(&mut gpu, &scene).unwrap();
                renderer.read().unwrap();
                stills += 1;
                // The frames of a sequence, each by another processor, without a wait in between.
                let others =
                    Arrangement::Split(SkinningMode::ALL.into_iter().filter(|m| *m != mode).collect());
                let overlays: Overlays = "skeleton,axes,names,grid,bounds,wireframe".parse().unwrap();
                let sequence = [
                    Scene { skin: Processor::Gpu, pose: pose(0.4), ..scene.clone() },
                    Scene { skin: Processor::Compute, pose: pose(0.5), overlays, ..scene.clone() },
                    Scene { skin: Processor::Cpu, pose: pose(0.6), ..scene.clone() },
                    Scene { skin: Processor::Auto, pose: pose(0.7), arrangement: others, ..scene.clone() },
                ];
                for scene in &sequence {
                    renderer.draw(&mut gpu, scene).unwrap();
                    frames += 1;
                }
                renderer.read().unwrap();
            }
            renderer.skin(&mut gpu, mode, &pose(0.5)).unwrap();
        }
        models += 1;
        device.wait_idle().unwrap();
        drop(gpu);
        let so_far = said.len();
        said.extend(about_us(&messages).into_iter().skip(so_far).map(|text| format!("{name}: {text}")));
    }
    drop(renderer);
    device.close();
    let so_far = said.len();
    said.extend(about_us(&messages).into_iter().skip(so_far));
    let secs = started.elapsed().as_secs();
    println!(
        "{models} models in {} modes, {stills} stills, {frames} frames, {} messages, {secs} s",
        SkinningMode::ALL.len(),
        said.len()
    );
    assert!(models > 8 && stills == models * 10 && frames == models * 40);
    said
}

/// Returns true if this process is the one that validates. Otherwise, runs the test in such a process, with these checks.
fn is_inside(test: &str, checks: &str, newer_layer: bool) -> bool {
    const INSIDE: &str = "SINEW_SOAK_INSIDE";
    if std::env::var_os(INSIDE).is_some() {
        return true;
    }
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args([test, "--exact", "--nocapture"]).env(INSIDE, "1").env("VK_LAYER_ENABLES", checks);
    if newer_layer {
        command.env("VK_LAYER_PATH", self::newer_layer());
    }
    let output = command.output().unwrap();
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    let count = out.lines().find(|line| line.contains(" messages"));
    println!("{test}: {}", count.unwrap_or("nothing was counted"));
    assert!(output.status.success() && count.is_some() && out.contains("1 passed"), "{out}\n{err}");
    false
}

fn assert_silent(said: &[String]) {
    assert!(said.is_empty(), "{} messages:\n{}", said.len(), said[..said.len().min(40)].join("\n"));
}

fn newer_layer() -> PathBuf {
    let folder = std::env::var_os("SINEW_NEWER_LAYER").map(PathBuf::from);
    let folder =
        folder.unwrap_or_else(|| panic!("SINEW_NEWER_LAYER names no folder: scripts/setup.sh drivers"));
    assert!(folder.join("VkLayer_khronos_validation.json").is_file(), "{} has no layer", folder.display());
    folder
}

#[test]
fn calls_barriers_and_practices_leave_no_message() {
    if is_inside("validation::calls_barriers_and_practices_leave_no_message", CHECKS, false) {
        assert_silent(&draw_everything());
    }
}

#[test]
fn a_newer_layer_has_nothing_to_say() {
    if is_inside("validation::a_newer_layer_has_nothing_to_say", CHECKS, true) {
        assert_silent(&draw_everything());
    }
}

/// By the newer layer: of our shaders with loops 1.3.239 makes control flow that no SPIR-V may have, and Mesa refuses it.
#[test]
fn shaders_read_nothing_out_of_bounds() {
    if is_inside("validation::shaders_read_nothing_out_of_bounds", ON_THE_GPU, true) {
        assert_silent(&draw_everything());
    }
}

/// The self-test: a shader is made to read twice as many words as the buffer holds.
#[test]
fn a_read_out_of_bounds_is_reported() {
    if is_inside("validation::a_read_out_of_bounds_is_reported", ON_THE_GPU, true) {
        let said = morph_beyond_the_end();
        println!("{} messages", said.len());
        assert!(said.iter().any(|text| text.contains("out of bounds")), "{said:?}");
    }
}

/// The self-test for best practices, of either layer.
#[test]
fn a_bad_practice_is_reported() {
    for newer in [false, true] {
        if is_inside("validation::a_bad_practice_is_reported", CHECKS, newer) {
            let said = read_what_nobody_wrote();
            println!("{} messages", said.len());
            assert!(said.iter().any(|text| text.contains("TransitionUndefinedToReadOnly")), "{said:?}");
            return;
        }
    }
}

/// Sums the morph targets of 64 words, of which the buffer has 32.
fn morph_beyond_the_end() -> Vec<String> {
    let device = common::open();
    let messages = Arc::clone(device.messages());
    let (compute, storage) = (vk::ShaderStageFlags::COMPUTE, vk::BufferUsageFlags::STORAGE_BUFFER);
    let kinds = [vk::DescriptorType::STORAGE_BUFFER; 3];
    let set_layout = DescriptorSetLayout::new(&device, "morph", &kinds, compute).unwrap();
    let size = size_of::<Stretch>() as u32;
    let layout = PipelineLayout::new(&device, "morph", &[&set_layout], compute, size).unwrap();
    let shader = ShaderModule::new(&device, "morph.comp", &shaders::MORPH_COMP.unpack()).unwrap();
    let cache = PipelineCache::open(&device, None).unwrap();
    let pipeline = ComputePipeline::new(&device, &cache, "morph", &layout, &shader, &[]).unwrap();
    let buffer = |name, size| Buffer::new(&device, name, size, storage, MemoryLocation::GpuOnly).unwrap();
    let buffers = [buffer("source", 128), buffer("weights", 128), buffer("result", 256)];
    let pool = DescriptorPool::new(&device, "pool", &[(&set_layout, 1)]).unwrap();
    let whole = |buffer| Descriptor::Buffer { buffer, offset: 0, range: Buffer::size(buffer) };
    let set = pool.set("set", &set_layout, &buffers.each_ref().map(whole)).unwrap();
    let mut commands = CommandBuffer::new(&device, "morph").unwrap();
    commands.begin(None).unwrap();
    commands.bind_compute(&pipeline);
    commands.bind_set(vk::PipelineBindPoint::COMPUTE, &layout, 0, set, &[]);
    let stretch = Stretch { words: 64, width: 1, ..Stretch::default() };
    commands.push_constants(&layout, bytemuck::bytes_of(&stretch));
    commands.dispatch([1, 1]);
    let done = Fence::new(&device, "done").unwrap();
    commands.submit(&done).unwrap();
    done.wait().unwrap();
    drop((commands, done, pool, buffers, pipeline, cache, shader, layout, set_layout));
    device.close();
    about_us(&messages)
}

/// Makes an image ready to be read that nothing was written to.
fn read_what_nobody_wrote() -> Vec<String> {
    let device = common::open();
    let messages = Arc::clone(device.messages());
    let usage = vk::ImageUsageFlags::SAMPLED;
    let desc = ImageDesc::picture([4, 4], vk::Format::R8G8B8A8_UNORM, usage);
    let image = Image::new(&device, "empty", desc).unwrap();
    let mut commands = CommandBuffer::new(&device, "read").unwrap();
    commands.begin(None).unwrap();
    commands.image_barriers(&[ImageBarrier {
        image: &image,
        from: vk::ImageLayout::UNDEFINED,
        to: vk::ImageLayout::SHADER_READ_ONLY_OPTIMAL,
        after: (vk::PipelineStageFlags2::NONE, vk::AccessFlags2::NONE),
        before: (vk::PipelineStageFlags2::FRAGMENT_SHADER, vk::AccessFlags2::SHADER_READ),
    }]);
    let done = Fence::new(&device, "done").unwrap();
    commands.submit(&done).unwrap();
    done.wait().unwrap();
    drop((commands, done, image));
    device.close();
    about_us(&messages)
}

/// Sixty frames and more of the window, with all that it can show.
#[test]
fn the_window_leaves_no_message() {
    let corpus = std::env::var_os("SINEW_CORPUS").map(PathBuf::from);
    let of_corpus = corpus.map(|corpus| corpus.join("models/Fox/Fox.glb").to_str().unwrap().to_owned());
    let models = ["builtin:character", "builtin:bend", "builtin:tube-513"].map(str::to_owned);
    let mut windows = 0;
    for (newer, checks) in [(false, CHECKS), (true, CHECKS), (true, ON_THE_GPU)] {
        for model in models.iter().cloned().chain(of_corpus.clone()) {
            let screen = Screen::start(900, 700);
            let layer = newer.then(newer_layer);
            let mut environment = vec![("VK_LAYER_ENABLES", checks.as_ref())];
            environment.extend(layer.as_ref().map(|folder| ("VK_LAYER_PATH", folder.as_os_str())));
            let words = [
                model.as_str(),
                "--clip",
                "0",
                "--paused",
                "--panel",
                "--validate",
                "--size",
                "500x300",
                "--split",
                "dqs",
                "--overlay",
                "skeleton,axes,names,grid,bounds,wireframe",
            ];
            let window = screen.open_with(&words, &environment);
            window.settle();
            // Each key is a frame of the clip; every tenth, something else changes as well.
            let others = ["k", "v", "o", "q", "c", "i"];
            for step in 0..60 {
                window.key("period");
                if step % 10 == 9 {
                    window.key(others[step / 10]);
                    window.settle();
                }
            }
            window.settle();
            let run = window.close();
            let said: Vec<&str> = run.err.lines().filter(|line| is_about_us(line)).collect();
            assert_eq!((run.code, said), (Some(0), vec![]), "{model}, {checks}");
            windows += 1;
        }
    }
    println!("{windows} windows, at least 60 frames each");
    assert!(windows >= 9);
}
