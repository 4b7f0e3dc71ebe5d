//! Standard output, where a reader who stops reading is no failure and everything else that goes wrong is.
//! It must not know what is printed.

use std::io::{self, BufWriter, ErrorKind, Write};

use super::Failure;

/// Prints what `content` writes.
pub fn print(content: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), Failure> {
    let mut out = BufWriter::new(io::stdout().lock());
    match content(&mut out).and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(Failure::Output { file: "-".to_owned(), cause: error.to_string() })
        }
        _ => Ok(()),
    }
}

/// Text as a terminal may have it: a name in a file can hold line breaks and escape codes.
pub fn plain(text: &str) -> String {
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
