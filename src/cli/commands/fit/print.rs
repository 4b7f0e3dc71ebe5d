//! Prints the distances before and after a fit, as a table and as JSON. Scripts depend on the names of the keys
//! (docs/reference/json.md).

use std::io::{self, Write};

use serde::Serialize;

use crate::analysis::measure::{Figures, joint_name};
use crate::cli::terminal::print::plain;
use crate::fit::{Errors, JointErrors};
use crate::length::{Unit, digits, shown};
use crate::table::{Align, Table};
use crate::words::many;
use crate::writing::write_json_pretty;

use super::Job;
use super::measure::{Row, Side};

/// Maximum number of joints in the table; JSON has all.
const MAX_JOINTS: usize = 6;

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
    let (what, diagonal) = (job.what(), shown(job.diagonal_m));
    let driven = if job.driven.is_some() { ", and with driven joints" } else { "" };
    writeln!(out, "lbs against {what}, before and after{driven}; the bind pose's diagonal is {diagonal}")?;
    let columns =
        [Align::Left, Align::Right, Align::Left, Align::Right, Align::Right, Align::Right, Align::Left];
    let mut table = Table::new(&columns);
    table.row(["", "", "", "max", "p99", "RMS", "worst"]);
    let unit = Unit::of(rows.iter().flat_map(|row| row.sides.first()).map(|before| before.figures.max_m));
    for row in rows {
        for (number, side) in row.sides.iter().enumerate() {
            let Figures { max_m, p99_m, rms_m, .. } = side.figures;
            let [max, p99, rms] =
                [max_m, p99_m, rms_m].map(|metres| unit.shown_with_share(metres, job.diagonal_m));
            let name = if number == 0 { row.name.as_str() } else { "" };
            let frames = if number == 0 { many(row.frames, "frame") } else { String::new() };
            table.row([name, &frames, side.word, &max, &p99, &rms, &worst(side)]);
        }
    }
    table.write(out)?;
    joints(job, out)
}

/// Prints the joints with the largest distances before.
fn joints(job: &Job, out: &mut dyn Write) -> io::Result<()> {
    let joints: Vec<&JointErrors> = job.fitted.joints.iter().take(MAX_JOINTS).collect();
    let mut table =
        Table::new(&[Align::Left, Align::Right, Align::Left, Align::Right, Align::Right, Align::Right]);
    table.row(["", "", "", "max", "p99", "RMS"]);
    let unit = Unit::of(joints.iter().map(|joint| joint.before.max));
    for joint in &joints {
        for (word, Errors { max, p99, rms }) in [("before", joint.before), ("after", joint.after)] {
            let [max, p99, rms] = [max, p99, rms].map(|metres| unit.shown_with_share(metres, job.diagonal_m));
            let is_first = word == "before";
            let name = if is_first { joint_name(job.subject, joint.node) } else { String::new() };
            let count = if is_first { many(joint.points, "point") } else { String::new() };
            table.row([&name, &count, word, &max, &p99, &rms]);
        }
    }
    writeln!(out, "\nby the joint that moves a point most, in the fitted poses; the worst {}", joints.len())?;
    table.write(out)
}

/// Returns the time and place of the largest distance.
fn worst(side: &Side) -> String {
    let Some(((time, _), (name, joint))) = side.figures.worst.zip(side.worst.as_ref()) else {
        return String::new();
    };
    let joint = joint.as_ref().map_or_else(String::new, |joint| format!(", {joint}"));
    format!("{} s, {name}{joint}", digits(time))
}

#[derive(Serialize)]
struct Document<'a> {
    model: &'a str,
    output: &'a str,
    mode: Option<&'static str>,
    helpers: Vec<Helper<'a>>,
    poses: usize,
    points: usize,
    points_changed: usize,
    diagonal_m: f64,
    rows: Vec<Line<'a>>,
    joints: Vec<Joint>,
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
    before: Option<Distances>,
    after: Option<Distances>,
    #[serde(skip_serializing_if = "Option::is_none")]
    driven: Option<Distances>,
}

#[derive(Serialize)]
struct Joint {
    node: usize,
    name: String,
    points: usize,
    before: Apart,
    after: Apart,
}

#[derive(Serialize)]
struct Apart {
    max_m: f64,
    p99_m: f64,
    rms_m: f64,
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
    let distances = |side: &Side| Distances {
        max_m: side.figures.max_m,
        p99_m: side.figures.p99_m,
        rms_m: side.figures.rms_m,
        mean_m: side.figures.mean_m,
        worst_time: side.figures.worst.map(|(time, _)| time),
        worst: side.worst.as_ref().map(|(name, _)| name.clone()),
    };
    let side = |row: &Row, number: usize| row.sides.get(number).map(distances);
    let lines = rows.iter().map(|row| {
        let [before, after, driven] = [0, 1, 2].map(|number| side(row, number));
        Line { clip: row.clip, name: &row.name, frames: row.frames, before, after, driven }
    });
    let apart = |Errors { max, p99, rms }| Apart { max_m: max, p99_m: p99, rms_m: rms };
    let joint = |one: &JointErrors| Joint {
        node: one.node,
        name: joint_name(job.subject, one.node),
        points: one.points,
        before: apart(one.before),
        after: apart(one.after),
    };
    let [points_changed, points] = job.fitted.changed;
    let document = Document {
        model: &job.given,
        output: &job.out,
        mode: job.mode(),
        helpers: job.fitted.helpers.clone().map(helper).collect(),
        poses: job.fitted.poses.len(),
        points,
        points_changed,
        diagonal_m: job.diagonal_m,
        rows: lines.collect(),
        joints: job.fitted.joints.iter().map(joint).collect(),
    };
    write_json_pretty(out, &document)
}
