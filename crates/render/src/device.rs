//! Opens the devices that can run sinew.

use std::sync::Arc;

use crate::interface::layouts::PALETTE_WINDOW;
use sinew_system::threads;
use sinew_vulkan::{
    Device, DeviceChoice, Instance, InstanceOptions, Needs, PhysicalDevice, Surface, VulkanError,
};

/// The device limits that sinew needs.
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
        check_room(&physical.name)?;
    }
    Device::new(Arc::clone(instance), physical)
}

/// Memory that a software driver needs for its device: stacks of its threads, its compiler, and a small picture. With
/// less, Mesa's drivers crash, or wait forever for a thread that failed to start.
const SOFTWARE_BYTES: usize = 128 << 20;

/// Checks that a software driver will get memory and threads, because it does not check that itself.
fn check_room(device: &str) -> Result<(), VulkanError> {
    if !threads::is_room(SOFTWARE_BYTES) {
        let cause = format!("{device} needs {} MiB more", SOFTWARE_BYTES >> 20);
        return Err(VulkanError::NoRoom { cause });
    }
    let needed = threads::of_software_driver();
    match threads::possible(needed) {
        possible if possible < needed => {
            Err(VulkanError::Threads { device: device.to_owned(), needed, possible })
        }
        _ => Ok(()),
    }
}
