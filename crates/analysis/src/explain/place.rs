//! A vertex before any joint moves it.

use glam::DVec3;

use super::explanation::{Place, Stored32};
use crate::palette::finite;
use sinew_model::{Instance, Model, Primitive};
use sinew_skinning::morph::{morph_exactly, weights_of};
use sinew_skinning::pose::Pose;

/// A vertex before any joint moves it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BindPlace {
    /// The position.
    pub position: DVec3,
    /// The normal, if the primitive has normals.
    pub normal: Option<DVec3>,
}

/// Returns the vertex with the morph weights of a pose, or without any.
pub fn bind_place(
    model: &Model,
    instance: &Instance,
    primitive: &Primitive,
    vertex: usize,
    pose: Option<&Pose>,
) -> BindPlace {
    let weights = pose.map_or(&[][..], |pose| weights_of(&model.rig, instance, &pose.weights));
    let morphs = primitive.morphs.as_ref().filter(|_| pose.is_some());
    let stream = |stored: [f32; 3], deltas| {
        let (moved, _) = morph_exactly(stored, deltas, vertex, weights);
        DVec3::from_array(moved)
    };
    let normal = primitive.normals.as_ref().and_then(|normals| normals.get(vertex));
    BindPlace {
        position: stream(
            primitive.positions.get(vertex).copied().unwrap_or_default(),
            morphs.and_then(|morphs| morphs.positions.as_ref()),
        ),
        normal: normal.map(|&normal| stream(normal, morphs.and_then(|morphs| morphs.normals.as_ref()))),
    }
}

/// Returns the position and the normal, each if it is finite.
pub fn shown(place: &BindPlace) -> Place {
    Place {
        position: finite(place.position.to_array()),
        normal: place.normal.and_then(|normal| finite(normal.to_array())),
    }
}

/// Returns the vertex as the file stores it.
pub fn stored_place(primitive: &Primitive, vertex: usize) -> Stored32 {
    let finite = |numbers: &[f32; 3]| numbers.iter().all(|number| number.is_finite()).then_some(*numbers);
    let normals = primitive.normals.as_ref();
    Stored32 {
        position: primitive.positions.get(vertex).and_then(finite),
        normal: normals.and_then(|normals| normals.get(vertex)).and_then(finite),
    }
}

/// Returns the number, if it is finite.
pub fn one(number: f64) -> Option<f64> {
    finite([number]).map(|[number]| number)
}
