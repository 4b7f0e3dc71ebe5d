//! The list of warnings a load leaves behind, and how text from a file is put into a message.
//! It must not know what any warning is about.

use std::borrow::Cow;

use crate::model::Warning;

/// How many warnings are kept: a file with a fault in each of a million nodes has said enough
/// long before.
const MAX_WARNINGS: usize = 1000;

/// Warnings in the order they came up.
#[derive(Debug, Default)]
pub struct Warnings {
    kept: Vec<Warning>,
    /// How many were not kept, and where the first of them belongs.
    cut: usize,
    cut_from: String,
}

impl Warnings {
    /// Notes that something at `path` was repaired or left out; `code` names the broken rule.
    pub fn add(&mut self, code: &'static str, path: &str, message: impl AsRef<str>) {
        if self.kept.len() < MAX_WARNINGS {
            self.kept.push(Warning { code, path: path.to_owned(), message: one_line(message.as_ref()) });
            return;
        }
        if self.cut == 0 {
            path.clone_into(&mut self.cut_from);
        }
        self.cut = self.cut.saturating_add(1);
    }

    /// The list, once the load is over.
    pub fn into_vec(mut self) -> Vec<Warning> {
        if self.cut > 0 {
            let message = format!("{} more warnings from here on", self.cut);
            self.kept.push(Warning { code: "TOO_MANY_WARNINGS", path: self.cut_from, message });
        }
        self.kept
    }
}

/// The longest piece of a file's own text that goes into a message.
const MAX_QUOTED_CHARS: usize = 120;

/// Text with every control character spelled out, so that a message stays one line and a file
/// cannot send escape codes to a terminal.
pub fn one_line(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_control() || matches!(c, '\u{2028}' | '\u{2029}') {
            out.extend(c.escape_default());
        } else {
            out.push(c);
        }
    }
    out
}

/// Text from a file as a message may hold it: one line, in quotes, shortened where it is long
/// (a `data:` URI can be megabytes).
pub fn quoted(text: &str) -> String {
    let mut chars = text.chars();
    let head: String = chars.by_ref().take(MAX_QUOTED_CHARS).collect();
    let dots = if chars.next().is_some() { "…" } else { "" };
    format!("'{}{dots}'", one_line(&head))
}

/// The most characters of an error's path or message that are kept from its start and from its end.
const KEPT_CHARS: usize = 300;

/// A parser's message may hold megabytes of the file, which one line must not: what is too long
/// loses its middle.
pub fn shortened(text: &str) -> Cow<'_, str> {
    let start = text.char_indices().nth(KEPT_CHARS);
    let end = text.char_indices().nth_back(KEPT_CHARS);
    match (start, end) {
        (Some((start, _)), Some((end, _))) if start < end => {
            let (head, tail) = (text.get(..start).unwrap_or_default(), text.get(end..).unwrap_or_default());
            Cow::Owned(format!("{head}…{tail}"))
        }
        _ => Cow::Borrowed(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_spelled_out() {
        assert_eq!(one_line("a\nb\u{1b}[31m\u{2028}é"), "a\\nb\\u{1b}[31m\\u{2028}é");
    }

    #[test]
    fn a_flood_of_warnings_ends_with_their_number() {
        let mut warnings = Warnings::default();
        for node in 0..MAX_WARNINGS + 3 {
            warnings.add("ODD", &format!("nodes[{node}]"), "is odd");
        }
        let warnings = warnings.into_vec();
        assert_eq!(warnings.len(), MAX_WARNINGS + 1);
        assert_eq!(warnings[MAX_WARNINGS].path, "nodes[1000]");
        assert_eq!(warnings[MAX_WARNINGS].message, "3 more warnings from here on");
    }

    #[test]
    fn long_text_is_shortened() {
        let long = "x".repeat(1000);
        assert!(quoted(&long).chars().count() < 130);
        assert_eq!(quoted("a\rb"), "'a\\rb'");
        let long = format!("{}{}{}", "ä".repeat(300), "x".repeat(600), "é".repeat(301));
        assert_eq!(shortened(&long), format!("{}…{}", "ä".repeat(300), "é".repeat(301)));
        for length in [0, 1, 300, 301, 600] {
            assert_eq!(shortened(&"é".repeat(length)), "é".repeat(length));
        }
    }
}
