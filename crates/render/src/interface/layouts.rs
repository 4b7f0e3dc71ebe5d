//! The descriptor set layouts that pipelines and models share, with the meaning of each binding.

use std::sync::Arc;

use sinew_model::TextureUse;
use sinew_skinning::{SLOTS, Slot};
use sinew_vulkan::{DescriptorSetLayout, Device, VulkanError, vk};

/// The size in bytes of the palette window that shaders see, for any number of filled slots.
pub const PALETTE_WINDOW: u64 = (SLOTS * size_of::<Slot>()) as u64;

/// The textures that `mesh.frag` reads, in the order of their bindings.
pub const DRAWN_TEXTURES: [TextureUse; 5] = [
    TextureUse::BaseColor,
    TextureUse::MetallicRoughness,
    TextureUse::Normal,
    TextureUse::Occlusion,
    TextureUse::Emissive,
];

/// The bindings of set 1: the material's block, then its textures.
pub const MATERIAL_BINDINGS: [vk::DescriptorType; 1 + DRAWN_TEXTURES.len()] = [
    vk::DescriptorType::UNIFORM_BUFFER,
    vk::DescriptorType::COMBINED_IMAGE_SAMPLER,
    vk::DescriptorType::COMBINED_IMAGE_SAMPLER,
    vk::DescriptorType::COMBINED_IMAGE_SAMPLER,
    vk::DescriptorType::COMBINED_IMAGE_SAMPLER,
    vk::DescriptorType::COMBINED_IMAGE_SAMPLER,
];

/// The bindings of set 0: the frame block, the palette in either kind of buffer, and the terms of *ddm*.
pub const FRAME_BINDINGS: [vk::DescriptorType; 4] = [
    vk::DescriptorType::UNIFORM_BUFFER_DYNAMIC,
    vk::DescriptorType::UNIFORM_BUFFER_DYNAMIC,
    vk::DescriptorType::STORAGE_BUFFER_DYNAMIC,
    vk::DescriptorType::STORAGE_BUFFER,
];

/// Returns the alignment of palettes, for both kinds of buffer.
pub fn palette_alignment(device: &Device) -> u64 {
    let limits = &device.physical().limits;
    // Both are powers of two.
    limits.min_uniform_buffer_offset_alignment.max(limits.min_storage_buffer_offset_alignment).max(1)
}

/// Returns the dynamic offsets of set 0, for a frame block and a palette.
pub fn frame_offsets(block: u64, palette: u64) -> [u32; 3] {
    // These buffers are at most 4 GiB long.
    [block as u32, palette as u32, palette as u32]
}

/// The bindings of set 2: the studio, the shadow map, the contact map.
pub const SURROUNDINGS_BINDINGS: [vk::DescriptorType; 3] = [vk::DescriptorType::COMBINED_IMAGE_SAMPLER; 3];

/// Descriptor set layouts, which pipelines and models share.
pub struct Layouts {
    /// Set 0: the frame block, the palette in a uniform buffer, and the palette in a storage buffer, each with a
    /// separate dynamic offset; then the terms of *ddm*.
    pub frame: DescriptorSetLayout,
    /// Set 1: the material's block and its textures.
    pub material: DescriptorSetLayout,
    /// Set 2: the studio and the shadow maps.
    pub surroundings: DescriptorSetLayout,
    /// Set 0 of the morph pass: base values with deltas, weights, morphed streams.
    pub morph: DescriptorSetLayout,
}

impl Layouts {
    /// Creates all layouts.
    pub fn new(device: &Arc<Device>) -> Result<Self, VulkanError> {
        use vk::ShaderStageFlags as Stages;
        let layout = |name, types: &[_], stages| DescriptorSetLayout::new(device, name, types, stages);
        let storage = vk::DescriptorType::STORAGE_BUFFER;
        Ok(Self {
            frame: Self::frame(device)?,
            material: layout("material", &MATERIAL_BINDINGS, Stages::FRAGMENT)?,
            surroundings: layout("surroundings", &SURROUNDINGS_BINDINGS, Stages::FRAGMENT)?,
            morph: layout("morph", &[storage; 3], Stages::COMPUTE)?,
        })
    }

    /// Creates the layout of set 0 alone; all of them are alike.
    pub fn frame(device: &Arc<Device>) -> Result<DescriptorSetLayout, VulkanError> {
        use vk::ShaderStageFlags as Stages;
        let stages = Stages::VERTEX | Stages::FRAGMENT | Stages::COMPUTE;
        DescriptorSetLayout::new(device, "frame", &FRAME_BINDINGS, stages)
    }
}
