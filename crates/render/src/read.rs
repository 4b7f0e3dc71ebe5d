//! Pictures as pixels in memory, large ones drawn tile by tile.

use crate::model::gpu_model::GpuModel;
use crate::picture::canvas::Canvas;
use crate::picture::tile::{self, MAX_AT_ONCE, TILE};
use crate::renderer::Renderer;
use crate::upload::transfer;
use sinew_image::Image;
use sinew_scene::scene::Scene;
use sinew_vulkan::VulkanError;

impl Renderer {
    /// Draws the scene and waits for its picture; draws a large one in tiles.
    pub fn picture(&mut self, gpu: &mut GpuModel, scene: &Scene) -> Result<Image, VulkanError> {
        if scene.size.iter().all(|side| *side <= MAX_AT_ONCE) {
            self.draw(gpu, scene)?;
            return self.read();
        }
        let mut rgba = Vec::new();
        self.draw_rows(gpu, scene, TILE, |rows| {
            rgba.extend_from_slice(rows);
            Ok::<(), VulkanError>(())
        })?;
        let [width, height] = scene.size;
        Ok(Image { width, height, rgba })
    }

    /// Draws the scene in tiles of this size, and delivers its rows, a band of whole rows at a time.
    pub fn draw_rows<E: From<VulkanError>>(
        &mut self,
        gpu: &mut GpuModel,
        scene: &Scene,
        tile: [u32; 2],
        mut rows: impl FnMut(&[u8]) -> Result<(), E>,
    ) -> Result<(), E> {
        let row_bytes = scene.size[0] as usize * 4;
        let mut band = Vec::new();
        for tiles in tile::bands(scene.size, tile) {
            band.clear();
            for tile in tiles {
                self.draw_tile(gpu, scene, tile)?;
                let image = self.read()?;
                let left = tile.offset[0] as usize * 4;
                let height = scene.size[1].saturating_sub(tile.offset[1]).min(tile.size[1]) as usize;
                band.resize(row_bytes * height, 0);
                let from = image.rgba.chunks_exact(image.width.max(1) as usize * 4);
                for (to, from) in band.chunks_exact_mut(row_bytes).zip(from) {
                    // A tile may extend beyond the right edge of the picture.
                    to[left..].iter_mut().zip(from).for_each(|(to, from)| *to = *from);
                }
            }
            rows(&band)?;
        }
        Ok(())
    }

    /// Returns the last drawn picture, waiting for it.
    pub fn read(&self) -> Result<Image, VulkanError> {
        let mut image = self.read_image(self.drawn())?;
        if self.is_transparent {
            image.divide_by_alpha();
        }
        Ok(image)
    }

    /// Returns the window's content, waiting for it.
    pub fn read_canvas(&self) -> Result<Image, VulkanError> {
        self.read_image(self.canvas.as_ref().and_then(Canvas::image))
    }

    /// Returns the last picture, single or composed; `None` if none was drawn yet.
    pub(crate) fn drawn(&self) -> Option<&sinew_vulkan::Image> {
        self.composed.shown().or(self.attachments.as_ref().map(|attachments| &attachments.picture))
    }

    /// Reads an image; an empty one if there is none.
    fn read_image(&self, image: Option<&sinew_vulkan::Image>) -> Result<Image, VulkanError> {
        let Some(image) = image else { return Ok(Image { width: 0, height: 0, rgba: Vec::new() }) };
        let mut rgba = transfer::read_image(&self.device, "read picture", image)?;
        // Windows use BGRA order, files RGBA.
        rgba.as_chunks_mut::<4>().0.iter_mut().for_each(|pixel| pixel.swap(0, 2));
        let [width, height] = image.desc().size;
        Ok(Image { width, height, rgba })
    }
}
