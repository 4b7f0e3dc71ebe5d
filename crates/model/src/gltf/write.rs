//! Writes a whole [`Model`] as one `.glb`, losing nothing and sorting nothing.
//! It must not know where the model came from or who will read the file.

#![allow(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "writes models that are already checked; it reads nobody's bytes"
)]

mod body;
mod document;
mod motion;
mod primitive;
mod surface;

use serde_json::Value;

use crate::{Model, Owner, PrimitiveName, VertexName};

/// Why a model has no `.glb` form.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// A picture whose size and pixels do not fit together, or that PNG cannot hold.
    #[error("image {picture} cannot be written as PNG: {source}")]
    Picture {
        /// Index into the model's pictures.
        picture: usize,
        /// What the encoder said.
        source: png::EncodingError,
    },
    /// A vertex with weight on joint −1, "no joint", which the format does not have.
    #[error("vertex {vertex} has weight on no joint, which glTF cannot store")]
    NoJoint {
        /// The first such vertex.
        vertex: VertexName,
    },
    /// The format counts bytes in 32 bits.
    #[error("the model needs {bytes} bytes, more than the 4 GiB a .glb can count")]
    TooLarge {
        /// How many bytes the file would have.
        bytes: usize,
    },
}

const MAGIC: u32 = 0x4654_6C67;
const VERSION: u32 = 2;
const CHUNK_JSON: u32 = 0x4E4F_534A;
const CHUNK_BIN: u32 = 0x004E_4942;

/// The model as the bytes of a `.glb` file.
///
/// Nodes are written in the rig's order, so that node numbers in the file are rig numbers. Empty
/// primitives are left out; joints of weight 0 become joint 0, as the format recommends. The same
/// model gives the same bytes every time.
///
/// # Errors
/// A picture that PNG cannot hold, a vertex with weight on "no joint", or a file above 4 GiB.
pub fn write_glb(model: &Model) -> Result<Vec<u8>, WriteError> {
    if let Some(vertex) = without_joint(model) {
        return Err(WriteError::NoJoint { vertex });
    }
    let (json, bin) = document::build(model)?;
    let mut json = json.to_string().into_bytes();
    pad(&mut json, b' ');

    let bin_chunk = if bin.is_empty() { 0 } else { 8 + bin.len() };
    let bytes = 12 + 8 + json.len() + bin_chunk;
    let total = u32::try_from(bytes).map_err(|_| WriteError::TooLarge { bytes })?;

    let mut glb = Vec::with_capacity(bytes);
    for word in [MAGIC, VERSION, total] {
        glb.extend_from_slice(&word.to_le_bytes());
    }
    append_chunk(&mut glb, CHUNK_JSON, &json);
    if !bin.is_empty() {
        append_chunk(&mut glb, CHUNK_BIN, &bin);
    }
    Ok(glb)
}

/// The first vertex with weight on "no joint".
fn without_joint(model: &Model) -> Option<VertexName> {
    let meshes = model.meshes.iter().enumerate();
    let mut primitives = meshes.flat_map(|(mesh, all)| all.primitives.iter().map(move |one| (mesh, one)));
    primitives.find_map(|(mesh, primitive)| {
        let mut spans = primitive.influences.iter().flat_map(|influences| &influences.spans);
        let has_none = |(joints, weights): (&[i32; 4], &[f32; 4])| {
            joints.iter().zip(weights).any(|(&joint, &weight)| joint < 0 && weight != 0.0)
        };
        let vertex = spans.find_map(|span| span.joints.iter().zip(&span.weights).position(has_none))?;
        let name = PrimitiveName { owner: Owner::Mesh(mesh), primitive: primitive.file_index };
        Some(name.vertex(vertex))
    })
}

/// `write_glb` has checked that the whole file fits 32 bits, so the cast cannot truncate.
fn append_chunk(glb: &mut Vec<u8>, kind: u32, content: &[u8]) {
    glb.extend_from_slice(&(content.len() as u32).to_le_bytes());
    glb.extend_from_slice(&kind.to_le_bytes());
    glb.extend_from_slice(content);
}

fn pad(bytes: &mut Vec<u8>, with: u8) {
    bytes.resize(bytes.len().next_multiple_of(4), with);
}

/// An object of the document with its name, which is left out where it is empty.
fn named(mut value: Value, name: &str) -> Value {
    if !name.is_empty() {
        value["name"] = name.into();
    }
    value
}

#[cfg(test)]
mod tests;
