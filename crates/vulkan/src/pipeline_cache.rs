//! The pipeline cache and its file. A broken or foreign file is ignored.

use std::path::Path;
use std::sync::Arc;

use ash::vk;

use super::cache_file::CacheFile;
use super::device::Device;
use super::error::{Named, VulkanError};
use super::owned::Owned;

/// The first bytes of a file.
const MAGIC: &[u8; 8] = b"sinewpc1";

/// Maximum size of a file to read; drivers write a megabyte or two.
const MAX_BYTES: u64 = 64 << 20;

/// A pipeline cache on disk, one file for each device and driver.
pub struct PipelineCache {
    pub(super) raw: vk::PipelineCache,
    file: Option<CacheFile>,
    device: Owned,
}

impl PipelineCache {
    /// Opens the cache in `folder`. A missing or corrupt file is an empty cache; `None` stores nothing.
    pub fn open(device: &Arc<Device>, folder: Option<&Path>) -> Result<Self, VulkanError> {
        let file =
            folder.map(|folder| CacheFile::new(folder, "pipelines", &device.physical, MAGIC, MAX_BYTES));
        let stored = file.as_ref().and_then(CacheFile::read).unwrap_or_default();
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
        // SAFETY: the cache was made from this device.
        match unsafe { self.device.raw.get_pipeline_cache_data(self.raw) } {
            Ok(data) => file.save(&data),
            Err(result) => tracing::debug!("pipeline cache not saved: {result}"),
        }
    }
}

impl Drop for PipelineCache {
    fn drop(&mut self) {
        // SAFETY: the handle is destroyed once; pipelines do not need their cache.
        unsafe { self.device.raw.destroy_pipeline_cache(self.raw, None) };
    }
}
