//! Compressed buffer views: each is decoded into a buffer of its own, and the document then says that the
//! view lies there. It must not know what the views are used for.

mod attributes;
mod bytes;
mod filter;
mod indices;
#[cfg(test)]
mod tests;

use std::borrow::Cow;

use self::bytes::Fault;
use self::filter::Filter;
use super::budget::Budget;
use super::buffer::Buffers;
use super::error::LoadError;
use super::json::{Buffer, BufferExtensions, BufferView, Document, Meshopt};
use super::report::quoted;

/// Decodes every compressed view and puts it in the place of the view's own bytes.
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

/// What is to be decoded, once it is known to make sense.
struct Plan {
    mode: Mode,
    count: usize,
    stride: usize,
    filter: Filter,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    Attributes,
    Triangles,
    Indices,
}

impl Plan {
    fn new(meshopt: &Meshopt, view: &BufferView, path: &str) -> Result<Self, LoadError> {
        let invalid =
            |property: &str, message: String| Err(LoadError::invalid(format!("{path}.{property}"), message));
        let (count, stride) = (meshopt.count, meshopt.byte_stride);
        let mode = match meshopt.mode.as_str() {
            "ATTRIBUTES" => Mode::Attributes,
            "TRIANGLES" => Mode::Triangles,
            "INDICES" => Mode::Indices,
            other => return invalid("mode", format!("{} is not a mode", quoted(other))),
        };
        let name = meshopt.filter.as_deref().unwrap_or("NONE");
        let Some(filter) = Filter::from_name(name) else {
            return invalid("filter", format!("{} is not a filter", quoted(name)));
        };
        let fits = match mode {
            Mode::Attributes => stride.is_multiple_of(4) && (4..=256).contains(&stride),
            Mode::Triangles | Mode::Indices => matches!(stride, 2 | 4),
        };
        if !fits {
            let message = format!("{} has no elements of {stride} bytes", meshopt.mode);
            return invalid("byteStride", message);
        }
        if !filter.fits(stride) || mode != Mode::Attributes && filter != Filter::None {
            let message = format!("{name} does not go with {} of {stride} bytes", meshopt.mode);
            return invalid("filter", message);
        }
        if mode == Mode::Triangles && !count.is_multiple_of(3) {
            return invalid("count", format!("{count} indices do not make whole triangles"));
        }
        if count.checked_mul(stride) != Some(view.byte_length) {
            let message =
                format!("{count} elements of {stride} bytes, but the buffer view has {}", view.byte_length);
            return invalid("count", message);
        }
        if view.byte_stride.is_some_and(|own| own != stride) {
            let own = view.byte_stride.unwrap_or_default();
            return invalid("byteStride", format!("{stride}, but the buffer view has a stride of {own}"));
        }
        Ok(Self { mode, count, stride, filter })
    }

    fn decode(&self, stream: &[u8]) -> Result<Vec<u8>, Fault> {
        let Self { mode, count, stride, filter } = *self;
        let indices = match mode {
            Mode::Attributes => {
                let mut bytes = attributes::decode(stream, count, stride)?;
                filter.apply(&mut bytes, stride);
                return Ok(bytes);
            }
            Mode::Triangles => indices::decode_triangles(stream, count)?,
            Mode::Indices => indices::decode_indices(stream, count)?,
        };
        // Indices of 16 bits lose the upper half, as the format says.
        Ok(match stride {
            2 => indices.iter().flat_map(|index| (*index as u16).to_le_bytes()).collect(),
            _ => indices.iter().flat_map(|index| index.to_le_bytes()).collect(),
        })
    }
}
