//! Prints a run as a table or as JSON, with commands to accept its pictures.

use crate::writing::write_json_pretty;
use std::io::{self, Write};
use std::path::Path;

use crate::golden::Outcome;

use super::run::Run;
use crate::cli::terminal::colors::{Tone, verdict};
use crate::cli::terminal::failure::Failure;
use crate::cli::terminal::print::{plain, print};

/// Prints the results of a run.
pub fn print_run(run: &Run, folder: &Path, as_json: bool) -> Result<(), Failure> {
    print(|out| match as_json {
        true => write_json_pretty(out, &json(run, folder)),
        false => table(run, out),
    })
}

/// The command that accepts the pictures of these cases.
pub fn bless_command(folder: &Path, names: &[&str]) -> String {
    // Many names would fill the screen; without names the command accepts all that fail.
    let names = if names.len() > 8 { &[] } else { names };
    let words = names.iter().map(|name| format!(" {name}"));
    format!("sinew golden {} --update{}", path_word(folder), words.collect::<String>())
}

/// A path, quoted for the shell.
pub fn path_word(path: &Path) -> String {
    let text = path.display().to_string();
    let text = if text.starts_with('-') { format!("./{text}") } else { text };
    let plain = |c: char| c.is_alphanumeric() || "/._-:+=@%,".contains(c);
    match !text.is_empty() && text.chars().all(plain) {
        true => text,
        false => format!("'{}'", text.replace('\'', r"'\''")),
    }
}

fn table(run: &Run, out: &mut dyn Write) -> io::Result<()> {
    let width = run.outcomes.iter().map(|outcome| outcome.name.len()).max().unwrap_or(0);
    for outcome in &run.outcomes {
        let mark = if outcome.is_pass() { ' ' } else { '!' };
        let line = format!("{mark} {:width$}  {:9}  {}", outcome.name, word(outcome), detail(outcome));
        let line = plain(line.trim_end());
        // Of many lines those that a user looks for have a colour.
        match (outcome.is_pass(), &outcome.blessed) {
            (true, None) => writeln!(out, "{line}")?,
            (_, blessed) => writeln!(out, "{}", verdict(&line, Tone::of(blessed.is_some())))?,
        }
    }
    let passed = run.outcomes.iter().filter(|outcome| outcome.is_pass()).count();
    let total = run.outcomes.len();
    let passed = format!("{passed} of {total} pictures pass");
    let is_good = run.outcomes.iter().all(Outcome::is_pass);
    writeln!(out, "{} on {}", verdict(&passed, Tone::of(is_good)), plain(&run.device))
}

fn word(outcome: &Outcome) -> &'static str {
    match outcome.blessed {
        Some(_) => "blessed",
        None => outcome.verdict.name(),
    }
}

fn detail(outcome: &Outcome) -> String {
    let detail = outcome.detail();
    match outcome.verdict.figures().is_some() && outcome.blessed.is_none() {
        true => format!("{detail}; allowed: {}", outcome.limits),
        false => detail,
    }
}

fn json(run: &Run, folder: &Path) -> serde_json::Value {
    let passed = run.outcomes.iter().filter(|outcome| outcome.is_pass()).count();
    serde_json::json!({
        "folder": folder.display().to_string(),
        "device": run.device,
        "driver": run.driver,
        "passed": passed,
        "failed": run.outcomes.len().saturating_sub(passed),
        "report": run.page.as_ref().map(|page| page.display().to_string()),
        "orphans": run.orphans.iter().map(|orphan| orphan.file.as_str()).collect::<Vec<_>>(),
        "cases": run.outcomes.iter().map(|outcome| case(outcome, folder)).collect::<Vec<_>>(),
    })
}

fn case(outcome: &Outcome, folder: &Path) -> serde_json::Value {
    let figures = outcome.verdict.figures().map(|figures| {
        serde_json::json!({
            "pixels": figures.of_pixels,
            "differing_pixels": figures.pixels,
            "worst_channel": figures.worst_channel,
            "flip_mean": figures.flip_mean,
            "flip_tile": figures.flip_tile,
            "worst_tile": figures.tile,
        })
    });
    let [mean, tile] = outcome.limits.flip.map_or([None; 2], |limits| limits.map(Some));
    serde_json::json!({
        "name": outcome.name,
        "verdict": outcome.verdict.name(),
        "passed": outcome.is_pass(),
        "detail": outcome.verdict.detail(),
        "skinned": outcome.skinned.names(),
        "figures": figures,
        "tolerance": {
            "channel": outcome.limits.pixels.map(|(channel, _)| channel),
            "outliers": outcome.limits.pixels.map(|(_, outliers)| outliers),
            "flip_mean": mean,
            "flip_tile": tile,
        },
        "blessed": outcome.blessed,
        "command": outcome.command,
        "update": (!outcome.is_pass()).then(|| bless_command(folder, &[&outcome.name])),
    })
}
