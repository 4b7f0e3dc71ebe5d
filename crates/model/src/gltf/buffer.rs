//! Reads buffers.

use std::borrow::Cow;

pub use sinew_gltf_rules::format::buffer::{Buffers, is_fallback, shortfall, view};
use sinew_gltf_rules::format::json::Document;

use crate::reading::error::LoadError;
use crate::reading::source::Sources;
use crate::reading::warnings::Warnings;

/// Reads all buffers: the container's binary chunk, `data:` URIs and files.
pub fn read_all<'a>(
    document: &Document,
    binary: Option<&'a [u8]>,
    sources: &mut Sources<'_>,
    warnings: &mut Warnings,
) -> Result<Buffers<'a>, LoadError> {
    let mut buffers = Vec::with_capacity(document.buffers.len());
    for (index, buffer) in document.buffers.iter().enumerate() {
        if is_fallback(buffer) {
            // Its views are decoded from other buffers.
            buffers.push(None);
            continue;
        }
        let bytes = match &buffer.uri {
            Some(uri) => {
                let fetched = sources.fetch(uri).map_err(|cause| LoadError::External {
                    path: format!("buffers[{index}].uri"),
                    what: "buffer",
                    uri: uri.clone(),
                    cause,
                })?;
                Some(Cow::Owned(fetched))
            }
            None if index == 0 => binary.map(Cow::Borrowed),
            None => None,
        };
        if let Some(message) = bytes.as_ref().and_then(|bytes| shortfall(buffer, bytes.len())) {
            warnings.add("BUFFER_BYTE_LENGTH_MISMATCH", &format!("buffers[{index}].byteLength"), message);
        }
        buffers.push(bytes);
    }
    Ok(buffers)
}
