//! The destination of skinned vertices: a span, or a tile from which they are copied in the file's order.

use crate::vectors::{ROW, Vector, place_in_quads};
use bytemuck::{Pod, Zeroable};

/// The vertices of a block in a tile, each at the place that [`place_in_quads`] gives its lane. Numbers after a vertex's
/// components are undefined.
#[repr(C, align(64))]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub struct Quads(pub [[f32; 4]; ROW]);

/// The destination of a window's blocks.
pub enum Sink<'a, const W: usize> {
    /// No destination.
    Nothing,
    /// A span that takes one vertex after the other. Vertices that do not fit go through a scratch block.
    InOrder(&'a mut [[f32; W]], Scratch<W>),
    /// A tile that takes one block after the other.
    Tile(&'a mut [Quads]),
}

/// Memory for a block that cannot be computed in place.
#[repr(align(64))]
pub struct Scratch<const W: usize>([[f32; W]; ROW]);

/// Memory for a block.
pub enum Room<'a, const W: usize> {
    /// For vertices one after the other.
    Packed(&'a mut [[f32; W]; ROW]),
    /// For vertices in a tile.
    Quads(&'a mut [[f32; 4]; ROW]),
}

impl<const W: usize> Room<'_, W> {
    /// Writes one vertex.
    pub fn set(&mut self, lane: usize, value: [f32; W]) {
        match self {
            Self::Packed(room) => room[lane] = value,
            Self::Quads(room) => room[place_in_quads(lane)][..W].copy_from_slice(&value),
        }
    }
}

impl Room<'_, 3> {
    /// Writes a vector of vertices from lane `at` on.
    #[inline(always)]
    pub fn store<V: Vector>(&mut self, [x, y, z]: [V; 3], at: usize) {
        match self {
            Self::Packed(room) => V::store3([x, y, z], &mut room[at..]),
            Self::Quads(room) => V::store_quads([x, y, z, z], room, at),
        }
    }
}

impl Room<'_, 4> {
    /// Writes a vector of vertices from lane `at` on.
    #[inline(always)]
    pub fn store<V: Vector>(&mut self, xyzw: [V; 4], at: usize) {
        match self {
            Self::Packed(room) => V::store4(xyzw, &mut room[at..]),
            Self::Quads(room) => V::store_quads(xyzw, room, at),
        }
    }
}

impl<'a, const W: usize> Sink<'a, W> {
    /// Fills a span in order.
    pub fn in_order(span: Option<&'a mut [[f32; W]]>) -> Self {
        span.map_or(Self::Nothing, |span| Self::InOrder(span, Scratch([[0.0; W]; ROW])))
    }

    /// Returns memory for the next block, unless there is no destination. A partly filled block may leave anything after its
    /// last vertex: the next block overwrites it if it is in the span.
    #[inline(always)]
    pub fn room(&mut self) -> Option<Room<'_, W>> {
        match self {
            Self::Nothing => None,
            Self::InOrder(span, scratch) => {
                Some(Room::Packed(if span.len() >= ROW { span.first_chunk_mut()? } else { &mut scratch.0 }))
            }
            Self::Tile(tile) => tile.first_mut().map(|quads| Room::Quads(&mut quads.0)),
        }
    }

    /// Stores the first `count` vertices of the room that [`Sink::room`] gave.
    #[inline(always)]
    pub fn commit(&mut self, count: usize) {
        match self {
            Self::Nothing => {}
            Self::InOrder(span, scratch) => {
                let uses_scratch = span.len() < ROW;
                let (now, later) = std::mem::take(span).split_at_mut_checked(count).unwrap_or_default();
                if uses_scratch {
                    now.iter_mut().zip(&scratch.0).for_each(|(now, value)| *now = *value);
                }
                *span = later;
            }
            Self::Tile(tile) => *tile = std::mem::take(tile).get_mut(1..).unwrap_or_default(),
        }
    }
}

/// Copies triples out of a tile: vertex by vertex, each from its place.
#[inline(never)]
pub fn copy_triples(tile: &[Quads], places: &[u16], out: &mut [[f32; 3]]) {
    let quads = quads(tile);
    let quad = |place: u16| quads.get(usize::from(place));
    // Four at a time, because twelve numbers are three vectors.
    let (fours, last_places) = places.as_chunks::<4>();
    let (rooms, last_rooms) = out.as_chunks_mut::<4>();
    for (room, &[a, b, c, d]) in rooms.iter_mut().zip(fours) {
        let (Some(a), Some(b), Some(c), Some(d)) = (quad(a), quad(b), quad(c), quad(d)) else { return };
        let room: &mut [[f32; 4]; 3] = bytemuck::cast_mut(room);
        *room = [[a[0], a[1], a[2], b[0]], [b[1], b[2], c[0], c[1]], [c[2], d[0], d[1], d[2]]];
    }
    for (room, &place) in last_rooms.iter_mut().zip(last_places) {
        if let Some(&[x, y, z, _]) = quad(place) {
            *room = [x, y, z];
        }
    }
}

/// Copies quadruples like [`copy_triples`].
#[inline(never)]
pub fn copy_quadruples(tile: &[Quads], places: &[u16], out: &mut [[f32; 4]]) {
    let quads = quads(tile);
    for (out, &place) in out.iter_mut().zip(places) {
        if let Some(quad) = quads.get(usize::from(place)) {
            *out = *quad;
        }
    }
}

fn quads(tile: &[Quads]) -> &[[f32; 4]] {
    bytemuck::cast_slice::<Quads, [[f32; 4]; ROW]>(tile).as_flattened()
}
