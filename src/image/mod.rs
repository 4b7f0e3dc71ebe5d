//! Pictures in memory and as files, still and moving.
//! It must not know how a picture came about.

mod animation;
mod difference;
mod flip;
mod notes;
mod png;
mod ramp;
mod webp;

pub use animation::{Animation, AnimationFormat, FEWEST_PER_SECOND};
pub use difference::{Difference, SizeDiffers, TILE, Tolerance};
pub use flip::flip;
pub use notes::Notes;
pub use png::{PngError, read_png, write_png, write_png_rows, write_png_with};
pub use ramp::heat;

/// Eight bits of sRGB and alpha a pixel, rows from the top.
#[derive(Clone, PartialEq, Eq)]
pub struct Image {
    /// Pixels a row.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// Four bytes a pixel, red first.
    pub rgba: Vec<u8>,
}

impl std::fmt::Debug for Image {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Image({}x{})", self.width, self.height)
    }
}
