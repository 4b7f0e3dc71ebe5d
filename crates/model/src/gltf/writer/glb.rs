//! Frames the JSON and the binary chunk of a model as a `.glb`.

use super::align::pad;
use super::document;
use super::error::WriteError;
use crate::{Model, Owner, PrimitiveName, VertexName};

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
        return Err(WriteError::NoJoint { format: "glTF", vertex });
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
pub(crate) fn without_joint(model: &Model) -> Option<VertexName> {
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
