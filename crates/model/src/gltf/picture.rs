//! The pictures of a file: where their bytes are, and what is said where there are no pixels.
//! It must not know what a picture is used for.

mod counted;
pub mod head;
mod outline;

use counted::decode;

use super::buffer::{self, Buffers};
use super::json::Document;
use super::report::quoted;
use super::source::{SourceError, Sources, is_data_uri};
use crate::texture::Picture;

/// The rule that is broken by what is no picture of a known kind.
const UNKNOWN: &str = "IMAGE_UNRECOGNIZED_FORMAT";

/// The types that are decoded.
const TYPES: [&str; 3] = ["image/png", "image/jpeg", "image/webp"];

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
                let reason = format!("is {}, which a texture cannot be", quoted(mime));
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
    (code, format!("image {}: {cause}{hint}", quoted(uri)))
}

#[cfg(test)]
mod tests {
    use super::counted::{LOOK_BYTES, NO_ROOM};
    use super::*;
    use crate::gltf::budget::Budget;

    /// A PNG of one grey.
    pub fn png(width: u32, height: u32) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, width, height);
        encoder.set_color(png::ColorType::Grayscale);
        let mut writer = encoder.write_header().unwrap();
        writer.write_image_data(&vec![7; (width * height) as usize]).unwrap();
        writer.finish().unwrap();
        bytes
    }

    /// A budget of so many bytes.
    pub fn budget(bytes: u64) -> Budget {
        let mut budget = Budget::default();
        assert!(budget.take((256 << 20) - bytes));
        budget
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
}
