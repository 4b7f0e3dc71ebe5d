//! Reads buffers and checks views into them.

use std::borrow::Cow;

use super::json::{Buffer, Document};
use crate::reading::error::LoadError;
use crate::reading::source::Sources;
use crate::reading::warnings::Warnings;

/// The bytes of every buffer; `None` for one that the file only mentions.
pub type Buffers<'a> = Vec<Option<Cow<'a, [u8]>>>;

/// A buffer view's bytes and the stride it asks for.
#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    /// The bytes, exactly as many as the view declares.
    pub bytes: &'a [u8],
    /// Bytes from element to element; `None` for elements without gaps.
    pub stride: Option<usize>,
}

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
        if let Some(bytes) = &bytes
            && bytes.len() < buffer.byte_length
        {
            // The missing bytes matter only if a view reaches past the end.
            let message = format!("says {} bytes, but only {} are there", buffer.byte_length, bytes.len());
            warnings.add("BUFFER_BYTE_LENGTH_MISMATCH", &format!("buffers[{index}].byteLength"), message);
        }
        buffers.push(bytes);
    }
    Ok(buffers)
}

/// Returns true if a buffer is a fallback for readers that cannot decompress.
pub fn is_fallback(buffer: &Buffer) -> bool {
    buffer.extensions.ext_meshopt.fallback || buffer.extensions.khr_meshopt.fallback
}

/// The bytes of a view that `from` refers to.
pub fn view<'a>(
    document: &Document,
    buffers: &'a Buffers<'_>,
    index: usize,
    from: &str,
) -> Result<View<'a>, LoadError> {
    let view = document
        .buffer_views
        .get(index)
        .ok_or_else(|| LoadError::no_such(from, "buffer view", index, document.buffer_views.len()))?;
    let path = format!("bufferViews[{index}]");
    let buffer = buffers
        .get(view.buffer)
        .ok_or_else(|| LoadError::no_such(&format!("{path}.buffer"), "buffer", view.buffer, buffers.len()))?;
    let bytes = buffer.as_deref().ok_or_else(|| {
        let message = match document.buffers.get(view.buffer).is_some_and(is_fallback) {
            true => format!("is the fallback of compressed views, which {path} is not"),
            false => "has no uri, and the file has no binary chunk for it".to_owned(),
        };
        LoadError::broken("BUFFER_MISSING_GLB_DATA", format!("buffers[{}]", view.buffer), message)
    })?;
    let start = view.byte_offset.unwrap_or(0);
    let bytes =
        start.checked_add(view.byte_length).and_then(|end| bytes.get(start..end)).ok_or_else(|| {
            let message = format!(
                "{} bytes from {start} on, but buffer {} holds {}",
                view.byte_length,
                view.buffer,
                bytes.len()
            );
            LoadError::broken("BUFFER_VIEW_TOO_LONG", &path, message)
        })?;
    // Zero is what glTF 1.0 wrote for "no gaps", and some writers still do.
    Ok(View { bytes, stride: view.byte_stride.filter(|stride| *stride != 0) })
}
