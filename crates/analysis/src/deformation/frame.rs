//! The measurements of one mode at one time, as plain data for JSON.

use serde::{Deserialize, Serialize};
use sinew_model::VertexIndex;

/// The shape of a model in one mode at one time, against its bind pose. All numbers are finite.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Frame {
    /// Seconds from the start of the clip.
    pub time: f64,
    /// The number of drawn vertices without a finite position. The other numbers exclude everything that depends on them.
    pub lost: usize,
    /// The signed volume of each closed part relative to its volume in the bind pose; places are indices of parts. `None` if
    /// no part is closed.
    pub volume: Option<Extremes>,
    /// Lengths of edges relative to those in the bind pose; `None` without edges.
    pub stretch: Option<Stretch>,
    /// Skinned triangles turned inside out.
    pub turned: Turned,
    /// The size of the cross-section at each joint relative to its size in the bind pose; places are indices of sections.
    /// `None` without sections.
    pub section: Option<Extremes>,
    /// The largest step from the previous frame that no joint explains; `None` if there is none, or no previous frame.
    pub jump: Option<Jump>,
}

/// The smallest and the largest of some ratios, with their indices; the first of equal ones.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Extremes {
    /// The smallest ratio.
    pub smallest: f64,
    /// The index of the smallest.
    pub smallest_at: usize,
    /// The largest ratio.
    pub largest: f64,
    /// The index of the largest.
    pub largest_at: usize,
}

impl Extremes {
    /// Finds the extremes of a list; skips ratios that are not finite.
    pub fn of(ratios: impl IntoIterator<Item = f64>) -> Option<Self> {
        let mut extremes: Option<Self> = None;
        for (at, ratio) in ratios.into_iter().enumerate().filter(|(_, ratio)| ratio.is_finite()) {
            let alone = Self { smallest: ratio, smallest_at: at, largest: ratio, largest_at: at };
            let found = extremes.get_or_insert(alone);
            if ratio < found.smallest {
                (found.smallest, found.smallest_at) = (ratio, at);
            }
            if ratio > found.largest {
                (found.largest, found.largest_at) = (ratio, at);
            }
        }
        extremes
    }
}

/// The stretch of edges: the given share of all edges is stretched by this factor or less (nearest rank).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Stretch {
    /// The factor for one edge in a hundred.
    pub p1: f64,
    /// The factor for half of the edges.
    pub p50: f64,
    /// The factor for ninety-nine edges in a hundred.
    pub p99: f64,
}

/// Triangles turned inside out: they face away from every direction in which one of their corners' joints alone would turn
/// them. Each triangle of a region that turns over counts, except those without an area.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Turned {
    /// The number of triangles.
    pub count: usize,
    /// A corner of the largest one in the bind pose; `None` if there is none.
    pub largest: Option<Place>,
}

/// A step that no joint explains.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Jump {
    /// The distance that the vertex moved beyond the furthest that any of its joints alone would have moved it, in metres.
    pub metres: f64,
    /// The vertex.
    pub vertex: Place,
}

/// A drawn vertex, as indices that can be stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    /// Index into the model's instances.
    pub instance: usize,
    /// Index of the primitive in the instance's mesh.
    pub primitive: usize,
    /// Index of the vertex in the primitive.
    pub vertex: usize,
}

impl From<Place> for VertexIndex {
    fn from(Place { instance, primitive, vertex }: Place) -> Self {
        Self { instance, primitive, vertex }
    }
}
