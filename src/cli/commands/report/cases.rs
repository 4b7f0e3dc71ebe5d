//! The cases of a report as a check: the worst value of each metric in each mode.

use std::ffi::OsStr;

use crate::analysis::metric::{Metric, is_problem};
use crate::analysis::report::{Found, ModeSummary, Report, phrase, when};
use crate::check::{Case, Severity};
use crate::cli::terminal::print::plain;
use crate::skinning::SkinningMode;
use crate::words::many;

/// The kind of finding in a mode other than the author's: a warning.
const OTHER_MODE: &str = "other_mode";

/// The kind of finding where a model could not be measured.
const UNREAD: &str = "unread";

/// The kinds of findings: the metrics that have a limit, and the same in other modes.
pub fn kinds() -> Vec<&'static str> {
    let metrics = Metric::ALL.into_iter().filter(|metric| metric.facts().limit.is_some());
    metrics.map(Metric::name).chain([OTHER_MODE, UNREAD]).collect()
}

/// Returns the words of `--fail-on` with earlier names of metrics replaced.
pub fn present(words: &[String]) -> Vec<String> {
    let metric = |word: &String| word.parse().map(Metric::name).ok();
    words.iter().map(|word| metric(word).map_or_else(|| word.clone(), str::to_owned)).collect()
}

/// A case for each mode and metric. A problem in the author's mode is an error, one in another mode a warning.
pub fn of(report: &Report, authored: SkinningMode) -> Vec<Case> {
    let of_mode = |mode: &ModeSummary| {
        let worst = mode.worst.iter().filter(|(metric, _)| metric.facts().limit.is_some());
        let of_mode = worst.map(|(&metric, found)| case(report, &mode.mode, metric, found, authored));
        of_mode.collect::<Vec<_>>()
    };
    report.summary.iter().flat_map(of_mode).collect()
}

/// The number of problems and the worst of them, in a line.
pub fn summary(report: &Report) -> String {
    let model = plain(&report.model);
    let problems: usize = report.own_modes().map(|mode| mode.problems).sum();
    match report.worst.first().filter(|_| problems > 0) {
        Some(worst) => {
            let found = phrase(worst.metric, &worst.found);
            let (mode, when) = (&worst.mode, when(&worst.found));
            let count = many(problems, "problem");
            let which = if problems > 1 { "the worst: " } else { "" };
            plain(&format!("{model}: {count}, {which}{mode} {found} ({when})"))
        }
        None => format!("{model}: no problems"),
    }
}

fn case(report: &Report, mode: &str, metric: Metric, found: &Found, authored: SkinningMode) -> Case {
    let (severity, kind) = match (is_problem(found.score), mode == authored.name()) {
        (false, _) => (Severity::Fine, metric.name()),
        (true, true) => (Severity::Error, metric.name()),
        (true, false) => (Severity::Warning, OTHER_MODE),
    };
    let name = format!("{}: {mode} {}", report.model, metric.facts().title);
    let message = format!("{mode} {} ({})", phrase(metric, found), when(found));
    let shown = report.worst.iter().find(|worst| worst.mode == mode && worst.metric == metric);
    Case::new(name, severity, kind, message).shown_by(shown.map_or("", |worst| &worst.command))
}

/// The case of a model that could not be measured.
pub fn unread(given: &OsStr, cause: &str) -> Case {
    Case::new(given.to_string_lossy(), Severity::Broken, UNREAD, cause)
}
