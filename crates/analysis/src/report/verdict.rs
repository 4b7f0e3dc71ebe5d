//! Summarises a report in one or two sentences.

use super::data::{Found, ModeSummary, Report};
use super::phrase::phrase;
use super::shown::when;
use crate::metric::{Metric, is_problem};

/// Returns the verdict: the modes that stay within all limits, and how well; then the worst of each other mode, best mode
/// first.
pub fn verdict(report: &Report) -> String {
    if report.counts.vertices == 0 {
        return "The model draws nothing.".to_owned();
    }
    if report.counts.skinned_vertices == 0 {
        return "No skin moves this model: all modes draw the same.".to_owned();
    }
    let (bad, good): (Vec<_>, Vec<_>) = report.own_modes().partition(|mode| worst(mode).is_some());
    let mut bad: Vec<_> = bad.into_iter().filter_map(|mode| Some((mode, worst(mode)?))).collect();
    bad.sort_by(|a, b| score(a.1.1).total_cmp(&score(b.1.1)));
    let clauses: Vec<String> = bad
        .iter()
        .map(|(mode, (metric, found))| {
            format!("{} {} ({})", report.label(&mode.mode), phrase(*metric, found), when(found))
        })
        .collect();
    if let [(_, first), rest @ ..] = bad.as_slice()
        && good.is_empty()
        && rest.iter().all(|(_, other)| other == first)
    {
        let (metric, found) = first;
        return format!(
            "No mode stays within all limits: each {} ({}).",
            phrase(*metric, found),
            when(found)
        );
    }
    let first = match good.as_slice() {
        [] => "No mode stays within all limits.".to_owned(),
        good => kept(report, good),
    };
    match clauses.is_empty() {
        true => first,
        false => format!("{first} {}.", clauses.join("; ")),
    }
}

fn score(found: &Found) -> f64 {
    found.score.unwrap_or_default()
}

/// Returns the worst problem of a mode.
pub fn worst(mode: &ModeSummary) -> Option<(Metric, &Found)> {
    let problems = mode.worst.iter().filter(|(_, found)| is_problem(found.score));
    problems.max_by(|a, b| score(a.1).total_cmp(&score(b.1))).map(|(&metric, found)| (metric, found))
}

/// Describes the result of modes without problems.
fn kept(report: &Report, modes: &[&ModeSummary]) -> String {
    let names: Vec<String> = modes.iter().map(|mode| report.label(&mode.mode)).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let within = |metrics: [Metric; 2]| {
        let values = modes.iter().flat_map(|mode| {
            metrics
                .iter()
                .filter_map(|metric| mode.worst.get(metric).map(|found| metric.deviation(found.value)))
        });
        values.fold(None, |most: Option<f64>, value| Some(most.map_or(value, |most| most.max(value))))
    };
    let kinds = [
        ("the cross-sections of joints", within([Metric::SectionSmallest, Metric::SectionLargest])),
        ("volumes", within([Metric::VolumeSmallest, Metric::VolumeLargest])),
    ];
    let kept: Vec<String> = kinds
        .iter()
        .filter_map(|(what, within)| {
            Some(format!("{what} within {} %", (100.0 * (*within)?.max(0.0) - 1e-9).ceil().max(1.0)))
        })
        .collect();
    let verb = if names.len() == 1 { "stays" } else { "stay" };
    let keep = if names.len() == 1 { "keeps" } else { "keep" };
    match kept.is_empty() {
        true => format!("{} {verb} within all limits.", listed(&names)),
        false => format!("{} {keep} {} of the bind pose.", listed(&names), kept.join(" and ")),
    }
}

/// Joins names: `a`, `a and b`, `a, b and c`.
fn listed(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}
