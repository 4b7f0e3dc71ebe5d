//! Weights from another model, by place in the bind pose.

use glam::DVec3;
use sinew_model::Model;

use super::{Chosen, Done, Weights};
use crate::pairing::influences::{Influence, NO_JOINT, merge};
use crate::pairing::joints::{SharedJoints, row};
use crate::pairing::{Found, Pairing, Spot};

/// The result of copying.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Copied {
    /// The vertices.
    pub done: Done,
    /// The number of chosen vertices without a place on the other model.
    pub unmatched: usize,
    /// Joints of the other model that this one lacks, by name. Others of the same vertex have their weight.
    pub missing: Vec<String>,
}

impl Weights<'_> {
    /// Gives the chosen vertices the weights that another model has at their places: those of the vertex there, or those of
    /// the surface between vertices. Joints are the same by name.
    pub fn copy(&mut self, from: &Model, chosen: &Chosen) -> Copied {
        let models = [self.model, from];
        let shared = SharedJoints::new(models);
        let pairing = Pairing::new(self.model, from);
        let drawn = [self.model, from].map(Found::all);
        let mut found: Vec<Vec<bool>> = self.parts.iter().map(|part| vec![false; part.rows.len()]).collect();
        let mut copied = Copied::default();
        let mut is_missing = vec![false; shared.joints.len()];
        for pair in &pairing.pairs {
            let (Some(here), Some(there)) = (drawn[0].get(pair.old), drawn[1].get(pair.new)) else {
                continue;
            };
            let Some(number) = self.part_of(here.instance, here.number) else { continue };
            let skin = models[1].instances.get(there.instance).and_then(|instance| instance.skin);
            if skin.is_none() || there.primitive.influences.is_none() {
                continue;
            }
            for (vertex, spot) in &pair.spots {
                let vertex = *vertex as usize;
                if !chosen.has(number, vertex) {
                    continue;
                }
                let mut weights = Vec::new();
                for (corner, share) in corners(*spot) {
                    let mut own = Vec::new();
                    row(from, &shared.of_node[1], skin, (there.primitive, corner as usize), &mut own);
                    weights
                        .extend(own.into_iter().map(|one| Influence { weight: one.weight * share, ..one }));
                }
                merge(&mut weights);
                for one in &weights {
                    if let Some(is_missing) = is_missing.get_mut(one.joint as usize) {
                        *is_missing |= shared
                            .joints
                            .get(one.joint as usize)
                            .is_some_and(|joint| joint.nodes[0].is_none());
                    }
                }
                let of_joint = |one: &Influence| match one.joint {
                    NO_JOINT => Some((-1, one.weight)),
                    joint => {
                        let node = shared.joints.get(joint as usize)?.nodes[0]?;
                        Some((self.number_in(number, node)?, one.weight))
                    }
                };
                let wanted: Vec<(i32, f64)> = weights.iter().filter_map(of_joint).collect();
                if let Some(found) = found.get_mut(number).and_then(|found| found.get_mut(vertex)) {
                    *found = true;
                }
                self.put(number, vertex, &wanted, &mut copied.done);
            }
        }
        let all = found
            .iter()
            .enumerate()
            .flat_map(|(part, found)| found.iter().enumerate().map(move |at| (part, at)));
        copied.unmatched =
            all.filter(|(part, (vertex, found))| !**found && chosen.has(*part, *vertex)).count();
        let named = shared.joints.iter().zip(is_missing).filter(|(_, is_missing)| *is_missing);
        copied.missing = named
            .map(|(joint, _)| match joint.name {
                "" => format!("#{}", joint.file_index),
                name => name.to_owned(),
            })
            .collect();
        copied
    }
}

/// The vertices at a spot with their shares.
fn corners(spot: Spot) -> Vec<(u32, f64)> {
    match spot {
        Spot::Vertex(vertex) => vec![(vertex, 1.0)],
        Spot::Point(point) => {
            let shares = DVec3::from(point.shares).max(DVec3::ZERO).to_array();
            point.corners.into_iter().zip(shares).filter(|(_, share)| *share > 0.0).collect()
        }
    }
}
