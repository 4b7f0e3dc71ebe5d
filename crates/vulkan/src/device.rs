//! The only owner of instance, device, queue and allocator; all other objects hold an `Arc` of it.

use std::ffi::CString;
use std::sync::{Arc, Mutex, PoisonError};

use ash::{ext, khr, vk};

use super::error::{Named, VulkanError};
use super::instance::Instance;
use super::living::Living;
use super::memory::Memory;
use super::messages::Messages;
use super::physical::PhysicalDevice;

/// A logical device with its only queue.
///
/// `Drop` frees memory first, then the device, then the instance.
pub struct Device {
    pub(super) raw: ash::Device,
    pub(super) memory: Memory,
    pub(super) debug_utils: Option<ext::debug_utils::Device>,
    /// The queue. Submissions need external synchronization.
    pub(super) queue: Mutex<vk::Queue>,
    pub(super) physical: PhysicalDevice,
    /// Live objects that were created from the device.
    pub(super) living: Mutex<Living>,
    instance: Arc<Instance>,
}

impl Device {
    /// Creates the device. If it presents, it presents to windows of the instance's display.
    pub fn new(instance: Arc<Instance>, physical: PhysicalDevice) -> Result<Arc<Self>, VulkanError> {
        let priorities = [1.0];
        let queues = [vk::DeviceQueueCreateInfo::default()
            .queue_family_index(physical.queue_family)
            .queue_priorities(&priorities)];
        // A portability driver (MoltenVK) requires its subset extension to be enabled.
        let mut extensions = Vec::new();
        if physical.has_portability_subset {
            extensions.push(khr::portability_subset::NAME.as_ptr());
        }
        if physical.presents {
            extensions.push(khr::swapchain::NAME.as_ptr());
        }
        let mut core_1_3 = vk::PhysicalDeviceVulkan13Features::default()
            .dynamic_rendering(true)
            .synchronization2(true)
            .maintenance4(true);
        let info = vk::DeviceCreateInfo::default()
            .queue_create_infos(&queues)
            .enabled_extension_names(&extensions)
            .push_next(&mut core_1_3);
        // SAFETY: `physical` comes from this instance, and everything `info` points to lives until the call returns.
        let raw = unsafe { instance.raw.create_device(physical.raw, &info, None) }
            .named("vkCreateDevice", &physical.name)?;
        // SAFETY: the family and queue 0 of it were asked for above.
        let queue = unsafe { raw.get_device_queue(physical.queue_family, 0) };
        let debug_utils =
            instance.has_debug_utils.then(|| ext::debug_utils::Device::new(&instance.raw, &raw));
        let memory = match Memory::new(&instance, &raw, &physical) {
            Ok(memory) => memory,
            Err(error) => {
                // SAFETY: nothing was made from it yet.
                unsafe { raw.destroy_device(None) };
                return Err(error);
            }
        };
        let device = Self {
            raw,
            memory,
            debug_utils,
            queue: Mutex::new(queue),
            physical,
            living: Mutex::default(),
            instance,
        };
        device.set_name(queue, "graphics and compute queue");
        Ok(Arc::new(device))
    }

    /// Returns the device as the driver describes it.
    pub fn physical(&self) -> &PhysicalDevice {
        &self.physical
    }

    /// Returns the error counters.
    pub fn messages(&self) -> &Arc<Messages> {
        self.instance.messages()
    }

    /// Returns true if the validation layer is active.
    pub fn is_validated(&self) -> bool {
        self.instance.is_validated()
    }

    /// Returns the names of all live memory allocations.
    pub fn allocations(&self) -> Vec<String> {
        self.blocks().concat()
    }

    /// Returns the names of all live memory allocations, grouped by memory block.
    pub fn blocks(&self) -> Vec<Vec<String>> {
        self.memory.blocks()
    }

    /// Checks a request against a limit of the device. `what` is the unit, as in "512 pixels of width".
    pub fn check_limit(
        &self,
        name: &str,
        what: &'static str,
        asked: u64,
        limit: u64,
    ) -> Result<(), VulkanError> {
        if asked <= limit {
            return Ok(());
        }
        let device = self.physical.name.clone();
        Err(VulkanError::Limit { name: name.to_owned(), what, asked, limit, device })
    }

    /// Waits until the GPU is idle.
    pub fn wait_idle(&self) -> Result<(), VulkanError> {
        let _queue = self.queue.lock().unwrap_or_else(PoisonError::into_inner);
        // SAFETY: the device is alive; the lock keeps submissions away.
        unsafe { self.raw.device_wait_idle() }.named("vkDeviceWaitIdle", &self.physical.name)
    }

    /// Waits for the GPU before an object that it may still use is dropped. No error can be returned there. A failed
    /// wait is repeated once, because a memory shortage may be over.
    pub fn finish(&self) {
        match self.wait_idle().or_else(|_| self.wait_idle()) {
            // The caller that lost the device has reported it.
            Ok(()) | Err(VulkanError::Call { result: vk::Result::ERROR_DEVICE_LOST, .. }) => {}
            Err(error) => tracing::error!("the device did not finish: {error}"),
        }
    }

    /// Closes the device. A remaining reference is a leak, reported as an error that names the objects left.
    pub fn close(self: Arc<Self>) {
        let messages = Arc::clone(self.messages());
        if let Err(device) = Arc::try_unwrap(self) {
            let living = device.living.lock().unwrap_or_else(PoisonError::into_inner);
            let names: Vec<String> = living.names.values().map(|name| format!("'{name}'")).collect();
            messages.error(format!("{} object(s) outlive the device: {}", names.len(), names.join(", ")));
        }
    }

    /// Returns the swapchain functions of a device that presents.
    pub(super) fn swapchain_functions(&self) -> khr::swapchain::Device {
        khr::swapchain::Device::new(&self.instance.raw, &self.raw)
    }

    /// Names a Vulkan object for validation messages and debuggers.
    pub(super) fn set_name<H: vk::Handle>(&self, handle: H, name: &str) {
        let (Some(debug_utils), Ok(name)) = (&self.debug_utils, CString::new(name)) else { return };
        let info = vk::DebugUtilsObjectNameInfoEXT::default().object_handle(handle).object_name(&name);
        // Drawing works without a name: a driver that has no memory for it will say so elsewhere.
        // SAFETY: the handle was made from this device and is alive.
        let _ = unsafe { debug_utils.set_debug_utils_object_name(&info) };
    }
}

impl Drop for Device {
    fn drop(&mut self) {
        for name in self.allocations() {
            self.messages().error(format!("leaked allocation '{name}'"));
        }
        // SAFETY: every object made from the device holds an `Arc` of it, so all of them are gone.
        unsafe {
            self.memory.close();
            self.raw.destroy_device(None);
        }
    }
}
