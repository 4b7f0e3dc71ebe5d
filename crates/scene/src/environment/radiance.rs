//! Reads Radiance pictures (.hdr, .pic) row by row, so that memory does not grow with their size. It must not depend on
//! how the light is used.

/// The largest number of pixels: 16384 x 8192.
const MAX_PIXELS: usize = 1 << 27;

/// The longest row, in pixels.
const WIDEST: usize = 1 << 16;

/// The largest number of header lines, and the length of the longest.
const MAX_LINES: usize = 256;
const MAX_LINE_BYTES: usize = 4096;

/// Errors of Radiance pictures.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoRadiance {
    /// The signature is missing.
    #[error("it is not a Radiance picture, which begins with '#?'")]
    Magic,
    /// The header does not end, or a line is not text.
    #[error("its header is broken")]
    Header,
    /// The format is not RGBE.
    #[error("its FORMAT is '{0}'; only 32-bit_rle_rgbe is supported")]
    Format(String),
    /// The line with the size is malformed.
    #[error("its size is '{0}'; expected '-Y HEIGHT +X WIDTH'")]
    Size(String),
    /// The picture has too many pixels.
    #[error("it has {0}x{1} pixels; the limits are 2^16 per row and 2^27 in all")]
    TooLarge(usize, usize),
    /// A row's encoding is broken.
    #[error("row {0} of its pixels is broken")]
    Row(usize),
    /// The file ends too early.
    #[error("it ends in row {0} of {1}")]
    Cut(usize, usize),
}

/// A picture's size, and its packed pixels.
pub struct Packed<'a> {
    /// Width and height.
    pub size: [usize; 2],
    pixels: &'a [u8],
}

/// Reads the header.
pub fn open(bytes: &[u8]) -> Result<Packed<'_>, NoRadiance> {
    if !bytes.starts_with(b"#?") {
        return Err(NoRadiance::Magic);
    }
    let mut rest = bytes;
    for _ in 0..MAX_LINES {
        let line = line(&mut rest)?;
        if line.is_empty() {
            let (size, pixels) = (self::line(&mut rest)?, rest);
            return Ok(Packed { size: size_of(size)?, pixels });
        }
        match line.strip_prefix("FORMAT=").map(str::trim) {
            None | Some("32-bit_rle_rgbe") => {}
            Some(other) => return Err(NoRadiance::Format(other.chars().take(40).collect())),
        }
    }
    Err(NoRadiance::Header)
}

/// Takes the next line, without its line break.
fn line<'a>(rest: &mut &'a [u8]) -> Result<&'a str, NoRadiance> {
    let end = rest.iter().take(MAX_LINE_BYTES).position(|byte| *byte == b'\n').ok_or(NoRadiance::Header)?;
    let (line, after) = rest.split_at(end);
    *rest = after.get(1..).unwrap_or_default();
    let line = std::str::from_utf8(line).map_err(|_| NoRadiance::Header)?;
    Ok(line.strip_suffix('\r').unwrap_or(line))
}

fn size_of(line: &str) -> Result<[usize; 2], NoRadiance> {
    let wrong = || NoRadiance::Size(line.chars().take(40).collect());
    let words: Vec<&str> = line.split_whitespace().collect();
    let &["-Y", height, "+X", width] = words.as_slice() else { return Err(wrong()) };
    let side = |word: &str| word.parse().ok().filter(|side: &usize| *side > 0).ok_or_else(wrong);
    let (width, height) = (side(width)?, side(height)?);
    let fits = width <= WIDEST && width.checked_mul(height).is_some_and(|pixels| pixels <= MAX_PIXELS);
    match fits {
        true => Ok([width, height]),
        false => Err(NoRadiance::TooLarge(width, height)),
    }
}

impl Packed<'_> {
    /// Calls `each` with every row and its number, from the top: red, green and blue light of each pixel.
    pub fn rows(self, mut each: impl FnMut(usize, &[[f32; 3]])) -> Result<(), NoRadiance> {
        let Self { size: [width, height], pixels: mut rest } = self;
        let exponents: Vec<f32> = (0_i32..256).map(|e| 2_f32.powi(e - 136)).collect();
        let mut row: Vec<[u8; 4]> = Vec::new();
        let mut light: Vec<[f32; 3]> = Vec::new();
        for number in 0..height {
            row.clear();
            unpack(&mut rest, width, &mut row).map_err(|stop| match stop {
                Stop::Broken => NoRadiance::Row(number),
                Stop::Cut => NoRadiance::Cut(number, height),
            })?;
            light.clear();
            light.extend(row.iter().map(|&[r, g, b, e]| {
                let scale = if e == 0 { 0.0 } else { exponents.get(usize::from(e)).copied().unwrap_or(0.0) };
                [r, g, b].map(|share| f32::from(share) * scale)
            }));
            each(number, &light);
        }
        Ok(())
    }
}

/// Reasons for which a row ends.
enum Stop {
    Broken,
    Cut,
}

fn take<'a>(rest: &mut &'a [u8], count: usize) -> Result<&'a [u8], Stop> {
    let (taken, after) = rest.split_at_checked(count).ok_or(Stop::Cut)?;
    *rest = after;
    Ok(taken)
}

fn byte(rest: &mut &[u8]) -> Result<u8, Stop> {
    take(rest, 1)?.first().copied().ok_or(Stop::Cut)
}

/// Unpacks a row: per channel if it starts with that marker, else per pixel.
fn unpack(rest: &mut &[u8], width: usize, row: &mut Vec<[u8; 4]>) -> Result<(), Stop> {
    match rest.get(..4) {
        Some(&[2, 2, high, low]) if high < 128 && (8..32_768).contains(&width) => {
            if usize::from(high) << 8 | usize::from(low) != width {
                return Err(Stop::Broken);
            }
            take(rest, 4)?;
            row.resize(width, [0; 4]);
            (0..4).try_for_each(|channel| unpack_channel(rest, channel, row))
        }
        _ => unpack_pixels(rest, width, row),
    }
}

/// Unpacks runs of one byte, and literal bytes.
fn unpack_channel(rest: &mut &[u8], channel: usize, row: &mut [[u8; 4]]) -> Result<(), Stop> {
    let mut places = row.iter_mut().filter_map(|pixel| pixel.get_mut(channel));
    let mut left = places.size_hint().1.unwrap_or(0);
    while left > 0 {
        let code = byte(rest)?;
        let (count, is_run) = if code > 128 { (usize::from(code) - 128, true) } else { (code.into(), false) };
        if count == 0 || count > left {
            return Err(Stop::Broken);
        }
        left -= count;
        match is_run {
            true => {
                let value = byte(rest)?;
                places.by_ref().take(count).for_each(|place| *place = value);
            }
            false => {
                let values = take(rest, count)?;
                places.by_ref().zip(values).take(count).for_each(|(place, value)| *place = *value);
            }
        }
    }
    Ok(())
}

/// Unpacks literal pixels; 1, 1, 1 repeats the last one.
fn unpack_pixels(rest: &mut &[u8], width: usize, row: &mut Vec<[u8; 4]>) -> Result<(), Stop> {
    let mut shift = 0_u32;
    while row.len() < width {
        let taken = take(rest, 4)?;
        let &[r, g, b, e] = taken else { return Err(Stop::Cut) };
        if [r, g, b] != [1, 1, 1] {
            row.push([r, g, b, e]);
            shift = 0;
            continue;
        }
        let last = row.last().copied().ok_or(Stop::Broken)?;
        let count = usize::from(e).checked_shl(shift).ok_or(Stop::Broken)?;
        if count > width - row.len() {
            return Err(Stop::Broken);
        }
        row.resize(row.len() + count, last);
        shift += 8;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn picture(size: &str, pixels: &[u8]) -> Vec<u8> {
        [format!("#?RADIANCE\n# made by hand\nFORMAT=32-bit_rle_rgbe\n\n{size}\n").as_bytes(), pixels]
            .concat()
    }

    fn rows(bytes: &[u8]) -> Result<Vec<Vec<[f32; 3]>>, NoRadiance> {
        let mut rows = Vec::new();
        open(bytes)?.rows(|_, row| rows.push(row.to_vec()))?;
        Ok(rows)
    }

    #[test]
    fn pixels_are_read_in_every_packing() {
        // Literal pixels; 136 is a scale of one.
        let flat = picture("-Y 1 +X 2", &[1, 2, 3, 136, 4, 0, 0, 137]);
        assert_eq!(rows(&flat).unwrap(), [[[1.0, 2.0, 3.0], [8.0, 0.0, 0.0]]]);
        // Repeated pixels.
        let old = picture("-Y 2 +X 4", &[9, 0, 0, 136, 1, 1, 1, 3, 5, 0, 0, 136, 1, 1, 1, 3]);
        assert_eq!(rows(&old).unwrap(), [[[9.0, 0.0, 0.0]; 4], [[5.0, 0.0, 0.0]; 4]]);
        // Per channel, as a run and as literal bytes.
        let mut new = vec![2, 2, 0, 8, 136, 7, 8, 1, 2, 3, 4, 5, 6, 7, 8, 136, 0, 136, 136];
        let row = rows(&picture("-Y 1 +X 8", &new)).unwrap();
        assert_eq!((row[0][0], row[0][7]), ([7.0, 1.0, 0.0], [7.0, 8.0, 0.0]));
        // A row without light.
        new.truncate(17);
        new.extend([136, 0]);
        assert_eq!(rows(&picture("-Y 1 +X 8", &new)).unwrap(), [[[0.0; 3]; 8]]);
    }

    #[test]
    fn what_is_broken_is_said() {
        let cut = picture("-Y 3 +X 1", &[1, 2, 3, 136, 1]);
        assert_eq!(rows(&cut), Err(NoRadiance::Cut(1, 3)));
        for (pixels, row) in [
            // A run before any pixel, one past the end, a channel past the end, none at all, another width.
            (&[1, 1, 1, 2][..], 0),
            (&[5, 5, 5, 128, 1, 1, 1, 9], 0),
            (&[2, 2, 0, 8, 137, 1], 0),
            (&[2, 2, 0, 8, 0, 1], 0),
            (&[2, 2, 0, 9, 136, 1], 0),
        ] {
            assert_eq!(rows(&picture("-Y 1 +X 8", pixels)), Err(NoRadiance::Row(row)), "{pixels:?}");
        }
        assert_eq!(rows(b"\x89PNG"), Err(NoRadiance::Magic));
        assert_eq!(rows(b"#?RADIANCE\nno end"), Err(NoRadiance::Header));
        assert_eq!(rows(b"#?RADIANCE\n\xff\n\n"), Err(NoRadiance::Header));
        assert_eq!(rows(&"#?RGBE\n".repeat(9000).into_bytes()), Err(NoRadiance::Header));
        let xyz = b"#?RADIANCE\nFORMAT=32-bit_rle_xyze\n\n-Y 1 +X 1\n";
        assert_eq!(rows(xyz), Err(NoRadiance::Format("32-bit_rle_xyze".to_owned())));
        for size in ["", "-Y 0 +X 1", "+Y 1 +X 1", "-Y 1 +X", "-Y x +X 1", "-Y -1 +X 1"] {
            assert_eq!(rows(&picture(size, &[])), Err(NoRadiance::Size(size.to_owned())));
        }
        assert_eq!(rows(&picture("-Y 8193 +X 16384", &[])), Err(NoRadiance::TooLarge(16384, 8193)));
        let huge = format!("-Y {} +X {}", usize::MAX, usize::MAX);
        assert_eq!(rows(&picture(&huge, &[])), Err(NoRadiance::TooLarge(usize::MAX, usize::MAX)));
    }

    /// Decoding ends for any bytes.
    #[test]
    fn nothing_that_is_broken_does_harm() {
        let good =
            picture("-Y 2 +X 8", &[2, 2, 0, 8, 136, 7, 136, 1, 136, 2, 136, 130, 9, 9, 9, 136, 1, 1, 1, 7]);
        assert!(rows(&good).is_ok());
        let mut number = 1_u32;
        for _ in 0..4000 {
            let mut bytes = good.clone();
            for _ in 0..3 {
                number = number.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                let at = (number >> 8) as usize % bytes.len();
                bytes[at] = (number >> 24) as u8;
            }
            bytes.truncate(bytes.len() - number as usize % 3);
            let _ = rows(&bytes);
        }
    }
}
