//! The devices of this machine as JSON. Scripts depend on the names of the keys, which docs/reference/devices.md
//! explains.

use serde_json::{Value, json};

use super::Found;
use crate::vulkan::{DeviceChoice, PhysicalDevice, vk};

/// All devices, and the number of the one that is taken without --device.
pub fn json(found: &[Found]) -> Value {
    let devices: Vec<PhysicalDevice> = found.iter().map(|found| found.device.clone()).collect();
    let best = PhysicalDevice::choose(&devices, &DeviceChoice::Best).ok();
    // Two devices may be alike in everything but their place in the list.
    let is_best = |device: &PhysicalDevice| best.as_ref().is_some_and(|best| best.is(device));
    let chosen = devices.iter().position(is_best);
    let listed: Vec<Value> = found.iter().enumerate().map(|(index, found)| device(index, found)).collect();
    json!({ "chosen": chosen, "devices": listed })
}

fn device(index: usize, Found { device, palettes }: &Found) -> Value {
    let version = device.api_version;
    json!({
        "index": index,
        "name": device.name,
        "type": kind(device.kind),
        "driver": device.driver_name,
        "driver_version": device.driver_version,
        "api_version": format!(
            "{}.{}.{}",
            vk::api_version_major(version),
            vk::api_version_minor(version),
            vk::api_version_patch(version)
        ),
        "runs_sinew": device.lacks.is_empty(),
        "lacks": device.lacks,
        "palette": palettes.map(|choice| choice.buffer.name()),
        "ssbo_per_ubo": palettes.and_then(|choice| choice.ratio),
        "limits": limits(&device.limits),
    })
}

/// The limits that decide what can be drawn, by Vulkan's own names.
fn limits(limits: &vk::PhysicalDeviceLimits) -> Value {
    json!({
        "maxImageDimension2D": limits.max_image_dimension2_d,
        "maxFramebufferWidth": limits.max_framebuffer_width,
        "maxFramebufferHeight": limits.max_framebuffer_height,
        "framebufferColorSampleCounts": samples(limits.framebuffer_color_sample_counts),
        "framebufferDepthSampleCounts": samples(limits.framebuffer_depth_sample_counts),
        "maxUniformBufferRange": limits.max_uniform_buffer_range,
        "maxStorageBufferRange": limits.max_storage_buffer_range,
        "maxMemoryAllocationCount": limits.max_memory_allocation_count,
        "maxVertexInputBindings": limits.max_vertex_input_bindings,
        "maxComputeWorkGroupCount": limits.max_compute_work_group_count,
        "maxComputeWorkGroupInvocations": limits.max_compute_work_group_invocations,
        "minUniformBufferOffsetAlignment": limits.min_uniform_buffer_offset_alignment,
        "maxSamplerAnisotropy": limits.max_sampler_anisotropy,
        "timestampPeriod": limits.timestamp_period,
    })
}

/// The numbers of samples a pixel can have.
fn samples(counts: vk::SampleCountFlags) -> Vec<u32> {
    (0..7)
        .map(|bit| 1 << bit)
        .filter(|count| counts.contains(vk::SampleCountFlags::from_raw(*count)))
        .collect()
}

fn kind(kind: vk::PhysicalDeviceType) -> &'static str {
    match kind {
        vk::PhysicalDeviceType::DISCRETE_GPU => "discrete",
        vk::PhysicalDeviceType::INTEGRATED_GPU => "integrated",
        vk::PhysicalDeviceType::VIRTUAL_GPU => "virtual",
        vk::PhysicalDeviceType::CPU => "cpu",
        _ => "other",
    }
}
