//! Small files of the program: window layout, recent files, caches. Other files in their place do no harm: reads never
//! wait for a pipe, and have a size limit.

#![allow(clippy::disallowed_methods, reason = "reads and removes only the program's own files")]

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::model::gltf;
use crate::output::{self, Closed};

/// Returns the content of a file; `None` if it cannot be read, is not a regular file or has more than `most` bytes.
pub fn read(file: &Path, most: u64) -> Option<Vec<u8>> {
    let read = gltf::read_file_of(file, most);
    if let Err(error) = &read {
        tracing::debug!("{}: {error}", file.display());
    }
    read.ok()
}

/// Replaces a file's content, and creates its folder.
pub fn write(
    file: &Path,
    inputs: &Closed,
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

/// Removes the oldest of a folder's files that are the program's own, beyond this many and this many bytes, but not
/// `new`. What cannot be removed stays.
pub fn tidy(folder: &Path, is_own: impl Fn(&Path) -> bool, [most, most_bytes]: [u64; 2], new: Option<&Path>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    let paths = entries.filter_map(|entry| Some(entry.ok()?.path())).filter(|path| is_own(path));
    let mut files: Vec<(SystemTime, u64, PathBuf)> = paths
        .filter_map(|path| {
            let found = std::fs::symlink_metadata(&path).ok()?;
            Some((found.modified().unwrap_or(SystemTime::UNIX_EPOCH), found.len(), path))
        })
        .collect();
    files.sort_by(|a, b| b.cmp(a));
    let mut bytes = 0u64;
    for (number, (_, length, path)) in (0..).zip(&files) {
        bytes = bytes.saturating_add(*length);
        if new != Some(path.as_path()) && (number >= most || bytes > most_bytes) {
            let _ = std::fs::remove_file(path);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::Inputs;

    #[test]
    fn what_is_written_is_read_and_nothing_else_hurts() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("new/file.txt");
        assert_eq!(read(&file, 4), None);
        write(&file, &Inputs::none().close(), |out| out.write_all(b"four")).unwrap();
        assert_eq!(read(&file, 4).as_deref(), Some(b"four".as_slice()));
        assert_eq!(read(&file, 3), None, "too long");
        // A folder in its place is left alone.
        assert_eq!(read(folder.path(), 4), None);
        assert!(write(folder.path(), &Inputs::none().close(), |out| out.write_all(b"x")).is_err());
        assert!(file.is_file());
    }

    #[cfg(unix)]
    #[test]
    fn pipes_and_devices_are_not_read() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        assert_eq!(read(&pipe, 4), None);
        assert!(write(&pipe, &Inputs::none().close(), |out| out.write_all(b"x")).is_err());
        assert_eq!(read(Path::new("/dev/zero"), 4), None);
    }
}
