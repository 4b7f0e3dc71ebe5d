//! Centroids of blended draws, for depth sorting: the mean of a draw's vertices under linear blending, from one sum
//! per joint.

use std::collections::HashMap;

use glam::{DMat4, DVec3, DVec4};

use crate::model::draws::Draw;
use crate::upload::mesh_buffer::Batch;
use sinew_model::{Model, Primitive};

/// The centroids of a model's draws.
#[derive(Default)]
pub(crate) struct Middles {
    /// Sums for each blended draw and joint over its vertices: weight times position, and weight. `None` is "no
    /// joint", which moves nothing.
    shares: HashMap<usize, Vec<(Option<usize>, DVec4)>>,
}

impl Middles {
    /// Sums up the influence of each joint, for blended draws.
    pub(crate) fn new<'a>(model: &Model, draws: impl Iterator<Item = (&'a Draw, &'a Batch)>) -> Self {
        let shares = draws.enumerate().filter_map(|(number, (draw, batch))| {
            let primitive = draw.primitive_of(model);
            let material = primitive.material.and_then(|number| model.materials.get(number))?;
            let is_blended = material.is_blended();
            is_blended.then(|| (number, shares(primitive, batch, draw.skinned)))
        });
        Self { shares: shares.collect() }
    }

    /// Returns the centroid of a draw, with the matrices of its instance's joints.
    pub(crate) fn of(&self, draw: usize, world_from_bind: &[DMat4]) -> DVec3 {
        let shares = self.shares.get(&draw).map_or(&[][..], Vec::as_slice);
        // A joint that the skin lacks moves nothing, like "no joint".
        let of_joint = |joint: Option<usize>| joint.and_then(|joint| world_from_bind.get(joint));
        let moved = shares
            .iter()
            .map(|(joint, share)| of_joint(*joint).map_or(*share, |matrix| *matrix * *share))
            .fold(DVec4::ZERO, |sum, share| sum + share);
        if moved.w > 0.0 { moved.truncate() / moved.w } else { DVec3::ZERO }
    }
}

fn shares(primitive: &Primitive, batch: &Batch, skinned: bool) -> Vec<(Option<usize>, DVec4)> {
    let mut shares: Vec<(Option<usize>, DVec4)> = Vec::new();
    let influences = primitive.influences.as_ref().filter(|_| skinned);
    let mut add =
        |joint: Option<usize>, share: DVec4| match shares.iter_mut().find(|(known, _)| *known == joint) {
            Some((_, sum)) => *sum += share,
            None => shares.push((joint, share)),
        };
    for &vertex in &batch.vertices {
        let vertex = vertex as usize;
        // The indices of a hand-built model may name vertices that it lacks.
        let Some(position) = primitive.positions.get(vertex) else { continue };
        let position = DVec3::from(position.map(f64::from)).extend(1.0);
        let Some(influences) = influences else {
            add(Some(0), position);
            continue;
        };
        for span in 0..influences.spans.len() {
            let (joints, weights) = influences.of_vertex(span, vertex);
            for (joint, weight) in joints.into_iter().zip(weights).filter(|(_, weight)| *weight > 0.0) {
                add(usize::try_from(joint).ok(), position * f64::from(weight));
            }
        }
    }
    shares
}
