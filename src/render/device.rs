//! Opens the devices that can run sinew.

use std::sync::Arc;

use crate::render::interface::layouts::PALETTE_WINDOW;
use sinew_vulkan::{
    Device, DeviceChoice, Instance, InstanceOptions, Needs, PhysicalDevice, Surface, VulkanError,
};

/// The limits that sinew needs of a device.
pub const NEEDS: Needs = Needs { uniform_range: PALETTE_WINDOW as u32 };

/// Opens a device that can run sinew, without any window system.
pub fn open_device(options: &InstanceOptions, choice: &DeviceChoice) -> Result<Arc<Device>, VulkanError> {
    let instance = Arc::new(Instance::new(options)?);
    choose_device(&instance, choice, None)
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
    Device::new(Arc::clone(instance), physical)
}
