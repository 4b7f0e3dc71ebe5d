//! Makes chosen Vulkan calls fail, for tests of what follows (feature `faults`). Every call that can fail goes through a hook
//! that counts it; the chosen one is not made, and answers with one of the codes that Vulkan allows it.

use std::ffi::{CStr, c_char};
use std::mem::transmute;
use std::sync::atomic::{AtomicPtr, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use ash::vk;

/// Which call fails, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Its number, counted from 0 in the order of the calls.
    pub call: usize,
    /// The number of the code among those that it may answer with.
    pub code: usize,
}

/// What came of a fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The call that failed.
    pub call: &'static str,
    /// What it answered.
    pub code: vk::Result,
    /// How many codes it may answer with.
    pub codes: usize,
}

#[derive(Default)]
struct Plan {
    calls: usize,
    fault: Option<Fault>,
    answer: Option<Answer>,
}

static PLAN: Mutex<Plan> = Mutex::new(Plan { calls: 0, fault: None, answer: None });

fn plan() -> MutexGuard<'static, Plan> {
    PLAN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Begins to count calls anew, of which one fails.
pub fn begin(fault: Option<Fault>) {
    *plan() = Plan { calls: 0, fault, answer: None };
}

/// How many calls were made since, and what came of the fault; `None` if it was not reached.
pub fn end() -> (usize, Option<Answer>) {
    let mut plan = plan();
    plan.fault = None;
    (plan.calls, plan.answer)
}

/// Counts a call; says what it answers if it fails.
fn next(call: &'static str, codes: &[vk::Result]) -> Option<vk::Result> {
    let mut plan = plan();
    let number = plan.calls;
    plan.calls += 1;
    let fault = plan.fault.filter(|fault| fault.call == number && plan.answer.is_none())?;
    let code = *codes.get(fault.code)?;
    plan.answer = Some(Answer { call, code, codes: codes.len() });
    Some(code)
}

const HOST: vk::Result = vk::Result::ERROR_OUT_OF_HOST_MEMORY;
const DEVICE: vk::Result = vk::Result::ERROR_OUT_OF_DEVICE_MEMORY;
const LOST: vk::Result = vk::Result::ERROR_DEVICE_LOST;
const SURFACE: vk::Result = vk::Result::ERROR_SURFACE_LOST_KHR;
const OUTDATED: vk::Result = vk::Result::ERROR_OUT_OF_DATE_KHR;

macro_rules! hooks {
    ($($name:ident($($argument:ident: $type:ty),*) [$($code:expr),*];)*) => {
        $(
            #[allow(non_snake_case, reason = "Vulkan's own names")]
            mod $name {
                use super::*;

                pub static REAL: AtomicPtr<()> = AtomicPtr::new(std::ptr::null_mut());

                pub unsafe extern "system" fn hook($($argument: $type),*) -> vk::Result {
                    if let Some(code) = next(stringify!($name), &[$($code),*]) {
                        return code;
                    }
                    type Real = unsafe extern "system" fn($($type),*) -> vk::Result;
                    // SAFETY: `wrap` has put the function of this name there before it gave anybody the hook.
                    let real: Real = unsafe { transmute(REAL.load(Ordering::Relaxed)) };
                    // SAFETY: the caller's promises are the same.
                    unsafe { real($($argument),*) }
                }
            }
        )*

        /// The hook of a function, if it has one.
        fn wrap(name: &CStr, real: vk::PFN_vkVoidFunction) -> vk::PFN_vkVoidFunction {
            let address = real? as *mut ();
            match name.to_bytes() {
                $(
                    bytes if bytes == stringify!($name).as_bytes() => {
                        $name::REAL.store(address, Ordering::Relaxed);
                        type Hook = unsafe extern "system" fn($($type),*) -> vk::Result;
                        // SAFETY: function pointers have one size; whoever asks by this name calls it with its arguments.
                        Some(unsafe { transmute::<Hook, unsafe extern "system" fn()>($name::hook) })
                    }
                )*
                b"vkGetDeviceProcAddr" => {
                    DEVICE_FUNCTIONS.store(address, Ordering::Relaxed);
                    type Hook = unsafe extern "system" fn(vk::Device, *const c_char) -> vk::PFN_vkVoidFunction;
                    // SAFETY: as above.
                    Some(unsafe { transmute::<Hook, unsafe extern "system" fn()>(device_function) })
                }
                _ => real,
            }
        }
    };
}

type Allocator<'a> = *const vk::AllocationCallbacks<'a>;

hooks! {
    vkCreateInstance(info: *const vk::InstanceCreateInfo<'_>, by: Allocator<'_>, out: *mut vk::Instance)
        [HOST, DEVICE, vk::Result::ERROR_INITIALIZATION_FAILED, vk::Result::ERROR_INCOMPATIBLE_DRIVER];
    vkEnumeratePhysicalDevices(instance: vk::Instance, count: *mut u32, out: *mut vk::PhysicalDevice)
        [HOST, DEVICE, vk::Result::ERROR_INITIALIZATION_FAILED];
    vkCreateDevice(physical: vk::PhysicalDevice, info: *const vk::DeviceCreateInfo<'_>, by: Allocator<'_>, out: *mut vk::Device)
        [HOST, DEVICE, vk::Result::ERROR_INITIALIZATION_FAILED, vk::Result::ERROR_TOO_MANY_OBJECTS, LOST];
    vkCreateBuffer(device: vk::Device, info: *const vk::BufferCreateInfo<'_>, by: Allocator<'_>, out: *mut vk::Buffer)
        [HOST, DEVICE];
    vkCreateImage(device: vk::Device, info: *const vk::ImageCreateInfo<'_>, by: Allocator<'_>, out: *mut vk::Image)
        [HOST, DEVICE];
    vkCreateImageView(device: vk::Device, info: *const vk::ImageViewCreateInfo<'_>, by: Allocator<'_>, out: *mut vk::ImageView)
        [HOST, DEVICE];
    vkCreateSampler(device: vk::Device, info: *const vk::SamplerCreateInfo<'_>, by: Allocator<'_>, out: *mut vk::Sampler)
        [HOST, DEVICE];
    vkCreateShaderModule(device: vk::Device, info: *const vk::ShaderModuleCreateInfo<'_>, by: Allocator<'_>, out: *mut vk::ShaderModule)
        [HOST, DEVICE];
    vkCreatePipelineCache(device: vk::Device, info: *const vk::PipelineCacheCreateInfo<'_>, by: Allocator<'_>, out: *mut vk::PipelineCache)
        [HOST, DEVICE];
    vkGetPipelineCacheData(device: vk::Device, cache: vk::PipelineCache, size: *mut usize, out: *mut std::ffi::c_void)
        [HOST, DEVICE];
    vkCreatePipelineLayout(device: vk::Device, info: *const vk::PipelineLayoutCreateInfo<'_>, by: Allocator<'_>, out: *mut vk::PipelineLayout)
        [HOST, DEVICE];
    vkCreateGraphicsPipelines(device: vk::Device, cache: vk::PipelineCache, count: u32, info: *const vk::GraphicsPipelineCreateInfo<'_>, by: Allocator<'_>, out: *mut vk::Pipeline)
        [HOST, DEVICE];
    vkCreateComputePipelines(device: vk::Device, cache: vk::PipelineCache, count: u32, info: *const vk::ComputePipelineCreateInfo<'_>, by: Allocator<'_>, out: *mut vk::Pipeline)
        [HOST, DEVICE];
    vkCreateDescriptorSetLayout(device: vk::Device, info: *const vk::DescriptorSetLayoutCreateInfo<'_>, by: Allocator<'_>, out: *mut vk::DescriptorSetLayout)
        [HOST, DEVICE];
    vkCreateDescriptorPool(device: vk::Device, info: *const vk::DescriptorPoolCreateInfo<'_>, by: Allocator<'_>, out: *mut vk::DescriptorPool)
        [HOST, DEVICE, vk::Result::ERROR_FRAGMENTATION];
    vkAllocateDescriptorSets(device: vk::Device, info: *const vk::DescriptorSetAllocateInfo<'_>, out: *mut vk::DescriptorSet)
        [HOST, DEVICE, vk::Result::ERROR_FRAGMENTED_POOL, vk::Result::ERROR_OUT_OF_POOL_MEMORY];
    vkCreateQueryPool(device: vk::Device, info: *const vk::QueryPoolCreateInfo<'_>, by: Allocator<'_>, out: *mut vk::QueryPool)
        [HOST, DEVICE];
    vkGetQueryPoolResults(device: vk::Device, pool: vk::QueryPool, first: u32, count: u32, size: usize, out: *mut std::ffi::c_void, stride: u64, flags: vk::QueryResultFlags)
        [HOST, DEVICE, LOST];
    vkCreateFence(device: vk::Device, info: *const vk::FenceCreateInfo<'_>, by: Allocator<'_>, out: *mut vk::Fence)
        [HOST, DEVICE];
    vkCreateSemaphore(device: vk::Device, info: *const vk::SemaphoreCreateInfo<'_>, by: Allocator<'_>, out: *mut vk::Semaphore)
        [HOST, DEVICE];
    vkCreateCommandPool(device: vk::Device, info: *const vk::CommandPoolCreateInfo<'_>, by: Allocator<'_>, out: *mut vk::CommandPool)
        [HOST, DEVICE];
    vkAllocateCommandBuffers(device: vk::Device, info: *const vk::CommandBufferAllocateInfo<'_>, out: *mut vk::CommandBuffer)
        [HOST, DEVICE];
    vkResetCommandPool(device: vk::Device, pool: vk::CommandPool, flags: vk::CommandPoolResetFlags) [DEVICE];
    vkBeginCommandBuffer(buffer: vk::CommandBuffer, info: *const vk::CommandBufferBeginInfo<'_>) [HOST, DEVICE];
    vkEndCommandBuffer(buffer: vk::CommandBuffer) [HOST, DEVICE];
    vkAllocateMemory(device: vk::Device, info: *const vk::MemoryAllocateInfo<'_>, by: Allocator<'_>, out: *mut vk::DeviceMemory)
        [HOST, DEVICE, vk::Result::ERROR_TOO_MANY_OBJECTS];
    vkMapMemory(device: vk::Device, memory: vk::DeviceMemory, offset: u64, size: u64, flags: vk::MemoryMapFlags, out: *mut *mut std::ffi::c_void)
        [HOST, DEVICE, vk::Result::ERROR_MEMORY_MAP_FAILED];
    vkBindBufferMemory(device: vk::Device, buffer: vk::Buffer, memory: vk::DeviceMemory, offset: u64) [HOST, DEVICE];
    vkBindImageMemory(device: vk::Device, image: vk::Image, memory: vk::DeviceMemory, offset: u64) [HOST, DEVICE];
    vkQueueSubmit2(queue: vk::Queue, count: u32, infos: *const vk::SubmitInfo2<'_>, fence: vk::Fence) [HOST, DEVICE, LOST];
    vkWaitForFences(device: vk::Device, count: u32, fences: *const vk::Fence, all: vk::Bool32, timeout: u64)
        [HOST, DEVICE, LOST];
    vkResetFences(device: vk::Device, count: u32, fences: *const vk::Fence) [DEVICE];
    vkDeviceWaitIdle(device: vk::Device) [HOST, DEVICE, LOST];
    vkCreateSwapchainKHR(device: vk::Device, info: *const vk::SwapchainCreateInfoKHR<'_>, by: Allocator<'_>, out: *mut vk::SwapchainKHR)
        [HOST, DEVICE, LOST, SURFACE, vk::Result::ERROR_NATIVE_WINDOW_IN_USE_KHR, vk::Result::ERROR_INITIALIZATION_FAILED];
    vkGetSwapchainImagesKHR(device: vk::Device, chain: vk::SwapchainKHR, count: *mut u32, out: *mut vk::Image) [HOST, DEVICE];
    vkAcquireNextImageKHR(device: vk::Device, chain: vk::SwapchainKHR, timeout: u64, semaphore: vk::Semaphore, fence: vk::Fence, out: *mut u32)
        [HOST, DEVICE, LOST, OUTDATED, SURFACE];
    vkQueuePresentKHR(queue: vk::Queue, info: *const vk::PresentInfoKHR<'_>) [HOST, DEVICE, LOST, OUTDATED, SURFACE];
    vkGetPhysicalDeviceSurfaceCapabilitiesKHR(physical: vk::PhysicalDevice, surface: vk::SurfaceKHR, out: *mut vk::SurfaceCapabilitiesKHR)
        [HOST, DEVICE, SURFACE];
}

static INSTANCE_FUNCTIONS: AtomicPtr<()> = AtomicPtr::new(std::ptr::null_mut());
static DEVICE_FUNCTIONS: AtomicPtr<()> = AtomicPtr::new(std::ptr::null_mut());

unsafe extern "system" fn instance_function(
    instance: vk::Instance,
    name: *const c_char,
) -> vk::PFN_vkVoidFunction {
    // SAFETY: `hooked` has put the loader's function there before it gave anybody this one.
    let real: vk::PFN_vkGetInstanceProcAddr =
        unsafe { transmute(INSTANCE_FUNCTIONS.load(Ordering::Relaxed)) };
    // SAFETY: the caller's promises are the same, among them that the name is a C string.
    unsafe { wrap(CStr::from_ptr(name), real(instance, name)) }
}

unsafe extern "system" fn device_function(device: vk::Device, name: *const c_char) -> vk::PFN_vkVoidFunction {
    // SAFETY: `wrap` has put the loader's function there before it gave anybody this one.
    let real: vk::PFN_vkGetDeviceProcAddr = unsafe { transmute(DEVICE_FUNCTIONS.load(Ordering::Relaxed)) };
    // SAFETY: the caller's promises are the same, among them that the name is a C string.
    unsafe { wrap(CStr::from_ptr(name), real(device, name)) }
}

/// The loader with hooks; it stays loaded.
pub(super) fn hooked(entry: ash::Entry) -> ash::Entry {
    let real = entry.static_fn().get_instance_proc_addr as *mut ();
    INSTANCE_FUNCTIONS.store(real, Ordering::Relaxed);
    std::mem::forget(entry);
    // SAFETY: it is the loader's function but for the hooks, and the library is never unloaded.
    unsafe { ash::Entry::from_static_fn(ash::StaticFn { get_instance_proc_addr: instance_function }) }
}
