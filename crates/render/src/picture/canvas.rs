//! The content of a window: a picture, copied byte by byte, and paint around and over it.

use std::sync::Arc;

use crate::in_flight::{FramesInFlight, InFlight};
use crate::interface::formats::{AttachmentFormats, PICTURE_FORMAT};
use crate::picture::paint::{FramePaint, PaintPass};
use crate::picture::painting::Painting;
use sinew_vulkan::{
    Attachment, CommandBuffer, Device, Image, ImageBarrier, ImageDesc, PassTime, PipelineCache, Rendering,
    VulkanError, vk,
};

/// Formats of pictures, since paint is blended in sRGB.
const FORMATS: AttachmentFormats =
    AttachmentFormats { color: PICTURE_FORMAT, depth: None, samples: vk::SampleCountFlags::TYPE_1 };

/// The number of passes of a canvas: placing and painting.
const MAX_PASSES: u32 = 2;

/// The colour of the window where it shows neither a picture nor paint.
const EMPTY: [f32; 4] = [0.1, 0.1, 0.1, 1.0];

/// A window's content.
pub(crate) struct Canvas {
    frames: FramesInFlight<FramePaint>,
    image: Option<Image>,
    paint: PaintPass,
}

impl Canvas {
    pub(crate) fn new(device: &Arc<Device>) -> Result<Self, VulkanError> {
        let frames = FramesInFlight::new(device, "canvas", MAX_PASSES)?;
        Ok(Self { frames, image: None, paint: PaintPass::new(device)? })
    }

    /// Returns the content, in `TRANSFER_SRC_OPTIMAL` layout.
    pub(crate) fn image(&self) -> Option<&Image> {
        self.image.as_ref()
    }

    /// Returns the times of the last frame's passes, waiting for it.
    pub(crate) fn times(&self) -> Result<Vec<PassTime>, VulkanError> {
        let frame = self.frames.last();
        frame.done.wait()?;
        frame.timestamps.read()
    }

    /// Copies a picture in `TRANSFER_SRC_OPTIMAL` layout to a position and paints over it.
    pub(crate) fn fill(
        &mut self,
        device: &Arc<Device>,
        cache: &PipelineCache,
        size: [u32; 2],
        (picture, place): (Option<&Image>, [u32; 2]),
        painting: &Painting,
    ) -> Result<(), VulkanError> {
        if self.image.as_ref().is_none_or(|image| image.desc().size != size) {
            device.wait_idle()?;
            self.image = None;
            self.image = Some(Image::new(device, "canvas", desc(size))?);
        }
        let image = self.image.as_ref().expect("made above");
        let number = self.frames.advance();
        let InFlight { commands, done, timestamps, own: paint } = self.frames.get_mut(number);
        done.wait()?;
        let is_painted = !painting.pieces.is_empty();
        if is_painted {
            self.paint.prepare(device, cache, FORMATS, painting, paint)?;
        }
        commands.begin(Some(timestamps))?;
        commands.pass(timestamps, "place", |commands| record_place(commands, image, picture, place));
        if is_painted {
            let passes = &self.paint;
            commands.pass(timestamps, "paint", |commands| {
                record_paint(commands, image, |commands| {
                    passes.record(commands, FORMATS, size, painting, paint);
                });
            });
        }
        commands.submit(done)
    }
}

fn desc(size: [u32; 2]) -> ImageDesc {
    ImageDesc::picture(
        size,
        FORMATS.color,
        vk::ImageUsageFlags::COLOR_ATTACHMENT
            | vk::ImageUsageFlags::TRANSFER_DST
            | vk::ImageUsageFlags::TRANSFER_SRC,
    )
}

/// Clears the canvas, copies the picture to it, and leaves it ready to be copied from.
fn record_place(commands: &mut CommandBuffer, image: &Image, picture: Option<&Image>, place: [u32; 2]) {
    use vk::{AccessFlags2 as Access, PipelineStageFlags2 as Stage};
    let (source, received) = (vk::ImageLayout::TRANSFER_SRC_OPTIMAL, vk::ImageLayout::TRANSFER_DST_OPTIMAL);
    let written = (Stage::ALL_TRANSFER, Access::TRANSFER_WRITE);
    let barrier = |from, to, after, before| [ImageBarrier { image, from, to, after, before }];
    // The last frame is painted and presented.
    let before = (
        Stage::ALL_TRANSFER | Stage::COLOR_ATTACHMENT_OUTPUT,
        Access::TRANSFER_WRITE | Access::COLOR_ATTACHMENT_WRITE,
    );
    commands.image_barriers(&barrier(vk::ImageLayout::UNDEFINED, received, before, written));
    let is_covered = place == [0, 0]
        && picture.is_some_and(|picture| {
            picture.desc().size.iter().zip(image.desc().size).all(|(has, needs)| *has >= needs)
        });
    if !is_covered {
        commands.clear(image, EMPTY);
        commands.image_barriers(&barrier(received, received, written, written));
    }
    if let Some(picture) = picture {
        commands.copy_region(picture, [0, 0], image, place, image.desc().size);
    }
    let read = (Stage::ALL_TRANSFER, Access::TRANSFER_READ);
    commands.image_barriers(&barrier(received, source, written, read));
}

/// Paints over the canvas, and leaves it ready to be copied from.
fn record_paint(commands: &mut CommandBuffer, image: &Image, record: impl FnOnce(&mut CommandBuffer)) {
    use vk::{AccessFlags2 as Access, PipelineStageFlags2 as Stage};
    let (source, drawn) = (vk::ImageLayout::TRANSFER_SRC_OPTIMAL, vk::ImageLayout::COLOR_ATTACHMENT_OPTIMAL);
    let paints =
        (Stage::COLOR_ATTACHMENT_OUTPUT, Access::COLOR_ATTACHMENT_READ | Access::COLOR_ATTACHMENT_WRITE);
    commands.image_barriers(&[ImageBarrier {
        image,
        from: source,
        to: drawn,
        // `record_place` has left it readable.
        after: (Stage::ALL_TRANSFER, Access::TRANSFER_READ),
        before: paints,
    }]);
    let color = Attachment { image, clear: None };
    commands.begin_rendering(&Rendering { size: image.desc().size, color: Some(color), depth: None });
    record(commands);
    commands.end_rendering();
    commands.image_barriers(&[ImageBarrier {
        image,
        from: drawn,
        to: source,
        after: (Stage::COLOR_ATTACHMENT_OUTPUT, Access::COLOR_ATTACHMENT_WRITE),
        before: (Stage::ALL_TRANSFER, Access::TRANSFER_READ),
    }]);
}
