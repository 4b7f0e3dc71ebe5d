//! The viewpoints that commands use to show one vertex or one joint.

mod facing;
mod joint;
mod orbits;

use std::ops::RangeInclusive;

use facing::{facing, reach};
use glam::DVec3;

use crate::camera::{Orbit, Viewpoint};
use crate::length::rounded;
use crate::model::{Model, VertexIndex};
use crate::skinning::SkinningMode;
use crate::skinning::pose::{Pose, PoseChoice};
use crate::skinning::posed::{SkinnedPrimitive, reference_surfaces};
pub use joint::at_joint;

/// The distance of the eye, relative to the length of the longest triangle at the vertex. That triangle then is a sixth of
/// the half of the picture, and so larger than the mark on the vertex.
const WIDE: f64 = 24.0;

/// Looks at a vertex from `diagonals` of the model, nearer for small triangles, and from a side where these are visible.
/// Looks at the whole model if the vertex has no position. From one diagonal, the default lens covers half of the model.
pub fn at_vertex(
    model: &Model,
    mode: SkinningMode,
    choice: &PoseChoice,
    vertex: Option<VertexIndex>,
    diagonal_m: f64,
    diagonals: RangeInclusive<f64>,
) -> Viewpoint {
    let mut pose = Pose::default();
    pose.set(model, choice);
    let mut surfaces = Vec::new();
    reference_surfaces(model, mode, &pose, &mut surfaces);
    let place = vertex.and_then(|vertex| place(&surfaces, vertex));
    // A millionth of the model is near enough, and short to write.
    let near = |along: f64| if along.abs() < diagonal_m * 1e-6 { 0.0 } else { rounded(along) };
    let (Some(vertex), Some(place)) = (vertex, place.filter(|_| diagonal_m > 0.0)) else {
        return Orbit::default().into();
    };
    let target = place.to_array().map(near).into();
    let most = (WIDE * reach(model, &surfaces, vertex) / diagonal_m).min(*diagonals.end());
    let distance = rounded(diagonal_m * most.max(*diagonals.start()));
    let orbit = Orbit { target: Some(target), distance: Some(distance), ..Orbit::default() };
    facing(model, &surfaces, vertex, orbit, (place, distance)).into()
}

/// The place of a vertex, if it is finite.
fn place(surfaces: &[SkinnedPrimitive<f64>], vertex: VertexIndex) -> Option<DVec3> {
    let is_its = |surface: &&SkinnedPrimitive<f64>| {
        surface.instance == vertex.instance && surface.primitive == vertex.primitive
    };
    let place = DVec3::from_array(*surfaces.iter().find(is_its)?.positions.get(vertex.vertex)?);
    place.is_finite().then_some(place)
}
