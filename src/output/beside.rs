//! Files that are half written. Each lies next to its place, locked while its run lives, and is removed if that run ends
//! before it is whole; what a killed run has left goes when another run writes to the folder.

use std::collections::HashSet;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};

/// Files with other names are left alone.
const START: &str = ".sinew-";
const END: &str = ".tmp";

/// Of a folder with more files only these are looked at.
const MOST_FILES: usize = 100_000;

/// The files that this run is writing, and the folders in which it has looked for those of others.
static UNFINISHED: LazyLock<Mutex<Unfinished>> = LazyLock::new(Mutex::default);

#[derive(Default)]
struct Unfinished {
    files: HashSet<PathBuf>,
    tidied: HashSet<PathBuf>,
}

fn unfinished() -> MutexGuard<'static, Unfinished> {
    // Every change is one call, so a panic leaves nothing half done.
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes what is half written, because the run ends. No file is begun or put in its place any more, and who tries waits
/// for ever: also for what `first` ends.
pub fn remove_unfinished(first: impl FnOnce()) {
    let unfinished = unfinished();
    first();
    remove(unfinished);
}

/// As [`remove_unfinished`], unless a thread is beginning or ending a file.
pub fn try_remove_unfinished() {
    if let Ok(unfinished) = UNFINISHED.try_lock() {
        remove(unfinished);
    }
}

fn remove(mut unfinished: MutexGuard<'static, Unfinished>) {
    for path in unfinished.files.drain() {
        let _ = fs::remove_file(path);
    }
    std::mem::forget(unfinished);
}

/// A new file next to a place; removed unless it is put there.
pub struct Beside {
    path: PathBuf,
    file: Option<File>,
}

impl Beside {
    /// Creates it. Its name is short, because that of the place may be the longest possible.
    pub fn create(place: &Path) -> io::Result<Self> {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        place.file_name().ok_or(io::ErrorKind::IsADirectory)?;
        let mut unfinished = unfinished();
        let folder = place.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        if !unfinished.tidied.contains(folder) {
            tidy(folder);
            unfinished.tidied.insert(folder.to_path_buf());
        }
        loop {
            let number = NUMBER.fetch_add(1, Ordering::Relaxed);
            let path = place.with_file_name(format!("{START}{}-{number}{END}", std::process::id()));
            let file = match OpenOptions::new().write(true).create_new(true).open(&path) {
                // A killed run may have left it.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => continue,
                created => created?,
            };
            // Another run may be about to remove it. Where there are no locks, none removes anything.
            let is_gone = || path.try_exists().is_ok_and(|exists| !exists);
            if matches!(file.try_lock(), Err(TryLockError::WouldBlock)) || is_gone() {
                continue;
            }
            unfinished.files.insert(path.clone());
            return Ok(Self { path, file: Some(file) });
        }
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// To write to.
    ///
    /// # Errors
    /// Once it is closed.
    pub fn file(&self) -> io::Result<&File> {
        self.file.as_ref().ok_or_else(|| io::Error::other("the file is closed"))
    }

    /// Closes it, whole as it is. From now on another run may take it for what a killed one has left.
    pub fn close(&mut self) {
        self.file = None;
    }

    /// Puts it in its place unless something is there, which is [`io::ErrorKind::AlreadyExists`].
    pub fn put_where_nothing_is(self, place: &Path) -> io::Result<()> {
        match fs::hard_link(&self.path, place) {
            // The other name goes as that of an unfinished file does.
            Ok(()) => Ok(()),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Err(error),
            // There are no such links here: whoever writes at the same moment may be replaced.
            Err(_) if place.symlink_metadata().is_ok() => Err(io::ErrorKind::AlreadyExists.into()),
            Err(_) => self.put(place),
        }
    }

    /// Puts it in its place.
    pub fn put(self, place: &Path) -> io::Result<()> {
        let mut unfinished = unfinished();
        fs::rename(&self.path, place)?;
        unfinished.files.remove(&self.path);
        Ok(())
    }
}

impl Drop for Beside {
    fn drop(&mut self) {
        if unfinished().files.remove(&self.path) {
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// Removes what runs that were killed have left in a folder: nobody has it locked.
fn tidy(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().take(MOST_FILES).flatten() {
        let is_file = || entry.file_type().is_ok_and(|kind| kind.is_file());
        if entry.file_name().to_str().is_some_and(is_unfinished)
            && is_file()
            && let Ok(file) = OpenOptions::new().write(true).open(entry.path())
            && file.try_lock().is_ok()
        {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Whether a name is one of a half-written file.
pub fn is_unfinished(name: &str) -> bool {
    let numbers = name
        .strip_prefix(START)
        .and_then(|rest| rest.strip_suffix(END))
        .and_then(|rest| rest.split_once('-'));
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    numbers.is_some_and(|(process, number)| is_number(process) && is_number(number))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_killed_run_has_left_is_removed_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        for name in
            [".sinew-1-0.tmp", ".sinew-99-12.tmp", ".sinew-x-1.tmp", ".sinew-1.tmp", "sinew-1-0.tmp", "a.png"]
        {
            fs::write(path(name), "half").unwrap();
        }
        // Of a run that is alive.
        fs::write(path(".sinew-2-0.tmp"), "half").unwrap();
        let alive = File::open(path(".sinew-2-0.tmp")).unwrap();
        alive.lock().unwrap();
        fs::create_dir(path(".sinew-3-0.tmp")).unwrap();

        let beside = Beside::create(&path("picture.png")).unwrap();
        assert!(beside.path().exists());
        for (name, stays) in [
            (".sinew-1-0.tmp", false),
            (".sinew-99-12.tmp", false),
            (".sinew-2-0.tmp", true),
            (".sinew-3-0.tmp", true),
            (".sinew-x-1.tmp", true),
            (".sinew-1.tmp", true),
            ("sinew-1-0.tmp", true),
            ("a.png", true),
        ] {
            assert_eq!(path(name).exists(), stays, "{name}");
        }
        // Not even by a look for what others have left.
        tidy(folder.path());
        assert!(beside.path().exists());
        let temporary = beside.path().to_path_buf();
        drop(beside);
        assert!(!temporary.exists());
    }
}
