//! Reads external files: regular ones of a sane size, inside the model's folder unless the caller allows others.

use std::borrow::Cow;
use std::collections::HashSet;
use std::fs::File;
use std::io::{self, Read};
#[cfg(unix)]
use std::io::{Seek, SeekFrom};
use std::path::{Component, Path, PathBuf};

use percent_encoding::percent_decode_str;
#[cfg(unix)]
use rayon::prelude::*;
use sinew_gltf_rules::format::data_uri::{self, is_data_uri};
use sinew_gltf_rules::format::image_head::{HEAD_BYTES, Head};

use super::budget::Budget;
use super::digest::sha256;
pub use super::source_error::MAX_FILE_BYTES;
use super::source_error::SourceError;

/// Number of bytes that identify a file.
const SHORT_HEAD_BYTES: u64 = 32;

/// Reads a regular file of at most `limit` bytes.
pub fn read_file(path: &Path, limit: u64) -> Result<Vec<u8>, SourceError> {
    read_file_if(path, limit, |_| Ok(()))
}

/// Reads a regular file of at most `limit` bytes, if a check of the open file passes.
fn read_file_if(
    path: &Path,
    limit: u64,
    is_right: impl FnOnce(&File) -> Result<(), SourceError>,
) -> Result<Vec<u8>, SourceError> {
    // Checked before opening: opening a pipe without a writer would wait for ever.
    let metadata = std::fs::metadata(path)?;
    if !metadata.is_file() {
        return Err(SourceError::NotAFile);
    }
    if metadata.len() > limit {
        return Err(SourceError::TooLarge(limit));
    }
    let mut file = File::open(path)?;
    is_right(&file)?;
    let mut bytes = match metadata.len() {
        size if size >= LARGE => read_large(&mut file, size as usize)?,
        size => Vec::with_capacity(size as usize),
    };
    // The size may grow between the question and the reading, and some special files claim none.
    let left = limit.saturating_add(1).saturating_sub(bytes.len() as u64);
    file.take(left).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > limit {
        return Err(SourceError::TooLarge(limit));
    }
    Ok(bytes)
}

/// Reads at most `limit` bytes of something that has an end, but no size.
pub fn read_stream(input: impl Read, limit: u64) -> Result<Vec<u8>, SourceError> {
    let mut bytes = Vec::new();
    input.take(limit.saturating_add(1)).read_to_end(&mut bytes)?;
    match bytes.len() as u64 > limit {
        true => Err(SourceError::TooLarge(limit)),
        false => Ok(bytes),
    }
}

/// Files from this size are read on all cores, because most of the time goes into allocating their memory.
const LARGE: u64 = 16 << 20;

/// Bytes that one thread reads at a time.
#[cfg(unix)]
const AT_ONCE: usize = 4 << 20;

/// The first `size` bytes of a file, which is read on from there.
#[cfg(unix)]
fn read_large(file: &mut File, size: usize) -> io::Result<Vec<u8>> {
    use std::os::unix::fs::FileExt;
    let mut bytes = vec![0; size];
    let read = |(number, part): (usize, &mut [u8])| {
        file.read_exact_at(part, (number as u64).saturating_mul(AT_ONCE as u64))
    };
    bytes.par_chunks_mut(AT_ONCE).enumerate().try_for_each(read)?;
    file.seek(SeekFrom::Start(size as u64))?;
    Ok(bytes)
}

/// The first `size` bytes of a file, which is read on from there.
#[cfg(not(unix))]
fn read_large(file: &mut File, size: usize) -> io::Result<Vec<u8>> {
    let mut bytes = vec![0; size];
    file.read_exact(&mut bytes)?;
    Ok(bytes)
}

/// Resolves a model's URIs, and counts the bytes of their files.
#[derive(Debug)]
pub struct Sources<'a> {
    folder: Option<&'a Path>,
    allow_outside: bool,
    bytes_left: u64,
    /// Files that were read before.
    read: HashSet<PathBuf>,
    /// Name and SHA-256 of each file that was read, if requested.
    pub digests: Option<Vec<(String, String)>>,
    /// The budget left.
    pub budget: Budget,
}

impl<'a> Sources<'a> {
    /// Creates sources for URIs relative to `folder`, and outside it only with `allow_outside`. Without a folder, only
    /// `data:` URIs are read. Each read adds to the budget and takes from it. The model's own file has `own_bytes`,
    /// which leave less for others.
    pub fn new(folder: Option<&'a Path>, allow_outside: bool, budget: Budget, own_bytes: usize) -> Self {
        Self {
            folder,
            allow_outside,
            bytes_left: MAX_FILE_BYTES.saturating_sub(own_bytes as u64),
            read: HashSet::new(),
            digests: None,
            budget,
        }
    }

    /// The bytes behind a URI.
    pub fn fetch(&mut self, uri: &str) -> Result<Vec<u8>, SourceError> {
        if is_data_uri(uri) {
            return data_uri::decode(uri).map_err(SourceError::Data);
        }
        self.fetch_file(self.path(uri)?)
    }

    /// The bytes of a file that [`Sources::path`] or [`Sources::path_of_name`] found.
    pub fn fetch_file(&mut self, path: PathBuf) -> Result<Vec<u8>, SourceError> {
        let read = read_file_if(&path, self.bytes_left, |file| self.is_inside(file));
        let bytes = read.map_err(|error| match error {
            SourceError::TooLarge(limit) if limit < MAX_FILE_BYTES => SourceError::TooLargeTogether,
            other => other,
        })?;
        self.bytes_left = self.bytes_left.saturating_sub(bytes.len() as u64);
        // Reading a file again takes memory, but adds nothing to the file's own size.
        if !self.read.contains(&path) {
            self.budget.add(bytes.len());
            let name = self.below_folder(&path);
            if let Some(digests) = &mut self.digests {
                digests.push((name, sha256(&bytes)));
            }
            self.read.insert(path);
        }
        if !self.budget.take(bytes.len() as u64) {
            return Err(SourceError::TooOften);
        }
        Ok(bytes)
    }

    /// The first bytes behind a URI; fewer where many have been read before.
    pub fn head(&mut self, uri: &str) -> Result<Head, SourceError> {
        if is_data_uri(uri) {
            return Ok(Head { bytes: data_uri::decode(uri).map_err(SourceError::Data)?, is_whole: true });
        }
        let most = if self.budget.left() >= HEAD_BYTES { HEAD_BYTES } else { SHORT_HEAD_BYTES };
        let bytes = read_head(&self.path(uri)?, most, |file| self.is_inside(file))?;
        let read = bytes.len() as u64;
        // The bytes are not kept, but reading them takes time.
        let _ = self.budget.take(read);
        Ok(Head { bytes, is_whole: read < most })
    }

    /// Returns a file's path relative to the model's folder, with slashes on every system.
    fn below_folder(&self, path: &Path) -> String {
        let below = self.folder.and_then(|folder| path.strip_prefix(folder).ok()).unwrap_or(path);
        below.to_string_lossy().replace('\\', "/")
    }

    /// The file of a name that is no URI, where percent signs and colons mean nothing.
    #[cfg(any(feature = "fbx", feature = "usd"))]
    pub fn path_of_name(&self, name: &str) -> Result<PathBuf, SourceError> {
        self.place(if self.allow_outside { named_path(name)? } else { path_below(name)? })
    }

    /// The file behind a URI.
    pub fn path(&self, uri: &str) -> Result<PathBuf, SourceError> {
        self.place(if self.allow_outside { any_path(uri)? } else { relative_path(uri)? })
    }

    /// Resolves a path from the model's folder. It must not leave the folder by a link, which an archive may contain.
    fn place(&self, path: PathBuf) -> Result<PathBuf, SourceError> {
        let folder = self.folder.ok_or(FROM_MEMORY)?;
        let path = folder.join(path);
        if !self.allow_outside {
            let here = or_current(folder);
            // A missing or inaccessible file cannot be read; reading it reports the reason.
            if std::fs::metadata(&path).is_ok() {
                stays_inside(here.canonicalize(), path.canonicalize())?;
            }
        }
        Ok(path)
    }

    /// Refuses a file outside the folder again once it is open: a link may have been created after [`Sources::place`]
    /// checked the path. Linux reports the path of an open file.
    fn is_inside(&self, file: &File) -> Result<(), SourceError> {
        match self.folder {
            Some(folder) if !self.allow_outside => match place_of(file) {
                Some(place) => stays_inside(or_current(folder).canonicalize(), Ok(place)),
                None => Ok(()),
            },
            _ => Ok(()),
        }
    }
}

/// A folder, or the current one where it has no name.
fn or_current(folder: &Path) -> &Path {
    if folder.as_os_str().is_empty() { Path::new(".") } else { folder }
}

/// Returns the path of an open file, if available.
#[cfg(target_os = "linux")]
fn place_of(file: &File) -> Option<PathBuf> {
    use std::os::fd::AsRawFd;
    std::fs::read_link(format!("/proc/self/fd/{}", file.as_raw_fd())).ok()
}

/// Returns the path of an open file, if available.
#[cfg(not(target_os = "linux"))]
fn place_of(_: &File) -> Option<PathBuf> {
    None
}

/// Refuses a file outside the model's folder, or with an unknown path, by the real paths of both.
fn stays_inside(folder: io::Result<PathBuf>, target: io::Result<PathBuf>) -> Result<(), SourceError> {
    let (Ok(folder), Ok(target)) = (folder, target) else {
        return Err(SourceError::Outside("cannot check that it is in the model's folder"));
    };
    match target.starts_with(folder) {
        true => Ok(()),
        false => Err(SourceError::Outside("a link leads out of the model's folder")),
    }
}

/// Reads the first bytes of a regular file.
fn read_head(
    path: &Path,
    bytes: u64,
    is_right: impl FnOnce(&File) -> Result<(), SourceError>,
) -> Result<Vec<u8>, SourceError> {
    if !std::fs::metadata(path)?.is_file() {
        return Err(SourceError::NotAFile);
    }
    let mut head = Vec::new();
    let file = File::open(path)?;
    is_right(&file)?;
    file.take(bytes).read_to_end(&mut head)?;
    Ok(head)
}

/// The path a URI names below the model's folder, with every `..` already taken away, so that the
/// operating system never sees one.
fn relative_path(uri: &str) -> Result<PathBuf, SourceError> {
    match scheme(uri) {
        None => {}
        Some(name) if name.eq_ignore_ascii_case("file") => {
            return Err(SourceError::Outside("file: URIs are not followed"));
        }
        Some(_) => return Err(SourceError::Refused(NO_SUCH_SCHEME)),
    }
    path_below(&decoded(uri)?)
}

/// A path below the model's folder.
fn path_below(decoded: &str) -> Result<PathBuf, SourceError> {
    // Writers on Windows leave backslashes in; they separate folders here as they do there.
    if decoded.contains('\0') {
        return Err(ZERO_BYTE);
    }
    if decoded.starts_with(['/', '\\']) {
        return Err(SourceError::Outside("absolute paths are not followed"));
    }
    let mut path = PathBuf::new();
    for part in decoded.split(['/', '\\']) {
        match part {
            "" | "." => {}
            ".." => {
                if !path.pop() {
                    return Err(SourceError::Outside("it leads out of the model's folder"));
                }
            }
            name => {
                // On Windows a name such as `C:x` would replace the whole path.
                let mut components = Path::new(name).components();
                if !matches!((components.next(), components.next()), (Some(Component::Normal(_)), None)) {
                    return Err(SourceError::Outside("it leads out of the model's folder"));
                }
                path.push(name);
            }
        }
    }
    if path.as_os_str().is_empty() {
        return Err(SourceError::Refused("it names no file"));
    }
    Ok(path)
}

/// The path of a URI that may be anywhere on this machine.
fn any_path(uri: &str) -> Result<PathBuf, SourceError> {
    let path = match scheme(uri) {
        None => uri,
        Some(drive) if cfg!(windows) && drive.len() == 1 => uri,
        Some(name) if name.eq_ignore_ascii_case("file") => {
            let rest = uri.get(5..).unwrap_or_default();
            match rest.strip_prefix("//") {
                Some(rest) => {
                    let (host, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
                    if !host.is_empty() && !host.eq_ignore_ascii_case("localhost") {
                        return Err(NETWORK);
                    }
                    path
                }
                None => rest,
            }
        }
        Some(_) => return Err(SourceError::Refused(NO_SUCH_SCHEME)),
    };
    named_path(&decoded(path)?)
}

/// A path that may be anywhere on this machine.
fn named_path(name: &str) -> Result<PathBuf, SourceError> {
    if name.contains('\0') {
        return Err(ZERO_BYTE);
    }
    let mut path = name.replace('\\', "/");
    // A file: URI puts a slash in front of the drive letter.
    if cfg!(windows) && matches!(path.as_bytes(), [b'/', letter, b':', ..] if letter.is_ascii_alphabetic()) {
        path.remove(0);
    }
    if path.starts_with("//") {
        return Err(NETWORK);
    }
    if path.is_empty() {
        return Err(SourceError::Refused("it names no file"));
    }
    Ok(PathBuf::from(path))
}

/// Why nothing is read without a folder.
const FROM_MEMORY: SourceError = SourceError::Refused("a model read from memory has no external files");

/// Why other machines are not asked.
const NETWORK: SourceError = SourceError::Refused("names of other machines are not followed");

/// The error for names that no file system accepts.
const ZERO_BYTE: SourceError = SourceError::Refused("the name contains a zero byte");

/// Why other schemes are not read.
const NO_SUCH_SCHEME: &str = "only files beside the model and data: URIs are read";

/// A URI's path without percent signs.
fn decoded(uri: &str) -> Result<Cow<'_, str>, SourceError> {
    let decoded = percent_decode_str(uri)
        .decode_utf8()
        .map_err(|_| SourceError::Refused("the percent-encoded name is not UTF-8"))?;
    Ok(decoded)
}

/// The scheme that a URI starts with, such as `file` (or a drive letter, which looks like one).
fn scheme(uri: &str) -> Option<&str> {
    let (scheme, _) = uri.split_once(':')?;
    let is_scheme = scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.'));
    is_scheme.then_some(scheme)
}

#[cfg(test)]
mod tests;
