//! Reads each metric from what is measured of a frame.

use sinew_model::VertexIndex;

use super::metric::Metric;
use crate::deformation::{Extremes, Frame};
use crate::measure::Distance;

/// Where a value was found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum At {
    /// Nowhere in particular: it is of the whole surface.
    Surface,
    /// At a cross-section, by its number.
    Section(usize),
    /// On a closed part, by its number.
    Part(usize),
    /// At the vertex of a closed part, by the part's number, where its volume changes most.
    Volume(usize, VertexIndex),
    /// At a vertex.
    Vertex(VertexIndex),
    /// At several vertices, of which this is the most important one.
    Vertices(VertexIndex),
}

/// One mode in one frame.
pub struct Row {
    /// The deformation.
    pub frame: Frame,
    /// How far it is from linear blending; `None` for that itself.
    pub distance: Option<Distance>,
    /// True if there is no previous frame.
    pub is_first: bool,
}

impl Row {
    /// The value of a metric, and where it is; `None` where there is nothing to measure.
    pub fn value(&self, metric: Metric) -> Option<(f64, At)> {
        let Self { frame, distance, is_first } = self;
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
            Metric::Jump if *is_first => return None,
            Metric::Jump => {
                frame.jump.map_or((0.0, At::Surface), |jump| (jump.metres, at(Some(jump.vertex.into()))))
            }
            Metric::Distance => distance.map(|distance| (distance.max_m, at(distance.worst)))?,
            Metric::LostVertices => (frame.lost as f64, At::Surface),
        };
        Some((six_digits(value)?, at))
    }
}

/// The nearest number with six digits that count, so that a report does not depend on the last bits of a sum; `None` for
/// what is not finite.
pub fn six_digits(number: f64) -> Option<f64> {
    format!("{number:.5e}").parse().ok().filter(|number: &f64| number.is_finite())
}
