//! Writes all JSON of the program, and escapes characters that a terminal would act on. Parsers read the same text.
#![allow(clippy::disallowed_methods, reason = "every JSON text is written here")]

use std::fmt::Write as _;
use std::io::{self, Write};

use serde::Serialize;
use sinew_model::gltf::moves_text;

/// Writes a value as JSON in one line, without a trailing line break.
pub fn write_json<T: Serialize + ?Sized>(out: &mut dyn Write, value: &T) -> io::Result<()> {
    Ok(serde_json::to_writer(Json(out), value)?)
}

/// Writes a value as JSON over several lines, with a trailing line break.
pub fn write_json_pretty<T: Serialize + ?Sized>(out: &mut dyn Write, value: &T) -> io::Result<()> {
    serde_json::to_writer_pretty(Json(out), value)?;
    writeln!(out)
}

/// Returns a value as JSON in one line.
///
/// # Errors
/// If a map has a key that JSON cannot hold.
pub fn json_text<T: Serialize + ?Sized>(value: &T) -> serde_json::Result<String> {
    let mut text = Vec::new();
    serde_json::to_writer(Json(&mut text), value)?;
    Ok(String::from_utf8_lossy(&text).into_owned())
}

/// A writer that escapes characters that move a cursor or change the text direction. Each piece must end with a
/// complete character, as a serializer's pieces do; other pieces pass unchanged.
struct Json<'a>(&'a mut dyn Write);

impl Write for Json<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.write_all(bytes)?;
        Ok(bytes.len())
    }

    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        // Control characters in strings are escaped already; between tokens, line breaks are needed.
        let escaped = |letter: &char| *letter >= ' ' && moves_text(*letter);
        match std::str::from_utf8(bytes) {
            Ok(text) if text.contains(|letter| escaped(&letter)) => {
                let mut out = String::with_capacity(text.len() + 16);
                for letter in text.chars() {
                    match escaped(&letter) {
                        true => write!(out, "\\u{:04x}", u32::from(letter)).map_err(io::Error::other)?,
                        false => out.push(letter),
                    }
                }
                self.0.write_all(out.as_bytes())
            }
            _ => self.0.write_all(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_means_the_same_and_moves_no_cursor() {
        let text = "a\u{9b}2J\u{202e}b\u{2066}骨é\u{2028}\n\u{7f}";
        let mut bytes = Vec::new();
        write_json_pretty(&mut bytes, &vec![text]).unwrap();
        let json = String::from_utf8(bytes).unwrap();
        assert_eq!(json, "[\n  \"a\\u009b2J\\u202eb\\u2066骨é\\u2028\\n\\u007f\"\n]\n");
        assert_eq!(json_text(&text).unwrap(), json.trim_matches(['[', ']', '\n', ' ']));
        assert_eq!(serde_json::from_str::<Vec<String>>(&json).unwrap(), [text]);
    }
}
