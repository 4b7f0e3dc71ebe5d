//! The destination of skinned vertices: a span, or a tile from which they are copied in the file's order.

use crate::vectors::ROW;

/// The destination of a window's blocks.
pub struct Sink<'a, const W: usize> {
    /// The vertices to come; `None` for no destination.
    span: Option<&'a mut [[f32; W]]>,
    /// True if each block has its own place in the span, however few vertices it has.
    is_tile: bool,
    /// The last block, if it does not fit into the span.
    scratch: Scratch<W>,
}

/// Memory for a block.
#[repr(align(64))]
struct Scratch<const W: usize>([[f32; W]; ROW]);

impl<'a, const W: usize> Sink<'a, W> {
    /// Fills a span with one vertex after the other.
    pub fn in_order(span: Option<&'a mut [[f32; W]]>) -> Self {
        Self { span, is_tile: false, scratch: Scratch([[0.0; W]; ROW]) }
    }

    /// Fills a tile for this many blocks, if there is a span to copy it to.
    pub fn tile(tile: &'a mut Vec<[f32; W]>, blocks: usize, span: &Option<&mut [[f32; W]]>) -> Self {
        let vertices = blocks * ROW;
        // One more, because [`pick3`](crate::vectors::pick3) reads the number after a vertex, too.
        if span.is_some() && tile.len() <= vertices {
            tile.resize(vertices + 1, [0.0; W]);
        }
        let room = span.as_ref().map(|_| &mut tile[..vertices]);
        Self { is_tile: true, ..Self::in_order(room) }
    }

    /// Returns memory for the blocks of the next run, unless there is no destination. A partly filled block may leave anything
    /// after its last vertex: the next run overwrites it if it is in the span.
    pub fn rooms(&mut self) -> Option<Rooms<'_, W>> {
        let (blocks, _) = self.span.as_deref_mut()?.as_chunks_mut();
        Some(Rooms { blocks, scratch: &mut self.scratch.0 })
    }

    /// Stores this many vertices, which fill the first of the rooms.
    pub fn commit(&mut self, vertices: usize) {
        let Some(span) = &mut self.span else { return };
        let vertices = if self.is_tile { vertices.next_multiple_of(ROW) } else { vertices };
        let in_place = span.len() / ROW * ROW;
        let (now, later) = std::mem::take(span).split_at_mut_checked(vertices).unwrap_or_default();
        if let Some(rest) = now.get_mut(in_place..) {
            rest.iter_mut().zip(&self.scratch.0).for_each(|(vertex, value)| *vertex = *value);
        }
        *span = later;
    }
}

/// Memory for the blocks of a run.
pub struct Rooms<'a, const W: usize> {
    blocks: &'a mut [[[f32; W]; ROW]],
    scratch: &'a mut [[f32; W]; ROW],
}

impl<const W: usize> Rooms<'_, W> {
    /// Returns memory for a block.
    #[inline(always)]
    pub fn block(&mut self, number: usize) -> &mut [[f32; W]; ROW] {
        self.blocks.get_mut(number).unwrap_or(self.scratch)
    }
}
