//! Files of the program's own caches, one for each device and driver. A broken or foreign file is ignored, and a folder
//! that cannot be written is not an error.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::physical::PhysicalDevice;

/// Extension of an unfinished file.
const UNFINISHED: &str = ".tmp";

/// Age at which an unfinished file is abandoned: writing takes well under a second.
const ABANDONED_AFTER: Duration = Duration::from_secs(600);

/// Maximum number of files to check in a folder.
const MAX_FILES: usize = 10_000;

/// A file with data about one device and driver. It begins with a magic number and a checksum.
pub struct CacheFile {
    file: PathBuf,
    kind: &'static str,
    magic: &'static [u8; 8],
    max_bytes: u64,
}

impl CacheFile {
    /// Returns the file of this kind in `folder`, without touching it. Its name is `kind` and the device's key.
    pub fn new(
        folder: &Path,
        kind: &'static str,
        device: &PhysicalDevice,
        magic: &'static [u8; 8],
        max_bytes: u64,
    ) -> Self {
        Self { file: folder.join(format!("{kind}-{}.bin", device.cache_key)), kind, magic, max_bytes }
    }

    /// Reads the data; `None` if there is none, or it is not whole.
    pub fn read(&self) -> Option<Vec<u8>> {
        // Checks the size first, and does not wait for a pipe of that name.
        let found = std::fs::metadata(&self.file).ok()?;
        if !found.is_file() || found.len() > self.max_bytes {
            return None;
        }
        let bytes = std::fs::read(&self.file).ok()?;
        let rest = bytes.strip_prefix(self.magic)?;
        let (sum, data) = rest.split_first_chunk::<8>()?;
        (u64::from_le_bytes(*sum) == checksum(data)).then(|| data.to_vec())
    }

    /// Replaces the data if it has changed, and removes what interrupted runs left.
    pub fn save(&self, data: &[u8]) {
        self.tidy();
        if self.read().as_deref() == Some(data) {
            return;
        }
        if let Err(error) = self.write(data) {
            tracing::debug!("{} not written: {error}", self.file.display());
        }
    }

    /// Writes a temporary file and renames it, so that a second process never reads half a file.
    fn write(&self, data: &[u8]) -> std::io::Result<()> {
        let Self { file, magic, .. } = self;
        if let Some(folder) = file.parent() {
            std::fs::create_dir_all(folder)?;
        }
        let beside = file.with_extension(format!("{}{UNFINISHED}", std::process::id()));
        let mut out = std::fs::File::create(&beside)?;
        let written = out
            .write_all(*magic)
            .and_then(|()| out.write_all(&checksum(data).to_le_bytes()))
            .and_then(|()| out.write_all(data))
            .and_then(|()| std::fs::rename(&beside, file));
        if written.is_err() {
            let _ = std::fs::remove_file(&beside);
        }
        written
    }

    /// Removes temporary files of this kind that interrupted runs left in the folder.
    fn tidy(&self) {
        let Some(folder) = self.file.parent() else { return };
        for entry in std::fs::read_dir(folder).into_iter().flatten().take(MAX_FILES).flatten() {
            let is_left = || {
                let found = entry.metadata().ok().filter(std::fs::Metadata::is_file);
                // A time in the future gives no age.
                let age = found.and_then(|found| found.modified().ok()?.elapsed().ok());
                age.is_some_and(|age| age > ABANDONED_AFTER)
            };
            if entry.file_name().to_str().is_some_and(|name| self.is_unfinished(name)) && is_left() {
                let _ = std::fs::remove_file(entry.path());
            }
        }
    }

    /// Returns true if a name is that of a temporary file of this kind, for any device.
    fn is_unfinished(&self, name: &str) -> bool {
        let process = name
            .strip_prefix(self.kind)
            .and_then(|rest| rest.strip_prefix('-'))
            .and_then(|rest| rest.strip_suffix(UNFINISHED))
            .and_then(|rest| rest.rsplit_once('.'))
            .map(|(_, process)| process);
        process
            .is_some_and(|process| !process.is_empty() && process.bytes().all(|byte| byte.is_ascii_digit()))
    }
}

/// Computes FNV-1a, which suffices to detect truncation and bad disks.
fn checksum(data: &[u8]) -> u64 {
    data.iter()
        .fold(0xcbf2_9ce4_8422_2325, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a file of pipelines at a path.
    fn at(file: PathBuf) -> CacheFile {
        CacheFile { file, kind: "pipelines", magic: b"sinewpc1", max_bytes: 100 }
    }

    #[test]
    fn a_file_reads_back_and_a_broken_one_is_ignored() {
        let folder = tempfile::tempdir().unwrap();
        let cache = at(folder.path().join("new/folder/cache.bin"));
        cache.save(b"pipelines");
        assert_eq!(cache.read().as_deref(), Some(b"pipelines".as_slice()));
        let other = CacheFile { magic: b"sinewpc2", ..at(cache.file.clone()) };
        assert_eq!(other.read(), None, "another kind's");
        let small = CacheFile { max_bytes: 24, ..at(cache.file.clone()) };
        assert_eq!(small.read(), None, "too long");

        let whole = std::fs::read(&cache.file).unwrap();
        for length in 0..whole.len() {
            std::fs::write(&cache.file, &whole[..length]).unwrap();
            assert_eq!(cache.read(), None, "cut to {length} bytes");
        }
        for byte in 0..whole.len() {
            let mut broken = whole.clone();
            broken[byte] ^= 1;
            std::fs::write(&cache.file, &broken).unwrap();
            assert_eq!(cache.read(), None, "byte {byte} flipped");
        }
        // A folder that cannot be written keeps nothing.
        at(cache.file.join("below a file")).save(b"pipelines");
    }

    #[test]
    fn what_ended_runs_have_left_is_removed_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        let long_ago = std::time::SystemTime::now() - 2 * ABANDONED_AFTER;
        let write = |name: &str, is_old: bool| {
            let file = std::fs::File::create(path(name)).unwrap();
            if is_old {
                file.set_modified(long_ago).unwrap();
            }
        };
        let names = [
            ("pipelines-1a-2b.77.tmp", true, false),
            // The run may still be alive.
            ("pipelines-1a-2b.78.tmp", false, true),
            ("pipelines-1a-2b.bin", true, true),
            ("pipelines-1a-2b.tmp", true, true),
            ("pipelines-1a-2b.x.tmp", true, true),
            ("pictures-1a.77.tmp", true, true),
        ];
        names.iter().for_each(|(name, is_old, _)| write(name, *is_old));
        std::fs::create_dir(path("pipelines-1a-2b.79.tmp")).unwrap();
        at(path("pipelines-1a-2b.bin")).tidy();
        for (name, _, stays) in names {
            assert_eq!(path(name).exists(), stays, "{name}");
        }
        assert!(path("pipelines-1a-2b.79.tmp").is_dir());
        at(path("no such folder/pipelines-1a-2b.bin")).tidy();
    }
}
