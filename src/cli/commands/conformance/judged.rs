//! `sinew conformance --judge RESULTS`: judges the results of a program.

#![allow(clippy::disallowed_methods, reason = "adds each file that it reads to the inputs")]

use std::collections::BTreeSet;
use std::path::Path;

use super::judgement::Judged;
use super::page::page;
use super::pictures;
use super::print;
use crate::check::{Case, Severity};
use crate::cli::args::ConformanceArgs;
use crate::cli::terminal::check::Check;
use crate::cli::terminal::failure::Failure;
use crate::cli::terminal::print::{plain, say};
use crate::cli::terminal::progress::bar;
use crate::conformance::judge::{MAX_BYTES, Outcome, Results, Row, judge};
use crate::conformance::{Manifest, files};
use crate::output::{self, Folder, Inputs, Role};

/// Judges a folder.
pub fn run(args: &ConformanceArgs, path: &Path, mut inputs: Inputs) -> Result<(), Failure> {
    let given = path.display().to_string();
    let fault = |error: std::io::Error| Failure::Input { file: given.clone(), cause: error.to_string() };
    let folder = Folder::open(path).map_err(fault)?;
    let manifest = files::manifest();
    let names = names(&folder, &manifest).map_err(fault)?;
    for name in &names {
        inputs.add(&folder.join(name), Role::Vertices)?;
    }
    let inputs = inputs.close();
    let kinds = Outcome::ALL.map(Outcome::name);
    let check = Check::new(&args.check, &kinds, Some(Severity::Error), &inputs)?;
    check.keep_apart(args.html.as_deref())?;
    let html = args.html.as_ref().map(|file| inputs.output(file)).transpose()?;

    let results = Results { names: &names, read: &|name| folder.read(name, MAX_BYTES) };
    let bar = bar(manifest.cases.len() as u64, "cases");
    let rows = judge(&manifest, &results, true, &|done| bar.set_position(done as u64));
    bar.finish_and_clear();
    let judged = Judged { given, about: results.about(), rows };
    if let Some(html) = &html {
        let drawn = pictures::draw(&args.vulkan, &manifest, &judged.rows);
        let (drawn, note) = match drawn {
            Ok(drawn) => (drawn, None),
            Err(failure) => (Vec::new(), Some(format!("without pictures: {failure}"))),
        };
        if let Some(note) = &note {
            say(&format!("warning: {}: {note}", html.path().display()));
        }
        let text = page(&judged, &drawn, note.as_deref());
        output::write(html, |out| out.write_all(text.as_bytes()))
            .map_err(|error| Failure::output(html.path(), error))?;
    }
    print::results(&judged, args.json)?;
    let cases: Vec<Case> = judged.rows.iter().map(case).collect();
    check.write(&format!("conformance {}", judged.given), &cases)?;
    check.judge(&judged.given, &cases)
}

/// Returns the names of files that may be results: those of cases, and the note on the program.
fn names(folder: &Folder, manifest: &Manifest) -> std::io::Result<BTreeSet<String>> {
    let cases: BTreeSet<&str> = manifest.cases.iter().map(|case| case.name.as_str()).collect();
    let is_of_case = |name: &str| {
        let mut dots = name.match_indices('.').filter_map(|(at, _)| name.get(..at));
        dots.any(|stem| cases.contains(stem))
    };
    let names = folder.names()?.into_iter().filter_map(|name| name.into_string().ok());
    Ok(names.filter(|name| name == "about.json" || is_of_case(name)).collect())
}

/// Returns a row as the case of a check.
fn case(row: &Row) -> Case {
    let severity = match row.outcome {
        _ if row.fails() => Severity::Error,
        Outcome::Pass | Outcome::NotGiven => Severity::Fine,
        _ => Severity::Warning,
    };
    let text = row.text();
    let message = text.strip_prefix(row.outcome.name()).unwrap_or_default().trim_start_matches([':', ' ']);
    Case::new(format!("{} {}", row.case, row.mode), severity, row.outcome.name(), plain(message))
}
