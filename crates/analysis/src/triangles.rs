//! Triangles between points: the edges that join them, the pieces that are closed, and the volume they enclose.

use glam::DVec3;

/// No triangle, no part.
pub const NONE: u32 = u32::MAX;

/// Triangles and their edges. All indices in it are in range of the lists that they refer to.
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
    /// For each piece, true if each of its edges joins two triangles in opposite directions.
    pub is_closed: Vec<bool>,
}

/// An edge.
pub struct Edge {
    /// The points, the lower first.
    pub points: [u32; 2],
    /// The two triangles that it joins; [`NONE`] if it has one triangle, or more than two.
    pub triangles: [u32; 2],
    /// True if it joins two triangles that run along it in opposite directions.
    is_paired: bool,
}

/// Finds the edges and the connected pieces of triangles whose corners are three different points each.
pub fn surface(triangles: Vec<[u32; 3]>) -> Surface {
    // Each side of each triangle, sorted so that the sides at one edge are consecutive.
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

/// Makes an edge with all its sides.
fn edge(triangles: &[[u32; 3]], points: [u32; 2], sides: &[([u32; 2], u32)]) -> Edge {
    let &[(_, one), (_, other)] = sides else {
        return Edge { points, triangles: [NONE; 2], is_paired: false };
    };
    let from = |side: u32| triangles[side as usize / 3][side as usize % 3];
    Edge { points, triangles: [one / 3, other / 3], is_paired: from(one) != from(other) }
}

/// Returns the signed volume of the tetrahedron from a centre to a triangle. Over a closed surface these sum to the enclosed
/// volume, by the divergence theorem; a centre near the surface loses no digits far from the origin.
#[inline]
pub fn volume(centre: DVec3, [a, b, c]: [DVec3; 3]) -> f64 {
    volume_below(centre, a, (b - a).cross(c - a))
}

/// Returns the same volume from a corner and the normal of the triangle, twice the area long.
#[inline(always)]
pub fn volume_below(centre: DVec3, corner: DVec3, normal: DVec3) -> f64 {
    (corner - centre).dot(normal) / 6.0
}

/// Sets of connected triangles. Each triangle refers to another of its set, and the lowest one to itself.
struct Pieces(Vec<u32>);

impl Pieces {
    fn lowest(&mut self, mut triangle: u32) -> u32 {
        loop {
            let next = self.0[triangle as usize];
            if next == triangle {
                return triangle;
            }
            // Halving the path keeps later ones short.
            self.0[triangle as usize] = self.0[next as usize];
            triangle = next;
        }
    }

    fn join(&mut self, a: u32, b: u32) {
        let (a, b) = (self.lowest(a), self.lowest(b));
        self.0[a.max(b) as usize] = a.min(b);
    }

    /// Returns the index of each triangle's set, and the number of sets.
    fn numbered(self) -> (Vec<u32>, usize) {
        let mut numbers: Vec<u32> = Vec::with_capacity(self.0.len());
        let mut count = 0;
        for (triangle, &other) in (0u32..).zip(&self.0) {
            // The other is lower, so it already has its index.
            let number = if other == triangle { count } else { numbers[other as usize] };
            count += u32::from(other == triangle);
            numbers.push(number);
        }
        (numbers, count as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a tetrahedron of these points, with its faces outward for the order in the tests.
    fn tetrahedron([a, b, c, d]: [u32; 4]) -> [[u32; 3]; 4] {
        [[a, c, b], [a, b, d], [b, c, d], [c, a, d]]
    }

    #[test]
    fn pieces_hang_together_over_edges() {
        // Two closed pieces that touch at a point, one that lacks a side, and one with a side turned over.
        let mut triangles = [tetrahedron([0, 1, 2, 3]), tetrahedron([3, 4, 5, 6])].concat();
        triangles.extend(&tetrahedron([7, 8, 9, 10])[1..]);
        triangles.extend(tetrahedron([11, 12, 13, 14]));
        triangles[11].swap(0, 1);
        let found = surface(triangles);
        assert_eq!(found.piece_of, [[0; 4].as_slice(), &[1; 4], &[2; 3], &[3; 4]].concat());
        assert_eq!(found.is_closed, [true, true, false, false]);
        assert_eq!(found.edges.len(), 24);
        // Three triangles at an edge close nothing.
        let fan = surface(vec![[0, 1, 2], [1, 0, 3], [0, 1, 4]]);
        assert_eq!((fan.is_closed, fan.piece_of), (vec![false], vec![0; 3]));
        assert!(surface(Vec::new()).is_closed.is_empty());
    }

    #[test]
    fn volumes_have_a_sign_and_no_origin() {
        let places = [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z].map(|place| place * 2.0 + 1e6);
        let triangles = tetrahedron([0, 1, 2, 3]).map(|points| points.map(|point| places[point as usize]));
        let sum = |centre| triangles.iter().map(|corners| volume(centre, *corners)).sum::<f64>();
        assert!((sum(places[0]) - 8.0 / 6.0).abs() < 1e-9 && (sum(places[2]) - 8.0 / 6.0).abs() < 1e-9);
        let back = triangles.map(|[a, b, c]| volume(places[1], [b, a, c]));
        assert!((back.iter().sum::<f64>() + 8.0 / 6.0).abs() < 1e-9);
    }
}
