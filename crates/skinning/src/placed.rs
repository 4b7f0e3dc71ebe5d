//! The posed place of centres of rotation: the place where linear blending would move a vertex there.

use std::ops::Range;

use crate::centers::of;
use crate::pose::Pose;
use crate::posed::Scratch;
use crate::twin::{Skinned, Vertices, skin};
use crate::{SkinningMode, skin_of};
use sinew_model::{Influences, Model, Span};

/// Places the centres of some vertices of a primitive, as an instance draws it; `None` if it has no centres or the model's
/// are not known yet.
pub fn centers(
    model: &Model,
    pose: &Pose,
    (instance, primitive): (usize, usize),
    vertices: Range<usize>,
) -> Option<Vec<[f32; 3]>> {
    model.centers.get()?;
    let instance = model.instances.get(instance)?;
    let moved = model.meshes.get(instance.mesh)?.primitives.get(primitive)?;
    let influences = moved.influences.as_ref()?;
    skin_of(model, instance, true)?;
    let centers = of(model, instance.skin?, instance.mesh, primitive)?.get(vertices.clone())?;
    let mut scratch = Scratch::default();
    let mode = scratch.prepare(model, instance, moved, SkinningMode::Linear, pose);
    let some = |span: &Span| {
        let (joints, weights) = (span.joints.get(vertices.clone())?, span.weights.get(vertices.clone())?);
        Some(Span { joints: joints.to_vec(), weights: weights.to_vec() })
    };
    let influences = Influences { spans: influences.spans.iter().map(some).collect::<Option<_>>()? };
    let all = Vertices {
        positions: centers,
        normals: None,
        tangents: None,
        influences: Some(&influences),
        shares: None,
        centers: None,
        ddm: None,
    };
    let mut places = vec![[0.0; 3]; centers.len()];
    skin(mode, &scratch.slots, &all, Skinned { positions: &mut places, ..Skinned::default() });
    Some(places)
}
