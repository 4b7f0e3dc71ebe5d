//! Errors of reading and writing image files.

/// An error in reading or writing an image file.
#[derive(Debug, thiserror::Error)]
pub enum ImageError {
    /// The file or the stream failed.
    #[error("{0}")]
    Io(#[from] std::io::Error),
    /// The bytes are not an image that sinew can read.
    #[error("{0}")]
    Read(String),
    /// The format cannot hold the image, or its encoder failed.
    #[error("cannot write {format}: {cause}")]
    Write {
        /// The format's name.
        format: &'static str,
        /// The cause of the failure.
        cause: String,
    },
}

impl ImageError {
    /// Makes the error for an image that a format cannot hold.
    pub(super) fn write(format: &'static str, cause: impl std::fmt::Display) -> Self {
        Self::Write { format, cause: cause.to_string() }
    }
}

/// Converts an error of the PNG encoder.
pub(super) fn encoding(error: ::png::EncodingError) -> ImageError {
    match error {
        ::png::EncodingError::IoError(error) => ImageError::Io(error),
        other => ImageError::write("PNG", other),
    }
}
