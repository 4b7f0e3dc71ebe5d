//! Reads files as a program with the `gltf` crate would.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use base64::Engine;
use percent_encoding::percent_decode_str;

/// A document and its buffers.
pub struct Source {
    /// The parsed document.
    pub document: gltf::Document,
    /// The bytes of its buffers, as far as they exist.
    pub buffers: Vec<Vec<u8>>,
}

/// Reads a file, or returns why the crate refuses it.
pub fn read(bytes: &[u8], folder: Option<&Path>, validate: bool) -> Result<Source, String> {
    // The crate's GLB reader allocates 4 GiB for a header that claims 0 bytes.
    if bytes.starts_with(b"glTF") && bytes.get(8..12).is_none_or(|length| length < &[12, 0, 0, 0][..]) {
        return Err("GLB header of no length".to_owned());
    }
    let parse = || match validate {
        true => gltf::Gltf::from_slice(bytes),
        false => gltf::Gltf::from_slice_without_validation(bytes),
    };
    // The crate panics on some files.
    let gltf::Gltf { document, blob } = match catch_unwind(AssertUnwindSafe(parse)) {
        Ok(Ok(file)) => file,
        Ok(Err(error)) => return Err(error.to_string()),
        Err(_) => return Err("panicked".to_owned()),
    };
    let mut buffers = Vec::new();
    for buffer in &document.as_json().buffers {
        let bytes = match &buffer.uri {
            None => blob.clone(),
            Some(uri) => match uri.strip_prefix("data:") {
                Some(data) => {
                    let (_, text) = data.split_once(',').unwrap_or_default();
                    base64::engine::general_purpose::STANDARD.decode(text).ok()
                }
                None => {
                    let name = percent_decode_str(uri).decode_utf8_lossy().into_owned();
                    folder.and_then(|folder| std::fs::read(folder.join(name)).ok())
                }
            },
        };
        buffers.push(bytes.unwrap_or_default());
    }
    Ok(Source { document, buffers })
}
