//! Frames of the corners of triangles, and the mean of their turns at each point.

use super::graph::Graph;
use glam::{DMat3, DVec3};

/// The least sine of a corner's angle that has a frame.
const FLAT: f64 = 1e-7;

/// The frames of all corners of a surface; `None` where two edges are parallel or have no length.
#[derive(Default)]
pub struct Frames(Vec<[Option<DMat3>; 3]>);

impl Frames {
    /// Finds the frames.
    pub fn find(&mut self, graph: &Graph, places: &[DVec3]) {
        self.0.clear();
        self.0.extend(graph.triangles.iter().map(|triangle| {
            corners(*triangle, places).map(|corner| corner.map(|Corner { frame, .. }| frame))
        }));
    }
}

/// A corner of a triangle.
struct Corner {
    /// Along the surface, across, and the normal.
    frame: DMat3,
    /// The angle by which the outline turns.
    angle: f64,
}

/// Returns the corners of a triangle.
fn corners(triangle: [u32; 3], places: &[DVec3]) -> [Option<Corner>; 3] {
    let [a, b, c] = triangle.map(|point| places[point as usize]);
    // Each from its corner to the next. Without length, they are NaN.
    let edges = [b - a, c - b, a - c].map(|edge| edge / edge.length());
    [0, 1, 2].map(|number| corner(edges[(number + 2) % 3], edges[number]))
}

/// Returns the corner between the directions into it and out of it.
fn corner(before: DVec3, after: DVec3) -> Option<Corner> {
    let across = before.cross(after);
    let sine = across.length();
    if sine.is_nan() || sine <= FLAT {
        return None;
    }
    let normal = across / sine;
    let along = (before + after).normalize();
    let frame = DMat3::from_cols(along, normal.cross(along), normal);
    Some(Corner { frame, angle: sine.atan2(before.dot(after)) })
}

/// The mean turn of each point's corners, less the identity.
#[derive(Default)]
pub struct Turns {
    sums: Vec<DMat3>,
    angles: Vec<f64>,
}

impl Turns {
    /// Finds the turns from frames at rest to those of the same surface with its points elsewhere. Equal frames give exactly
    /// zero, so that the bind pose is the stored mesh.
    pub fn find(&mut self, graph: &Graph, places: &[DVec3], rest: &Frames) {
        self.sums.clear();
        self.sums.resize(places.len(), DMat3::ZERO);
        self.angles.clear();
        self.angles.resize(places.len(), 0.0);
        for (triangle, rest) in graph.triangles.iter().zip(&rest.0) {
            let corners = corners(*triangle, places);
            for ((&point, corner), rest) in triangle.iter().zip(corners).zip(rest) {
                let (Some(Corner { frame, angle }), Some(rest)) = (corner, *rest) else { continue };
                self.sums[point as usize] += (frame - rest) * rest.transpose() * angle;
                self.angles[point as usize] += angle;
            }
        }
    }

    /// Returns the turn of a point less the identity; `None` if no corner of it has a frame in both places.
    pub fn of(&self, point: usize) -> Option<DMat3> {
        let angle = self.angles.get(point).filter(|angle| **angle > 0.0)?;
        Some(*self.sums.get(point)? * (1.0 / angle))
    }
}
