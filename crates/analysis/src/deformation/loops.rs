//! Cuts a surface with a plane and finds the smallest closed loop of the cut around a point of the plane.

use glam::{DVec2, DVec3};
use sinew_skinning::boxes::BoxTree;

use super::plane::Plane;
use crate::triangles::{NONE, Surface};

/// A point of a loop: a point of the surface, so that poses move it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Knot {
    /// The ends of the edge that it lies on.
    pub points: [u32; 2],
    /// The position between the first end (0) and the second (1).
    pub share: f64,
    /// The share of the loop's length in the bind pose: half of the distances to its neighbours. All knots together have 1.
    pub weight: f64,
}

impl Knot {
    /// Returns the position of the knot.
    fn place(&self, points: &[DVec3]) -> DVec3 {
        let [a, b] = self.points.map(|point| points[point as usize]);
        a.lerp(b, self.share)
    }
}

/// Returns the size of a loop: the root mean square distance of its knots from their centre, by their weights.
pub fn size(knots: &[Knot], points: &[DVec3]) -> f64 {
    let places = || knots.iter().map(|knot| (knot.place(points), knot.weight));
    let centre: DVec3 = places().map(|(place, weight)| place * weight).sum();
    let square: f64 = places().map(|(place, weight)| place.distance_squared(centre) * weight).sum();
    square.sqrt()
}

/// Cuts a surface, plane after plane.
pub struct Cutter<'a> {
    surface: &'a Surface,
    points: &'a [DVec3],
    /// The index of the last plane that cut each edge.
    cut_by: Vec<u32>,
    plane_number: u32,
    near: Vec<u32>,
    loop_now: Vec<Knot>,
}

impl<'a> Cutter<'a> {
    /// Prepares to cut a surface in the bind pose.
    pub fn new(surface: &'a Surface, points: &'a [DVec3]) -> Self {
        let cut_by = vec![0; surface.edges.len()];
        Self { surface, points, cut_by, plane_number: 0, near: Vec::new(), loop_now: Vec::new() }
    }

    /// Finds the smallest loop around the plane's point among the triangles of a tree. Returns it with its size, and the
    /// number of steps.
    pub fn smallest_loop(&mut self, tree: &BoxTree<u32>, plane: &Plane) -> (Option<(Vec<Knot>, f64)>, u64) {
        self.plane_number += 1;
        let mut near = std::mem::take(&mut self.near);
        let mut steps = plane.near_into(tree, &mut near);
        let mut smallest: Option<(Vec<Knot>, f64)> = None;
        for &triangle in &near {
            let is_closed = self.trace(triangle, plane);
            steps += self.loop_now.len() as u64;
            if !is_closed || !winds_around(&self.loop_now, self.points, plane) {
                continue;
            }
            weigh(&mut self.loop_now, self.points);
            let size = size(&self.loop_now, self.points);
            let is_smaller = smallest.as_ref().is_none_or(|(_, least)| size < *least);
            if is_smaller && size.is_normal() {
                smallest = Some((self.loop_now.clone(), size));
            }
        }
        self.near = near;
        (smallest, steps)
    }

    /// Follows the cut from a triangle over edges that join two triangles. Returns true if it closes. Each edge is followed
    /// once per plane.
    fn trace(&mut self, start: u32, plane: &Plane) -> bool {
        self.loop_now.clear();
        let Some([first, _]) = self.cut_edges(start, plane) else { return false };
        if self.cut_by[first as usize] == self.plane_number {
            return false;
        }
        let (mut triangle, mut entered) = (start, first);
        loop {
            let Some([one, other]) = self.cut_edges(triangle, plane) else { return false };
            let left = if one == entered { other } else { one };
            if self.cut_by[left as usize] == self.plane_number {
                // Another part of the same line, which has an end.
                return false;
            }
            self.cut_by[left as usize] = self.plane_number;
            let edge = &self.surface.edges[left as usize];
            let [a, b] = edge.points.map(|point| plane.height(self.points[point as usize]));
            self.loop_now.push(Knot { points: edge.points, share: a / (a - b), weight: 0.0 });
            if left == first {
                return edge.triangles[0] != NONE;
            }
            triangle = match edge.triangles {
                [NONE, _] => return false,
                [one, other] if one == triangle => other,
                [one, _] => one,
            };
            entered = left;
        }
    }

    /// Returns the two edges of a triangle that a plane cuts. A corner on the plane counts as above it, so there are always
    /// two or none.
    fn cut_edges(&self, triangle: u32, plane: &Plane) -> Option<[u32; 2]> {
        let corners = self.surface.triangles[triangle as usize];
        let [a, b, c] = corners.map(|point| plane.height(self.points[point as usize]) >= 0.0);
        let [ab, bc, ca] = self.surface.edges_of[triangle as usize];
        match (a != b, b != c, c != a) {
            (true, true, _) => Some([ab, bc]),
            (true, _, true) => Some([ab, ca]),
            (_, true, true) => Some([bc, ca]),
            _ => None,
        }
    }
}

/// Returns true if a loop in a plane winds around the plane's point.
fn winds_around(knots: &[Knot], points: &[DVec3], plane: &Plane) -> bool {
    let (x, y) = plane.normal.any_orthonormal_pair();
    let flat = |knot: &Knot| {
        let way = knot.place(points) - plane.at;
        DVec2::new(x.dot(way), y.dot(way))
    };
    let Some(mut from) = knots.last().map(flat) else { return false };
    let mut turns = 0i64;
    for to in knots.iter().map(flat) {
        // Crossings of the x axis, upwards or downwards, right of the point.
        let is_left = from.perp_dot(to) > 0.0;
        match (from.y <= 0.0, to.y <= 0.0) {
            (true, false) if is_left => turns += 1,
            (false, true) if !is_left => turns -= 1,
            _ => {}
        }
        from = to;
    }
    turns != 0
}

/// Sets the weight of each knot; 0 in a loop without a length.
fn weigh(knots: &mut [Knot], points: &[DVec3]) {
    let places: Vec<DVec3> = knots.iter().map(|knot| knot.place(points)).collect();
    let next = places.iter().cycle().skip(1);
    let ways: Vec<f64> = places.iter().zip(next).map(|(a, b)| a.distance(*b)).collect();
    let length: f64 = ways.iter().sum();
    let before = ways.iter().cycle().skip(ways.len().saturating_sub(1));
    for ((knot, before), after) in knots.iter_mut().zip(before).zip(&ways) {
        knot.weight = (before + after) / (2.0 * length);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_size_does_not_depend_on_how_finely_a_side_is_divided() {
        // A unit square, with one side in two halves.
        let corners = [[0.0, 0.0], [0.5, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]];
        let points = corners.map(|[x, y]| DVec3::new(x, y, 7.0));
        let knot = |point| Knot { points: [point, 0], share: 0.0, weight: 0.0 };
        let mut knots = [0, 1, 2, 3, 4].map(knot);
        weigh(&mut knots, &points);
        assert_eq!(knots.map(|knot| knot.weight * 8.0), [1.5, 1.0, 1.5, 2.0, 2.0]);
        assert!((size(&knots, &points) - 0.46875f64.sqrt()).abs() < 1e-15);

        let plane = |x, y| Plane { at: DVec3::new(x, y, 7.0), normal: DVec3::Z };
        assert!(winds_around(&knots, &points, &plane(0.9, 0.2)));
        for (x, y) in [(1.1, 0.2), (-0.1, 0.5), (0.5, 1.5), (0.5, -0.5)] {
            assert!(!winds_around(&knots, &points, &plane(x, y)), "{x} {y}");
        }
        weigh(&mut knots[..1], &points);
        assert!(size(&knots[..1], &points).is_nan() && !winds_around(&[], &points, &plane(0.0, 0.0)));
    }
}
