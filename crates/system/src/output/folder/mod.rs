//! Folders that may come from a stranger. Every part of a name in such a folder is opened without following links, so
//! nothing outside it is read, replaced or removed; what is replaced or removed is a regular file.

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

/// The most times that a folder is made again because another run has removed it.
const MAX_TRIES: usize = 1000;

/// An open folder whose content is not trusted. Names in it have parts divided by `/`.
#[derive(Clone, Debug)]
pub struct Folder {
    path: PathBuf,
    handle: Arc<Handle>,
}

/// A folder that other runs wait for.
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
    /// If there is none.
    pub fn open(path: &Path) -> io::Result<Self> {
        Ok(Self { path: path.to_path_buf(), handle: Arc::new(Handle::open(or_here(path))?) })
    }

    /// Opens the folder that a user names, and makes it if need be.
    ///
    /// # Errors
    /// If it cannot be made.
    pub fn make(path: &Path) -> io::Result<Self> {
        fs::create_dir_all(or_here(path))?;
        Self::open(path)
    }

    /// Opens a folder once no other run has it locked; makes it on request. `None` if there is none. The last part of a
    /// path that no user has named must be no link.
    ///
    /// # Errors
    /// If it cannot be opened or made.
    pub fn locked(path: &Path, is_named: bool, is_made: bool) -> io::Result<Option<(Self, Locked)>> {
        // Another run may remove the folder each time before it is locked, but not for ever.
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

    /// The path as given.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The path of a name in it, for messages and for the guard of inputs.
    pub fn join(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// Opens a folder in it.
    ///
    /// # Errors
    /// If there is none, or it is a link.
    pub fn inside(&self, name: &str) -> io::Result<Self> {
        match self.handle.kind(part(name)?)? {
            Some(Kind::Link) => Err(is_a(Kind::Link)),
            _ => Ok(Self { path: self.path.join(name), handle: Arc::new(self.handle.inside(name)?) }),
        }
    }

    /// Opens a folder in it, and makes it if need be.
    ///
    /// # Errors
    /// If it cannot be made, or something else has its name.
    pub fn make_inside(&self, name: &str) -> io::Result<Self> {
        match self.handle.make(part(name)?) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(error),
            _ => self.inside(name),
        }
    }

    /// The folder of a name, and the last part of the name.
    pub(super) fn parent<'a>(&self, name: &'a str) -> io::Result<(Self, &'a str)> {
        let mut folder = self.clone();
        let mut rest = name;
        while let Some((first, more)) = rest.split_once('/') {
            folder = folder.inside(first)?;
            rest = more;
        }
        Ok((folder, part(rest)?))
    }

    /// Returns what a name stands for, if anything.
    ///
    /// # Errors
    /// If the system does not say.
    pub fn kind(&self, name: &str) -> io::Result<Option<Kind>> {
        match self.parent(name) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
            Ok((folder, leaf)) => folder.handle.kind(leaf),
        }
    }

    /// Reads a regular file of at most so many bytes; `None` if there is no such file.
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

    /// Refuses to replace anything but a regular file that may be written. Returns whether there is one.
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

    /// Removes a regular file; one that is missing, or is a link, stays as it is.
    ///
    /// # Errors
    /// If the system refuses.
    pub(super) fn remove(&self, name: &str) -> io::Result<()> {
        let Ok((folder, leaf)) = self.parent(name) else { return Ok(()) };
        match folder.handle.kind(leaf)? {
            Some(Kind::File) => folder.handle.remove(leaf),
            _ => Ok(()),
        }
    }

    /// Removes a folder in it if that is empty and no link.
    pub fn remove_inside(&self, name: &str) {
        // One that holds something stays.
        let _ = part(name).and_then(|name| self.handle.remove_folder(name));
    }

    /// All names in it.
    ///
    /// # Errors
    /// If the system refuses.
    pub fn names(&self) -> io::Result<Vec<OsString>> {
        self.handle.names()
    }
}

/// The current folder for the empty path.
fn or_here(path: &Path) -> &Path {
    if path.as_os_str().is_empty() { Path::new(".") } else { path }
}

/// A name that is one part of a path, and leads nowhere else.
fn part(name: &str) -> io::Result<&str> {
    let is_plain = !name.is_empty() && name != "." && name != ".." && !name.contains(['/', '\\', '\0', ':']);
    if is_plain { Ok(name) } else { Err(io::ErrorKind::InvalidInput.into()) }
}

/// The error that something other than a regular file would be replaced.
fn is_a(kind: Kind) -> io::Error {
    io::Error::other(match kind {
        Kind::Link => "a link, which sinew neither follows nor replaces here; remove it first",
        Kind::Folder => return io::ErrorKind::IsADirectory.into(),
        Kind::File | Kind::Other => "not a regular file",
    })
}
