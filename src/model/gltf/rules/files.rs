//! Files and embedded data that a document refers to: there, and what they claim to be.
//! It must not know pixels; only the first bytes of an image are looked at.

use std::collections::BTreeSet;

use super::outline::Outline;
use crate::model::gltf::buffer::{self, Buffers};
use crate::model::gltf::json::Document;
use crate::model::gltf::picture::unavailable;
use crate::model::gltf::report::{Warnings, quoted};
use crate::model::gltf::source::{Sources, is_data_uri};

/// Checks buffers' and images' sources.
pub fn check(
    document: &Document,
    outline: &Outline,
    buffers: &Buffers<'_>,
    sources: &Sources<'_>,
    warnings: &mut Warnings,
) {
    for (index, buffer) in document.buffers.iter().enumerate() {
        let Some(uri) = &buffer.uri else { continue };
        check_letters(uri, &format!("buffers[{index}].uri"), warnings);
        let Some(mime) = data_uri_type(uri) else { continue };
        if !matches!(mime.as_str(), "application/octet-stream" | "application/gltf-buffer") {
            let message = format!("{} is no type for a buffer", quoted(&mime));
            warnings.fault("BUFFER_DATA_URI_MIME_TYPE_INVALID", &format!("buffers[{index}].uri"), message);
        }
    }
    let mut webp = BTreeSet::new();
    for (index, facts) in outline.images.iter().enumerate() {
        let Some(image) = document.images.get(index) else { continue };
        let path = format!("images[{index}]");
        let head = match (&image.uri, facts.view) {
            (Some(uri), _) => match sources.head(uri, HEAD as u64) {
                Ok(head) => head,
                Err(cause) => {
                    let (code, message) = unavailable(uri, &cause);
                    warnings.fault(code, &format!("{path}.uri"), message);
                    continue;
                }
            },
            (None, Some(view)) => match buffer::view(document, buffers, view, &path) {
                Ok(view) => view.bytes.get(..view.bytes.len().min(HEAD)).unwrap_or_default().to_vec(),
                Err(_) => continue,
            },
            (None, None) => continue,
        };
        let found = image_type(&head);
        if found == Some("image/webp") {
            webp.insert(index);
        }
        if let Some(uri) = &image.uri {
            check_letters(uri, &format!("{path}.uri"), warnings);
            if let Some(said) = data_uri_type(uri).filter(|said| Some(said.as_str()) != found) {
                let holds = found.unwrap_or("what is no image format known here");
                let message = format!("says {}, but holds {holds}", quoted(&said));
                warnings.fault("INVALID_URI", &format!("{path}.uri"), message);
                continue;
            }
        }
        check_image(&head, facts.mime, &path, warnings);
    }
    for (index, texture) in document.textures.iter().enumerate() {
        let Some(image) = texture.source.filter(|source| webp.contains(source)) else { continue };
        let message = format!("image {image} is WebP, which only EXT_texture_webp may name");
        warnings.fault("TEXTURE_INVALID_IMAGE_MIME_TYPE", &format!("textures[{index}].source"), message);
    }
}

/// How many bytes of a file say what it is.
const HEAD: usize = 32;

/// Held against what the first bytes say.
fn check_image(head: &[u8], declared: Option<&str>, path: &str, warnings: &mut Warnings) {
    let Some(found) = image_type(head) else {
        // Where the picture was to be shown, that it cannot be has been said.
        if warnings.says(path) {
            return;
        }
        let what = if head.is_empty() { "is empty" } else { "is no image format known here" };
        warnings.fault("IMAGE_UNRECOGNIZED_FORMAT", path, what);
        return;
    };
    if let Some(declared) = declared.filter(|declared| *declared != found) {
        let message = format!("says {}, but holds {found}", quoted(declared));
        warnings.fault("IMAGE_MIME_TYPE_INVALID", path, message);
    }
}

/// The type that an image's first bytes stand for.
fn image_type(head: &[u8]) -> Option<&'static str> {
    match head {
        [0x89, b'P', b'N', b'G', 0x0d, 0x0a, 0x1a, 0x0a, ..] => Some("image/png"),
        [0xff, 0xd8, 0xff, ..] => Some("image/jpeg"),
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => Some("image/webp"),
        [0xab, b'K', b'T', b'X', b' ', b'2', b'0', 0xbb, ..] => Some("image/ktx2"),
        [b'D', b'D', b'S', b' ', ..] => Some("image/vnd-ms.dds"),
        [_, _, _, _, b'f', b't', b'y', b'p', b'a', b'v', b'i', b'f', ..] => Some("image/avif"),
        _ => None,
    }
}

/// Whether a `data:` URI says that it is base64 in the letters that it should.
fn check_letters(uri: &str, path: &str, warnings: &mut Warnings) {
    let header = uri.split(',').next().unwrap_or_default();
    let ending = header.len().checked_sub(7).and_then(|start| header.get(start..));
    if is_data_uri(uri) && ending.is_some_and(|e| e.eq_ignore_ascii_case(";base64") && e != ";base64") {
        warnings.fault("INVALID_URI", path, "'base64' must be written in small letters");
    }
}

/// The type that a `data:` URI says it has, in small letters.
fn data_uri_type(uri: &str) -> Option<String> {
    let (scheme, rest) = uri.split_at_checked(5)?;
    let header = rest.split(',').next()?;
    let is_data = scheme.eq_ignore_ascii_case("data:");
    is_data.then(|| header.split(';').next().unwrap_or_default().to_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_of_data_uris() {
        assert_eq!(data_uri_type("data:Image/PNG;base64,AA").as_deref(), Some("image/png"));
        assert_eq!(data_uri_type("DATA:,x").as_deref(), Some(""));
        assert_eq!(data_uri_type("a.png"), None);
        assert_eq!(data_uri_type("data"), None);
    }

    #[test]
    fn images_are_known_by_their_first_bytes() {
        assert_eq!(image_type(b"\x89PNG\r\n\x1a\n...."), Some("image/png"));
        assert_eq!(image_type(&[0xff, 0xd8, 0xff, 0xe0]), Some("image/jpeg"));
        assert_eq!(image_type(b"RIFF....WEBPVP8 "), Some("image/webp"));
        assert_eq!(image_type(b"GIF89a"), None);
        assert_eq!(image_type(b""), None);
    }
}
