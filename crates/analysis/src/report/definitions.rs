//! The meaning of each metric, for the end of a page.

use std::fmt::Write;

use super::shown::limit_in_words;
use crate::metric::{Better, Metric, Unit};
use sinew_text::html::escaped;

/// Formats the definitions as HTML.
pub fn definitions() -> String {
    let mut out = String::from("<dl>\n");
    for metric in Metric::ALL {
        let better = match (metric.facts().unit, metric.facts().better) {
            (Unit::Ratio, _) => "Best: 100 %.",
            (_, Better::Higher) => "Best: as high as possible.",
            (_, Better::Lower) => "Best: 0.",
            (_, Better::NearOne) => "Best: 1.",
        };
        let problem = match limit_in_words(metric) {
            Some(words) => format!("{better} Problem: {words}."),
            None => "It is not a fault, and has no limit.".to_owned(),
        };
        let _ = writeln!(
            out,
            "<dt id=\"{name}\">{} <code>{name}</code></dt><dd>{} {}</dd>",
            escaped(metric.facts().title),
            escaped(metric.facts().help),
            escaped(&problem),
            name = metric.name(),
        );
    }
    out.push_str("</dl>\n");
    out
}
