//! Why the container of a file cannot be taken apart.

/// Why a GLB could not be taken apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ContainerError {
    /// There is nothing to read.
    #[error("the file is empty")]
    Empty,
    /// The twelve bytes of header are not all there.
    #[error("the GLB header is cut off: {0} of 12 bytes")]
    HeaderCut(usize),
    /// A container version other than 2.
    #[error("GLB version {}{}, but sinew reads only version 2", .0, if *.0 == 1 { " (glTF 1.0)" } else { "" })]
    Version(u32),
    /// The header's length cannot be true.
    #[error("the GLB header says {claimed} bytes, but the file has {actual}")]
    Length {
        /// Length in the header.
        claimed: u32,
        /// Length of the file.
        actual: usize,
    },
    /// A chunk reaches past the end.
    #[error("GLB chunk {chunk} says {claimed} bytes, but only {actual} are left")]
    ChunkCut {
        /// Number of the chunk, from 0.
        chunk: usize,
        /// Length in the chunk's header.
        claimed: u32,
        /// Bytes that are left.
        actual: usize,
    },
    /// The first chunk must be JSON.
    #[error("the first GLB chunk is not JSON")]
    NoJson,
}

impl ContainerError {
    /// The rule that is broken, by the Khronos glTF validator's name.
    pub fn code(self) -> &'static str {
        match self {
            Self::Empty | Self::HeaderCut(_) => "GLB_UNEXPECTED_END_OF_HEADER",
            Self::Version(_) => "GLB_INVALID_VERSION",
            Self::Length { claimed: 0..12, .. } => "GLB_LENGTH_TOO_SMALL",
            Self::Length { .. } => "GLB_LENGTH_MISMATCH",
            Self::ChunkCut { .. } => "GLB_CHUNK_TOO_BIG",
            Self::NoJson => "GLB_UNEXPECTED_FIRST_CHUNK",
        }
    }
}
