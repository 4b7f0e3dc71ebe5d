//! The HTML page of a failed run: one file with relative links to its pictures.

use std::collections::BTreeSet;
use std::fmt::Write;

use super::ledger::Entry;
use sinew_text::html::escaped;

/// The page without the cases.
const TEMPLATE: &str = include_str!("page.html");

/// Returns the page's text for the cases, in their order; `bless` makes the command that accepts them.
pub(super) fn page(title: &str, entries: &[&Entry], bless: &dyn Fn(&[&str]) -> String) -> String {
    let mut cases = String::new();
    // Failures come first.
    let (good, bad): (Vec<&Entry>, Vec<&Entry>) = entries.iter().copied().partition(|entry| entry.passes);
    let failed: Vec<&str> = bad.iter().map(|entry| entry.case.as_str()).collect();
    for entry in bad.iter().chain(&good) {
        cases.push_str(&article(entry, bless));
    }
    let verdict = match failed.len() {
        1 => format!("1 of {} pictures fails", entries.len()),
        count => format!("{count} of {} pictures fail", entries.len()),
    };
    let devices: BTreeSet<&str> = entries.iter().map(|entry| entry.device.as_str()).collect();
    let devices: Vec<&str> = devices.into_iter().collect();
    let parts = [
        ("{{title}}", escaped(title)),
        ("{{verdict}}", verdict),
        ("{{device}}", escaped(&devices.join(", "))),
        ("{{bless}}", copyable(&bless(&failed))),
        ("{{cases}}", cases),
    ];
    // All placeholders are filled in one pass, so that nothing in a name or command counts as one.
    let mut text = String::new();
    let mut rest = TEMPLATE;
    while let Some((place, (mark, part))) =
        parts.iter().filter_map(|part| Some((rest.find(part.0)?, part))).min_by_key(|(place, _)| *place)
    {
        let (before, after) = rest.split_at(place);
        text.push_str(before);
        text.push_str(part);
        rest = after.strip_prefix(mark).unwrap_or_default();
    }
    text + rest
}

fn article(entry: &Entry, bless: &dyn Fn(&[&str]) -> String) -> String {
    let (name, word) = (escaped(&entry.case), escaped(&entry.word));
    let class = if entry.passes { "pass" } else { "fail" };
    let mut text = String::new();
    let _ = write!(
        text,
        "<article class=\"{class}\" id=\"{name}\">\n<h2><a href=\"#{name}\">{name}</a> <span>{word}</span></h2>\n"
    );
    let _ =
        writeln!(text, "<p>{} <em>Allowed: {}.</em></p>", escaped(&entry.detail), escaped(&entry.allowed));
    let has = |part: &str| entry.parts.iter().any(|there| there == part);
    let image = |part: &str| format!("<img src=\"{part}/{name}.png\" alt=\"{part}\" loading=\"lazy\">");
    text.push_str("<div class=\"pictures\">\n");
    for part in ["expected", "difference", "actual"].into_iter().filter(|part| has(part)) {
        let _ = writeln!(text, "<figure>{}<figcaption>{part}</figcaption></figure>", image(part));
    }
    if has("difference") {
        let _ = writeln!(
            text,
            "<figure class=\"blink\" tabindex=\"0\" role=\"button\" aria-pressed=\"false\" \
             title=\"point here to blink, click to hold the actual picture\">{}{}\
             <figcaption>blink: point or click</figcaption></figure>",
            image("expected"),
            image("actual")
        );
    }
    text.push_str("</div>\n<dl>\n");
    if !entry.command.is_empty() {
        let _ = writeln!(text, "<dt>Draw it</dt><dd>{}</dd>", copyable(&entry.command));
    }
    if !entry.passes {
        let _ = writeln!(text, "<dt>Accept it</dt><dd>{}</dd>", copyable(&bless(&[&entry.case])));
    }
    text.push_str("</dl>\n</article>\n");
    text
}

/// Formats a command with a button that copies it.
fn copyable(command: &str) -> String {
    format!("<code>{}</code><button type=\"button\" class=\"copy\">copy</button>", escaped(command))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Limits, Outcome, Verdict};
    use sinew_scene::scene::Skinned;

    #[test]
    fn text_means_itself_and_links_are_relative() {
        let outcome = |name: &str, verdict| Outcome {
            name: name.to_owned(),
            verdict,
            limits: Limits::default(),
            command: "sinew '<b>{{cases}}' & more".to_owned(),
            skinned: Skinned::default(),
            blessed: None,
        };
        let outcomes = [
            outcome("good", Verdict::Same),
            outcome("bad", Verdict::NotDrawn("<script>{{title}}\u{202e}\u{1b}".to_owned())),
        ];
        let parts = [&["expected"][..], &["expected", "actual"]];
        let entries: Vec<Entry> = outcomes
            .iter()
            .zip(parts)
            .map(|(outcome, parts)| Entry {
                parts: parts.iter().map(|part| (*part).to_owned()).collect(),
                ..Entry::new(outcome, "{{device}}")
            })
            .collect();
        let entries: Vec<&Entry> = entries.iter().collect();
        let page = page("a \"<i>\" b", &entries, &|names| format!("bless {}", names.join(" ")));
        for text in [
            "a &quot;&lt;i&gt;&quot; b",
            "sinew &#39;&lt;b&gt;{{cases}}&#39; &amp; more",
            "&lt;script&gt;{{title}}\u{fffd}\u{fffd}",
            "src=\"actual/bad.png\"",
            "<code>bless bad</code>",
            "1 of 2 pictures fails",
            "{{device}}",
        ] {
            assert!(page.contains(text), "{text} is not in {page}");
        }
        for text in ["<i>", "<script>{{", "http://", "https://", "difference/", "src=\"/", "actual/good.png"]
        {
            assert!(!page.contains(text), "{text} is in {page}");
        }
        assert!(page.find("id=\"bad\"") < page.find("id=\"good\""), "failures come first");
    }
}
