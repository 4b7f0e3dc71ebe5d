//! What a window shows: a picture, byte by byte, and what is painted around and over it.
//! It must not know windows, or what the picture shows.

use std::sync::Arc;

use super::FRAMES_IN_FLIGHT;
use super::encode_pass::PICTURE_FORMAT;
use super::paint_pass::{FramePaint, PaintPass};
use super::painting::Painting;
use super::pipelines::TargetFormat;
use sinew_vulkan::{
    Attachment, CommandBuffer, Device, Fence, Image, ImageBarrier, ImageDesc, PassTime, PipelineCache,
    Rendering, Timestamps, VulkanError, vk,
};

/// Of the same bytes as pictures: what is painted is mixed on the curve.
const FORMAT: TargetFormat =
    TargetFormat { color: PICTURE_FORMAT, depth: None, samples: vk::SampleCountFlags::TYPE_1 };

/// What the window shows where there is neither a picture nor anything painted.
const EMPTY: [f32; 4] = [0.1, 0.1, 0.1, 1.0];

/// A window's content.
pub(super) struct Canvas {
    frames: Vec<Frame>,
    next: usize,
    image: Option<Image>,
    paint: PaintPass,
}

/// What one frame in flight needs.
struct Frame {
    commands: CommandBuffer,
    done: Fence,
    timestamps: Timestamps,
    paint: FramePaint,
}

impl Canvas {
    pub(super) fn new(device: &Arc<Device>) -> Result<Self, VulkanError> {
        let frames = (0..FRAMES_IN_FLIGHT)
            .map(|number| {
                Ok(Frame {
                    commands: CommandBuffer::new(device, &format!("canvas {number}"))?,
                    done: Fence::new(device, &format!("canvas {number} done"))?,
                    timestamps: Timestamps::new(device, &format!("canvas {number} times"), 2)?,
                    paint: FramePaint::default(),
                })
            })
            .collect::<Result<Vec<_>, VulkanError>>()?;
        Ok(Self { frames, next: 0, image: None, paint: PaintPass::new(device)? })
    }

    /// The content, in `TRANSFER_SRC_OPTIMAL` layout.
    pub(super) fn image(&self) -> Option<&Image> {
        self.image.as_ref()
    }

    /// How long the passes of the last frame took, waiting for it.
    pub(super) fn times(&self) -> Result<Vec<PassTime>, VulkanError> {
        let last = (self.next + FRAMES_IN_FLIGHT - 1) % FRAMES_IN_FLIGHT;
        let Some(frame) = self.frames.get(last) else { return Ok(Vec::new()) };
        frame.done.wait()?;
        frame.timestamps.read()
    }

    /// Puts a picture, in `TRANSFER_SRC_OPTIMAL` layout, to a place and paints over it.
    pub(super) fn fill(
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
        let number = self.next;
        self.next = (number + 1) % FRAMES_IN_FLIGHT;
        let (Some(frame), Some(image)) = (self.frames.get_mut(number), &self.image) else { return Ok(()) };
        frame.done.wait()?;
        let is_painted = !painting.pieces.is_empty();
        if is_painted {
            self.paint.prepare(device, cache, FORMAT, painting, &mut frame.paint)?;
        }
        let Frame { commands, done, timestamps, paint } = frame;
        commands.begin(Some(timestamps))?;
        commands.pass(timestamps, "place", |commands| record_place(commands, image, picture, place));
        if is_painted {
            let passes = &self.paint;
            commands.pass(timestamps, "paint", |commands| {
                record_paint(commands, image, |commands| {
                    passes.record(commands, FORMAT, size, painting, paint);
                });
            });
        }
        commands.submit(done)
    }
}

fn desc(size: [u32; 2]) -> ImageDesc {
    ImageDesc::picture(
        size,
        FORMAT.color,
        vk::ImageUsageFlags::COLOR_ATTACHMENT
            | vk::ImageUsageFlags::TRANSFER_DST
            | vk::ImageUsageFlags::TRANSFER_SRC,
    )
}

/// Empties the canvas, copies the picture to it, and leaves it to be copied from.
fn record_place(commands: &mut CommandBuffer, image: &Image, picture: Option<&Image>, place: [u32; 2]) {
    use vk::{AccessFlags2 as Access, PipelineStageFlags2 as Stage};
    let (source, received) = (vk::ImageLayout::TRANSFER_SRC_OPTIMAL, vk::ImageLayout::TRANSFER_DST_OPTIMAL);
    let written = (Stage::ALL_TRANSFER, Access::TRANSFER_WRITE);
    let barrier = |from, to, after, before| [ImageBarrier { image, from, to, after, before }];
    // The last frame is painted, and has gone to the screen.
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
        commands.copy_part(picture, [0, 0], image, place, image.desc().size);
    }
    let read = (Stage::ALL_TRANSFER, Access::TRANSFER_READ);
    commands.image_barriers(&barrier(received, source, written, read));
}

/// Paints over the canvas, and leaves it to be copied from.
fn record_paint(commands: &mut CommandBuffer, image: &Image, record: impl FnOnce(&mut CommandBuffer)) {
    use vk::{AccessFlags2 as Access, PipelineStageFlags2 as Stage};
    let (source, drawn) = (vk::ImageLayout::TRANSFER_SRC_OPTIMAL, vk::ImageLayout::COLOR_ATTACHMENT_OPTIMAL);
    let paints =
        (Stage::COLOR_ATTACHMENT_OUTPUT, Access::COLOR_ATTACHMENT_READ | Access::COLOR_ATTACHMENT_WRITE);
    commands.image_barriers(&[ImageBarrier {
        image,
        from: source,
        to: drawn,
        after: (Stage::ALL_TRANSFER, Access::TRANSFER_WRITE),
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
