//! Checks external files and embedded images: that they are there, and what type they are.

use std::collections::BTreeMap;

use super::notes::{ImageFacts, Notes};
use super::uris;
use crate::format::buffer::{self, Buffers};
use crate::format::image_head::{self, Broken, Head};
use crate::format::json::{self, Document, Image, TextureSource};
use crate::sink::Sink;
use crate::text::quoted;

/// The extension of textures that brings WebP into a file.
const WEBP: &str = "EXT_texture_webp";

/// The rule broken by a texture whose image has a forbidden type.
const INVALID_TYPE: &str = "TEXTURE_INVALID_IMAGE_MIME_TYPE";

/// Returns the first bytes of an image by its URI, or the broken rule if they cannot be had.
pub type Heads<'a> = dyn FnMut(&str) -> Result<Head, Broken> + 'a;

/// Checks buffers' and images' sources.
pub fn check(
    document: &Document,
    notes: &Notes,
    buffers: &Buffers<'_>,
    head: &mut Heads<'_>,
    warnings: &mut dyn Sink,
) {
    for (index, buffer) in document.buffers.iter().enumerate() {
        let Some(uri) = &buffer.uri else { continue };
        let path = format!("buffers[{index}].uri");
        check_uri(uri, &path, warnings);
        let Some(mime) = uris::data_type(uri).map(str::to_ascii_lowercase) else { continue };
        if !matches!(mime.as_str(), "application/octet-stream" | "application/gltf-buffer") {
            let message = format!("{} is not a type for a buffer", quoted(&mime));
            warnings.fault("BUFFER_DATA_URI_MIME_TYPE_INVALID", &path, message);
        }
    }
    let mut types = BTreeMap::new();
    for (index, facts) in notes.images.iter().enumerate() {
        let Some(image) = document.images.get(index) else { continue };
        let path = format!("images[{index}]");
        if let Some(uri) = &image.uri {
            check_uri(uri, &format!("{path}.uri"), warnings);
        }
        let found = match head_of(document, buffers, head, (image, facts), &path) {
            Ok(Some(head)) => check_image(document, &head, (image, facts), &path, warnings),
            Ok(None) => None,
            Err((code, message)) => {
                warnings.fault(code, &format!("{path}.uri"), message);
                None
            }
        };
        let declared = image.mime_type.as_ref().and_then(|mime| mime.as_str());
        if let Some(mime) = declared.or(found) {
            types.insert(index, mime);
        }
    }
    check_textures(document, &types, warnings);
}

fn check_uri(uri: &str, path: &str, warnings: &mut dyn Sink) {
    if let Some(message) = uris::fault(uri) {
        warnings.fault("INVALID_URI", path, format!("{}: {message}", quoted(uri)));
    }
}

/// The first bytes of an image, or why they cannot be had; `None` where that is another rule's business.
fn head_of(
    document: &Document,
    buffers: &Buffers<'_>,
    head: &mut Heads<'_>,
    (image, facts): (&Image, &ImageFacts),
    path: &str,
) -> Result<Option<Head>, Broken> {
    match (&image.uri, facts.view) {
        (Some(uri), _) => head(uri).map(Some),
        (None, Some(view)) => {
            let view = buffer::view(document, buffers, view, path).ok();
            Ok(view.map(|view| Head::of(view.bytes)))
        }
        (None, None) => Ok(None),
    }
}

/// Compares an image's declarations with its first bytes, and returns the type of these.
fn check_image(
    document: &Document,
    head: &Head,
    (image, facts): (&Image, &ImageFacts),
    path: &str,
    warnings: &mut dyn Sink,
) -> Option<&'static str> {
    let found = image_head::mime_type(&head.bytes);
    if let Some(said) = image.uri.as_deref().and_then(uris::data_type).map(str::to_ascii_lowercase)
        && Some(said.as_str()) != found
    {
        let holds = found.unwrap_or("no known image format");
        let message = format!("says {}, but holds {holds}", quoted(&said));
        warnings.fault("INVALID_URI", &format!("{path}.uri"), message);
        return None;
    }
    let Some(found) = found else {
        // If the picture was to be shown, a warning covers the failure.
        if !warnings.says(path) {
            let what = if head.bytes.is_empty() { "is empty" } else { "is not a known image format" };
            warnings.fault("IMAGE_UNRECOGNIZED_FORMAT", path, what);
        }
        return None;
    };
    let broken =
        if head.is_whole { image_head::broken(&head.bytes) } else { image_head::broken_start(&head.bytes) };
    if let Some((code, message)) = broken {
        warnings.fault(code, path, message);
        return Some(found);
    }
    if found == "image/webp" && !document.extensions_used.iter().any(|name| name == WEBP) {
        let message = format!("is WebP, which needs {WEBP} in extensionsUsed");
        warnings.fault("IMAGE_NON_ENABLED_MIME_TYPE", path, message);
    }
    if let Some(declared) = facts.mime.filter(|declared| *declared != found) {
        let message = format!("says {}, but holds {found}", quoted(declared));
        warnings.fault("IMAGE_MIME_TYPE_INVALID", path, message);
    }
    Some(found)
}

/// Checks that the sources of textures have allowed types.
fn check_textures(document: &Document, types: &BTreeMap<usize, &str>, warnings: &mut dyn Sink) {
    for (index, texture) in document.textures.iter().enumerate() {
        let path = format!("textures[{index}]");
        let webp = json::extension::<TextureSource>(&texture.extensions, WEBP, &path).ok().flatten();
        let webp = webp.and_then(|webp| webp.source);
        for (source, member, may_be) in [
            (texture.source, "source", &["image/jpeg", "image/png"][..]),
            (webp, "extensions.EXT_texture_webp.source", &["image/webp"]),
        ] {
            let Some((source, mime)) = source.and_then(|source| types.get_key_value(&source)) else {
                continue;
            };
            // If the picture was to be shown, a warning about the image covers it.
            let is_said = warnings.warns(INVALID_TYPE, &format!("images[{source}]"));
            if !may_be.contains(mime) && !is_said {
                let message = format!("image {source} is {}, which it may not be here", quoted(mime));
                warnings.fault(INVALID_TYPE, &format!("{path}.{member}"), message);
            }
        }
    }
}
