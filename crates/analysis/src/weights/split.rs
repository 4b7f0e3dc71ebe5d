//! Finds seams that would tear open: `split`. At a seam, two triangles share an edge by position, but not by vertices.

use std::collections::HashMap;

use super::finding::{Fault, Kind};
use super::surface::Surface;
use sinew_skinning::pairing::influences::distance;

/// The smallest sum of |Δw| across a seam that counts.
const LEAST: f64 = 0.02;

/// The corners of the first two triangles at an edge, and the number of triangles.
#[derive(Default)]
struct AtEdge {
    triangles: u32,
    ends: [[u32; 2]; 2],
}

/// Adds vertices at seams whose weights differ from those of the other side. If more than two triangles meet at an edge,
/// whole bodies touch, and that is not a seam.
pub fn splits(surface: &Surface, out: &mut Vec<Fault>) {
    let mut edges: HashMap<[u32; 2], AtEdge> = HashMap::new();
    for &[a, b, c] in &surface.triangles {
        for (v, w) in [(a, b), (b, c), (c, a)] {
            let (Some(p), Some(q)) = (surface.point(v), surface.point(w)) else { continue };
            // Only points of several vertices can be on a seam.
            if [p, q].iter().all(|point| surface.vertices.row(*point as usize).len() < 2) {
                continue;
            }
            let (key, ends) = if p < q { ([p, q], [v, w]) } else { ([q, p], [w, v]) };
            let edge = edges.entry(key).or_default();
            if let Some(place) = edge.ends.get_mut(edge.triangles as usize) {
                *place = ends;
            }
            edge.triangles = edge.triangles.saturating_add(1);
        }
    }
    let mut torn: HashMap<u32, f64> = HashMap::new();
    for edge in edges.values().filter(|edge| edge.triangles == 2) {
        let [first, second] = edge.ends;
        for (a, b) in first.into_iter().zip(second).filter(|(a, b)| a != b) {
            let row = |vertex: u32| surface.influences.row(vertex as usize);
            let difference = distance(row(a), row(b));
            if difference >= LEAST {
                for vertex in [a, b] {
                    let known = torn.entry(vertex).or_default();
                    *known = known.max(difference);
                }
            }
        }
    }
    let mut torn: Vec<(u32, f64)> = torn.into_iter().collect();
    torn.sort_unstable_by_key(|(vertex, _)| *vertex);
    let fault = |(vertex, difference): (u32, f64)| {
        let row = surface.influences.row(vertex as usize);
        let weight = row.iter().map(|influence| influence.weight).fold(0.0, f64::max);
        Fault { kind: Kind::Split, joint: None, vertex, weight, difference: Some(difference) }
    };
    out.extend(torn.into_iter().map(fault));
}
