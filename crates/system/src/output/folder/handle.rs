//! Open folders. Each call takes one name in the folder and does not follow links.

use std::ffi::OsString;
use std::fs::File;
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStringExt;
use std::path::Path;

use rustix::fs::{self, AtFlags, Dir, FileType, FlockOperation, Mode, OFlags};

use super::kind::Kind;
use crate::threads;

/// An open folder.
#[derive(Debug)]
pub struct Handle(OwnedFd);

const FOLDER: OFlags = OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::CLOEXEC);

impl Handle {
    /// Opens a folder. The user named its path, so links are followed.
    pub fn open(path: &Path) -> io::Result<Self> {
        Ok(Self(fs::open(path, FOLDER, Mode::empty())?))
    }

    /// Opens a folder inside this one.
    pub fn inside(&self, name: &str) -> io::Result<Self> {
        Ok(Self(fs::openat(&self.0, name, FOLDER | OFlags::NOFOLLOW, Mode::empty())?))
    }

    /// Creates a folder inside this one.
    pub fn make(&self, name: &str) -> io::Result<()> {
        Ok(fs::mkdirat(&self.0, name, Mode::from_raw_mode(0o777))?)
    }

    /// Returns the kind of an entry, if it exists.
    pub fn kind(&self, name: &str) -> io::Result<Option<Kind>> {
        match fs::statat(&self.0, name, AtFlags::SYMLINK_NOFOLLOW) {
            Err(rustix::io::Errno::NOENT) => Ok(None),
            Err(error) => Err(error.into()),
            Ok(found) => Ok(Some(match FileType::from_raw_mode(found.st_mode) {
                FileType::RegularFile => Kind::File,
                FileType::Directory => Kind::Folder,
                FileType::Symlink => Kind::Link,
                _ => Kind::Other,
            })),
        }
    }

    /// Creates a file that must not exist.
    pub fn create(&self, name: &str) -> io::Result<File> {
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        Ok(fs::openat(&self.0, name, flags, Mode::from_raw_mode(0o666))?.into())
    }

    /// Opens a file to append to it, and creates it if necessary.
    pub fn append(&self, name: &str) -> io::Result<File> {
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::APPEND | OFlags::NOFOLLOW | OFlags::NONBLOCK;
        Ok(fs::openat(&self.0, name, flags | OFlags::CLOEXEC, Mode::from_raw_mode(0o666))?.into())
    }

    /// Opens a file for reading, without waiting for a pipe.
    pub fn read(&self, name: &str) -> io::Result<File> {
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        Ok(fs::openat(&self.0, name, flags, Mode::empty())?.into())
    }

    /// Opens a file to check that it is writable.
    pub fn check_writable(&self, name: &str) -> io::Result<()> {
        let flags = OFlags::WRONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        Ok(fs::openat(&self.0, name, flags, Mode::empty()).map(drop)?)
    }

    /// Renames a file within the folder, replacing any file with the new name.
    pub fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        Ok(fs::renameat(&self.0, from, &self.0, to)?)
    }

    /// Removes a file or a link.
    pub fn remove(&self, name: &str) -> io::Result<()> {
        Ok(fs::unlinkat(&self.0, name, AtFlags::empty())?)
    }

    /// Removes an empty folder.
    pub fn remove_folder(&self, name: &str) -> io::Result<()> {
        Ok(fs::unlinkat(&self.0, name, AtFlags::REMOVEDIR)?)
    }

    /// Lists all names in the folder.
    pub fn names(&self) -> io::Result<Vec<OsString>> {
        let mut names = Vec::new();
        for entry in Dir::read_from(&self.0)? {
            let name = OsString::from_vec(entry?.file_name().to_bytes().to_vec());
            if name != "." && name != ".." {
                names.push(name);
            }
        }
        Ok(names)
    }

    /// Waits until no other run has the folder locked, and locks it. If the file system has no locks, it does nothing.
    pub fn lock(&self, path: &Path) {
        let ask = || match fs::flock(&self.0, FlockOperation::NonBlockingLockExclusive) {
            Err(rustix::io::Errno::WOULDBLOCK | rustix::io::Errno::INTR) => None,
            _ => Some(()),
        };
        let path = path.display();
        threads::poll(ask, || tracing::warn!("another run has used {path} for 10 s; waiting until it ends"));
    }

    /// Unlocks the folder.
    pub fn unlock(&self) {
        let _ = fs::flock(&self.0, FlockOperation::Unlock);
    }

    /// Returns true if a path leads to this folder.
    pub fn is_at(&self, path: &Path) -> bool {
        let number = |found: fs::Stat| (found.st_dev, found.st_ino);
        let (here, there) = (fs::fstat(&self.0).map(number), fs::stat(path).map(number));
        here.is_ok_and(|here| there == Ok(here))
    }
}
