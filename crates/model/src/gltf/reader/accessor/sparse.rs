//! Elements of accessors that replace others. It must not know how the others are stored.

use super::accessors::Accessors;
use super::elements::{Place, Run, component};
use crate::gltf::component::Component;
use crate::gltf::error::LoadError;
use crate::gltf::json::Sparse;

/// Elements that replace those of the base.
#[derive(Clone, Copy, Debug)]
pub struct Replacements<'a> {
    pub count: usize,
    pub component: Component,
    pub indices: Run<'a>,
    pub values: Run<'a>,
}

impl Replacements<'_> {
    /// Hands over each replacement's number and bytes; `path` is the accessor's.
    pub fn each(
        &self,
        elements: usize,
        path: &str,
        mut take: impl FnMut(u32, &[u8]),
    ) -> Result<(), LoadError> {
        let indices = self.indices.bytes.chunks(self.indices.stride);
        let values = self.values.bytes.chunks(self.values.stride);
        for (at, (index, value)) in indices.zip(values).take(self.count).enumerate() {
            // At most 32 bits, which is what components of indices have.
            let index = self.component.read(index).unwrap_or_default() as u32;
            if index as usize >= elements {
                let message = format!("index {index} at {at}, but there are {elements} elements");
                return Err(LoadError::broken(
                    "ACCESSOR_SPARSE_INDEX_OOB",
                    format!("{path}.sparse.indices"),
                    message,
                ));
            }
            take(index, value);
        }
        Ok(())
    }
}

impl<'a> Accessors<'a> {
    /// Finds replacements and makes sure that all their bytes are there.
    pub(super) fn replacements(
        &self,
        sparse: &Sparse,
        element_bytes: usize,
        path: &str,
    ) -> Result<Replacements<'a>, LoadError> {
        let Sparse { count, indices, values } = sparse;
        let count = *count;
        let component = component(indices.component_type, &format!("{path}.indices"))?;
        match component {
            Component::U8 | Component::U16 | Component::U32 => {}
            Component::I8 | Component::I16 | Component::F32 => {
                let message = format!("indices cannot be {}", component.name());
                return Err(LoadError::broken(
                    "VALUE_NOT_IN_LIST",
                    format!("{path}.indices.componentType"),
                    message,
                ));
            }
        }
        let (view, offset, index_bytes) = (indices.buffer_view, indices.byte_offset, component.size());
        let place = Place { view, offset, count, element_bytes: index_bytes };
        let indices = self.run(place, &format!("{path}.indices"))?;
        let (view, offset) = (values.buffer_view, values.byte_offset);
        let place = Place { view, offset, count, element_bytes };
        let values = self.run(place, &format!("{path}.values"))?;
        Ok(Replacements { count, component, indices, values })
    }
}
