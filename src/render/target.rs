//! What the renderer draws into: its own images, whatever happens to them afterwards.
//! It must not know what is drawn.

use std::sync::Arc;

use super::pipelines::TargetFormat;
use crate::vulkan::{
    Attachment, CommandBuffer, DepthAttachment, Device, Image, ImageBarrier, ImageDesc, Rendering,
    VulkanError, vk,
};

/// The picture's format: bytes on the curve of PNGs, in the order of most windows, so that what is shown is copied.
pub const COLOR_FORMAT: vk::Format = vk::Format::B8G8R8A8_SRGB;

/// Depth without stencil, which every device can draw to.
pub const DEPTH_FORMAT: vk::Format = vk::Format::D32_SFLOAT;

/// The images of one picture size.
pub struct Target {
    /// One sample a pixel: the picture.
    pub picture: Image,
    /// Several samples a pixel, resolved to the picture; absent with one sample.
    multisampled: Option<Image>,
    depth: Image,
    format: TargetFormat,
}

impl Target {
    /// Images of `size`.
    pub fn new(device: &Arc<Device>, size: [u32; 2], format: TargetFormat) -> Result<Self, VulkanError> {
        let color = ImageDesc::picture(
            size,
            format.color,
            vk::ImageUsageFlags::COLOR_ATTACHMENT | vk::ImageUsageFlags::TRANSFER_SRC,
        );
        let picture = Image::new(device, "picture", color)?;
        let multisampled = match format.samples {
            vk::SampleCountFlags::TYPE_1 => None,
            samples => {
                let usage = vk::ImageUsageFlags::COLOR_ATTACHMENT;
                Some(Image::new(device, "picture samples", ImageDesc { samples, usage, ..color })?)
            }
        };
        let depth = ImageDesc {
            format: DEPTH_FORMAT,
            samples: format.samples,
            usage: vk::ImageUsageFlags::DEPTH_STENCIL_ATTACHMENT,
            aspect: vk::ImageAspectFlags::DEPTH,
            ..color
        };
        Ok(Self { picture, multisampled, depth: Image::new(device, "depth", depth)?, format })
    }

    /// Formats and samples.
    pub fn format(&self) -> TargetFormat {
        self.format
    }

    /// Width and height in pixels.
    pub fn size(&self) -> [u32; 2] {
        self.picture.desc().size
    }

    /// Clears, draws, and leaves the picture ready to be copied from.
    pub fn draw(
        &self,
        commands: &mut CommandBuffer,
        background: [f32; 4],
        record: impl FnOnce(&mut CommandBuffer),
    ) {
        use vk::{AccessFlags2 as Access, PipelineStageFlags2 as Stage};
        let to_attachment = |image| ImageBarrier {
            image,
            from: vk::ImageLayout::UNDEFINED,
            to: vk::ImageLayout::COLOR_ATTACHMENT_OPTIMAL,
            // Whoever still copies the last picture, or draws it, comes first.
            after: (Stage::ALL_TRANSFER | Stage::COLOR_ATTACHMENT_OUTPUT, Access::COLOR_ATTACHMENT_WRITE),
            before: (
                Stage::COLOR_ATTACHMENT_OUTPUT,
                Access::COLOR_ATTACHMENT_WRITE | Access::COLOR_ATTACHMENT_READ,
            ),
        };
        let tests = Stage::EARLY_FRAGMENT_TESTS | Stage::LATE_FRAGMENT_TESTS;
        let mut barriers = vec![
            to_attachment(&self.picture),
            ImageBarrier {
                image: &self.depth,
                from: vk::ImageLayout::UNDEFINED,
                to: vk::ImageLayout::DEPTH_ATTACHMENT_OPTIMAL,
                // The last frame's depth tests come first: frames share this image.
                after: (tests, Access::DEPTH_STENCIL_ATTACHMENT_WRITE),
                before: (
                    tests,
                    Access::DEPTH_STENCIL_ATTACHMENT_WRITE | Access::DEPTH_STENCIL_ATTACHMENT_READ,
                ),
            },
        ];
        barriers.extend(self.multisampled.as_ref().map(to_attachment));
        commands.image_barriers(&barriers);

        let color = match &self.multisampled {
            Some(samples) => {
                Attachment { image: samples, resolve: Some(&self.picture), clear: Some(background) }
            }
            None => Attachment { image: &self.picture, resolve: None, clear: Some(background) },
        };
        commands.begin_rendering(&Rendering {
            size: self.size(),
            color: Some(color),
            depth: Some(DepthAttachment { image: &self.depth, keep: false }),
        });
        record(commands);
        commands.end_rendering();

        commands.image_barriers(&[ImageBarrier {
            image: &self.picture,
            from: vk::ImageLayout::COLOR_ATTACHMENT_OPTIMAL,
            to: vk::ImageLayout::TRANSFER_SRC_OPTIMAL,
            after: (Stage::COLOR_ATTACHMENT_OUTPUT, Access::COLOR_ATTACHMENT_WRITE),
            before: (Stage::ALL_TRANSFER, Access::TRANSFER_READ),
        }]);
    }
}
