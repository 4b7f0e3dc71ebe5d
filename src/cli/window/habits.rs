//! Keeps in a file of the user's how the window was left. Errors only mean that it opens as for the first time.

use std::path::PathBuf;

use crate::output::Closed;

use crate::cli::machine::kept;
use crate::cli::machine::vulkan::user_folder;

/// The most bytes that are read.
const MAX_BYTES: u64 = 1 << 14;

fn file() -> Option<PathBuf> {
    user_folder("XDG_STATE_HOME", ".local/state").map(|folder| folder.join("window.txt"))
}

/// The text of the file; empty where there is none that can be read.
pub fn read() -> String {
    let bytes = file().and_then(|file| kept::read(&file, MAX_BYTES)).unwrap_or_default();
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Writes the text in place of what the file holds.
pub fn write(text: &str, inputs: &Closed) {
    let Some(file) = file() else { return };
    if let Err(error) = kept::write(&file, inputs, |out| out.write_all(text.as_bytes())) {
        tracing::debug!("how the window was left was not written: {error}");
    }
}
