//! Pictures and animations, in memory and as files. This crate must not depend on the origin of a picture.
#![forbid(unsafe_code)]
#![cfg_attr(not(test), warn(clippy::disallowed_methods, clippy::print_stderr, clippy::print_stdout))]

mod animation;
mod difference;
mod error;
mod flip;
mod jpeg;
mod notes;
mod png;
mod ramp;

pub use animation::{
    AnimationFormat, Frames, MIN_PER_SECOND, VideoFormat, end_encoders, in_order, write_apng, write_gif,
    write_video, write_webp, write_y4m,
};
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
    /// Returns true if the image has all pixels of a size.
    fn is_whole(&self, size: [u32; 2]) -> bool {
        let pixels = u64::from(size[0]) * u64::from(size[1]);
        [self.width, self.height] == size && self.rgba.len() as u64 == pixels * 4
    }

    /// Returns a smaller copy. Each pixel is the middle one of those that it replaces. Never enlarges.
    pub fn thinned(self, [width, height]: [u32; 2]) -> Self {
        let size = [width.min(self.width), height.min(self.height)];
        if size == [self.width, self.height] {
            return self;
        }
        let pixels = self.rgba.as_chunks::<4>().0;
        let middle =
            |at: u32, of: u32, all: u32| (2 * u64::from(at) + 1) * u64::from(all) / (2 * u64::from(of));
        let mut rgba = Vec::with_capacity(size[0] as usize * size[1] as usize * 4);
        for row in 0..size[1] {
            let start = middle(row, size[1], self.height) * u64::from(self.width);
            for column in 0..size[0] {
                let place = start + middle(column, size[0], self.width);
                rgba.extend(pixels.get(place as usize).copied().unwrap_or_default());
            }
        }
        Self { width: size[0], height: size[1], rgba }
    }

    /// Converts colours premultiplied in linear light into straight ones, as PNG and other formats store them. Pixels with
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

/// The README is tested with the documentation.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thinned_picture_has_the_pixels_in_the_middle() {
        let gray = |value: u8| [value, value, value, 255];
        let rgba = (0..6 * 4).flat_map(|place| gray(place as u8)).collect();
        let image = Image { width: 6, height: 4, rgba };
        let thinned = image.clone().thinned([2, 2]);
        assert_eq!((thinned.width, thinned.height), (2, 2));
        assert_eq!(thinned.rgba, [7, 10, 19, 22].map(gray).concat());
        assert_eq!(image.clone().thinned([9, 9]), image);
    }
}
