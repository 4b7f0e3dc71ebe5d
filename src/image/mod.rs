//! Pictures in memory and as PNG files.
//! It must not know how a picture came about.

mod difference;
mod flip;
mod png;
mod ramp;

pub use difference::{Difference, SizeDiffers, TILE, Tolerance};
pub use flip::flip;
pub use png::{PngError, read_png, write_png};
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
