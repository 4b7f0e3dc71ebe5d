//! Finds the bytes of a file's pictures and decodes them.

use crate::gltf::buffer::{self, Buffers};
use crate::gltf::json::Document;
use crate::reading::picture::{Decoded, Fault, decode};
use crate::reading::source::Sources;
use crate::reading::source_error::unavailable;

/// Decodes pictures, and counts their memory.
pub struct Pictures<'a, 'b> {
    document: &'a Document,
    buffers: &'a Buffers<'a>,
    sources: &'a mut Sources<'b>,
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reading::picture::sample::{budget, png};
    use crate::reading::picture::{LOOK_BYTES, NO_ROOM};

    #[test]
    fn all_pictures_together_are_limited() {
        use base64::Engine;
        let base64 = base64::engine::general_purpose::STANDARD.encode(png(4, 4));
        let image = format!(r#"{{"uri": "data:;base64,{base64}"}}"#);
        let text = format!(r#"{{"asset": {{"version": "2.0"}}, "images": [{image}, {image}]}}"#);
        let document = crate::gltf::json::parse(text.as_bytes()).unwrap();
        let buffers = Vec::new();
        let mut sources = Sources::new(None, false, budget(LOOK_BYTES * 3 / 2), 0);
        let mut pictures = Pictures::new(&document, &buffers, &mut sources);
        assert!(pictures.decode(0).is_ok());
        assert_eq!(pictures.decode(1).unwrap_err().reason, NO_ROOM);
        assert!(pictures.decode(2).is_err(), "there is no such image");
    }
}
