//! Escapes in JSON what a terminal would act on: it is the same text to whoever parses it.

use std::fmt::Write as _;
use std::io::{self, Write};

use sinew_model::gltf::moves_text;

/// Takes JSON, and writes the same without bytes that move a cursor or turn text around. Each piece has to end with a
/// whole character, as those of a serializer do; others pass as they are.
pub struct Json<'a>(pub &'a mut dyn Write);

impl Write for Json<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.write_all(bytes)?;
        Ok(bytes.len())
    }

    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        // In texts those below the space are escaped already; between tokens, line breaks are wanted.
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
        serde_json::to_writer_pretty(Json(&mut bytes), &vec![text]).unwrap();
        let json = String::from_utf8(bytes).unwrap();
        assert_eq!(json, "[\n  \"a\\u009b2J\\u202eb\\u2066骨é\\u2028\\n\\u007f\"\n]");
        assert_eq!(serde_json::from_str::<Vec<String>>(&json).unwrap(), [text]);
    }
}
