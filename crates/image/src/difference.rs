//! Compares two pictures, in figures and as a picture, and checks tolerances.

use super::Image;
use super::flip::flip;
use super::ramp::heat;

/// The side of a tile in pixels. Each tile has a separate mean, because a lost hand vanishes in the mean of a whole picture.
pub const TILE: usize = 16;

/// The difference between two pictures of one size.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// The largest difference in a channel, alpha included, of 255.
    pub worst_channel: u8,
    /// The number of pixels that differ at all.
    pub pixels: usize,
    /// The number of pixels in the picture.
    pub of_pixels: usize,
    /// The mean FLIP difference, 0 to 1.
    pub flip_mean: f64,
    /// The mean FLIP difference of the worst tile, 0 to 1.
    pub flip_tile: f64,
    /// Top left pixel of that tile.
    pub tile: [u32; 2],
    /// The FLIP difference of every pixel.
    pub flip: Vec<f32>,
    /// The largest difference in a channel, for each pixel.
    steps: Vec<u8>,
}

/// Limits on a difference: on pixels, or on FLIP differences instead.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Tolerance {
    /// The largest difference of a channel, of 255.
    pub channel: u8,
    /// The maximum number of pixels that exceed `channel`.
    pub outliers: usize,
    /// The maximum mean FLIP differences, of the picture and of a tile; replaces the limits on pixels if set.
    pub flip: Option<[f64; 2]>,
}

/// The sizes of two pictures differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("it has {}x{} pixels, but {}x{} were expected", actual[0], actual[1], expected[0], expected[1])]
pub struct SizeDiffers {
    /// Width and height of the first.
    pub expected: [u32; 2],
    /// Width and height of the second.
    pub actual: [u32; 2],
}

impl Difference {
    /// Compares two pictures.
    ///
    /// # Errors
    /// If their sizes differ.
    pub fn between(expected: &Image, actual: &Image) -> Result<Self, SizeDiffers> {
        let sizes = [expected, actual].map(|image| [image.width, image.height]);
        if sizes[0] != sizes[1] {
            return Err(SizeDiffers { expected: sizes[0], actual: sizes[1] });
        }
        let step = |(a, b): (&[u8], &[u8])| a.iter().zip(b).map(|(a, b)| a.abs_diff(*b)).max().unwrap_or(0);
        let pairs = expected.rgba.chunks_exact(4).zip(actual.rgba.chunks_exact(4));
        let steps: Vec<u8> = pairs.map(step).collect();
        let pixels = steps.iter().filter(|step| **step > 0).count();
        // FLIP is slow and unnecessary for equal pictures.
        let flip = if pixels == 0 { vec![0.0; steps.len()] } else { flip(expected, actual) };
        let (flip_tile, tile) = worst_tile(&flip, expected.width as usize);
        Ok(Self {
            worst_channel: steps.iter().copied().max().unwrap_or(0),
            pixels,
            of_pixels: steps.len(),
            flip_mean: mean(flip.iter().copied()),
            flip_tile,
            tile,
            flip,
            steps,
        })
    }

    /// Returns the number of pixels that differ by more than `channel`.
    pub fn pixels_beyond(&self, channel: u8) -> usize {
        self.steps.iter().filter(|step| **step > channel).count()
    }

    /// Draws the difference: brighter where it is more visible. Every pixel that differs at all is at least dark violet.
    pub fn picture(&self, width: u32) -> Image {
        let color = |(flip, step): (&f32, &u8)| {
            let [r, g, b] = heat(if *step > 0 { flip.max(0.12) } else { 0.0 });
            [r, g, b, 255]
        };
        let rgba: Vec<u8> = self.flip.iter().zip(&self.steps).flat_map(color).collect();
        let height = self.flip.len().checked_div(width as usize).unwrap_or(0) as u32;
        Image { width, height, rgba }
    }

    /// Returns true if the difference is within the tolerance.
    pub fn is_within(&self, tolerance: &Tolerance) -> bool {
        match tolerance.flip {
            Some([mean, tile]) => self.flip_mean <= mean && self.flip_tile <= tile,
            None => self.pixels_beyond(tolerance.channel) <= tolerance.outliers,
        }
    }
}

/// Returns the largest mean of a tile, and the tile's position. Tiles at the right and lower edges may be smaller.
fn worst_tile(flip: &[f32], width: usize) -> (f64, [u32; 2]) {
    let mut worst = (0.0, [0; 2]);
    let Some(height) = flip.len().checked_div(width) else { return worst };
    for top in (0..height).step_by(TILE) {
        for left in (0..width).step_by(TILE) {
            let rows = flip.chunks_exact(width).skip(top).take(TILE);
            let values = rows.flat_map(|row| row.iter().skip(left).take(TILE)).copied();
            let mean = mean(values);
            if mean > worst.0 {
                worst = (mean, [left as u32, top as u32]);
            }
        }
    }
    worst
}

fn mean(values: impl Iterator<Item = f32>) -> f64 {
    let (sum, count) = values.fold((0.0, 0_usize), |(sum, count), value| (sum + f64::from(value), count + 1));
    if count == 0 { 0.0 } else { sum / count as f64 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gray(level: u8) -> Image {
        Image { width: 64, height: 48, rgba: [level, level, level, 255].repeat(64 * 48) }
    }

    fn with_patch(mut image: Image, at: [usize; 2], side: usize, level: u8) -> Image {
        for y in at[1]..at[1] + side {
            for x in at[0]..at[0] + side {
                let pixel = (y * image.width as usize + x) * 4;
                image.rgba[pixel..pixel + 3].fill(level);
            }
        }
        image
    }

    #[test]
    fn equal_pictures_do_not_differ() {
        let difference = Difference::between(&gray(90), &gray(90)).unwrap();
        assert_eq!((difference.worst_channel, difference.pixels, difference.of_pixels), (0, 0, 64 * 48));
        assert_eq!((difference.flip_mean, difference.flip_tile), (0.0, 0.0));
        assert!(difference.is_within(&Tolerance::default()));
        assert!(difference.is_within(&Tolerance { flip: Some([0.0; 2]), ..Tolerance::default() }));
    }

    #[test]
    fn a_step_everywhere_and_a_lost_patch_are_told_apart() {
        let step = Difference::between(&gray(90), &gray(91)).unwrap();
        assert_eq!((step.worst_channel, step.pixels), (1, 64 * 48));
        assert!(step.flip_tile < 0.1, "{step:?}");
        assert!(step.is_within(&Tolerance { channel: 1, ..Tolerance::default() }));
        assert!(!step.is_within(&Tolerance { outliers: 64 * 48 - 1, ..Tolerance::default() }));

        let patch = Difference::between(&gray(90), &with_patch(gray(90), [33, 17], 14, 255)).unwrap();
        assert_eq!((patch.pixels, patch.tile), (14 * 14, [32, 16]));
        assert!(patch.flip_tile > 0.5 && patch.flip_tile > 8.0 * patch.flip_mean, "{patch:?}");
        assert!(!patch.is_within(&Tolerance { flip: Some([0.2, 0.25]), ..Tolerance::default() }));
        assert!(patch.is_within(&Tolerance { outliers: 14 * 14, ..Tolerance::default() }));
        assert!(!patch.is_within(&Tolerance { outliers: 14 * 14 - 1, ..Tolerance::default() }));
    }

    #[test]
    fn alpha_counts() {
        let mut clear = gray(0);
        clear.rgba[3] = 0;
        let difference = Difference::between(&gray(0), &clear).unwrap();
        assert_eq!((difference.worst_channel, difference.pixels), (255, 1));
    }

    #[test]
    fn sizes_must_agree() {
        let wide = Image { width: 128, height: 24, ..gray(0) };
        let error = Difference::between(&gray(0), &wide).unwrap_err();
        assert_eq!(error.to_string(), "it has 128x24 pixels, but 64x48 were expected");
    }
}
