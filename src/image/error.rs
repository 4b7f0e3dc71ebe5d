//! Why an image file could not be read or written. It must not know who wanted it.

/// Why an image file could not be read or written.
#[derive(Debug, thiserror::Error)]
pub enum ImageError {
    /// The file or the stream failed.
    #[error("{0}")]
    Io(#[from] std::io::Error),
    /// The bytes are no image that sinew reads.
    #[error("{0}")]
    Read(String),
    /// The format cannot hold the image, or its encoder failed.
    #[error("cannot write {format}: {cause}")]
    Write {
        /// The format's name.
        format: &'static str,
        /// What went wrong.
        cause: String,
    },
}

impl ImageError {
    /// An image that cannot be written in a format.
    pub(super) fn write(format: &'static str, cause: impl std::fmt::Display) -> Self {
        Self::Write { format, cause: cause.to_string() }
    }
}
