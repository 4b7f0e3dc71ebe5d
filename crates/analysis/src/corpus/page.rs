//! The index page of a corpus: groups of findings, and a table of assets that readers sort and filter.

use std::collections::BTreeMap;
use std::fmt::Write;

use sinew_text::html::{escaped, link};
use sinew_text::words::many;

use super::asset::{Asset, Figure, Weight};
use super::triage::Group;
use crate::report::{SORTED, embedded, head};

/// An asset as the page shows it.
pub struct Entry<'a> {
    /// The name.
    pub name: &'a str,
    /// The result.
    pub asset: &'a Asset,
    /// Its page, relative to this one.
    pub page: Option<&'a str>,
    /// A small picture as base64; may be empty.
    pub thumbnail: &'a str,
}

impl Entry<'_> {
    /// Formats the name, as a link to its page if there is one.
    fn linked(&self) -> String {
        match self.page {
            Some(page) => format!("<a href=\"{}\">{}</a>", link(page), escaped(self.name)),
            None => escaped(self.name),
        }
    }

    fn picture(&self) -> String {
        match self.thumbnail {
            "" => String::new(),
            picture => format!("<img src=\"{}\" alt=\"\">", embedded(picture)),
        }
    }
}

/// Formats the page.
pub fn page(title: &str, entries: &[Entry<'_>], groups: &[Group]) -> String {
    let bad = entries.iter().filter(|entry| entry.asset.has(Weight::Error)).count();
    let mut out = head(&escaped(title));
    let verdict = match bad {
        0 => "No errors.".to_owned(),
        bad => format!("{} with errors, {} without.", many(bad, "asset"), entries.len() - bad),
    };
    let _ = writeln!(
        out,
        "<header>\n<h1>{}</h1>\n<p class=\"verdict\">{verdict}</p>\n</header>\n<main>",
        escaped(title)
    );
    out.push_str(&findings(groups, entries));
    out.push_str(&table(entries));
    let _ = write!(out, "</main>\n{SORTED}</body>\n</html>\n");
    out
}

/// The groups of findings, with the worst and a typical asset of each.
fn findings(groups: &[Group], entries: &[Entry<'_>]) -> String {
    if groups.is_empty() {
        return String::new();
    }
    let by_name: BTreeMap<&str, &Entry<'_>> = entries.iter().map(|entry| (entry.name, entry)).collect();
    let mut out = String::from(
        "<section>\n<h2>Findings</h2>\n<div class=\"wide\"><table class=\"kinds\">\n<thead><tr><th scope=\"col\">assets</th>\
         <th scope=\"col\">kind</th><th scope=\"col\">worst</th><th scope=\"col\">typical</th></tr></thead>\n<tbody>\n",
    );
    for Group { kind, like, assets, worst, typical } in groups {
        let class = if kind.weight() == Weight::Error { " class=\"bad\"" } else { "" };
        let cell = |(asset, finding): &(String, super::asset::Finding)| {
            let entry = by_name.get(asset.as_str());
            let name = match entry.filter(|entry| entry.page.is_some()) {
                Some(entry) => entry.linked(),
                None => format!("<a href=\"#{0}\">{0}</a>", escaped(asset)),
            };
            let picture = entry.map_or_else(String::new, |entry| entry.picture());
            format!("{picture}{name}<small>{}</small>", escaped(&finding.words))
        };
        let _ = writeln!(
            out,
            "<tr><td{class}>{assets}</td><th scope=\"row\">{} {}</th><td>{}</td><td>{}</td></tr>",
            kind.name(),
            escaped(like),
            cell(worst),
            if assets > &1 { cell(typical) } else { String::new() }
        );
    }
    out.push_str("</tbody></table></div>\n</section>\n");
    out
}

/// The table of assets, with a column for each figure that any of them has.
fn table(entries: &[Entry<'_>]) -> String {
    let figures = Figure::ALL
        .into_iter()
        .filter(|figure| entries.iter().any(|entry| entry.asset.figures.contains_key(figure)));
    let figures: Vec<Figure> = figures.collect();
    let most: BTreeMap<Figure, f64> = figures
        .iter()
        .map(|figure| {
            let values = entries.iter().filter_map(|entry| entry.asset.figures.get(figure).copied());
            (*figure, values.fold(0.0, f64::max))
        })
        .collect();
    let mut out = String::from(
        "<section>\n<h2>Assets</h2>\n<p><label>Filter <input id=\"filter\" type=\"search\" \
         placeholder=\"name or finding\"></label> <span id=\"count\" role=\"status\"></span></p>\n\
         <div class=\"wide\"><table id=\"assets\" class=\"corpus\">\n<thead><tr><th scope=\"col\"><button>asset</button></th>\
         <th scope=\"col\"><button>findings</button></th>",
    );
    for figure in &figures {
        let _ = write!(
            out,
            "<th scope=\"col\" title=\"{}\"><button>{}</button></th>",
            escaped(figure.meaning()),
            figure.name()
        );
    }
    out.push_str("</tr></thead>\n<tbody>\n");
    for entry in entries {
        let Entry { name, asset, .. } = entry;
        let (name, picture) = (escaped(name), entry.picture());
        let _ = write!(out, "<tr id=\"{name}\"><th scope=\"row\">{picture}{}</th>", entry.linked());
        let class = if asset.has(Weight::Error) { " class=\"bad\"" } else { "" };
        let _ = write!(out, "<td{class} data-value=\"{}\">", asset.findings.len());
        match asset.findings.as_slice() {
            [] => out.push('0'),
            [worst, rest @ ..] => {
                let _ = write!(out, "{}: {}", worst.kind.name(), escaped(&worst.words));
                if !rest.is_empty() {
                    let _ = write!(out, "<small>and {} more</small>", rest.len());
                }
            }
        }
        out.push_str("</td>");
        for figure in &figures {
            match asset.figures.get(figure) {
                Some(value) => {
                    let share = most.get(figure).filter(|most| **most > 0.0).map_or(0.0, |most| value / most);
                    let bar = (100.0 * share.clamp(0.0, 1.0)).round();
                    let _ = write!(
                        out,
                        "<td class=\"bar\" style=\"--share:{bar}%\" data-value=\"{value}\">{}</td>",
                        shown(*value)
                    );
                }
                None => out.push_str("<td></td>"),
            }
        }
        out.push_str("</tr>\n");
    }
    out.push_str("</tbody></table></div>\n</section>\n");
    out
}

/// Formats a figure with at most four significant digits.
pub(super) fn shown(value: f64) -> String {
    match value.abs() {
        0.0 => "0".to_owned(),
        size if value.fract() == 0.0 && size < 1e9 => format!("{value}"),
        size if size < 1e-3 => format!("{value:.1e}"),
        size => {
            let digits = (3.0 - size.log10().floor()).clamp(0.0, 6.0) as usize;
            format!("{value:.digits$}")
        }
    }
}
