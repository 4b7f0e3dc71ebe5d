//! Unfinished files. Each lies next to its destination and is removed if its run ends early. A marker file beside them,
//! locked while the run lives, lists them. Another run can thus remove the files of a killed one.

use std::collections::{HashMap, HashSet};
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};

use super::folder::Folder;

/// Prefix of the names used here. Files with other names are left alone.
const START: &str = ".sinew-";
const END: &str = ".tmp";

/// First line of a marker.
const MAGIC: &str = "sinew: unfinished files of one run\n";

/// Maximum number of files to check in a folder.
const MAX_FILES: usize = 100_000;

/// Maximum size of a marker to read.
const MAX_MARK: u64 = 16 << 20;

/// Files that this run is writing, and folders that it has checked for files of other runs.
static UNFINISHED: LazyLock<Mutex<Unfinished>> = LazyLock::new(Mutex::default);

#[derive(Default)]
struct Unfinished {
    files: HashMap<PathBuf, Option<Folder>>,
    /// Markers by folder.
    marks: HashMap<PathBuf, Mark>,
    tidied: HashSet<PathBuf>,
}

/// A marker in a folder with unfinished files.
struct Mark {
    path: PathBuf,
    folder: Option<Folder>,
    file: File,
    /// Number of unfinished files that it lists.
    count: usize,
}

fn unfinished() -> MutexGuard<'static, Unfinished> {
    // After a panic, at worst one file too many is left.
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes unfinished files before the run ends. From then on no file is started or moved to its destination. A thread
/// that tries waits for ever, even while `first` ends other programs.
pub fn remove_unfinished(first: impl FnOnce()) {
    let unfinished = unfinished();
    first();
    remove(unfinished);
}

/// Removes unfinished files like [`remove_unfinished`], unless a thread is starting or finishing a file.
pub fn try_remove_unfinished() {
    if let Ok(unfinished) = UNFINISHED.try_lock() {
        remove(unfinished);
    }
}

fn remove(mut unfinished: MutexGuard<'static, Unfinished>) {
    for (path, folder) in unfinished.files.drain() {
        let _ = remove_one(&path, folder.as_ref());
    }
    for (_, mark) in unfinished.marks.drain() {
        let _ = remove_one(&mark.path, mark.folder.as_ref());
    }
    std::mem::forget(unfinished);
}

/// Returns the last part of a path that this module created.
fn leaf(path: &Path) -> &str {
    path.file_name().and_then(|name| name.to_str()).unwrap_or_default()
}

fn remove_one(path: &Path, folder: Option<&Folder>) -> io::Result<()> {
    match folder {
        Some(folder) => folder.remove(leaf(path)),
        None => fs::remove_file(path),
    }
}

/// Creates a file that must not exist.
fn create_one(path: &Path, folder: Option<&Folder>) -> io::Result<File> {
    match folder {
        Some(folder) => folder.create(leaf(path)),
        None => OpenOptions::new().write(true).create_new(true).open(path),
    }
}

/// Picks a name beside a destination that no other file of this process has. The name is short, because the
/// destination's name may have the maximum length.
fn new_name(place: &Path) -> PathBuf {
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    place.with_file_name(format!("{START}{}-{number}{END}", std::process::id()))
}

impl Mark {
    /// Creates a marker and locks it.
    fn create(place: &Path, folder: Option<&Folder>) -> io::Result<Self> {
        loop {
            let path = new_name(place);
            let mut file = match create_one(&path, folder) {
                // A killed run may have left it.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => continue,
                created => created?,
            };
            let is_taken = matches!(file.try_lock(), Err(TryLockError::WouldBlock));
            // Another run may be about to remove it. Without file locks, no run removes anything.
            if is_taken || path.try_exists().is_ok_and(|exists| !exists) {
                continue;
            }
            let written = file.write_all(MAGIC.as_bytes());
            if let Err(error) = written {
                let _ = remove_one(&path, folder);
                return Err(error);
            }
            return Ok(Self { path, folder: folder.cloned(), file, count: 0 });
        }
    }
}

impl Unfinished {
    /// Creates a file beside a destination and lists it in the marker of its folder.
    fn create(
        &mut self,
        place: &Path,
        beneath: Option<&Folder>,
        is_kept: &dyn Fn(&fs::Metadata) -> bool,
    ) -> io::Result<(PathBuf, File)> {
        let folder = place.parent().unwrap_or(Path::new("")).to_path_buf();
        if !self.marks.contains_key(&folder) {
            let mark = Mark::create(place, beneath)?;
            if self.tidied.insert(folder.clone()) {
                let path = if folder.as_os_str().is_empty() { Path::new(".") } else { &folder };
                tidy(path, beneath, &mark, is_kept);
            }
            self.marks.insert(folder.clone(), mark);
        }
        let created = match self.marks.get_mut(&folder) {
            Some(mark) => mark.begin(place, beneath),
            None => Err(io::ErrorKind::NotFound.into()),
        };
        match &created {
            Ok((path, _)) => drop(self.files.insert(path.clone(), beneath.cloned())),
            Err(_) => self.end_mark(&folder, 0),
        }
        created
    }

    /// Removes a finished or deleted file from the list.
    fn forget(&mut self, path: &Path) -> bool {
        let was_there = self.files.remove(path).is_some();
        if was_there {
            self.end_mark(path.parent().unwrap_or(Path::new("")), 1);
        }
        was_there
    }

    /// Removes a marker that lists no more files.
    fn end_mark(&mut self, folder: &Path, ended: usize) {
        let Some(mark) = self.marks.get_mut(folder) else { return };
        mark.count = mark.count.saturating_sub(ended);
        if mark.count == 0
            && let Some(mark) = self.marks.remove(folder)
        {
            let _ = remove_one(&mark.path, mark.folder.as_ref());
        }
    }
}

impl Mark {
    /// Creates a file that the marker lists.
    fn begin(&mut self, place: &Path, folder: Option<&Folder>) -> io::Result<(PathBuf, File)> {
        loop {
            let path = new_name(place);
            // The line comes first, so that a run that is killed here leaves no unlisted file.
            writeln!(self.file, "{}", leaf(&path))?;
            match create_one(&path, folder) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                created => {
                    let file = created?;
                    self.count = self.count.saturating_add(1);
                    return Ok((path, file));
                }
            }
        }
    }
}

/// A new file next to its destination. It is removed unless it is moved there.
pub struct Beside {
    path: PathBuf,
    folder: Option<Folder>,
    file: Option<File>,
}

impl Beside {
    /// Creates the file, by path or in an open folder. Files of killed runs for which `is_kept` holds are not removed.
    pub fn create(
        place: &Path,
        folder: Option<&Folder>,
        is_kept: &dyn Fn(&fs::Metadata) -> bool,
    ) -> io::Result<Self> {
        place.file_name().ok_or(io::ErrorKind::IsADirectory)?;
        let (path, file) = unfinished().create(place, folder, is_kept)?;
        Ok(Self { path, folder: folder.cloned(), file: Some(file) })
    }

    /// Returns the path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the open file.
    ///
    /// # Errors
    /// If the file is closed.
    pub fn file(&self) -> io::Result<&File> {
        self.file.as_ref().ok_or_else(|| io::Error::other("the file is closed"))
    }

    /// Closes the file, which is complete.
    pub fn close(&mut self) {
        self.file = None;
    }

    /// Moves the file to its destination, unless one exists there ([`io::ErrorKind::AlreadyExists`]).
    pub fn put_where_nothing_is(self, place: &Path) -> io::Result<()> {
        if let Some(folder) = &self.folder {
            return match folder.kind(leaf(place))? {
                Some(_) => Err(io::ErrorKind::AlreadyExists.into()),
                None => self.put(place),
            };
        }
        match fs::hard_link(&self.path, place) {
            // The temporary name is removed like that of an unfinished file.
            Ok(()) => Ok(()),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Err(error),
            // Hard links are unavailable here, so a file that another program writes at this moment may be replaced.
            Err(_) if place.symlink_metadata().is_ok() => Err(io::ErrorKind::AlreadyExists.into()),
            Err(_) => self.put(place),
        }
    }

    /// Moves the file to its destination.
    pub fn put(self, place: &Path) -> io::Result<()> {
        let mut unfinished = unfinished();
        match &self.folder {
            Some(folder) => folder.rename(leaf(&self.path), leaf(place))?,
            None => fs::rename(&self.path, place)?,
        }
        unfinished.forget(&self.path);
        Ok(())
    }
}

impl Drop for Beside {
    fn drop(&mut self) {
        let mut unfinished = unfinished();
        if unfinished.files.contains_key(&self.path) {
            let _ = remove_one(&self.path, self.folder.as_ref());
            unfinished.forget(&self.path);
        }
    }
}

/// Removes the files of killed runs in a folder: the marker, if no run has it locked, and the files that it lists. Each
/// must be a regular file of the current user, and not an input of this run.
fn tidy(path: &Path, folder: Option<&Folder>, own: &Mark, is_kept: &dyn Fn(&fs::Metadata) -> bool) {
    let opened = match folder {
        Some(folder) => Ok(folder.clone()),
        None => Folder::open(path),
    };
    let Ok(folder) = opened else { return };
    let names = fs::read_dir(path).into_iter().flatten().take(MAX_FILES).flatten();
    let names = names.filter_map(|entry| entry.file_name().into_string().ok()).filter(|name| is_ours(name));
    let Ok(owner) = own.file.metadata().map(|found| owner(&found)) else { return };
    for name in names.filter(|name| *name != leaf(&own.path)) {
        // A file that cannot be removed stays.
        let _ = remove_marked(&folder, &name, owner, is_kept);
    }
}

/// Removes the files of a marker.
fn remove_marked(
    folder: &Folder,
    name: &str,
    by: Option<u32>,
    is_kept: &dyn Fn(&fs::Metadata) -> bool,
) -> io::Result<()> {
    let file = folder.open_file(name)?;
    let found = file.metadata()?;
    let may_go = |found: &fs::Metadata| found.is_file() && owner(found) == by && !is_kept(found);
    if !may_go(&found) || file.try_lock().is_err() {
        return Ok(());
    }
    let mut text = String::new();
    (&file).take(MAX_MARK).read_to_string(&mut text)?;
    let Some(listed) = text.strip_prefix(MAGIC) else { return Ok(()) };
    for listed in listed.lines().filter(|listed| is_ours(listed)) {
        let Ok(file) = folder.open_file(listed) else { continue };
        if file.metadata().is_ok_and(|found| may_go(&found)) {
            folder.remove(listed)?;
        }
    }
    folder.remove(name)
}

/// Returns the user id of a file's owner.
#[cfg(unix)]
fn owner(found: &fs::Metadata) -> Option<u32> {
    Some(std::os::unix::fs::MetadataExt::uid(found))
}

#[cfg(not(unix))]
fn owner(_: &fs::Metadata) -> Option<u32> {
    None
}

/// Returns true if a name could come from [`new_name`].
pub(super) fn is_ours(name: &str) -> bool {
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
            [".sinew-1-1.tmp", ".sinew-1-2.tmp", ".sinew-1-7.tmp", ".sinew-2-1.tmp", "sinew-1-0.tmp", "a.png"]
        {
            fs::write(path(name), "half").unwrap();
        }
        fs::write(path(".sinew-1-2.tmp"), "own").unwrap();
        // This marker is of a killed run, with some names that no run could have given.
        let listed = ".sinew-1-1.tmp\n.sinew-1-2.tmp\n.sinew-1-3.tmp\na.png\n../a.png\n.sinew-1-4.tmp\n";
        fs::write(path(".sinew-1-0.tmp"), format!("{MAGIC}{listed}")).unwrap();
        fs::create_dir(path(".sinew-1-4.tmp")).unwrap();
        // This marker's run is alive.
        fs::write(path(".sinew-2-0.tmp"), format!("{MAGIC}.sinew-2-1.tmp\n")).unwrap();
        let alive = File::open(path(".sinew-2-0.tmp")).unwrap();
        alive.lock().unwrap();

        let beside = Beside::create(&path("picture.png"), None, &|found| found.len() == 3).unwrap();
        assert!(beside.path().exists());
        for (name, stays) in [
            (".sinew-1-0.tmp", false),
            (".sinew-1-1.tmp", false),
            // This file is an input of this run.
            (".sinew-1-2.tmp", true),
            // No marker lists this file.
            (".sinew-1-7.tmp", true),
            (".sinew-1-4.tmp", true),
            (".sinew-2-0.tmp", true),
            (".sinew-2-1.tmp", true),
            ("sinew-1-0.tmp", true),
            ("a.png", true),
        ] {
            assert_eq!(path(name).exists(), stays, "{name}");
        }
        let temporary = beside.path().to_path_buf();
        let before = fs::read_dir(folder.path()).unwrap().count();
        drop(beside);
        assert!(!temporary.exists());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), before - 2, "the file and its mark");
    }

    #[cfg(unix)]
    #[test]
    fn links_among_leftovers_are_not_followed() {
        use std::os::unix::fs::symlink;
        let (folder, elsewhere) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let there = elsewhere.path().join(".sinew-1-1.tmp");
        fs::write(&there, "theirs").unwrap();
        let mark = elsewhere.path().join(".sinew-1-0.tmp");
        fs::write(&mark, format!("{MAGIC}.sinew-1-1.tmp\n")).unwrap();
        symlink(&there, folder.path().join(".sinew-1-1.tmp")).unwrap();
        symlink(&mark, folder.path().join(".sinew-1-0.tmp")).unwrap();
        fs::write(folder.path().join(".sinew-1-9.tmp"), format!("{MAGIC}.sinew-1-1.tmp\n")).unwrap();
        drop(Beside::create(&folder.path().join("picture.png"), None, &|_| false).unwrap());
        assert!(there.exists() && mark.exists());
        assert!(folder.path().join(".sinew-1-1.tmp").is_symlink(), "a link is no file of ours");
    }
}
