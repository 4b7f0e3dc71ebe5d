//! Device memory: allocators, each behind a private mutex.

use std::mem::ManuallyDrop;
use std::sync::{Mutex, MutexGuard, PoisonError};

use ash::vk;
use gpu_allocator::vulkan::{
    Allocation, AllocationCreateDesc, AllocationScheme, Allocator, AllocatorCreateDesc,
};
use gpu_allocator::{AllocationReport, AllocationSizes, MemoryBlockReport, MemoryLocation};

use super::error::VulkanError;
use super::instance::Instance;
use super::physical::PhysicalDevice;

pub(super) struct Memory {
    /// The general allocator. [`Memory::close`] drops it before the device.
    shared: ManuallyDrop<Mutex<Allocator>>,
    /// Allocators for textures and for pictures on a software driver, dropped like the first. Neither shares its
    /// blocks. A texture or picture would keep a shared block, and validation layer 1.3.239 reports reading a texture
    /// where a picture was as a hazard.
    of_images: ManuallyDrop<Option<[Mutex<Allocator>; 2]>>,
    /// Size from which an object gets a block without others; `None` if all objects may share blocks.
    alone: Option<u64>,
}

/// Kinds of object in device memory.
#[derive(Clone, Copy)]
pub(super) enum Object {
    Buffer(vk::Buffer),
    /// An image that is only read after its upload.
    Texture(vk::Image),
    /// An image to draw into.
    Picture(vk::Image),
}

impl Memory {
    pub(super) fn new(
        instance: &Instance,
        device: &ash::Device,
        physical: &PhysicalDevice,
    ) -> Result<Self, VulkanError> {
        let is_software = physical.is_software();
        let shared = allocator(instance, device, physical)?;
        let of_images = match is_software {
            true => Some([allocator(instance, device, physical)?, allocator(instance, device, physical)?]),
            false => None,
        };
        Ok(Self {
            shared: ManuallyDrop::new(shared),
            of_images: ManuallyDrop::new(of_images),
            alone: is_software.then_some(LARGE),
        })
    }

    /// Allocates memory for one object.
    pub(super) fn allocate(
        &self,
        name: &str,
        object: Object,
        requirements: vk::MemoryRequirements,
        location: MemoryLocation,
    ) -> Result<Allocation, VulkanError> {
        let allocation_scheme = match object {
            _ if self.alone.is_none_or(|alone| requirements.size < alone) => {
                AllocationScheme::GpuAllocatorManaged
            }
            Object::Buffer(buffer) => AllocationScheme::DedicatedBuffer(buffer),
            Object::Texture(image) | Object::Picture(image) => AllocationScheme::DedicatedImage(image),
        };
        let refused = |cause| VulkanError::Memory { name: name.to_owned(), cause };
        let allocation = self
            .lock(object)
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
            self.free(object, allocation);
            return Err(refused("the driver has mapped it nowhere".to_owned()));
        }
        Ok(allocation)
    }

    /// Returns the size from which an object of `size` bytes must share no block with others, if that matters.
    pub(super) fn alone(&self, size: u64) -> u64 {
        self.alone.map_or(size, |alone| size.max(alone))
    }

    /// Frees the memory of an object.
    pub(super) fn free(&self, object: Object, allocation: Allocation) {
        if let Err(error) = self.lock(object).free(allocation) {
            tracing::error!("device memory could not be freed: {error}");
        }
    }

    /// Returns the names of all live allocations, block by block.
    pub(super) fn blocks(&self) -> Vec<Vec<String>> {
        let allocators = std::iter::once(&*self.shared).chain(self.of_images.iter().flatten());
        let named = |allocator| {
            let report = locked(allocator).generate_report();
            let name = |allocation: &AllocationReport| allocation.name.clone();
            let block = |block: &MemoryBlockReport| {
                report.allocations.get(block.allocations.clone()).into_iter().flatten().map(name).collect()
            };
            report.blocks.iter().map(block).collect::<Vec<_>>()
        };
        allocators.flat_map(named).collect()
    }

    /// Frees all device memory.
    ///
    /// # Safety
    /// Call it once, last, while the device is still alive.
    pub(super) unsafe fn close(&mut self) {
        // SAFETY: the caller promises that nobody uses the allocators after this.
        unsafe {
            ManuallyDrop::drop(&mut self.shared);
            ManuallyDrop::drop(&mut self.of_images);
        }
    }

    fn lock(&self, object: Object) -> MutexGuard<'_, Allocator> {
        locked(match (object, self.of_images.as_ref()) {
            (Object::Texture(_), Some([of_textures, _])) => of_textures,
            (Object::Picture(_), Some([_, of_pictures])) => of_pictures,
            (Object::Buffer(_), _) | (_, None) => &self.shared,
        })
    }
}

fn locked(allocator: &Mutex<Allocator>) -> MutexGuard<'_, Allocator> {
    allocator.lock().unwrap_or_else(PoisonError::into_inner)
}

fn allocator(
    instance: &Instance,
    device: &ash::Device,
    physical: &PhysicalDevice,
) -> Result<Mutex<Allocator>, VulkanError> {
    // Leaks are reported by name through `Messages`, not by the allocator.
    let mut debug_settings = gpu_allocator::AllocatorDebugSettings::default();
    debug_settings.log_leaks_on_shutdown = false;
    Allocator::new(&AllocatorCreateDesc {
        instance: instance.raw.clone(),
        device: device.clone(),
        physical_device: physical.raw,
        debug_settings,
        buffer_device_address: false,
        allocation_sizes: block_sizes(),
    })
    .map(Mutex::new)
    .map_err(|cause| VulkanError::Memory { name: "allocator".to_owned(), cause: cause.to_string() })
}

const MIB: u64 = 1 << 20;

/// Size from which objects on a software driver get a separate allocation. Device memory there is process memory, which
/// can be allocated any number of times. A block is freed only when it is empty, so one small object would keep the
/// space of many large ones. The validation layer's best practices allow separate allocations from this size on. Below
/// it, images that live as long as a window would keep a model's blocks after the model is freed: two images of 64 KiB
/// kept 4 MiB.
const LARGE: u64 = MIB;

/// Checks that mapped memory has a valid address. If the system refuses memory, Mesa 25's software driver reports
/// success with the address of all ones (`MAP_FAILED`). Vulkan requires mapped memory to be aligned to 64 bytes, and no
/// part of such a block is.
fn is_place(address: u64, alignment: u64) -> bool {
    address.is_multiple_of(alignment.clamp(1, 64))
}

/// Returns the sizes of shared memory blocks. Software drivers have all memory on the host. Device memory comes in
/// larger blocks if there is much of it, because devices limit the number of blocks.
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
        // Objects with a lower alignment lie beside others; those with a higher one are still mapped to 64 bytes.
        assert!(is_place(0x7f00_0000_0010, 16) && is_place(0x7f00_0000_0040, 65536));
        // Unmapped memory has no address.
        assert!(is_place(0, 256));
    }
}
