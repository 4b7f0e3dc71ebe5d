//! Finds the bytes of elements and of their replacements, and checks that the buffer has all of them.

use super::accessors::Accessors;
use super::elements::{Elements, component};
use crate::gltf::buffer;
use crate::gltf::json::{Accessor, Sparse};
use crate::gltf::run::{Place, Run};
use crate::gltf::sparse::{Indices, Replacements};
use crate::reading::error::LoadError;

impl<'a> Accessors<'a> {
    pub(super) fn accessor(&self, index: usize, from: &str) -> Result<&'a Accessor, LoadError> {
        let accessors = &self.document.accessors;
        accessors.get(index).ok_or_else(|| LoadError::no_such(from, "accessor", index, accessors.len()))
    }

    /// Finds an accessor's elements and makes sure that all their bytes are there.
    pub(super) fn elements(&mut self, index: usize, from: &str) -> Result<Elements<'a>, LoadError> {
        let accessor = self.accessor(index, from)?;
        self.tell(accessor.count)?;
        let path = format!("accessors[{index}]");
        let component = component(accessor.component_type, &path)?;
        let element_type = self.element_type(index, from)?;
        let element_bytes = element_type.bytes(component);
        let base = match accessor.buffer_view {
            Some(view) => {
                let place =
                    Place { offset: accessor.byte_offset.unwrap_or(0), count: accessor.count, element_bytes };
                Some(self.run(view, place, &path)?)
            }
            None => None,
        };
        let sparse = match &accessor.sparse {
            // Each element is replaced once at most. More would take time that the count does not show.
            Some(sparse) if sparse.count > accessor.count => {
                let message = format!("{} replacements for {} elements", sparse.count, accessor.count);
                return Err(LoadError::broken(
                    "ACCESSOR_SPARSE_COUNT_OUT_OF_RANGE",
                    format!("{path}.sparse.count"),
                    message,
                ));
            }
            Some(sparse) => Some(self.replacements(sparse, element_bytes, &format!("{path}.sparse"))?),
            None => None,
        };
        let (normalized, count) = (accessor.normalized, accessor.count);
        Ok(Elements { index, component, normalized, count, element_type, base, sparse })
    }

    /// Finds elements in a view and makes sure that all their bytes are there.
    pub(super) fn run(&self, index: usize, place: Place, path: &str) -> Result<Run<'a>, LoadError> {
        let Place { offset, count, element_bytes } = place;
        let view = buffer::view(self.document, self.buffers, index, &format!("{path}.bufferView"))?;
        let run = Run::new(&view, place);
        let stride = run.stride();
        if stride < element_bytes {
            let message = format!("a stride of {stride} bytes, but {path} has elements of {element_bytes}");
            let path = format!("bufferViews[{index}].byteStride");
            return Err(LoadError::broken("ACCESSOR_SMALL_BYTESTRIDE", path, message));
        }
        if !run.is_whole() {
            let held = view.bytes.len();
            let message = format!(
                "{count} elements of {element_bytes} bytes, {stride} apart, from byte {offset} on, \
                 but buffer view {index} holds {held} bytes"
            );
            return Err(LoadError::broken("ACCESSOR_TOO_LONG", path, message));
        }
        Ok(run)
    }

    /// Finds replacements and makes sure that all their bytes are there.
    pub(super) fn replacements(
        &self,
        sparse: &Sparse,
        element_bytes: usize,
        path: &str,
    ) -> Result<Replacements<'a>, LoadError> {
        let Sparse { count, indices, values } = sparse;
        let component = component(indices.component_type, &format!("{path}.indices"))?;
        if !component.is_index() {
            let message = format!("indices cannot be {}", component.name());
            let path = format!("{path}.indices.componentType");
            return Err(LoadError::broken("VALUE_NOT_IN_LIST", path, message));
        }
        let place = |offset: Option<usize>, element_bytes| Place {
            offset: offset.unwrap_or(0),
            count: *count,
            element_bytes,
        };
        let at = place(indices.byte_offset, component.size());
        let run = self.run(indices.buffer_view, at, &format!("{path}.indices"))?;
        let at = place(values.byte_offset, element_bytes);
        let values = self.run(values.buffer_view, at, &format!("{path}.values"))?;
        Ok(Replacements { indices: Indices { component, run }, values })
    }
}
