//! Cuts a surface where a field is zero, so that the zero lines become edges, and mirrors a half into a whole.

use std::collections::HashMap;

use glam::DVec3;

use super::super::solid::Solid;
use super::Surface;

/// A vertex nearer to the line than this fraction of an edge moves onto it instead of being cut off.
const SNAP: f64 = 0.3;
/// The fraction for vertices that are already on another line: they stay where they are.
const TOUCH: f64 = 0.05;
/// Vertices this near to the plane of symmetry are in it.
const ON_PLANE: f64 = 1e-5;

/// Makes the zero line of `field` run along edges. Vertices marked in `fixed` stay where they are; this marks
/// those on the line.
pub fn cut(surface: &mut Surface, solid: &Solid, fixed: &mut Vec<bool>, field: &dyn Fn(DVec3) -> f64) {
    let mut values: Vec<f64> = surface.places.iter().map(|&p| field(p)).collect();
    let edges = edges(surface);

    // For each vertex, the nearest crossing on its edges.
    let mut nearest: Vec<Option<(f64, DVec3)>> = vec![None; surface.places.len()];
    for &(a, b) in &edges {
        if values[a as usize] * values[b as usize] >= 0.0 {
            continue;
        }
        let t = crossing(surface, field, a, b);
        let place = surface.places[a as usize].lerp(surface.places[b as usize], t);
        for (v, share) in [(a, t), (b, 1.0 - t)] {
            let best = &mut nearest[v as usize];
            // A vertex on another line keeps its place, but may count as on this one too.
            let near = if fixed[v as usize] { TOUCH } else { SNAP };
            if share < near && best.is_none_or(|(s, _)| share < s) {
                *best = Some((share, place));
            }
        }
    }
    for (v, snap) in nearest.iter().enumerate() {
        if let Some((_, place)) = snap {
            if !fixed[v] {
                surface.places[v] = solid.project(*place);
            }
            values[v] = 0.0;
            fixed[v] = true;
        }
    }

    // Split the edges that still cross.
    let mut middle: HashMap<(u32, u32), u32> = HashMap::new();
    for &(a, b) in &edges {
        if values[a as usize] * values[b as usize] < 0.0 {
            let t = crossing(surface, field, a, b);
            let place = surface.places[a as usize].lerp(surface.places[b as usize], t);
            middle.insert((a, b), surface.places.len() as u32);
            surface.places.push(solid.project(place));
            fixed.push(true);
        }
    }
    let mut triangles = Vec::with_capacity(surface.triangles.len());
    for &[a, b, c] in &surface.triangles {
        let at = |p: u32, q: u32| middle.get(&(p.min(q), p.max(q))).copied();
        let (ab, bc, ca) = (at(a, b), at(b, c), at(c, a));
        // Turn the triangle so that the cases below need one form each.
        match (ab, bc, ca) {
            (None, None, None) => triangles.push([a, b, c]),
            (Some(m), None, None) => triangles.extend([[a, m, c], [m, b, c]]),
            (None, Some(m), None) => triangles.extend([[b, m, a], [m, c, a]]),
            (None, None, Some(m)) => triangles.extend([[c, m, b], [m, a, b]]),
            (Some(m), Some(n), _) => corner(&mut triangles, [b, c, a], n, m),
            (_, Some(m), Some(n)) => corner(&mut triangles, [c, a, b], n, m),
            (Some(n), _, Some(m)) => corner(&mut triangles, [a, b, c], n, m),
        }
    }
    surface.triangles = triangles;
}

/// Cuts the first corner off: `next` is on the edge to the second, `before` on the one to the third.
fn corner(triangles: &mut Vec<[u32; 3]>, [a, b, c]: [u32; 3], next: u32, before: u32) {
    triangles.extend([[a, next, before], [next, b, c], [next, c, before]]);
}

/// All edges once, lower vertex first.
fn edges(surface: &Surface) -> Vec<(u32, u32)> {
    let mut edges: Vec<(u32, u32)> = surface
        .triangles
        .iter()
        .flat_map(|&[a, b, c]| [(a, b), (b, c), (c, a)])
        .map(|(a, b)| (a.min(b), a.max(b)))
        .collect();
    edges.sort_unstable();
    edges.dedup();
    edges
}

/// Finds the point between `a` and `b` at which the field is zero, by bisection.
fn crossing(surface: &Surface, field: &dyn Fn(DVec3) -> f64, a: u32, b: u32) -> f64 {
    let (pa, pb) = (surface.places[a as usize], surface.places[b as usize]);
    let sign = field(pa) < 0.0;
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..20 {
        let middle = (low + high) / 2.0;
        if (field(pa.lerp(pb, middle)) < 0.0) == sign { low = middle } else { high = middle }
    }
    (low + high) / 2.0
}

/// Keeps the half where x is not negative and adds its mirror image; the surface must be cut at x = 0. Returns
/// each vertex's image.
pub fn mirror(surface: &mut Surface) -> Vec<u32> {
    let middle = |s: &Surface, t: &[u32; 3]| t.iter().map(|&v| s.places[v as usize].x).sum::<f64>();
    let kept: Vec<_> = surface.triangles.iter().filter(|t| middle(surface, t) > 0.0).copied().collect();
    surface.triangles = kept;
    surface.compact();
    let half = surface.places.len() as u32;
    let mut image = Vec::new();
    let mut images_of = Vec::new();
    for v in 0..half {
        let place = &mut surface.places[v as usize];
        if place.x.abs() < ON_PLANE {
            place.x = 0.0;
            image.push(v);
        } else {
            let mirrored = DVec3::new(-place.x, place.y, place.z);
            image.push(half + images_of.len() as u32);
            images_of.push(v);
            surface.places.push(mirrored);
        }
    }
    let images: Vec<_> =
        surface.triangles.iter().map(|&[a, b, c]| [a, c, b].map(|v| image[v as usize])).collect();
    surface.triangles.extend(images);
    image.extend(images_of);
    image
}
