//! The question and the answer.

use serde::Serialize;
use sinew_model::{Model, VertexIndex};
use sinew_skinning::pose::PoseChoice;

use super::directions::Directions;
use super::matching::By;
use super::placement::PlacementWords;
use super::recipe::Recipe;
use super::search::Distances;
use crate::measure::Place;
use crate::vertices::Given;

/// Known pose of given vertices.
#[derive(Clone, Copy, Debug)]
pub enum Asked<'a> {
    /// This pose; others are searched only if nothing agrees with it.
    At(&'a PoseChoice),
    /// Nothing, or the clip alone: all clips are searched, or this one.
    Search(Option<usize>),
}

/// Vertices to name the skinning of.
pub struct Question<'a> {
    /// The model.
    pub model: &'a Model,
    /// The vertices.
    pub given: &'a Given,
    /// The bind pose in the order of the vertices, if it is known.
    pub bind: Option<&'a Given>,
    /// The pose.
    pub asked: Asked<'a>,
    /// A recipe to measure besides.
    pub expected: Option<&'a Recipe>,
    /// Takes the finished share of the work.
    pub watch: &'a (dyn Fn(f64) + Sync),
}

/// The correspondence of vertices.
#[derive(Clone, Debug, Serialize)]
pub struct Matched {
    /// The way.
    pub by: By,
    /// The matched part of the model.
    pub of: String,
    /// The number of given vertices.
    pub given: usize,
    /// The number of pairs.
    pub pairs: usize,
    /// Axes, unit and origin.
    #[serde(flatten)]
    pub placement: PlacementWords,
    /// The name of the clip; `bind`, `rest` or `skin-space` without one.
    pub pose: String,
    /// The time in seconds.
    pub time: f64,
    /// The time in frames of the model's rate.
    pub frame: f64,
    /// The frames by which the pose is early (positive) or late (negative), if a pose was asked for and another was found;
    /// null if the motion is another.
    pub late: Option<f64>,
    /// True if the pose is the one that was asked for, or none was.
    pub is_asked: bool,
}

/// The name of the skinning.
#[derive(Clone, Debug, Serialize)]
pub struct Verdict {
    /// The mode.
    pub mode: &'static str,
    /// The share of dual quaternions, if the mode is `blend` and one share fits all vertices.
    pub share: Option<f64>,
    /// The deviations from the mode's definition.
    pub faults: Vec<String>,
    /// The largest number of influences of a vertex in the model.
    pub influences: usize,
    /// The distances from this recipe.
    #[serde(flatten)]
    pub distances: Distances,
    /// True if every vertex is within the tolerance.
    pub agrees: bool,
    /// The tolerance: ten times the rounding of the numbers, as a share of the size.
    pub tolerance_r: f64,
    /// Other recipes that give the same vertices here.
    pub same: Vec<String>,
    /// The verdict in one sentence.
    pub sentence: String,
}

/// A recipe that was tried.
#[derive(Clone, Debug, Serialize)]
pub struct Candidate {
    /// Its name.
    pub name: String,
    /// Its distances.
    #[serde(flatten)]
    pub distances: Distances,
}

/// The expected recipe.
#[derive(Clone, Debug, Serialize)]
pub struct Expected {
    /// Its distances.
    #[serde(flatten)]
    pub candidate: Candidate,
    /// True if the normals were made as it says; null if it says nothing of them and none are given.
    pub normals: Option<bool>,
    /// True if the tangents were made as it says; null as for normals.
    pub tangents: Option<bool>,
}

/// A vertex far from the verdict.
#[derive(Clone, Debug, Serialize)]
pub struct Worst {
    /// The vertex.
    #[serde(flatten)]
    pub place: Place,
    /// Its index among the given vertices.
    pub given: u32,
    /// Its distance, as a share of the size.
    pub apart_r: f64,
    /// Our position.
    pub ours: [f64; 3],
    /// Their position in our axes and metres.
    pub theirs: [f64; 3],
}

/// Numbers that are not finite.
#[derive(Clone, Debug, Default, Serialize)]
pub struct NotFinite {
    /// The number of vertices.
    pub count: usize,
    /// The index of the first.
    pub first: Option<usize>,
}

/// The answer.
#[derive(Clone, Debug, Serialize)]
pub struct Answer {
    /// The correspondence.
    pub matched: Matched,
    /// The name of the skinning.
    pub verdict: Verdict,
    /// Origin of the normals; null without normals.
    pub normals: Option<Directions>,
    /// Origin of the tangents; null without tangents.
    pub tangents: Option<Directions>,
    /// The best recipes, best first.
    pub candidates: Vec<Candidate>,
    /// The distances of the expected recipe.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expected: Option<Expected>,
    /// The worst vertices.
    pub worst: Vec<Worst>,
    /// Sentence on a property that only the wrong vertices have.
    pub wrong: Option<String>,
    /// Given numbers that are not finite.
    pub not_finite: NotFinite,
    /// The pose.
    #[serde(skip)]
    pub choice: PoseChoice,
    /// The recipe of the verdict.
    #[serde(skip)]
    pub recipe: Recipe,
    /// Each matched vertex with its given position in our axes and metres.
    #[serde(skip)]
    pub theirs: Vec<(VertexIndex, [f64; 3])>,
}
