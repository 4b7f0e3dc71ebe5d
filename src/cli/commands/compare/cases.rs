//! A comparison as cases of a check: distances, and parts that only one of two files has.

use super::job::{Job, Other};
use super::matched;
use super::table::{command, place_and_time};
use crate::analysis::measure::{Figures, Summary, Worst};
use crate::check::{Case, Severity};
use crate::length;
use crate::words::many;

/// The kind of finding where a vertex is further apart than the limit.
pub const DISTANCE: &str = "distance";

/// The kinds of findings.
pub const KINDS: [&str; 7] =
    [DISTANCE, "lost", "missing-clip", "new-clip", "missing-primitive", "new-primitive", "new-vertices"];

/// A case for each motion and mode, and for each part that only one of two files has.
pub fn of(job: &Job, summary: &Summary) -> Vec<Case> {
    let motions = summary.motions.iter().enumerate();
    let figures = motions.flat_map(|(motion, modes)| modes.iter().map(move |figures| (motion, figures)));
    let is_measured = |figures: &Figures| job.other.is_some() || job.plan.against != figures.mode;
    let measured = figures.filter(|(_, figures)| is_measured(figures));
    let mut cases: Vec<Case> = measured.map(|(motion, figures)| case(job, motion, figures)).collect();
    let Some(Other { pairing, clips_alone, .. }) = &job.other else { return cases };
    let [old_clips, new_clips] = clips_alone;
    let [old, new] = &pairing.alone;
    let lists = [
        ("clip", old_clips, Severity::Error, "missing-clip"),
        ("clip", new_clips, Severity::Warning, "new-clip"),
        ("primitive", old, Severity::Error, "missing-primitive"),
        ("primitive", new, Severity::Warning, "new-primitive"),
    ];
    for (what, names, severity, kind) in lists {
        let message = match severity {
            Severity::Warning => "only in the new file",
            Severity::Fine | Severity::Error | Severity::Broken => "missing in the new file",
        };
        let advised = |name: &String| match job.pairing_flag(name).filter(|_| kind == "missing-clip") {
            Some(flag) => format!("{message}; {flag} pairs it with the nearest name"),
            None => message.to_owned(),
        };
        cases.extend(
            names.iter().map(|name| Case::new(format!("{what} {name}"), severity, kind, advised(name))),
        );
    }
    let limit_m = job.args.fail_above.map_or(0.0, |limit| limit.metres(job.diagonal_m));
    let off = pairing.added.iter().filter(|added| added.bind_max_m > limit_m);
    cases.extend(off.map(|added| {
        let name = format!("primitive {}", added.new);
        Case::new(name, Severity::Warning, "new-vertices", matched::only_new(added))
    }));
    cases
}

fn case(job: &Job, motion: usize, figures: &Figures) -> Case {
    let name = job.motions.get(motion).map_or("", |motion| &motion.name);
    let name = format!("{name} in {}", figures.mode);
    if figures.lost > 0 {
        let message = format!("up to {} of a frame are not finite", many(figures.lost, "position"));
        return Case::new(name, Severity::Error, "lost", message);
    }
    let Some((time, vertex)) = figures.worst else { return Case::new(name, Severity::Fine, DISTANCE, "") };
    let worst = Worst { motion, mode: figures.mode, time, vertex, distance_m: figures.max_m };
    let found = length::shown_finely(figures.max_m);
    let from = if job.other.is_some() { &job.given } else { job.plan.against.name() };
    let message = format!("{found} from {from} {}", place_and_time(job, &worst));
    let case = match job.args.fail_above.filter(|limit| figures.max_m > limit.metres(job.diagonal_m)) {
        Some(limit) => Case::new(name, Severity::Error, DISTANCE, format!("{message}; the limit is {limit}")),
        None => Case::new(name, Severity::Fine, DISTANCE, message),
    };
    case.shown_by(command(job, &worst))
}
