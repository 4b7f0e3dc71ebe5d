//! Texts that several tables of a comparison have: the times of a motion, and the place of a largest figure.

use crate::analysis::measure::joint_of;
use crate::length::digits;
use crate::model::{VertexIndex, VertexName};
use crate::skinning::pose::PoseChoice;

use super::job::Job;
use super::motions::Motion;

/// The times of a motion, in words.
pub fn span(motion: &Motion) -> String {
    match motion.times.seconds.as_slice() {
        [first, .., last] => {
            format!(", {} frames from {} to {} s", motion.times.seconds.len(), digits(*first), digits(*last))
        }
        [time] if matches!(motion.choice, PoseChoice::Clips(_)) => format!(" at {} s", digits(*time)),
        _ => String::new(),
    }
}

/// Describes the time, vertex and joint of a largest figure in a cell.
pub fn worst_of(job: &Job, worst: Option<(f64, VertexIndex)>) -> String {
    let Some((time, vertex)) = worst else { return String::new() };
    let name = VertexName::of(job.model, vertex);
    let joint = joint_of(job.model, vertex).map_or_else(String::new, |joint| format!(", {joint}"));
    format!("{} s, {name}{joint}", digits(time))
}
