//! Pictures in memory and as files, still and moving.
//! It must not know how a picture came about.

mod animation;
mod difference;
mod error;
mod flip;
mod notes;
mod png;
mod ramp;
mod webp;

pub use animation::{Animation, AnimationFormat, FEWEST_PER_SECOND};
pub use difference::{Difference, SizeDiffers, TILE, Tolerance};
pub use error::ImageError;
pub use flip::flip;
pub use notes::Notes;
pub use png::{read_png, write_png, write_png_rows, write_png_with, write_small_png};
pub use ramp::{balance, heat, hue};

use sinew_model::srgb;

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

impl Image {
    /// Takes colours that were multiplied by alpha, in linear light, back to themselves: PNG and what else
    /// holds pictures keep them apart. Where alpha is 0 there is no colour to be found.
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
