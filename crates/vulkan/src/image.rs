//! Images, each with a view of the whole and a separate memory allocation.

use std::sync::Arc;

use ash::vk;
use gpu_allocator::MemoryLocation;
use gpu_allocator::vulkan::Allocation;

use super::device::Device;
use super::error::{Named, VulkanError};
use super::memory::Object;
use super::owned::Owned;

/// The properties of an image.
#[derive(Clone, Copy, Debug)]
pub struct ImageDesc {
    /// Width and height in pixels.
    pub size: [u32; 2],
    /// Pixel format.
    pub format: vk::Format,
    /// Samples per pixel.
    pub samples: vk::SampleCountFlags,
    /// Number of mip levels.
    pub mip_levels: u32,
    /// A single layer, or the six sides of a cube.
    pub layers: Layers,
    /// Image usage.
    pub usage: vk::ImageUsageFlags,
    /// Colour or depth.
    pub aspect: vk::ImageAspectFlags,
}

impl ImageDesc {
    /// Describes a colour picture: one sample per pixel, one level, one layer.
    pub const fn picture(size: [u32; 2], format: vk::Format, usage: vk::ImageUsageFlags) -> Self {
        Self {
            size,
            format,
            samples: vk::SampleCountFlags::TYPE_1,
            mip_levels: 1,
            layers: Layers::One,
            usage,
            aspect: vk::ImageAspectFlags::COLOR,
        }
    }
}

/// The layers of an image.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Layers {
    /// A single one.
    #[default]
    One,
    /// Six sides of a cube, in Vulkan's order, which a shader looks up by direction.
    Cube,
}

impl Layers {
    /// Returns the number of layers.
    pub const fn count(self) -> u32 {
        match self {
            Self::One => 1,
            Self::Cube => 6,
        }
    }
}

/// An image.
pub struct Image {
    pub(super) raw: vk::Image,
    pub(super) view: vk::ImageView,
    allocation: Option<Allocation>,
    desc: ImageDesc,
    device: Owned,
}

impl Image {
    /// Creates the image, its memory and its view, after checking the device's limits.
    pub fn new(device: &Arc<Device>, name: &str, desc: ImageDesc) -> Result<Self, VulkanError> {
        check_size(device, name, &desc)?;
        let [width, height] = desc.size;
        let flags = match desc.layers {
            Layers::One => vk::ImageCreateFlags::empty(),
            Layers::Cube => vk::ImageCreateFlags::CUBE_COMPATIBLE,
        };
        let info = vk::ImageCreateInfo::default()
            .flags(flags)
            .image_type(vk::ImageType::TYPE_2D)
            .format(desc.format)
            .extent(vk::Extent3D { width, height, depth: 1 })
            .mip_levels(desc.mip_levels)
            .array_layers(desc.layers.count())
            .samples(desc.samples)
            .tiling(vk::ImageTiling::OPTIMAL)
            .usage(desc.usage);
        // SAFETY: the device is alive and the size within its limits.
        let raw = unsafe { device.raw.create_image(&info, None) }.named("vkCreateImage", name)?;
        // From here on, `Drop` destroys the handles if a call fails.
        let mut image = Self {
            raw,
            view: vk::ImageView::null(),
            allocation: None,
            desc,
            device: Owned::new(device, name),
        };
        device.set_name(raw, name);
        image.bind_memory(name)?;
        image.make_view(name)?;
        Ok(image)
    }

    fn bind_memory(&mut self, name: &str) -> Result<(), VulkanError> {
        // SAFETY: the image was made from this device.
        let requirements = unsafe { self.device.raw.get_image_memory_requirements(self.raw) };
        let (object, place) = (self.object(), MemoryLocation::GpuOnly);
        let allocation = self.device.memory.allocate(name, object, requirements, place)?;
        let allocation = self.allocation.insert(allocation);
        // SAFETY: the allocation meets the image's requirements and is bound once.
        unsafe { self.device.raw.bind_image_memory(self.raw, allocation.memory(), allocation.offset()) }
            .named("vkBindImageMemory", name)
    }

    /// Classifies the image for the memory allocator.
    fn object(&self) -> Object {
        let drawn = vk::ImageUsageFlags::COLOR_ATTACHMENT | vk::ImageUsageFlags::DEPTH_STENCIL_ATTACHMENT;
        if self.desc.usage.intersects(drawn) { Object::Picture(self.raw) } else { Object::Texture(self.raw) }
    }

    fn make_view(&mut self, name: &str) -> Result<(), VulkanError> {
        let view_type = match self.desc.layers {
            Layers::One => vk::ImageViewType::TYPE_2D,
            Layers::Cube => vk::ImageViewType::CUBE,
        };
        let info = vk::ImageViewCreateInfo::default()
            .image(self.raw)
            .view_type(view_type)
            .format(self.desc.format)
            .subresource_range(self.all());
        // SAFETY: the image has its memory.
        self.view =
            unsafe { self.device.raw.create_image_view(&info, None) }.named("vkCreateImageView", name)?;
        self.device.set_name(self.view, &format!("{name} (view)"));
        Ok(())
    }

    /// Returns the image's properties.
    pub fn desc(&self) -> &ImageDesc {
        &self.desc
    }

    /// Returns the full range of the image.
    pub(super) fn all(&self) -> vk::ImageSubresourceRange {
        vk::ImageSubresourceRange {
            aspect_mask: self.desc.aspect,
            base_mip_level: 0,
            level_count: self.desc.mip_levels,
            base_array_layer: 0,
            layer_count: self.desc.layers.count(),
        }
    }

    /// Returns one mip level as copies address it.
    pub(super) fn level(&self, level: u32) -> vk::ImageSubresourceLayers {
        vk::ImageSubresourceLayers {
            aspect_mask: self.desc.aspect,
            mip_level: level,
            base_array_layer: 0,
            layer_count: self.desc.layers.count(),
        }
    }
}

impl Drop for Image {
    fn drop(&mut self) {
        // SAFETY: the renderer has waited for the GPU; each handle is destroyed once (a null view is ignored).
        unsafe {
            self.device.raw.destroy_image_view(self.view, None);
            self.device.raw.destroy_image(self.raw, None);
        }
        if let Some(allocation) = self.allocation.take() {
            self.device.memory.free(self.object(), allocation);
        }
    }
}

/// Checks the image's size, because lavapipe accepts a framebuffer beyond its limit and draws anyway.
fn check_size(device: &Device, name: &str, desc: &ImageDesc) -> Result<(), VulkanError> {
    let limits = &device.physical.limits;
    let attachment = vk::ImageUsageFlags::COLOR_ATTACHMENT | vk::ImageUsageFlags::DEPTH_STENCIL_ATTACHMENT;
    let most = limits.max_image_dimension2_d;
    let [max_width, max_height] = match desc.usage.intersects(attachment) {
        true => [limits.max_framebuffer_width.min(most), limits.max_framebuffer_height.min(most)],
        false => [most, most],
    };
    let [width, height] = desc.size;
    device.check_limit(name, "pixels of width", width.into(), max_width.into())?;
    device.check_limit(name, "pixels of height", height.into(), max_height.into())
}
