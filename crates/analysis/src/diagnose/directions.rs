//! Finds the way in which given normals were made.

use glam::DVec3;
use rayon::prelude::*;
use serde::Serialize;
use sinew_skinning::pose::PoseChoice;

use super::deviation::Deviation;
use super::engine::{Posed, Scratch};
use super::placement::Placement;
use super::recipe::Recipe;
use super::subject::Subject;

/// The way in which given normals were made.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Normals {
    /// The deviation from the definition; null if there is none.
    pub fault: Option<String>,
    /// The largest distance of a normal from the recipe's.
    pub max: f64,
    /// The root of the mean square.
    pub rms: f64,
    /// True if rounding explains the distance.
    pub agrees: bool,
    /// The number of normals that agree with the recipe's.
    pub right: usize,
    /// The number of normals.
    pub of: usize,
}

/// The distance within which normals of single precision agree.
const TOLERANCE: f64 = 1e-4;

/// Finds the way in which the normals of paired vertices were made; `None` if the model has none.
pub(super) fn normals(
    subject: &Subject,
    recipe: &Recipe,
    choice: &PoseChoice,
    placement: &Placement,
    pairs: &[(u32, DVec3)],
    tolerance: f64,
) -> Option<Normals> {
    let tolerance = tolerance.max(TOLERANCE);
    let mut found: Vec<Normals> = Vec::new();
    let none = std::iter::once(None);
    for deviation in none.chain(Deviation::of_normals().map(Some)) {
        let recipe = match deviation {
            Some(deviation) => recipe.with(deviation)?,
            None => recipe.clone(),
        };
        let posed = Posed::new(subject, &recipe, choice);
        let apart = |scratch: &mut Scratch, (ours, theirs): &(u32, DVec3)| {
            let moved = posed.moved(*ours as usize, scratch)?;
            let ours = posed.normal(*ours as usize, &moved, scratch)?;
            let apart = ours.distance(placement.undo_direction(*theirs));
            Some(if apart.is_finite() { apart } else { 2.0 })
        };
        let apart: Vec<f64> =
            pairs.par_iter().with_min_len(512).map_init(Scratch::default, apart).flatten().collect();
        if apart.is_empty() {
            return None;
        }
        let max = apart.iter().copied().fold(0.0, f64::max);
        let rms = (apart.iter().map(|apart| apart * apart).sum::<f64>() / apart.len() as f64).sqrt();
        let right = apart.iter().filter(|apart| **apart <= tolerance).count();
        let fault = deviation.map(|deviation| deviation.to_string());
        found.push(Normals { fault, max, rms, agrees: max <= tolerance, right, of: apart.len() });
    }
    let nearest = found.iter().map(|one| one.rms).fold(f64::INFINITY, f64::min);
    found.into_iter().find(|one| one.rms <= nearest * 1.6 + 1e-7)
}
