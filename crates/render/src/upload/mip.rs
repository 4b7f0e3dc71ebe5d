//! The mip levels of a texture. They are computed here and not by the GPU's blits, so that every driver gets
//! identical bytes.

use std::borrow::Cow;

use rayon::prelude::*;

use sinew_model::srgb;
use sinew_model::{Encoding, Picture};

/// A picture and its mip levels, each half as wide and high as the previous one, down to one pixel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Levels<'a> {
    /// Width and height of the largest.
    pub size: [u32; 2],
    /// The pixels of the largest, four bytes each: the picture's own unless it is too large for the device.
    pub largest: Cow<'a, [u8]>,
    /// The pixels of the others, larger ones first.
    pub smaller: Vec<u8>,
    /// Start of each level, counted from the first pixel of the largest.
    pub offsets: Vec<u64>,
}

impl<'a> Levels<'a> {
    /// Computes the levels of a picture. Omits those with a side above `max_side`, which the device cannot hold.
    pub fn new(picture: &'a Picture, encoding: Encoding, max_side: u32) -> Self {
        let filter = BoxFilter::new(encoding);
        let mut size = [picture.width, picture.height].map(|side| side.max(1));
        let mut largest = Cow::Borrowed(picture.rgba.as_slice());
        while size.iter().any(|side| *side > max_side.max(1)) {
            largest = Cow::Owned(filter.halve(&largest, size));
            size = half(size);
        }
        let mut levels = Self { size, largest, smaller: Vec::new(), offsets: vec![0] };
        // A third of the largest is room for all of them; a growing vector would take twice as much.
        levels.smaller.reserve_exact(levels.largest.len() / 3 + 4 * size.iter().sum::<u32>() as usize);
        let mut last = None;
        while size != [1, 1] {
            let source = match last {
                None => &*levels.largest,
                Some(start) => &levels.smaller[start..],
            };
            let next = filter.halve(source, size);
            last = Some(levels.smaller.len());
            levels.offsets.push((levels.largest.len() + levels.smaller.len()) as u64);
            levels.smaller.extend(next);
            size = half(size);
        }
        levels
    }
}

fn half(size: [u32; 2]) -> [u32; 2] {
    size.map(|side| (side / 2).max(1))
}

/// The light of a byte of 255 in sums: 2²⁴, so that sums of 2²⁸ pixels fit 64 bits.
const ONE: f64 = (1 << 24) as f64;

/// Averages pixels in linear light.
struct BoxFilter {
    color: Curve,
    alpha: Curve,
}

/// A curve from bytes to light and back.
struct Curve {
    /// The light of each byte.
    light: [u64; 256],
    /// The light halfway (along the curve) from each byte to the next.
    steps: [u64; 255],
    /// Number of steps below each multiple of [`STRIDE`], where the search for a byte begins.
    below: [u8; (ONE as u64 / STRIDE) as usize + 1],
}

/// The distance between the entries of [`Curve::below`]; two of them rarely have more than one step in between.
const STRIDE: u64 = 1 << 12;

impl Curve {
    fn new(encoding: Encoding) -> Self {
        let light = |level: f64| {
            let level = level / 255.0;
            let linear = match encoding {
                Encoding::Linear => level,
                Encoding::Srgb => srgb::to_linear(level),
            };
            (linear * ONE).round() as u64
        };
        let steps: [u64; 255] = std::array::from_fn(|level| light(level as f64 + 0.5));
        Self {
            light: std::array::from_fn(|level| light(level as f64)),
            steps,
            below: std::array::from_fn(|place| {
                steps.partition_point(|step| *step < place as u64 * STRIDE) as u8
            }),
        }
    }

    fn light(&self, level: u8) -> u64 {
        self.light[usize::from(level)]
    }

    fn level(&self, light: u64) -> u8 {
        // A mean of light is at most `ONE`, the index of the last entry.
        let below = self.below[(light / STRIDE) as usize];
        let further = self.steps.iter().skip(below.into()).take_while(|step| **step <= light).count();
        below.saturating_add(further as u8)
    }
}

impl BoxFilter {
    fn new(encoding: Encoding) -> Self {
        Self { color: Curve::new(encoding), alpha: Curve::new(Encoding::Linear) }
    }

    /// Returns a picture of half the size, each pixel the mean of those it covers.
    fn halve(&self, source: &[u8], size: [u32; 2]) -> Vec<u8> {
        match size.map(|side| side % 2) {
            [0, 0] => self.halve_even(source, size),
            _ => self.halve_any(source, size),
        }
    }

    /// Halves even sizes: each pixel covers exactly four, which is much faster.
    fn halve_even(&self, source: &[u8], size: [u32; 2]) -> Vec<u8> {
        let [width, height] = half(size).map(|side| side as usize);
        let mut out = vec![0; width * height * 4];
        let pairs_of_rows = source.par_chunks_exact(width * 16);
        out.par_chunks_exact_mut(width * 4).zip(pairs_of_rows).for_each(|(out, rows)| {
            let (upper, lower) = rows.split_at(width * 8);
            let squares = upper.chunks_exact(8).zip(lower.chunks_exact(8));
            for (pixel, (upper, lower)) in out.chunks_exact_mut(4).zip(squares) {
                let (left, right) = upper.split_at(4);
                let (lower_left, lower_right) = lower.split_at(4);
                let above = left.iter().zip(right);
                let below = lower_left.iter().zip(lower_right);
                let curves = [&self.color, &self.color, &self.color, &self.alpha];
                for (((channel, curve), (a, b)), (c, d)) in pixel.iter_mut().zip(curves).zip(above).zip(below)
                {
                    let sum = curve.light(*a) + curve.light(*b) + curve.light(*c) + curve.light(*d);
                    *channel = curve.level((sum + 2) / 4);
                }
            }
        });
        out
    }

    /// Halves any size.
    fn halve_any(&self, source: &[u8], size: [u32; 2]) -> Vec<u8> {
        let target = half(size);
        let [columns, rows] = [0, 1].map(|axis| taps(size[axis], target[axis]));
        let stride = size[0] as usize * 4;
        let area = u64::from(size[0]) * u64::from(size[1]);
        let mut out = vec![0; target[0] as usize * target[1] as usize * 4];
        out.par_chunks_exact_mut(target[0] as usize * 4).zip(&rows).for_each(|(out, row)| {
            for (pixel, column) in out.chunks_exact_mut(4).zip(&columns) {
                let mut sums = [0_u64; 4];
                for (y, of_row) in (row.first..).zip(row.weights) {
                    for (x, of_column) in (column.first..).zip(column.weights) {
                        let at = y * stride + x * 4;
                        // The last tap has weight 0 if two pixels are covered, and may lie beyond the picture.
                        let Some(&[r, g, b, a]) = source.get(at..at + 4) else { continue };
                        let light = [
                            self.color.light(r),
                            self.color.light(g),
                            self.color.light(b),
                            self.alpha.light(a),
                        ];
                        for (sum, light) in sums.iter_mut().zip(light) {
                            *sum += of_row * of_column * light;
                        }
                    }
                }
                let [r, g, b, a] = sums.map(|sum| (sum + area / 2) / area);
                let mean =
                    [self.color.level(r), self.color.level(g), self.color.level(b), self.alpha.level(a)];
                pixel.copy_from_slice(&mean);
            }
        });
        out
    }
}

/// Source pixels that a target pixel covers along one axis, with weights.
struct Tap {
    first: usize,
    /// Weights with a sum equal to the number of source pixels; the last is 0 if two are covered.
    weights: [u64; 3],
}

/// Returns one tap for each target pixel. With an odd source size, a target pixel covers slightly more than two.
fn taps(source: u32, target: u32) -> Vec<Tap> {
    let (source, target) = (u64::from(source), u64::from(target));
    let tap = |at: u64| {
        // In units of a source pixel over the number of target pixels.
        let (from, to) = (at * source, (at + 1) * source);
        let first = from / target;
        let overlap = |pixel: u64| ((pixel + 1) * target).min(to).saturating_sub((pixel * target).max(from));
        Tap { first: first as usize, weights: [overlap(first), overlap(first + 1), overlap(first + 2)] }
    };
    (0..target).map(tap).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grey(width: u32, height: u32, levels: &[u8]) -> Picture {
        Picture { width, height, rgba: levels.iter().flat_map(|&level| [level, level, level, 255]).collect() }
    }

    fn bytes(levels: &Levels<'_>) -> Vec<u8> {
        [&*levels.largest, levels.smaller.as_slice()].concat()
    }

    fn reds(levels: &Levels<'_>) -> Vec<u8> {
        bytes(levels).into_iter().step_by(4).collect()
    }

    #[test]
    fn half_black_half_white_is_half_of_the_light() {
        let board = grey(2, 2, &[0, 255, 255, 0]);
        let srgb = Levels::new(&board, Encoding::Srgb, 16);
        assert_eq!((srgb.size, &srgb.offsets[..]), ([2, 2], &[0, 16][..]));
        assert_eq!(bytes(&srgb)[16..], [188, 188, 188, 255]);
        assert_eq!(bytes(&Levels::new(&board, Encoding::Linear, 16))[16..], [128, 128, 128, 255]);
    }

    #[test]
    fn one_colour_stays_that_colour() {
        for encoding in [Encoding::Srgb, Encoding::Linear] {
            for level in 0..=255 {
                let picture = Picture { width: 7, height: 3, rgba: vec![level; 84] };
                let levels = Levels::new(&picture, encoding, 16);
                assert_eq!(levels.offsets, [0, 84, 96]);
                assert!(bytes(&levels).iter().all(|byte| *byte == level), "{encoding:?} {level}");
            }
        }
    }

    #[test]
    fn every_pixel_of_an_odd_picture_counts_alike() {
        // Five become two: two pixels and a half each; those become one.
        let five = grey(5, 1, &[10, 20, 50, 100, 200]);
        let levels = Levels::new(&five, Encoding::Linear, 16);
        assert_eq!(reds(&levels), [10, 20, 50, 100, 200, 22, 130, 76]);
        // Three become one.
        assert_eq!(reds(&Levels::new(&grey(1, 3, &[10, 20, 60]), Encoding::Linear, 16))[3..], [30]);
    }

    /// Returns pseudorandom bytes, identical on every machine.
    fn noise(count: usize) -> Vec<u8> {
        let mut state = 1_u32;
        let mut next = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 24) as u8
        };
        (0..count).map(|_| next()).collect()
    }

    #[test]
    fn even_sizes_are_halved_to_the_same_bytes() {
        for encoding in [Encoding::Srgb, Encoding::Linear] {
            let filter = BoxFilter::new(encoding);
            for size in [[2, 2], [4, 2], [2, 6], [64, 32]] {
                let source = noise((size[0] * size[1] * 4) as usize);
                assert_eq!(
                    filter.halve_even(&source, size),
                    filter.halve_any(&source, size),
                    "{encoding:?} {size:?}"
                );
            }
        }
    }

    #[test]
    fn light_finds_its_byte_as_by_a_search() {
        for encoding in [Encoding::Srgb, Encoding::Linear] {
            let curve = Curve::new(encoding);
            let edges = curve.steps.iter().flat_map(|step| [step - 1, *step, step + 1]);
            for light in edges.chain((0..=1 << 24).step_by(997)).chain([0, 1 << 24]) {
                let searched = curve.steps.partition_point(|step| *step <= light) as u8;
                assert_eq!(curve.level(light), searched, "{encoding:?} {light}");
            }
        }
    }

    #[test]
    fn alpha_is_linear_in_every_picture() {
        let picture = Picture { width: 2, height: 1, rgba: vec![0, 0, 0, 0, 0, 0, 0, 255] };
        assert_eq!(bytes(&Levels::new(&picture, Encoding::Srgb, 16))[8..], [0, 0, 0, 128]);
    }

    #[test]
    fn what_the_device_cannot_hold_is_left_out() {
        let board = grey(4, 2, &[0, 255, 0, 255, 255, 0, 255, 0]);
        let levels = Levels::new(&board, Encoding::Srgb, 2);
        assert_eq!((levels.size, &levels.offsets[..]), ([2, 1], &[0, 8][..]));
        assert_eq!(reds(&levels), [188, 188, 188]);
    }
}
