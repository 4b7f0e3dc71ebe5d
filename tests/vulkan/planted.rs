//! Plants one mistake of each kind: if the layer does not report it here, its silence elsewhere proves nothing.

use std::sync::Arc;

use sinew::render::{
    FRAME_BINDINGS, MATERIAL_BINDINGS, SURROUNDINGS_BINDINGS, Stream, SurfaceBlock, shaders,
};
use sinew::skinning::SkinningMode;
use sinew::vulkan::{
    Buffer, CommandBuffer, DescriptorSetLayout, Device, Fence, GraphicsPipeline, GraphicsPipelineDesc,
    MemoryLocation, Messages, PipelineCache, PipelineLayout, ShaderModule, vk,
};

use crate::common::{open, run, sinew};
use crate::{done_in_a_watched_process, run_again};

/// The messages from opening a device to closing it, with `plant` in between.
fn messages_of(plant: impl FnOnce(&Arc<Device>)) -> Arc<Messages> {
    let device = open();
    let messages = Arc::clone(device.messages());
    plant(&device);
    device.close();
    messages
}

/// Fails the test unless one of `messages` contains all of `parts`.
#[track_caller]
fn assert_says(messages: &[String], parts: &[&str]) {
    let found = messages.iter().any(|message| parts.iter().all(|part| message.contains(part)));
    assert!(found, "no message says {parts:?}: {messages:#?}");
}

fn buffer(device: &Arc<Device>, name: &str, usage: vk::BufferUsageFlags) -> Buffer {
    Buffer::new(device, name, 256, usage, MemoryLocation::GpuOnly).unwrap()
}

/// Copies from a first buffer to a second and on to a third, with `between` recorded in between; with `apart`
/// it submits the two copies one by one.
fn copy_twice(device: &Arc<Device>, apart: bool, between: impl Fn(&mut CommandBuffer)) {
    let usage = vk::BufferUsageFlags::TRANSFER_SRC | vk::BufferUsageFlags::TRANSFER_DST;
    let [first, second, third] = ["first", "second", "third"].map(|name| buffer(device, name, usage));
    let mut recordings: Vec<_> = (0..=usize::from(apart))
        .map(|_| (CommandBuffer::new(device, "copies").unwrap(), Fence::new(device, "copied").unwrap()))
        .collect();
    let last = recordings.len() - 1;
    for (commands, _) in &mut recordings {
        commands.begin(None).unwrap();
    }
    recordings[0].0.copy_buffer(&first, &second, &[(0, 0, first.size())]);
    between(&mut recordings[0].0);
    recordings[last].0.copy_buffer(&second, &third, &[(0, 0, second.size())]);
    for (commands, done) in &mut recordings {
        commands.submit(done).unwrap();
    }
    for (_, done) in &recordings {
        done.wait().unwrap();
    }
}

/// The barrier that [`copy_twice`] needs in between.
fn wait_for_copies(commands: &mut CommandBuffer) {
    commands.memory_barrier(
        (vk::PipelineStageFlags2::COPY, vk::AccessFlags2::TRANSFER_WRITE),
        (vk::PipelineStageFlags2::COPY, vk::AccessFlags2::TRANSFER_READ),
    );
}

#[test]
fn a_wrong_argument_is_reported() {
    let messages = messages_of(|device| {
        let usage = vk::BufferUsageFlags::empty();
        let _ = Buffer::new(device, "for nothing", 256, usage, MemoryLocation::GpuOnly);
    });
    assert_says(&messages.errors(), &["VUID-VkBufferCreateInfo-", "usage"]);
}

#[test]
fn a_message_names_the_object() {
    let messages = messages_of(|device| {
        let source = buffer(device, "not a source", vk::BufferUsageFlags::TRANSFER_DST);
        let target = buffer(device, "target", vk::BufferUsageFlags::TRANSFER_DST);
        let mut commands = CommandBuffer::new(device, "copy").unwrap();
        commands.begin(None).unwrap();
        commands.copy_buffer(&source, &target, &[(0, 0, source.size())]);
    });
    assert_says(&messages.errors(), &["VUID-vkCmdCopyBuffer-srcBuffer", "'not a source'"]);
}

#[test]
fn a_missing_barrier_is_reported() {
    let messages = messages_of(|device| copy_twice(device, false, |_| {}));
    assert_says(&messages.errors(), &["SYNC-HAZARD-READ-AFTER-WRITE", "'second'"]);
    let messages = messages_of(|device| copy_twice(device, false, wait_for_copies));
    assert_eq!(messages.errors(), [""; 0], "with the barrier");
}

#[test]
fn a_missing_barrier_across_submissions_is_reported() {
    if done_in_a_watched_process("planted::a_missing_barrier_across_submissions_is_reported") {
        return;
    }
    let messages = messages_of(|device| copy_twice(device, true, |_| {}));
    assert_says(&messages.errors(), &["SYNC-HAZARD-READ-AFTER-WRITE"]);
    let messages = messages_of(|device| copy_twice(device, true, wait_for_copies));
    assert_eq!(messages.errors(), [""; 0], "with the barrier");
}

#[test]
fn an_object_that_outlives_the_device_is_reported_by_name() {
    let messages = messages_of(|device| {
        std::mem::forget(buffer(device, "forgotten buffer", vk::BufferUsageFlags::TRANSFER_DST));
    });
    assert_says(&messages.errors(), &["1 object(s) outlive the device", "forgotten buffer"]);
}

/// As the last test, but the device is destroyed: now its allocator and the layer report.
#[test]
fn objects_that_are_never_destroyed_are_reported_by_name() {
    let messages = messages_of(|device| {
        std::mem::forget(buffer(device, "forgotten buffer", vk::BufferUsageFlags::TRANSFER_DST));
        std::mem::forget(Fence::new(device, "forgotten fence").unwrap());
        for _ in 0..2 {
            #[allow(unsafe_code, reason = "how else could a handle that owns its device be lost?")]
            // SAFETY: each forgotten object held one count, and nothing uses it any more.
            unsafe {
                Arc::decrement_strong_count(Arc::as_ptr(device));
            }
        }
    });
    assert_says(&messages.errors(), &["leaked allocation 'forgotten buffer'"]);
    assert_says(&messages.errors(), &["VUID-vkDestroyDevice-device", "forgotten buffer"]);
    assert_says(&messages.errors(), &["VUID-vkDestroyDevice-device", "forgotten fence"]);
}

/// A pipeline that gets more inputs than its shader reads: legal, and a waste.
#[test]
fn a_warning_is_counted_apart() {
    let messages = messages_of(|device| {
        let stages = vk::ShaderStageFlags::VERTEX | vk::ShaderStageFlags::FRAGMENT;
        let frame = DescriptorSetLayout::new(device, "frame", &FRAME_BINDINGS, stages).unwrap();
        let material = DescriptorSetLayout::new(device, "material", &MATERIAL_BINDINGS, stages).unwrap();
        let pushed = size_of::<SurfaceBlock>() as u32;
        let around = DescriptorSetLayout::new(device, "around", &SURROUNDINGS_BINDINGS, stages).unwrap();
        let sets = [&frame, &material, &around];
        let layout = PipelineLayout::new(device, "layout", &sets, stages, pushed).unwrap();
        let shader = shaders::mesh_vert(SkinningMode::Rigid, 1).unwrap();
        let cache = PipelineCache::open(device, None).unwrap();
        let desc = GraphicsPipelineDesc {
            name: "fed too much",
            layout: &layout,
            vertex: &ShaderModule::new(device, "mesh.vert", &shader.spirv.unpack()).unwrap(),
            fragment: Some(&ShaderModule::new(device, "mesh.frag", &shaders::MESH_FRAG.unpack()).unwrap()),
            constants: &[],
            streams: &Stream::ALL.map(|stream| stream.binding(true)),
            topology: vk::PrimitiveTopology::TRIANGLE_LIST,
            samples: vk::SampleCountFlags::TYPE_1,
            color_format: Some(vk::Format::R8G8B8A8_SRGB),
            depth_format: Some(vk::Format::D32_SFLOAT),
            blend: false,
            depth_write: true,
            recedes: false,
        };
        GraphicsPipeline::new(device, &cache, &desc).unwrap();
    });
    assert_eq!(messages.errors(), [""; 0]);
    assert_says(&messages.warnings(), &["not consumed"]);
}

/// Without the layer or the driver, these tests must fail and say what to install.
#[test]
fn nothing_passes_without_layer_or_driver() {
    let empty = tempfile::tempdir().unwrap();
    let nothing = empty.path().to_str().unwrap();
    let no_layer: &[_] = &[("VK_LAYER_PATH", nothing)];
    let no_driver: &[_] = &[("VK_DRIVER_FILES", nothing), ("VK_ICD_FILENAMES", nothing)];
    let layer = "apt install vulkan-validationlayers";
    for (missing, advice) in [(no_layer, layer), (no_driver, "apt install mesa-vulkan-drivers")] {
        let output = run_again("planted::a_wrong_argument_is_reported", missing);
        let text = format!("{output:?}");
        assert!(!output.status.success() && text.contains(advice), "{missing:?}: {text}");
    }
    // A debug build says so once, and continues without the layer; asked for, nothing is drawn without it.
    for (flags, code) in [(&[][..], 0), (&["--validate"], 3)] {
        let mut command = sinew(["builtin:strip", "--size", "16x16", "--screenshot", "-"]);
        let found = run(command.args(flags).env("VK_LAYER_PATH", nothing));
        assert_eq!(found.code, Some(code), "{}", found.err);
        assert_eq!(found.out.is_empty(), code != 0);
        assert_eq!(found.err.lines().count(), 1, "{}", found.err);
        assert!(found.err.contains(layer), "{}", found.err);
    }
}
