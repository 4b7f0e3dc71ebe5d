//! The answer as text.

use std::io::{self, Write};

use crate::analysis::why::{Answer, Blamed, Kind, ModeAnswer, Moment};
use crate::cli::args::WhyArgs;
use crate::cli::terminal::colors::{Tone, verdict};
use crate::cli::terminal::print::plain;
use crate::length::{Unit, digits};
use crate::skinning::SkinningMode;
use crate::table::{Align, Table};
use crate::words::many;

/// A share that is this close to one is the bind pose's.
const AS_BIND: f64 = 0.005;

/// Writes the answer: the worst frame, each mode's figures, the reason, and the choice.
pub fn write(
    args: &WhyArgs,
    (given, answer, command): (&str, &Answer, &str),
    left_out: Option<String>,
    out: &mut dyn Write,
) -> io::Result<()> {
    writeln!(out, "{}: {}", plain(given), plain(&joint(args.joint.as_deref(), answer)))?;
    let turn = turned(answer);
    writeln!(out, "Worst in {}: {}, {}", answer.mode, plain(&moment(&answer.worst)), plain(&turn))?;
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
    left_out.map_or(Ok(()), |sentence| writeln!(out, "{sentence}"))?;
    writeln!(out, "\nWhy: {}", plain(&reason(answer)))?;
    let (choice, tone) = choice(answer);
    writeln!(out, "{}", verdict(&plain(&choice), tone))?;
    blame(answer, out)?;
    weights(answer, out)?;
    writeln!(out, "\nSee it:   {}", plain(command))?;
    let joint = &answer.joint;
    let axis = match answer.turn.is_rest() {
        true => String::new(),
        false => format!(" --axis {}", answer.turn.axis),
    };
    let sweep = format!("sinew sweep {} --joint {}{axis}", word(given), word(joint));
    writeln!(out, "Sweep it: {}", plain(&sweep))
}

/// A share in percent.
pub fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}

/// Describes the kept share of a size. Above one, the surface swells.
fn keeps(share: f64) -> String {
    match share > 1.0 + AS_BIND {
        true => format!("swells to {}", percent(share)),
        false => format!("keeps {}", percent(share)),
    }
}

/// Returns the shown joint, and the others that the word matches.
fn joint(asked: Option<&str>, answer: &Answer) -> String {
    let Answer { joint, others, .. } = answer;
    let better = |with: &str| {
        let others = others.iter().map(|other| format!("{} {}", other.joint, keeps(other.kept)));
        format!("{with}{}", others.collect::<Vec<_>>().join(", "))
    };
    match (asked, others.as_slice()) {
        (Some(asked), []) if asked == joint => joint.clone(),
        (Some(asked), []) => format!("'{asked}' is {joint}"),
        (Some(asked), [_]) => format!("'{asked}' matches two joints. {joint} is shown; {}", better("")),
        (Some(asked), _) => format!("'{asked}' is {joint}, the worst of several; {}", better("")),
        (None, []) => joint.clone(),
        (None, _) => format!("{joint} is the worst joint; {}", better("")),
    }
}

fn moment(moment: &Moment) -> String {
    let Moment { clip, name, time, frame } = moment;
    match (clip, frame) {
        (Some(_), Some(frame)) => format!("{name} at frame {frame} ({} s)", digits(*time)),
        (Some(_), None) => format!("{name} at {} s", digits(*time)),
        (None, _) => name.clone(),
    }
}

fn turned(answer: &Answer) -> String {
    let turn = &answer.turn;
    let kind = match (turn.is_twist, &answer.beside) {
        _ if !turn.is_rest() => match turn.is_twist {
            None => "it has no bone",
            Some(true) => "a twist along the bone",
            Some(false) => "a bend",
        },
        (_, Some(beside)) => {
            return format!(
                "where {}, next to it, turns {:.0}°; {} does not turn in any frame",
                beside.joint, beside.degrees, answer.joint
            );
        }
        (_, None) => return format!("where {} does not turn, as in all frames", answer.joint),
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

/// Returns the mode's effect on the joint.
fn reason(answer: &Answer) -> String {
    let mode = answer.mode;
    let kept = answer.broken().map_or(1.0, |found| found.kept);
    if (kept - 1.0).abs() < AS_BIND {
        return format!("{mode} keeps the shape; if the joint still looks broken, check the weights.");
    }
    if let Some(beside) = &answer.beside {
        return format!(
            "{} does not turn; {}, next to it, does, and moves the surface.",
            answer.joint, beside.joint
        );
    }
    let does = mode.parse().ok().and_then(|mode| effect(mode, answer.turn.is_twist, kept < 1.0));
    let does = does.unwrap_or(match kept < 1.0 {
        true => "makes the surface thinner there",
        false => "makes the surface thicker there",
    });
    format!("{mode} {does}.")
}

/// Returns a mode's effect on the surface of a turned joint, if that explains a change of this kind.
fn effect(mode: SkinningMode, is_twist: Option<bool>, is_thinner: bool) -> Option<&'static str> {
    match (mode, is_twist, is_thinner) {
        (SkinningMode::Rigid, ..) => {
            Some("lets each vertex follow one joint, so the surface breaks where the next one begins")
        }
        (SkinningMode::Linear, Some(true), true) => {
            Some("averages positions around the bone. Their mean is nearer to the bone (the candy wrapper)")
        }
        (SkinningMode::Linear, Some(false), true) => {
            Some("averages positions on an arc. Their mean is inside the arc, so bends get thinner")
        }
        (SkinningMode::DualQuat, Some(false), false) => {
            Some("moves vertices along arcs around the joint, so bends bulge")
        }
        (
            SkinningMode::Linear
            | SkinningMode::DualQuat
            | SkinningMode::Blended
            | SkinningMode::CenterOfRotation
            | SkinningMode::DualQuatBlender
            | SkinningMode::DualQuatRigid
            | SkinningMode::DirectDeltaMush,
            ..,
        ) => None,
    }
}

/// Returns the verdict, and whether that is good.
fn choice(answer: &Answer) -> (String, Tone) {
    let choose = &answer.choose;
    let kept = answer.broken().map_or(1.0, |found| found.kept);
    if let Some(beside) = answer.beside.as_ref().filter(|_| (kept - 1.0).abs() >= AS_BIND) {
        let text = format!("Choose for the joint that turns: add --joint {}.", word(&beside.joint));
        return (text, Tone::Warning);
    }
    let keeps = keeps(choose.kept);
    let over = match answer.turned_frames {
        0 => many(answer.frames, "frame"),
        turned if turned == answer.frames => many(turned, "frame"),
        turned => format!("the {} that turn it", many(turned, "frame")),
    };
    let rigid = answer.modes.iter().find(|found| found.mode == "rigid");
    let off = |share: f64| (share - 1.0).abs();
    let crease = rigid
        .filter(|rigid| off(rigid.worst_kept) + 2.0 * AS_BIND < off(choose.kept) && choose.mode != "rigid");
    let crease = crease.map_or_else(String::new, |rigid| {
        format!("; rigid {}, but creases the surface", self::keeps(rigid.worst_kept))
    });
    let verdict = match choose.is_enough {
        true => format!("it {keeps} at its worst, over {over}{crease}"),
        false => format!("it is the best, but {keeps} at its worst{crease}; check the weights, too"),
    };
    let text = match choose.mode == answer.mode {
        true => format!("Choose: stay with {}; {verdict}.", choose.mode),
        false => format!("Choose: {}; {verdict}.", choose.mode),
    };
    (text, if choose.is_enough { Tone::Good } else { Tone::Warning })
}

fn blame(answer: &Answer, out: &mut dyn Write) -> io::Result<()> {
    let Some(against) = answer.blame_against.filter(|_| !answer.blame.is_empty()) else { return Ok(()) };
    writeln!(out, "\nVertices to blame, by the distance between {} and {against}:", answer.mode)?;
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
