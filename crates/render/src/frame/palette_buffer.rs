//! A host-written buffer of palettes for each frame, and the set that combines it with a model's frame block.

use std::sync::Arc;

use crate::interface::frame_block::FrameBlock;
use crate::interface::layouts::{Layouts, PALETTE_WINDOW};
use crate::model::gpu_model::GpuModel;
use sinew_vulkan::{Buffer, Descriptor, DescriptorPool, DescriptorSet, Device, VulkanError, vk};

/// The buffer and its set.
pub(crate) struct PaletteBuffer {
    set: DescriptorSet,
    _pool: DescriptorPool,
    buffer: Buffer,
    /// The model whose frame blocks the set refers to, and its terms of *ddm*.
    model: (u64, u64),
    /// The size in bytes of the window that shaders see through the storage buffer's binding.
    window: u64,
}

impl PaletteBuffer {
    /// Returns the earlier buffer if it has room for `size` bytes and belongs to the model, or a new one, whose
    /// longest palette takes `longest` bytes. The GPU must have finished with the earlier one.
    pub(crate) fn with_room(
        device: &Arc<Device>,
        layouts: &Layouts,
        gpu: &GpuModel,
        before: Option<Self>,
        (name, size, longest): (&str, u64, u64),
    ) -> Result<Self, VulkanError> {
        let fits = |there: &Self| {
            let has_room = there.buffer.size() >= size + there.window.max(PALETTE_WINDOW);
            there.model == (gpu.number, gpu.ddm_number()) && there.window >= longest && has_room
        };
        if let Some(fits) = before.filter(fits) {
            return Ok(fits);
        }
        let window = longest.max(PALETTE_WINDOW);
        let most = device.physical().limits.max_storage_buffer_range;
        device.check_limit(name, "bytes in a palette", window, most.into())?;
        // The shaders' window on the last palette extends beyond it.
        let size = size + window;
        // Dynamic offsets are 32 bits wide.
        device.check_limit(name, "bytes", size, u32::MAX.into())?;
        let usage = vk::BufferUsageFlags::UNIFORM_BUFFER | vk::BufferUsageFlags::STORAGE_BUFFER;
        let buffer = Buffer::with_room(device, name, None, size, usage)?;
        let pool = DescriptorPool::new(device, name, &[(&layouts.frame, 1)])?;
        let shown = |buffer, range| Descriptor::Buffer { buffer, offset: 0, range };
        let frame = shown(gpu.ring.buffer(), size_of::<FrameBlock>() as u64);
        let palettes = [shown(&buffer, PALETTE_WINDOW), shown(&buffer, window)];
        let set = pool.set(name, &layouts.frame, &[frame, palettes[0], palettes[1], gpu.ddm_terms()])?;
        Ok(Self { set, _pool: pool, buffer, model: (gpu.number, gpu.ddm_number()), window })
    }

    /// Returns the bytes to write to.
    pub(crate) fn bytes_mut(&mut self) -> &mut [u8] {
        self.buffer.bytes_mut().expect("made where the host sees it")
    }

    /// Returns set 0.
    pub(crate) fn set(&self) -> DescriptorSet {
        self.set
    }
}
