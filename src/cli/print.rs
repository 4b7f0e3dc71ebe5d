//! Standard output, where a reader who stops reading is no failure and everything else that goes wrong is.
//! It must not know what is printed.

use std::io::{self, BufWriter, ErrorKind, Write};

pub use sinew::model::gltf::one_line as plain;

use super::failure::Failure;

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

/// One line to standard error, also where a file's name has several; nobody need be there to read it.
pub fn say(line: &str) {
    let _ = writeln!(std::io::stderr(), "{}", plain(line));
}
