//! The choice between a uniform and a storage buffer for palettes, and its cache: an entry for each device, driver and
//! version of the program. Pictures do not depend on it.

use std::path::Path;

use sinew_scene::scene::PaletteIn;
use sinew_vulkan::{CacheFile, PhysicalDevice};

/// The first bytes of an entry of the cache.
const MAGIC: &[u8; 8] = b"sinewub1";

/// Maximum size of an entry.
const MAX_BYTES: u64 = 1 << 10;

/// The largest ratio at which the storage buffer is worth choosing.
const MAX_RATIO: f64 = 0.95;

/// The buffer with palettes that scenes take on a device by default, and the reason.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PaletteChoice {
    /// The buffer.
    pub buffer: PaletteIn,
    /// The time with a storage buffer divided by that with a uniform buffer; `None` if it is not measured.
    pub ratio: Option<f64>,
}

impl PaletteChoice {
    /// The choice without a measurement.
    pub(crate) const UNMEASURED: Self = Self { buffer: PaletteIn::Uniform, ratio: None };

    /// Chooses by a measured ratio.
    pub(crate) fn by(ratio: f64) -> Self {
        let buffer = if ratio <= MAX_RATIO { PaletteIn::Storage } else { PaletteIn::Uniform };
        Self { buffer, ratio: Some(ratio) }
    }

    /// Returns the choice if it takes no measurement: the cache has one, or a software driver draws. `None` if the first
    /// picture will measure.
    pub fn known(device: &PhysicalDevice, cache: Option<&Path>) -> Option<Self> {
        let kept = cache.and_then(|folder| ratio_of(&entry(folder, device).read()?, &device.cache_key));
        // To a software driver, both are plain memory, and a measurement takes longer than a small picture.
        let unmeasured = device.is_software().then_some(Self::UNMEASURED);
        kept.map(Self::by).or(unmeasured)
    }
}

/// Keeps a measured ratio in a cache.
pub(crate) fn keep(ratio: f64, device: &PhysicalDevice, folder: &Path) {
    entry(folder, device).save(text_of(ratio, &device.cache_key).as_bytes());
}

/// Returns a device's entry of the cache.
fn entry(folder: &Path, device: &PhysicalDevice) -> CacheFile {
    CacheFile::new(folder, "palettes", device, MAGIC, MAX_BYTES)
}

/// Returns the text of an entry: version of the program, device and driver, ratio.
fn text_of(ratio: f64, device: &str) -> String {
    format!("{}\n{device}\n{ratio}\n", env!("CARGO_PKG_VERSION"))
}

/// Reads an entry; `None` if it is broken, or another version's or device's.
fn ratio_of(entry: &[u8], device: &str) -> Option<f64> {
    let last = std::str::from_utf8(entry).ok()?.lines().last()?;
    let ratio = last.parse::<f64>().ok().filter(|ratio| ratio.is_finite() && *ratio >= 0.0)?;
    (text_of(ratio, device).as_bytes() == entry).then_some(ratio)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_storage_buffer_must_be_faster() {
        let buffer = |ratio| PaletteChoice::by(ratio).buffer;
        assert_eq!([0.0, 0.68, MAX_RATIO].map(buffer), [PaletteIn::Storage; 3]);
        assert_eq!([MAX_RATIO + 0.01, 1.0, 7.5].map(buffer), [PaletteIn::Uniform; 3]);
    }

    #[test]
    fn an_entry_reads_back_and_a_broken_or_foreign_one_does_not() {
        let text = text_of(0.1 + 0.2, "10de-2330");
        let read = |text: &str, device| ratio_of(text.as_bytes(), device);
        assert_eq!(read(&text, "10de-2330"), Some(0.1 + 0.2));
        assert_eq!(read(&text, "10de-2331"), None, "another device's");
        let version = env!("CARGO_PKG_VERSION");
        assert_eq!(read(&text.replace(version, "0.0.0"), "10de-2330"), None, "another version's");
        for end in 0..text.len() {
            assert_eq!(read(&text[..end], "10de-2330"), None, "cut to {end}");
        }
        for ratio in ["NaN", "inf", "-1", "", "fast", "1e0"] {
            let wrong = format!("{version}\n10de-2330\n{ratio}\n");
            assert_eq!(read(&wrong, "10de-2330"), None, "{ratio}");
        }
        assert_eq!(ratio_of(&[0xff; 9], "10de-2330"), None);
    }
}
