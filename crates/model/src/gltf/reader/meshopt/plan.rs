//! Checks the compression of a view, and decodes it.

use super::bytes::Fault;
use super::filter::Filter;
use super::{attributes, indices};
use crate::gltf::json::{BufferView, Meshopt};
use crate::reading::error::LoadError;
use crate::reading::message::quoted;

/// Parameters of decoding, already validated.
pub struct Plan {
    pub mode: Mode,
    pub count: usize,
    pub stride: usize,
    pub filter: Filter,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    Attributes,
    Triangles,
    Indices,
}

impl Plan {
    pub fn new(meshopt: &Meshopt, view: &BufferView, path: &str) -> Result<Self, LoadError> {
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

    pub fn decode(&self, stream: &[u8]) -> Result<Vec<u8>, Fault> {
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
        // Indices of 16 bits lose the upper half, as the format specifies.
        Ok(match stride {
            2 => indices.iter().flat_map(|index| (*index as u16).to_le_bytes()).collect(),
            _ => indices.iter().flat_map(|index| index.to_le_bytes()).collect(),
        })
    }
}
