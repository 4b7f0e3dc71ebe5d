//! The place of one model's vertex on another.

use glam::{DMat4, DVec3};

use super::surface::SurfacePoint;

/// The place of an old vertex on the new model.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Spot {
    /// At this vertex.
    Vertex(u32),
    /// At this point.
    Point(SurfacePoint),
}

impl Spot {
    /// Returns the value of a stream of the new model here.
    #[inline]
    pub fn on(self, stream: &[[f64; 3]]) -> Option<DVec3> {
        let of = |vertex: u32| stream.get(vertex as usize).map(|value| DVec3::from_array(*value));
        match self {
            Self::Vertex(vertex) => of(vertex),
            Self::Point(point) => {
                let corners = point.corners.into_iter().zip(point.shares);
                corners.map(|(corner, share)| Some(of(corner)? * share)).sum()
            }
        }
    }
}

/// The partners of some of a primitive's drawn vertices.
#[derive(Clone, Debug)]
pub struct Pair {
    /// The index of the primitive among the old model's.
    pub old: usize,
    /// The index of the primitive among the new model's.
    pub new: usize,
    /// Drawn vertices of the old primitive, each with its spot.
    pub spots: Vec<(u32, Spot)>,
    /// The distance of each from its spot in the bind pose, as a share of the old primitive's size.
    pub apart: Vec<f32>,
    /// From the old primitive's stored positions to the new one's. It is the identity unless the bind poses are scaled,
    /// turned or moved.
    pub new_from_old: DMat4,
}
