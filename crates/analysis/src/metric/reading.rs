//! Reads each metric from the measurements of a frame.

use sinew_model::VertexIndex;

use super::table::Metric;
use crate::deformation::{Extremes, Frame};
use crate::measure::Distance;

/// The place of a value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum At {
    /// The whole surface.
    Surface,
    /// A cross-section, by its index.
    Section(usize),
    /// A closed part, by its index.
    Part(usize),
    /// The vertex of a closed part, with the part's index, around which its volume changes most.
    Volume(usize, VertexIndex),
    /// A vertex.
    Vertex(VertexIndex),
    /// Several vertices; this is the most important one.
    Vertices(VertexIndex),
}

/// One mode in one frame.
pub struct Row {
    /// The deformation.
    pub frame: Frame,
    /// The distance from the mode that distances are measured from; `None` for that mode itself.
    pub distance: Option<Distance>,
    /// True if there is no previous frame.
    pub is_first: bool,
}

impl Row {
    /// Returns the value of a metric, and its place; `None` if there is nothing to measure.
    pub fn value(&self, metric: Metric) -> Option<(f64, At)> {
        let Self { frame, distance, is_first } = self;
        if *is_first && metric.facts().needs_previous {
            return None;
        }
        let smallest = |found: &Extremes, at: fn(usize) -> At| (found.smallest, at(found.smallest_at));
        let largest = |found: &Extremes, at: fn(usize) -> At| (found.largest, at(found.largest_at));
        let at = |place: Option<VertexIndex>| place.map_or(At::Surface, At::Vertex);
        let (value, at) = match metric {
            Metric::SectionSmallest => smallest(frame.section.as_ref()?, At::Section),
            Metric::SectionLargest => largest(frame.section.as_ref()?, At::Section),
            Metric::VolumeSmallest => smallest(frame.volume.as_ref()?, At::Part),
            Metric::VolumeLargest => largest(frame.volume.as_ref()?, At::Part),
            Metric::StretchP1 => (frame.stretch?.p1, At::Surface),
            Metric::StretchP50 => (frame.stretch?.p50, At::Surface),
            Metric::StretchP99 => (frame.stretch?.p99, At::Surface),
            Metric::TurnedTriangles => {
                let largest = frame.turned.largest.map(|place| At::Vertices(place.into()));
                (frame.turned.count as f64, largest.unwrap_or(At::Surface))
            }
            Metric::Jump => {
                frame.jump.map_or((0.0, At::Surface), |jump| (jump.metres, at(Some(jump.vertex.into()))))
            }
            Metric::Distance => distance.map(|distance| (distance.max_m, at(distance.worst)))?,
            Metric::LostVertices => (frame.lost as f64, At::Surface),
        };
        value.is_finite().then_some((value, at))
    }
}
