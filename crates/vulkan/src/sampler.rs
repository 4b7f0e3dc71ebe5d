//! Samplers, which filter an image between its pixels.

use std::sync::Arc;

use ash::vk;

use super::device::Device;
use super::error::{Named, VulkanError};
use super::owned::Owned;

/// The properties of a sampler.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SamplerDesc {
    /// The address mode of each axis.
    pub address: [vk::SamplerAddressMode; 2],
    /// The filter for magnification.
    pub mag: vk::Filter,
    /// The filter for minification.
    pub min: vk::Filter,
    /// The filter between mip levels; `None` reads the largest level only.
    pub mip: Option<vk::SamplerMipmapMode>,
    /// The comparison with a reference value, for samplers that compare.
    pub compare: Option<vk::CompareOp>,
}

/// A sampler.
pub struct Sampler {
    pub(super) raw: vk::Sampler,
    device: Owned,
}

impl Sampler {
    /// Creates a sampler.
    pub fn new(device: &Arc<Device>, name: &str, desc: SamplerDesc) -> Result<Self, VulkanError> {
        let [u, v] = desc.address;
        let info = vk::SamplerCreateInfo::default()
            .mag_filter(desc.mag)
            .min_filter(desc.min)
            .mipmap_mode(desc.mip.unwrap_or(vk::SamplerMipmapMode::NEAREST))
            .address_mode_u(u)
            .address_mode_v(v)
            .address_mode_w(vk::SamplerAddressMode::CLAMP_TO_EDGE)
            .border_color(vk::BorderColor::FLOAT_TRANSPARENT_BLACK)
            .compare_enable(desc.compare.is_some())
            .compare_op(desc.compare.unwrap_or(vk::CompareOp::ALWAYS))
            // A level of detail of up to a quarter is never rounded to level 1. It is still above 0, where `mag` ends
            // and `min` begins.
            .max_lod(if desc.mip.is_some() { vk::LOD_CLAMP_NONE } else { 0.25 });
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
