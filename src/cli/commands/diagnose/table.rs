//! The answer to `sinew diagnose --like VERTICES` as text.

use std::io::{self, Write};

use serde::Serialize;

use crate::analysis::diagnose::{Answer, Candidate, Directions, Matched, NotFinite, Worst, scientific};
use crate::cli::terminal::print::plain;
use crate::words::{fixed, many};

/// Everything that the command prints.
#[derive(Serialize)]
pub struct Document<'a> {
    /// `vertices`.
    pub kind: &'static str,
    /// The model, as given.
    pub model: &'a str,
    /// The file of vertices, as given.
    pub vertices: &'a str,
    /// The answer.
    #[serde(flatten)]
    pub answer: &'a Answer,
    /// The command that draws our vertices.
    pub picture: String,
    /// The command that draws theirs over ours as distances; null without `-o`.
    pub difference: Option<String>,
}

/// The number of rows of a table.
const ROWS: usize = 5;

/// Prints the answer.
pub fn text(document: &Document, out: &mut dyn Write) -> io::Result<()> {
    let answer = document.answer;
    let Matched { by, of, given, pairs, placement, pose, time, frame, .. } = &answer.matched;
    let of = plain(of);
    writeln!(
        out,
        "{}: {} of {} given, {} ({of})",
        plain(document.vertices),
        many(*pairs, "vertex"),
        given,
        by.words(),
    )?;
    let mirrored = if placement.is_mirrored { ", mirrored" } else { "" };
    let origin = match placement.origin {
        Some([x, y, z]) => format!(", our origin at {}", [x, y, z].map(|along| fixed(along, 4)).join(" ")),
        None => String::new(),
    };
    writeln!(out, "axes {}{mirrored}, unit {}{origin}", placement.axes, placement.unit)?;
    match pose.as_str() {
        "bind" | "rest" | "skin-space" => writeln!(out, "pose {pose}")?,
        clip => writeln!(out, "clip {} at {time:.4} s, frame {frame:.2}", plain(clip))?,
    }
    let NotFinite { count, first } = &answer.not_finite;
    if let Some(first) = first {
        writeln!(out, "not finite: {}, the first is {first}", many(*count, "vertex"))?;
    }
    writeln!(out, "\n{}\n", plain(&answer.verdict.sentence))?;

    writeln!(out, "  largest  99 %     agree    skinning (distances as shares of the size)")?;
    for candidate in answer.candidates.iter().take(ROWS) {
        row(candidate, out)?;
    }
    if let Some(expected) = &answer.expected {
        writeln!(out, "expected:")?;
        row(&expected.candidate, out)?;
    }
    if answer.normals.is_some() || answer.tangents.is_some() {
        writeln!(out)?;
    }
    for (what, found) in [("normals", &answer.normals), ("tangents", &answer.tangents)] {
        let Some(found) = found else { continue };
        let faults: Vec<String> = found.faults.iter().map(ToString::to_string).collect();
        let way = if faults.is_empty() { "as defined".to_owned() } else { faults.join(", ") };
        let how = if found.agrees { "" } else { "as no known way makes them; nearest " };
        let Directions { right, of, max, not_finite, .. } = found;
        let lost = if *not_finite > 0 { format!(", {not_finite} not finite") } else { String::new() };
        let max = scientific(*max);
        writeln!(out, "{what}: {how}{way}; {right} of {of} agree, the worst differs by {max}{lost}")?;
    }
    if !answer.verdict.agrees {
        writeln!(out, "\nworst vertices:")?;
        for Worst { place, given, apart_r, ours, theirs } in answer.worst.iter().take(ROWS) {
            let joint = place.joint.as_deref().map(plain).unwrap_or_default();
            let [ours, theirs] = [ours, theirs].map(|at| at.map(|along| fixed(along, 5)).join(" "));
            let apart = scientific(*apart_r);
            writeln!(
                out,
                "  {apart}  {} (given {given}, {joint})  ours {ours}  theirs {theirs}",
                place.name
            )?;
        }
    }
    if let Some(worst) = answer.worst.first() {
        let flags = document.picture.strip_prefix("sinew ").unwrap_or_default();
        writeln!(
            out,
            "\nsee the numbers of the furthest: sinew explain {} --vertex {}",
            plain(flags),
            worst.place.name
        )?;
    }
    writeln!(out, "see ours: {}", plain(&document.picture))?;
    match &document.difference {
        Some(command) => writeln!(out, "see both: {}", plain(command)),
        None => writeln!(out, "see both: add -o theirs.glb to this command"),
    }
}

fn row(candidate: &Candidate, out: &mut dyn Write) -> io::Result<()> {
    let Candidate { name, distances } = candidate;
    let agree = (1.0 - distances.wrong) * 100.0;
    let (max, p99) = (scientific(distances.max_r), scientific(distances.p99_r));
    writeln!(out, "  {max:<8} {p99:<8} {agree:5.1} %  {name}")
}
