//! Why a model cannot be written.

use crate::VertexName;

/// Why a model cannot be written.
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
    /// A vertex with weight on joint −1, "no joint", which formats do not have.
    #[error("vertex {vertex} has weight on no joint, which {format} cannot store")]
    NoJoint {
        /// The name of the format.
        format: &'static str,
        /// The first such vertex.
        vertex: VertexName,
    },
    /// glTF counts bytes in 32 bits.
    #[error("the model needs {bytes} bytes, more than the 4 GiB of a .glb")]
    TooLarge {
        /// Size that the file would have.
        bytes: usize,
    },
    /// The library for USD cannot write the layer.
    #[error("{message}")]
    Layer {
        /// The library's message.
        message: String,
    },
}
