//! Untrusted folders. Every part of a name in such a folder is opened without following links, so nothing outside it is
//! read, replaced or removed. Only regular files are replaced or removed.

#[cfg(not(unix))]
#[path = "by_path.rs"]
mod handle;
#[cfg(unix)]
mod handle;
mod kind;

use std::ffi::OsString;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use handle::Handle;
pub use kind::Kind;

/// Maximum number of times to create a folder that another run keeps removing.
const MAX_TRIES: usize = 1000;

/// An open folder with untrusted content. The parts of names in it are separated by `/`.
#[derive(Clone, Debug)]
pub struct Folder {
    path: PathBuf,
    handle: Arc<Handle>,
}

/// A lock on a folder, which other runs wait for.
#[derive(Debug)]
pub struct Locked(Folder);

impl Drop for Locked {
    fn drop(&mut self) {
        self.0.handle.unlock();
    }
}

impl Folder {
    /// Opens the folder that a user names.
    ///
    /// # Errors
    /// If it does not exist.
    pub fn open(path: &Path) -> io::Result<Self> {
        Ok(Self { path: path.to_path_buf(), handle: Arc::new(Handle::open(or_here(path))?) })
    }

    /// Opens the folder that a user names, and creates it if necessary.
    ///
    /// # Errors
    /// If it cannot be created.
    pub fn make(path: &Path) -> io::Result<Self> {
        fs::create_dir_all(or_here(path))?;
        Self::open(path)
    }

    /// Opens a folder once no other run has it locked, and creates it on request; `None` if it does not exist. Unless
    /// the user named the path, its last part must not be a link.
    ///
    /// # Errors
    /// If it cannot be opened or created.
    pub fn locked(path: &Path, is_named: bool, is_made: bool) -> io::Result<Option<(Self, Locked)>> {
        // Another run may remove the folder before it is locked, but not every time.
        for _ in 0..MAX_TRIES {
            let folder = match Self::open_or_make(path, is_named, is_made) {
                Err(error) if error.kind() == io::ErrorKind::NotFound && !is_made => return Ok(None),
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                opened => opened?,
            };
            folder.handle.lock(path);
            let locked = Locked(folder.clone());
            if folder.handle.is_at(or_here(path)) {
                return Ok(Some((folder, locked)));
            }
        }
        Err(io::ErrorKind::NotFound.into())
    }

    fn open_or_make(path: &Path, is_named: bool, is_made: bool) -> io::Result<Self> {
        let within = path.parent().zip(path.file_name().and_then(|name| name.to_str()));
        match within.filter(|_| !is_named) {
            None if is_made => Self::make(path),
            None => Self::open(path),
            Some((parent, name)) if is_made => Self::make(parent)?.make_inside(name),
            Some((parent, name)) => Self::open(parent)?.inside(name),
        }
    }

    /// Returns the path as given.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the path of a name in the folder, for messages and for the check of inputs.
    pub fn join(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// Opens a folder inside this one.
    ///
    /// # Errors
    /// If it does not exist, or is a link.
    pub fn inside(&self, name: &str) -> io::Result<Self> {
        match self.handle.kind(part(name)?)? {
            Some(Kind::Link) => Err(is_a(Kind::Link)),
            _ => Ok(Self { path: self.path.join(name), handle: Arc::new(self.handle.inside(name)?) }),
        }
    }

    /// Opens a folder inside this one, and creates it if necessary.
    ///
    /// # Errors
    /// If it cannot be created, or another kind of entry has its name.
    pub fn make_inside(&self, name: &str) -> io::Result<Self> {
        match self.handle.make(part(name)?) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(error),
            _ => self.inside(name),
        }
    }

    /// Returns the parent folder of a name, and the last part of the name.
    pub(super) fn parent<'a>(&self, name: &'a str) -> io::Result<(Self, &'a str)> {
        let mut folder = self.clone();
        let mut rest = name;
        while let Some((first, more)) = rest.split_once('/') {
            folder = folder.inside(first)?;
            rest = more;
        }
        Ok((folder, part(rest)?))
    }

    /// Returns the kind of an entry, if it exists.
    ///
    /// # Errors
    /// If the system refuses.
    pub fn kind(&self, name: &str) -> io::Result<Option<Kind>> {
        match self.parent(name) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
            Ok((folder, leaf)) => folder.handle.kind(leaf),
        }
    }

    /// Reads a regular file of at most this size; `None` if there is none.
    pub fn read(&self, name: &str, most: u64) -> Option<Vec<u8>> {
        let (folder, leaf) = self.parent(name).ok()?;
        let file = folder.handle.read(leaf).ok()?;
        if !file.metadata().ok()?.is_file() {
            return None;
        }
        let mut bytes = Vec::new();
        file.take(most.saturating_add(1)).read_to_end(&mut bytes).ok()?;
        (bytes.len() as u64 <= most).then_some(bytes)
    }

    /// Opens a regular file to append to it, and creates it if necessary.
    ///
    /// # Errors
    /// If something else has the name.
    pub fn append(&self, name: &str) -> io::Result<fs::File> {
        let (folder, leaf) = self.parent(name)?;
        let file = folder.handle.append(leaf)?;
        match file.metadata()?.is_file() {
            true => Ok(file),
            false => Err(is_a(Kind::Other)),
        }
    }

    /// Checks that a name is free or belongs to a writable regular file. Returns true if the file exists.
    ///
    /// # Errors
    /// If something else has the name.
    pub(super) fn check_replaceable(&self, leaf: &str) -> io::Result<bool> {
        match self.handle.kind(leaf)? {
            None => Ok(false),
            Some(Kind::File) => self.handle.check_writable(leaf).map(|()| true),
            Some(kind) => Err(is_a(kind)),
        }
    }

    pub(super) fn create(&self, leaf: &str) -> io::Result<fs::File> {
        self.handle.create(leaf)
    }

    pub(super) fn open_file(&self, leaf: &str) -> io::Result<fs::File> {
        self.handle.read(leaf)
    }

    pub(super) fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        self.handle.rename(from, to)
    }

    /// Removes a regular file. A missing file or a link is left alone.
    ///
    /// # Errors
    /// If the system refuses.
    pub fn remove(&self, name: &str) -> io::Result<()> {
        let Ok((folder, leaf)) = self.parent(name) else { return Ok(()) };
        match folder.handle.kind(leaf)? {
            Some(Kind::File) => folder.handle.remove(leaf),
            _ => Ok(()),
        }
    }

    /// Removes a folder inside this one if it is empty and not a link.
    pub fn remove_inside(&self, name: &str) {
        // A folder with content stays.
        let _ = part(name).and_then(|name| self.handle.remove_folder(name));
    }

    /// Lists all names in the folder.
    ///
    /// # Errors
    /// If the system refuses.
    pub fn names(&self) -> io::Result<Vec<OsString>> {
        self.handle.names()
    }
}

/// Replaces the empty path by the current folder.
fn or_here(path: &Path) -> &Path {
    if path.as_os_str().is_empty() { Path::new(".") } else { path }
}

/// Checks that a name is one part of a path and leads nowhere else.
fn part(name: &str) -> io::Result<&str> {
    let is_plain = !name.is_empty() && name != "." && name != ".." && !name.contains(['/', '\\', '\0', ':']);
    if is_plain { Ok(name) } else { Err(io::ErrorKind::InvalidInput.into()) }
}

/// Returns the error for replacing anything but a regular file.
fn is_a(kind: Kind) -> io::Error {
    io::Error::other(match kind {
        Kind::Link => "a link, which sinew neither follows nor replaces here; remove it first",
        Kind::Folder => return io::ErrorKind::IsADirectory.into(),
        Kind::File | Kind::Other => "not a regular file",
    })
}
