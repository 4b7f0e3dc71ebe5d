//! Pixels as a file holds them, one to four channels of one or two bytes, and their conversion to RGBA.

use std::ops::Range;

/// Size and channels of an image.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// Pixels per row.
    pub width: u32,
    /// The number of rows.
    pub height: u32,
    /// 1: grey; 2: grey and alpha; 3: RGB; 4: RGBA.
    pub channels: u8,
    /// True if channels have two bytes, big-endian, instead of one.
    pub is_deep: bool,
}

impl Layout {
    /// Size of all samples in bytes.
    pub fn bytes(self) -> u64 {
        let pixels = u64::from(self.width).saturating_mul(u64::from(self.height));
        pixels.saturating_mul(self.pixel_bytes() as u64)
    }

    fn sample_bytes(self) -> usize {
        if self.is_deep { 2 } else { 1 }
    }

    fn pixel_bytes(self) -> usize {
        usize::from(self.channels).saturating_mul(self.sample_bytes())
    }
}

/// A decoded image.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pixels {
    /// Size and channels.
    pub layout: Layout,
    /// All samples, in rows from the top.
    pub samples: Vec<u8>,
}

impl Pixels {
    /// Shrinks to a size no larger than this one: each pixel is the mean of those in its place.
    pub fn shrunk(&self, [width, height]: [u32; 2]) -> Self {
        let Layout { width: columns, height: rows, channels, .. } = self.layout;
        let (sample_bytes, pixel_bytes) = (self.layout.sample_bytes(), self.layout.pixel_bytes());
        let row_bytes = (columns as usize).saturating_mul(pixel_bytes).max(1);
        let layout = Layout { width, height, ..self.layout };
        let mut samples = Vec::with_capacity(usize::try_from(layout.bytes()).unwrap_or_default());
        for y in 0..height {
            let of_y = places(y, height, rows);
            for x in 0..width {
                let of_x = places(x, width, columns);
                let of_row = of_x.start.saturating_mul(pixel_bytes)..of_x.end.saturating_mul(pixel_bytes);
                let mut sums = [0_u64; 4];
                for row in self.samples.chunks_exact(row_bytes).skip(of_y.start).take(of_y.len()) {
                    for pixel in row.get(of_row.clone()).unwrap_or_default().chunks_exact(pixel_bytes) {
                        for (sum, sample) in sums.iter_mut().zip(pixel.chunks_exact(sample_bytes)) {
                            *sum = sum.saturating_add(number(sample));
                        }
                    }
                }
                let count = (of_x.len() as u64).saturating_mul(of_y.len() as u64).max(1);
                for sum in sums.iter().take(usize::from(channels)) {
                    // The mean of 16-bit numbers has 16 bits.
                    let mean = (sum.saturating_add(count / 2) / count) as u16;
                    let bytes = mean.to_be_bytes();
                    samples.extend(bytes.iter().skip(bytes.len().saturating_sub(sample_bytes)));
                }
            }
        }
        Self { layout, samples }
    }

    /// Converts to four bytes per pixel; rounds 16 bits to 8.
    pub fn into_rgba(self) -> Vec<u8> {
        let samples = if self.layout.is_deep { rounded(self.samples) } else { self.samples };
        match self.layout.channels {
            1 => spread(&samples, |[grey]| [grey, grey, grey, u8::MAX]),
            2 => spread(&samples, |[grey, alpha]| [grey, grey, grey, alpha]),
            3 => spread(&samples, |[red, green, blue]| [red, green, blue, u8::MAX]),
            _ => samples,
        }
    }
}

/// The pixels out of `from` in a row that fall into place `place` of `to`, which is at most `from`.
fn places(place: u32, to: u32, from: u32) -> Range<usize> {
    let share = from as f32 / to as f32;
    let start = place as f32 * share;
    let end = ((start + share).ceil() as usize).min(from as usize);
    let start = (start.ceil() as usize).min((from as usize).saturating_sub(1));
    start..end
}

/// A big-endian number.
fn number(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0, |number, byte| number << 8 | u64::from(*byte))
}

/// Rounds 16-bit samples to 8 bits, where one step is 257. Frees the 16-bit samples.
fn rounded(samples: Vec<u8>) -> Vec<u8> {
    let (pairs, _) = samples.as_chunks::<2>();
    pairs.iter().map(|pair| (u32::from(u16::from_be_bytes(*pair)).saturating_add(128) / 257) as u8).collect()
}

/// Converts each pixel to four bytes.
fn spread<const N: usize>(samples: &[u8], rgba: impl Fn([u8; N]) -> [u8; 4]) -> Vec<u8> {
    let (pixels, _) = samples.as_chunks::<N>();
    let mut bytes = Vec::with_capacity(pixels.len().saturating_mul(4));
    pixels.iter().for_each(|pixel| bytes.extend(rgba(*pixel)));
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pixels(width: u32, height: u32, channels: u8, is_deep: bool, samples: &[u8]) -> Pixels {
        Pixels { layout: Layout { width, height, channels, is_deep }, samples: samples.to_vec() }
    }

    #[test]
    fn all_kinds_become_rgba() {
        assert_eq!(pixels(2, 1, 1, false, &[7, 8]).into_rgba(), [7, 7, 7, 255, 8, 8, 8, 255]);
        assert_eq!(pixels(1, 1, 2, false, &[7, 8]).into_rgba(), [7, 7, 7, 8]);
        assert_eq!(pixels(1, 1, 3, false, &[7, 8, 9]).into_rgba(), [7, 8, 9, 255]);
        assert_eq!(pixels(1, 1, 4, false, &[7, 8, 9, 1]).into_rgba(), [7, 8, 9, 1]);
        // 257 × 7 is 0x0707; half a step more rounds to 8.
        assert_eq!(pixels(1, 1, 2, true, &[0x07, 0x87, 0x07, 0x88]).into_rgba(), [7, 7, 7, 8]);
        assert_eq!(
            pixels(1, 1, 4, true, &[0, 127, 0, 129, 255, 126, 255, 127]).into_rgba(),
            [0, 1, 254, 255]
        );
    }

    #[test]
    fn shapes_know_what_they_take() {
        assert_eq!(pixels(3, 5, 4, true, &[]).layout.bytes(), 120);
        let largest = Layout { width: u32::MAX, height: u32::MAX, channels: 4, is_deep: true };
        assert_eq!(largest.bytes(), u64::MAX);
    }

    #[test]
    fn smaller_pictures_are_means() {
        let square = pixels(4, 2, 1, false, &[1, 2, 10, 20, 3, 5, 30, 41]);
        // 11 / 4 and 101 / 4, rounded.
        assert_eq!(square.shrunk([2, 1]), pixels(2, 1, 1, false, &[3, 25]));
        assert_eq!(square.shrunk([1, 1]), pixels(1, 1, 1, false, &[14]));
        assert_eq!(square.shrunk([4, 2]), square);
        // Five columns shrink to two: the first three, then two.
        let row = pixels(5, 1, 2, false, &[1, 0, 2, 10, 3, 20, 10, 250, 13, 255]);
        assert_eq!(row.shrunk([2, 1]), pixels(2, 1, 2, false, &[2, 10, 12, 253]));
        let deep = pixels(2, 2, 1, true, &[1, 0, 2, 0, 3, 0, 4, 8]);
        assert_eq!(deep.shrunk([1, 1]), pixels(1, 1, 1, true, &[2, 130]));
        // The sums exceed 32 bits.
        let white = pixels(512, 256, 1, true, &[255; 512 * 256 * 2]);
        assert_eq!(white.shrunk([1, 1]).samples, [255, 255]);
    }
}
