//! Prints the distances before and after a fit, as a table and as JSON. Scripts depend on the names of the keys
//! (docs/guides/fit.md).

use std::io::{self, Write};

use serde::Serialize;

use crate::analysis::measure::{Figures, place};
use crate::cli::terminal::print::plain;
use crate::length::{Unit, digits, shown};
use crate::table::{Align, Table};
use crate::words::many;
use crate::writing::write_json_pretty;

use super::{Job, Row};

/// Prints the table.
pub fn table(job: &Job, rows: &[Row], out: &mut dyn Write) -> io::Result<()> {
    let [changed, all] = job.fitted.changed;
    writeln!(out, "{} as {}", plain(&job.given), plain(&job.out))?;
    writeln!(
        out,
        "  {} added, fitted in {}; new weights for {changed} of {all} points\n",
        many(job.fitted.helpers.len(), "joint"),
        many(job.fitted.poses.len(), "pose"),
    )?;
    let (mode, diagonal) = (job.mode, shown(job.diagonal_m));
    writeln!(out, "lbs against {mode}, before and after; the bind pose's diagonal is {diagonal}")?;
    let columns =
        [Align::Left, Align::Right, Align::Left, Align::Right, Align::Right, Align::Right, Align::Left];
    let mut table = Table::new(&columns);
    table.row(["", "", "", "max", "p99", "RMS", "worst"]);
    let unit = Unit::of(rows.iter().map(|row| row.before.max_m));
    for row in rows {
        for (word, figures) in [("before", &row.before), ("after", &row.after)] {
            let [max, p99, rms] = [figures.max_m, figures.p99_m, figures.rms_m]
                .map(|metres| unit.shown_with_share(metres, job.diagonal_m));
            let is_first = word == "before";
            let name = if is_first { row.name.as_str() } else { "" };
            let frames = if is_first { many(row.frames, "frame") } else { String::new() };
            table.row([name, &frames, word, &max, &p99, &rms, &worst(job, figures)]);
        }
    }
    table.write(out)
}

/// Returns the time and place of the largest distance.
fn worst(job: &Job, figures: &Figures) -> String {
    let worst = figures.worst.and_then(|(time, vertex)| Some((time, place(job.original, vertex)?)));
    worst.map_or_else(String::new, |(time, place)| {
        let joint = place.joint.map_or_else(String::new, |joint| format!(", {joint}"));
        format!("{} s, {}{joint}", digits(time), place.name)
    })
}

#[derive(Serialize)]
struct Document<'a> {
    model: &'a str,
    output: &'a str,
    mode: &'static str,
    helpers: Vec<Helper<'a>>,
    poses: usize,
    points: usize,
    points_changed: usize,
    diagonal_m: f64,
    rows: Vec<Line<'a>>,
}

#[derive(Serialize)]
struct Helper<'a> {
    node: usize,
    name: &'a str,
    follows: Option<&'a str>,
}

#[derive(Serialize)]
struct Line<'a> {
    clip: Option<usize>,
    name: &'a str,
    frames: usize,
    before: Distances,
    after: Distances,
}

#[derive(Serialize)]
struct Distances {
    max_m: f64,
    p99_m: f64,
    rms_m: f64,
    mean_m: f64,
    worst_time: Option<f64>,
    worst: Option<String>,
}

/// Prints the figures as JSON.
pub fn json(job: &Job, rows: &[Row], out: &mut dyn Write) -> io::Result<()> {
    let rig = &job.fitted.model.rig;
    let helper = |node: usize| {
        let parent = rig.parents.get(node).copied().flatten();
        let name = |node: usize| rig.names.get(node).map(String::as_str);
        let follows = parent.and_then(|parent| name(parent as usize));
        Helper { node, name: name(node).unwrap_or_default(), follows }
    };
    let distances = |figures: &Figures| Distances {
        max_m: figures.max_m,
        p99_m: figures.p99_m,
        rms_m: figures.rms_m,
        mean_m: figures.mean_m,
        worst_time: figures.worst.map(|(time, _)| time),
        worst: figures.worst.and_then(|(_, vertex)| Some(place(job.original, vertex)?.name)),
    };
    let line = |row: &Row| (row.clip, row.frames, distances(&row.before), distances(&row.after));
    let rows = rows.iter().map(|row| {
        let (clip, frames, before, after) = line(row);
        Line { clip, name: &row.name, frames, before, after }
    });
    let [points_changed, points] = job.fitted.changed;
    let document = Document {
        model: &job.given,
        output: &job.out,
        mode: job.mode.name(),
        helpers: job.fitted.helpers.clone().map(helper).collect(),
        poses: job.fitted.poses.len(),
        points,
        points_changed,
        diagonal_m: job.diagonal_m,
        rows: rows.collect(),
    };
    write_json_pretty(out, &document)
}
