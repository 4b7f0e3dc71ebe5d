//! Chunks of vertices that `skin.comp` skins: where it finds what it reads, and where it writes.

use bytemuck::{Pod, Zeroable};

use crate::model::draws::Draw;
use sinew_skinning::SkinningMode;

/// `Layout` in `skin.comp`: where spans start, in words.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
pub struct SpanLayout {
    /// How many vertices there are.
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
}

pub use sinew_scene::shared::ABSENT;

/// Where a chunk's skinned vertices are in its stretch of the result, in bytes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ResultSpans {
    /// Where the normals begin, after the positions.
    pub normals: Option<u64>,
    /// Where the tangents begin, after the normals.
    pub tangents: Option<u64>,
    /// Where they all end.
    pub end: u64,
}

/// The most vertices that one dispatch skins for exports and proofs: devices with the smallest storage buffers Vulkan allows
/// (128 MiB) have room, whatever the mesh's size.
pub const CHUNK: u32 = 1 << 17;

/// Consecutive vertices of a batch: copied together, skinned by one dispatch.
pub struct Chunk {
    /// The draw whose batch it is of.
    pub draw: Draw,
    /// That draw's number.
    pub number: usize,
    /// How it is skinned.
    pub variant: Variant,
    /// The first of the batch's vertices.
    pub first: u32,
    /// Where the spans are once they are copied.
    pub spans: SpanLayout,
    /// From the mesh's buffer to the source buffer: first byte there, first byte here, length.
    pub copies: Vec<(u64, u64, u64)>,
    /// From the morphed streams to the source buffer.
    pub morphed: Vec<(u64, u64, u64)>,
    /// From the shares to the source buffer.
    pub shares: Vec<(u64, u64, u64)>,
    /// From the centres to the source buffer.
    pub centers: Vec<(u64, u64, u64)>,
    /// Where the skinned vertices go, in bytes.
    pub result: u64,
}

impl Chunk {
    /// How many bytes its spans take in the source buffer.
    pub fn source_size(&self) -> u64 {
        let all = [&self.copies, &self.morphed, &self.shares, &self.centers];
        all.into_iter().flatten().map(|(_, to, length)| to + length).max().unwrap_or(0)
    }

    /// Where its skinned vertices are, as `skin.comp` writes them.
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

    /// How many bytes its skinned vertices take.
    pub fn result_size(&self) -> u64 {
        self.result_spans().end
    }
}

/// A variant of `skin.comp`: the mode and how many skinning spans.
pub type Variant = (SkinningMode, usize);
