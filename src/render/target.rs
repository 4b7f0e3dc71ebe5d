//! What the renderer draws into: its own images, whatever happens to them afterwards.
//! It must not know what is drawn.

use std::sync::Arc;

use super::encode_pass::{EncodePass, Light, PICTURE_FORMAT};
use super::pipelines::TargetFormat;
use sinew_vulkan::{
    Attachment, CommandBuffer, DepthAttachment, Device, Image, ImageBarrier, ImageDesc, Rendering,
    VulkanError, vk,
};

/// Light as it is mixed: linear, and more than a screen shows.
pub const LIGHT_FORMAT: vk::Format = vk::Format::R16G16B16A16_SFLOAT;

/// Depth without stencil, which every device can draw to.
pub const DEPTH_FORMAT: vk::Format = vk::Format::D32_SFLOAT;

/// The images of one picture size.
pub(super) struct Target {
    /// What everything is drawn into, with all samples of a pixel.
    light: Image,
    depth: Image,
    /// The bytes that become of the light.
    pub(super) picture: Image,
    readable_light: Light,
    format: TargetFormat,
}

impl Target {
    /// Images of `size`.
    pub(super) fn new(
        device: &Arc<Device>,
        encode_pass: &EncodePass,
        size: [u32; 2],
        format: TargetFormat,
    ) -> Result<Self, VulkanError> {
        let attachment = vk::ImageUsageFlags::COLOR_ATTACHMENT;
        let light = ImageDesc {
            samples: format.samples,
            ..ImageDesc::picture(size, format.color, attachment | vk::ImageUsageFlags::SAMPLED)
        };
        let depth = ImageDesc {
            format: DEPTH_FORMAT,
            usage: vk::ImageUsageFlags::DEPTH_STENCIL_ATTACHMENT,
            aspect: vk::ImageAspectFlags::DEPTH,
            ..light
        };
        let picture =
            ImageDesc::picture(size, PICTURE_FORMAT, attachment | vk::ImageUsageFlags::TRANSFER_SRC);
        let light = Image::new(device, "light of the picture", light)?;
        Ok(Self {
            readable_light: encode_pass.light(device, &light)?,
            light,
            depth: Image::new(device, "depth", depth)?,
            picture: Image::new(device, "picture", picture)?,
            format,
        })
    }

    /// The light as the last pass reads it.
    pub(super) fn light(&self) -> &Light {
        &self.readable_light
    }

    /// Formats and samples.
    pub fn format(&self) -> TargetFormat {
        self.format
    }

    /// Width and height in pixels.
    pub fn size(&self) -> [u32; 2] {
        self.picture.desc().size
    }

    /// Clears, draws, and leaves the light ready to be encoded.
    pub fn draw(
        &self,
        commands: &mut CommandBuffer,
        background: [f32; 4],
        record: impl FnOnce(&mut CommandBuffer),
    ) {
        use vk::{AccessFlags2 as Access, PipelineStageFlags2 as Stage};
        let tests = Stage::EARLY_FRAGMENT_TESTS | Stage::LATE_FRAGMENT_TESTS;
        commands.image_barriers(&[
            ImageBarrier {
                image: &self.light,
                from: vk::ImageLayout::UNDEFINED,
                to: vk::ImageLayout::COLOR_ATTACHMENT_OPTIMAL,
                // The last picture is drawn, and encoded: frames share this image.
                after: (
                    Stage::FRAGMENT_SHADER | Stage::COLOR_ATTACHMENT_OUTPUT,
                    Access::COLOR_ATTACHMENT_WRITE,
                ),
                before: (
                    Stage::COLOR_ATTACHMENT_OUTPUT,
                    Access::COLOR_ATTACHMENT_WRITE | Access::COLOR_ATTACHMENT_READ,
                ),
            },
            ImageBarrier {
                image: &self.depth,
                from: vk::ImageLayout::UNDEFINED,
                to: vk::ImageLayout::DEPTH_ATTACHMENT_OPTIMAL,
                // The last frame's depth tests come first.
                after: (tests, Access::DEPTH_STENCIL_ATTACHMENT_WRITE),
                before: (
                    tests,
                    Access::DEPTH_STENCIL_ATTACHMENT_WRITE | Access::DEPTH_STENCIL_ATTACHMENT_READ,
                ),
            },
        ]);
        commands.begin_rendering(&Rendering {
            size: self.size(),
            color: Some(Attachment { image: &self.light, clear: Some(background) }),
            depth: Some(DepthAttachment { image: &self.depth, keep: false }),
        });
        record(commands);
        commands.end_rendering();
        commands.image_barriers(&[ImageBarrier {
            image: &self.light,
            from: vk::ImageLayout::COLOR_ATTACHMENT_OPTIMAL,
            to: vk::ImageLayout::SHADER_READ_ONLY_OPTIMAL,
            after: (Stage::COLOR_ATTACHMENT_OUTPUT, Access::COLOR_ATTACHMENT_WRITE),
            before: (Stage::FRAGMENT_SHADER, Access::SHADER_SAMPLED_READ),
        }]);
    }

    /// Has the light encoded, and leaves the picture ready to be copied from.
    pub fn encode(&self, commands: &mut CommandBuffer, record: impl FnOnce(&mut CommandBuffer)) {
        use vk::{AccessFlags2 as Access, PipelineStageFlags2 as Stage};
        let drawn = (Stage::COLOR_ATTACHMENT_OUTPUT, Access::COLOR_ATTACHMENT_WRITE);
        commands.image_barriers(&[ImageBarrier {
            image: &self.picture,
            from: vk::ImageLayout::UNDEFINED,
            to: vk::ImageLayout::COLOR_ATTACHMENT_OPTIMAL,
            // Whoever still copies the last picture, or writes it, comes first.
            after: (Stage::ALL_TRANSFER | drawn.0, drawn.1),
            before: (drawn.0, drawn.1 | Access::COLOR_ATTACHMENT_READ),
        }]);
        // Every pixel is written.
        let color = Attachment { image: &self.picture, clear: None };
        commands.begin_rendering(&Rendering { size: self.size(), color: Some(color), depth: None });
        record(commands);
        commands.end_rendering();
        commands.image_barriers(&[ImageBarrier {
            image: &self.picture,
            from: vk::ImageLayout::COLOR_ATTACHMENT_OPTIMAL,
            to: vk::ImageLayout::TRANSFER_SRC_OPTIMAL,
            after: drawn,
            before: (Stage::ALL_TRANSFER, Access::TRANSFER_READ),
        }]);
    }
}
