//! The error of a broken list.

/// An error in a list.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {message}")]
pub struct ListError {
    /// Counted from 1; 0 if the file cannot be read at all.
    pub line: usize,
    /// What was found, and what was expected.
    pub message: String,
}
