//! The pipeline cache and its file. A broken or foreign file is ignored.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use ash::vk;

use super::device::Device;
use super::error::{Named, VulkanError};
use super::owned::Owned;

/// The first bytes of a file. A checksum follows, because drivers trust their data.
const MAGIC: &[u8; 8] = b"sinewpc1";

/// Maximum size of a file to read; drivers write a megabyte or two.
const MAX_BYTES: u64 = 64 << 20;

/// Prefix of file names.
const START: &str = "pipelines-";

/// Extension of an unfinished file.
const UNFINISHED: &str = ".tmp";

/// Age at which an unfinished file is abandoned: writing takes well under a second.
const ABANDONED_AFTER: Duration = Duration::from_secs(600);

/// Maximum number of files to check in a folder.
const MAX_FILES: usize = 10_000;

/// A pipeline cache on disk, one file for each device and driver.
pub struct PipelineCache {
    pub(super) raw: vk::PipelineCache,
    file: Option<PathBuf>,
    device: Owned,
}

impl PipelineCache {
    /// Opens the cache in `folder`. A missing or corrupt file is an empty cache; `None` stores nothing.
    pub fn open(device: &Arc<Device>, folder: Option<&Path>) -> Result<Self, VulkanError> {
        let file = folder.map(|folder| folder.join(format!("{START}{}.bin", device.physical.cache_key)));
        let stored = file.as_deref().and_then(read).unwrap_or_default();
        let info = vk::PipelineCacheCreateInfo::default().initial_data(&stored);
        // SAFETY: the device is alive, and the data carries the checksum it was written with.
        let raw = unsafe { device.raw.create_pipeline_cache(&info, None) }
            .named("vkCreatePipelineCache", "pipeline cache")?;
        device.set_name(raw, "pipeline cache");
        Ok(Self { raw, file, device: Owned::new(device, "pipeline cache") })
    }

    /// Writes the cache to its file. A folder that cannot be written is not an error.
    pub fn save(&self) {
        let Some(file) = &self.file else { return };
        file.parent().into_iter().for_each(tidy);
        // SAFETY: the cache was made from this device.
        let outcome = match unsafe { self.device.raw.get_pipeline_cache_data(self.raw) } {
            Ok(data) if read(file).as_deref() == Some(data.as_slice()) => Ok(()),
            Ok(data) => write(file, &data),
            Err(result) => Err(std::io::Error::other(result)),
        };
        if let Err(error) = outcome {
            tracing::debug!("pipeline cache {} not written: {error}", file.display());
        }
    }
}

impl Drop for PipelineCache {
    fn drop(&mut self) {
        // SAFETY: the handle is destroyed once; pipelines do not need their cache.
        unsafe { self.device.raw.destroy_pipeline_cache(self.raw, None) };
    }
}

/// Reads a regular file up to the size limit, without waiting for a pipe of that name.
fn read(file: &Path) -> Option<Vec<u8>> {
    let found = std::fs::metadata(file).ok()?;
    if !found.is_file() || found.len() > MAX_BYTES {
        return None;
    }
    let bytes = std::fs::read(file).ok()?;
    let rest = bytes.strip_prefix(MAGIC)?;
    let (sum, data) = rest.split_first_chunk::<8>()?;
    (u64::from_le_bytes(*sum) == checksum(data)).then(|| data.to_vec())
}

/// Writes a temporary file and renames it, so that a second process never reads half a file.
fn write(file: &Path, data: &[u8]) -> std::io::Result<()> {
    if let Some(folder) = file.parent() {
        std::fs::create_dir_all(folder)?;
    }
    let beside = file.with_extension(format!("{}{UNFINISHED}", std::process::id()));
    let mut out = std::fs::File::create(&beside)?;
    let written = out
        .write_all(MAGIC)
        .and_then(|()| out.write_all(&checksum(data).to_le_bytes()))
        .and_then(|()| out.write_all(data))
        .and_then(|()| std::fs::rename(&beside, file));
    if written.is_err() {
        let _ = std::fs::remove_file(&beside);
    }
    written
}

/// Removes temporary files that interrupted runs left in a folder.
fn tidy(folder: &Path) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().take(MAX_FILES).flatten() {
        let is_left = || {
            let found = entry.metadata().ok().filter(std::fs::Metadata::is_file);
            // A time in the future gives no age.
            let age = found.and_then(|found| found.modified().ok()?.elapsed().ok());
            age.is_some_and(|age| age > ABANDONED_AFTER)
        };
        if entry.file_name().to_str().is_some_and(is_unfinished) && is_left() {
            let _ = std::fs::remove_file(entry.path());
        }
    }
}

/// Returns true if a name is that of a temporary file of [`write()`].
fn is_unfinished(name: &str) -> bool {
    let process = name
        .strip_prefix(START)
        .and_then(|rest| rest.strip_suffix(UNFINISHED))
        .and_then(|rest| rest.rsplit_once('.'))
        .map(|(_, process)| process);
    process.is_some_and(|process| !process.is_empty() && process.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Computes FNV-1a, which suffices to detect truncation and bad disks.
fn checksum(data: &[u8]) -> u64 {
    data.iter()
        .fold(0xcbf2_9ce4_8422_2325, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_reads_back_and_a_broken_one_is_ignored() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("new/folder/cache.bin");
        write(&file, b"pipelines").unwrap();
        assert_eq!(read(&file).as_deref(), Some(b"pipelines".as_slice()));

        let whole = std::fs::read(&file).unwrap();
        for length in 0..whole.len() {
            std::fs::write(&file, &whole[..length]).unwrap();
            assert_eq!(read(&file), None, "cut to {length} bytes");
        }
        for byte in 0..whole.len() {
            let mut broken = whole.clone();
            broken[byte] ^= 1;
            std::fs::write(&file, &broken).unwrap();
            assert_eq!(read(&file), None, "byte {byte} flipped");
        }
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
        tidy(folder.path());
        for (name, _, stays) in names {
            assert_eq!(path(name).exists(), stays, "{name}");
        }
        assert!(path("pipelines-1a-2b.79.tmp").is_dir());
        tidy(&path("no such folder"));
    }
}
