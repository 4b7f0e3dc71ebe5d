//! Formats text from a file for messages.

use std::borrow::Cow;

/// The longest piece of a file's own text that goes into a message.
const MAX_QUOTED_CHARS: usize = 120;

/// Returns true if a character moves a terminal's cursor or changes the text direction: a control character, the end of
/// a line or paragraph, or a directional mark.
pub fn moves_text(c: char) -> bool {
    let is_direction =
        matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    c.is_control() || is_direction || matches!(c, '\u{2028}' | '\u{2029}')
}

/// Text with every character that [`moves_text`] spelled out, so that a message stays one line, reads in the order
/// in which it is written, and a file cannot send escape codes to a terminal.
pub fn one_line(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if moves_text(c) {
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

/// Formats path and message as one line; the message alone if the path is empty.
pub fn at(path: &str, message: &str) -> String {
    let message = one_line(&shortened(message));
    if path.is_empty() || path == "." {
        message
    } else {
        format!("{}: {message}", one_line(&shortened(path)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_spelled_out() {
        assert_eq!(one_line("a\nb\u{1b}[31m\u{2028}é"), "a\\nb\\u{1b}[31m\\u{2028}é");
        assert_eq!(one_line("\u{9b}2J\u{202e}a\u{2066}עצם"), "\\u{9b}2J\\u{202e}a\\u{2066}עצם");
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
