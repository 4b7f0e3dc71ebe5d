//! Writes to standard output: a reader who stops reading is no failure, every other error is.

use std::io::{self, BufWriter, ErrorKind, Write};

pub use crate::model::gltf::one_line as plain;

use super::failure::Failure;
use crate::output::StandardOutput;

/// Prints what `content` writes.
pub fn print(content: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), Failure> {
    let mut out = BufWriter::new(StandardOutput);
    match content(&mut out).and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(Failure::Output { file: "-".to_owned(), cause: error.to_string() })
        }
        _ => Ok(()),
    }
}

/// Prints one line to standard error, even if a file name in it has line breaks. Ignores write errors.
pub fn say(line: &str) {
    let _ = writeln!(std::io::stderr(), "{}", plain(line));
}
