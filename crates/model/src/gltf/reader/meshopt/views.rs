//! Decodes each compressed view into a separate buffer and updates the document.

use std::borrow::Cow;

use super::plan::Plan;
use crate::gltf::buffer::Buffers;
use crate::gltf::json::{Buffer, BufferExtensions, Document, Meshopt};
use crate::reading::budget::Budget;
use crate::reading::error::LoadError;

/// Decodes every compressed view, and replaces the view's bytes.
pub fn decode_views(
    document: &mut Document,
    buffers: &mut Buffers<'_>,
    budget: &mut Budget,
) -> Result<(), LoadError> {
    for (index, view) in document.buffer_views.iter_mut().enumerate() {
        let Some(extensions) = view.extensions.take() else { continue };
        let (name, meshopt) = match (extensions.khr_meshopt, extensions.ext_meshopt) {
            (Some(meshopt), _) => ("KHR_meshopt_compression", meshopt),
            (None, Some(meshopt)) => ("EXT_meshopt_compression", meshopt),
            (None, None) => continue,
        };
        let path = format!("bufferViews[{index}].extensions.{name}");
        let plan = Plan::new(&meshopt, view, &path)?;
        let stream = stream(&meshopt, buffers, &path)?;
        budget.charge(&format!("{path}.count"), meshopt.count, meshopt.byte_stride)?;
        let decoded = plan.decode(stream).map_err(|fault| LoadError::invalid(path, fault))?;

        view.buffer = buffers.len();
        view.byte_offset = None;
        view.byte_length = decoded.len();
        let byte_length = decoded.len();
        document.buffers.push(Buffer { uri: None, byte_length, extensions: BufferExtensions::default() });
        buffers.push(Some(Cow::Owned(decoded)));
    }
    Ok(())
}

/// The compressed bytes.
fn stream<'a>(meshopt: &Meshopt, buffers: &'a Buffers<'_>, path: &str) -> Result<&'a [u8], LoadError> {
    let buffer = buffers.get(meshopt.buffer).ok_or_else(|| {
        LoadError::no_such(&format!("{path}.buffer"), "buffer", meshopt.buffer, buffers.len())
    })?;
    let bytes = buffer.as_deref().unwrap_or_default();
    let start = meshopt.byte_offset.unwrap_or(0);
    start.checked_add(meshopt.byte_length).and_then(|end| bytes.get(start..end)).ok_or_else(|| {
        let (length, held) = (meshopt.byte_length, bytes.len());
        let message = format!("{length} bytes from {start} on, but buffer {} holds {held}", meshopt.buffer);
        LoadError::invalid(path, message)
    })
}
