//! Vertices of a crowd that `skin.comp` skins once a frame, for all passes: the layout of its result, group by group.

use std::ops::Range;

use crate::interface::streams::Stream;
use crate::model::computed::Computed;
use crate::model::groups::{Groups, Piece};
use crate::model::skin_chunk::Chunk;
use sinew_vulkan::Device;

/// The largest size of a crowd's skinned vertices in bytes, on a device that shows a shader so much of a buffer. It is
/// enough for ten thousand figures of two thousand vertices with normals.
const MAX_BYTES: u64 = 512 << 20;

/// Bytes of a skinned vertex with all streams.
pub(crate) const VERTEX_BYTES: u64 = 40;

/// The result is too large from this multiple of the needed size on.
const SPARE: u64 = 4;

/// Number of pictures in a row for which the result must be too large before it is freed. A camera that turns away from
/// a crowd often turns back.
const MAX_SPARE_PICTURES: u32 = 120;

/// Alignment of draws in a group, in bytes.
const ALIGNMENT: u64 = 16;

/// Returns the size that a crowd's skinned vertices may have.
pub(crate) fn max_bytes(device: &Device) -> u64 {
    MAX_BYTES.min(device.physical().limits.max_storage_buffer_range.into())
}

/// The vertices of a crowd's first figures, and their layout in one frame. Vertex shaders skin the others.
pub(crate) struct ComputedCrowd {
    pub(crate) computed: Computed,
    pub(crate) layout: CrowdLayout,
    pub(crate) spare: Spare,
}

/// Number of pictures in a row for which the result was too large.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Spare(u32);

/// The positions of figures in the result.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct CrowdLayout {
    /// The figures that fit, in the groups of their palettes; a dispatch skins a draw of one group.
    pub groups: Groups,
    /// Number of figures per draw call.
    pub together: u32,
    /// Offset of each draw in a group.
    begins: Vec<u64>,
}

impl CrowdLayout {
    /// Lays groups of figures out in `room` bytes: as many as fit. `sizes` has each draw's bytes per figure.
    pub(crate) fn new(sizes: impl Iterator<Item = u64>, palettes: &Groups, together: u32, room: u64) -> Self {
        let mut stride = 0;
        let begin = |size: u64| {
            let begin = stride;
            stride = (begin + size * u64::from(palettes.each)).next_multiple_of(ALIGNMENT);
            begin
        };
        let begins = sizes.map(begin).collect();
        let fitting = (room / stride.max(1)).min(palettes.count().into()) as u32;
        let figures = palettes.figures.min(fitting.saturating_mul(palettes.each));
        Self { groups: Groups { each: palettes.each, figures, stride }, together: together.max(1), begins }
    }

    /// Splits a range of figures by draw call.
    pub(crate) fn pieces(&self, figures: Range<u32>) -> impl Iterator<Item = Piece> {
        let together = self.together;
        self.groups.pieces(figures).flat_map(move |Piece { group, first, count }| {
            let piece = move |at| Piece { group, first: first + at, count: together.min(count - at) };
            (0..count).step_by(together as usize).map(piece)
        })
    }

    /// Returns the number of figures in a group.
    pub(crate) fn figures_in(&self, group: u32) -> u32 {
        self.groups.figures.saturating_sub(group * self.groups.each).min(self.groups.each)
    }

    /// Returns the offset of a draw's vertices in a group.
    pub(crate) fn begin(&self, draw: usize, group: u32) -> u64 {
        self.groups.offset(group) + self.begins[draw]
    }

    /// Returns the offset of a stream of a draw, if skinning moves it: the first figure's of a piece.
    fn offset(&self, chunk: &Chunk, stream: Stream, piece: Piece) -> Option<u64> {
        let spans = chunk.result_spans();
        // The streams before, of one figure.
        let before = match stream {
            Stream::Position => Some(0),
            Stream::Normal => spans.normals,
            Stream::Tangent => spans.tangents,
            _ => None,
        }?;
        let of_figure = u64::from(chunk.spans.vertex_count) * u64::from(stream.size());
        let all = u64::from(self.figures_in(piece.group));
        Some(self.begin(chunk.number, piece.group) + before * all + u64::from(piece.first) * of_figure)
    }
}

/// Returns the size of a result for this many bytes: with room to grow, but at most `room`.
pub(crate) fn with_room(size: u64, room: u64) -> u64 {
    size.max(16).next_power_of_two().min(room)
}

impl Spare {
    /// Counts a picture that needs `size` of the result's bytes. Returns true if the result is to be freed.
    fn count(&mut self, result: u64, size: u64) -> bool {
        let is_spare = result >= SPARE * with_room(size, result);
        self.0 = if is_spare { self.0 + 1 } else { 0 };
        self.0 >= MAX_SPARE_PICTURES
    }
}

impl ComputedCrowd {
    /// Counts a picture that needs `size` bytes of the result. Returns true if it has been too large for a while.
    pub(crate) fn is_spare(&mut self, size: u64) -> bool {
        self.spare.count(self.computed.result.size(), size)
    }

    /// Returns the offset of a stream of a draw, if skinning moves it: the first figure's of a piece.
    pub(crate) fn offset(&self, draw: usize, stream: Stream, piece: Piece) -> Option<u64> {
        let work = self.computed.draws.get(draw)?.as_ref()?;
        self.layout.offset(&work.chunk, stream, piece)
    }

    /// Returns the streams that skinning moves in a draw.
    pub(crate) fn moves(&self, draw: usize, stream: Stream) -> bool {
        self.offset(draw, stream, Piece { group: 0, first: 0, count: 0 }).is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_result_is_spare_only_after_many_pictures_in_a_row() {
        let mut spare = Spare::default();
        let mut after = |pictures: u32, size| (0..pictures).map(|_| spare.count(1024, size)).last().unwrap();
        assert!(!after(2 * MAX_SPARE_PICTURES, 257), "less than four times too large");
        assert!(!after(MAX_SPARE_PICTURES - 1, 256));
        assert!(!after(1, 1000), "needed once more");
        assert!(!after(MAX_SPARE_PICTURES - 1, 0));
        assert!(after(1, 0));
        assert_eq!([0, 16, 17, 1000].map(|size| with_room(size, 100)), [16, 16, 32, 100]);
    }

    #[test]
    fn figures_that_fit_are_laid_out_in_groups_of_their_palettes() {
        let palettes = Groups { each: 4, figures: 10, stride: 0 };
        let sizes = || [120, 10].into_iter();
        let layout = |room| CrowdLayout::new(sizes(), &palettes, 3, room);
        // Four figures of 120 bytes, then of 10, aligned.
        let all = layout(1 << 20);
        assert_eq!(all.groups, Groups { each: 4, figures: 10, stride: 480 + 48 });
        assert_eq!([all.begin(0, 0), all.begin(1, 0), all.begin(1, 2)], [0, 480, 2 * 528 + 480]);
        assert_eq!([0, 1, 2].map(|group| all.figures_in(group)), [4, 4, 2]);
        let some = |group, first, count| Piece { group, first, count };
        let pieces: Vec<_> = all.pieces(0..10).collect();
        assert_eq!(
            pieces,
            [some(0, 0, 3), some(0, 3, 1), some(1, 0, 3), some(1, 3, 1), some(2, 0, 2)],
            "a draw stays in its group"
        );
        assert_eq!(all.pieces(7..8).collect::<Vec<_>>(), [some(1, 3, 1)]);
        assert_eq!([0, 527, 528, 1056, 1583].map(|room| layout(room).groups.figures), [0, 0, 4, 8, 8]);
    }
}
