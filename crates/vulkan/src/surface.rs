//! A window's surface, to which pictures are presented.

use std::any::Any;
use std::sync::Arc;

use ash::{khr, vk};
use raw_window_handle::{HandleError, HasDisplayHandle, HasWindowHandle};

use super::error::{Named, VulkanError};
use super::instance::Instance;

/// A window's surface. It keeps the window and the instance alive.
pub struct Surface {
    pub(super) raw: vk::SurfaceKHR,
    pub(super) functions: khr::surface::Instance,
    // Field order is drop order: the surface before its window and instance.
    _window: Arc<dyn Any>,
    _instance: Arc<Instance>,
}

impl Surface {
    /// Creates a window's surface. The instance must support the window's display.
    pub fn new<W: HasWindowHandle + HasDisplayHandle + 'static>(
        instance: &Arc<Instance>,
        window: Arc<W>,
    ) -> Result<Self, VulkanError> {
        let gone = |error: HandleError| VulkanError::NoSurface { cause: error.to_string() };
        let display = window.display_handle().map_err(gone)?.as_raw();
        let handle = window.window_handle().map_err(gone)?.as_raw();
        // SAFETY: the instance has the extensions of this display, and the window lives as long as the surface.
        let raw =
            unsafe { ash_window::create_surface(instance.entry(), &instance.raw, display, handle, None) }
                .named("vkCreateSurfaceKHR", "window")?;
        let functions = khr::surface::Instance::new(instance.entry(), &instance.raw);
        Ok(Self { raw, functions, _window: window, _instance: Arc::clone(instance) })
    }

    /// Returns true if a device's queue can present to the surface.
    pub(super) fn takes(&self, physical: vk::PhysicalDevice, family: u32) -> Result<bool, VulkanError> {
        // SAFETY: device and surface are of the same instance.
        unsafe { self.functions.get_physical_device_surface_support(physical, family, self.raw) }
            .named("vkGetPhysicalDeviceSurfaceSupportKHR", "window")
    }

    /// Queries the surface's current capabilities.
    pub(super) fn capabilities(
        &self,
        physical: vk::PhysicalDevice,
    ) -> Result<vk::SurfaceCapabilitiesKHR, VulkanError> {
        // SAFETY: device and surface are of the same instance.
        unsafe { self.functions.get_physical_device_surface_capabilities(physical, self.raw) }
            .named("vkGetPhysicalDeviceSurfaceCapabilitiesKHR", "window")
    }
}

impl Drop for Surface {
    fn drop(&mut self) {
        // SAFETY: the swapchain is gone, since it holds the surface.
        unsafe { self.functions.destroy_surface(self.raw, None) };
    }
}
