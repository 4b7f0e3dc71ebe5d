//! Names a deviation.

use sinew_analysis::diagnose::{Answer, Asked, Deviation, Directions, Question, ask};
use sinew_analysis::vertices::Given;
use sinew_model::Model;
use sinew_skinning::SkinningMode;
use sinew_skinning::pose::PoseChoice;

use super::Stream;

/// Returns the names of the deviations that give these vertices, and the diagnosis.
pub(super) fn named(
    model: &Model,
    mode: SkinningMode,
    given: &Given,
    choice: &PoseChoice,
    stream: Stream,
) -> (String, Option<Answer>) {
    let watch: &(dyn Fn(f64) + Sync) = &|_| {};
    let question = Question { model, given, bind: None, asked: Asked::At(choice), expected: None, watch };
    match ask(&question) {
        Ok(answer) => (words(&answer, mode, stream), Some(answer)),
        Err(error) => (error.to_string(), None),
    }
}

/// Says how directions were made.
fn way(found: Option<&Directions>, what: &str) -> String {
    match found.filter(|found| found.agrees && !found.faults.is_empty()) {
        Some(found) => found.faults.iter().map(ToString::to_string).collect::<Vec<_>>().join(","),
        None => format!("{what} by no known way"),
    }
}

fn words(answer: &Answer, mode: SkinningMode, stream: Stream) -> String {
    let count = answer.not_finite.count;
    if count > 0 {
        return format!("{count} positions are not finite");
    }
    let verdict = &answer.verdict;
    match stream {
        Stream::Positions if !verdict.agrees => return "no known skinning".to_owned(),
        Stream::Positions => {}
        Stream::Normals => return way(answer.normals.as_ref(), "normals"),
        Stream::Tangents => return way(answer.tangents.as_ref(), "tangents"),
    }
    let mut words = Vec::new();
    if verdict.mode != mode.name() && !verdict.same.iter().any(|same| same == mode.name()) {
        words.push(verdict.mode.to_owned());
    }
    // Directions have words of their own.
    let directions: Vec<String> = Deviation::of_directions().map(|one| one.to_string()).collect();
    words.extend(verdict.faults.iter().filter(|fault| !directions.contains(fault)).cloned());
    let matched = &answer.matched;
    let placement = &matched.placement;
    if placement.axes != "x y z" {
        words.push(format!("axes {}", placement.axes));
    }
    if placement.unit != "m" {
        words.push(format!("unit {}", placement.unit));
    }
    if let Some([x, y, z]) = placement.origin {
        words.push(format!("origin at {x:.4} {y:.4} {z:.4}"));
    }
    if !matched.is_asked {
        words.push(format!("pose {} at {:.4} s", matched.pose, matched.time));
    }
    if words.is_empty() { "less precise than single precision".to_owned() } else { words.join(", ") }
}
