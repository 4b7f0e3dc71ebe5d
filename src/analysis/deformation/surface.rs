//! Triangles between points, and the edges that join them.

use super::points::Corners;

/// No triangle, no part.
pub const NONE: u32 = u32::MAX;

/// Triangles and their edges. All numbers in it are below the lengths of the lists that they refer to.
pub struct Surface {
    /// The points of each triangle.
    pub triangles: Vec<[u32; 3]>,
    /// The edges of each triangle: from its first corner to its second, and so on.
    pub edges_of: Vec<[u32; 3]>,
    /// Every edge once, sorted by their points.
    pub edges: Vec<Edge>,
    /// The connected piece that each triangle belongs to. Pieces are numbered in the order of their first
    /// triangles.
    pub piece_of: Vec<u32>,
    /// For each piece, whether each of its edges joins two triangles in opposite directions.
    pub is_closed: Vec<bool>,
}

/// An edge.
pub struct Edge {
    /// Its points, the lower first.
    pub points: [u32; 2],
    /// The two triangles that it joins; [`NONE`] if it has one triangle, or more than two.
    pub triangles: [u32; 2],
    /// Whether it joins two triangles that run along it in opposite directions.
    is_paired: bool,
}

/// Finds the edges and the connected pieces.
pub fn surface(corners: &[Corners]) -> Surface {
    let triangles: Vec<[u32; 3]> = corners.iter().map(|corners| corners.points).collect();
    // Each side of each triangle, sorted so that the sides at one edge follow each other.
    let mut sides: Vec<([u32; 2], u32)> = Vec::with_capacity(3 * triangles.len());
    for (triangle, &[a, b, c]) in triangles.iter().enumerate() {
        for (side, [from, to]) in [[a, b], [b, c], [c, a]].into_iter().enumerate() {
            sides.push(([from.min(to), from.max(to)], (3 * triangle + side) as u32));
        }
    }
    sides.sort_unstable();

    let mut edges = Vec::new();
    let mut edges_of = vec![[0; 3]; triangles.len()];
    let mut pieces = Pieces((0..triangles.len() as u32).collect());
    for run in sides.chunk_by(|a, b| a.0 == b.0) {
        let (points, first) = run[0];
        for &(_, side) in run {
            edges_of[side as usize / 3][side as usize % 3] = edges.len() as u32;
            pieces.join(first / 3, side / 3);
        }
        edges.push(edge(&triangles, points, run));
    }
    let (piece_of, count) = pieces.numbered();
    let mut is_closed = vec![true; count];
    for (edges_of, &piece) in edges_of.iter().zip(&piece_of) {
        is_closed[piece as usize] &= edges_of.iter().all(|&edge| edges[edge as usize].is_paired);
    }
    Surface { triangles, edges_of, edges, piece_of, is_closed }
}

/// An edge with all its sides.
fn edge(triangles: &[[u32; 3]], points: [u32; 2], sides: &[([u32; 2], u32)]) -> Edge {
    let &[(_, one), (_, other)] = sides else {
        return Edge { points, triangles: [NONE; 2], is_paired: false };
    };
    let from = |side: u32| triangles[side as usize / 3][side as usize % 3];
    Edge { points, triangles: [one / 3, other / 3], is_paired: from(one) != from(other) }
}

/// Sets of connected triangles: each refers to another of its set, up to the lowest, which refers to itself.
struct Pieces(Vec<u32>);

impl Pieces {
    fn lowest(&mut self, mut triangle: u32) -> u32 {
        loop {
            let next = self.0[triangle as usize];
            if next == triangle {
                return triangle;
            }
            // Halving the way keeps later ones short.
            self.0[triangle as usize] = self.0[next as usize];
            triangle = next;
        }
    }

    fn join(&mut self, a: u32, b: u32) {
        let (a, b) = (self.lowest(a), self.lowest(b));
        self.0[a.max(b) as usize] = a.min(b);
    }

    /// The number of each triangle's set, and how many sets there are.
    fn numbered(self) -> (Vec<u32>, usize) {
        let mut numbers: Vec<u32> = Vec::with_capacity(self.0.len());
        let mut count = 0;
        for (triangle, &other) in (0u32..).zip(&self.0) {
            // The other is lower, so it has its number already.
            let number = if other == triangle { count } else { numbers[other as usize] };
            count += u32::from(other == triangle);
            numbers.push(number);
        }
        (numbers, count as usize)
    }
}
