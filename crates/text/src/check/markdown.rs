//! Writes a check as Markdown, for the summary of a CI run or a comment.

use std::io::{self, Write};

use super::{Case, Report, Severity};
use crate::html;

/// Maximum number of findings to write: a comment may have 64 KiB.
const MAX_ROWS: usize = 100;

/// Writes a heading with the verdict, and a table of findings, failures first.
pub fn markdown(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    let (failed, count) = (report.failures().count(), report.cases.len());
    let verdict = match failed {
        0 => format!("passes ({count} checked)"),
        1 => format!("1 of {count} fails"),
        _ => format!("{failed} of {count} fail"),
    };
    writeln!(out, "### {}: {verdict}", escaped(report.suite))?;
    let findings = report.cases.iter().filter(|case| case.severity > Severity::Fine);
    let (bad, other): (Vec<&Case>, Vec<&Case>) = findings.partition(|case| report.fail_on.fails(case));
    let rows: Vec<(&str, &Case)> =
        bad.into_iter().map(|case| ("❌", case)).chain(other.into_iter().map(|case| ("⚠️", case))).collect();
    if rows.is_empty() {
        return Ok(());
    }
    writeln!(out, "\n| | case | finding |\n|---|---|---|")?;
    for (mark, case) in rows.iter().take(MAX_ROWS) {
        let command = match case.command.is_empty() {
            true => String::new(),
            false => format!("<br><code>{}</code>", escaped(&case.command)),
        };
        writeln!(out, "| {mark} | {} | {}{command} |", escaped(&case.name), escaped(&case.text()))?;
    }
    match rows.len().saturating_sub(MAX_ROWS) {
        0 => Ok(()),
        more => writeln!(out, "\n{more} more are not listed."),
    }
}

/// Escapes text for a Markdown table: no markup, links or mentions.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    for letter in text.chars() {
        match letter {
            '\n' => out.push(' '),
            '\\' | '`' | '*' | '_' | '[' | ']' | '|' | '~' | '@' | '$' | '#' => {
                out.push_str(&format!("&#{};", u32::from(letter)));
            }
            other => out.push_str(&html::escaped(other.encode_utf8(&mut [0; 4]))),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::super::FailOn;
    use super::*;

    fn text(cases: &[Case]) -> String {
        let fail_on = FailOn { severity: Some(Severity::Error), kinds: Vec::new() };
        let mut out = Vec::new();
        markdown(&Report { suite: "compare new.glb", cases, fail_on: &fail_on }, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn findings_are_rows_and_failures_come_first() {
        let fine = Case::new("walk", Severity::Fine, "distance", "");
        assert_eq!(text(std::slice::from_ref(&fine)), "### compare new.glb: passes (1 checked)\n");
        let cases = [
            fine,
            Case::new("hat", Severity::Warning, "new-primitive", "only in the new file"),
            Case::new("run", Severity::Error, "distance", "5 mm").shown_by("sinew 'Rig|run'"),
        ];
        assert_eq!(
            text(&cases),
            "### compare new.glb: 1 of 3 fails\n\n| | case | finding |\n|---|---|---|\n\
             | ❌ | run | distance: 5 mm<br><code>sinew &#39;Rig&#124;run&#39;</code> |\n\
             | ⚠️ | hat | new-primitive: only in the new file |\n"
        );
    }

    #[test]
    fn names_of_files_are_no_markup() {
        let name = "<b>|`@team` [x](http://y)\n# *Z_~$";
        let text = text(&[Case::new(name, Severity::Error, "leak", "")]);
        let row = text.lines().nth(4).unwrap();
        let cell = row.split(" | ").nth(1).unwrap();
        assert!(!cell.contains(['<', '|', '`', '@', '[', '*', '_', '~', '$']), "{cell}");
        assert_eq!(text.lines().count(), 5, "{text}");
    }

    #[test]
    fn many_findings_are_counted() {
        let cases: Vec<Case> =
            (0..103).map(|at| Case::new(at.to_string(), Severity::Error, "leak", "")).collect();
        assert!(text(&cases).ends_with("| 99 | leak |\n\n3 more are not listed.\n"));
    }
}
