//! Bytes of buffers, and views into them.

use std::borrow::Cow;

use super::error::FormatError;
use super::json::{Buffer, Document};

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

/// Returns the fault of a buffer with fewer bytes than it declares, which matters only if a view reaches past the end.
pub fn shortfall(buffer: &Buffer, actual: usize) -> Option<String> {
    let Buffer { byte_length, .. } = buffer;
    (actual < *byte_length).then(|| format!("says {byte_length} bytes, but has only {actual}"))
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
) -> Result<View<'a>, FormatError> {
    let view = document
        .buffer_views
        .get(index)
        .ok_or_else(|| FormatError::no_such(from, "buffer view", index, document.buffer_views.len()))?;
    let path = format!("bufferViews[{index}]");
    let buffer = buffers.get(view.buffer).ok_or_else(|| {
        FormatError::no_such(&format!("{path}.buffer"), "buffer", view.buffer, buffers.len())
    })?;
    let bytes = buffer.as_deref().ok_or_else(|| {
        let message = match document.buffers.get(view.buffer).is_some_and(is_fallback) {
            true => format!("is the fallback of compressed views, but {path} is not compressed"),
            false => "has no uri, and the file has no binary chunk for it".to_owned(),
        };
        FormatError::broken("BUFFER_MISSING_GLB_DATA", format!("buffers[{}]", view.buffer), message)
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
            FormatError::broken("BUFFER_VIEW_TOO_LONG", &path, message)
        })?;
    // Zero is what glTF 1.0 wrote for "no gaps", and some writers still do.
    Ok(View { bytes, stride: view.byte_stride.filter(|stride| *stride != 0) })
}
