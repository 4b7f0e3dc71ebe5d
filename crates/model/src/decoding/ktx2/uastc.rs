//! UASTC: blocks of 16 bytes in 19 modes, each a subset of ASTC with a layout of its bits that is quicker to read.

use super::bits::low;
use super::canvas::{Canvas, SIDE};
use super::uastc_modes::{MODES, Mode, PARTITIONS, SOLID};

/// Bytes of a block.
pub const BLOCK_BYTES: usize = 16;
const PIXELS: usize = SIDE * SIDE;

/// Two colours, between which a pixel lies.
type Line = [[u8; 4]; 2];

/// Draws blocks, which come by rows; `None` if one of them is damaged.
pub fn draw(blocks: &[u8], canvas: &mut Canvas) -> Option<()> {
    let [columns, rows] = canvas.blocks();
    let (blocks, _) = blocks.as_chunks();
    let places = (0..rows).flat_map(|row| (0..columns).map(move |column| [column, row]));
    for (block, place) in blocks.iter().zip(places) {
        let pixels = unpack(*block)?;
        canvas.block(place, |number, pixel| *pixel = pixels.get(number).copied().unwrap_or_default());
    }
    Some(())
}

/// The pixels of a block, by rows.
pub fn unpack(block: [u8; BLOCK_BYTES]) -> Option<[[u8; 4]; PIXELS]> {
    let mut bits = Block(u128::from_le_bytes(block));
    if low(bits.0 as u32, SOLID.1) == SOLID.0 {
        bits.take(SOLID.1);
        return Some([[(); 4].map(|()| bits.take(8) as u8); PIXELS]);
    }
    let mode = MODES.iter().find(|mode| low(bits.0 as u32, mode.code.1) == mode.code.0)?;
    bits.take(mode.code.1);
    bits.take(mode.hint_bits);
    let subsets = match mode.partitions {
        Some((kind, count)) => {
            let (number_bits, seeds) = PARTITIONS.get(kind)?;
            let seed = *seeds.get(bits.take(*number_bits) as usize)?;
            partition(seed.into(), count)
        }
        None => [0; PIXELS],
    };
    // The channel with separate weights.
    let apart = match (mode.has_planes, mode.channels) {
        (false, _) => usize::MAX,
        (true, 2) => 3,
        (true, _) => bits.take(2) as usize,
    };
    let lines = lines(mode, &mut bits);
    let weights = weights(mode, &subsets, &mut bits);
    let mut pixels = [[0; 4]; PIXELS];
    for ((pixel, subset), weights) in pixels.iter_mut().zip(subsets).zip(weights) {
        let [from, to] = *lines.get(usize::from(subset))?;
        let [common, separate] = weights;
        for (channel, (sample, ends)) in pixel.iter_mut().zip(from.into_iter().zip(to)).enumerate() {
            *sample = between(ends, if channel == apart { separate } else { common });
        }
    }
    Some(pixels)
}

/// The rest of a block.
struct Block(u128);

impl Block {
    /// Takes up to 32 bits.
    fn take(&mut self, count: u32) -> u32 {
        let number = low(self.0 as u32, count);
        self.0 = self.0.wrapping_shr(count);
        number
    }
}

/// Reads the colours of each subset.
fn lines(mode: &Mode, bits: &mut Block) -> [Line; 3] {
    let count = mode.channels.saturating_mul(2).saturating_mul(mode.subsets());
    // Numbers of base 3 or 5 come in front, some together.
    let mut digits = [0; 18];
    let (group, sizes): (usize, &[u32]) = match mode.range.1 {
        3 => (5, &[0, 2, 4, 5, 7, 8]),
        5 => (3, &[0, 3, 5, 7]),
        _ => (usize::MAX, &[]),
    };
    if let Some(digits) = digits.get_mut(..count) {
        for digits in digits.chunks_mut(group) {
            let mut packed = bits.take(sizes.get(digits.len()).copied().unwrap_or(0));
            for digit in digits {
                *digit = packed.checked_rem(mode.range.1).unwrap_or(0);
                packed = packed.checked_div(mode.range.1).unwrap_or(0);
            }
        }
    }
    let mut values = digits.into_iter().take(count).map(|digit| mode.value(bits.take(mode.range.0), digit));
    let mut next = || values.next().unwrap_or(0);
    [(); 3].map(|()| {
        let [red, green, blue, alpha] = [(); 4].map(|()| [0; 2]);
        let mut line = [red, green, blue, alpha];
        line.iter_mut().take(mode.channels).for_each(|ends| *ends = [next(), next()]);
        let [first, second, third, fourth] = line;
        let line = match mode.channels {
            2 => [first, first, first, second],
            3 => [first, second, third, [u8::MAX; 2]],
            _ => [first, second, third, fourth],
        };
        [line.map(|[from, _]| from), line.map(|[_, to]| to)]
    })
}

/// Reads the weights of each pixel, from 0 to 64: the common one, and that of the separate channel. The first pixel of each
/// subset has a bit less.
fn weights(mode: &Mode, subsets: &[u8; PIXELS], bits: &mut Block) -> [[u32; 2]; PIXELS] {
    let mut seen = 0_u8;
    subsets.map(|subset| {
        let mark = 1_u8.wrapping_shl(subset.into());
        let is_first = seen & mark == 0;
        seen |= mark;
        let size = mode.weight_bits.wrapping_sub(u32::from(is_first));
        let mut weight = || {
            let number = bits.take(size);
            // The bits are repeated until there are six.
            let wide = match mode.weight_bits {
                1 => number.wrapping_mul(63),
                2 => number.wrapping_mul(21),
                3 => number << 3 | number,
                4 => number << 2 | number >> 2,
                _ => number << 1 | number >> 4,
            };
            wide.wrapping_add(u32::from(wide > 32))
        };
        let common = weight();
        [common, if mode.has_planes { weight() } else { common }]
    })
}

/// A sample between two, by a weight from 0 to 64.
fn between((from, to): (u8, u8), weight: u32) -> u8 {
    let [from, to] = [from, to].map(|end| u32::from(end).wrapping_mul(257));
    let sum = from.wrapping_mul(64_u32.wrapping_sub(weight)).wrapping_add(to.wrapping_mul(weight));
    (sum.wrapping_add(32) >> 14) as u8
}

/// The subset of each pixel in a partition of ASTC into two or three.
fn partition(seed: u32, count: u32) -> [u8; PIXELS] {
    let bits = scattered(seed.wrapping_add(count.wrapping_sub(1).wrapping_mul(1024)));
    let even = if seed & 2 != 0 { 4 } else { 5 };
    let other = if count == 3 { 6 } else { 5 };
    let (first, second) = if seed & 1 != 0 { (even, other) } else { (other, even) };
    let slope = |at: u32, shift: u32| {
        let number = bits.wrapping_shr(at) & 15;
        number.wrapping_mul(number).wrapping_shr(shift)
    };
    // Slopes in both directions, and an offset.
    let planes = [
        (slope(0, first), slope(4, second), 14),
        (slope(8, first), slope(12, second), 10),
        (slope(16, first), slope(20, second), 6),
    ];
    let mut pixel = 0_u32;
    [(); PIXELS].map(|()| {
        // In blocks of few pixels, the steps are twice as long.
        let [x, y] = [(pixel % 4) << 1, (pixel / 4) << 1];
        pixel = pixel.wrapping_add(1);
        let [a, b, c] = planes.map(|(across, down, offset)| {
            let sum = across.wrapping_mul(x).wrapping_add(down.wrapping_mul(y));
            sum.wrapping_add(bits.wrapping_shr(offset)) & 63
        });
        let c = if count == 3 { c } else { 0 };
        if a >= b && a >= c {
            0
        } else if b >= c {
            1
        } else {
            2
        }
    })
}

/// The hash of ASTC's partitions.
fn scattered(seed: u32) -> u32 {
    let mut bits = seed ^ seed >> 15;
    bits = bits.wrapping_sub(bits << 17);
    bits = bits.wrapping_add(bits << 7);
    bits = bits.wrapping_add(bits << 4);
    bits ^= bits >> 5;
    bits = bits.wrapping_add(bits << 16);
    bits ^= bits >> 7;
    bits ^= bits >> 3;
    bits ^= bits << 6;
    bits ^ bits >> 17
}
