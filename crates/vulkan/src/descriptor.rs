//! Descriptor layouts, pools and sets, which map buffers and images to a shader's bindings.

use std::sync::Arc;

use ash::vk;

use super::buffer::Buffer;
use super::device::Device;
use super::error::{Named, VulkanError};
use super::image::Image;
use super::owned::Owned;
use super::sampler::Sampler;

/// The types of the bindings 0, 1, 2, … of a set.
pub struct DescriptorSetLayout {
    pub(super) raw: vk::DescriptorSetLayout,
    types: Vec<vk::DescriptorType>,
    device: Owned,
}

impl DescriptorSetLayout {
    /// Creates a layout with one binding for each type, numbered from 0 and visible to `stages`.
    pub fn new(
        device: &Arc<Device>,
        name: &str,
        types: &[vk::DescriptorType],
        stages: vk::ShaderStageFlags,
    ) -> Result<Self, VulkanError> {
        let bindings: Vec<_> = (0u32..)
            .zip(types)
            .map(|(binding, &descriptor_type)| {
                vk::DescriptorSetLayoutBinding::default()
                    .binding(binding)
                    .descriptor_type(descriptor_type)
                    .descriptor_count(1)
                    .stage_flags(stages)
            })
            .collect();
        let info = vk::DescriptorSetLayoutCreateInfo::default().bindings(&bindings);
        // SAFETY: the device is alive, and the bindings live until the call returns.
        let raw = unsafe { device.raw.create_descriptor_set_layout(&info, None) }
            .named("vkCreateDescriptorSetLayout", name)?;
        device.set_name(raw, name);
        Ok(Self { raw, types: types.to_vec(), device: Owned::new(device, name) })
    }
}

impl Drop for DescriptorSetLayout {
    fn drop(&mut self) {
        // SAFETY: the renderer has waited for the GPU; the handle is destroyed once.
        unsafe { self.device.raw.destroy_descriptor_set_layout(self.raw, None) };
    }
}

/// The buffer or image of a binding.
#[derive(Clone, Copy)]
pub enum Descriptor<'a> {
    /// `range` bytes of a buffer from `offset` on. A dynamic offset is added.
    Buffer {
        /// The buffer.
        buffer: &'a Buffer,
        /// First byte.
        offset: u64,
        /// Size in bytes.
        range: u64,
    },
    /// An image in `SHADER_READ_ONLY_OPTIMAL` layout.
    Image {
        /// The image.
        image: &'a Image,
        /// The image's sampler.
        sampler: &'a Sampler,
    },
}

/// A pool of sets. Dropping it frees them.
pub struct DescriptorPool {
    raw: vk::DescriptorPool,
    name: String,
    device: Owned,
}

/// A set. It is valid as long as its pool, its buffers and its images.
#[derive(Clone, Copy)]
pub struct DescriptorSet {
    pub(super) raw: vk::DescriptorSet,
}

impl DescriptorPool {
    /// Creates a pool with room for `sets` sets of each layout.
    pub fn new(
        device: &Arc<Device>,
        name: &str,
        layouts: &[(&DescriptorSetLayout, u32)],
    ) -> Result<Self, VulkanError> {
        let sizes: Vec<_> = layouts
            .iter()
            .flat_map(|(layout, sets)| {
                layout.types.iter().map(|&ty| vk::DescriptorPoolSize { ty, descriptor_count: *sets })
            })
            .collect();
        let max_sets = layouts.iter().map(|(_, sets)| sets).sum();
        let info = vk::DescriptorPoolCreateInfo::default().max_sets(max_sets).pool_sizes(&sizes);
        // SAFETY: the device is alive, and the sizes live until the call returns.
        let raw = unsafe { device.raw.create_descriptor_pool(&info, None) }
            .named("vkCreateDescriptorPool", name)?;
        device.set_name(raw, name);
        Ok(Self { raw, name: name.to_owned(), device: Owned::new(device, name) })
    }

    /// Allocates a set with `descriptors` as its bindings 0, 1, 2, ….
    pub fn set(
        &self,
        name: &str,
        layout: &DescriptorSetLayout,
        descriptors: &[Descriptor<'_>],
    ) -> Result<DescriptorSet, VulkanError> {
        assert_eq!(layout.types.len(), descriptors.len(), "set '{name}' of pool '{}'", self.name);
        let layouts = [layout.raw];
        let info = vk::DescriptorSetAllocateInfo::default().descriptor_pool(self.raw).set_layouts(&layouts);
        // SAFETY: pool and layout are alive; pools are not shared between threads.
        let sets = unsafe { self.device.raw.allocate_descriptor_sets(&info) }
            .named("vkAllocateDescriptorSets", name)?;
        let raw = sets[0];
        self.device.set_name(raw, name);
        for (binding, (&ty, descriptor)) in (0u32..).zip(layout.types.iter().zip(descriptors)) {
            let write =
                vk::WriteDescriptorSet::default().dst_set(raw).dst_binding(binding).descriptor_type(ty);
            match *descriptor {
                Descriptor::Buffer { buffer, offset, range } => {
                    let info = [vk::DescriptorBufferInfo { buffer: buffer.raw, offset, range }];
                    // SAFETY: set and buffer are alive, and no submitted work uses the new set.
                    unsafe { self.device.raw.update_descriptor_sets(&[write.buffer_info(&info)], &[]) };
                }
                Descriptor::Image { image, sampler } => {
                    let info = [vk::DescriptorImageInfo {
                        sampler: sampler.raw,
                        image_view: image.view,
                        image_layout: vk::ImageLayout::SHADER_READ_ONLY_OPTIMAL,
                    }];
                    // SAFETY: set, image and sampler are alive, and no submitted work uses the new set.
                    unsafe { self.device.raw.update_descriptor_sets(&[write.image_info(&info)], &[]) };
                }
            }
        }
        Ok(DescriptorSet { raw })
    }
}

impl Drop for DescriptorPool {
    fn drop(&mut self) {
        // SAFETY: the renderer has waited for the GPU; the handle is destroyed once.
        unsafe { self.device.raw.destroy_descriptor_pool(self.raw, None) };
    }
}
