//! PNG, JPEG and WebP files as pixels, within limits on their size.
//! It must not know what a picture is used for.

use std::io::Cursor;

use image::{ImageFormat, ImageReader, Limits};

use super::buffer::{self, Buffers};
use super::json::Document;
use super::report::quoted;
use super::source::Sources;
use crate::model::texture::Picture;

/// The widest and highest picture that is decoded: what every Vulkan device we know takes.
const MAX_SIDE: u32 = 16384;

/// What one picture may take while it is decoded.
const MAX_BYTES: u64 = 256 << 20;

/// What all pictures of a file may take together.
const MAX_BYTES_OF_ALL: u64 = 1 << 30;

/// Decodes pictures and counts what they take.
pub struct Pictures<'a, 'b> {
    document: &'a Document,
    buffers: &'a Buffers<'a>,
    sources: &'a mut Sources<'b>,
    bytes_left: u64,
}

impl<'a, 'b> Pictures<'a, 'b> {
    /// A decoder for the images of one file.
    pub fn new(document: &'a Document, buffers: &'a Buffers<'a>, sources: &'a mut Sources<'b>) -> Self {
        Self { document, buffers, sources, bytes_left: MAX_BYTES_OF_ALL }
    }

    /// The pixels of an image, or why there are none, in words: a model can be shown without.
    pub fn decode(&mut self, index: usize) -> Result<Picture, String> {
        let images = &self.document.images;
        let image = images
            .get(index)
            .ok_or_else(|| format!("there is no image {index} (the file has {})", images.len()))?;
        let picture = match (&image.uri, image.buffer_view) {
            (Some(uri), _) => {
                let bytes =
                    self.sources.fetch(uri).map_err(|cause| format!("picture {}: {cause}", quoted(uri)))?;
                decode(&bytes, self.bytes_left.min(MAX_BYTES))
            }
            (None, Some(view)) => {
                let from = format!("images[{index}].bufferView");
                let view = buffer::view(self.document, self.buffers, view, &from);
                decode(view.map_err(|error| error.to_string())?.bytes, self.bytes_left.min(MAX_BYTES))
            }
            (None, None) => Err("has neither uri nor bufferView".to_owned()),
        }?;
        self.bytes_left = self.bytes_left.saturating_sub(picture.rgba.len() as u64);
        Ok(picture)
    }
}

/// Decodes a PNG, JPEG or WebP, told apart by their first bytes because names and types are often wrong.
fn decode(bytes: &[u8], max_bytes: u64) -> Result<Picture, String> {
    let format = match image::guess_format(bytes) {
        Ok(format @ (ImageFormat::Png | ImageFormat::Jpeg | ImageFormat::WebP)) => format,
        Ok(_) | Err(_) => return Err("is neither PNG nor JPEG nor WebP".to_owned()),
    };
    let mut limits = Limits::no_limits();
    limits.max_image_width = Some(MAX_SIDE);
    limits.max_image_height = Some(MAX_SIDE);
    limits.max_alloc = Some(max_bytes);
    let mut reader = ImageReader::with_format(Cursor::new(bytes), format);
    reader.limits(limits);
    let decoded = reader.decode().map_err(|error| format!("cannot be decoded: {error}"))?;
    let rgba_bytes = u64::from(decoded.width()).saturating_mul(u64::from(decoded.height())).saturating_mul(4);
    // A grey or palette picture is smaller in the decoder's hands than in ours.
    if rgba_bytes > max_bytes {
        return Err(format!("is too large: {} x {} pixels", decoded.width(), decoded.height()));
    }
    let rgba = decoded.into_rgba8();
    Ok(Picture { width: rgba.width(), height: rgba.height(), rgba: rgba.into_raw() })
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

    #[test]
    fn pixels_become_rgba() {
        let picture = decode(&png(2, 1), 1000).unwrap();
        assert_eq!((picture.width, picture.height), (2, 1));
        assert_eq!(picture.rgba, [7, 7, 7, 255, 7, 7, 7, 255]);
    }

    #[test]
    fn large_pictures_are_refused() {
        assert!(decode(&png(100, 100), 39_999).is_err());
        assert!(decode(&png(100, 100), 40_000).is_ok());
        assert!(decode(&png(MAX_SIDE + 1, 1), MAX_BYTES).is_err());
    }

    #[test]
    fn all_pictures_together_are_limited() {
        use base64::Engine;
        let base64 = base64::engine::general_purpose::STANDARD.encode(png(4, 4));
        let image = format!(r#"{{"uri": "data:;base64,{base64}"}}"#);
        let text = format!(r#"{{"asset": {{"version": "2.0"}}, "images": [{image}, {image}]}}"#);
        let document = super::super::json::parse(text.as_bytes()).unwrap();
        let buffers = Vec::new();
        let mut sources = Sources::new(None, false);
        let mut pictures = Pictures::new(&document, &buffers, &mut sources);
        pictures.bytes_left = 100;
        assert!(pictures.decode(0).is_ok());
        assert!(pictures.decode(1).is_err(), "36 bytes are left of 100");
        assert!(pictures.decode(2).is_err(), "there is no such image");
    }

    #[test]
    fn what_is_no_picture_is_refused() {
        assert_eq!(decode(b"GIF89a", 1000).unwrap_err(), "is neither PNG nor JPEG nor WebP");
        assert_eq!(decode(b"", 1000).unwrap_err(), "is neither PNG nor JPEG nor WebP");
        let whole = png(20, 20);
        for length in 8..whole.len() - 12 {
            assert!(decode(&whole[..length], 100_000).is_err(), "{length}");
        }
    }
}
