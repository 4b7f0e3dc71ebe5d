//! Fences, which tell the host that the GPU is done, and semaphores, which tell the queue.

use std::sync::Arc;

use ash::vk;

use super::device::Device;
use super::error::{Named, VulkanError};
use super::owned::Owned;

/// Two minutes, far longer than the slowest frame on a software driver: longer is a hang.
const PATIENCE_NANOS: u64 = 120_000_000_000;

/// A fence.
pub struct Fence {
    pub(super) raw: vk::Fence,
    name: String,
    device: Owned,
}

impl Fence {
    /// Creates a fence that is signalled already, as if its work were done.
    pub fn new(device: &Arc<Device>, name: &str) -> Result<Self, VulkanError> {
        let info = vk::FenceCreateInfo::default().flags(vk::FenceCreateFlags::SIGNALED);
        // SAFETY: the device is alive.
        let raw = unsafe { device.raw.create_fence(&info, None) }.named("vkCreateFence", name)?;
        device.set_name(raw, name);
        Ok(Self { raw, name: name.to_owned(), device: Owned::new(device, name) })
    }

    /// Waits until the work it was given to is done.
    pub fn wait(&self) -> Result<(), VulkanError> {
        // SAFETY: the fence was made from this device.
        unsafe { self.device.raw.wait_for_fences(&[self.raw], true, PATIENCE_NANOS) }
            .named("vkWaitForFences", &self.name)
    }

    /// Makes it ready for new work; call only after [`Fence::wait`].
    pub fn reset(&self) -> Result<(), VulkanError> {
        // SAFETY: the fence was made from this device, and no submission uses it: the caller has waited.
        unsafe { self.device.raw.reset_fences(&[self.raw]) }.named("vkResetFences", &self.name)
    }
}

/// A signal from one submission to another.
pub(super) struct Semaphore {
    pub(super) raw: vk::Semaphore,
    device: Owned,
}

impl Semaphore {
    /// Creates a semaphore that is not signalled.
    pub(super) fn new(device: &Arc<Device>, name: &str) -> Result<Self, VulkanError> {
        let info = vk::SemaphoreCreateInfo::default();
        // SAFETY: the device is alive.
        let raw = unsafe { device.raw.create_semaphore(&info, None) }.named("vkCreateSemaphore", name)?;
        device.set_name(raw, name);
        Ok(Self { raw, device: Owned::new(device, name) })
    }
}

impl Drop for Semaphore {
    fn drop(&mut self) {
        // SAFETY: the presenter has waited for the GPU; the handle is destroyed once.
        unsafe { self.device.raw.destroy_semaphore(self.raw, None) };
    }
}

impl Drop for Fence {
    fn drop(&mut self) {
        // SAFETY: the renderer has waited for the GPU; the handle is destroyed once.
        unsafe { self.device.raw.destroy_fence(self.raw, None) };
    }
}
