//! The correspondence of vertices with a model in known poses.

use glam::DVec3;
use sinew_model::Model;
use sinew_skinning::SkinningMode;
use sinew_skinning::pose::PoseChoice;

use super::found::positions;
use super::matching::{By, Matching, NoMatch, Theirs, candidates};
use super::moment::{measure, sample};
use super::placement::Placement;
use super::recipe::Recipe;
use super::subject::Subject;
use crate::vertices::Given;

/// A model to fit vertices to.
pub(crate) struct Fitting<'a> {
    subject: Subject<'a>,
    size: f64,
    /// The skinning that poses are compared in.
    recipe: Recipe,
}

/// A correspondence, with axes and unit.
#[derive(Clone, Debug)]
pub(crate) struct Fit {
    pub(crate) by: By,
    /// The matched part of the model, in words.
    pub(crate) of: String,
    /// For each primitive of each instance, in the order of [`Drawn`](sinew_skinning::Drawn), the given vertex of each
    /// vertex; `None` for a primitive that is not wholly matched.
    pub(crate) parts: Vec<Option<Vec<u32>>>,
    /// Axes and unit, if they are those of other programs.
    pub(crate) placement: Placement,
}

/// The number of matchings to compare.
const MAX_TRIED: usize = 8;

impl<'a> Fitting<'a> {
    pub(crate) fn new(model: &'a Model) -> Self {
        let subject = Subject::new(model);
        let size = subject.size();
        let recipe = Recipe::of(SkinningMode::authored(model).unwrap_or_default());
        Self { subject, size, recipe }
    }

    /// Finds the matching, axes and unit in which given vertices are nearest to a pose.
    ///
    /// # Errors
    /// If their number fits no part of the model, or they match no primitive wholly.
    pub(crate) fn find(&self, given: &Given, choice: &PoseChoice) -> Result<Fit, NoMatch> {
        let theirs = Theirs::of(given);
        let mut best: Option<(f64, Fit)> = None;
        // Of many equal primitives, the first few.
        for matching in candidates(&self.subject, &theirs, None)?.into_iter().take(MAX_TRIED) {
            let pairs = sample(&self.subject, &positions(&matching, &theirs.positions));
            let found = measure(&self.subject, &self.recipe, choice, &pairs, self.size, &[]);
            let parts = self.parts(&matching);
            let is_any = parts.iter().flatten().any(|part| !part.is_empty());
            if is_any && best.as_ref().is_none_or(|(apart, _)| found.apart < *apart) {
                let placement = found.placement.rounds(self.size).find(Placement::is_round);
                let placement = placement.unwrap_or(Placement::SAME);
                best = Some((found.apart, Fit { by: matching.by, of: matching.of, parts, placement }));
            }
        }
        let none = || NoMatch::none(theirs.positions.len(), self.subject.len);
        best.map(|(_, fit)| fit).ok_or_else(none)
    }

    /// Picks pairs of our vertices and given ones that tell poses apart.
    pub(crate) fn sample(&self, fit: &Fit, given: &Given) -> Vec<(u32, DVec3)> {
        let theirs = Theirs::of(given).positions;
        let mut pairs: Vec<(u32, DVec3)> = Vec::new();
        for (part, matched) in self.subject.parts.iter().zip(&fit.parts) {
            let vertices = (part.first as u32..).zip(matched.iter().flatten());
            pairs.extend(vertices.filter_map(|(ours, at)| Some((ours, *theirs.get(*at as usize)?))));
        }
        sample(&self.subject, &pairs)
    }

    /// Returns the median distance of a sample from a pose, in metres.
    pub(crate) fn apart(&self, fit: &Fit, sample: &[(u32, DVec3)], choice: &PoseChoice) -> f64 {
        measure(&self.subject, &self.recipe, choice, sample, self.size, &[fit.placement]).apart
    }

    /// Lists the given vertices part by part.
    fn parts(&self, matching: &Matching) -> Vec<Option<Vec<u32>>> {
        let mut all: Vec<Vec<Option<u32>>> =
            self.subject.parts.iter().map(|part| vec![None; part.len()]).collect();
        for &(ours, theirs) in &matching.pairs {
            let Some((number, _, at)) = self.subject.part_of(ours as usize) else { continue };
            if let Some(place) = all.get_mut(number).and_then(|part| part.get_mut(at)) {
                *place = Some(theirs);
            }
        }
        all.into_iter().map(|part| part.into_iter().collect()).collect()
    }
}
