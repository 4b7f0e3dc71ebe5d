//! A plane, and the triangles that it may cut.

use std::ops::Range;

use glam::DVec3;
use sinew_skinning::boxes::{Bounds, BoxTree};

/// A plane through a point.
#[derive(Clone, Copy)]
pub struct Plane {
    /// The point.
    pub at: DVec3,
    /// The normal.
    pub normal: DVec3,
}

/// Builds a tree over some triangles. All indices must be in range.
pub fn tree(triangles: Range<u32>, corners: &[[u32; 3]], points: &[DVec3]) -> BoxTree<u32> {
    let first = triangles.start;
    let places = |triangle: u32| corners[triangle as usize].map(|point| points[point as usize]);
    let middles: Vec<DVec3> = triangles.clone().map(|triangle| places(triangle).iter().sum()).collect();
    let along = |triangle: &u32, axis: usize| middles[(triangle - first) as usize][axis];
    BoxTree::new(triangles.collect(), |triangle| places(*triangle), along)
}

impl Plane {
    /// Returns the height of a position above the plane.
    pub fn height(&self, place: DVec3) -> f64 {
        self.normal.dot(place - self.at)
    }

    /// Lists the triangles that the plane may cut. Returns the number of boxes and triangles that it visited.
    pub fn near_into(&self, tree: &BoxTree<u32>, out: &mut Vec<u32>) -> u64 {
        out.clear();
        let is_cut = |bounds: &Bounds| {
            let half = (bounds.high - bounds.low) * 0.5;
            let height = self.height(bounds.low + half);
            // Rounding must not lose a triangle that touches the plane.
            let reach = self.normal.abs().dot(half) + 1e-9 * (height.abs() + half.length());
            height.abs() <= reach
        };
        tree.each_where(is_cut, |triangles| out.extend_from_slice(triangles)) + out.len() as u64
    }
}
