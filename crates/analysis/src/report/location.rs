//! Describes the places of values in a model.

use sinew_model::{Model, VertexIndex, VertexName};

use super::data::{Location, LocationKind, PartEntry, SectionEntry};
use super::digits::six_digits;
use crate::deformation::Shape;
use crate::measure::{heaviest, joint_name};
use crate::metric::At;

/// The maximum number of characters of a name. A file may have one of megabytes, at which a thousand values are found.
const MAX_CHARACTERS: usize = 80;

/// Shortens a name from a file.
pub fn short(name: &str) -> String {
    match name.char_indices().nth(MAX_CHARACTERS) {
        Some((end, _)) => format!("{}…", name.get(..end).unwrap_or_default()),
        None => name.to_owned(),
    }
}

/// A place for ranking: only the worst of its values is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Key {
    /// The whole surface.
    Surface,
    /// A joint, by its node in the rig.
    Joint(usize),
    /// A closed part.
    Part(usize),
}

/// Returns the key of a place. A vertex has the key of its joint with the largest weight.
pub fn key(model: &Model, shape: &Shape, at: At) -> Key {
    let joint = |node: Option<usize>| node.map_or(Key::Surface, Key::Joint);
    match at {
        At::Surface | At::Vertices(_) => Key::Surface,
        At::Section(number) => joint(shape.sections().get(number).map(|section| section.node)),
        At::Part(number) | At::Volume(number, _) => Key::Part(number),
        At::Vertex(vertex) => joint(heaviest(model, vertex)),
    }
}

/// Describes a place; `None` for the whole surface.
pub fn location(model: &Model, shape: &Shape, at: At) -> Option<Location> {
    let of =
        |kind: LocationKind, number: Option<usize>, joint: Option<usize>, vertex: VertexIndex| Location {
            kind,
            joint: joint.map(|node| short(&joint_name(model, node))),
            number,
            vertex: VertexName::of(model, vertex).to_string(),
        };
    match at {
        At::Surface => None,
        At::Section(number) => {
            let section = shape.sections().get(number)?;
            Some(of(LocationKind::Joint, Some(number), Some(section.node), section.vertex.into()))
        }
        At::Part(number) => {
            let vertex: VertexIndex = shape.parts().get(number)?.vertex.into();
            Some(of(LocationKind::Part, Some(number), heaviest(model, vertex), vertex))
        }
        At::Volume(number, vertex) => {
            Some(of(LocationKind::Part, Some(number), heaviest(model, vertex), vertex))
        }
        At::Vertex(vertex) | At::Vertices(vertex) => {
            Some(of(LocationKind::Vertex, None, heaviest(model, vertex), vertex))
        }
    }
}

/// Returns the list of cross-sections.
pub fn sections(model: &Model, shape: &Shape) -> Vec<SectionEntry> {
    let entry = |section: &crate::deformation::Section| SectionEntry {
        joint: short(&joint_name(model, section.node)),
        vertex: VertexName::of(model, section.vertex.into()).to_string(),
        radius_m: six_digits(section.radius).unwrap_or_default(),
    };
    shape.sections().iter().map(entry).collect()
}

/// Returns the list of closed parts.
pub fn parts(model: &Model, shape: &Shape) -> Vec<PartEntry> {
    let entry = |part: &crate::deformation::Part| PartEntry {
        joint: heaviest(model, part.vertex.into()).map(|node| short(&joint_name(model, node))),
        vertex: VertexName::of(model, part.vertex.into()).to_string(),
        triangles: part.triangles,
        volume_m3: six_digits(part.volume).unwrap_or_default(),
    };
    shape.parts().iter().map(entry).collect()
}
