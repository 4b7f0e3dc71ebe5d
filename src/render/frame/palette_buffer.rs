//! A buffer of palettes that the host writes each frame, and the set that shows it beside a model's frame block.

use std::sync::Arc;

use crate::render::interface::frame_block::FrameBlock;
use crate::render::interface::layouts::{Layouts, PALETTE_WINDOW};
use crate::render::model::gpu_model::GpuModel;
use sinew_vulkan::{Buffer, Descriptor, DescriptorPool, DescriptorSet, Device, VulkanError, vk};

/// The buffer and its set.
pub(crate) struct PaletteBuffer {
    set: DescriptorSet,
    _pool: DescriptorPool,
    buffer: Buffer,
    /// The model whose frame blocks the set shows.
    model: u64,
}

impl PaletteBuffer {
    /// The earlier buffer where it has room for `size` bytes and is the model's, or a new one. The GPU must be done with
    /// the earlier one.
    pub(crate) fn with_room(
        device: &Arc<Device>,
        layouts: &Layouts,
        gpu: &GpuModel,
        before: Option<Self>,
        (name, size): (&str, u64),
    ) -> Result<Self, VulkanError> {
        // The shaders' window on the last palette reaches a whole palette beyond it.
        let size = size + PALETTE_WINDOW;
        if let Some(fits) = before.filter(|there| there.model == gpu.number && there.buffer.size() >= size) {
            return Ok(fits);
        }
        // Dynamic offsets are 32 bits wide.
        device.check_limit(name, "a size in bytes of", size, u32::MAX.into())?;
        let buffer = Buffer::with_room(device, name, None, size, vk::BufferUsageFlags::UNIFORM_BUFFER)?;
        let pool = DescriptorPool::new(device, name, &[(&layouts.frame, 1)])?;
        let window = |buffer, range| Descriptor::Buffer { buffer, offset: 0, range };
        let frame = window(gpu.ring.buffer(), size_of::<FrameBlock>() as u64);
        let set = pool.set(name, &layouts.frame, &[frame, window(&buffer, PALETTE_WINDOW)])?;
        Ok(Self { set, _pool: pool, buffer, model: gpu.number })
    }

    /// The bytes to write to.
    pub(crate) fn bytes_mut(&mut self) -> &mut [u8] {
        self.buffer.bytes_mut().expect("made where the host sees it")
    }

    /// Set 0.
    pub(crate) fn set(&self) -> DescriptorSet {
        self.set
    }
}
