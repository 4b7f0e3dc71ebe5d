//! Prints the changes of `--rigged`, as a table and as JSON. Scripts depend on the names of the keys
//! (docs/guides/bake.md).

use crate::writing::write_json_pretty;
use std::io::{self, Write};

use crate::analysis::measure::Place;
use crate::cli::terminal::print::plain;
use crate::length::{Unit, digits, shown};
use crate::model::{Dropped, Skin};
use crate::table::{Align, Table};
use crate::words::many;
use serde::Serialize;

use super::{Found, Job, Motion};

/// Prints the table.
pub fn table(job: &Job, found: &Found, out: &mut dyn Write) -> io::Result<()> {
    let changes = &job.made.changes;
    writeln!(out, "{} as {}", plain(&job.given), plain(&job.out))?;
    let mut line = |what: &str, text: String| writeln!(out, "  {what:26}  {text}");
    line("vertices changed", changes.limited.vertices.to_string())?;
    let repeated = match changes.limited.repeated {
        0 => "none".to_owned(),
        count => format!("in {}, now once", many(count, "vertex")),
    };
    line("joints named twice", repeated)?;
    line("beyond --max-influences", dropped(&changes.limited.beyond_most))?;
    line("below --prune", dropped(&changes.limited.below_least))?;
    let split = &changes.split;
    let parts = match split.wide_skins {
        0 => "no skin has too many".to_owned(),
        wide => format!(
            "{} in {}, {} in {}, {}",
            many(split.primitives, "primitive"),
            many(split.parts, "part"),
            many(wide, "skin"),
            many(split.skins, "skin"),
            many(split.nodes, "new node")
        ),
    };
    line("beyond --max-joints", format!("{parts}; now at most {}", many(most_joints(job), "joint")))?;
    let (mode, vertices, diagonal) = (job.mode, many(found.vertices, "vertex"), shown(found.diagonal_m));
    writeln!(out, "\n{mode} against the original, over {vertices}; the bind pose's diagonal is {diagonal}")?;
    let unit = Unit::of(found.motions.iter().map(|motion| motion.max_m));
    let mut table = Table::new(&[Align::Left, Align::Right, Align::Right, Align::Left]);
    for motion in &found.motions {
        let worst = match &motion.worst {
            Some((time, place)) => format!("at {} s, {}{}", digits(*time), place.name, joint(place)),
            None => "no difference".to_owned(),
        };
        let largest = unit.shown_with_share(motion.max_m, found.diagonal_m);
        table.row([&motion.name, &many(motion.frames, "frame"), &largest, &worst]);
    }
    table.write(out)?;
    let largest = found.worst().map_or(0.0, |motion| motion.max_m);
    writeln!(out, "The largest distance is {}.", unit.shown_with_share(largest, found.diagonal_m))
}

fn joint(place: &Place) -> String {
    place.joint.as_ref().map_or_else(String::new, |joint| format!(", {joint}"))
}

fn dropped(dropped: &Dropped) -> String {
    match dropped.influences {
        0 => "none".to_owned(),
        count => format!(
            "{} of {}, with a weight of {} at most",
            many(count, "influence"),
            many(dropped.vertices, "vertex"),
            digits(dropped.largest)
        ),
    }
}

/// The joints of the largest skin.
fn most_joints(job: &Job) -> usize {
    job.read.skins.iter().map(|skin: &Skin| skin.joints.len()).max().unwrap_or(0)
}

fn percent(metres: f64, diagonal_m: f64) -> Option<f64> {
    (diagonal_m > 0.0).then(|| metres / diagonal_m * 100.0)
}

#[derive(Serialize)]
struct Document<'a> {
    model: &'a str,
    output: &'a str,
    mode: &'static str,
    vertices_changed: usize,
    vertices_with_repeated_joints: usize,
    max_influences: Loss,
    prune: Loss,
    max_joints: Parts,
    diagonal_m: f64,
    vertices: usize,
    clips: Vec<Clip<'a>>,
    max_m: f64,
    max_percent: Option<f64>,
}

#[derive(Serialize)]
struct Loss {
    vertices: usize,
    influences: usize,
    largest_weight: f64,
}

impl From<&Dropped> for Loss {
    fn from(dropped: &Dropped) -> Self {
        let Dropped { vertices, influences, largest } = *dropped;
        Self { vertices, influences, largest_weight: largest }
    }
}

#[derive(Serialize)]
struct Parts {
    primitives_split: usize,
    parts: usize,
    skins_split: usize,
    skins: usize,
    new_nodes: usize,
    most_joints: usize,
}

#[derive(Serialize)]
struct Clip<'a> {
    clip: Option<usize>,
    name: &'a str,
    frames: usize,
    max_m: f64,
    max_percent: Option<f64>,
    /// Null if nothing is apart.
    time: Option<f64>,
    worst: Option<&'a Place>,
}

/// Writes the JSON.
pub fn json(job: &Job, found: &Found, out: &mut dyn Write) -> io::Result<()> {
    let (limited, split) = (&job.made.changes.limited, &job.made.changes.split);
    let clip = |motion: &'_ Motion| -> (f64, Option<f64>) {
        (motion.max_m, percent(motion.max_m, found.diagonal_m))
    };
    let clips = found.motions.iter().map(|motion| Clip {
        clip: motion.clip,
        name: &motion.name,
        frames: motion.frames,
        max_m: motion.max_m,
        max_percent: clip(motion).1,
        time: motion.worst.as_ref().map(|(time, _)| *time),
        worst: motion.worst.as_ref().map(|(_, place)| place),
    });
    let (max_m, max_percent) = found.worst().map_or((0.0, None), clip);
    let document = Document {
        model: &job.given,
        output: &job.out,
        mode: job.mode.name(),
        vertices_changed: limited.vertices,
        vertices_with_repeated_joints: limited.repeated,
        max_influences: (&limited.beyond_most).into(),
        prune: (&limited.below_least).into(),
        max_joints: Parts {
            primitives_split: split.primitives,
            parts: split.parts,
            skins_split: split.wide_skins,
            skins: split.skins,
            new_nodes: split.nodes,
            most_joints: most_joints(job),
        },
        diagonal_m: found.diagonal_m,
        vertices: found.vertices,
        clips: clips.collect(),
        max_m,
        max_percent,
    };
    write_json_pretty(out, &document)
}
