//! What can be wrong with a list.

/// What is wrong with a list.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {message}")]
pub struct ListError {
    /// Counted from 1; 0 where the file cannot be read at all.
    pub line: usize,
    /// What was found, and what was expected.
    pub message: String,
}
