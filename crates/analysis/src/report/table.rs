//! The table of a page: the worst value of each metric in each mode.

use std::fmt::Write;

use super::data::{Found, Report};
use super::shown::{count, limit, place, seconds, value};
use crate::metric::{Metric, is_problem};
use sinew_text::html::escaped;

/// The mark before a problem's value: a sign that needs no colour, and a word for screen readers.
pub const MARK: &str = "<span class=\"mark\" role=\"img\" aria-label=\"problem:\">▲</span> ";

/// Formats the table as HTML.
pub fn table(report: &Report) -> String {
    let scale = report.scale();
    let mut out = String::from(
        "<div class=\"wide\"><table class=\"worst\">\n<thead><tr><th scope=\"col\">worst value</th>\
         <th scope=\"col\">limit</th>",
    );
    for mode in report.own_modes() {
        let _ = write!(out, "<th scope=\"col\">{}</th>", escaped(&report.label(&mode.mode)));
    }
    out.push_str("</tr></thead>\n<tbody>\n");
    for metric in Metric::ALL {
        let _ = write!(
            out,
            "<tr><th scope=\"row\"><a href=\"#{}\">{}</a></th>",
            metric.name(),
            metric.facts().title
        );
        let limit = limit(metric, &scale).unwrap_or_else(|| "–".to_owned());
        let _ = write!(out, "<td class=\"limit\">{}</td>", escaped(&limit));
        for mode in report.own_modes() {
            out.push_str(&cell(metric, mode.worst.get(&metric)));
        }
        out.push_str("</tr>\n");
    }
    out.push_str("<tr class=\"sum\"><th scope=\"row\">problems</th><td></td>");
    for mode in report.own_modes() {
        let mark = if mode.problems > 0 { MARK } else { "" };
        let _ = write!(out, "<td>{mark}{}</td>", count(mode.problems as f64));
    }
    out.push_str("</tr>\n</tbody></table></div>\n");
    out
}

/// Formats a value with its place and time.
fn cell(metric: Metric, found: Option<&Found>) -> String {
    let Some(found) = found else { return "<td>–</td>".to_owned() };
    let is_bad = is_problem(found.score);
    let (class, mark) = if is_bad { (" class=\"bad\"", MARK) } else { ("", "") };
    // A value at its best has no place worth showing.
    let is_worth_naming = metric.deviation(found.value) > 0.0;
    let at = found.at.as_ref().map(place);
    let lines = at.into_iter().chain([when_in_table(found)]).filter(|_| is_worth_naming);
    let note: String = lines.map(|line| format!("<small>{}</small>", escaped(&line))).collect();
    format!("<td{class}>{mark}{}{note}</td>", escaped(&value(metric, found.value)))
}

/// Formats the clip without the word, and the time, because the column is narrow.
fn when_in_table(found: &Found) -> String {
    match found.clip {
        Some(_) => {
            // A number and its unit stay on one line.
            let seconds = seconds(found.time).replace(' ', "\u{a0}");
            format!("{}, {seconds}", found.name.strip_prefix("clip ").unwrap_or(&found.name))
        }
        None => found.name.clone(),
    }
}
