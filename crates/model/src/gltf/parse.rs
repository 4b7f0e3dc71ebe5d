//! Splits a file's bytes and parses its JSON.

use sinew_gltf_rules::format::container::{self, Container};
use sinew_gltf_rules::format::json::{self, Document};

use crate::reading::budget::Budget;
use crate::reading::error::LoadError;
use crate::reading::{Reader, foreign};

/// A file's two parts, its memory budget, and its JSON as it is written.
pub fn parse(bytes: &[u8], reader: Reader) -> Result<(Container<'_>, Budget, Document), LoadError> {
    if let Some(format) = foreign::of(bytes) {
        return Err(LoadError::Foreign(format));
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_files_are_called_by_their_names() {
        let text = parse(b"Kaydara FBX Binary  \0", Reader::Own).map(|_| ()).unwrap_err().to_string();
        assert!(text.starts_with("this is an FBX file; sinew reads glTF 2.0"), "{text}");
        assert!(matches!(parse(b"<", Reader::Own), Err(LoadError::Foreign(_))));
    }
}
