//! Judges what a program skinned: reads a folder of results and compares each with the expected vertices. This module must
//! not depend on the way folders are read.

#![cfg_attr(not(test), deny(clippy::indexing_slicing))]

mod compared;
mod matched;
mod results;
#[cfg(test)]
mod tests;
mod words;

pub use results::{About, MAX_BYTES, Results};

use serde::Serialize;
use sinew_analysis::diagnose::{Answer, scientific};
use sinew_model::Model;
use sinew_skinning::SkinningMode;

use crate::{Case, Class, Manifest, expected};
use compared::compared;
use results::Found;

/// The result of a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// Every vertex is within the tolerance.
    Pass,
    /// A vertex is not.
    Deviates,
    /// The program refuses the file.
    Refused,
    /// The program crashed.
    Crashed,
    /// A required result is missing.
    Missing,
    /// A result that is not required is missing.
    NotGiven,
    /// The result cannot be read.
    Unreadable,
}

impl Outcome {
    /// All outcomes.
    pub const ALL: [Self; 7] = [
        Self::Pass,
        Self::Deviates,
        Self::Refused,
        Self::Crashed,
        Self::Missing,
        Self::NotGiven,
        Self::Unreadable,
    ];

    /// Returns the name in reports.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::Deviates => "deviates",
            Self::Refused => "refused",
            Self::Crashed => "crashed",
            Self::Missing => "missing",
            Self::NotGiven => "not-given",
            Self::Unreadable => "unreadable",
        }
    }
}

/// A stream of vertices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Stream {
    /// Positions.
    Positions,
    /// Normals.
    Normals,
    /// Tangents.
    Tangents,
}

impl Stream {
    /// Returns the name in reports.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Positions => "positions",
            Self::Normals => "normals",
            Self::Tangents => "tangents",
        }
    }
}

/// A case in a mode with its result.
#[derive(Debug, Serialize)]
pub struct Row {
    /// The case.
    pub case: String,
    /// The mode.
    pub mode: String,
    /// The obligation to pass.
    pub class: Class,
    /// The result.
    pub outcome: Outcome,
    /// The judged streams that the result has.
    pub streams: Vec<Stream>,
    /// The stream that uses most of its tolerance.
    pub worst: Option<Stream>,
    /// Its time, in seconds.
    pub time: Option<f64>,
    /// Its largest distance; null if a number is not finite.
    pub distance: Option<f64>,
    /// Its tolerance.
    pub tolerance: Option<f64>,
    /// The deviations' names, or the reason.
    pub words: Option<String>,
    /// The diagnosis of a deviation, for pictures.
    #[serde(skip)]
    pub answer: Option<Box<Answer>>,
}

impl Row {
    /// Returns true if normals or tangents deviate, and every position is within the tolerance.
    pub fn has_other_directions(&self) -> bool {
        self.outcome == Outcome::Deviates && matches!(self.worst, Some(Stream::Normals | Stream::Tangents))
    }

    /// Returns true if every position is within the tolerance. The specification of glTF does not say how directions move, so
    /// those alone fail nothing.
    pub fn passes(&self) -> bool {
        self.outcome == Outcome::Pass || self.has_other_directions()
    }

    /// Returns true if a program that conforms has no such row.
    pub fn fails(&self) -> bool {
        self.class == Class::Required && !self.passes()
    }

    /// Returns outcome, distance and words in one line.
    pub fn text(&self) -> String {
        let mut text = self.outcome.name().to_owned();
        if let (Some(worst), Some(tolerance)) = (self.worst, self.tolerance) {
            let distance = self.distance.map_or_else(|| "not finite".to_owned(), scientific);
            text += &format!(": {} {distance} of {}", worst.name(), scientific(tolerance));
        }
        match &self.words {
            Some(words) => format!("{text}: {words}"),
            None => text,
        }
    }

    fn new(case: &Case, mode: &str, class: Class, outcome: Outcome, words: Option<String>) -> Self {
        let words = words.filter(|words| !words.is_empty());
        let (case, mode) = (case.name.clone(), mode.to_owned());
        let (streams, worst, time, distance, tolerance, answer) = (Vec::new(), None, None, None, None, None);
        Self { case, mode, class, outcome, streams, worst, time, distance, tolerance, words, answer }
    }
}

/// Judges all cases in their order. Names deviations if `is_named`, which takes most of the time; `watch` takes the number of
/// finished cases.
pub fn judge(manifest: &Manifest, results: &Results, is_named: bool, watch: &dyn Fn(usize)) -> Vec<Row> {
    let mut rows = Vec::new();
    for (number, case) in manifest.cases.iter().enumerate() {
        watch(number);
        let mut model = None;
        for (mode, tolerance) in &case.modes {
            let outcome = |outcome, words| Row::new(case, mode, tolerance.class, outcome, words);
            let row = match results.find(case, mode) {
                Found::Nothing if tolerance.class == Class::Required => outcome(Outcome::Missing, None),
                Found::Nothing => outcome(Outcome::NotGiven, None),
                Found::Refused(reason) => outcome(Outcome::Refused, Some(reason)),
                Found::Crashed(reason) => outcome(Outcome::Crashed, Some(reason)),
                Found::Unreadable(reason) => outcome(Outcome::Unreadable, Some(reason)),
                Found::Moments(moments) => {
                    let model =
                        model.get_or_insert_with(|| expected::model(case).map_err(|error| error.to_string()));
                    match (mode.parse::<SkinningMode>(), &model) {
                        (Ok(parsed), Ok(model)) => {
                            let row = outcome(Outcome::Pass, None);
                            compared(case, model, parsed, (tolerance, &moments), is_named, row)
                        }
                        (Err(error), _) => outcome(Outcome::Unreadable, Some(error.to_string())),
                        (_, Err(error)) => outcome(Outcome::Unreadable, Some(error.clone())),
                    }
                }
            };
            rows.push(row);
        }
    }
    rows
}

/// Returns the number of drawn vertices, and each one's texture coordinates, if it has any.
fn texcoords(model: &Model) -> Vec<Option<[f64; 2]>> {
    let primitives = model.instances.iter().filter_map(|instance| model.meshes.get(instance.mesh));
    let primitives = primitives.flat_map(|mesh| &mesh.primitives);
    let of = |primitive: &sinew_model::Primitive| {
        let set = primitive.texcoords.first().cloned().unwrap_or_default();
        let at = move |vertex: usize| set.get(vertex).map(|uv| uv.map(f64::from));
        (0..primitive.positions.len()).map(at).collect::<Vec<_>>()
    };
    primitives.flat_map(of).collect()
}
