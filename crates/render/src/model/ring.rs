//! The ring of uniform blocks: for each frame in flight the blocks of its views, then the draws' palettes.

use std::sync::Arc;

use crate::in_flight::FRAMES_IN_FLIGHT;
use crate::interface::layouts::PALETTE_WINDOW;
use crate::model::draws::view_offsets;
use sinew_vulkan::{Buffer, Device, MemoryLocation, VulkanError, vk};

/// Uniform blocks that the CPU writes and the shaders read by dynamic offsets.
pub struct Ring {
    buffer: Buffer,
    /// Bytes from frame to frame.
    pub stride: u64,
    /// Bytes of the window on a palette in the storage buffer's binding.
    pub window: u64,
    /// Offsets of the views' blocks in a frame's block: the camera's, the shadow map's and the contact map's.
    view_offsets: [u64; 3],
}

impl Ring {
    /// Creates a ring whose frames take `stride` bytes each, for palettes of at most `longest` bytes.
    pub fn new(device: &Arc<Device>, stride: u64, longest: u64, alignment: u64) -> Result<Self, VulkanError> {
        let window = longest.max(PALETTE_WINDOW);
        // The shaders' window on the last palette extends a whole palette beyond it.
        let size = stride * FRAMES_IN_FLIGHT as u64 + window;
        // Dynamic offsets are 32 bits wide.
        device.check_limit("uniform ring", "bytes", size, u32::MAX.into())?;
        let usage = vk::BufferUsageFlags::UNIFORM_BUFFER | vk::BufferUsageFlags::STORAGE_BUFFER;
        let buffer = Buffer::new(device, "uniform ring", size, usage, MemoryLocation::CpuToGpu)?;
        Ok(Self { buffer, stride, window, view_offsets: view_offsets(alignment) })
    }

    /// Returns the buffer, for descriptors.
    pub fn buffer(&self) -> &Buffer {
        &self.buffer
    }

    /// Returns the offset of a frame's block.
    pub fn frame_offset(&self, frame: usize) -> u64 {
        self.stride * frame as u64
    }

    /// Returns the offsets of a frame's views.
    pub fn views(&self, frame: usize) -> [u64; 3] {
        self.view_offsets.map(|offset| self.frame_offset(frame) + offset)
    }

    /// Writes at an offset; the GPU must have finished the frame.
    pub fn write(&mut self, offset: u64, bytes: &[u8]) {
        self.buffer.write(offset as usize, bytes);
    }
}
