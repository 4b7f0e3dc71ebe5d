//! Writes to standard output. A closed pipe is not a failure; every other error is.

use std::borrow::Cow;
use std::io::{self, BufWriter, ErrorKind, Write};

pub use crate::model::gltf::one_line as plain;

use crate::cli::terminal::colors;
use crate::cli::terminal::failure::Failure;
use crate::output::StandardOutput;

/// Prints the text of `content`.
pub fn print(content: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), Failure> {
    let mut out = BufWriter::new(StandardOutput);
    match content(&mut out).and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(Failure::Output { file: "-".to_owned(), cause: error.to_string() })
        }
        _ => Ok(()),
    }
}

/// The maximum number of characters of a line that are kept from its start and from its end: a flag may have megabytes.
const MAX: usize = 3000;

/// Prints one line to standard error, even if a file name in it has line breaks. Ignores write errors.
pub fn say(line: &str) {
    let line = plain(&shortened(line));
    let _ = writeln!(std::io::stderr(), "{}", colors::first_word(&line, colors::on_stderr()));
}

/// A line without its middle, if it is too long to be read.
fn shortened(line: &str) -> Cow<'_, str> {
    let (start, end) = (line.char_indices().nth(MAX), line.char_indices().nth_back(MAX));
    match (start, end) {
        (Some((start, _)), Some((end, _))) if start < end => {
            let (head, tail) = (line.get(..start).unwrap_or_default(), line.get(end..).unwrap_or_default());
            format!("{head} … {tail}").into()
        }
        _ => line.into(),
    }
}

/// Seconds, as short as they can be written.
pub fn seconds(time: f64) -> String {
    let (plain, short) = (format!("{time}"), format!("{time:e}"));
    if plain.len() > short.len() + 12 { short } else { plain }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_numbers_are_short() {
        assert_eq!(shortened("é a line"), "é a line");
        let long = shortened(&"é".repeat(900_000)).chars().count();
        assert_eq!(long, 2 * MAX + 4);
        for (time, text) in [(0.25, "0.25"), (-1e9, "-1000000000"), (1e300, "1e300"), (1e-300, "1e-300")] {
            assert_eq!(seconds(time), text);
        }
    }
}
