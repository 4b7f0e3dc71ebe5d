//! Opens the devices that can run sinew.

use std::sync::Arc;

use crate::render::interface::layouts::PALETTE_WINDOW;
use crate::threads;
use sinew_vulkan::{
    Device, DeviceChoice, Instance, InstanceOptions, Needs, PhysicalDevice, Surface, VulkanError,
};

/// The limits that sinew needs of a device.
pub const NEEDS: Needs = Needs { uniform_range: PALETTE_WINDOW as u32 };

/// Opens a device that can run sinew, without any window system.
pub fn open_device(options: &InstanceOptions, choice: &DeviceChoice) -> Result<Arc<Device>, VulkanError> {
    choose_device(&Arc::new(Instance::new(options)?), choice, None)
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
    let devices = PhysicalDevice::all(instance, NEEDS, surface)?;
    let physical = PhysicalDevice::choose(&devices, choice)?;
    tracing::info!("drawing on {} ({})", physical.name, physical.driver);
    if physical.is_software() {
        check_threads(&physical.name)?;
    }
    Device::new(Arc::clone(instance), physical)
}

/// Drivers that draw on the CPU start threads, do not notice that the system refuses them, and wait for them for ever.
fn check_threads(device: &str) -> Result<(), VulkanError> {
    let needed = threads::of_software_driver();
    match threads::possible(needed) {
        // Threads take room, too.
        possible if possible < needed && !threads::is_room_for_driver() => {
            Err(VulkanError::NoRoom { cause: format!("{possible} of {needed} threads") })
        }
        possible if possible < needed => {
            Err(VulkanError::Threads { device: device.to_owned(), needed, possible })
        }
        _ => Ok(()),
    }
}
