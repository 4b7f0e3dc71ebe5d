//! Writes files: each next to its place and then renamed, so a killed process leaves either the old file or the new
//! one; `-` is standard output. Only [`Inputs`] hands out outputs. It must not know what is written.

#![allow(clippy::disallowed_methods, reason = "files are written here, for who has an Output")]

mod inputs;

use std::cell::RefCell;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

pub use inputs::{Inputs, Output, Overwrite, Role};

thread_local! {
    /// Takes what goes to standard output, while one command runs within another.
    static TAKEN: RefCell<Option<Vec<u8>>> = const { RefCell::new(None) };
}

/// What `work` returns, and what it would have written to standard output.
pub fn taken<R>(work: impl FnOnce() -> R) -> (R, Vec<u8>) {
    let before = TAKEN.replace(Some(Vec::new()));
    let done = work();
    (done, TAKEN.replace(before).unwrap_or_default())
}

/// Standard output, or who takes what goes there.
pub struct StandardOutput;

impl Write for StandardOutput {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        TAKEN.with_borrow_mut(|taken| match taken {
            Some(taken) => taken.write(bytes),
            None => io::stdout().write(bytes),
        })
    }

    fn flush(&mut self) -> io::Result<()> {
        io::stdout().flush()
    }
}

/// Writes to a file, or to standard output for `-`.
pub fn write<E: From<io::Error>>(
    output: &Output,
    content: impl FnOnce(&mut dyn Write) -> Result<(), E>,
) -> Result<(), E> {
    let path = output.path();
    if path == Path::new("-") {
        return buffered(StandardOutput, content);
    }
    // Write to a pipe or device directly: renaming would put a file in its place.
    if fs::metadata(path).is_ok_and(|metadata| !metadata.is_file() && !metadata.is_dir()) {
        return buffered(File::create(path)?, content);
    }
    replace(path, |_, file| buffered(file, content))
}

/// Writes to a regular file; `content` may seek back and overwrite.
pub fn write_seekable<E: From<io::Error>>(
    output: &Output,
    content: impl FnOnce(&mut BufWriter<&File>) -> Result<(), E>,
) -> Result<(), E> {
    replace(regular(output)?, |_, file| {
        let mut out = BufWriter::new(file);
        content(&mut out)?;
        Ok(out.flush()?)
    })
}

/// Has `content` write to the path that it is given, by another program: an empty file that then takes its place.
pub fn write_elsewhere<E: From<io::Error>>(
    output: &Output,
    content: impl FnOnce(&Path) -> Result<(), E>,
) -> Result<(), E> {
    replace(regular(output)?, |beside, _| content(beside))
}

/// The path of an output that is a regular file, or will be one.
fn regular(output: &Output) -> io::Result<&Path> {
    let path = output.path();
    match fs::metadata(path).is_ok_and(|metadata| !metadata.is_file() && !metadata.is_dir()) {
        true => Err(io::Error::other("not a regular file")),
        false => Ok(path),
    }
}

/// Appends to a file.
pub fn append(output: &Output, text: &str) -> io::Result<()> {
    OpenOptions::new().create(true).append(true).open(output.path())?.write_all(text.as_bytes())
}

/// Removes a file.
pub fn remove(output: &Output) -> io::Result<()> {
    fs::remove_file(output.path())
}

/// Writes a new file next to `path` and renames it into place.
fn replace<E: From<io::Error>>(
    path: &Path,
    content: impl FnOnce(&Path, &File) -> Result<(), E>,
) -> Result<(), E> {
    // A link stays a link: its target is replaced and keeps its permissions.
    let place = fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
    let (beside, file) = create_beside(&place)?;
    let written = content(&beside, &file).and_then(|()| {
        if let Ok(old) = fs::metadata(&place) {
            file.set_permissions(old.permissions())?;
        }
        Ok(fs::rename(&beside, &place)?)
    });
    if written.is_err() {
        // Remove what a failed attempt left.
        let _ = fs::remove_file(&beside);
    }
    written
}

fn buffered<E: From<io::Error>>(
    out: impl Write,
    content: impl FnOnce(&mut dyn Write) -> Result<(), E>,
) -> Result<(), E> {
    let mut out = BufWriter::new(out);
    content(&mut out)?;
    Ok(out.flush()?)
}

/// Creates a file in the same folder. Its name is short, because `path` may have the longest name possible.
fn create_beside(path: &Path) -> io::Result<(PathBuf, File)> {
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    path.file_name().ok_or(io::ErrorKind::IsADirectory)?;
    loop {
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let beside = path.with_file_name(format!(".sinew-{}-{number}.tmp", std::process::id()));
        match OpenOptions::new().write(true).create_new(true).open(&beside) {
            // A file with this name exists; a killed process may have left it.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            created => return created.map(|file| (beside, file)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn output(path: impl Into<PathBuf>) -> Output {
        Inputs::none().output(path).unwrap()
    }

    #[test]
    fn a_failed_write_leaves_the_old_file_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let text = |text: &'static str| move |out: &mut dyn Write| out.write_all(text.as_bytes());
        write(&output(&path), text("old")).unwrap();
        write(&output(&path), |out: &mut dyn Write| {
            out.write_all(b"half")?;
            Err(io::Error::other("no more"))
        })
        .unwrap_err();
        assert_eq!(fs::read(&path).unwrap(), b"old");
        write(&output(&path), text("new")).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);

        assert!(write(&output(folder.path().join("no/such/folder")), text("x")).is_err());
        assert!(write(&output(folder.path()), text("x")).is_err(), "a folder is in the way");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);

        let long = folder.path().join("n".repeat(250));
        write(&output(&long), text("long")).unwrap();
        assert_eq!(fs::read(&long).unwrap(), b"long");
    }

    #[cfg(unix)]
    #[test]
    fn a_link_stays_a_link_and_rights_stay_as_they_were() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let folder = tempfile::tempdir().unwrap();
        let (real, link) = (folder.path().join("real"), folder.path().join("link"));
        fs::write(&real, "old").unwrap();
        fs::set_permissions(&real, fs::Permissions::from_mode(0o640)).unwrap();
        symlink(&real, &link).unwrap();
        write(&output(&link), |out: &mut dyn Write| out.write_all(b"new")).unwrap();
        assert_eq!(fs::read(&real).unwrap(), b"new");
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::metadata(&real).unwrap().permissions().mode() & 0o777, 0o640);
    }
}
