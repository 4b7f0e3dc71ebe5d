//! Splits a file's bytes and parses its JSON.

use super::container::{self, Container};
use super::json::{self, Document};
use crate::reading::Reader;
use crate::reading::budget::Budget;
use crate::reading::error::LoadError;

/// A file's two parts, what it may unfold to, and its JSON as it is written.
pub fn parse(bytes: &[u8], reader: Reader) -> Result<(Container<'_>, Budget, Document), LoadError> {
    let container = container::split(bytes).map_err(LoadError::Container)?;
    let mut budget = Budget::beside(container.json).ok_or(LoadError::TooManyObjects)?;
    budget.add(container.binary.map_or(0, <[u8]>::len));
    let document = match reader {
        Reader::Own => json::parse(container.json)?,
        #[cfg(feature = "gltf")]
        Reader::Gltf => super::gltf_crate::parse(container.json)?,
        #[cfg(not(feature = "gltf"))]
        Reader::Gltf => return Err(no_crate()),
    };
    Ok((container, budget, document))
}

#[cfg(not(feature = "gltf"))]
fn no_crate() -> LoadError {
    let message = "this build has no second reader (feature gltf)".to_owned();
    LoadError::Unsupported { path: String::new(), message }
}
