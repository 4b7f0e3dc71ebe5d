//! Errors of reading vertices: typed values whose text is a single line.

use std::sync::Arc;

use sinew_model::LoadError;
use sinew_model::gltf::{one_line, shortened};

/// The reason why no vertices could be read. The text is the cause in one line, without the file's name.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// Content that breaks the rules of its format, or is incomplete.
    #[error("{}", at(place, message))]
    Broken {
        /// The line, array, element or header at fault; empty for the whole file.
        place: String,
        /// The fault, with the numbers found.
        message: String,
    },
    /// Valid content that is not read.
    #[error("{}; {instead}", at(place, message))]
    Unsupported {
        /// The array, element or header; empty for the whole file.
        place: String,
        /// The content found.
        message: String,
        /// Advice to the user.
        instead: String,
    },
    /// Content that needs more memory than a file of its size may take.
    #[error("{}", at(place, &format!("needs more than the {limit_mib} MiB that a file of this size may use")))]
    TooLarge {
        /// The array or element.
        place: String,
        /// Memory limit of a file of this size.
        limit_mib: u64,
    },
    /// A frame beyond the last.
    #[error("there is no frame {asked}: the file has {frames}, counted from 0")]
    NoFrame {
        /// The frame that the caller asked for.
        asked: usize,
        /// The number of frames in the file.
        frames: usize,
    },
    /// A file without any vertex.
    #[error("the file has no vertices")]
    Empty,
    /// A model that cannot be loaded.
    #[error("{0}")]
    Model(Arc<LoadError>),
}

impl ReadError {
    pub(super) fn broken(place: impl Into<String>, message: impl Into<String>) -> Self {
        Self::Broken { place: place.into(), message: message.into() }
    }

    pub(super) fn unsupported(
        place: impl Into<String>,
        message: impl Into<String>,
        instead: impl Into<String>,
    ) -> Self {
        Self::Unsupported { place: place.into(), message: message.into(), instead: instead.into() }
    }

    /// Content that ends too early.
    pub(super) fn cut(place: &str, needed: Option<usize>, found: usize) -> Self {
        let message = match needed {
            Some(needed) => format!("the file is cut off: {needed} bytes are needed, and {found} are left"),
            None => format!("the file is cut off: more bytes are needed than the {found} that are left"),
        };
        Self::broken(place, message)
    }
}

/// Returns the message behind its place, in one line that is not too long.
fn at(place: &str, message: &str) -> String {
    let colon = if place.is_empty() { "" } else { ": " };
    format!("{}{colon}{}", shortened(&one_line(place)), shortened(&one_line(message)))
}
