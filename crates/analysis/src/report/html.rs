//! The page of one model, with relative links to its pictures, or with everything in it.

use std::collections::HashMap;
use std::fmt::Write;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use super::data::{ClipSeries, Picture, Report, Worst};
use super::definitions::definitions;
use super::phrase::phrase;
use super::plots::plots;
use super::shown::{count, measured_frames, number_of, when};
use super::table::{MARK, table};
use crate::view_page::{Source, button, scripts, section};
use sinew_text::html::{escaped, link};
use sinew_text::length;

/// The file beside the page with the report as JSON.
pub const JSON_FILE: &str = "report.json";

/// The file beside the page with every frame as CSV.
pub const CSV_FILE: &str = "report.csv";

/// The file beside the page with the model in three dimensions.
pub const VIEW_FILE: &str = "sinew-model.js";

/// The maximum number of clips to plot; the data files have the others.
const MAX_PLOTTED: usize = 40;

/// The number of unfolded clips.
const UNFOLDED: usize = 2;

/// The style of all pages.
pub const STYLE: &str = include_str!("style.css");

/// The place of a page's pictures and other data.
pub enum Beside<'a> {
    /// Files beside the page.
    Files,
    /// The page itself.
    Here {
        /// The script of the view.
        script: &'a str,
        /// Pictures by their names.
        pictures: &'a HashMap<String, Vec<u8>>,
        /// A section before the problems; may be empty.
        findings: &'a str,
    },
}

/// Formats the page of a model, with files beside it.
pub fn page(report: &Report) -> String {
    page_with(report, &Beside::Files)
}

/// Formats the page of a model.
pub fn page_with(report: &Report, beside: &Beside<'_>) -> String {
    let model = escaped(&report.model);
    let mut out = head(&format!("{model}: how skinning deforms it"));
    let _ =
        writeln!(out, "<header>\n<h1>{model}</h1>\n<p class=\"verdict\">{}</p>", escaped(&report.verdict));
    let _ = writeln!(out, "<p class=\"quiet\">{}</p>\n</header>\n<main>", escaped(&measured(report)));
    let left_out =
        report.left_out().map_or_else(String::new, |sentence| format!("<p class=\"quiet\">{sentence}</p>\n"));
    let _ =
        writeln!(out, "<section>\n<h2>Worst values of each mode</h2>\n{}{left_out}</section>", table(report));
    let source = match (beside, &report.view) {
        (Beside::Here { script, .. }, _) => Some(Source::Here(script)),
        (Beside::Files, Some(view)) => Some(Source::File(&view.file)),
        (Beside::Files, None) => None,
    };
    if source.is_some() {
        out.push_str(&section());
    }
    if let Beside::Here { findings, .. } = beside {
        out.push_str(findings);
    }
    out.push_str(&problems(report, beside, source.is_some()));
    out.push_str(&clips(report));
    let _ =
        writeln!(out, "<section>\n<h2>What the numbers mean</h2>\n{INTRODUCTION}{}</section>", definitions());
    if matches!(beside, Beside::Files) {
        let _ = writeln!(
            out,
            "<section>\n<h2>Data</h2>\n<p><a href=\"{JSON_FILE}\">{JSON_FILE}</a>: this report for scripts. \
             <a href=\"{CSV_FILE}\">{CSV_FILE}</a>: every frame as a table.</p>\n</section>"
        );
    }
    out.push_str("</main>\n");
    out.push_str(&source.map_or_else(String::new, |source| scripts(&source)));
    out.push_str("</body>\n</html>\n");
    out
}

/// The common introduction to all metrics.
const INTRODUCTION: &str = "<p>Each frame in each mode is compared with the bind pose. A clip has 30 frames per second, \
    one at each of its keys and one at its end; <code>--frames</code> sets another number. A problem is a value beyond \
    its limit (▲). Its score is its distance from the best value, in multiples of the limit. Only the worst frame counts \
    for each clip, mode, metric, and joint or part. The list gives each mode the same room, so that one bad mode does not \
    hide the others.</p>\n";

/// Formats the page up to its body.
pub fn head(title: &str) -> String {
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n\
         <link rel=\"icon\" href=\"data:,\">\n<title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n"
    )
}

/// Formats the address of a PNG in base64 that is in the page itself.
pub fn embedded(base64: &str) -> String {
    format!("data:image/png;base64,{}", escaped(base64))
}

/// The script for a table with the id `assets`: it sorts by a clicked heading, and hides rows without the typed text. Without
/// scripts, the table is complete.
pub const SORTED: &str = concat!("<script>\n", include_str!("sorted.js"), "</script>\n");

/// Describes the measured amounts in a line.
fn measured(report: &Report) -> String {
    let of = number_of;
    let counts = &report.counts;
    let mut parts = vec![
        measured_frames(report),
        format!("diagonal {}", length::shown(report.diagonal_m)),
        of(counts.vertices, "vertex"),
        of(counts.triangles as u64, "triangle"),
        of(report.sections.len() as u64, "cross-section"),
        of(report.parts.len() as u64, "closed part"),
    ];
    if counts.skipped_sections > 0 {
        parts.push(format!("{} not cut", of(counts.skipped_sections as u64, "joint")));
    }
    if counts.skipped_clips > 0 {
        parts.push(format!("{} left out", of(counts.skipped_clips as u64, "clip")));
    }
    let thinned = report.clips.iter().filter(|clip| clip.times.len() < clip.of_frames).count();
    if thinned > 0 {
        parts.push(format!("not every frame of {}", of(thinned as u64, "clip")));
    }
    parts.push(report.program.clone());
    parts.join(" · ")
}

/// Formats the list of the worst problems.
fn problems(report: &Report, beside: &Beside<'_>, has_view: bool) -> String {
    let all: usize = report.own_modes().map(|mode| mode.problems).sum();
    if report.worst.is_empty() {
        let why = match report.counts.skinned_vertices {
            0 => "no skin moves this model, and other changes of shape are intended",
            _ => "every value is within its limit",
        };
        return format!("<section>\n<h2>Problems</h2>\n<p>None: {why}.</p>\n</section>\n");
    }
    let title = match all > report.worst.len() {
        true => format!("The {} worst of {} problems", report.worst.len(), count(all as f64)),
        false => "Problems, worst first".to_owned(),
    };
    let mut out = format!("<section>\n<h2>{title}</h2>\n<ol class=\"problems\">\n");
    for (number, worst) in report.worst.iter().enumerate() {
        let button = if has_view { button(number) } else { String::new() };
        out.push_str(&problem(report, worst, beside, &button));
    }
    out.push_str("</ol>\n</section>\n");
    out
}

fn problem(report: &Report, worst: &Worst, beside: &Beside<'_>, button: &str) -> String {
    let Worst { mode, metric, found, pictures, command } = worst;
    let mut out = format!(
        "<li>\n{button}<h3><b>{}</b> {}</h3>\n",
        escaped(&report.label(mode)),
        escaped(&phrase(*metric, found))
    );
    let score = found.score.map_or(String::new(), |score| format!(" · score {score:.1}"));
    let vertex = found.at.as_ref().map_or(String::new(), |at| format!(" · vertex {}", at.vertex));
    let facts = format!("{} · {}{score}{vertex}", when(found), metric.facts().title);
    let _ = writeln!(out, "<p class=\"quiet\">{}</p>", escaped(&facts));
    if !pictures.is_empty() {
        out.push_str("<div class=\"pictures\">\n");
        pictures.iter().for_each(|picture| out.push_str(&figure(report, picture, worst, beside)));
        out.push_str("</div>\n");
    }
    if !command.is_empty() {
        let _ = writeln!(out, "<pre>{}</pre>", escaped(command));
    }
    out.push_str("</li>\n");
    out
}

fn figure(report: &Report, picture: &Picture, worst: &Worst, beside: &Beside<'_>) -> String {
    let Picture { mode, file, width, height, digest: _ } = picture;
    let is_own = *mode == worst.mode;
    let (class, mark) = if is_own { (" class=\"own\"", "▲ ") } else { ("", "") };
    let name = escaped(&report.label(mode));
    // The camera looks at the place.
    let circle = if worst.found.at.is_some() { " class=\"circled\"" } else { "" };
    let source = match beside {
        Beside::Files => link(file),
        Beside::Here { pictures, .. } => {
            embedded(&STANDARD.encode(pictures.get(file).map(Vec::as_slice).unwrap_or_default()))
        }
    };
    format!(
        "<figure{class}><span{circle}><img src=\"{}\" alt=\"{name}, {}\" width=\"{width}\" height=\"{height}\" \
         loading=\"lazy\"></span><figcaption>{mark}{name}</figcaption></figure>\n",
        source,
        escaped(&when(&worst.found)),
    )
}

/// Formats the plots of all clips, with the one with the worst value first unfolded.
fn clips(report: &Report) -> String {
    let mut out = String::from("<section>\n<h2>Over time</h2>\n");
    let with_problems: Vec<Option<usize>> = report.worst.iter().map(|worst| worst.found.clip).collect();
    let few = report.clips.len() <= UNFOLDED;
    for clip in report.clips.iter().take(MAX_PLOTTED) {
        let is_open = few || with_problems.first() == Some(&clip.clip);
        out.push_str(&plotted(report, clip, is_open, with_problems.contains(&clip.clip)));
    }
    if report.clips.len() > MAX_PLOTTED {
        let left = (report.clips.len() - MAX_PLOTTED) as u64;
        let verb = if left == 1 { "is" } else { "are" };
        let _ = writeln!(out, "<p>{} {verb} in {CSV_FILE}.</p>", number_of(left, "more clip"));
    }
    out.push_str("</section>\n");
    out
}

fn plotted(report: &Report, clip: &ClipSeries, is_open: bool, has_problem: bool) -> String {
    let (drawn, empty) = plots(report, clip);
    let open = if is_open { " open" } else { "" };
    let mark = if has_problem { MARK } else { "" };
    let mut out = format!(
        "<details{open}><summary>{mark}{} <span class=\"quiet\">{:.2} s, {}</span></summary>\n",
        escaped(&clip.name),
        clip.seconds,
        number_of(clip.times.len() as u64, "frame"),
    );
    if !drawn.is_empty() {
        let _ = writeln!(out, "<div class=\"plots\">\n{}</div>", drawn.concat());
    }
    if !empty.is_empty() {
        let _ = writeln!(out, "<p class=\"quiet\">Nothing to plot: {}.</p>", escaped(&empty.join("; ")));
    }
    out.push_str("</details>\n");
    out
}
