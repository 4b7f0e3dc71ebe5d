//! The index page of the reports on several models.

use std::fmt::Write;

use super::data::{ModeSummary, Report};
use super::html::{SORTED, head};
use super::shown::{count, measured_frames, number_of, value};
use super::table::MARK;
use super::verdict::worst;
use sinew_text::html::{escaped, link};
use sinew_text::words::many;

/// Formats the page: one row per model, with a link to its page in its folder. Reports of several machines make one site.
/// The page has a note if models are left.
pub fn site(reports: &[(String, Report)], left: usize) -> String {
    let modes = modes(reports);
    let bad =
        reports.iter().filter(|(_, report)| report.summary.iter().any(|mode| mode.problems > 0)).count();
    let all = reports.len().saturating_add(left);
    let title = match left {
        0 => many(all, "model"),
        _ => format!("{} of {} so far", reports.len(), many(all, "model")),
    };
    let mut out = head(&format!("{title}: how skinning deforms them"));
    let _ = writeln!(
        out,
        "<header>\n<h1>{title}</h1>\n{}<p class=\"verdict\">{}</p>\n</header>\n<main>",
        if left > 0 { UNFINISHED } else { "" },
        summed_up(reports, &modes)
    );
    let _ = writeln!(out, "<section>\n<h2>Models{}</h2>", if bad > 0 { ", most problems first" } else { "" });
    let _ = writeln!(
        out,
        "<p class=\"quiet\">For each mode: how many problems it has, each clip, metric and joint or part once, and the \
         worst value. The page of a model says what they mean.</p>"
    );
    out.push_str(
        "<p><label>Filter <input id=\"filter\" type=\"search\" placeholder=\"name or problem\"></label> \
         <span id=\"count\" role=\"status\"></span></p>\n<div class=\"wide\"><table id=\"assets\" class=\"models\">\n\
         <thead><tr><th scope=\"col\"><button>model</button></th>",
    );
    for mode in &modes {
        let _ = write!(out, "<th scope=\"col\"><button>{}</button></th>", escaped(mode));
    }
    out.push_str("</tr></thead>\n<tbody>\n");
    let mut rows: Vec<&(String, Report)> = reports.iter().collect();
    let problems = |report: &Report| report.summary.iter().map(|mode| mode.problems).sum::<usize>();
    rows.sort_by(|a, b| problems(&b.1).cmp(&problems(&a.1)).then(a.0.cmp(&b.0)));
    for (folder, report) in rows {
        out.push_str(&row(folder, report, &modes));
    }
    out.push_str("</tbody></table></div>\n</section>\n</main>\n");
    out.push_str(SORTED);
    out.push_str("</body>\n</html>\n");
    out
}

/// The note in an index that is not complete.
const UNFINISHED: &str = "<p class=\"bad\">Not complete: the run is still going or was stopped. Run the same command again \
    to go on from here.</p>\n";

/// Returns all modes of all reports, in their order.
fn modes(reports: &[(String, Report)]) -> Vec<&str> {
    let mut modes: Vec<&str> = Vec::new();
    for mode in reports.iter().flat_map(|(_, report)| &report.modes) {
        if !modes.contains(&mode.as_str()) {
            modes.push(mode);
        }
    }
    modes
}

fn of_mode<'a>(report: &'a Report, mode: &str) -> Option<&'a ModeSummary> {
    report.summary.iter().find(|summary| summary.mode == mode)
}

/// Formats for each mode the number of models with problems in it.
fn summed_up(reports: &[(String, Report)], modes: &[&str]) -> String {
    let with_problems = |mode: &&str| {
        let has = |report: &Report| of_mode(report, mode).is_some_and(|summary| summary.problems > 0);
        reports.iter().filter(|(_, report)| has(report)).count()
    };
    let clauses = modes.iter().map(|mode| match with_problems(mode) {
        0 => format!("{mode} in none"),
        bad => format!("{mode} in {bad}"),
    });
    let clauses: Vec<String> = clauses.collect();
    match clauses.is_empty() {
        true => String::new(),
        false => escaped(&format!("Models in which a mode has problems: {}.", clauses.join(", "))),
    }
}

fn row(folder: &str, report: &Report, modes: &[&str]) -> String {
    let mut out = format!(
        "<tr><th scope=\"row\">{}<a href=\"{}/index.html\">{}</a><p>{}</p><small>{}, {}</small></th>",
        thumbnail(folder, report),
        link(folder),
        escaped(&report.model),
        escaped(&report.verdict),
        number_of(report.counts.vertices, "vertex"),
        measured_frames(report),
    );
    for mode in modes {
        let Some(summary) = of_mode(report, mode) else {
            let is_equal = report.equal_to_dqs.iter().any(|equal| equal == mode);
            let cell = if is_equal { "as dqs" } else { "–" };
            let _ = write!(out, "<td data-value=\"-1\">{cell}</td>");
            continue;
        };
        let cell = match worst(summary) {
            None => "<td data-value=\"0\">0</td>".to_owned(),
            Some((metric, found)) => format!(
                "<td class=\"bad\" data-value=\"{}\">{MARK}{}<small>{}: {}</small></td>",
                summary.problems,
                count(summary.problems as f64),
                metric.facts().title,
                escaped(&value(metric, found.value)),
            ),
        };
        out.push_str(&cell);
    }
    out.push_str("</tr>\n");
    out
}

/// The picture of the worst problem in its mode.
fn thumbnail(folder: &str, report: &Report) -> String {
    let picture = report.worst.first().and_then(|worst| {
        let own = worst.pictures.iter().find(|picture| picture.mode == worst.mode);
        own.map(|picture| format!("{folder}/{}", picture.file))
    });
    picture
        .map_or_else(String::new, |file| format!("<img src=\"{}\" alt=\"\" loading=\"lazy\">", link(&file)))
}
