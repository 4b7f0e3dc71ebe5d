//! Prints the cases, and the results of a program.

use std::io::{self, Write};

use serde::Serialize;

use super::judgement::{CLASSES, Count, Judged, counts, program, summary};
use crate::cli::terminal::colors::{Tone, verdict};
use crate::cli::terminal::failure::Failure;
use crate::cli::terminal::print::{plain, print};
use crate::conformance::judge::{About, Outcome, Row};
use crate::conformance::{Class, Manifest};
use crate::table::{Align, Table};
use crate::words::many;
use crate::writing::write_json_pretty;

/// Lists the cases.
pub fn list(manifest: &Manifest, is_json: bool) -> Result<(), Failure> {
    print(|out| if is_json { write_json_pretty(out, manifest) } else { table(manifest, out) })
}

fn table(manifest: &Manifest, out: &mut dyn Write) -> io::Result<()> {
    let mut table = Table::new(&[Align::Left, Align::Left, Align::Left]);
    for case in &manifest.cases {
        let of_class = |class: Class| {
            let modes = case.modes.iter().filter(|(_, tolerance)| tolerance.class == class);
            let modes: Vec<&str> = modes.map(|(mode, _)| mode.as_str()).collect();
            (!modes.is_empty()).then(|| format!("{} {}", class.name(), modes.join(" ")))
        };
        let classes: Vec<String> = CLASSES.into_iter().filter_map(of_class).collect();
        table.row([&case.name, &classes.join(", "), &case.tests]);
    }
    table.write(out)?;
    let judged = manifest.cases.iter().map(|case| case.modes.len()).sum();
    writeln!(
        out,
        "{}, {} to give; --write DIR writes the suite, --judge RESULTS judges a program",
        many(manifest.cases.len(), "case"),
        many(judged, "result")
    )
}

/// Everything that the command prints as JSON.
#[derive(Serialize)]
struct Document<'a> {
    results: &'a str,
    program: Option<&'a About>,
    passed: bool,
    counts: Vec<Count>,
    rows: &'a [Row],
}

/// Prints results.
pub fn results(judged: &Judged, is_json: bool) -> Result<(), Failure> {
    let passed = !judged.rows.iter().any(Row::fails);
    let document = Document {
        results: &judged.given,
        program: judged.about.as_ref(),
        passed,
        counts: counts(&judged.rows),
        rows: &judged.rows,
    };
    print(|out| match is_json {
        true => write_json_pretty(out, &document),
        false => rows(judged, passed, out),
    })
}

fn rows(judged: &Judged, passed: bool, out: &mut dyn Write) -> io::Result<()> {
    let mut table = Table::new(&[Align::Left, Align::Left, Align::Left, Align::Left, Align::Left]);
    for row in judged.rows.iter().filter(|row| row.outcome != Outcome::NotGiven) {
        let mark = if row.fails() { "!" } else { "" };
        table.row([mark, &row.case, &row.mode, row.class.name(), &row.text()]);
    }
    table.write(out)?;
    if let Some(about) = &judged.about {
        writeln!(out, "{}", plain(&program(about)))?;
    }
    writeln!(out, "{}", verdict(&summary(&judged.rows), Tone::of(passed)))
}
