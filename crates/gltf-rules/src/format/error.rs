//! Faults that make a file, or a part of it, unreadable.

use crate::text::at;

/// Why a file's JSON, or data that it describes, cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FormatError {
    /// The JSON is broken or a value in it has the wrong type.
    #[error("{}", at(path, message))]
    Json {
        /// The broken rule, by the Khronos glTF validator's name.
        code: &'static str,
        /// JSON path, if available; empty for the document itself.
        path: String,
        /// The parser's message.
        message: String,
    },
    /// Another version of the format.
    #[error("{}", at(path, message))]
    Version {
        /// JSON path.
        path: &'static str,
        /// The version found.
        message: String,
    },
    /// A value that breaks a rule of the format in a way that cannot be repaired.
    #[error("{}", at(path, message))]
    Invalid {
        /// The broken rule, by the Khronos glTF validator's name.
        code: &'static str,
        /// JSON path.
        path: String,
        /// The broken rule, with the numbers found.
        message: String,
    },
}

impl FormatError {
    /// A broken rule at a path; `code` names the rule.
    pub(crate) fn broken(code: &'static str, path: impl Into<String>, message: impl Into<String>) -> Self {
        Self::Invalid { code, path: path.into(), message: message.into() }
    }

    /// A reference to an object that the file does not have.
    pub fn no_such(path: &str, noun: &str, index: usize, count: usize) -> Self {
        let message = format!("there is no {noun} {index} (the file has {count})");
        Self::broken("UNRESOLVED_REFERENCE", path, message)
    }

    /// The broken rule, by the Khronos glTF validator's name.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Json { code, .. } | Self::Invalid { code, .. } => code,
            Self::Version { .. } => "UNKNOWN_ASSET_MAJOR_VERSION",
        }
    }

    /// JSON path and message.
    pub fn parts(&self) -> (&str, &str) {
        match self {
            Self::Json { path, message, .. } | Self::Invalid { path, message, .. } => (path, message),
            Self::Version { path, message } => (path, message),
        }
    }
}
