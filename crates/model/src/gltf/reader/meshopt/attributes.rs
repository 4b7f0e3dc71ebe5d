//! Decodes vertex attributes: each byte is stored as its difference to that of the element before.
//!
//! The layout is that of appendix A, mode 0, of EXT_meshopt_compression (version 0) and of KHR_meshopt_compression
//! (version 1, which adds control bits and other kinds of differences).

use super::bytes::{Bytes, Fault, split};

/// Elements of a group, whose deltas have the same number of bits.
const GROUP: usize = 16;

/// The maximum number of elements of a block.
const MAX: usize = 256;

/// Differences of one byte in a block.
type Deltas = [u8; MAX];

/// Decodes `count` elements of `stride` bytes.
pub fn decode(stream: &[u8], count: usize, stride: usize) -> Result<Vec<u8>, Fault> {
    let version = match stream.first() {
        Some(0xa0) => 0,
        Some(0xa1) => 1,
        _ => return Err("not a stream of attributes"),
    };
    let channels = stride / 4;
    let (own, padded) = match version {
        0 => (stride, stride.max(32)),
        _ => (stride.saturating_add(channels), stride.saturating_add(channels).max(24)),
    };
    let (_, mut data, tail) = split(stream, padded)?;
    let (_, tail) = tail.split_at_checked(padded.saturating_sub(own)).ok_or("the stream is too short")?;
    let (baseline, modes) = tail.split_at_checked(stride).ok_or("the stream is too short")?;
    let mut before = baseline.to_vec();
    let modes = match version {
        0 => vec![Mode::Bytes; channels],
        _ => modes.iter().map(|mode| Mode::from_byte(*mode)).collect::<Result<_, _>>()?,
    };

    // Grown block by block, so that memory follows the bytes that are there and not what is claimed.
    let mut out = Vec::new();
    let most = (8192_usize.checked_div(stride).unwrap_or(0) & !15).min(MAX);
    let mut left = count;
    while left > 0 {
        let elements = left.min(most);
        let start = out.len();
        out.resize(start.saturating_add(elements.saturating_mul(stride)), 0);
        let block = out.get_mut(start..).unwrap_or_default();
        decode_block(&mut data, version, stride, elements, &modes, &mut before, block)?;
        left = left.saturating_sub(elements);
        if elements == 0 {
            return Err("elements take no bytes");
        }
    }
    data.finish()?;
    Ok(out)
}

/// Decoding of four bytes of an element from those of the previous one.
#[derive(Clone, Copy, Debug)]
enum Mode {
    /// Four differences.
    Bytes,
    /// Two deltas of 16 bits.
    Halves,
    /// XORed bits, rotated right by this number of places once decoded.
    Bits(u32),
}

impl Mode {
    fn from_byte(byte: u8) -> Result<Self, Fault> {
        match (byte & 15, byte >> 4) {
            (0, 0) => Ok(Self::Bytes),
            (1, 0) => Ok(Self::Halves),
            (2, turn) => Ok(Self::Bits(turn.into())),
            _ => Err("an unknown kind of delta"),
        }
    }

    /// The four bytes after `before`.
    fn apply(self, before: [u8; 4], delta: [u8; 4]) -> [u8; 4] {
        match self {
            Self::Bytes => {
                let mut after = before;
                for (byte, delta) in after.iter_mut().zip(delta) {
                    *byte = byte.wrapping_add((delta >> 1) ^ (delta & 1).wrapping_neg());
                }
                after
            }
            Self::Halves => {
                let ([a, b, c, d], [p, q, r, s]) = (before, delta);
                let half = |before: [u8; 2], delta: [u8; 2]| {
                    let delta = u16::from_le_bytes(delta);
                    let delta = (delta >> 1) ^ (delta & 1).wrapping_neg();
                    u16::from_le_bytes(before).wrapping_add(delta).to_le_bytes()
                };
                let ([a, b], [c, d]) = (half([a, b], [p, q]), half([c, d], [r, s]));
                [a, b, c, d]
            }
            Self::Bits(turn) => {
                let changed = u32::from_le_bytes(delta).rotate_right(turn);
                (u32::from_le_bytes(before) ^ changed).to_le_bytes()
            }
        }
    }
}

/// Decodes one block; `before` is the element before it and becomes its last.
fn decode_block(
    data: &mut Bytes<'_>,
    version: u8,
    stride: usize,
    elements: usize,
    modes: &[Mode],
    before: &mut [u8],
    out: &mut [u8],
) -> Result<(), Fault> {
    let control = if version == 0 { &[][..] } else { data.take(modes.len())? };
    let mut deltas = [[0; MAX]; 4];
    for (channel, (mode, before)) in modes.iter().zip(before.as_chunks_mut::<4>().0).enumerate() {
        let control = control.get(channel).copied();
        for (byte, deltas) in deltas.iter_mut().enumerate() {
            let control = control.map(|control| (control >> byte.saturating_mul(2).min(6)) & 3);
            decode_deltas(data, control, elements, deltas)?;
        }
        let [first, second, third, fourth] = &deltas;
        let deltas = first.iter().zip(second).zip(third).zip(fourth);
        for (element, (((a, b), c), d)) in out.chunks_exact_mut(stride).zip(deltas) {
            *before = mode.apply(*before, [*a, *b, *c, *d]);
            if let Some(bytes) = element.as_chunks_mut::<4>().0.get_mut(channel) {
                *bytes = *before;
            }
        }
    }
    Ok(())
}

/// Decodes the differences of one byte in a block; `control` is its mode in version 1.
fn decode_deltas(
    data: &mut Bytes<'_>,
    control: Option<u8>,
    elements: usize,
    out: &mut Deltas,
) -> Result<(), Fault> {
    let widths = match control {
        None => [0, 2, 4, 8],
        Some(0) => [0, 1, 2, 4],
        Some(1) => [1, 2, 4, 8],
        Some(2) => {
            *out = [0; MAX];
            return Ok(());
        }
        Some(_) => {
            let literal = data.take(elements)?;
            for (out, byte) in out.iter_mut().zip(literal) {
                *out = *byte;
            }
            return Ok(());
        }
    };
    let groups = elements.div_ceil(GROUP);
    let header = data.take(groups.div_ceil(4))?;
    let widths = header
        .iter()
        .flat_map(|byte| [byte & 3, (byte >> 2) & 3, (byte >> 4) & 3, byte >> 6])
        .map(|code| widths.get(usize::from(code)).copied().unwrap_or_default());
    for (group, width) in out.as_chunks_mut::<GROUP>().0.iter_mut().take(groups).zip(widths) {
        decode_group(data, width, group)?;
    }
    Ok(())
}

/// Sixteen deltas of this number of bits. All bits set stand for a whole byte after the group.
fn decode_group(data: &mut Bytes<'_>, width: u8, out: &mut [u8; GROUP]) -> Result<(), Fault> {
    let packed = data.take(usize::from(width).saturating_mul(2))?;
    match width {
        0 => *out = [0; GROUP],
        // Single bits start at the lowest one, pairs and fours at the highest.
        1 => spread(packed, out, |byte| (0_u8..8).map(move |bit| (byte >> bit) & 1)),
        2 => spread(packed, out, |byte| [6_u8, 4, 2, 0].into_iter().map(move |bit| (byte >> bit) & 3)),
        4 => spread(packed, out, |byte| [byte >> 4, byte & 15].into_iter()),
        _ => spread(packed, out, |byte| [byte].into_iter()),
    }
    let all_set = match width {
        1 => 1,
        2 => 3,
        4 => 15,
        _ => return Ok(()),
    };
    for delta in out.iter_mut().filter(|delta| **delta == all_set) {
        *delta = data.byte()?;
    }
    Ok(())
}

fn spread<I: Iterator<Item = u8>>(packed: &[u8], out: &mut [u8; GROUP], parts: impl Fn(u8) -> I) {
    for (out, part) in out.iter_mut().zip(packed.iter().flat_map(|byte| parts(*byte))) {
        *out = part;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example in the extension's appendix A.
    #[test]
    fn the_example_of_the_specification() {
        let mut group = [0; GROUP];
        let mut data = Bytes(&[0x17, 0x5f, 0xf0, 0xbc, 0x77, 0xa9, 0x21, 0x00, 0x34, 0xb5]);
        decode_group(&mut data, 4, &mut group).unwrap();
        let signed = group.map(|delta| Mode::Bytes.apply([0; 4], [delta; 4])[0] as i8);
        assert_eq!(signed, [-1, -4, -3, 26, -91, 0, -6, 6, -4, -4, 5, -5, 1, -1, 0, 0]);
        assert!(data.finish().is_ok());
    }

    #[test]
    fn differences_of_two_and_four_bytes() {
        // 0x00ff + 1 carries into the second byte; -1 is stored as 1.
        assert_eq!(Mode::Halves.apply([0xff, 0, 0, 0], [2, 0, 1, 0]), [0, 1, 0xff, 0xff]);
        assert_eq!(Mode::Bits(4).apply([0xf0, 0, 0, 0], [0x10, 0, 0, 0]), [0xf1, 0, 0, 0]);
        for byte in [3, 0x10, 0x11, 0xff] {
            assert!(Mode::from_byte(byte).is_err(), "{byte}");
        }
    }

    #[test]
    fn a_claim_without_bytes_takes_no_memory() {
        let mut stream = vec![0xa0];
        stream.extend([0; 40]);
        assert!(decode(&stream, usize::MAX, 8).is_err());
        assert!(decode(&[0xa1], 1, 4).is_err() && decode(&[], 1, 4).is_err());
    }
}
