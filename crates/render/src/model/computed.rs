//! Vertices of a model that `skin.comp` has skinned for its pictures, once a frame, whatever passes draw them: what it reads,
//! kept from frame to frame, and where it writes.

use crate::interface::streams::Stream;
use crate::model::skin_chunk::{Chunk, ResultSpans};
use sinew_skinning::SkinningMode;
use sinew_skinning::pose::Shares;
use sinew_vulkan::{Buffer, DescriptorPool, DescriptorSet, Device};

/// The most bytes that a vertex has in the buffer that `skin.comp` reads: all spans, and the gaps before them.
const MAX_BYTES: u64 = 256;

/// The most vertices of a figure that `skin.comp` skins for pictures: a gigabyte, read and written, with four influences and
/// tangents.
pub(crate) const MAX_COMPUTED: u64 = 10_000_000;

/// Vertices that a work group skins: `local_size_x` in `skin.comp`.
pub(crate) const GROUP: u32 = 64;

/// The draws of a model that are skinned together, each as one chunk.
pub(crate) struct Computed {
    pub(crate) mode: SkinningMode,
    /// The shares of *blend* that the sources hold.
    pub(crate) shares: Shares,
    /// What of each draw is skinned, if it is.
    pub(crate) draws: Vec<Option<Work>>,
    /// The spans that `skin.comp` reads.
    pub(crate) sources: Buffer,
    /// The spans that it writes.
    pub(crate) result: Buffer,
    /// Whether commands are submitted that copy what does not change into the sources.
    pub(crate) is_filled: bool,
    pub(crate) _pool: DescriptorPool,
}

/// One draw's dispatch.
pub(crate) struct Work {
    pub chunk: Chunk,
    /// Where its spans begin in [`Computed::sources`].
    pub from: u64,
    /// Both buffers' parts.
    pub set: DescriptorSet,
}

/// Where a draw's skinned vertices are in [`Computed::result`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct ComputedSpans {
    begin: u64,
    spans: ResultSpans,
}

impl ComputedSpans {
    /// Where the stream is, if skinning moves it.
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

/// Whether one dispatch can skin so many vertices.
pub(crate) fn fits(device: &Device, vertices: usize) -> bool {
    let limits = &device.physical().limits;
    let in_buffer = u64::from(limits.max_storage_buffer_range) / MAX_BYTES;
    let in_dispatch = u64::from(limits.max_compute_work_group_count[0]) * u64::from(GROUP);
    (1..=in_buffer.min(in_dispatch)).contains(&(vertices as u64))
}

impl Computed {
    /// Whether it is for these draws with these shares.
    pub(crate) fn serves(&self, shares: &Shares, is_wanted: &dyn Fn(usize) -> bool) -> bool {
        let mut draws = self.draws.iter().enumerate();
        let has_shares = self.mode != SkinningMode::Blended || self.shares == *shares;
        has_shares && draws.all(|(number, work)| work.is_some() == is_wanted(number))
    }

    /// How many vertices it skins.
    pub(crate) fn vertices(&self) -> u64 {
        self.work().map(|work| u64::from(work.chunk.spans.vertex_count)).sum()
    }

    /// All dispatches.
    pub(crate) fn work(&self) -> impl Iterator<Item = &Work> {
        self.draws.iter().flatten()
    }

    /// Where a draw's skinned vertices are, if it is among those skinned.
    pub(crate) fn spans(&self, draw: usize) -> Option<ComputedSpans> {
        let Work { chunk, .. } = self.draws.get(draw)?.as_ref()?;
        Some(ComputedSpans { begin: chunk.result, spans: chunk.result_spans() })
    }
}
