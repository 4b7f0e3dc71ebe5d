//! Writes a check as JUnit XML, which CI systems show.

use std::io::{self, Write};

use super::{Case, Report, Severity};
use crate::html;

/// Writes one test suite with a test for each case. A case that could not be checked is an error, and a finding that
/// fails the check is a failure. Other findings are the output of a passing test.
pub fn junit(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    let is_error = |case: &Case| case.severity == Severity::Broken;
    let errors = report.failures().filter(|case| is_error(case)).count();
    let failures = report.failures().filter(|case| !is_error(case)).count();
    let (suite, count) = (escaped(report.suite), report.cases.len());
    writeln!(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>")?;
    writeln!(out, "<testsuites tests=\"{count}\" failures=\"{failures}\" errors=\"{errors}\">")?;
    writeln!(
        out,
        "<testsuite name=\"{suite}\" tests=\"{count}\" failures=\"{failures}\" errors=\"{errors}\">"
    )?;
    for case in report.cases {
        let name = escaped(&case.name);
        write!(out, "<testcase classname=\"{suite}\" name=\"{name}\"")?;
        let (text, command) = (escaped(&case.text()), escaped(&case.command));
        if !report.fail_on.fails(case) {
            match case.severity {
                Severity::Fine => writeln!(out, "/>")?,
                _ => writeln!(out, "><system-out>{text} {command}</system-out></testcase>")?,
            }
            continue;
        }
        let element = if is_error(case) { "error" } else { "failure" };
        let kind = escaped(case.kind);
        writeln!(out, "><{element} type=\"{kind}\" message=\"{text}\">{command}</{element}></testcase>")?;
    }
    writeln!(out, "</testsuite>\n</testsuites>")
}

/// Escapes text for XML, in one line.
fn escaped(text: &str) -> String {
    html::escaped(&text.replace(['\t', '\n', '\r'], " "))
}

#[cfg(test)]
mod tests {
    use super::super::FailOn;
    use super::*;

    #[test]
    fn every_case_is_a_test() {
        let cases = [
            Case::new("same", Severity::Fine, "same", ""),
            Case::new("gone", Severity::Error, "missing", "there is no golden").shown_by("sinew 'a & b'"),
            Case::new("broken", Severity::Broken, "not-drawn", "<no \"file\">\u{1}\u{9b}\u{202e}"),
            Case::new("old", Severity::Warning, "orphan", "no case uses it"),
        ];
        let text = |severity| {
            let mut out = Vec::new();
            let fail_on = FailOn { severity: Some(severity), kinds: Vec::new() };
            junit(&Report { suite: "tests/golden", cases: &cases, fail_on: &fail_on }, &mut out).unwrap();
            String::from_utf8(out).unwrap()
        };
        let strict = text(Severity::Warning);
        assert!(strict.contains("<testsuites tests=\"4\" failures=\"2\" errors=\"1\">"), "{strict}");
        let text = text(Severity::Error);
        assert!(text.contains("<testsuites tests=\"4\" failures=\"1\" errors=\"1\">"), "{text}");
        assert!(text.contains("<testcase classname=\"tests/golden\" name=\"same\"/>"), "{text}");
        assert!(text.contains("name=\"gone\"><failure type=\"missing\" message=\"missing: there"), "{text}");
        assert!(text.contains("name=\"old\"><system-out>orphan: no case uses it"), "{text}");
        assert!(
            text.contains("&lt;no &quot;file&quot;&gt;\u{fffd}\u{fffd}\u{fffd}")
                && text.contains("a &amp; b"),
            "{text}"
        );
    }
}
