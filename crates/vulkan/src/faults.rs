//! Failing Vulkan calls: hooks wrap the loader's functions, one for each call that can fail.

use std::ffi::{CStr, c_char};
use std::mem::transmute;
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use ash::vk;

use sinew_system::faults::Kind;

/// A call to fail and its result code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The call's index, in call order from 0.
    pub call: usize,
    /// Index into the codes that the call may return.
    pub code: usize,
}

/// Outcome of a fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The call that failed.
    pub call: &'static str,
    /// The code that it returned.
    pub code: vk::Result,
    /// Number of codes that it may return.
    pub codes: usize,
}

#[derive(Default)]
struct Plan {
    calls: usize,
    fault: Option<Fault>,
    answer: Option<Answer>,
}

static PLAN: Mutex<Plan> = Mutex::new(Plan { calls: 0, fault: None, answer: None });

/// Number of presented pictures.
static SHOWN: AtomicUsize = AtomicUsize::new(0);

/// True while calls that name an object fail.
static UNNAMED: AtomicBool = AtomicBool::new(false);

fn plan() -> MutexGuard<'static, Plan> {
    PLAN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Resets the call counter and sets the call to fail.
pub fn begin(fault: Option<Fault>) {
    *plan() = Plan { calls: 0, fault, answer: None };
}

/// Returns the number of calls since [`begin`], and the outcome of the fault; `None` if it was not reached.
pub fn end() -> (usize, Option<Answer>) {
    let mut plan = plan();
    plan.fault = None;
    (plan.calls, plan.answer)
}

/// Returns the number of calls since [`begin`].
pub fn calls() -> usize {
    plan().calls
}

/// Fails every call that names an object. Such calls are not counted.
pub fn refuse_names(are_refused: bool) {
    UNNAMED.store(are_refused, Ordering::Relaxed);
}

/// Returns the number of presented pictures.
pub fn shown() -> usize {
    SHOWN.load(Ordering::Relaxed)
}

/// Counts a call and returns its code if it must fail.
fn next(call: &'static str, codes: &[vk::Result]) -> Option<vk::Result> {
    let code = sinew_system::faults::next(Kind::Vulkan, call, codes.len(), b"")
        .and_then(|code| codes.get(code).copied());
    let mut plan = plan();
    let number = plan.calls;
    plan.calls += 1;
    let Some(fault) = plan.fault.filter(|fault| fault.call == number && plan.answer.is_none()) else {
        return code;
    };
    let code = *codes.get(fault.code)?;
    plan.answer = Some(Answer { call, code, codes: codes.len() });
    Some(code)
}

/// Returns true if the real call is made and only its result replaced: an acquired image that no longer fits the
/// window, a present that waits for its semaphores before it is refused, and a truncated list.
fn is_made(call: &str, code: vk::Result) -> bool {
    match code {
        vk::Result::SUBOPTIMAL_KHR | vk::Result::INCOMPLETE => true,
        OUTDATED | SURFACE => call == "vkQueuePresentKHR",
        _ => false,
    }
}

const HOST: vk::Result = vk::Result::ERROR_OUT_OF_HOST_MEMORY;
const DEVICE: vk::Result = vk::Result::ERROR_OUT_OF_DEVICE_MEMORY;
const LOST: vk::Result = vk::Result::ERROR_DEVICE_LOST;
const SURFACE: vk::Result = vk::Result::ERROR_SURFACE_LOST_KHR;
const INIT: vk::Result = vk::Result::ERROR_INITIALIZATION_FAILED;
const INCOMPLETE: vk::Result = vk::Result::INCOMPLETE;
const SUBOPTIMAL: vk::Result = vk::Result::SUBOPTIMAL_KHR;
const OUTDATED: vk::Result = vk::Result::ERROR_OUT_OF_DATE_KHR;

macro_rules! hooks {
    ($($name:ident($($argument:ident: $type:ty),*) [$($code:expr),*] $(list $list:ident)?;)*) => {
        $(
            #[allow(non_snake_case, reason = "Vulkan's own names")]
            mod $name {
                use super::*;

                pub static REAL: AtomicPtr<()> = AtomicPtr::new(std::ptr::null_mut());

                pub unsafe extern "system" fn hook($($argument: $type),*) -> vk::Result {
                    let codes: &[vk::Result] = &[$($code),*];
                    // A list may be longer than the caller expects. A query for its length alone never fails.
                    $(
                        let is_meant = |code: &&vk::Result| !$list.is_null() || **code != INCOMPLETE;
                        let codes: Vec<vk::Result> = codes.iter().filter(is_meant).copied().collect();
                        let codes = codes.as_slice();
                    )?
                    let code = next(stringify!($name), codes);
                    if let Some(code) = code.filter(|code| !is_made(stringify!($name), *code)) {
                        return code;
                    }
                    type Real = unsafe extern "system" fn($($type),*) -> vk::Result;
                    // SAFETY: `wrap` has put the function of this name there before any caller gets the hook.
                    let real: Real = unsafe { transmute(REAL.load(Ordering::Relaxed)) };
                    // SAFETY: the caller's promises are the same.
                    let answer = unsafe { real($($argument),*) };
                    let answer = code.filter(|_| answer == vk::Result::SUCCESS).unwrap_or(answer);
                    if stringify!($name) == "vkQueuePresentKHR" && answer.as_raw() >= 0 {
                        SHOWN.fetch_add(1, Ordering::Relaxed);
                    }
                    answer
                }
            }
        )*

        /// Returns the hook of a function, if it has one.
        fn wrap(name: &CStr, real: vk::PFN_vkVoidFunction) -> vk::PFN_vkVoidFunction {
            let address = real? as *mut ();
            match name.to_bytes() {
                $(
                    bytes if bytes == stringify!($name).as_bytes() => {
                        $name::REAL.store(address, Ordering::Relaxed);
                        type Hook = unsafe extern "system" fn($($type),*) -> vk::Result;
                        // SAFETY: function pointers have one size; a caller that asks by this name passes its arguments.
                        Some(unsafe { transmute::<Hook, unsafe extern "system" fn()>($name::hook) })
                    }
                )*
                b"vkSetDebugUtilsObjectNameEXT" => {
                    NAME.store(address, Ordering::Relaxed);
                    // SAFETY: as above.
                    Some(unsafe { transmute::<SetName, unsafe extern "system" fn()>(set_name) })
                }
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
type Any = *const std::ffi::c_void;

hooks! {
    vkCreateInstance(info: *const vk::InstanceCreateInfo<'_>, by: Allocator<'_>, out: *mut vk::Instance)
        [HOST, DEVICE, INIT, vk::Result::ERROR_INCOMPATIBLE_DRIVER];
    vkEnumeratePhysicalDevices(instance: vk::Instance, count: *mut u32, out: *mut vk::PhysicalDevice)
        [HOST, DEVICE, INIT, INCOMPLETE] list out;
    vkEnumerateInstanceLayerProperties(count: *mut u32, out: *mut vk::LayerProperties) [HOST, DEVICE, INCOMPLETE] list out;
    vkEnumerateInstanceExtensionProperties(layer: *const c_char, count: *mut u32, out: *mut vk::ExtensionProperties)
        [HOST, DEVICE, vk::Result::ERROR_LAYER_NOT_PRESENT, INCOMPLETE] list out;
    vkEnumerateDeviceExtensionProperties(physical: vk::PhysicalDevice, layer: *const c_char, count: *mut u32, out: *mut vk::ExtensionProperties)
        [HOST, DEVICE, vk::Result::ERROR_LAYER_NOT_PRESENT, INCOMPLETE] list out;
    vkCreateDebugUtilsMessengerEXT(instance: vk::Instance, info: Any, by: Allocator<'_>, out: *mut vk::DebugUtilsMessengerEXT)
        [HOST];
    vkCreateXlibSurfaceKHR(instance: vk::Instance, info: Any, by: Allocator<'_>, out: *mut vk::SurfaceKHR) [HOST, DEVICE];
    vkCreateXcbSurfaceKHR(instance: vk::Instance, info: Any, by: Allocator<'_>, out: *mut vk::SurfaceKHR) [HOST, DEVICE];
    vkCreateWaylandSurfaceKHR(instance: vk::Instance, info: Any, by: Allocator<'_>, out: *mut vk::SurfaceKHR)
        [HOST, DEVICE];
    vkGetPhysicalDeviceSurfaceSupportKHR(physical: vk::PhysicalDevice, family: u32, surface: vk::SurfaceKHR, out: *mut vk::Bool32)
        [HOST, DEVICE, SURFACE];
    vkGetPhysicalDeviceSurfaceFormatsKHR(physical: vk::PhysicalDevice, surface: vk::SurfaceKHR, count: *mut u32, out: *mut vk::SurfaceFormatKHR)
        [HOST, DEVICE, SURFACE, INCOMPLETE] list out;
    vkGetPhysicalDeviceSurfacePresentModesKHR(physical: vk::PhysicalDevice, surface: vk::SurfaceKHR, count: *mut u32, out: *mut vk::PresentModeKHR)
        [HOST, DEVICE, SURFACE, INCOMPLETE] list out;
    vkCreateDevice(physical: vk::PhysicalDevice, info: *const vk::DeviceCreateInfo<'_>, by: Allocator<'_>, out: *mut vk::Device)
        [HOST, DEVICE, INIT, vk::Result::ERROR_TOO_MANY_OBJECTS, LOST];
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
        [HOST, DEVICE, INCOMPLETE] list out;
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
        [HOST, DEVICE, LOST, vk::Result::TIMEOUT];
    vkResetFences(device: vk::Device, count: u32, fences: *const vk::Fence) [DEVICE];
    vkDeviceWaitIdle(device: vk::Device) [HOST, DEVICE, LOST];
    vkCreateSwapchainKHR(device: vk::Device, info: *const vk::SwapchainCreateInfoKHR<'_>, by: Allocator<'_>, out: *mut vk::SwapchainKHR)
        [HOST, DEVICE, LOST, SURFACE, vk::Result::ERROR_NATIVE_WINDOW_IN_USE_KHR, INIT];
    vkGetSwapchainImagesKHR(device: vk::Device, chain: vk::SwapchainKHR, count: *mut u32, out: *mut vk::Image)
        [HOST, DEVICE, INCOMPLETE] list out;
    vkAcquireNextImageKHR(device: vk::Device, chain: vk::SwapchainKHR, timeout: u64, semaphore: vk::Semaphore, fence: vk::Fence, out: *mut u32)
        [HOST, DEVICE, LOST, OUTDATED, SURFACE, SUBOPTIMAL];
    vkQueuePresentKHR(queue: vk::Queue, info: *const vk::PresentInfoKHR<'_>) [HOST, DEVICE, LOST, OUTDATED, SURFACE, SUBOPTIMAL];
    vkGetPhysicalDeviceSurfaceCapabilitiesKHR(physical: vk::PhysicalDevice, surface: vk::SurfaceKHR, out: *mut vk::SurfaceCapabilitiesKHR)
        [HOST, DEVICE, SURFACE];
}

/// The function that names an object.
type SetName =
    unsafe extern "system" fn(vk::Device, *const vk::DebugUtilsObjectNameInfoEXT<'_>) -> vk::Result;

static NAME: AtomicPtr<()> = AtomicPtr::new(std::ptr::null_mut());

unsafe extern "system" fn set_name(
    device: vk::Device,
    info: *const vk::DebugUtilsObjectNameInfoEXT<'_>,
) -> vk::Result {
    if UNNAMED.load(Ordering::Relaxed) {
        return HOST;
    }
    // SAFETY: `wrap` has put the function there before any caller gets the hook.
    let real: SetName = unsafe { transmute(NAME.load(Ordering::Relaxed)) };
    // SAFETY: the caller's promises are the same.
    unsafe { real(device, info) }
}

static INSTANCE_FUNCTIONS: AtomicPtr<()> = AtomicPtr::new(std::ptr::null_mut());
static DEVICE_FUNCTIONS: AtomicPtr<()> = AtomicPtr::new(std::ptr::null_mut());

unsafe extern "system" fn instance_function(
    instance: vk::Instance,
    name: *const c_char,
) -> vk::PFN_vkVoidFunction {
    // SAFETY: `hooked` has put the loader's function there before any caller gets this one.
    let real: vk::PFN_vkGetInstanceProcAddr =
        unsafe { transmute(INSTANCE_FUNCTIONS.load(Ordering::Relaxed)) };
    // SAFETY: the caller's promises are the same, among them that the name is a C string.
    unsafe { wrap(CStr::from_ptr(name), real(instance, name)) }
}

unsafe extern "system" fn device_function(device: vk::Device, name: *const c_char) -> vk::PFN_vkVoidFunction {
    // SAFETY: `wrap` has put the loader's function there before any caller gets this one.
    let real: vk::PFN_vkGetDeviceProcAddr = unsafe { transmute(DEVICE_FUNCTIONS.load(Ordering::Relaxed)) };
    // SAFETY: the caller's promises are the same, among them that the name is a C string.
    unsafe { wrap(CStr::from_ptr(name), real(device, name)) }
}

/// Wraps the loader with hooks; it stays loaded.
pub(crate) fn hooked(entry: ash::Entry) -> ash::Entry {
    let real = entry.static_fn().get_instance_proc_addr as *mut ();
    INSTANCE_FUNCTIONS.store(real, Ordering::Relaxed);
    std::mem::forget(entry);
    // SAFETY: it is the loader's function but for the hooks, and the library is never unloaded.
    unsafe { ash::Entry::from_static_fn(ash::StaticFn { get_instance_proc_addr: instance_function }) }
}
