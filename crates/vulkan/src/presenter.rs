//! A window's swapchain and the frames in flight that copy pictures to it.

use std::rc::Rc;
use std::sync::{Arc, PoisonError};

use ash::{khr, vk};

use super::commands::CommandBuffer;
use super::device::Device;
use super::error::{Named, VulkanError};
use super::image::Image;
use super::owned::Owned;
use super::surface::Surface;
use super::sync::{Fence, Semaphore};

/// Presentation timing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Pacing {
    /// Presents at the screen's refresh, and each picture lasts at least one.
    #[default]
    On,
    /// Presents at once, possibly with tearing, if the driver supports it.
    Off,
    /// Presents at the screen's refresh. A newer picture replaces a waiting one, if the driver supports it.
    Mailbox,
}

/// The outcome of showing a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shown {
    /// The picture will reach the screen.
    Yes,
    /// The window has changed. Renew the presenter first.
    Outdated,
    /// The window's surface is lost. Create a new one.
    Lost,
}

/// Maximum number of frames in flight.
const IN_FLIGHT: usize = 2;

/// A window's swapchain.
pub struct Presenter {
    chain: Chain,
    frames: Vec<InFlight>,
    next: usize,
    device: Arc<Device>,
    surface: Rc<Surface>,
    pacing: Pacing,
}

/// One frame in flight.
struct InFlight {
    commands: CommandBuffer,
    done: Fence,
    acquired: Semaphore,
}

/// A swapchain of one size.
struct Chain {
    raw: vk::SwapchainKHR,
    images: Vec<vk::Image>,
    /// One semaphore per image, signalled when the picture is copied to it.
    filled: Vec<Semaphore>,
    format: vk::Format,
    size: [u32; 2],
    functions: khr::swapchain::Device,
    /// The surface, dropped after the swapchain.
    _surface: Rc<Surface>,
    _device: Owned,
}

impl Presenter {
    /// Creates a swapchain for a window of about this size; `None` while the window has no pixels.
    pub fn new(
        device: &Arc<Device>,
        surface: &Rc<Surface>,
        wanted: [u32; 2],
        pacing: Pacing,
    ) -> Result<Option<Self>, VulkanError> {
        let Some(chain) = Chain::new(device, surface, wanted, pacing, None)? else { return Ok(None) };
        let frames = (0..IN_FLIGHT)
            .map(|number| {
                Ok(InFlight {
                    commands: CommandBuffer::new(device, &format!("present {number}"))?,
                    done: Fence::new(device, &format!("present {number} done"))?,
                    acquired: Semaphore::new(device, &format!("present {number} acquired"))?,
                })
            })
            .collect::<Result<Vec<_>, VulkanError>>()?;
        let (device, surface) = (Arc::clone(device), Rc::clone(surface));
        Ok(Some(Self { chain, frames, next: 0, device, surface, pacing }))
    }

    /// Returns the width and height of the visible area.
    pub fn size(&self) -> [u32; 2] {
        self.chain.size
    }

    /// Returns true if the swapchain still has the window's size; `None` while the window has no pixels.
    pub fn fits(&self, wanted: [u32; 2]) -> Result<Option<bool>, VulkanError> {
        let capabilities = self.surface.capabilities(self.device.physical.raw)?;
        Ok(extent(&capabilities, wanted).map(|size| size == self.chain.size))
    }

    /// Recreates the swapchain in the window's size. Returns false if the window has no pixels.
    pub fn renew(&mut self, wanted: [u32; 2]) -> Result<bool, VulkanError> {
        self.device.wait_idle()?;
        let made = Chain::new(&self.device, &self.surface, wanted, self.pacing, Some(&self.chain))?;
        let is_there = made.is_some();
        if let Some(chain) = made {
            self.chain = chain;
        }
        Ok(is_there)
    }

    /// Shows a picture in `TRANSFER_SRC_OPTIMAL` layout, starting at its upper left corner.
    pub fn show(&mut self, picture: &Image) -> Result<Shown, VulkanError> {
        let number = self.next;
        let frame = &mut self.frames[number];
        frame.done.wait()?;
        // SAFETY: swapchain and semaphore are alive, and whoever waited for the semaphore is done.
        let acquired = unsafe {
            self.chain.functions.acquire_next_image(
                self.chain.raw,
                u64::MAX,
                frame.acquired.raw,
                vk::Fence::null(),
            )
        };
        // A suboptimal image must be presented like any other, and some drivers return no others once a window has
        // changed.
        let index = match acquired {
            Ok((index, _)) => index,
            Err(vk::Result::ERROR_OUT_OF_DATE_KHR) => return Ok(Shown::Outdated),
            Err(vk::Result::ERROR_SURFACE_LOST_KHR) => return Ok(Shown::Lost),
            Err(result) => return Err(result).named("vkAcquireNextImageKHR", "window"),
        };
        self.next = (number + 1) % IN_FLIGHT;
        // The driver chose the index. An index beyond the swapchain means that it is out of date.
        let (Some(&image), Some(filled)) =
            (self.chain.images.get(index as usize), self.chain.filled.get(index as usize))
        else {
            give_up(frame);
            return Ok(Shown::Outdated);
        };
        let submitted = frame.commands.begin(None).and_then(|()| {
            frame.commands.fill_swapchain_image(picture, image, (self.chain.format, self.chain.size));
            frame.commands.submit_between(&frame.acquired, filled, &frame.done)
        });
        if let Err(error) = submitted {
            give_up(frame);
            return Err(error);
        }

        let (waits, swapchains, indices) = ([filled.raw], [self.chain.raw], [index]);
        let info = vk::PresentInfoKHR::default()
            .wait_semaphores(&waits)
            .swapchains(&swapchains)
            .image_indices(&indices);
        let queue = self.device.queue.lock().unwrap_or_else(PoisonError::into_inner);
        // SAFETY: the lock keeps other submissions away, and the image was acquired above.
        match unsafe { self.chain.functions.queue_present(*queue, &info) } {
            Ok(_) => Ok(Shown::Yes),
            Err(vk::Result::ERROR_OUT_OF_DATE_KHR) => Ok(Shown::Outdated),
            Err(vk::Result::ERROR_SURFACE_LOST_KHR) => Ok(Shown::Lost),
            Err(result) => Err(result).named("vkQueuePresentKHR", "window"),
        }
    }
}

/// Waits for an image that will not be shown. No submission has waited for its semaphore. The semaphore must not be
/// destroyed before it is signalled (validation layer 1.3.239 crashes at the next wait for the device), nor used again
/// before that.
fn give_up(frame: &InFlight) {
    let waits = [vk::SemaphoreSubmitInfo::default()
        .semaphore(frame.acquired.raw)
        .stage_mask(vk::PipelineStageFlags2::ALL_COMMANDS)];
    let work = vk::SubmitInfo2::default().wait_semaphore_infos(&waits);
    if let Err(error) = frame.done.submit(&work, "window") {
        tracing::debug!("cannot release an image: {error}");
    }
}

impl Drop for Presenter {
    fn drop(&mut self) {
        self.device.finish();
    }
}

impl Chain {
    fn new(
        device: &Arc<Device>,
        surface: &Rc<Surface>,
        wanted: [u32; 2],
        pacing: Pacing,
        old: Option<&Self>,
    ) -> Result<Option<Self>, VulkanError> {
        let capabilities = surface.capabilities(device.physical.raw)?;
        let Some(size) = extent(&capabilities, wanted) else { return Ok(None) };
        let format = format(device, surface)?;
        if !capabilities.supported_usage_flags.contains(vk::ImageUsageFlags::TRANSFER_DST) {
            let cause = "its images cannot be copied to".to_owned();
            return Err(VulkanError::NoSurface { cause });
        }
        let most = if capabilities.max_image_count == 0 { u32::MAX } else { capabilities.max_image_count };
        let info = vk::SwapchainCreateInfoKHR::default()
            .surface(surface.raw)
            .min_image_count(capabilities.min_image_count.saturating_add(1).min(most))
            .image_format(format)
            .image_color_space(vk::ColorSpaceKHR::SRGB_NONLINEAR)
            .image_extent(vk::Extent2D { width: size[0], height: size[1] })
            .image_array_layers(1)
            .image_usage(vk::ImageUsageFlags::TRANSFER_DST)
            .image_sharing_mode(vk::SharingMode::EXCLUSIVE)
            .pre_transform(capabilities.current_transform)
            .composite_alpha(composite_alpha(&capabilities))
            .present_mode(present_mode(device, surface, pacing)?)
            .clipped(true)
            .old_swapchain(old.map_or(vk::SwapchainKHR::null(), |old| old.raw));
        let functions = device.swapchain_functions();
        // SAFETY: the surface is alive, and so is what `info` points to until the call returns.
        let raw =
            unsafe { functions.create_swapchain(&info, None) }.named("vkCreateSwapchainKHR", "window")?;
        device.set_name(raw, "window");
        let mut chain = Self {
            raw,
            images: Vec::new(),
            filled: Vec::new(),
            format,
            size,
            functions,
            _surface: Rc::clone(surface),
            _device: Owned::new(device, "window"),
        };
        // SAFETY: the swapchain was made above.
        chain.images = unsafe { chain.functions.get_swapchain_images(raw) }
            .named("vkGetSwapchainImagesKHR", "window")?;
        for number in 0..chain.images.len() {
            chain.filled.push(Semaphore::new(device, &format!("window image {number} filled"))?);
        }
        Ok(Some(chain))
    }
}

impl Drop for Chain {
    fn drop(&mut self) {
        // SAFETY: the presenter has waited for the GPU; the images go with the swapchain.
        unsafe { self.functions.destroy_swapchain(self.raw, None) };
    }
}

/// Picks an 8-bit format that is shown unconverted: pictures are sRGB-encoded already.
fn format(device: &Device, surface: &Surface) -> Result<vk::Format, VulkanError> {
    // SAFETY: device and surface are of the same instance.
    let formats =
        unsafe { surface.functions.get_physical_device_surface_formats(device.physical.raw, surface.raw) }
            .named("vkGetPhysicalDeviceSurfaceFormatsKHR", "window")?;
    let is_taken = |wanted: &vk::Format| {
        let (format, color_space) = (*wanted, vk::ColorSpaceKHR::SRGB_NONLINEAR);
        formats.contains(&vk::SurfaceFormatKHR { format, color_space })
    };
    let wanted = [vk::Format::B8G8R8A8_UNORM, vk::Format::R8G8B8A8_UNORM];
    wanted
        .into_iter()
        .find(is_taken)
        .ok_or_else(|| VulkanError::NoSurface { cause: "its surface has no 8-bit sRGB format".to_owned() })
}

/// Returns the present mode of a pacing, or the mode that every driver supports.
fn present_mode(
    device: &Device,
    surface: &Surface,
    pacing: Pacing,
) -> Result<vk::PresentModeKHR, VulkanError> {
    // SAFETY: device and surface are of the same instance.
    let modes = unsafe {
        surface.functions.get_physical_device_surface_present_modes(device.physical.raw, surface.raw)
    }
    .named("vkGetPhysicalDeviceSurfacePresentModesKHR", "window")?;
    let fitting = match pacing {
        Pacing::On => vk::PresentModeKHR::FIFO,
        Pacing::Off => vk::PresentModeKHR::IMMEDIATE,
        Pacing::Mailbox => vk::PresentModeKHR::MAILBOX,
    };
    Ok(if modes.contains(&fitting) { fitting } else { vk::PresentModeKHR::FIFO })
}

/// Picks opaque composition if the window system supports it, or the nearest to it.
fn composite_alpha(capabilities: &vk::SurfaceCapabilitiesKHR) -> vk::CompositeAlphaFlagsKHR {
    [vk::CompositeAlphaFlagsKHR::OPAQUE, vk::CompositeAlphaFlagsKHR::INHERIT]
        .into_iter()
        .find(|alpha| capabilities.supported_composite_alpha.contains(*alpha))
        .unwrap_or(vk::CompositeAlphaFlagsKHR::POST_MULTIPLIED)
}

/// Returns the swapchain's size, which the window system may dictate; `None` if a side is 0.
fn extent(capabilities: &vk::SurfaceCapabilitiesKHR, wanted: [u32; 2]) -> Option<[u32; 2]> {
    let (least, most, now) =
        (capabilities.min_image_extent, capabilities.max_image_extent, capabilities.current_extent);
    let size = match now.width {
        u32::MAX => [
            wanted[0].clamp(least.width, most.width.max(least.width)),
            wanted[1].clamp(least.height, most.height.max(least.height)),
        ],
        _ => [now.width, now.height],
    };
    let is_wanted = wanted.iter().all(|side| *side > 0) && most.width > 0 && most.height > 0;
    (is_wanted && size.iter().all(|side| *side > 0)).then_some(size)
}
