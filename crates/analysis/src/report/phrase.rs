//! Describes the effect of a mode in words: `narrows forearm.R to 31.2 %`.

use super::data::Found;
use super::shown::{place, value};
use crate::metric::Metric;

/// Returns the effect of a mode, as a clause without its subject.
pub fn phrase(metric: Metric, found: &Found) -> String {
    let shown = value(metric, found.value);
    let at = found.at.as_ref().map(place);
    let here = at.as_deref().unwrap_or("the surface");
    let largest = at.as_deref().map_or(String::new(), |at| format!(", the largest {at}"));
    let by = at.as_deref().map_or(String::new(), |at| format!(" {at}"));
    match metric {
        Metric::SectionSmallest => format!("narrows {here} to {shown}"),
        Metric::SectionLargest => format!("widens {here} to {shown}"),
        Metric::VolumeSmallest if found.value < 0.0 => {
            format!("turns {here} inside out, to a volume of {shown}")
        }
        Metric::VolumeSmallest => format!("shrinks {here} to {shown} of its volume"),
        Metric::VolumeLargest => format!("swells {here} to {shown} of its volume"),
        Metric::StretchP1 => format!("shortens one edge in a hundred to {shown} of its length or less"),
        Metric::StretchP50 => format!("changes half of the edges to {shown} of their length"),
        Metric::StretchP99 => format!("stretches one edge in a hundred to more than {shown} of its length"),
        Metric::TurnedTriangles if found.value == 1.0 => format!("turns a triangle inside out{by}"),
        Metric::TurnedTriangles => format!("turns {shown} triangles inside out{largest}"),
        Metric::Jump => format!("lets a vertex{by} jump by {shown}"),
        Metric::Distance => format!("moves a vertex{by} {shown} away from lbs"),
        Metric::LostVertices if found.value == 1.0 => "loses a vertex".to_owned(),
        Metric::LostVertices => format!("loses {shown} vertices"),
    }
}
