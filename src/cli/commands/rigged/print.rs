//! Prints the changes of `--rigged`, as a table and as JSON. Scripts depend on the names of the keys
//! (docs/guides/bake.md).

use crate::writing::write_json_pretty;
use std::io::{self, Write};

use crate::cli::terminal::print::plain;
use crate::length::digits;
use crate::model::{Dropped, Skin};
use crate::words::many;
use serde::Serialize;

use super::Job;
use super::distances::{Distances, motions};
use super::measure::Found;

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
    motions(job.sides.mode, found, out)
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
    job.sides.read.skins.iter().map(|skin: &Skin| skin.joints.len()).max().unwrap_or(0)
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
    #[serde(flatten)]
    distances: Distances<'a>,
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

/// Writes the JSON.
pub fn json(job: &Job, found: &Found, out: &mut dyn Write) -> io::Result<()> {
    let (limited, split) = (&job.made.changes.limited, &job.made.changes.split);
    let document = Document {
        model: &job.given,
        output: &job.out,
        mode: job.sides.mode.name(),
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
        distances: Distances::new(found),
    };
    write_json_pretty(out, &document)
}
