//! Folders by path, for systems that cannot open folders. Each name is checked before its use. Nothing is locked.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

use super::kind::Kind;

/// The path of a folder.
#[derive(Debug)]
pub struct Handle(PathBuf);

impl Handle {
    /// Finds a folder. The user named its path, so links are followed.
    pub fn open(path: &Path) -> io::Result<Self> {
        match fs::metadata(path)?.is_dir() {
            true => Ok(Self(path.to_path_buf())),
            false => Err(io::ErrorKind::NotADirectory.into()),
        }
    }

    /// Finds a folder inside this one.
    pub fn inside(&self, name: &str) -> io::Result<Self> {
        match self.kind(name)? {
            Some(Kind::Folder) => Ok(Self(self.0.join(name))),
            Some(_) => Err(io::ErrorKind::NotADirectory.into()),
            None => Err(io::ErrorKind::NotFound.into()),
        }
    }

    /// Creates a folder inside this one.
    pub fn make(&self, name: &str) -> io::Result<()> {
        fs::create_dir(self.0.join(name))
    }

    /// Returns the kind of an entry, if it exists.
    pub fn kind(&self, name: &str) -> io::Result<Option<Kind>> {
        match fs::symlink_metadata(self.0.join(name)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
            Ok(found) if found.is_file() => Ok(Some(Kind::File)),
            Ok(found) if found.is_dir() => Ok(Some(Kind::Folder)),
            Ok(found) if found.is_symlink() => Ok(Some(Kind::Link)),
            Ok(_) => Ok(Some(Kind::Other)),
        }
    }

    fn not_a_link(&self, name: &str) -> io::Result<PathBuf> {
        match self.kind(name)? {
            Some(Kind::Link) => Err(io::Error::other("a link")),
            _ => Ok(self.0.join(name)),
        }
    }

    /// Creates a file that must not exist.
    pub fn create(&self, name: &str) -> io::Result<File> {
        OpenOptions::new().write(true).create_new(true).open(self.0.join(name))
    }

    /// Opens a file to append to it, and creates it if necessary.
    pub fn append(&self, name: &str) -> io::Result<File> {
        OpenOptions::new().append(true).create(true).open(self.not_a_link(name)?)
    }

    /// Opens a file for reading.
    pub fn read(&self, name: &str) -> io::Result<File> {
        File::open(self.not_a_link(name)?)
    }

    /// Opens a file to check that it is writable.
    pub fn check_writable(&self, name: &str) -> io::Result<()> {
        OpenOptions::new().write(true).open(self.not_a_link(name)?).map(drop)
    }

    /// Renames a file within the folder, replacing any file with the new name.
    pub fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        fs::rename(self.0.join(from), self.0.join(to))
    }

    /// Removes a file or a link.
    pub fn remove(&self, name: &str) -> io::Result<()> {
        fs::remove_file(self.0.join(name))
    }

    /// Removes an empty folder.
    pub fn remove_folder(&self, name: &str) -> io::Result<()> {
        fs::remove_dir(self.0.join(name))
    }

    /// Lists all names in the folder.
    pub fn names(&self) -> io::Result<Vec<OsString>> {
        fs::read_dir(&self.0)?.map(|entry| Ok(entry?.file_name())).collect()
    }

    /// Does nothing.
    pub fn lock(&self, _: &Path) {}

    /// Does nothing.
    pub fn unlock(&self) {}

    /// Returns true if a path leads to this folder.
    pub fn is_at(&self, path: &Path) -> bool {
        path.is_dir()
    }
}
