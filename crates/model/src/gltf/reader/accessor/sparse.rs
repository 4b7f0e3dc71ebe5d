//! Applies sparse elements.

use crate::gltf::sparse::Replacements;
use crate::reading::error::LoadError;

/// Calls a function with each replacement's index and bytes; `path` is that of the accessor, which has `count`
/// elements.
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
