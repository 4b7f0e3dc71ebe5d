//! A model as it comes out of a file.

use crate::Model;
use crate::reading::ModelFile;

/// A model, and what it was read from besides its own file.
#[derive(Debug)]
pub struct Loaded {
    /// The model.
    pub model: Model,
    /// The files that it names.
    pub files: Vec<ModelFile>,
    /// One SHA-256 for all that was read of them: of what `sha256sum` prints about them in order of their names, which are
    /// relative to the model's folder. `None` where there are none, or nobody asked.
    pub digest: Option<String>,
}
