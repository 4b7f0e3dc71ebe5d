//! Stores skinned vertices block by block: straight into a span, or each at its place in the source's order.

use super::simd::Scattered;
use super::vector::ROW;

/// A span to write, whole or in parts.
pub enum Destination<'a, const W: usize> {
    /// Not wanted.
    Nothing,
    /// One vertex after the other.
    InOrder(&'a mut [[f32; W]]),
    /// In another order.
    Scattered(Scattered<'a, W>),
}

impl<const W: usize> Destination<'_, W> {
    /// Splits into the destinations of the first `count` vertices and of the rest.
    pub fn split_at(self, count: usize) -> (Self, Self) {
        match self {
            Self::Nothing => (Self::Nothing, Self::Nothing),
            Self::InOrder(span) => {
                let (first, rest) = span.split_at_mut(count.min(span.len()));
                (Self::InOrder(first), Self::InOrder(rest))
            }
            Self::Scattered(span) => {
                let (first, rest) = span.split_at(count);
                (Self::Scattered(first), Self::Scattered(rest))
            }
        }
    }
}

/// Takes blocks.
pub struct Sink<'a, const W: usize> {
    destination: Destination<'a, W>,
    /// Room for blocks that cannot be computed in place.
    scratch: Scratch<W>,
}

#[repr(align(64))]
struct Scratch<const W: usize>([[f32; W]; ROW]);

impl<'a, const W: usize> Sink<'a, W> {
    pub fn new(destination: Destination<'a, W>) -> Self {
        Self { destination, scratch: Scratch([[0.0; W]; ROW]) }
    }

    /// Room for the next block, unless nothing is wanted. A partly filled block may leave anything behind its
    /// last vertex: the next block overwrites it if it is in the span.
    #[inline(always)]
    pub fn room(&mut self) -> Option<&mut [[f32; W]; ROW]> {
        match &mut self.destination {
            Destination::Nothing => None,
            Destination::InOrder(span) if span.len() >= ROW => span.first_chunk_mut(),
            _ => Some(&mut self.scratch.0),
        }
    }

    /// Stores the first `count` vertices of the room that [`Sink::room`] gave.
    #[inline(always)]
    pub fn commit(&mut self, count: usize) {
        match &mut self.destination {
            Destination::Nothing => {}
            Destination::InOrder(span) => {
                let uses_scratch = span.len() < ROW;
                let (now, later) = std::mem::take(span).split_at_mut_checked(count).unwrap_or_default();
                if uses_scratch {
                    now.iter_mut().zip(&self.scratch.0).for_each(|(now, value)| *now = *value);
                }
                *span = later;
            }
            Destination::Scattered(span) => span.write(&self.scratch.0[..count]),
        }
    }
}
