//! Errors of loading a file: typed values whose text is a single line.

use sinew_gltf_rules::format::{ContainerError, FormatError};

use super::foreign::Foreign;
use super::message::{at, quoted, vertex_at};
use super::source_error::SourceError;
use crate::unknown::Unknown;

/// The reason that a file could not be loaded.
///
/// The text is the cause in one line, without the model's own file name, and starts with the JSON
/// path of the value at fault where there is one.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LoadError {
    /// The model file itself could not be read.
    #[error("{0}")]
    File(SourceError),
    /// The file is not a whole GLB container.
    #[error("{0}")]
    Container(ContainerError),
    /// The file has another format.
    #[error("this is {0}")]
    Foreign(Foreign),
    /// The JSON is broken or a value in it has the wrong type.
    #[error("{}", at(path, message))]
    Json {
        /// The rule that is broken.
        code: &'static str,
        /// JSON path, if available; empty for the document itself.
        path: String,
        /// The parser's message.
        message: String,
    },
    /// A valid file that needs something sinew does not do.
    #[error("{}", at(path, message))]
    Unsupported {
        /// JSON path.
        path: String,
        /// The requirement, and the loss without it.
        message: String,
    },
    /// Data that the file refers to could not be had.
    #[error("{path}: {what} {}: {cause}", quoted(uri))]
    External {
        /// JSON path of the reference.
        path: String,
        /// The kind of data, such as `buffer`.
        what: &'static str,
        /// The URI as the file gives it.
        uri: String,
        /// Why it could not be had.
        cause: SourceError,
    },
    /// The caller asked for a scene that the file does not have.
    #[error("{0}")]
    NoScene(Unknown),
    /// The caller asked for a variant, or a set of variants, that the file does not have.
    #[error("{0}")]
    NoVariant(Box<Unknown>),
    /// A vertex refers to a joint that its skin does not have.
    #[error(
        "{path}: joint {joint} at vertex {}, but skin {skin} has {joint_count} joints",
        vertex_at(path, *vertex)
    )]
    JointOutOfRange {
        /// JSON path of the attribute.
        path: String,
        /// The joint number found.
        joint: u32,
        /// The vertex it was found at.
        vertex: usize,
        /// The skin in question, as the file numbers them.
        skin: usize,
        /// Number of joints in that skin.
        joint_count: usize,
    },
    /// The file asks for more memory than a file of its size may take.
    #[error(
        "{path}: {elements} elements need more than the {limit_mib} MiB that a file of this size may use"
    )]
    TooLarge {
        /// JSON path of the request.
        path: String,
        /// Number of elements requested.
        elements: usize,
        /// Memory limit of a file of this size.
        limit_mib: u64,
    },
    /// More elements without stored bytes than a file of this size may have.
    #[error(
        "{path}: {elements} elements that the file does not store need, with all others, \
         more than {limit_mib} MiB"
    )]
    NotStored {
        /// JSON path of the count.
        path: String,
        /// Number of elements without bytes.
        elements: usize,
        /// Memory limit of such elements, of all accessors.
        limit_mib: u64,
    },
    /// Motion that would take too long to read.
    #[error("{path}: more than {samples} samples of motion, the limit for a file of this size")]
    TooMuchMotion {
        /// The clip.
        path: String,
        /// Maximum number of samples.
        samples: u64,
    },
    /// The caller stopped the read.
    #[error("stopped")]
    Stopped,
    /// The JSON alone would take more memory than a file of its size may take.
    #[error("more JSON objects than a file of this size may have")]
    TooManyObjects,
    /// A value that breaks a rule of the format in a way that cannot be repaired.
    #[error("{}", at(path, message))]
    Invalid {
        /// The rule that is broken.
        code: &'static str,
        /// JSON path.
        path: String,
        /// The broken rule, with the numbers found.
        message: String,
    },
}

impl LoadError {
    /// Returns true if the file only refers to something outside its folder, which the caller may allow.
    pub fn leads_outside(&self) -> bool {
        matches!(self, Self::External { cause: SourceError::Outside(_), .. })
    }

    /// Returns true if a file that the model names does not exist.
    pub fn lacks_a_file(&self) -> bool {
        matches!(self, Self::External { cause: SourceError::Missing, .. })
    }

    /// Returns true if the requested path is not a file: missing, a folder, a pipe or a device.
    pub fn is_no_file(&self) -> bool {
        matches!(self, Self::File(SourceError::Missing | SourceError::NotAFile))
    }

    /// Returns true if the requested file does not exist.
    pub fn is_missing(&self) -> bool {
        matches!(self, Self::File(SourceError::Missing))
    }

    /// A broken rule at a path, where the Khronos validator has no name for the rule.
    pub(crate) fn invalid(path: impl Into<String>, message: impl Into<String>) -> Self {
        Self::broken("INVALID_DATA", path, message)
    }

    /// A broken rule at a path; `code` names the rule.
    pub(crate) fn broken(code: &'static str, path: impl Into<String>, message: impl Into<String>) -> Self {
        Self::Invalid { code, path: path.into(), message: message.into() }
    }

    /// A reference to something that is not there.
    pub(crate) fn no_such(path: &str, noun: &str, index: usize, count: usize) -> Self {
        FormatError::no_such(path, noun, index, count).into()
    }

    /// The broken rule, by the Khronos glTF validator's name if it has one.
    pub fn code(&self) -> &'static str {
        match self {
            Self::File(_) => "IO_ERROR",
            Self::Container(error) => error.code(),
            Self::Foreign(_) => "INVALID_JSON",
            Self::Json { code, .. } | Self::Invalid { code, .. } => code,
            Self::Unsupported { path, .. } if path.starts_with("asset.") => "UNKNOWN_ASSET_MAJOR_VERSION",
            Self::Unsupported { .. } => "UNSUPPORTED_EXTENSION",
            Self::External { cause: SourceError::Data(_), .. } => "INVALID_URI",
            Self::External { .. } => "IO_ERROR",
            Self::JointOutOfRange { .. } => "ACCESSOR_JOINTS_INDEX_OOB",
            Self::TooLarge { .. }
            | Self::NotStored { .. }
            | Self::TooMuchMotion { .. }
            | Self::TooManyObjects => "TOO_LARGE",
            Self::Stopped => "STOPPED",
            Self::NoScene(_) | Self::NoVariant(_) => "UNRESOLVED_REFERENCE",
        }
    }
}

impl From<FormatError> for LoadError {
    fn from(error: FormatError) -> Self {
        match error {
            FormatError::Json { code, path, message } => Self::Json { code, path, message },
            FormatError::Version { path, message } => Self::Unsupported { path: path.to_owned(), message },
            FormatError::Invalid { code, path, message } => Self::Invalid { code, path, message },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_one_line_with_their_path() {
        let error = LoadError::invalid("nodes[3].children[0]", "line\nbreak");
        assert_eq!(error.to_string(), "nodes[3].children[0]: line\\nbreak");
        let error = LoadError::Json { code: "INVALID_JSON", path: ".".into(), message: "EOF".into() };
        assert_eq!(error.to_string(), "EOF");
    }

    #[test]
    fn a_joint_out_of_range_names_everything() {
        let error = LoadError::JointOutOfRange {
            path: "meshes[0].primitives[1].attributes.JOINTS_0".into(),
            joint: 7,
            vertex: 12,
            skin: 0,
            joint_count: 4,
        };
        assert_eq!(
            error.to_string(),
            "meshes[0].primitives[1].attributes.JOINTS_0: joint 7 at vertex mesh0:1:12, but skin 0 has 4 joints"
        );
    }
}
