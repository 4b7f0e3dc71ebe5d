//! The volume of the closed parts of a surface: pieces in which every edge has two triangles, in opposite directions.

use glam::DVec3;

use super::surface::Surface;
use crate::triangles::{self, volume};

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
        let corners = |vertices: &[u32; 3]| {
            let [a, b, c] = vertices.map(|vertex| surface.point(vertex));
            Some(([a?, b?, c?], *vertices))
        };
        let (points, vertices): (Vec<_>, Vec<_>) = surface.triangles.iter().filter_map(corners).unzip();
        let joined = triangles::surface(points);
        // Pieces of the surface are connected over lines and at single points as well; each may be several here.
        let mut by_piece: Vec<Vec<[u32; 3]>> = vec![Vec::new(); surface.pieces];
        let mut is_closed = vec![true; surface.pieces];
        for (([point, ..], vertices), part) in joined.triangles.iter().zip(vertices).zip(&joined.piece_of) {
            let Some(&piece) = surface.piece_of.get(*point as usize) else { continue };
            if let Some(triangles) = by_piece.get_mut(piece as usize) {
                triangles.push(vertices);
            }
            if let (Some(all), Some(one)) =
                (is_closed.get_mut(piece as usize), joined.is_closed.get(*part as usize))
            {
                *all &= one;
            }
        }
        let closed = (0..).zip(by_piece).zip(is_closed);
        let closed = closed.filter(|((_, triangles), is_closed)| *is_closed && !triangles.is_empty());
        let (pieces, triangles) = closed.map(|(found, _)| found).unzip();
        Self { pieces, triangles }
    }

    /// Returns the volume of a closed part, by its index in [`Closed::pieces`], with vertices at these positions: about the
    /// part's first vertex.
    pub fn volume(&self, part: usize, places: &[DVec3]) -> f64 {
        let place = |vertex: u32| places.get(vertex as usize).copied().unwrap_or_default();
        let triangles = self.triangles.get(part).map_or(&[][..], |triangles| triangles);
        let center = triangles.first().map_or(DVec3::ZERO, |[first, ..]| place(*first));
        triangles.iter().map(|vertices| volume(center, vertices.map(place))).sum()
    }
}
