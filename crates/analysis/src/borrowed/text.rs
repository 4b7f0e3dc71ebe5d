//! The report as a short table for reading; the JSON is complete.

use std::fmt::Write as _;

use super::{Clip, Pair, Report, Stray};
use sinew_model::gltf::one_line as shown;
use sinew_text::words::many;

/// The maximum number of pairs in the table.
const MAX_PAIRS: usize = 512;

/// The maximum number of names or clips in a list.
const MAX_ENTRIES: usize = 24;

/// The longest name in a column, in letters.
const WIDEST: usize = 32;

/// Formats the report; `model` as given.
pub fn text(report: &Report, model: &str) -> String {
    let mut out = String::new();
    let file = shown(&report.file);
    let (moving, matched) = (many(report.moving, "moving node"), report.moving_matched);
    let _ = writeln!(out, "{file} on {}: {matched} of its {moving} matched", shown(model));
    if report.turn_degrees > 0.0 {
        let degrees = report.turn_degrees;
        let _ = writeln!(out, "the same skeleton, but the model's stands turned by {degrees:.1}°");
    }
    pairs(&mut out, &report.pairs);
    let in_model: Vec<String> = report.unmatched.iter().map(|name| shown(name)).collect();
    list(&mut out, &format!("\njoints of {} without a match", shown(model)), &in_model);
    let in_file: Vec<String> = report.unmatched_in_file.iter().map(stray).collect();
    list(&mut out, &format!("\njoints of {file} without a match"), &in_file);
    let clips: Vec<String> = report.clips.iter().map(clip).collect();
    list(&mut out, &format!("\nclips of {file}"), &clips);
    out
}

fn pairs(out: &mut String, pairs: &[Pair]) {
    if pairs.is_empty() {
        return;
    }
    let width = |heading: &str, of: fn(&Pair) -> &str| {
        let widest = pairs.iter().take(MAX_PAIRS).map(|pair| cut(of(pair)).chars().count()).max();
        widest.unwrap_or(0).max(heading.len())
    };
    let (joint, follows) = (width("joint", |pair| &pair.joint), width("follows", |pair| &pair.follows));
    let _ = writeln!(
        out,
        "\n  {:joint$}  {:follows$}  {:10}  {:>7}  {:>7}  {:>6}",
        "joint", "follows", "by", "axes", "bone", "length"
    );
    for pair in pairs.iter().take(MAX_PAIRS) {
        let or_dash = |text: Option<String>| text.unwrap_or_else(|| "-".to_owned());
        let _ = writeln!(
            out,
            "  {:joint$}  {:follows$}  {:10}  {:>6.1}°  {:>7}  {:>6}{}",
            cut(&pair.joint),
            cut(&pair.follows),
            pair.by,
            pair.rest_degrees,
            or_dash(pair.bone_degrees.map(|degrees| format!("{degrees:.1}°"))),
            or_dash(pair.length_ratio.map(|ratio| format!("{ratio:.3}"))),
            if pair.is_root { "  carries the figure" } else { "" },
        );
    }
    more(out, pairs.len(), MAX_PAIRS);
}

fn stray(stray: &Stray) -> String {
    let why = if stray.is_ambiguous { " (several joints share the name)" } else { "" };
    format!("{}{why}", shown(&stray.name))
}

fn clip(clip: &Clip) -> String {
    let as_name =
        if clip.plays_as == clip.name { String::new() } else { format!(" as {}", shown(&clip.plays_as)) };
    let counts = [
        (clip.as_is, "as is"),
        (clip.converted, "converted"),
        (clip.resampled, "resampled"),
        (clip.dropped.len(), "dropped"),
    ];
    let counts: Vec<String> =
        counts.iter().filter(|(count, _)| *count > 0).map(|(count, how)| format!("{count} {how}")).collect();
    let counts = if counts.is_empty() { "no channels".to_owned() } else { counts.join(", ") };
    format!("{}{as_name}: {:.2} s, channels {counts}", shown(&clip.name), clip.duration_secs)
}

fn list(out: &mut String, heading: &str, entries: &[String]) {
    if entries.is_empty() {
        return;
    }
    let _ = writeln!(out, "{heading}");
    for entry in entries.iter().take(MAX_ENTRIES) {
        let _ = writeln!(out, "  {entry}");
    }
    more(out, entries.len(), MAX_ENTRIES);
}

fn more(out: &mut String, count: usize, most: usize) {
    if let Some(more) = count.checked_sub(most).filter(|more| *more > 0) {
        let _ = writeln!(out, "  … and {more} more; --json lists all");
    }
}

fn cut(name: &str) -> String {
    let name = shown(name);
    match name.chars().count() > WIDEST {
        true => name.chars().take(WIDEST - 1).chain(['…']).collect(),
        false => name,
    }
}
