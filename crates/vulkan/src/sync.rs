//! Fences, which tell the host that the GPU is done, and semaphores, which tell the queue.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, PoisonError};
use std::time::{Duration, Instant};

use ash::vk;

#[cfg(target_os = "linux")]
use super::crash::{has_address_limit, process_time};
use super::device::Device;
use super::error::{Named, VulkanError};
use super::owned::Owned;

/// Two minutes, far longer than the slowest frame on a software driver: longer is a hang.
const PATIENCE: Duration = Duration::from_secs(120);

/// Time between two looks at what a software driver does where address space is limited.
const SLICE: Duration = Duration::from_secs(1);

/// Processor time in a slice from which the driver is at work.
const BUSY: Duration = Duration::from_millis(5);

/// Number of slices without work after which it hangs.
const MAX_IDLE: u32 = 8;

#[cfg(not(target_os = "linux"))]
fn has_address_limit() -> bool {
    false
}

#[cfg(not(target_os = "linux"))]
fn process_time() -> Duration {
    Duration::ZERO
}

/// A fence.
pub struct Fence {
    raw: vk::Fence,
    /// Whether a submission was made that nobody has waited for yet.
    is_pending: AtomicBool,
    name: String,
    device: Owned,
}

impl Fence {
    /// Creates a fence that nothing was submitted with.
    pub fn new(device: &Arc<Device>, name: &str) -> Result<Self, VulkanError> {
        let info = vk::FenceCreateInfo::default();
        // SAFETY: the device is alive.
        let raw = unsafe { device.raw.create_fence(&info, None) }.named("vkCreateFence", name)?;
        device.set_name(raw, name);
        let is_pending = AtomicBool::new(false);
        Ok(Self { raw, is_pending, name: name.to_owned(), device: Owned::new(device, name) })
    }

    /// Waits until the work that was submitted with it is done. Where none was, or submitting it failed, there is nothing
    /// to wait for.
    pub fn wait(&self) -> Result<(), VulkanError> {
        if !self.is_pending.load(Ordering::Relaxed) {
            return Ok(());
        }
        let is_tight = self.device.physical().is_software() && has_address_limit();
        let waited = if is_tight { self.wait_for_work() } else { self.wait_for(PATIENCE) };
        waited.named("vkWaitForFences", &self.name)?;
        self.is_pending.store(false, Ordering::Relaxed);
        Ok(())
    }

    fn wait_for(&self, most: Duration) -> Result<(), vk::Result> {
        let nanos = u64::try_from(most.as_nanos()).unwrap_or(u64::MAX);
        // SAFETY: the fence was made from this device.
        unsafe { self.device.raw.wait_for_fences(&[self.raw], true, nanos) }
    }

    /// Waits for a driver that may wait for a thread which it could not start: out of memory where it does nothing.
    fn wait_for_work(&self) -> Result<(), vk::Result> {
        let (start, mut idle, mut used) = (Instant::now(), 0, process_time());
        loop {
            let waited = self.wait_for(SLICE);
            if waited != Err(vk::Result::TIMEOUT) || start.elapsed() > PATIENCE {
                return waited;
            }
            let now = process_time();
            idle = if now.saturating_sub(used) < BUSY { idle + 1 } else { 0 };
            if idle >= MAX_IDLE {
                return Err(vk::Result::ERROR_OUT_OF_HOST_MEMORY);
            }
            used = now;
        }
    }

    /// Submits work for `name` to the queue; the fence is signalled when the GPU is done. Call only after [`Fence::wait`].
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
