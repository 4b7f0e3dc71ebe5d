//! Writes files. Each is written next to its destination and then renamed, so a run that ends early leaves either the
//! old file or the new one. `-` is standard output. Only [`Inputs`] creates outputs. The module must not depend on what
//! is written.

#![allow(clippy::disallowed_methods, reason = "writes files for callers with an Output")]

mod beside;
mod folder;
mod inputs;

use std::cell::RefCell;
use std::collections::HashSet;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use crate::threads;
use beside::Beside;
pub use beside::{remove_unfinished, try_remove_unfinished};
pub use folder::{Folder, Kind, Locked};
use inputs::Links;
pub use inputs::{Closed, Inputs, Late, Output, Overwrite, Role, Session};

thread_local! {
    /// Captured standard output, while one command runs within another.
    static TAKEN: RefCell<Option<Vec<u8>>> = const { RefCell::new(None) };
    /// Finished files that wait for others.
    static WHOLE: RefCell<Option<Vec<Whole>>> = const { RefCell::new(None) };
}

/// Maximum number of waiting files to keep open and locked: a process may open a thousand or so.
const MAX_OPEN: usize = 100;

/// A finished file that is not yet at its destination.
struct Whole {
    beside: Beside,
    place: PathBuf,
    is_new: bool,
}

impl Whole {
    fn put(self) -> io::Result<()> {
        match self.is_new {
            true => self.beside.put_where_nothing_is(&self.place),
            false => self.beside.put(&self.place),
        }
    }
}

/// Runs `work`, and moves the files that it writes on this thread to their destinations once all of them are finished.
/// If `work` fails, none is moved.
pub fn together<R, E>(
    work: impl FnOnce() -> Result<R, E>,
    failed: impl Fn(&Path, io::Error) -> E,
) -> Result<R, E> {
    let outer = WHOLE.replace(Some(Vec::new()));
    let done = work();
    let whole = WHOLE.replace(outer).unwrap_or_default();
    let done = done?;
    // Check every destination first, so that a failure moves none of them.
    let mut places = HashSet::new();
    for file in &whole {
        if file.place.is_dir() {
            return Err(failed(&file.place, io::ErrorKind::IsADirectory.into()));
        }
        if !places.insert(&file.place) {
            return Err(failed(&file.place, io::Error::other("another output is the same file")));
        }
    }
    for file in whole {
        let place = file.place.clone();
        file.put().map_err(|error| failed(&place, error))?;
    }
    Ok(done)
}

/// Returns the result of `work`, and the captured standard output.
pub fn taken<R>(work: impl FnOnce() -> R) -> (R, Vec<u8>) {
    let before = TAKEN.replace(Some(Vec::new()));
    let done = work();
    (done, TAKEN.replace(before).unwrap_or_default())
}

/// Standard output, or its capture.
pub struct StandardOutput;

impl Write for StandardOutput {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        TAKEN.with_borrow_mut(|taken| match taken {
            Some(taken) => taken.write(bytes),
            None if crate::was_started_without_output() => Err(io::Error::other("standard output is closed")),
            None => io::stdout().write(bytes),
        })
    }

    fn flush(&mut self) -> io::Result<()> {
        io::stdout().flush()
    }
}

/// The error for two outputs that are the same file. Only the later one would remain.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{} and {} are one file", .0.display(), .1.display())]
pub struct OneFile(PathBuf, PathBuf);

/// Returns true if a file is in a folder, under any name.
pub fn is_in(file: &Path, folder: &Path) -> bool {
    file != Path::new("-") && inputs::place(&target(file)).starts_with(inputs::place(folder))
}

/// Checks that two outputs are different files, under any name. Hard links are different: each output is a new file.
///
/// # Errors
/// If they are the same file.
pub fn are_apart(first: &Path, second: &Path) -> Result<(), OneFile> {
    let is_file = |path: &Path| {
        path != Path::new("-") && fs::metadata(path).map_or(true, |metadata| metadata.is_file())
    };
    let is_one =
        is_file(first) && is_file(second) && inputs::place(&target(first)) == inputs::place(&target(second));
    if is_one { Err(OneFile(first.to_path_buf(), second.to_path_buf())) } else { Ok(()) }
}

/// Returns true if a path is another name for standard output, except `/dev/null`.
pub fn is_standard_output(path: &Path) -> bool {
    let is_null = path == Path::new("/dev/null");
    let [standard, other] = [Path::new("/dev/stdout"), path].map(|path| fs::metadata(path).ok());
    let number = |metadata: Option<fs::Metadata>| metadata.as_ref().and_then(inputs::number);
    !is_null && number(standard).is_some_and(|standard| number(other) == Some(standard))
}

/// Writes to a file, or to standard output for `-`.
pub fn write<E: From<io::Error>>(
    output: &Output,
    content: impl FnOnce(&mut dyn Write) -> Result<(), E>,
) -> Result<(), E> {
    let path = output.path();
    if matches!(output.links(), Links::Beneath(..)) {
        return replace(output, |_, file| buffered(file, content));
    }
    if path == Path::new("-") {
        return buffered(StandardOutput, content);
    }
    // Write to a pipe or device directly: renaming would replace it with a file.
    if fs::metadata(path).is_ok_and(|metadata| !metadata.is_file() && !metadata.is_dir()) {
        return buffered(
            threads::open_soon(path, |path| File::create(path), "no process is reading from this pipe")?,
            content,
        );
    }
    replace(output, |_, file| buffered(file, content))
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

/// Writes through another program: `content` gets the path of an empty file, which is then moved to the destination.
pub fn write_elsewhere<E: From<io::Error>>(
    output: &Output,
    content: impl FnOnce(&Path) -> Result<(), E>,
) -> Result<(), E> {
    replace(regular(output)?, |beside, _| content(beside))
}

/// Checks that an output is a regular file, or will be one.
fn regular(output: &Output) -> io::Result<&Output> {
    match fs::metadata(output.path()).is_ok_and(|metadata| !metadata.is_file() && !metadata.is_dir()) {
        true => Err(io::Error::other("not a regular file")),
        false => Ok(output),
    }
}

/// Removes a regular file in a [`Folder`]. A missing file, a link and files beyond a link are left alone.
pub fn remove(output: &Output) -> io::Result<()> {
    match output.links() {
        Links::Beneath(folder, name) => folder.remove(name),
        Links::Follow | Links::Refuse => Err(io::Error::other("not a name in an open folder")),
    }
}

/// Returns true if a name in a folder is that of an unfinished file.
pub fn is_unfinished(name: &str) -> bool {
    beside::is_ours(name)
}

/// Finished files that wait to be moved to their destinations.
#[derive(Default)]
pub struct Held(Vec<Whole>);

impl Held {
    /// Runs `work` and keeps its files, written on this thread, with the waiting ones.
    pub fn hold<R>(&mut self, work: impl FnOnce() -> R) -> R {
        let outer = WHOLE.replace(Some(std::mem::take(&mut self.0)));
        let done = work();
        self.0 = WHOLE.replace(outer).unwrap_or_default();
        done
    }

    /// Moves all files to their destinations.
    ///
    /// # Errors
    /// If a file cannot be moved; the first such file.
    pub fn put(self) -> Result<(), (PathBuf, io::Error)> {
        self.0.into_iter().try_for_each(|file| {
            let place = file.place.clone();
            file.put().map_err(|error| (place, error))
        })
    }
}

/// Writes a new file next to its destination and renames it.
fn replace<E: From<io::Error>>(
    output: &Output,
    content: impl FnOnce(&Path, &File) -> Result<(), E>,
) -> Result<(), E> {
    let (place, folder) = place_of(output)?;
    let beside = Beside::create(&place, folder.as_ref(), &|file| output.is_input(file))?;
    content(beside.path(), beside.file()?)?;
    if let Some(old) = fs::symlink_metadata(&place).ok().filter(|old| old.is_file() && !output.is_new()) {
        beside.file()?.set_permissions(old.permissions())?;
        // Some file systems report a full disk only now, and the old file must not be lost for that.
        beside.file()?.sync_all().or_else(|error| match error.kind() {
            io::ErrorKind::InvalidInput | io::ErrorKind::Unsupported => Ok(()),
            _ => Err(error),
        })?;
    }
    let mut whole = Whole { beside, place, is_new: output.is_new() };
    Ok(WHOLE.with_borrow_mut(|waiting| match waiting {
        Some(files) => {
            if files.len() >= MAX_OPEN {
                whole.beside.close();
            }
            files.push(whole);
            Ok(())
        }
        None => whole.put(),
    })?)
}

/// Returns an output's destination, with the open folder if links on the way are not followed. A read-only file cannot
/// be replaced.
fn place_of(output: &Output) -> io::Result<(PathBuf, Option<Folder>)> {
    let place = match output.links() {
        Links::Beneath(folder, name) => {
            let (parent, leaf) = folder.parent(name)?;
            let place = parent.join(leaf);
            if parent.check_replaceable(leaf)? && output.is_new() {
                return Err(io::ErrorKind::AlreadyExists.into());
            }
            return Ok((place, Some(parent)));
        }
        Links::Refuse if output.path().is_symlink() => {
            return Err(io::Error::other(
                "a link, and sinew replaces only files under numbered names; remove it first",
            ));
        }
        Links::Refuse => output.path().to_path_buf(),
        Links::Follow => target(output.path()),
    };
    if place.is_file() {
        OpenOptions::new().write(true).open(&place)?;
    }
    Ok((place, None))
}

/// Resolves a path to its final target, so that a link stays a link. The target need not exist.
fn target(path: &Path) -> PathBuf {
    // Linux follows as many.
    const MAX_LINKS: usize = 40;
    if let Ok(place) = fs::canonicalize(path) {
        return place;
    }
    let mut place = path.to_path_buf();
    for _ in 0..MAX_LINKS {
        let Ok(next) = fs::read_link(&place) else { break };
        place = place.parent().map_or(next.clone(), |folder| folder.join(&next));
    }
    place
}

fn buffered<E: From<io::Error>>(
    out: impl Write,
    content: impl FnOnce(&mut dyn Write) -> Result<(), E>,
) -> Result<(), E> {
    let mut out = BufWriter::new(out);
    content(&mut out)?;
    Ok(out.flush()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn output(path: impl Into<PathBuf>) -> Output {
        Inputs::none().close().output(path).unwrap()
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
        write_seekable(&output(&path), |out| {
            out.write_all(b"half")?;
            Err(io::Error::other("no more"))
        })
        .unwrap_err();
        write_elsewhere(&output(&path), |beside| {
            fs::write(beside, b"half")?;
            Err(io::Error::other("no more"))
        })
        .unwrap_err();
        assert_eq!(fs::read(&path).unwrap(), b"old");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        write(&output(&path), text("new")).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);

        assert!(write(&output(folder.path().join("no/such/folder")), text("x")).is_err());
        assert!(write(&output(folder.path()), text("x")).is_err(), "a folder is in the way");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);

        let new = Inputs::none().close().new_output(&path).unwrap();
        let refused = write(&new, text("newer")).unwrap_err();
        assert_eq!(refused.kind(), io::ErrorKind::AlreadyExists);
        assert_eq!(fs::read(&path).unwrap(), b"new");
        let free = folder.path().join("free");
        write(&Inputs::none().close().new_output(&free).unwrap(), text("first")).unwrap();
        assert_eq!(fs::read(&free).unwrap(), b"first");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
        fs::remove_file(&free).unwrap();

        let long = folder.path().join("n".repeat(250));
        write(&output(&long), text("long")).unwrap();
        assert_eq!(fs::read(&long).unwrap(), b"long");
    }

    #[test]
    fn files_that_belong_together_are_all_written_or_none() {
        let folder = tempfile::tempdir().unwrap();
        let [first, second] = ["first", "second"].map(|name| folder.path().join(name));
        fs::write(&first, "old").unwrap();
        let both = |last: io::Result<()>| {
            together(
                || {
                    write(&output(&first), |out: &mut dyn Write| out.write_all(b"new"))?;
                    assert_eq!(fs::read(&first).unwrap(), b"old", "it waits");
                    write(&output(&second), |out: &mut dyn Write| out.write_all(b"new").and(last))
                },
                |_, error| error,
            )
        };
        both(Err(io::Error::other("no more"))).unwrap_err();
        assert_eq!(fs::read(&first).unwrap(), b"old");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        both(Ok(())).unwrap();
        assert_eq!([&first, &second].map(|path| fs::read(path).unwrap()), [b"new", b"new"]);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
        // The number of files does not matter.
        let many = || (0..5 * MAX_OPEN).map(|number| folder.path().join(format!("{number}")));
        let all = || {
            many().try_for_each(|path| write(&output(path), |out: &mut dyn Write| out.write_all(b"one")))?;
            // The count includes files of other tests.
            #[cfg(target_os = "linux")]
            assert!(fs::read_dir("/proc/self/fd")?.count() < 4 * MAX_OPEN);
            Ok::<(), io::Error>(())
        };
        together(all, |_, error| error).unwrap();
        assert!(many().all(|path| fs::read(path).unwrap() == b"one"));
        many().for_each(|path| fs::remove_file(path).unwrap());
        // Later files are written individually again.
        write(&output(&first), |out: &mut dyn Write| out.write_all(b"newer")).unwrap();
        assert_eq!(fs::read(&first).unwrap(), b"newer");
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

        // This link leads through another link to a file that does not exist yet.
        let (inner, dangling, later) =
            (folder.path().join("inner"), folder.path().join("dangling"), folder.path().join("sub/later"));
        fs::create_dir(folder.path().join("sub")).unwrap();
        symlink("sub/later", &inner).unwrap();
        symlink(&inner, &dangling).unwrap();
        write(&output(&dangling), |out: &mut dyn Write| out.write_all(b"later")).unwrap();
        assert_eq!(fs::read(&later).unwrap(), b"later");
        assert!([&inner, &dangling].iter().all(|link| fs::symlink_metadata(link).unwrap().is_symlink()));
        let circle = folder.path().join("circle");
        symlink("circle", &circle).unwrap();
        write(&output(&circle), |out: &mut dyn Write| out.write_all(b"x")).unwrap();
        assert_eq!(fs::metadata(&real).unwrap().permissions().mode() & 0o777, 0o640);
    }
}
