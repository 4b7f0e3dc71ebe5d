//! Writes files of a folder that a command fills.

use std::io::{self, Write};

use crate::cli::terminal::failure::Failure;
use crate::output::{self, Closed, Folder};

/// Writes a file of the folder.
///
/// # Errors
/// If it cannot be written, or is an input.
pub fn write_beneath(
    folder: &Folder,
    name: &str,
    inputs: &Closed,
    content: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), Failure> {
    let out = inputs.beneath(folder, name)?;
    output::write(&out, content).map_err(|error| Failure::output(out.path(), error))
}
