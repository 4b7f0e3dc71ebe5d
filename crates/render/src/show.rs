//! Pictures in a window: copied to its canvas, painted over, and presented.

use crate::picture::canvas::Canvas;
use crate::picture::painting::Painting;
use crate::renderer::Renderer;
use sinew_vulkan::{Presenter, Shown, VulkanError};

impl Renderer {
    /// Copies the last drawn picture to a position in a window's content, and paints over it.
    pub fn fill_canvas(
        &mut self,
        size: [u32; 2],
        place: [u32; 2],
        painting: &Painting,
    ) -> Result<(), VulkanError> {
        let mut canvas = match self.canvas.take() {
            Some(canvas) => canvas,
            None => Canvas::new(&self.device)?,
        };
        let outcome = canvas.fill(&self.device, &self.cache, size, (self.drawn(), place), painting);
        self.canvas = Some(canvas);
        outcome
    }

    /// Presents the canvas in a window.
    pub fn show(&self, presenter: &mut Presenter) -> Result<Shown, VulkanError> {
        match self.canvas.as_ref().and_then(Canvas::image) {
            Some(image) => presenter.show(image),
            None => Ok(Shown::Yes),
        }
    }
}
