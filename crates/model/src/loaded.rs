//! A model as it comes out of a file.

use crate::Model;
use crate::reading::ModelFile;

/// A model, and the other files that it was read from.
#[derive(Debug)]
pub struct Loaded {
    /// The model.
    pub model: Model,
    /// The files that it names.
    pub files: Vec<ModelFile>,
    /// SHA-256 of `sha256sum`'s output for the files that were read, in order of their names relative to the model's
    /// folder. `None` if there are no files, or no digest was requested.
    pub digest: Option<String>,
}
