//! Device memory: the allocator behind its one private mutex.

use std::mem::ManuallyDrop;
use std::sync::{Mutex, MutexGuard, PoisonError};

use ash::vk;
use gpu_allocator::vulkan::{
    Allocation, AllocationCreateDesc, AllocationScheme, Allocator, AllocatorCreateDesc,
};
use gpu_allocator::{AllocationSizes, MemoryLocation};

use super::error::VulkanError;
use super::instance::Instance;
use super::physical::PhysicalDevice;

pub(super) struct Memory {
    /// Dropped by hand in [`Memory::close`], before the device.
    allocator: ManuallyDrop<Mutex<Allocator>>,
    /// Objects of at least so many bytes share no block with others.
    alone: u64,
}

/// What lies in memory.
#[derive(Clone, Copy)]
pub(super) enum Object {
    Buffer(vk::Buffer),
    Image(vk::Image),
}

impl Memory {
    pub(super) fn new(
        instance: &Instance,
        device: &ash::Device,
        physical: &PhysicalDevice,
    ) -> Result<Self, VulkanError> {
        // The leak report is ours: by name, through `Messages`.
        let mut debug_settings = gpu_allocator::AllocatorDebugSettings::default();
        debug_settings.log_leaks_on_shutdown = false;
        let allocator = Allocator::new(&AllocatorCreateDesc {
            instance: instance.raw.clone(),
            device: device.clone(),
            physical_device: physical.raw,
            debug_settings,
            buffer_device_address: false,
            allocation_sizes: block_sizes(),
        })
        .map_err(|cause| VulkanError::Memory { name: "allocator".to_owned(), cause: cause.to_string() })?;
        let alone = if physical.is_software() { LARGE } else { u64::MAX };
        Ok(Self { allocator: ManuallyDrop::new(Mutex::new(allocator)), alone })
    }

    /// Takes memory for one object.
    pub(super) fn allocate(
        &self,
        name: &str,
        object: Object,
        requirements: vk::MemoryRequirements,
        location: MemoryLocation,
    ) -> Result<Allocation, VulkanError> {
        let allocation_scheme = match object {
            _ if requirements.size < self.alone => AllocationScheme::GpuAllocatorManaged,
            Object::Buffer(buffer) => AllocationScheme::DedicatedBuffer(buffer),
            Object::Image(image) => AllocationScheme::DedicatedImage(image),
        };
        let refused = |cause| VulkanError::Memory { name: name.to_owned(), cause };
        let allocation = self
            .lock()
            .allocate(&AllocationCreateDesc {
                name,
                requirements,
                location,
                linear: matches!(object, Object::Buffer(_)),
                allocation_scheme,
            })
            .map_err(|cause| refused(cause.to_string()))?;
        let address = allocation.mapped_ptr().map_or(0, |at| at.addr().get() as u64);
        if !is_place(address, requirements.alignment) {
            self.free(allocation);
            return Err(refused("the driver has mapped it nowhere".to_owned()));
        }
        Ok(allocation)
    }

    /// Gives memory back.
    pub(super) fn free(&self, allocation: Allocation) {
        if let Err(error) = self.lock().free(allocation) {
            tracing::error!("device memory could not be freed: {error}");
        }
    }

    /// The names of all live allocations.
    pub(super) fn names(&self) -> Vec<String> {
        self.lock().generate_report().allocations.into_iter().map(|allocation| allocation.name).collect()
    }

    /// Frees all device memory.
    ///
    /// # Safety
    /// Call once, last, while the device is still alive.
    pub(super) unsafe fn close(&mut self) {
        // SAFETY: the caller promises that nobody uses the allocator after this.
        unsafe { ManuallyDrop::drop(&mut self.allocator) };
    }

    fn lock(&self) -> MutexGuard<'_, Allocator> {
        self.allocator.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

const MIB: u64 = 1 << 20;

/// What has its own memory on a software driver. There memory is the process's own, which may be taken as often as one likes,
/// and a block goes back only when nothing is in it any more: one small object would keep the room of many large ones. The
/// validation layer's best practices allow it from this size on.
const LARGE: u64 = MIB;

/// Whether memory can be where a driver says that it has mapped it. Where the system refuses room, Mesa 25's software driver
/// says that it succeeded, at the address of all ones (`MAP_FAILED`); then no part of the block is aligned, as Vulkan wants all
/// that is mapped to 64 bytes.
fn is_place(address: u64, alignment: u64) -> bool {
    address.is_multiple_of(alignment.clamp(1, 64))
}

/// How much memory is taken at a time for what shares it. Software drivers have all memory on the host. A device's own memory
/// comes in larger blocks where there is much of it, because devices limit their number.
fn block_sizes() -> AllocationSizes {
    AllocationSizes::new(16 * MIB, 4 * MIB).with_max_device_memblock_size(256 * MIB)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_mapped_nowhere_is_known() {
        let nowhere = u64::MAX;
        for offset in [0_u64, 64, 512, 4096, 1 << 20] {
            assert!(!is_place(nowhere.wrapping_add(offset), 64), "{offset}");
            assert!(is_place(0x7f00_0000_0000 + offset, 64), "{offset}");
        }
        // What is less aligned lies beside others; what is more aligned is mapped to 64 bytes all the same.
        assert!(is_place(0x7f00_0000_0010, 16) && is_place(0x7f00_0000_0040, 65536));
        // Memory that is not mapped has no address.
        assert!(is_place(0, 256));
    }
}
