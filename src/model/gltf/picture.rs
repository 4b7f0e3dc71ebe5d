//! PNG, JPEG and WebP files as pixels, within limits on their size.
//! It must not know what a picture is used for.

use std::io::Cursor;

use image::{ImageError, ImageFormat, ImageReader, Limits};

use super::budget::{self, Budget};
use super::buffer::{self, Buffers};
use super::json::Document;
use super::report::quoted;
use super::source::Sources;
use crate::model::texture::Picture;

/// The widest and highest picture that is decoded: what every Vulkan device we know takes.
const MAX_SIDE: u32 = 16384;

/// What one picture may take.
const MAX_BYTES: u64 = 256 << 20;

/// What a look at a picture's head may take, colour profile and all. It is counted too, as the time
/// that a look takes where nothing comes of it.
const LOOK_BYTES: u64 = 192 << 10;

/// Decodes pictures and counts what they take.
pub struct Pictures<'a, 'b> {
    document: &'a Document,
    buffers: &'a Buffers<'a>,
    sources: &'a mut Sources<'b>,
}

impl<'a, 'b> Pictures<'a, 'b> {
    /// A decoder for the images of one file.
    pub fn new(document: &'a Document, buffers: &'a Buffers<'a>, sources: &'a mut Sources<'b>) -> Self {
        Self { document, buffers, sources }
    }

    /// The pixels of an image, or why there are none, in words: a model can be shown without.
    pub fn decode(&mut self, index: usize) -> Result<Picture, String> {
        let images = &self.document.images;
        let image = images
            .get(index)
            .ok_or_else(|| format!("there is no image {index} (the file has {})", images.len()))?;
        match (&image.uri, image.buffer_view) {
            (Some(uri), _) => {
                let bytes =
                    self.sources.fetch(uri).map_err(|cause| format!("picture {}: {cause}", quoted(uri)))?;
                decode(&bytes, &mut self.sources.budget)
            }
            (None, Some(view)) => {
                let from = format!("images[{index}].bufferView");
                let view = buffer::view(self.document, self.buffers, view, &from);
                decode(view.map_err(|error| error.to_string())?.bytes, &mut self.sources.budget)
            }
            (None, None) => Err("has neither uri nor bufferView".to_owned()),
        }
    }
}

/// Decodes a PNG, JPEG or WebP, told apart by their first bytes because names and types are often wrong.
/// Nothing is decoded before its size is known and counted, and counted it is whatever comes of it.
fn decode(bytes: &[u8], budget: &mut Budget) -> Result<Picture, String> {
    let format = match image::guess_format(bytes) {
        Ok(format @ (ImageFormat::Png | ImageFormat::Jpeg | ImageFormat::WebP)) => format,
        Ok(_) | Err(_) => return Err("is neither PNG nor JPEG nor WebP".to_owned()),
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
    let cause = |error: ImageError| format!("cannot be decoded: {error}");
    if !budget.take(LOOK_BYTES.saturating_add(bytes.len() as u64)) {
        return Err(NO_ROOM.to_owned());
    }
    // What stands in the head whole is held while it grows, and counted each time it does.
    let look_bytes = LOOK_BYTES.saturating_add((bytes.len() as u64).saturating_mul(4));
    let (width, height) = reader(look_bytes).into_dimensions().map_err(cause)?;

    let pixels = u64::from(width).saturating_mul(u64::from(height));
    let rgba_bytes = pixels.saturating_mul(4);
    let decoder_bytes = budget::of_file(bytes.len());
    if rgba_bytes > MAX_BYTES || pixels.saturating_mul(bytes_a_pixel(format)) > decoder_bytes {
        return Err(format!("is too large: {width} x {height} pixels in {} bytes", bytes.len()));
    }
    if pixels > (bytes.len() as u64).saturating_mul(most_pixels_a_byte(format)) {
        return Err(format!("is cut off: {} bytes cannot hold {width} x {height} pixels", bytes.len()));
    }
    if !budget.take(rgba_bytes) {
        return Err(NO_ROOM.to_owned());
    }
    // Four channels of 16 bits are the most there is; what the head unpacks to must not be more than that.
    let picture_bytes = look_bytes.saturating_add(pixels.saturating_mul(8));
    let decoded = reader(picture_bytes.min(decoder_bytes)).decode().map_err(cause)?;
    let rgba = decoded.into_rgba8();
    Ok(Picture { width: rgba.width(), height: rgba.height(), rgba: rgba.into_raw() })
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
        let picture = decode(&png(2, 1), &mut Budget::default()).unwrap();
        assert_eq!((picture.width, picture.height), (2, 1));
        assert_eq!(picture.rgba, [7, 7, 7, 255, 7, 7, 7, 255]);
    }

    #[test]
    fn large_pictures_are_refused() {
        let square = png(100, 100);
        let needed = LOOK_BYTES + square.len() as u64 + 40_000;
        assert_eq!(decode(&square, &mut budget(needed - 1)).unwrap_err(), NO_ROOM);
        assert!(decode(&square, &mut budget(needed)).is_ok());
        assert!(decode(&png(MAX_SIDE + 1, 1), &mut Budget::default()).is_err());
        let message = decode(&png(8193, 8192), &mut Budget::default()).unwrap_err();
        assert!(message.starts_with("is too large: 8193 x 8192 pixels in "), "{message}");
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
            let message = decode(&bytes, &mut Budget::default()).unwrap_err();
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
        assert_eq!(pictures.decode(1).unwrap_err(), NO_ROOM);
        assert!(pictures.decode(2).is_err(), "there is no such image");
    }

    #[test]
    fn what_is_no_picture_is_refused() {
        assert_eq!(
            decode(b"GIF89a", &mut Budget::default()).unwrap_err(),
            "is neither PNG nor JPEG nor WebP"
        );
        assert_eq!(decode(b"", &mut Budget::default()).unwrap_err(), "is neither PNG nor JPEG nor WebP");
        let whole = png(20, 20);
        for length in 8..whole.len() - 12 {
            assert!(decode(&whole[..length], &mut Budget::default()).is_err(), "{length}");
        }
    }
}
