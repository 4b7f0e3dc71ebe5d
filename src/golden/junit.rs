//! Writes outcomes as JUnit XML, which CI systems show.

use std::io::{self, Write};

use super::verdict::{Outcome, Verdict};

/// Writes one test suite with a test for each case. A picture that could not be drawn is an error, one that differs is a
/// failure.
pub fn junit(suite: &str, outcomes: &[Outcome], out: &mut dyn Write) -> io::Result<()> {
    let is_error = |outcome: &&Outcome| matches!(outcome.verdict, Verdict::NotDrawn(_));
    let errors = outcomes.iter().filter(is_error).count();
    let failures = outcomes.iter().filter(|outcome| !outcome.is_pass()).count() - errors;
    let (suite, count) = (escaped(suite), outcomes.len());
    writeln!(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>")?;
    writeln!(out, "<testsuites tests=\"{count}\" failures=\"{failures}\" errors=\"{errors}\">")?;
    writeln!(
        out,
        "<testsuite name=\"{suite}\" tests=\"{count}\" failures=\"{failures}\" errors=\"{errors}\">"
    )?;
    for outcome in outcomes {
        let name = escaped(&outcome.name);
        write!(out, "<testcase classname=\"{suite}\" name=\"{name}\"")?;
        if outcome.is_pass() {
            writeln!(out, "/>")?;
            continue;
        }
        let element = if is_error(&outcome) { "error" } else { "failure" };
        let message = escaped(&format!("{}: {}", outcome.verdict.name(), outcome.verdict.detail()));
        let command = escaped(&outcome.command);
        writeln!(out, "><{element} message=\"{message}\">{command}</{element}></testcase>")?;
    }
    writeln!(out, "</testsuite>\n</testsuites>")
}

/// Text for XML: markup is escaped, and characters that XML cannot hold are replaced.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    for letter in text.chars() {
        match letter {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\t' | '\n' | '\r' => out.push(' '),
            '\0'..=' ' if letter != ' ' => out.push('\u{fffd}'),
            '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            other => out.push(other),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::golden::Limits;

    #[test]
    fn every_case_is_a_test() {
        let outcome = |name: &str, verdict| Outcome {
            name: name.to_owned(),
            verdict,
            limits: Limits::default(),
            command: "sinew 'a & b'".to_owned(),
            blessed: None,
        };
        let outcomes = [
            outcome("same", Verdict::Same),
            outcome("gone", Verdict::Missing),
            outcome("broken", Verdict::NotDrawn("<no \"file\">\u{1}".to_owned())),
        ];
        let mut out = Vec::new();
        junit("tests/golden", &outcomes, &mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        assert!(text.contains("<testsuites tests=\"3\" failures=\"1\" errors=\"1\">"), "{text}");
        assert!(text.contains("<testcase classname=\"tests/golden\" name=\"same\"/>"), "{text}");
        assert!(text.contains("name=\"gone\"><failure message=\""), "{text}");
        assert!(text.contains("&lt;no &quot;file&quot;&gt;\u{fffd}") && text.contains("a &amp; b"), "{text}");
    }
}
