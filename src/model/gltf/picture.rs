//! PNG, JPEG and WebP files as pixels, within limits on their size.
//! It must not know what a picture is used for.

use std::io::Cursor;

use image::{ImageDecoder, ImageError, ImageFormat, ImageReader, Limits};

use super::budget::{self, Budget};
use super::buffer::{self, Buffers};
use super::jpeg;
use super::json::Document;
use super::report::{one_line, quoted};
use super::source::{SourceError, Sources, is_data_uri};
use crate::model::texture::Picture;

/// The widest and highest picture that is decoded: what every Vulkan device we know takes.
const MAX_SIDE: u32 = 16384;

/// What one picture may take.
const MAX_BYTES: u64 = 256 << 20;

/// What a look at a picture's head may take, colour profile and all. It is counted too, as the time
/// that a look takes where nothing comes of it.
const LOOK_BYTES: u64 = 192 << 10;

/// The rule that is broken by what is no picture of a known kind.
const UNKNOWN: &str = "IMAGE_UNRECOGNIZED_FORMAT";

/// The types that are decoded.
const TYPES: [&str; 3] = ["image/png", "image/jpeg", "image/webp"];

/// The signature of a PNG and the chunk with its size.
const PNG_HEAD: usize = 8 + 25;

/// What a pixel takes in the end: four bytes in the model, and a third more with the smaller copies that the
/// GPU draws from, once there and once on the way.
const BYTES_A_PIXEL: u64 = 15;

/// Decodes pictures and counts what they take.
pub struct Pictures<'a, 'b> {
    document: &'a Document,
    buffers: &'a Buffers<'a>,
    sources: &'a mut Sources<'b>,
}

/// A picture as it was read.
#[derive(Debug)]
pub struct Decoded {
    /// Its pixels.
    pub picture: Picture,
    /// What is wrong with it all the same: the rule, and what was done.
    pub remarks: Vec<(&'static str, String)>,
}

/// Why there are no pixels, in words: a model can be shown without.
#[derive(Debug)]
pub struct Fault {
    /// The rule that is broken.
    pub code: &'static str,
    /// The member of the image that is at fault, with its dot; nothing where it is the image as a whole.
    pub member: &'static str,
    /// What was found.
    pub reason: String,
}

impl Fault {
    fn of_image(code: &'static str, reason: impl Into<String>) -> Self {
        Self { code, member: "", reason: reason.into() }
    }

    fn of_data(reason: impl Into<String>) -> Self {
        Self::of_image("IMAGE_DATA_INVALID", reason)
    }

    /// A `data:` URI says what it holds, so that what is no picture is the URI's fault.
    fn in_uri(self, uri: &str) -> Self {
        match self.code {
            UNKNOWN if is_data_uri(uri) => Self { code: "INVALID_URI", member: ".uri", ..self },
            _ => self,
        }
    }

    /// What says that it is something else than a picture of a known kind should not be a texture.
    fn with_type(self, mime: Option<&str>) -> Self {
        match mime {
            Some(mime) if self.code == UNKNOWN && !TYPES.contains(&mime) => {
                let reason = format!("is {}, which no texture may be", quoted(mime));
                Self { code: "TEXTURE_INVALID_IMAGE_MIME_TYPE", reason, ..self }
            }
            _ => self,
        }
    }
}

impl<'a, 'b> Pictures<'a, 'b> {
    /// A decoder for the images of one file.
    pub fn new(document: &'a Document, buffers: &'a Buffers<'a>, sources: &'a mut Sources<'b>) -> Self {
        sources.budget.turn_to_pictures();
        Self { document, buffers, sources }
    }

    /// The pixels of an image, or why there are none.
    pub fn decode(&mut self, index: usize) -> Result<Decoded, Fault> {
        let images = &self.document.images;
        let image = images.get(index).ok_or_else(|| {
            Fault::of_data(format!("there is no image {index} (the file has {})", images.len()))
        })?;
        let mime = image.mime_type.as_ref().and_then(|mime| mime.as_str());
        match (&image.uri, image.buffer_view) {
            (Some(uri), _) => {
                let bytes = self.sources.fetch(uri).map_err(|cause| {
                    let (code, reason) = unavailable(uri, &cause);
                    Fault { code, member: ".uri", reason }
                })?;
                let read = decode(&bytes, &mut self.sources.budget);
                read.map_err(|fault| fault.in_uri(uri).with_type(mime))
            }
            (None, Some(view)) => {
                let from = format!("images[{index}].bufferView");
                let view = buffer::view(self.document, self.buffers, view, &from);
                let view = view.map_err(|error| Fault::of_data(error.to_string()))?;
                let read = decode(view.bytes, &mut self.sources.budget);
                read.map_err(|fault| fault.with_type(mime))
            }
            (None, None) => Err(Fault::of_data("has neither uri nor bufferView")),
        }
    }
}

/// The broken rule where a picture's bytes cannot be had, and why that is.
pub fn unavailable(uri: &str, cause: &SourceError) -> (&'static str, String) {
    let (code, hint) = match cause {
        SourceError::Data(_) => ("INVALID_URI", ""),
        SourceError::Outside(_) => ("IO_ERROR", " (unless --allow-outside is given)"),
        _ => ("IO_ERROR", ""),
    };
    (code, format!("picture {}: {cause}{hint}", quoted(uri)))
}

/// Decodes a PNG, JPEG or WebP, told apart by their first bytes because names and types are often wrong.
/// Nothing is decoded before its size is known and counted, and counted it is whatever comes of it. What
/// takes more than is left loses pixels until it does not.
fn decode(bytes: &[u8], budget: &mut Budget) -> Result<Decoded, Fault> {
    let format = match image::guess_format(bytes) {
        Ok(format @ (ImageFormat::Png | ImageFormat::Jpeg | ImageFormat::WebP)) => format,
        Ok(_) | Err(_) => {
            let reason = "is neither PNG nor JPEG nor WebP";
            return Err(Fault::of_image(UNKNOWN, reason));
        }
    };
    let reader = |max_bytes: u64| {
        let mut limits = Limits::no_limits();
        limits.max_image_width = Some(MAX_SIDE);
        limits.max_image_height = Some(MAX_SIDE);
        limits.max_alloc = Some(max_bytes);
        let mut reader = ImageReader::with_format(Cursor::new(bytes), format);
        reader.limits(limits);
        reader
    };
    let jpeg = (format == ImageFormat::Jpeg).then(|| jpeg::outline(bytes));
    let cause = |error: ImageError| {
        let reason = format!("cannot be decoded: {}", one_line(error.to_string().trim()));
        let ends_in_head = match jpeg {
            Some(outline) => outline.channels.is_none() && !outline.is_whole,
            None => format == ImageFormat::Png && bytes.len() < PNG_HEAD,
        };
        Fault::of_image(if ends_in_head { "IMAGE_UNEXPECTED_EOS" } else { "IMAGE_DATA_INVALID" }, reason)
    };
    if !budget.take(LOOK_BYTES.saturating_add(bytes.len() as u64)) {
        return Err(Fault::of_data(NO_ROOM));
    }
    // What stands in the head whole is held while it grows, and counted each time it does.
    let look_bytes = LOOK_BYTES.saturating_add((bytes.len() as u64).saturating_mul(4));
    let head = reader(look_bytes).into_decoder().map_err(cause)?;
    let ((width, height), head_bytes) = (head.dimensions(), head.total_bytes());
    drop(head);

    let pixels = u64::from(width).saturating_mul(u64::from(height));
    let rgba_bytes = pixels.saturating_mul(4);
    let decoder_bytes = budget::of_file(bytes.len());
    let work_bytes = pixels.saturating_mul(bytes_a_pixel(format)).max(head_bytes);
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
    let mut decoded = reader(picture_bytes.min(decoder_bytes)).decode().map_err(cause)?;
    let mut remarks = Vec::new();
    if kept != size {
        let [columns, rows] = kept;
        decoded = decoded.thumbnail_exact(columns, rows);
        let message = format!(
            "{width} x {height} pixels in {} bytes take more memory than is left for a model of this size; \
             shrunk to {columns} x {rows}",
            bytes.len()
        );
        remarks.push(("TOO_LARGE", message));
    }
    if let Some(outline) = jpeg {
        if !outline.is_whole {
            remarks.push(("IMAGE_DATA_INVALID", "is cut off; what is missing is made up".to_owned()));
        }
        if let Some(channels) = outline.channels.filter(|channels| !matches!(channels, 1 | 3)) {
            let message =
                format!("has {channels} channels, but must be grey or have three; shown as they say");
            remarks.push(("IMAGE_DATA_INVALID", message));
        }
    }
    let rgba = decoded.into_rgba8();
    let picture = Picture { width: rgba.width(), height: rgba.height(), rgba: rgba.into_raw() };
    Ok(Decoded { picture, remarks })
}

/// The size to which a picture is halved as often as needed, so that there is room for what it takes, which
/// is counted; `None` where there is not even room for decoding it.
fn fitting(size: [u32; 2], work_bytes: u64, budget: &mut Budget) -> Option<[u32; 2]> {
    (0..u32::BITS).map(|halvings| size.map(|side| (side >> halvings).max(1))).find(|[width, height]| {
        let pixels = u64::from(*width).saturating_mul(u64::from(*height));
        let in_the_end = pixels.saturating_mul(BYTES_A_PIXEL);
        // What is decoded is held until there are four bytes a pixel.
        budget.take(in_the_end.max(work_bytes.saturating_add(pixels.saturating_mul(4))))
    })
}

/// Said of a picture for which too little of the budget is left.
const NO_ROOM: &str = "takes more memory than is left for a model of this size";

/// What a decoder takes for each pixel where it keeps to no limit itself.
fn bytes_a_pixel(format: ImageFormat) -> u64 {
    match format {
        // Coefficients of 16 bits while the passes of a progressive one come in, then what they make.
        ImageFormat::Jpeg => 3 * 2 + 3,
        // One and a half of brightness and colour where it is lossy, then what they make.
        ImageFormat::WebP => 2 + 4,
        _ => 0,
    }
}

/// How many pixels each byte of a file may stand for at most.
fn most_pixels_a_byte(format: ImageFormat) -> u64 {
    match format {
        // Deflate makes 1032 bytes of one at most, and a byte holds up to eight pixels.
        ImageFormat::Png => 1032 * 8,
        // A block of 64 pixels takes a bit at least.
        ImageFormat::Jpeg => 64 * 8,
        // A lossless WebP of one colour takes no bits for its pixels at all.
        _ => u64::from(u32::MAX),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn png(width: u32, height: u32) -> Vec<u8> {
        let mut bytes = Vec::new();
        let picture = image::GrayImage::from_pixel(width, height, image::Luma([7]));
        picture.write_to(&mut Cursor::new(&mut bytes), ImageFormat::Png).unwrap();
        bytes
    }

    /// A budget of so many bytes.
    fn budget(bytes: u64) -> Budget {
        let mut budget = Budget::default();
        assert!(budget.take((256 << 20) - bytes));
        budget
    }

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
        // One byte a pixel while it is decoded, and four of a single one.
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
        for (format, size_at) in [(ImageFormat::Png, 16), (ImageFormat::Jpeg, 0)] {
            let mut bytes = Vec::new();
            let picture = image::GrayImage::new(8, 8);
            picture.write_to(&mut Cursor::new(&mut bytes), format).unwrap();
            if format == ImageFormat::Png {
                let (width, height) = (4000_u32.to_be_bytes(), 4000_u32.to_be_bytes());
                bytes[size_at..size_at + 8].copy_from_slice(&[width, height].concat());
                let sum = crc(&bytes[12..29]);
                bytes[29..33].copy_from_slice(&sum.to_be_bytes());
            } else {
                let frame = bytes.windows(2).position(|pair| pair == [0xff, 0xc0]).unwrap();
                bytes[frame + 5..frame + 9].copy_from_slice(&[0x0f, 0xa0, 0x0f, 0xa0]);
            }
            let message = decode(&bytes, &mut Budget::default()).unwrap_err().reason;
            assert!(message.ends_with("bytes cannot hold 4000 x 4000 pixels"), "{message}");
        }
    }

    /// The sum that ends a PNG's chunk.
    fn crc(bytes: &[u8]) -> u32 {
        !bytes.iter().fold(u32::MAX, |sum, byte| {
            (0..8).fold(sum ^ u32::from(*byte), |sum, _| (sum >> 1) ^ (0xedb8_8320 * (sum & 1)))
        })
    }

    #[test]
    fn all_pictures_together_are_limited() {
        use base64::Engine;
        let base64 = base64::engine::general_purpose::STANDARD.encode(png(4, 4));
        let image = format!(r#"{{"uri": "data:;base64,{base64}"}}"#);
        let text = format!(r#"{{"asset": {{"version": "2.0"}}, "images": [{image}, {image}]}}"#);
        let document = super::super::json::parse(text.as_bytes()).unwrap();
        let buffers = Vec::new();
        let mut sources = Sources::new(None, false, budget(LOOK_BYTES * 3 / 2));
        let mut pictures = Pictures::new(&document, &buffers, &mut sources);
        assert!(pictures.decode(0).is_ok());
        assert_eq!(pictures.decode(1).unwrap_err().reason, NO_ROOM);
        assert!(pictures.decode(2).is_err(), "there is no such image");
    }

    #[test]
    fn what_is_no_picture_is_refused() {
        for bytes in [&b"GIF89a"[..], b""] {
            let fault = decode(bytes, &mut Budget::default()).unwrap_err();
            assert_eq!(fault.reason, "is neither PNG nor JPEG nor WebP");
            assert_eq!(fault.code, "IMAGE_UNRECOGNIZED_FORMAT");
        }
        let whole = png(20, 20);
        for length in 8..whole.len() - 12 {
            assert!(decode(&whole[..length], &mut Budget::default()).is_err(), "{length}");
        }
    }
}
