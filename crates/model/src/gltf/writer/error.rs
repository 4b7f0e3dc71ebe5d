//! Why a model has no `.glb` form.

use crate::VertexName;

/// Why a model has no `.glb` form.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// A picture whose size and pixels do not match, or that PNG cannot hold.
    #[error("image {picture} cannot be written as PNG: {source}")]
    Picture {
        /// Index into the model's pictures.
        picture: usize,
        /// The encoder's error.
        source: png::EncodingError,
    },
    /// A vertex with weight on joint −1, "no joint", which the format does not have.
    #[error("vertex {vertex} has weight on no joint, which glTF cannot store")]
    NoJoint {
        /// The first such vertex.
        vertex: VertexName,
    },
    /// The format counts bytes in 32 bits.
    #[error("the model needs {bytes} bytes, more than the 4 GiB of a .glb")]
    TooLarge {
        /// Size that the file would have.
        bytes: usize,
    },
}
