//! The files that a model names.

use std::path::PathBuf;

/// A file that a model names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelFile {
    /// The path where it is expected.
    pub path: PathBuf,
    /// Its role in the model.
    pub part: FilePart,
}

/// Role of a file in a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FilePart {
    /// Numbers.
    Buffer,
    /// A picture: the number of the first image that names it.
    Picture(usize),
}
