//! The new model's rest pose relative to the old one's: larger, turned or moved as a whole.

use glam::DVec3;
use serde::Serialize;

use super::similarity::Similarity;
use super::spot::Pair;
use crate::SkinningMode;
use crate::pose::{Pose, PoseChoice};
use crate::posed::{SkinnedPrimitive, reference_surfaces};
use sinew_model::Model;

/// Placement of the new model's rest pose on the old one's.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct AtRest {
    /// From the old positions to the new ones.
    #[serde(flatten)]
    pub new_from_old: Similarity,
    /// The largest distance of vertices, in metres.
    pub max_m: f64,
    /// The largest remaining distance without the similarity, in metres of the old file.
    pub left_m: f64,
    /// The diagonal of the old one's box.
    pub size_m: f64,
}

impl AtRest {
    /// Describes the new file in words such as `100 times larger`; `None` if it equals the old one, or if no similarity
    /// explains the difference.
    pub fn words(&self) -> Option<String> {
        self.new_from_old.words(self.size_m).filter(|_| self.left_m * EXPLAINS <= self.max_m)
    }
}

/// A similarity explains distances if it shrinks them by this factor.
const EXPLAINS: f64 = 10.0;

/// The maximum number of pairs of vertices in a fit.
const MAX_PAIRS: usize = 4096;

/// Compares the rest poses of paired vertices in linear blending; `None` without any.
pub fn at_rest(pairs: &[Pair], old: &Model, new: &Model) -> Option<AtRest> {
    let [old, new] = [old, new].map(|model| {
        let (mut pose, mut skinned) = (Pose::default(), Vec::new());
        pose.set(model, &PoseChoice::Rest);
        reference_surfaces(model, SkinningMode::Linear, &pose, &mut skinned);
        skinned
    });
    let places = || pairs.iter().flat_map(|pair| places(pair, &old, &new));
    let count: usize = pairs.iter().map(|pair| pair.spots.len()).sum();
    let some: Vec<(DVec3, DVec3)> = places().step_by(count.div_ceil(MAX_PAIRS).max(1)).collect();
    let new_from_old = Similarity::fit(&some)?;
    let max_m = places().map(|(old, new)| old.distance(new)).fold(0.0, f64::max);
    let left = places().map(|(old, new)| new_from_old.apply(old).distance(new)).fold(0.0, f64::max);
    let (low, high) = places()
        .fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(low, high), (old, _)| (low.min(old), high.max(old)));
    Some(AtRest { new_from_old, max_m, left_m: left / new_from_old.scale, size_m: (high - low).length() })
}

/// Returns the finite positions of a pair's vertices.
fn places<'a>(
    pair: &'a Pair,
    old: &'a [SkinnedPrimitive<f64>],
    new: &'a [SkinnedPrimitive<f64>],
) -> impl Iterator<Item = (DVec3, DVec3)> + 'a {
    let both = old.get(pair.old).zip(new.get(pair.new));
    both.into_iter().flat_map(|(old, new)| {
        pair.spots.iter().filter_map(|(vertex, spot)| {
            let old = DVec3::from_array(*old.positions.get(*vertex as usize)?);
            let new = spot.on(&new.positions)?;
            (old.is_finite() && new.is_finite()).then_some((old, new))
        })
    })
}
