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
        Ok(Self { allocator: ManuallyDrop::new(Mutex::new(allocator)) })
    }

    /// Takes memory for one object.
    pub(super) fn allocate(
        &self,
        name: &str,
        requirements: vk::MemoryRequirements,
        location: MemoryLocation,
        linear: bool,
    ) -> Result<Allocation, VulkanError> {
        self.lock()
            .allocate(&AllocationCreateDesc {
                name,
                requirements,
                location,
                linear,
                allocation_scheme: AllocationScheme::GpuAllocatorManaged,
            })
            .map_err(|cause| VulkanError::Memory { name: name.to_owned(), cause: cause.to_string() })
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

/// How much memory is taken at a time. A block goes back when nothing is in it any more, and one small object is enough to
/// keep it; so blocks are small, and what is larger than one, like a picture, has its own. Software drivers have all memory on
/// the host. A device's own memory comes in larger blocks where there is much of it, because devices limit their number.
fn block_sizes() -> AllocationSizes {
    const MIB: u64 = 1 << 20;
    AllocationSizes::new(16 * MIB, 4 * MIB).with_max_device_memblock_size(256 * MIB)
}
