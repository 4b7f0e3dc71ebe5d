//! Opens the devices that can run sinew, and says what stands in the way where it is not the driver's own fault.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::render::interface::layouts::PALETTE_WINDOW;
use crate::threads;
use sinew_vulkan::{
    Device, DeviceChoice, Instance, InstanceOptions, Needs, PhysicalDevice, Surface, VulkanError, vk,
};

/// The limits that sinew needs of a device.
pub const NEEDS: Needs = Needs { uniform_range: PALETTE_WINDOW as u32 };

/// Mesa's software driver starts this many threads for each of its two pools at most, and a few others.
const MOST_DRIVER_THREADS: usize = 32;
const OTHER_DRIVER_THREADS: usize = 4;

/// The largest description of a driver that is read; those of drivers have 200 bytes.
const MOST_DESCRIPTION: u64 = 1 << 20;

/// Creates an instance. Where no driver can be used, the error says what is in the way.
pub fn open_instance(options: &InstanceOptions) -> Result<Arc<Instance>, VulkanError> {
    Instance::new(options).map(Arc::new).map_err(explained)
}

/// All devices. Where there are none, the error says what is in the way.
pub fn list_devices(
    instance: &Instance,
    surface: Option<&Surface>,
) -> Result<Vec<PhysicalDevice>, VulkanError> {
    PhysicalDevice::all(instance, NEEDS, surface).map_err(explained)
}

/// Opens a device that can run sinew, without any window system.
pub fn open_device(options: &InstanceOptions, choice: &DeviceChoice) -> Result<Arc<Device>, VulkanError> {
    choose_device(&open_instance(options)?, choice, None)
}

/// Opens a device that can run sinew and present to a surface of the instance.
pub fn open_presenting_device(
    instance: &Arc<Instance>,
    choice: &DeviceChoice,
    surface: &Surface,
) -> Result<Arc<Device>, VulkanError> {
    choose_device(instance, choice, Some(surface))
}

fn choose_device(
    instance: &Arc<Instance>,
    choice: &DeviceChoice,
    surface: Option<&Surface>,
) -> Result<Arc<Device>, VulkanError> {
    let devices = list_devices(instance, surface)?;
    let physical = PhysicalDevice::choose(&devices, choice)?;
    tracing::info!("drawing on {} ({})", physical.name, physical.driver);
    if physical.is_software() {
        check_threads(&physical.name)?;
    }
    Device::new(Arc::clone(instance), physical)
}

/// Drivers that draw on the CPU start threads, do not notice that the system refuses them, and wait for them for ever.
fn check_threads(device: &str) -> Result<(), VulkanError> {
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let asked = std::env::var("LP_NUM_THREADS").ok().and_then(|count| count.parse::<usize>().ok());
    let needed = 2 * asked.unwrap_or(cores).min(MOST_DRIVER_THREADS) + OTHER_DRIVER_THREADS;
    match threads::possible(needed) {
        // Threads take room, too.
        possible if possible < needed && !threads::is_room_for(DRIVER_ROOM) => {
            Err(VulkanError::NoRoom { cause: format!("{possible} of {needed} threads") })
        }
        possible if possible < needed => {
            Err(VulkanError::Threads { device: device.to_owned(), needed, possible })
        }
        _ => Ok(()),
    }
}

/// The error, or what is behind it: the loader answers with a few codes for everything.
fn explained(error: VulkanError) -> VulkanError {
    let result = match &error {
        VulkanError::NoDriver { result } | VulkanError::Call { result, .. } => *result,
        _ => return error,
    };
    let is_general = [
        vk::Result::ERROR_INCOMPATIBLE_DRIVER,
        vk::Result::ERROR_OUT_OF_HOST_MEMORY,
        vk::Result::ERROR_INITIALIZATION_FAILED,
    ];
    if !is_general.contains(&result) {
        return error;
    }
    let broken = descriptions().into_iter().find_map(|file| Some((fault(&file)?, file)));
    match broken {
        Some((cause, file)) => VulkanError::BrokenDriver { file: file.display().to_string(), cause },
        None if !threads::is_room_for(DRIVER_ROOM) => VulkanError::NoRoom { cause: result.to_string() },
        None => error,
    }
}

/// The room that a driver and its compiler take at least.
const DRIVER_ROOM: usize = 256 << 20;

/// The files that tell the loader of drivers, where they are named or in the usual folders.
fn descriptions() -> Vec<PathBuf> {
    let named = ["VK_DRIVER_FILES", "VK_ICD_FILENAMES"].into_iter().find_map(std::env::var_os);
    let places: Vec<PathBuf> = match named {
        Some(named) => std::env::split_paths(&named).collect(),
        None => ["/etc/vulkan/icd.d", "/usr/local/share/vulkan/icd.d", "/usr/share/vulkan/icd.d"]
            .map(PathBuf::from)
            .into(),
    };
    let inside = |place: PathBuf| match std::fs::read_dir(&place) {
        Ok(files) => files.flatten().map(|file| file.path()).collect(),
        Err(_) => vec![place],
    };
    places
        .into_iter()
        .flat_map(inside)
        .filter(|file| file.extension().is_some_and(|end| end == "json"))
        .collect()
}

/// What is wrong with a driver's description; `None` if it names a library that may be there.
fn fault(file: &Path) -> Option<String> {
    match std::fs::metadata(file) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Some("no such file".to_owned()),
        Err(error) => return Some(error.to_string()),
        Ok(metadata) if !metadata.is_file() => return Some("not a regular file".to_owned()),
        Ok(metadata) if metadata.len() > MOST_DESCRIPTION => return Some("it is too large".to_owned()),
        Ok(_) => {}
    }
    #[allow(clippy::disallowed_methods, reason = "the system's own file, no input")]
    let text = match std::fs::read(file) {
        Ok(text) => text,
        Err(error) => return Some(error.to_string()),
    };
    let json: serde_json::Value = match serde_json::from_slice(&text) {
        Ok(json) => json,
        Err(error) => return Some(format!("not JSON: {error}")),
    };
    let Some(library) = json["ICD"]["library_path"].as_str() else {
        return Some("it names no library (ICD.library_path)".to_owned());
    };
    // A name alone is looked for among the system's libraries.
    let path = file.parent().unwrap_or(Path::new("")).join(library);
    (library.contains('/') && !path.exists()).then(|| format!("there is no library '{library}'"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn descriptions_of_drivers_are_checked() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("driver.json");
        assert_eq!(fault(&file).as_deref(), Some("no such file"));
        assert_eq!(fault(folder.path()).as_deref(), Some("not a regular file"));
        std::fs::write(folder.path().join("driver.so"), "").unwrap();
        for (text, cause) in [
            ("{broken", "not JSON: key must be a string at line 1 column 2"),
            ("[]", "it names no library (ICD.library_path)"),
            (r#"{"ICD": {"library_path": "./gone.so"}}"#, "there is no library './gone.so'"),
            (r#"{"ICD": {"library_path": "./driver.so"}}"#, ""),
            (r#"{"ICD": {"library_path": "libvulkan_x.so"}}"#, ""),
        ] {
            std::fs::write(&file, text).unwrap();
            assert_eq!(fault(&file).unwrap_or_default(), cause, "{text}");
        }
    }
}
