//! The files that a model names.

use std::path::PathBuf;

/// A file that a model names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelFile {
    /// Where it is looked for.
    pub path: PathBuf,
    /// What it is to the model.
    pub part: FilePart,
}

/// What a file is to a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FilePart {
    /// Numbers.
    Buffer,
    /// A picture: the number of the first image that names it.
    Picture(usize),
}
