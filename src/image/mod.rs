//! Pictures and animations, in memory and as files.
//! It must not know how a picture came about.

mod animation;
mod difference;
mod error;
mod flip;
mod jpeg;
mod notes;
mod png;
mod ramp;

pub use animation::{AnimationFormat, FEWEST_PER_SECOND, Frames, end_encoders, in_order, write_animation};
pub use difference::{Difference, SizeDiffers, TILE, Tolerance};
pub use error::ImageError;
pub use flip::flip;
pub use jpeg::{JPEG_QUALITY, write_jpeg};
pub use notes::Notes;
pub use png::{png_bytes, read_png, write_png, write_png_rows, write_png_with, write_small_png};
pub use ramp::{balance, glow, heat, hue};

use sinew_model::srgb;

/// An image in 8-bit sRGB with alpha, rows from the top.
#[derive(Clone, PartialEq, Eq)]
pub struct Image {
    /// Pixels per row.
    pub width: u32,
    /// The number of rows.
    pub height: u32,
    /// Four bytes per pixel, red first.
    pub rgba: Vec<u8>,
}

impl Image {
    /// Whether it has all pixels of a size.
    fn is_whole(&self, size: [u32; 2]) -> bool {
        let pixels = u64::from(size[0]) * u64::from(size[1]);
        [self.width, self.height] == size && self.rgba.len() as u64 == pixels * 4
    }

    /// Turns colours premultiplied in linear light into straight ones, as PNG and other formats store them. Pixels with
    /// alpha 0 have no colour to restore.
    pub fn divide_by_alpha(&mut self) {
        for pixel in self.rgba.chunks_exact_mut(4) {
            let [r, g, b, alpha] = pixel else { continue };
            if *alpha == 0 || *alpha == u8::MAX {
                continue;
            }
            let share = f64::from(*alpha) / 255.0;
            for channel in [r, g, b] {
                let light = srgb::to_linear(f64::from(*channel) / 255.0) / share;
                *channel = (srgb::from_linear(light.min(1.0)) * 255.0).round() as u8;
            }
        }
    }
}

impl std::fmt::Debug for Image {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Image({}x{})", self.width, self.height)
    }
}
