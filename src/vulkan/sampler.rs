//! Samplers: how a shader reads an image between its pixels.
//! They must not know which image.

use std::sync::Arc;

use ash::vk;

use super::device::Device;
use super::error::{Named, VulkanError};
use super::owned::Owned;

/// A sampler.
pub struct Sampler {
    pub(super) raw: vk::Sampler,
    device: Owned,
}

impl Sampler {
    /// Creates a sampler that filters linearly between pixels and mip levels and repeats at the edges.
    pub fn trilinear(device: &Arc<Device>, name: &str) -> Result<Self, VulkanError> {
        let info = vk::SamplerCreateInfo::default()
            .mag_filter(vk::Filter::LINEAR)
            .min_filter(vk::Filter::LINEAR)
            .mipmap_mode(vk::SamplerMipmapMode::LINEAR)
            .address_mode_u(vk::SamplerAddressMode::REPEAT)
            .address_mode_v(vk::SamplerAddressMode::REPEAT)
            .address_mode_w(vk::SamplerAddressMode::REPEAT)
            .max_lod(vk::LOD_CLAMP_NONE);
        // SAFETY: the device is alive.
        let raw = unsafe { device.raw.create_sampler(&info, None) }.named("vkCreateSampler", name)?;
        device.set_name(raw, name);
        Ok(Self { raw, device: Owned::new(device, name) })
    }
}

impl Drop for Sampler {
    fn drop(&mut self) {
        // SAFETY: the renderer has waited for the GPU; the handle is destroyed once.
        unsafe { self.device.raw.destroy_sampler(self.raw, None) };
    }
}
