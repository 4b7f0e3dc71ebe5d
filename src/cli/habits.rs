//! Keeps in a file of the user's how the window was left. Errors only mean that it opens as for the first time.

#![allow(clippy::disallowed_methods, reason = "reads the file that the program keeps itself")]

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use crate::output::Inputs;

use super::vulkan::user_folder;

/// The most bytes that are read.
const MOST_BYTES: u64 = 1 << 14;

/// The file.
pub fn file() -> Option<PathBuf> {
    user_folder("XDG_STATE_HOME", ".local/state").map(|folder| folder.join("window.txt"))
}

/// The text of the file; empty where there is none that can be read.
pub fn read(file: Option<&Path>) -> String {
    // Asked before opening: opening a pipe that nobody writes to would wait for ever.
    let is_file = |path: &&Path| std::fs::metadata(path).is_ok_and(|found| found.is_file());
    let mut bytes = Vec::new();
    let file = file.filter(is_file).and_then(|path| File::open(path).ok());
    let read = file.map(|file| file.take(MOST_BYTES).read_to_end(&mut bytes));
    if let Some(Err(error)) = read {
        tracing::debug!("how the window was left could not be read: {error}");
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Writes the text in place of what the file holds.
pub fn write(file: Option<&Path>, text: &str, inputs: &Inputs) {
    let Some(file) = file else { return };
    let write = || -> std::io::Result<()> {
        if let Some(folder) = file.parent() {
            std::fs::create_dir_all(folder)?;
        }
        let output = inputs.output(file).map_err(std::io::Error::other)?;
        crate::output::write(&output, |out| out.write_all(text.as_bytes()))
    };
    if let Err(error) = write() {
        tracing::debug!("how the window was left was not written: {error}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_and_nothing_else_hurts() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("new/window.txt");
        assert_eq!(read(Some(&file)), "");
        write(Some(&file), "panel-width 400\n", &Inputs::none());
        assert_eq!(read(Some(&file)), "panel-width 400\n");
        std::fs::write(&file, vec![b'x'; 1 << 20]).unwrap();
        assert_eq!(read(Some(&file)).len() as u64, MOST_BYTES);
        std::fs::write(&file, [0xff, b'a']).unwrap();
        assert!(read(Some(&file)).ends_with('a'));
        assert_eq!((read(Some(folder.path())), read(None)), (String::new(), String::new()));
        // A folder in its place is left alone.
        write(Some(folder.path()), "x", &Inputs::none());
        assert!(folder.path().is_dir());
    }

    #[cfg(unix)]
    #[test]
    fn a_pipe_is_not_waited_for() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("window.txt");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        assert_eq!(read(Some(&pipe)), "");
    }
}
