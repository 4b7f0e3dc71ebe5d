//! Vertices of a model that `skin.comp` skins once a frame, for all passes: its inputs, kept from frame to frame, and
//! its result.

use crate::interface::streams::Stream;
use crate::model::skin_chunk::{Chunk, ResultSpans};
use sinew_skinning::SkinningMode;
use sinew_skinning::pose::Shares;
use sinew_vulkan::{Buffer, DescriptorPool, DescriptorSet, Device};

/// The largest size of a vertex in the source buffer of `skin.comp`: all spans, and the gaps before them.
const MAX_BYTES: u64 = 256;

/// The largest number of a figure's vertices that `skin.comp` skins for pictures. They take a gigabyte, read and
/// written, with four influences and tangents.
pub(crate) const MAX_COMPUTED: u64 = 10_000_000;

/// Vertices per work group: `local_size_x` in `skin.comp`.
pub(crate) const GROUP: u32 = 64;

/// The draws of a model that are skinned together, each as one chunk.
pub(crate) struct Computed {
    pub(crate) mode: SkinningMode,
    /// The shares of *blend* in the sources.
    pub(crate) shares: Shares,
    /// Work for each draw, if it is skinned.
    pub(crate) draws: Vec<Option<Work>>,
    /// The spans that `skin.comp` reads.
    pub(crate) sources: Buffer,
    /// The spans that `skin.comp` writes.
    pub(crate) result: Buffer,
    /// True if the commands that copy constant data into the sources were submitted.
    pub(crate) is_filled: bool,
    pub(crate) _pool: DescriptorPool,
}

/// A draw's dispatch.
pub(crate) struct Work {
    pub chunk: Chunk,
    /// Offset of its spans in [`Computed::sources`].
    pub from: u64,
    /// Descriptor set for its parts of both buffers.
    pub set: DescriptorSet,
}

/// Offsets of a draw's skinned vertices in [`Computed::result`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct ComputedSpans {
    begin: u64,
    spans: ResultSpans,
}

impl ComputedSpans {
    /// Returns the stream's offset, if skinning moves it.
    pub(crate) fn offset(&self, stream: Stream) -> Option<u64> {
        let within = match stream {
            Stream::Position => Some(0),
            Stream::Normal => self.spans.normals,
            Stream::Tangent => self.spans.tangents,
            _ => None,
        };
        within.map(|within| self.begin + within)
    }
}

/// Returns true if one dispatch can skin this many vertices.
pub(crate) fn fits(device: &Device, vertices: usize) -> bool {
    let limits = &device.physical().limits;
    let in_buffer = u64::from(limits.max_storage_buffer_range) / MAX_BYTES;
    let in_dispatch = u64::from(limits.max_compute_work_group_count[0]) * u64::from(GROUP);
    (1..=in_buffer.min(in_dispatch)).contains(&(vertices as u64))
}

impl Computed {
    /// Returns true if it covers these draws with these shares.
    pub(crate) fn serves(&self, shares: &Shares, is_wanted: &dyn Fn(usize) -> bool) -> bool {
        let mut draws = self.draws.iter().enumerate();
        let has_shares = self.mode != SkinningMode::Blended || self.shares == *shares;
        has_shares && draws.all(|(number, work)| work.is_some() == is_wanted(number))
    }

    /// Returns the number of skinned vertices.
    pub(crate) fn vertices(&self) -> u64 {
        self.work().map(|work| u64::from(work.chunk.spans.vertex_count)).sum()
    }

    /// Iterates over the dispatches.
    pub(crate) fn work(&self) -> impl Iterator<Item = &Work> {
        self.draws.iter().flatten()
    }

    /// Returns the offsets of a draw's skinned vertices, if it was skinned.
    pub(crate) fn spans(&self, draw: usize) -> Option<ComputedSpans> {
        let Work { chunk, .. } = self.draws.get(draw)?.as_ref()?;
        Some(ComputedSpans { begin: chunk.result, spans: chunk.result_spans() })
    }
}
