//! Finds the nearest point of a surface.

use glam::DVec3;

use crate::boxes::BoxTree;

/// A point of a surface: the corners of its triangle, and their shares.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SurfacePoint {
    /// The vertices.
    pub corners: [u32; 3],
    /// The share of each; they sum to one.
    pub shares: [f64; 3],
}

/// Triangles to search.
pub struct SurfaceTree(BoxTree<Triangle>);

/// The places of a triangle's corners, and their vertices.
type Triangle = ([DVec3; 3], [u32; 3]);

impl SurfaceTree {
    /// Builds a tree of triangles whose corners are vertices of these positions. Skips those with a corner that is missing
    /// or not finite.
    pub fn new(positions: &[[f64; 3]], triangles: impl Iterator<Item = [u32; 3]>) -> Self {
        let corner = |vertex: u32| positions.get(vertex as usize).map(|p| DVec3::from_array(*p));
        let places = |corners: [u32; 3]| {
            let [a, b, c] = corners.map(corner);
            let places = [a?, b?, c?];
            places.iter().all(|place| place.is_finite()).then_some((places, corners))
        };
        let along = |(places, _): &Triangle, axis: usize| places.iter().map(|p| p[axis]).sum();
        Self(BoxTree::new(triangles.filter_map(places).collect(), |(places, _)| *places, along))
    }

    /// Returns the nearest point, and its distance; `None` without triangles or for a point that is not finite.
    pub fn nearest(&self, to: DVec3) -> Option<(SurfacePoint, f64)> {
        self.nearest_where(to, |_| true)
    }

    /// Returns the nearest point of the triangles that pass a test of their corners.
    pub fn nearest_where(&self, to: DVec3, passes: impl Fn([u32; 3]) -> bool) -> Option<(SurfacePoint, f64)> {
        let mut best: Option<(SurfacePoint, f64)> = None;
        self.0.nearest_first(to, |triangles| {
            for (places, corners) in triangles {
                let shares = shares(to, places);
                let point = places[0] * shares[0] + places[1] * shares[1] + places[2] * shares[2];
                let apart = point.distance(to);
                let is_nearer = apart.is_finite() && best.is_none_or(|(_, nearest)| apart < nearest);
                if is_nearer && passes(*corners) {
                    best = Some((SurfacePoint { corners: *corners, shares }, apart));
                }
            }
            best.map(|(_, nearest)| nearest)
        });
        best
    }
}

/// Returns the shares of a triangle's corners in its point nearest to `p`, by the region of the plane that contains `p`
/// (Ericson 2005, section 5.1.5).
fn shares(p: DVec3, [a, b, c]: &[DVec3; 3]) -> [f64; 3] {
    let (ab, ac) = (*b - *a, *c - *a);
    let along = |corner: &DVec3| (ab.dot(p - *corner), ac.dot(p - *corner));
    let ((d1, d2), (d3, d4), (d5, d6)) = (along(a), along(b), along(c));
    if d1 <= 0.0 && d2 <= 0.0 {
        return [1.0, 0.0, 0.0];
    }
    if d3 >= 0.0 && d4 <= d3 {
        return [0.0, 1.0, 0.0];
    }
    if d6 >= 0.0 && d5 <= d6 {
        return [0.0, 0.0, 1.0];
    }
    let (va, vb, vc) = (d3 * d6 - d5 * d4, d5 * d2 - d1 * d6, d1 * d4 - d3 * d2);
    if vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0 {
        let v = ratio(d1, d1 - d3);
        return [1.0 - v, v, 0.0];
    }
    if vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0 {
        let w = ratio(d2, d2 - d6);
        return [1.0 - w, 0.0, w];
    }
    if va <= 0.0 && d4 >= d3 && d5 >= d6 {
        let w = ratio(d4 - d3, (d4 - d3) + (d5 - d6));
        return [0.0, 1.0 - w, w];
    }
    let (v, w) = (ratio(vb, va + vb + vc), ratio(vc, va + vb + vc));
    [1.0 - v - w, v, w]
}

/// Divides two lengths or areas; 0 in a triangle without area.
fn ratio(part: f64, whole: f64) -> f64 {
    let share = part / whole;
    if share.is_finite() { share } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_point_is_found_in_every_region() {
        let square = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [1.0, 1.0, 0.0]];
        let tree = SurfaceTree::new(&square, [[0, 1, 2], [1, 3, 2]].into_iter());
        for (to, nearest) in [
            ([0.25, 0.25, 2.0], [0.25, 0.25, 0.0]),
            ([-1.0, -1.0, 0.0], [0.0, 0.0, 0.0]),
            ([0.5, -3.0, 0.0], [0.5, 0.0, 0.0]),
            ([2.0, 2.0, 1.0], [1.0, 1.0, 0.0]),
            ([2.0, 0.75, 0.0], [1.0, 0.75, 0.0]),
        ] {
            let (point, apart) = tree.nearest(DVec3::from_array(to)).unwrap();
            let corners = point.corners.map(|corner| DVec3::from_array(square[corner as usize]));
            let found: DVec3 = corners.iter().zip(point.shares).map(|(corner, share)| *corner * share).sum();
            let nearest = DVec3::from_array(nearest);
            assert!(found.distance(nearest) < 1e-12, "{to:?}: {found}");
            assert!((apart - nearest.distance(DVec3::from_array(to))).abs() < 1e-12);
        }
    }

    #[test]
    fn a_tree_finds_what_a_search_of_all_finds() {
        let mut state = 1_u64;
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as f64 / f64::from(u32::MAX >> 1)
        };
        let positions: Vec<[f64; 3]> = (0..300).map(|_| [next(), next(), next()]).collect();
        let triangles: Vec<[u32; 3]> = (0..298).map(|first| [first, first + 1, first + 2]).collect();
        let tree = SurfaceTree::new(&positions, triangles.iter().copied());
        for _ in 0..100 {
            let to = DVec3::new(next(), next(), next()) * 2.0 - 0.5;
            let alone = |&triangle: &[u32; 3]| {
                SurfaceTree::new(&positions, std::iter::once(triangle)).nearest(to).unwrap().1
            };
            let all = triangles.iter().map(alone).fold(f64::INFINITY, f64::min);
            assert_eq!(tree.nearest(to).unwrap().1, all);
        }
    }

    #[test]
    fn nothing_is_near_where_nothing_is() {
        let nothing = SurfaceTree::new(&[], std::iter::empty());
        assert_eq!(nothing.nearest(DVec3::ZERO), None);
        let lost = SurfaceTree::new(&[[f64::NAN; 3]; 3], [[0, 1, 2], [0, 1, 9]].into_iter());
        assert_eq!(lost.nearest(DVec3::ZERO), None);
        let flat = SurfaceTree::new(&[[1.0; 3]; 3], std::iter::once([0, 1, 2]));
        assert_eq!(flat.nearest(DVec3::ZERO).unwrap().1, 3.0_f64.sqrt());
        assert_eq!(flat.nearest(DVec3::NAN), None);
    }
}
