//! Checks and applies sparse elements.

use super::accessors::Accessors;
use super::elements::component;
use crate::gltf::json::Sparse;
use crate::gltf::run::Place;
use crate::gltf::sparse::{Indices, Replacements};
use crate::reading::error::LoadError;

/// Hands over each replacement's number and bytes; `path` is the path of the accessor, which has `count` elements.
pub fn each(
    replacements: Replacements<'_>,
    count: usize,
    path: &str,
    mut take: impl FnMut(u32, &[u8]),
) -> Result<(), LoadError> {
    for (at, (index, value)) in replacements.pairs().enumerate() {
        if index as usize >= count {
            let message = format!("index {index} at {at}, but there are {count} elements");
            let path = format!("{path}.sparse.indices");
            return Err(LoadError::broken("ACCESSOR_SPARSE_INDEX_OOB", path, message));
        }
        take(index, value);
    }
    Ok(())
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
