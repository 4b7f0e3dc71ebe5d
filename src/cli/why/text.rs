//! The answer as text.

use std::io::{self, Write};

use crate::analysis::why::{Answer, Blamed, Kind, ModeAnswer, Moment};
use crate::cli::args::WhyArgs;
use crate::cli::print::plain;
use crate::length::{Unit, digits};
use crate::table::{Align, Table};
use crate::words::many;

/// Writes the answer: where it is worst, what each mode makes of it, why, and what to do.
pub fn write(
    args: &WhyArgs,
    (given, answer, command): (&str, &Answer, &str),
    out: &mut dyn Write,
) -> io::Result<()> {
    writeln!(out, "{}: {}", plain(given), plain(&joint(args.joint.as_deref(), answer)))?;
    let turn = turned(answer);
    writeln!(out, "Worst in {}: {}, {turn}", answer.mode, plain(&moment(&answer.worst)))?;
    let of = match answer.measure {
        Kind::Section => "section",
        Kind::Spread => "spread",
    };
    let mut table = Table::new(&[Align::Left, Align::Right, Align::Right, Align::Right, Align::Left]);
    table.row(["mode", of, "change", "at its worst", ""]);
    let unit = Unit::of(answer.modes.iter().map(|found| found.change_m));
    answer.modes.iter().for_each(|found| table.row(row(found, answer, unit)));
    writeln!(out)?;
    table.write(out)?;
    writeln!(out, "\nWhy: {}", reason(answer))?;
    writeln!(out, "{}", choice(answer))?;
    blame(answer, out)?;
    weights(answer, out)?;
    writeln!(out, "\nSee it:   {}", plain(command))?;
    let joint = &answer.joint;
    let sweep = format!("sinew sweep {} --joint {} --axis {}", word(given), word(joint), answer.turn.axis);
    writeln!(out, "Sweep it: {}", plain(&sweep))
}

/// A share in percent.
pub fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}

/// Returns which joint it is, and which others the word means.
fn joint(asked: Option<&str>, answer: &Answer) -> String {
    let Answer { joint, others, .. } = answer;
    let better = |with: &str| {
        let others = others.iter().map(|other| format!("{} keeps {}", other.joint, percent(other.kept)));
        format!("{with}{}", others.collect::<Vec<_>>().join(", "))
    };
    match (asked, others.as_slice()) {
        (Some(asked), []) if asked == joint => joint.clone(),
        (Some(asked), []) => format!("'{asked}' is {joint}"),
        (Some(asked), [_]) => format!("'{asked}' is {joint}, the worse of two; {}", better("")),
        (Some(asked), _) => format!("'{asked}' is {joint}, the worst of several; {}", better("")),
        (None, []) => joint.clone(),
        (None, _) => format!("{joint} is the worst joint; {}", better("")),
    }
}

fn moment(moment: &Moment) -> String {
    match moment.clip {
        Some(_) => format!("{} at {} s", moment.name, digits(moment.time)),
        None => moment.name.clone(),
    }
}

fn turned(answer: &Answer) -> String {
    let turn = &answer.turn;
    let kind = match turn.is_twist {
        None => return "where the joint is at rest".to_owned(),
        Some(true) => "a twist along the bone",
        Some(false) => "a bend",
    };
    let (whole, about) = (format!("{:.0}", turn.degrees), format!("{:.0}", turn.about_axis));
    match about.trim_start_matches('-') == whole {
        true => format!("turned {about}° about its {} axis: {kind}", turn.axis),
        false => format!("turned {whole}°, {about}° of it about its {} axis: {kind}", turn.axis),
    }
}

fn row(found: &ModeAnswer, answer: &Answer, unit: Unit) -> [String; 5] {
    let worst = if found.worst == answer.worst { "here".to_owned() } else { moment(&found.worst) };
    let sign = if found.change_m > 0.0 { "+" } else { "" };
    let change = format!("{sign}{}", unit.shown(found.change_m));
    [found.mode.to_owned(), percent(found.kept), change, percent(found.worst_kept), worst]
}

/// Returns what the mode does there.
fn reason(answer: &Answer) -> String {
    let mode = answer.mode;
    let kept = answer.broken().map_or(1.0, |found| found.kept);
    if (kept - 1.0).abs() < 0.005 {
        return format!("{mode} keeps the shape; if the joint still looks broken, look at the weights.");
    }
    let text = match (mode, answer.turn.is_twist, kept < 1.0) {
        ("rigid", ..) => "each vertex follows one joint, so that the surface breaks where the next begins",
        ("lbs", Some(true), true) => {
            "it averages places around the bone, and their mean is nearer to the bone: the candy wrapper"
        }
        ("lbs", _, true) => {
            "it averages places on an arc, and their mean is inside the arc: bends get thinner"
        }
        ("dqs", _, false) => "it moves vertices along arcs around the joint, so that bends bulge",
        (_, _, true) => "the surface gets thinner there",
        (_, _, false) => "the surface gets thicker there",
    };
    format!("{mode}: {text}.")
}

fn choice(answer: &Answer) -> String {
    let choose = &answer.choose;
    let kept = percent(choose.kept);
    let verdict = match choose.is_enough {
        true => format!("it keeps {kept} at its worst, over {}", many(answer.frames, "frame")),
        false => format!("it is the best, but keeps {kept} at its worst; look at the weights, too"),
    };
    match choose.mode == answer.mode {
        true => format!("Choose: stay with {}; {verdict}.", choose.mode),
        false => format!("Choose: {}; {verdict}.", choose.mode),
    }
}

fn blame(answer: &Answer, out: &mut dyn Write) -> io::Result<()> {
    let Some(against) = answer.blame_against.filter(|_| !answer.blame.is_empty()) else { return Ok(()) };
    writeln!(out, "\nVertices to blame, by how far {} and {against} are apart:", answer.mode)?;
    let mut table = Table::new(&[Align::Left, Align::Right, Align::Left]);
    let unit = Unit::of(answer.blame.iter().map(|blamed| blamed.distance_m));
    for Blamed { vertex, distance_m, influences } in &answer.blame {
        let weights = influences.iter().map(|found| format!("{} {:.2}", found.joint, found.weight));
        table.row([vertex.clone(), unit.shown(*distance_m), weights.collect::<Vec<_>>().join(", ")]);
    }
    table.write(out)
}

fn weights(answer: &Answer, out: &mut dyn Write) -> io::Result<()> {
    for finding in &answer.weights {
        let (kind, vertices) = (finding.kind.name(), many(finding.count, "vertex"));
        writeln!(out, "  weights: {kind}, {vertices}, the worst {}", plain(&finding.worst.vertex))?;
    }
    Ok(())
}

/// A word of a command line.
fn word(text: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "._-:/#".contains(c);
    match !text.is_empty() && text.chars().all(is_plain) && !text.starts_with(['-', '#']) {
        true => text.to_owned(),
        false => format!("'{}'", text.replace('\'', r"'\''")),
    }
}
