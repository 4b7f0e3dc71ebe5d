//! Decodes pictures within the memory budget.

use super::fault::{Fault, UNKNOWN};
use super::jpeg;
use crate::decoding::{DecodeError, Format, Limits};
use crate::reading::budget::{self, Budget};
use crate::reading::message::one_line;
use crate::texture::Picture;
use sinew_gltf_rules::format::image_head as head;

/// The largest width and height of a decoded picture, which every known Vulkan device supports.
const MAX_SIDE: u32 = 16384;

/// Memory limit of one picture.
const MAX_BYTES: u64 = 256 << 20;

/// Memory of checking a picture's header, including its colour profile. A failed check is counted as well, for its
/// time.
pub const LOOK_BYTES: u64 = 192 << 10;

/// Final memory of a pixel: four bytes in the model, and a third more with the mip levels on the GPU, both there and
/// during the upload.
const BYTES_A_PIXEL: u64 = 15;

/// A picture as it was read.
#[derive(Debug)]
pub struct Decoded {
    /// Its pixels.
    pub picture: Picture,
    /// Faults that did not keep it from being decoded: the rule and the message.
    pub remarks: Vec<(&'static str, String)>,
}

/// Decodes a PNG, JPEG, WebP, KTX2 or TGA, told apart by their first bytes because names and types are often wrong. Nothing
/// is decoded before its size is known and counted, and failures count as well. A picture that exceeds the budget is
/// scaled down until it fits.
pub fn decode(bytes: &[u8], budget: &mut Budget) -> Result<Decoded, Fault> {
    let Some(format) = Format::of(bytes) else {
        return Err(Fault::of_image(UNKNOWN, "is neither PNG, JPEG, WebP, KTX2 nor TGA"));
    };
    let limits = |bytes: u64| Limits { side: MAX_SIDE, bytes };
    let jpeg_facts = (format == Format::Jpeg).then(|| jpeg::facts(bytes));
    let cause = |error: DecodeError| {
        let reason = format!("cannot be decoded: {}", one_line(error.to_string().trim()));
        Fault::of_image(head::broken(bytes).map_or("IMAGE_DATA_INVALID", |(code, _)| code), reason)
    };
    if !budget.take(LOOK_BYTES.saturating_add(bytes.len() as u64)) {
        return Err(Fault::of_data(NO_ROOM));
    }
    // Parts that must be contiguous are held while they grow, and counted each time.
    let look_bytes = LOOK_BYTES.saturating_add((bytes.len() as u64).saturating_mul(4));
    let head = format.look(bytes, limits(look_bytes)).map_err(cause)?;
    let (width, height) = (head.width, head.height);

    let pixels = u64::from(width).saturating_mul(u64::from(height));
    let rgba_bytes = pixels.saturating_mul(4);
    let decoder_bytes = budget::of_file(bytes.len());
    let work_bytes = pixels.saturating_mul(bytes_a_pixel(format)).max(head.bytes());
    if rgba_bytes > MAX_BYTES || work_bytes > decoder_bytes {
        let reason = format!("is too large: {width} x {height} pixels in {} bytes", bytes.len());
        return Err(Fault::of_data(reason));
    }
    if pixels > (bytes.len() as u64).saturating_mul(most_pixels_a_byte(format)) {
        let reason = format!("is cut off: {} bytes cannot hold {width} x {height} pixels", bytes.len());
        return Err(Fault::of_data(reason));
    }
    let size = [width, height];
    let Some(kept) = fitting(size, work_bytes, budget) else { return Err(Fault::of_data(NO_ROOM)) };
    // Four channels of 16 bits are the most there is; what the head unpacks to must not be more than that.
    let picture_bytes = look_bytes.saturating_add(pixels.saturating_mul(8));
    let mut decoded = format.decode(bytes, limits(picture_bytes.min(decoder_bytes))).map_err(cause)?;
    let mut remarks = Vec::new();
    if kept != size {
        let [columns, rows] = kept;
        decoded = decoded.shrunk(kept);
        let message = format!(
            "{width} x {height} pixels in {} bytes take more memory than is left for a model of this size; \
             shrunk to {columns} x {rows}",
            bytes.len()
        );
        remarks.push(("TOO_LARGE", message));
    }
    if let Some(facts) = jpeg_facts {
        if !facts.is_whole {
            remarks.push(("IMAGE_DATA_INVALID", "is cut off; the missing part is filled in".to_owned()));
        }
        if let Some(channels) = facts.channels.filter(|channels| !matches!(channels, 1 | 3)) {
            let message =
                format!("has {channels} channels, but must be grey or have three; shown with those channels");
            remarks.push(("IMAGE_DATA_INVALID", message));
        }
    }
    let [width, height] = kept;
    let picture = Picture { width, height, rgba: decoded.into_rgba() };
    Ok(Decoded { picture, remarks })
}

/// Halves the size of a picture until it fits into the budget, and charges it; `None` if decoding alone does not fit.
fn fitting(size: [u32; 2], work_bytes: u64, budget: &mut Budget) -> Option<[u32; 2]> {
    (0..u32::BITS).map(|halvings| size.map(|side| (side >> halvings).max(1))).find(|[width, height]| {
        let pixels = u64::from(*width).saturating_mul(u64::from(*height));
        let in_the_end = pixels.saturating_mul(BYTES_A_PIXEL);
        // Decoded data is held until there are four bytes per pixel.
        budget.take(in_the_end.max(work_bytes.saturating_add(pixels.saturating_mul(4))))
    })
}

/// The message for a picture that exceeds the budget left.
pub const NO_ROOM: &str = "takes more memory than is left for a model of this size";

/// Returns a decoder's memory per pixel, for decoders without their own limit.
fn bytes_a_pixel(format: Format) -> u64 {
    match format {
        // Coefficients of 16 bits while the passes of a progressive one come in, then what they make.
        Format::Jpeg => 3 * 2 + 3,
        // Lossy files take one and a half bytes of brightness and colour, and then the pixels made of them.
        Format::WebP => 2 + 4,
        // Unpacked samples and a window of twice their size, which the format's decoder holds.
        Format::Ktx2 => 4 + 8,
        Format::Png | Format::Tga => 0,
    }
}

/// Returns the maximum number of pixels per byte of a file.
fn most_pixels_a_byte(format: Format) -> u64 {
    match format {
        // Deflate makes 1032 bytes of one at most, and a byte holds up to eight pixels.
        Format::Png => 1032 * 8,
        // A block of 64 pixels takes a bit at least.
        Format::Jpeg => 64 * 8,
        // A packet of 128 pixels takes two bytes at least.
        Format::Tga => 64,
        // One colour takes no bits for its pixels at all.
        Format::WebP | Format::Ktx2 => u64::from(u32::MAX),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reading::picture::sample::{budget, png};

    #[test]
    fn pixels_become_rgba() {
        let Decoded { picture, remarks } = decode(&png(2, 1), &mut Budget::default()).unwrap();
        assert!(remarks.is_empty());
        assert_eq!((picture.width, picture.height), (2, 1));
        assert_eq!(picture.rgba, [7, 7, 7, 255, 7, 7, 7, 255]);
    }

    #[test]
    fn large_pictures_are_refused() {
        let square = png(100, 100);
        // One byte per pixel while it is decoded, and four for a single pixel.
        let needed = LOOK_BYTES + square.len() as u64 + 10_004;
        assert_eq!(decode(&square, &mut budget(needed - 1)).unwrap_err().reason, NO_ROOM);
        assert!(decode(&square, &mut budget(needed + 15)).is_ok());
        assert!(decode(&png(MAX_SIDE + 1, 1), &mut Budget::default()).is_err());
        let message = decode(&png(8193, 8192), &mut Budget::default()).unwrap_err().reason;
        assert!(message.starts_with("is too large: 8193 x 8192 pixels in "), "{message}");
    }

    #[test]
    fn pictures_are_halved_until_there_is_room() {
        let square = png(100, 100);
        let shrunk = |left: u64| {
            let mut budget = budget(LOOK_BYTES + square.len() as u64 + left);
            let Decoded { picture, remarks } = decode(&square, &mut budget).unwrap();
            assert!(picture.rgba.chunks_exact(4).all(|pixel| pixel == [7, 7, 7, 255]));
            ([picture.width, picture.height], remarks, budget.left())
        };
        assert_eq!(shrunk(150_000), ([100, 100], vec![], 0));
        let (size, remarks, left) = shrunk(149_999);
        assert_eq!((size, left), ([50, 50], 149_999 - 37_500));
        assert_eq!(remarks[0].0, "TOO_LARGE");
        let text = format!(
            "100 x 100 pixels in {} bytes take more memory than is left for a model of this size; \
             shrunk to 50 x 50",
            square.len()
        );
        assert_eq!(remarks[0].1, text);
        // 12 by 12 take 2160 bytes, but the decoder 10,000 and 576 besides.
        assert_eq!((shrunk(10_576).0, shrunk(10_576).2), ([12, 12], 0));
    }

    #[test]
    fn sizes_that_the_bytes_cannot_hold_are_refused() {
        let mut large = png(8, 8);
        large[16..24].copy_from_slice(&[0, 0, 0x0f, 0xa0, 0, 0, 0x0f, 0xa0]);
        let sum = crc(&large[12..29]);
        large[29..33].copy_from_slice(&sum.to_be_bytes());
        for bytes in [&large[..], &JPEG] {
            let message = decode(bytes, &mut Budget::default()).unwrap_err().reason;
            assert!(message.ends_with("bytes cannot hold 4000 x 4000 pixels"), "{message}");
        }
    }

    /// The head of a grey JPEG of 4000 by 4000 pixels: the frame, and where a scan starts.
    const JPEG: [u8; 25] = [
        0xff, 0xd8, 0xff, 0xc0, 0, 11, 8, 0x0f, 0xa0, 0x0f, 0xa0, 1, 1, 0x11, 0, 0xff, 0xda, 0, 8, 1, 1, 0,
        0, 63, 0,
    ];

    /// The sum that ends a PNG's chunk.
    fn crc(bytes: &[u8]) -> u32 {
        !bytes.iter().fold(u32::MAX, |sum, byte| {
            (0..8).fold(sum ^ u32::from(*byte), |sum, _| (sum >> 1) ^ (0xedb8_8320 * (sum & 1)))
        })
    }

    #[test]
    fn what_is_no_picture_is_refused() {
        for bytes in [&b"GIF89a"[..], b""] {
            let fault = decode(bytes, &mut Budget::default()).unwrap_err();
            assert_eq!(fault.reason, "is neither PNG, JPEG, WebP, KTX2 nor TGA");
            assert_eq!(fault.code, "IMAGE_UNRECOGNIZED_FORMAT");
        }
        let whole = png(20, 20);
        for length in 8..whole.len() - 12 {
            assert!(decode(&whole[..length], &mut Budget::default()).is_err(), "{length}");
        }
    }
}
