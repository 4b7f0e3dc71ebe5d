//! Fences, which signal the end of GPU work to the host, and semaphores, which signal it to the queue.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, PoisonError};

use ash::vk;

use super::device::Device;
use super::error::{Named, VulkanError};
use super::owned::Owned;

/// Two minutes, far longer than the slowest frame on a software driver: a longer wait is a hang.
const PATIENCE_NANOS: u64 = 120_000_000_000;

/// A fence.
pub struct Fence {
    raw: vk::Fence,
    /// True from a submission until a wait for it.
    is_pending: AtomicBool,
    name: String,
    device: Owned,
}

impl Fence {
    /// Creates a fence without a submission.
    pub fn new(device: &Arc<Device>, name: &str) -> Result<Self, VulkanError> {
        let info = vk::FenceCreateInfo::default();
        // SAFETY: the device is alive.
        let raw = unsafe { device.raw.create_fence(&info, None) }.named("vkCreateFence", name)?;
        device.set_name(raw, name);
        let is_pending = AtomicBool::new(false);
        Ok(Self { raw, is_pending, name: name.to_owned(), device: Owned::new(device, name) })
    }

    /// Waits until the submitted work is done. Returns at once if nothing was submitted, or if submission failed.
    pub fn wait(&self) -> Result<(), VulkanError> {
        if !self.is_pending.load(Ordering::Relaxed) {
            return Ok(());
        }
        // SAFETY: the fence was made from this device.
        unsafe { self.device.raw.wait_for_fences(&[self.raw], true, PATIENCE_NANOS) }
            .named("vkWaitForFences", &self.name)?;
        self.is_pending.store(false, Ordering::Relaxed);
        Ok(())
    }

    /// Submits work for `name` to the queue. The GPU signals the fence when the work is done. Call it only after
    /// [`Fence::wait`].
    pub(super) fn submit(&self, work: &vk::SubmitInfo2<'_>, name: &str) -> Result<(), VulkanError> {
        // SAFETY: the fence was made from this device, and no submission uses it: the caller has waited.
        unsafe { self.device.raw.reset_fences(&[self.raw]) }.named("vkResetFences", &self.name)?;
        let queue = self.device.queue.lock().unwrap_or_else(PoisonError::into_inner);
        // SAFETY: the lock keeps other submissions away, the caller keeps alive what the work is made of, and the fence
        // was reset above.
        unsafe { self.device.raw.queue_submit2(*queue, &[*work], self.raw) }.named("vkQueueSubmit2", name)?;
        self.is_pending.store(true, Ordering::Relaxed);
        Ok(())
    }
}

/// A signal from one submission to another.
pub(super) struct Semaphore {
    pub(super) raw: vk::Semaphore,
    device: Owned,
}

impl Semaphore {
    /// Creates an unsignalled semaphore.
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
