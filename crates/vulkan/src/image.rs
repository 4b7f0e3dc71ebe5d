//! Images with a view of their whole and memory of their own.
//! It must not know pixels: bytes come and go through buffers.

use std::sync::Arc;

use ash::vk;
use gpu_allocator::MemoryLocation;
use gpu_allocator::vulkan::Allocation;

use super::device::Device;
use super::error::{Named, VulkanError};
use super::owned::Owned;

/// What an image is like.
#[derive(Clone, Copy, Debug)]
pub struct ImageDesc {
    /// Width and height in pixels.
    pub size: [u32; 2],
    /// Format of a pixel.
    pub format: vk::Format,
    /// Samples a pixel.
    pub samples: vk::SampleCountFlags,
    /// How many mip levels.
    pub mip_levels: u32,
    /// Whether it is one picture or the six sides of a cube.
    pub shape: Shape,
    /// What it is used for.
    pub usage: vk::ImageUsageFlags,
    /// Colour or depth.
    pub aspect: vk::ImageAspectFlags,
}

impl ImageDesc {
    /// A colour picture: one sample a pixel, one level, one layer.
    pub const fn picture(size: [u32; 2], format: vk::Format, usage: vk::ImageUsageFlags) -> Self {
        Self {
            size,
            format,
            samples: vk::SampleCountFlags::TYPE_1,
            mip_levels: 1,
            shape: Shape::Flat,
            usage,
            aspect: vk::ImageAspectFlags::COLOR,
        }
    }
}

/// What the layers of an image are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Shape {
    /// One picture.
    #[default]
    Flat,
    /// The sides of a cube, in Vulkan's order, that a shader looks up by direction.
    Cube,
}

impl Shape {
    /// How many layers there are.
    pub const fn layers(self) -> u32 {
        match self {
            Self::Flat => 1,
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
        let limits = &device.physical.limits;
        let attachment =
            vk::ImageUsageFlags::COLOR_ATTACHMENT | vk::ImageUsageFlags::DEPTH_STENCIL_ATTACHMENT;
        let [width, height] = desc.size;
        let (max_width, max_height) = match desc.usage.intersects(attachment) {
            true => (
                limits.max_framebuffer_width.min(limits.max_image_dimension2_d),
                limits.max_framebuffer_height.min(limits.max_image_dimension2_d),
            ),
            false => (limits.max_image_dimension2_d, limits.max_image_dimension2_d),
        };
        // Checked by us: lavapipe takes a framebuffer beyond its own limit and draws something.
        device.check_limit(name, "a width in pixels of", width.into(), max_width.into())?;
        device.check_limit(name, "a height in pixels of", height.into(), max_height.into())?;

        let (flags, view_type) = match desc.shape {
            Shape::Flat => (vk::ImageCreateFlags::empty(), vk::ImageViewType::TYPE_2D),
            Shape::Cube => (vk::ImageCreateFlags::CUBE_COMPATIBLE, vk::ImageViewType::CUBE),
        };
        let info = vk::ImageCreateInfo::default()
            .flags(flags)
            .image_type(vk::ImageType::TYPE_2D)
            .format(desc.format)
            .extent(vk::Extent3D { width, height, depth: 1 })
            .mip_levels(desc.mip_levels)
            .array_layers(desc.shape.layers())
            .samples(desc.samples)
            .tiling(vk::ImageTiling::OPTIMAL)
            .usage(desc.usage);
        // SAFETY: the device is alive and the size within its limits.
        let raw = unsafe { device.raw.create_image(&info, None) }.named("vkCreateImage", name)?;
        // From here on the handles are destroyed by `Drop`, whatever fails.
        let mut image = Self {
            raw,
            view: vk::ImageView::null(),
            allocation: None,
            desc,
            device: Owned::new(device, name),
        };
        device.set_name(raw, name);
        // SAFETY: the image was made from this device.
        let requirements = unsafe { device.raw.get_image_memory_requirements(raw) };
        let allocation = image.allocation.insert(device.memory.allocate(
            name,
            requirements,
            MemoryLocation::GpuOnly,
            false,
        )?);
        // SAFETY: the allocation meets the image's requirements and is bound once.
        unsafe { device.raw.bind_image_memory(raw, allocation.memory(), allocation.offset()) }
            .named("vkBindImageMemory", name)?;

        let view = vk::ImageViewCreateInfo::default()
            .image(raw)
            .view_type(view_type)
            .format(desc.format)
            .subresource_range(image.all());
        // SAFETY: the image has its memory.
        image.view = unsafe { device.raw.create_image_view(&view, None) }.named("vkCreateImageView", name)?;
        device.set_name(image.view, &format!("{name} (view)"));
        Ok(image)
    }

    /// What it is like.
    pub fn desc(&self) -> &ImageDesc {
        &self.desc
    }

    /// All of it.
    pub(super) fn all(&self) -> vk::ImageSubresourceRange {
        vk::ImageSubresourceRange {
            aspect_mask: self.desc.aspect,
            base_mip_level: 0,
            level_count: self.desc.mip_levels,
            base_array_layer: 0,
            layer_count: self.desc.shape.layers(),
        }
    }

    /// One mip level, as copies name it.
    pub(super) fn level(&self, level: u32) -> vk::ImageSubresourceLayers {
        vk::ImageSubresourceLayers {
            aspect_mask: self.desc.aspect,
            mip_level: level,
            base_array_layer: 0,
            layer_count: self.desc.shape.layers(),
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
            self.device.memory.free(allocation);
        }
    }
}
