//! Prints what each edit changed, and how far the result is from the original. Scripts depend on the names of the keys
//! (docs/reference/json.md).

use std::collections::BTreeMap;
use std::io::{self, Write};

use serde::Serialize;

use crate::analysis::weights::{Mended, WeightDifference, text};
use crate::cli::commands::rigged::distances::{Distances, motions};
use crate::cli::terminal::print::plain;
use crate::table::{Align, Table};
use crate::words::many;
use crate::writing::write_json_pretty;

use super::{Job, Made, More};

/// The maximum number of missing joints in the table; JSON has all.
const MAX_MISSING: usize = 4;

/// Prints the tables.
pub fn tables(job: &Job, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{} as {}", plain(&job.given), plain(&job.out))?;
    let mut table = Table::new(&[Align::Left, Align::Right, Align::Left]);
    for made in &job.made {
        let changed = format!("{} changed", many(made.done.changed, "vertex"));
        table.row([made.edit.as_str(), &changed, &remarks(made).join("; ")]);
    }
    table.write(out)?;
    writeln!(out, "\nweights: A is {}, B is {}", plain(&job.given), plain(&job.out))?;
    write!(out, "{}", text::difference(&job.weights))?;
    motions(job.sides.mode, &job.found, out)
}

/// Facts about an edit besides its count.
fn remarks(made: &Made) -> Vec<String> {
    let mut remarks: Vec<String> = made.idle.iter().cloned().collect();
    if made.done.short > 0 {
        let why = "locked joints, or no other joint, hold what it would take";
        remarks.push(format!("{} could not follow: {why}", many(made.done.short, "vertex")));
    }
    match &made.more {
        More::None => {}
        More::Copied(copied) => {
            if copied.unmatched > 0 {
                remarks.push(format!("{} without a place there", many(copied.unmatched, "vertex")));
            }
            let missing: Vec<&str> = copied.missing.iter().take(MAX_MISSING).map(String::as_str).collect();
            if !missing.is_empty() {
                let more = match copied.missing.len().saturating_sub(missing.len()) {
                    0 => String::new(),
                    more => format!(" and {more} more"),
                };
                remarks.push(format!("joints that are not here: {}{more}", plain(&missing.join(", "))));
            }
        }
        More::Mended(mended) if mended.vertices.is_empty() => remarks.push("no faults".to_owned()),
        More::Mended(mended) => {
            let kind = |(kind, [before, after]): (&crate::analysis::weights::Kind, &[usize; 2])| {
                format!("{} {before} → {after}", kind.name())
            };
            remarks.extend(mended.vertices.iter().map(kind));
        }
    }
    remarks
}

#[derive(Serialize)]
struct Document<'a> {
    model: &'a str,
    output: &'a str,
    mode: &'static str,
    edits: Vec<Edit<'a>>,
    weights: &'a WeightDifference,
    #[serde(flatten)]
    distances: Distances<'a>,
}

#[derive(Serialize)]
struct Edit<'a> {
    edit: &'a str,
    vertices: usize,
    changed: usize,
    short: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    unmatched: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    missing_joints: Option<&'a [String]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    faults: Option<BTreeMap<&'static str, Faults>>,
}

#[derive(Serialize)]
struct Faults {
    before: usize,
    after: usize,
}

/// Prints the changes as JSON.
pub fn json(job: &Job, out: &mut dyn Write) -> io::Result<()> {
    let faults = |mended: &Mended| {
        let of = |(kind, [before, after]): (&crate::analysis::weights::Kind, &[usize; 2])| {
            (kind.name(), Faults { before: *before, after: *after })
        };
        mended.vertices.iter().map(of).collect()
    };
    let edit = |made: &'_ Made| {
        let (copied, mended) = match &made.more {
            More::None => (None, None),
            More::Copied(copied) => (Some(copied), None),
            More::Mended(mended) => (None, Some(mended)),
        };
        (copied.map(|copied| copied.unmatched), mended.map(faults))
    };
    let edits = job.made.iter().map(|made| {
        let (unmatched, faults) = edit(made);
        let missing_joints = match &made.more {
            More::Copied(copied) => Some(copied.missing.as_slice()),
            More::None | More::Mended(_) => None,
        };
        Edit {
            edit: &made.edit,
            vertices: made.chosen,
            changed: made.done.changed,
            short: made.done.short,
            unmatched,
            missing_joints,
            faults,
        }
    });
    let document = Document {
        model: &job.given,
        output: &job.out,
        mode: job.sides.mode.name(),
        edits: edits.collect(),
        weights: &job.weights,
        distances: Distances::new(&job.found),
    };
    write_json_pretty(out, &document)
}
