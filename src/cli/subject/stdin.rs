//! The model on standard input, for the name `-`. The first request reads it, once.

use std::ffi::OsStr;
use std::io::IsTerminal;
use std::sync::OnceLock;

use crate::cli::terminal::failure::Failure;
use crate::model::gltf;

/// The name that stands for it.
pub const STDIN: &str = "-";

/// The name of standard input as a file, which may be one that another name leads to as well.
pub const FILE: &str = "/dev/stdin";

/// The bytes that were read, or the reason why none were.
static BYTES: OnceLock<Result<Vec<u8>, String>> = OnceLock::new();

/// The use of standard input that excludes models.
static CLOSED: OnceLock<&str> = OnceLock::new();

/// Returns true if a name stands for standard input.
pub fn is_stdin(given: &OsStr) -> bool {
    given == STDIN
}

/// Forbids models on standard input; the error states its other use.
pub fn close(instead: &'static str) {
    // A second reason would change nothing.
    let _ = CLOSED.set(instead);
}

/// The bytes of the model, up to the size that a file may have.
///
/// # Errors
/// If it is not open for a model, breaks off, or is too long.
pub fn bytes() -> Result<&'static [u8], Failure> {
    if let Some(instead) = CLOSED.get() {
        return Err(Failure::Usage(format!("-: {instead}; name a file")));
    }
    let input = std::io::stdin();
    if input.is_terminal() {
        let cause = "-: standard input is a terminal; pipe a model into it, as in 'cat fox.glb | sinew -'";
        return Err(Failure::Usage(cause.to_owned()));
    }
    let read = BYTES.get_or_init(|| {
        let bytes = gltf::read_stream(input.lock()).map_err(|error| error.to_string())?;
        if bytes.is_empty() {
            return Err("standard input is empty".to_owned());
        }
        Ok(bytes)
    });
    read.as_deref().map_err(|cause| Failure::Input { file: STDIN.to_owned(), cause: cause.clone() })
}
