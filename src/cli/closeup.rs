//! The viewpoints that commands use to show one vertex or one joint.

mod joint;

use crate::camera::{Orbit, Viewpoint};
use crate::length::rounded;
use crate::model::{Model, VertexIndex};
use crate::skinning::SkinningMode;
use crate::skinning::pose::{Pose, PoseChoice};
use crate::skinning::posed::reference_vertex;
pub use joint::at_joint;

/// Looks at a vertex from so many diagonals of the model; at the whole model if the vertex has no place. From one
/// diagonal the usual lens sees half of the model.
pub fn at_vertex(
    model: &Model,
    mode: SkinningMode,
    choice: &PoseChoice,
    vertex: Option<VertexIndex>,
    diagonal_m: f64,
    diagonals: f64,
) -> Viewpoint {
    let mut pose = Pose::default();
    pose.set(model, choice);
    let place = vertex.and_then(|vertex| reference_vertex(model, mode, &pose, vertex));
    // A millionth of the model is near enough, and short to write.
    let near = |along: f64| if along.abs() < diagonal_m * 1e-6 { 0.0 } else { rounded(along) };
    let target = place.filter(|_| diagonal_m > 0.0).map(|place| place.to_array().map(near).into());
    let distance = target.map(|_| rounded(diagonal_m * diagonals));
    Orbit { target, distance, ..Orbit::default() }.into()
}
