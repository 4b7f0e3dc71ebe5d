//! The images that a picture is drawn into: light, depth, and the encoded bytes.

use std::sync::Arc;

use crate::interface::formats::{AttachmentFormats, DEPTH_FORMAT, PICTURE_FORMAT};
use crate::passes::encode::{EncodePass, Light};
use sinew_vulkan::{
    Attachment, CommandBuffer, DepthAttachment, Device, Image, ImageBarrier, ImageDesc, Rendering,
    VulkanError, vk,
};

/// The images of one picture size.
pub(crate) struct Attachments {
    /// Target of the passes; without it, they draw to the picture.
    light: Option<DrawnLight>,
    depth: Image,
    /// The light, encoded as bytes.
    pub(crate) picture: Image,
    formats: AttachmentFormats,
}

/// The light of all samples, and its binding for the encode pass.
struct DrawnLight {
    image: Image,
    readable: Light,
}

impl Attachments {
    /// Creates images of `size`.
    pub(crate) fn new(
        device: &Arc<Device>,
        encode_pass: &EncodePass,
        size: [u32; 2],
        formats: AttachmentFormats,
    ) -> Result<Self, VulkanError> {
        let attachment = vk::ImageUsageFlags::COLOR_ATTACHMENT;
        let light = ImageDesc {
            samples: formats.samples,
            ..ImageDesc::picture(size, formats.color, attachment | vk::ImageUsageFlags::SAMPLED)
        };
        let depth = ImageDesc {
            format: DEPTH_FORMAT,
            usage: vk::ImageUsageFlags::DEPTH_STENCIL_ATTACHMENT,
            aspect: vk::ImageAspectFlags::DEPTH,
            ..light
        };
        let picture =
            ImageDesc::picture(size, PICTURE_FORMAT, attachment | vk::ImageUsageFlags::TRANSFER_SRC);
        let light = match formats.color == PICTURE_FORMAT {
            true => None,
            false => {
                let image = Image::new(device, "light of the picture", light)?;
                Some(DrawnLight { readable: encode_pass.light(device, &image)?, image })
            }
        };
        Ok(Self {
            light,
            depth: Image::new(device, "depth", depth)?,
            picture: Image::new(device, "picture", picture)?,
            formats,
        })
    }

    /// Returns the light as the encode pass reads it; `None` if bytes are drawn directly.
    pub(crate) fn light(&self) -> Option<&Light> {
        self.light.as_ref().map(|light| &light.readable)
    }

    /// Returns the target of the passes.
    fn target(&self) -> &Image {
        self.light.as_ref().map_or(&self.picture, |light| &light.image)
    }

    /// Returns formats and samples.
    pub fn formats(&self) -> AttachmentFormats {
        self.formats
    }

    /// Returns width and height in pixels.
    pub fn size(&self) -> [u32; 2] {
        self.picture.desc().size
    }

    /// Clears, draws, and leaves the light ready to be encoded, or the picture ready to be copied from.
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
                image: self.target(),
                from: vk::ImageLayout::UNDEFINED,
                to: vk::ImageLayout::COLOR_ATTACHMENT_OPTIMAL,
                // The last picture is drawn, and encoded or copied: frames share this image.
                after: (
                    Stage::FRAGMENT_SHADER | Stage::COLOR_ATTACHMENT_OUTPUT | Stage::ALL_TRANSFER,
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
                // The last frame's depth tests come first. Nothing copies depth; but if its memory was a picture's,
                // the validation layer 1.3.239 misses that the device has been idle since that one was copied.
                after: (tests | Stage::ALL_TRANSFER, Access::DEPTH_STENCIL_ATTACHMENT_WRITE),
                before: (
                    tests,
                    Access::DEPTH_STENCIL_ATTACHMENT_WRITE | Access::DEPTH_STENCIL_ATTACHMENT_READ,
                ),
            },
        ]);
        commands.begin_rendering(&Rendering {
            size: self.size(),
            color: Some(Attachment { image: self.target(), clear: Some(background) }),
            depth: Some(DepthAttachment { image: &self.depth, keep: false }),
        });
        record(commands);
        commands.end_rendering();
        let (to, before) = match &self.light {
            Some(_) => {
                (vk::ImageLayout::SHADER_READ_ONLY_OPTIMAL, (Stage::FRAGMENT_SHADER, Access::SHADER_READ))
            }
            None => (vk::ImageLayout::TRANSFER_SRC_OPTIMAL, (Stage::ALL_TRANSFER, Access::TRANSFER_READ)),
        };
        commands.image_barriers(&[ImageBarrier {
            image: self.target(),
            from: vk::ImageLayout::COLOR_ATTACHMENT_OPTIMAL,
            to,
            after: (Stage::COLOR_ATTACHMENT_OUTPUT, Access::COLOR_ATTACHMENT_WRITE),
            before,
        }]);
    }

    /// Encodes the light through `record`, and leaves the picture ready to be copied from.
    pub fn encode(&self, commands: &mut CommandBuffer, record: impl FnOnce(&mut CommandBuffer)) {
        use vk::{AccessFlags2 as Access, PipelineStageFlags2 as Stage};
        let drawn = (Stage::COLOR_ATTACHMENT_OUTPUT, Access::COLOR_ATTACHMENT_WRITE);
        commands.image_barriers(&[ImageBarrier {
            image: &self.picture,
            from: vk::ImageLayout::UNDEFINED,
            to: vk::ImageLayout::COLOR_ATTACHMENT_OPTIMAL,
            // Copies of the last picture, and writes to it, come first.
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
