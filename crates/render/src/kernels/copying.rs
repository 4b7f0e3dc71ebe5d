//! The device's own copy between two buffers: the limit that a kernel is compared with.

use std::sync::Arc;

use super::clock::{Clock, Times};
use crate::renderer::Renderer;
use sinew_vulkan::{Buffer, Device, MemoryLocation, VulkanError, vk};

/// Two buffers in the device's memory.
pub struct Copying {
    clock: Clock,
    from: Buffer,
    to: Buffer,
}

impl Copying {
    /// Creates two buffers of this size.
    pub fn new(renderer: &Renderer, size: u64) -> Result<Self, VulkanError> {
        let device: &Arc<Device> = renderer.device();
        let usage = vk::BufferUsageFlags::TRANSFER_SRC | vk::BufferUsageFlags::TRANSFER_DST;
        let buffer = |name| Buffer::new(device, name, size, usage, MemoryLocation::GpuOnly);
        Ok(Self { clock: Clock::new(device, "copy")?, from: buffer("copied")?, to: buffer("copy")? })
    }

    /// Returns the bytes that a copy reads and writes.
    pub fn bytes(&self) -> u64 {
        2 * self.from.size()
    }

    /// Copies some times.
    pub fn run(&mut self, times: u32) -> Result<Times, VulkanError> {
        let Self { clock, from, to } = self;
        clock.time(times, |commands| commands.copy_buffer(from, to, &[(0, 0, from.size())]))
    }
}
