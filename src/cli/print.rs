//! Standard output, where a reader who stops reading is no failure and everything else that goes wrong is.
//! It must not know what is printed.

use std::io::{self, BufWriter, ErrorKind, Write};

pub use sinew::model::gltf::one_line as plain;

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
