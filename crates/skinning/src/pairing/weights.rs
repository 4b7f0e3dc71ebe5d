//! The difference between the weights of matched vertices.

use rayon::prelude::*;

use super::influences::distance;
use super::joints::{SharedJoints, row};
use super::partners::Found;
use super::spot::{Pair, Spot};
use crate::skin_of;
use sinew_model::Model;

/// Returns the largest sum of |Δw| over all joints, by their names; `None` if no skinned vertex is a vertex of the new
/// model.
pub fn weights_apart(pairs: &[Pair], old: &Model, new: &Model) -> Option<f64> {
    let joints = SharedJoints::new([old, new]);
    let parts = [old, new].map(Found::all);
    let of_pair = |pair: &Pair| {
        let (a, b) = (parts[0].get(pair.old)?, parts[1].get(pair.new)?);
        let (of_a, of_b) = (skin(old, a)?, skin(new, b)?);
        let apart = |(vertex, spot): &(u32, Spot)| {
            let Spot::Vertex(other) = spot else { return None };
            let [mut here, mut there] = [Vec::new(), Vec::new()];
            row(old, &joints.of_node[0], Some(of_a), (a.primitive, *vertex as usize), &mut here);
            row(new, &joints.of_node[1], Some(of_b), (b.primitive, *other as usize), &mut there);
            Some(distance(&here, &there))
        };
        pair.spots.par_iter().filter_map(apart).max_by(f64::total_cmp)
    };
    pairs.iter().filter_map(of_pair).max_by(f64::total_cmp)
}

/// Returns the skin that moves a primitive.
fn skin(model: &Model, found: &Found) -> Option<usize> {
    let instance = model.instances.get(found.instance)?;
    skin_of(model, instance, found.primitive.influences.is_some()).and(instance.skin)
}
