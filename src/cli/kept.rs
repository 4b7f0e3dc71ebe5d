//! The small files that the program keeps for its user: how the window was left, recent files, caches. Whatever lies in
//! their place does no harm: nothing waits for a pipe, and nothing is read beyond a limit.

#![allow(clippy::disallowed_methods, reason = "reads the files that the program keeps itself")]

use std::io::Write;
use std::path::Path;

use crate::model::gltf;
use crate::output::{self, Inputs};

/// What a file holds; `None` if it cannot be read, is no regular file or has more than `most` bytes.
pub fn read(file: &Path, most: u64) -> Option<Vec<u8>> {
    let read = gltf::read_file_of(file, most);
    if let Err(error) = &read {
        tracing::debug!("{}: {error}", file.display());
    }
    read.ok()
}

/// Writes in place of what a file holds, and makes its folder.
pub fn write(
    file: &Path,
    inputs: &Inputs,
    write: impl FnOnce(&mut dyn Write) -> std::io::Result<()>,
) -> std::io::Result<()> {
    if let Some(folder) = file.parent() {
        std::fs::create_dir_all(folder)?;
    }
    if std::fs::metadata(file).is_ok_and(|found| !found.is_file()) {
        return Err(std::io::Error::other("not a regular file"));
    }
    let output = inputs.output(file).map_err(std::io::Error::other)?;
    output::write(&output, |out| write(out))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_and_nothing_else_hurts() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("new/file.txt");
        assert_eq!(read(&file, 4), None);
        write(&file, &Inputs::none(), |out| out.write_all(b"four")).unwrap();
        assert_eq!(read(&file, 4).as_deref(), Some(b"four".as_slice()));
        assert_eq!(read(&file, 3), None, "too long");
        // A folder in its place is left alone.
        assert_eq!(read(folder.path(), 4), None);
        assert!(write(folder.path(), &Inputs::none(), |out| out.write_all(b"x")).is_err());
        assert!(file.is_file());
    }

    #[cfg(unix)]
    #[test]
    fn pipes_and_devices_are_not_read() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        assert_eq!(read(&pipe, 4), None);
        assert!(write(&pipe, &Inputs::none(), |out| out.write_all(b"x")).is_err());
        assert_eq!(read(Path::new("/dev/zero"), 4), None);
    }
}
