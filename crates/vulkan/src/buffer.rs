//! Buffers: one handle, one allocation, and access to the bytes if they are host-visible.

use std::sync::Arc;

use ash::vk;
use gpu_allocator::MemoryLocation;
use gpu_allocator::vulkan::Allocation;

use super::device::Device;
use super::error::{Named, VulkanError};
use super::memory::Object;
use super::owned::Owned;

/// Size up to which a buffer is never too large to keep.
const SMALL: u64 = 1 << 16;

/// A buffer with a separate memory allocation.
pub struct Buffer {
    pub(super) raw: vk::Buffer,
    allocation: Option<Allocation>,
    name: String,
    size: u64,
    device: Owned,
}

impl Buffer {
    /// Creates a buffer of at least one byte.
    pub fn new(
        device: &Arc<Device>,
        name: &str,
        size: u64,
        usage: vk::BufferUsageFlags,
        location: MemoryLocation,
    ) -> Result<Self, VulkanError> {
        let size = size.max(1);
        let info = vk::BufferCreateInfo::default().size(size).usage(usage);
        // SAFETY: the device is alive.
        let raw = unsafe { device.raw.create_buffer(&info, None) }.named("vkCreateBuffer", name)?;
        // From here on, `Drop` destroys the handle if a call fails.
        let mut buffer =
            Self { raw, allocation: None, name: name.to_owned(), size, device: Owned::new(device, name) };
        device.set_name(raw, name);
        // SAFETY: the buffer was made from this device.
        let requirements = unsafe { device.raw.get_buffer_memory_requirements(raw) };
        let allocation = device.memory.allocate(name, Object::Buffer(raw), requirements, location)?;
        let allocation = buffer.allocation.insert(allocation);
        // SAFETY: the allocation meets the buffer's requirements and is bound once.
        unsafe { device.raw.bind_buffer_memory(raw, allocation.memory(), allocation.offset()) }
            .named("vkBindBufferMemory", name)?;
        Ok(buffer)
    }

    /// Creates a buffer that lives about as long as its device. On a software driver it shares no memory block with
    /// others, because it alone would keep a block that all others have left. Unused memory costs nothing there.
    pub fn lasting(
        device: &Arc<Device>,
        name: &str,
        size: u64,
        usage: vk::BufferUsageFlags,
        location: MemoryLocation,
    ) -> Result<Self, VulkanError> {
        Self::new(device, name, device.memory.alone(size), usage, location)
    }

    /// Returns a buffer that the host refills often: the earlier one if it is large enough but not far too large, or a
    /// new one with spare room. It is a lasting buffer, because the next picture refills it.
    pub fn with_room(
        device: &Arc<Device>,
        name: &str,
        before: Option<Self>,
        size: u64,
        usage: vk::BufferUsageFlags,
    ) -> Result<Self, VulkanError> {
        let room = size.next_power_of_two();
        let most = room.saturating_mul(4).max(SMALL).max(device.memory.alone(room));
        match before.filter(|buffer| (size..=most).contains(&buffer.size())) {
            Some(buffer) => Ok(buffer),
            None => Self::lasting(device, name, room, usage, MemoryLocation::CpuToGpu),
        }
    }

    /// Returns the buffer's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the size in bytes.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// Returns the bytes if they are host-visible.
    pub fn bytes(&self) -> Option<&[u8]> {
        self.allocation.as_ref()?.mapped_slice()
    }

    /// Returns the writable bytes if they are host-visible.
    pub fn bytes_mut(&mut self) -> Option<&mut [u8]> {
        self.allocation.as_mut()?.mapped_slice_mut()
    }

    /// Copies `bytes` to `offset`. The buffer must be host-visible and large enough.
    pub fn write(&mut self, offset: usize, bytes: &[u8]) {
        let end = offset.saturating_add(bytes.len());
        let room = self.bytes().map_or(0, <[u8]>::len);
        assert!(end <= room, "write of {offset}..{end} outside of host-visible buffer '{}'", self.name);
        let all = self.bytes_mut().expect("a buffer with room for the bytes is mapped");
        all[offset..end].copy_from_slice(bytes);
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        // SAFETY: the renderer has waited for the GPU; the handle is destroyed once, before its memory.
        unsafe { self.device.raw.destroy_buffer(self.raw, None) };
        if let Some(allocation) = self.allocation.take() {
            self.device.memory.free(Object::Buffer(self.raw), allocation);
        }
    }
}
