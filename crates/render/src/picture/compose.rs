//! Several pictures composed to one, each copied to its position as soon as it is drawn.

use std::sync::Arc;

use crate::interface::formats::PICTURE_FORMAT;
use crate::picture::backdrop::{Area, Place, areas};
use crate::picture::tile::Tile;
use sinew_scene::look::Background;
use sinew_scene::scene::{Pane, Scene};
use sinew_vulkan::{
    Attachment, CommandBuffer, Device, Image, ImageBarrier, ImageDesc, Rendering, VulkanError, vk,
};

/// The composed picture.
#[derive(Default)]
pub(crate) struct Composed {
    image: Option<Image>,
    /// True if the last picture was composed of several.
    is_shown: bool,
    /// True while no pane was copied to it.
    is_empty: bool,
    /// The background of cells without a pane.
    bare: Vec<Area>,
}

/// A copy of pixels from the picture of a pane to the whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Paste {
    from: [u32; 2],
    to: [u32; 2],
    size: [u32; 2],
}

/// Returns the tile of a pane's own picture that fills the pane in a tile of the whole; `None` if they do not
/// overlap.
pub(crate) fn tile_of(pane: &Pane, tile: Tile) -> Option<(Tile, Paste)> {
    let axis = |axis: usize| {
        let of = |sides: [u32; 2]| sides[axis];
        let end = |from: [u32; 2], size: [u32; 2]| of(from).saturating_add(of(size));
        let first = of(pane.corner).max(of(tile.offset));
        let last = end(pane.corner, pane.size).min(end(tile.offset, tile.size));
        let length = last.checked_sub(first).filter(|length| *length > 0)?;
        // Start of the tile in the pane's own picture, or of the pane in the tile.
        let start = of(tile.offset).saturating_sub(of(pane.origin));
        let inside = first - of(pane.origin);
        // Largest size that a pane can fill: all panes are drawn at one size.
        let drawn = of(tile.size).min(of(pane.scene.size));
        Some(([start, drawn], [inside - start, first - of(tile.offset), length]))
    };
    let ([left, width], [x, to_x, across]) = axis(0)?;
    let ([top, height], [y, to_y, down]) = axis(1)?;
    let inner = Tile { offset: [left, top], size: [width, height] };
    Some((inner, Paste { from: [x, y], to: [to_x, to_y], size: [across, down] }))
}

/// Returns the background of an arrangement's empty cells, in a tile of the whole.
pub(crate) fn bare_areas(scene: &Scene, tile: Tile) -> Vec<Area> {
    let cells = scene.bare_cells().into_iter();
    let place = |(corner, size)| Place { corner, size, height: scene.pane_size()[1] };
    cells.flat_map(|cell| areas(scene.background(), place(cell), tile, Background::encoded)).collect()
}

impl Composed {
    /// Returns the picture, if the last one was composed.
    pub(crate) fn shown(&self) -> Option<&Image> {
        self.image.as_ref().filter(|_| self.is_shown)
    }

    /// Notes that the next picture is a single one.
    pub(crate) fn forget(&mut self) {
        self.is_shown = false;
    }

    /// Begins a picture of this size; `bare` are the areas that no pane covers.
    pub(crate) fn begin(
        &mut self,
        device: &Arc<Device>,
        size: [u32; 2],
        bare: Vec<Area>,
    ) -> Result<(), VulkanError> {
        self.bare = bare;
        if self.image.as_ref().is_none_or(|image| image.desc().size != size) {
            device.wait_idle()?;
            self.image = None;
            let desc = ImageDesc::picture(
                size,
                PICTURE_FORMAT,
                // Empty cells are drawn.
                vk::ImageUsageFlags::TRANSFER_DST
                    | vk::ImageUsageFlags::TRANSFER_SRC
                    | vk::ImageUsageFlags::COLOR_ATTACHMENT,
            );
            self.image = Some(Image::new(device, "pictures put together", desc)?);
        }
        (self.is_shown, self.is_empty) = (true, true);
        Ok(())
    }

    /// Copies a picture to its position; both are in `TRANSFER_SRC_OPTIMAL` layout afterwards.
    pub(crate) fn record(&mut self, commands: &mut CommandBuffer, picture: &Image, paste: Paste) {
        use vk::{AccessFlags2 as Access, PipelineStageFlags2 as Stage};
        let image = self.image.as_ref().expect("`begin` made the image");
        if self.is_empty && !self.bare.is_empty() {
            record_bare(commands, image, &self.bare);
            self.is_empty = false;
        }
        let (source, received) =
            (vk::ImageLayout::TRANSFER_SRC_OPTIMAL, vk::ImageLayout::TRANSFER_DST_OPTIMAL);
        let written = (Stage::ALL_TRANSFER, Access::TRANSFER_WRITE);
        let read = (Stage::ALL_TRANSFER, Access::TRANSFER_READ);
        // Earlier panes, and copies of the last picture, come first.
        let (from, after) = match self.is_empty {
            true => (vk::ImageLayout::UNDEFINED, written),
            false => (source, read),
        };
        commands.image_barriers(&[ImageBarrier { image, from, to: received, after, before: written }]);
        commands.copy_region(picture, paste.from, image, paste.to, paste.size);
        commands.image_barriers(&[ImageBarrier {
            image,
            from: received,
            to: source,
            after: written,
            before: read,
        }]);
        self.is_empty = false;
    }
}

/// Clears the areas that no pane covers, and leaves the image in `TRANSFER_SRC_OPTIMAL` layout.
fn record_bare(commands: &mut CommandBuffer, image: &Image, bare: &[Area]) {
    use vk::{AccessFlags2 as Access, PipelineStageFlags2 as Stage};
    let drawn = (Stage::COLOR_ATTACHMENT_OUTPUT, Access::COLOR_ATTACHMENT_WRITE);
    let copied = (Stage::ALL_TRANSFER, Access::TRANSFER_READ | Access::TRANSFER_WRITE);
    let to = vk::ImageLayout::COLOR_ATTACHMENT_OPTIMAL;
    let from = vk::ImageLayout::UNDEFINED;
    commands.image_barriers(&[ImageBarrier { image, from, to, after: copied, before: drawn }]);
    // Panes cover everything else.
    let color = Attachment { image, clear: Some([0.0; 4]) };
    commands.begin_rendering(&Rendering { size: image.desc().size, color: Some(color), depth: None });
    bare.iter().for_each(|area| commands.clear_area(area.offset, area.size, area.color));
    commands.end_rendering();
    let (from, to) = (to, vk::ImageLayout::TRANSFER_SRC_OPTIMAL);
    commands.image_barriers(&[ImageBarrier { image, from, to, after: drawn, before: copied }]);
}
