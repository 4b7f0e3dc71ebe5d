//! Chunks of vertices for `skin.comp`: the positions of its inputs and results.

use bytemuck::{Pod, Zeroable};

use crate::model::draws::Draw;
use sinew_skinning::SkinningMode;

/// `Layout` in `skin.comp`: starts of spans, in words.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
pub struct SpanLayout {
    /// Number of vertices.
    pub vertex_count: u32,
    /// First word of the positions.
    pub position: u32,
    /// First word of the normals, or `ABSENT`.
    pub normal: u32,
    /// First word of the tangents, or `ABSENT`.
    pub tangent: u32,
    /// First word of each span's joints, or `ABSENT`.
    pub joints: [u32; 4],
    /// First word of each span's weights, or `ABSENT`.
    pub weights: [u32; 4],
    /// First word of the shares of *blend*, or `ABSENT`.
    pub share: u32,
    /// First word of the centres of *cor*, or `ABSENT`.
    pub center: u32,
    /// Number of slots per figure, if a dispatch skins several.
    pub slots: u32,
    /// First word of the result.
    pub result: u32,
}

pub use sinew_scene::shared::ABSENT;

/// Offsets of a chunk's skinned vertices in its part of the result, in bytes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ResultSpans {
    /// Offset of the normals, after the positions.
    pub normals: Option<u64>,
    /// Offset of the tangents, after the normals.
    pub tangents: Option<u64>,
    /// End of all spans.
    pub end: u64,
}

/// The largest number of vertices in one dispatch for exports and proofs. It fits devices with the smallest storage
/// buffers that Vulkan allows (128 MiB), for any mesh.
pub const CHUNK: u32 = 1 << 17;

/// Consecutive vertices of a batch: copied together, skinned by one dispatch.
pub struct Chunk {
    /// The draw of its batch.
    pub draw: Draw,
    /// Index of that draw.
    pub number: usize,
    /// Variant of the shader.
    pub variant: Variant,
    /// The first of the batch's vertices.
    pub first: u32,
    /// Positions of the spans after copying.
    pub spans: SpanLayout,
    /// Copies from the mesh's buffer to the source buffer: first byte there, first byte here, length.
    pub copies: Vec<(u64, u64, u64)>,
    /// Copies from the morphed streams to the source buffer.
    pub morphed: Vec<(u64, u64, u64)>,
    /// Copies from the shares to the source buffer.
    pub shares: Vec<(u64, u64, u64)>,
    /// Copies from the centres to the source buffer.
    pub centers: Vec<(u64, u64, u64)>,
    /// Offset of the skinned vertices, in bytes.
    pub result: u64,
}

impl Chunk {
    /// Returns the size of its spans in the source buffer.
    pub fn source_size(&self) -> u64 {
        let all = [&self.copies, &self.morphed, &self.shares, &self.centers];
        all.into_iter().flatten().map(|(_, to, length)| to + length).max().unwrap_or(0)
    }

    /// Returns the offsets of its skinned vertices, in the layout of `skin.comp`.
    pub fn result_spans(&self) -> ResultSpans {
        let triples = u64::from(self.spans.vertex_count) * size_of::<[f32; 3]>() as u64;
        let quadruples = u64::from(self.spans.vertex_count) * size_of::<[f32; 4]>() as u64;
        let normals = (self.spans.normal != ABSENT).then_some(triples);
        let tangents = normals.filter(|_| self.spans.tangent != ABSENT).map(|normals| normals + triples);
        let end = match (normals, tangents) {
            (_, Some(tangents)) => tangents + quadruples,
            (Some(normals), None) => normals + triples,
            (None, None) => triples,
        };
        ResultSpans { normals, tangents, end }
    }

    /// Returns the size of its skinned vertices in bytes.
    pub fn result_size(&self) -> u64 {
        self.result_spans().end
    }
}

/// A variant of `skin.comp`: the mode and the number of skinning spans.
pub type Variant = (SkinningMode, usize);
