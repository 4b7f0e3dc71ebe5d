//! The volume of the closed parts of a surface: pieces in which every edge has two triangles, in opposite directions.

use std::collections::HashMap;

use glam::DVec3;

use super::surface::Surface;

/// The closed parts of a surface.
#[derive(Clone, Debug, Default)]
pub struct Closed {
    /// The piece of each closed part.
    pub pieces: Vec<u32>,
    /// The triangles of each, as vertices.
    triangles: Vec<Vec<[u32; 3]>>,
}

impl Closed {
    /// Finds the closed parts.
    pub fn new(surface: &Surface) -> Self {
        let piece = |vertex: u32| {
            let point = surface.point(vertex)?;
            surface.piece_of.get(point as usize).copied()
        };
        // How often each edge is walked in its own direction, less how often against it; and how often in all.
        let mut walked: HashMap<[u32; 2], (i32, u32)> = HashMap::new();
        let mut by_piece: Vec<Vec<[u32; 3]>> = vec![Vec::new(); surface.pieces];
        for &triangle in &surface.triangles {
            let [a, b, c] = triangle;
            for (v, w) in [(a, b), (b, c), (c, a)] {
                let (Some(p), Some(q)) = (surface.point(v), surface.point(w)) else { continue };
                let (sum, count) = walked.entry([p.min(q), p.max(q)]).or_default();
                *sum = sum.saturating_add(if p < q { 1 } else { -1 });
                *count = count.saturating_add(1);
            }
            if let Some(triangles) = piece(a).and_then(|piece| by_piece.get_mut(piece as usize)) {
                triangles.push(triangle);
            }
        }
        let mut is_closed: Vec<bool> = by_piece.iter().map(|triangles| !triangles.is_empty()).collect();
        for (edge, (sum, count)) in walked {
            let piece = surface.piece_of.get(edge[0] as usize);
            if let Some(is_closed) = piece.and_then(|piece| is_closed.get_mut(*piece as usize)) {
                *is_closed &= sum == 0 && count == 2;
            }
        }
        let closed = (0..).zip(by_piece).zip(is_closed).filter(|(_, is_closed)| *is_closed);
        let (pieces, triangles) = closed.map(|(found, _)| found).unzip();
        Self { pieces, triangles }
    }

    /// The volume of a closed part, by its number in [`Closed::pieces`], with vertices at these places: by the
    /// divergence theorem, about the part's first vertex, so that nothing is lost far from the origin.
    pub fn volume(&self, part: usize, places: &[DVec3]) -> f64 {
        let place = |vertex: u32| places.get(vertex as usize).copied().unwrap_or_default();
        let triangles = self.triangles.get(part).map_or(&[][..], |triangles| triangles);
        let center = triangles.first().map_or(DVec3::ZERO, |[first, ..]| place(*first));
        let six_times = |&[a, b, c]: &[u32; 3]| {
            let [a, b, c] = [a, b, c].map(|vertex| place(vertex) - center);
            a.dot(b.cross(c))
        };
        triangles.iter().map(six_times).sum::<f64>() / 6.0
    }
}
