//! Decodes TGA (Truevision, 1991): true colour, grey and palettes, packed or not. The format has no signature, so its header
//! is checked as a whole.

use super::{DecodeError, Format, Layout, Limits, Pixels};

const HEADER_BYTES: usize = 18;

/// The type of an image; packed ones have 8 added to it.
const PALETTE: u8 = 1;
const COLOR: u8 = 2;
const GREY: u8 = 3;
const PACKED: u8 = 8;

/// Flags of a packet: it repeats one pixel.
const REPEATS: u8 = 0x80;

/// The contents of the header.
struct Header {
    layout: Layout,
    kind: u8,
    is_packed: bool,
    /// Bytes of a stored pixel.
    stored: usize,
    /// The palette: its first number, its length, and the bytes of an entry.
    palette: [usize; 3],
    /// The start of the palette.
    start: usize,
    /// Rows from the top, columns from the left.
    is_down: bool,
    is_right: bool,
}

/// Returns true for a file whose header can only be that of a TGA.
pub fn is_tga(bytes: &[u8]) -> bool {
    header(bytes).is_some()
}

/// Reads the layout from the header.
pub fn look(bytes: &[u8], limits: Limits) -> Result<Layout, DecodeError> {
    open(bytes, limits).map(|header| header.layout)
}

/// Decodes a TGA.
pub fn decode(bytes: &[u8], limits: Limits) -> Result<Pixels, DecodeError> {
    let header = open(bytes, limits)?;
    let mut samples = limits.room(header.layout)?;
    let body = |from: usize| bytes.get(from..).unwrap_or_default();
    let [first, count, size] = header.palette;
    let palette_bytes = count.saturating_mul(size);
    let palette = body(header.start).get(..palette_bytes).ok_or_else(cut)?;
    let mut reader =
        Reader { bytes: body(header.start.saturating_add(palette_bytes)), left: 0, repeated: None };

    let Layout { width, height, channels, .. } = header.layout;
    let (columns, channels) = (width as usize, usize::from(channels));
    let row_bytes = columns.saturating_mul(channels).max(1);
    let mut rows: Vec<&mut [u8]> = samples.chunks_exact_mut(row_bytes).take(height as usize).collect();
    if !header.is_down {
        rows.reverse();
    }
    for row in rows {
        for pixel in row.chunks_exact_mut(channels) {
            let stored = reader.next(header.stored, header.is_packed).ok_or_else(cut)?;
            let color = match header.kind {
                PALETTE => {
                    let number =
                        little(stored).checked_sub(first).and_then(|number| number.checked_mul(size));
                    let entry = number.and_then(|at| palette.get(at..at.checked_add(size)?));
                    entry.ok_or_else(|| broken("a pixel's colour is not in the palette"))?
                }
                _ => stored,
            };
            pixel.copy_from_slice(unpacked(color, header.kind == GREY).get(..channels).unwrap_or_default());
        }
        if !header.is_right {
            mirror(row, channels);
        }
    }
    Ok(Pixels { layout: header.layout, samples })
}

fn open(bytes: &[u8], limits: Limits) -> Result<Header, DecodeError> {
    let header = header(bytes).ok_or_else(|| broken("its header is damaged"))?;
    limits.check([header.layout.width, header.layout.height])?;
    Ok(header)
}

fn header(bytes: &[u8]) -> Option<Header> {
    let header: &[u8; HEADER_BYTES] = bytes.first_chunk()?;
    let [id, has_palette, kind, first_low, first_high, count_low, count_high, palette_bits, ..] = *header;
    let [.., width_low, width_high, height_low, height_high, bits, flags] = *header;
    let (is_packed, kind) = (kind & PACKED != 0, kind & !PACKED);
    let has_alpha = flags & 15 != 0;
    let number = |low: u8, high: u8| u16::from_le_bytes([low, high]);
    let [first, count] = [number(first_low, first_high), number(count_low, count_high)];
    let palette_size = bytes_of(palette_bits);
    let (stored, color) = match kind {
        PALETTE => (usize::from(bits).div_ceil(8), palette_size),
        _ => (bytes_of(bits), bytes_of(bits)),
    };
    let channels = match (kind, color) {
        (GREY, 1) => 1,
        (GREY, 2) => 2,
        (PALETTE, 4) => 4,
        (COLOR, 4) if has_alpha => 4,
        (COLOR | PALETTE, 2..=4) => 3,
        _ => return None,
    };
    let is_sound = match kind {
        PALETTE => has_palette == 1 && count > 0 && matches!(bits, 8 | 16),
        // A palette may be there all the same.
        _ => has_palette <= 1 && (has_palette == 1 || (count == 0 && palette_bits == 0)),
    };
    let [width, height] = [number(width_low, width_high), number(height_low, height_high)].map(u32::from);
    // The two highest bits are for interleaved rows, which are not read.
    if !is_sound || width == 0 || height == 0 || flags & 0xc0 != 0 {
        return None;
    }
    Some(Header {
        layout: Layout { width, height, channels, is_deep: false },
        kind,
        is_packed,
        stored,
        palette: [first.into(), if has_palette == 1 { count.into() } else { 0 }, palette_size],
        start: HEADER_BYTES.saturating_add(id.into()),
        is_down: flags & 0x20 != 0,
        is_right: flags & 0x10 == 0,
    })
}

/// Bytes of a colour; 0 for a size that the format does not have.
fn bytes_of(bits: u8) -> usize {
    match bits {
        8 => 1,
        15 | 16 => 2,
        24 => 3,
        32 => 4,
        _ => 0,
    }
}

/// Reads pixels, packed or not.
struct Reader<'a> {
    bytes: &'a [u8],
    /// Pixels that are left in the packet.
    left: u8,
    /// The pixel that the packet repeats.
    repeated: Option<&'a [u8]>,
}

impl<'a> Reader<'a> {
    fn take(&mut self, size: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.bytes.split_at_checked(size)?;
        self.bytes = rest;
        Some(taken)
    }

    fn next(&mut self, size: usize, is_packed: bool) -> Option<&'a [u8]> {
        if !is_packed {
            return self.take(size);
        }
        if self.left == 0 {
            let flags = *self.take(1)?.first()?;
            self.left = (flags & !REPEATS).saturating_add(1);
            self.repeated = if flags & REPEATS != 0 { Some(self.take(size)?) } else { None };
        }
        self.left = self.left.saturating_sub(1);
        match self.repeated {
            Some(pixel) => Some(pixel),
            None => self.take(size),
        }
    }
}

/// A little-endian number.
fn little(bytes: &[u8]) -> usize {
    bytes.iter().rev().fold(0, |number, byte| number << 8 | usize::from(*byte))
}

/// A stored colour, which is in the order blue, green, red, as red, green, blue and alpha.
fn unpacked(stored: &[u8], is_grey: bool) -> [u8; 4] {
    match *stored {
        [grey, alpha] if is_grey => [grey, alpha, 0, 0],
        [low, high] => {
            let both = u16::from_le_bytes([low, high]);
            let five = |shift: u16| {
                let bits = (both >> shift & 31) as u8;
                bits << 3 | bits >> 2
            };
            [five(10), five(5), five(0), u8::MAX]
        }
        [blue, green, red] => [red, green, blue, u8::MAX],
        [blue, green, red, alpha] => [red, green, blue, alpha],
        [grey] => [grey, grey, grey, u8::MAX],
        _ => [0; 4],
    }
}

/// Turns a row around.
fn mirror(row: &mut [u8], channels: usize) {
    row.reverse();
    row.chunks_exact_mut(channels).for_each(<[u8]>::reverse);
}

fn cut() -> DecodeError {
    broken("it is cut off")
}

fn broken(message: &str) -> DecodeError {
    DecodeError::Format(Format::Tga, message.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMITS: Limits = Limits { side: 16, bytes: 1024 };

    fn file(kind: u8, palette: [u8; 5], size: [u8; 2], bits: u8, flags: u8, body: &[u8]) -> Vec<u8> {
        let has_palette = u8::from(palette != [0; 5]);
        let [width, height] = size;
        let mut bytes = vec![0, has_palette, kind];
        bytes.extend(palette);
        bytes.extend([0, 0, 0, 0, width, 0, height, 0, bits, flags]);
        bytes.extend(body);
        bytes
    }

    fn rgba(bytes: &[u8]) -> Vec<u8> {
        decode(bytes, LIMITS).unwrap().into_rgba()
    }

    #[test]
    fn all_kinds_are_read() {
        let color = file(2, [0; 5], [1, 2], 24, 0, &[1, 2, 3, 4, 5, 6]);
        assert_eq!(rgba(&color), [6, 5, 4, 255, 3, 2, 1, 255], "from below");
        let down = file(2, [0; 5], [1, 2], 32, 0x28, &[1, 2, 3, 4, 5, 6, 7, 8]);
        assert_eq!(rgba(&down), [3, 2, 1, 4, 7, 6, 5, 8]);
        let left = file(2, [0; 5], [2, 1], 32, 0x18, &[1, 2, 3, 4, 5, 6, 7, 8]);
        assert_eq!(rgba(&left), [7, 6, 5, 8, 3, 2, 1, 4]);
        // Without bits for alpha, the fourth byte means nothing.
        assert_eq!(rgba(&file(2, [0; 5], [1, 1], 32, 0, &[1, 2, 3, 4])), [3, 2, 1, 255]);
        assert_eq!(rgba(&file(2, [0; 5], [1, 1], 16, 0, &[0x1f, 0x7c])), [255, 0, 255, 255]);
        assert_eq!(rgba(&file(3, [0; 5], [1, 1], 8, 0, &[7])), [7, 7, 7, 255]);
        assert_eq!(rgba(&file(3, [0; 5], [1, 1], 16, 8, &[7, 9])), [7, 7, 7, 9]);
        let palette = file(1, [1, 0, 2, 0, 24], [2, 1], 8, 0, &[1, 2, 3, 4, 5, 6, 2, 1]);
        assert_eq!(rgba(&palette), [6, 5, 4, 255, 3, 2, 1, 255]);
        let packed = file(10, [0; 5], [4, 1], 24, 0, &[0x82, 1, 2, 3, 0, 4, 5, 6]);
        assert_eq!(rgba(&packed), [3, 2, 1, 255, 3, 2, 1, 255, 3, 2, 1, 255, 6, 5, 4, 255]);
    }

    #[test]
    fn broken_files_are_refused() {
        let whole = file(1, [1, 0, 2, 0, 24], [2, 1], 8, 0, &[1, 2, 3, 4, 5, 6, 2, 1]);
        for length in 0..whole.len() {
            assert!(decode(&whole[..length], LIMITS).is_err(), "{length}");
        }
        let mut outside = whole.clone();
        *outside.last_mut().unwrap() = 3;
        assert!(decode(&outside, LIMITS).is_err());
        assert!(matches!(look(&whole, Limits { side: 1, bytes: 99 }), Err(DecodeError::Side)));
        assert!(matches!(decode(&whole, Limits { side: 9, bytes: 5 }), Err(DecodeError::Memory)));
        for (place, value) in [(2, 0), (2, 4), (1, 2), (12, 0), (16, 7), (17, 0x40)] {
            let mut other = whole.clone();
            other[place] = value;
            assert!(!is_tga(&other), "{place}");
        }
        // The start of a text or of another picture is none.
        assert!(!is_tga(b"GIF89a, and more bytes behind") && !is_tga(b"{\"asset\": {\"version\": 2}}"));
    }
}
