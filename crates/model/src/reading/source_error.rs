//! Errors of files, streams and URIs.

use std::io;

use sinew_gltf_rules::format::image_head::Broken;

use super::message::quoted;

/// The maximum size of a file, and of a model's file and all its external files together.
pub const MAX_FILE_BYTES: u64 = 1 << 30;

/// Why bytes could not be had.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SourceError {
    /// Nothing has that name.
    #[error("no such file")]
    Missing,
    /// A folder, a pipe or a device.
    #[error("not a regular file")]
    NotAFile,
    /// More bytes than are read.
    #[error("larger than {} MiB", .0 >> 20)]
    TooLarge(u64),
    /// More bytes than a model's file and all its external files may have together.
    #[error("with it, the model's files exceed {} MiB", MAX_FILE_BYTES >> 20)]
    TooLargeTogether,
    /// Repeated references to the same bytes exceed the memory of a model of this size.
    #[error("references to it need more memory than a model of this size may use")]
    TooOften,
    /// An error of the operating system.
    #[error("{0}")]
    Io(io::Error),
    /// A URI that is not followed, with the reason.
    #[error("{0}")]
    Refused(&'static str),
    /// A URI that needs the caller's permission to leave the model's folder.
    #[error("{0}")]
    Outside(&'static str),
    /// A `data:` URI that cannot be decoded.
    #[error("{0}")]
    Data(&'static str),
}

impl From<io::Error> for SourceError {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::NotFound => Self::Missing,
            _ => Self::Io(error),
        }
    }
}

/// The broken rule where a picture's bytes cannot be had, and why that is.
pub fn unavailable(uri: &str, cause: &SourceError) -> Broken {
    let (code, hint) = match cause {
        SourceError::Data(_) => ("INVALID_URI", ""),
        SourceError::Outside(_) => ("IO_ERROR", " (unless --allow-outside is given)"),
        _ => ("IO_ERROR", ""),
    };
    (code, format!("image {}: {cause}{hint}", quoted(uri)))
}
