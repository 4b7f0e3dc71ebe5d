//! Shader modules from SPIR-V.

use std::io::Cursor;
use std::sync::Arc;

use ash::vk;

use super::device::Device;
use super::error::{Named, VulkanError};
use super::owned::Owned;

/// A shader module. It may be dropped once its pipelines exist.
pub struct ShaderModule {
    pub(super) raw: vk::ShaderModule,
    device: Owned,
}

impl ShaderModule {
    /// Creates a module from SPIR-V bytes.
    pub fn new(device: &Arc<Device>, name: &str, spirv: &[u8]) -> Result<Self, VulkanError> {
        let words = ash::util::read_spv(&mut Cursor::new(spirv))
            .map_err(|cause| VulkanError::Shader { name: name.to_owned(), cause: cause.to_string() })?;
        let info = vk::ShaderModuleCreateInfo::default().code(&words);
        // SAFETY: the device is alive, and the words live until the call returns.
        let raw =
            unsafe { device.raw.create_shader_module(&info, None) }.named("vkCreateShaderModule", name)?;
        device.set_name(raw, name);
        Ok(Self { raw, device: Owned::new(device, name) })
    }
}

impl Drop for ShaderModule {
    fn drop(&mut self) {
        // SAFETY: a module may go as soon as its pipelines exist; the handle is destroyed once.
        unsafe { self.device.raw.destroy_shader_module(self.raw, None) };
    }
}
