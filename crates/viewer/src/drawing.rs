//! Everything that draws in a window: surface, swapchain, device and the model on it. Surface and swapchain are
//! recreated after the window system takes them away.

use std::rc::Rc;
use std::sync::Arc;

use winit::dpi::PhysicalSize;
use winit::event_loop::ActiveEventLoop;
#[cfg(target_os = "linux")]
use winit::platform::wayland::WindowAttributesExtWayland;
use winit::raw_window_handle::{HasDisplayHandle, RawDisplayHandle};
use winit::window::Window;

use super::{Options, ViewerError};
use sinew_model::Model;
use sinew_render::{GpuModel, Renderer, open_presenting_device};
use sinew_vulkan::{Device, Instance, Pacing, Presenter, Shown, Surface, VulkanError};

/// Number of consecutive surface losses after which the window fails.
const MAX_LOSSES: u32 = 8;

/// Resources that draw in a window. Fields drop in this order, users before what they use.
pub struct Drawing {
    presenter: Option<Presenter>,
    /// True if the swapchain is out of date.
    is_outdated: bool,
    /// Number of surface losses since the last presented frame.
    losses: u32,
    pacing: Pacing,
    /// The model on the GPU.
    pub gpu: GpuModel,
    /// The renderer.
    pub renderer: Renderer,
    surface: Rc<Surface>,
    device: Arc<Device>,
    instance: Arc<Instance>,
    /// The window.
    pub window: Arc<Window>,
}

impl Drawing {
    /// Opens a window and creates everything that draws in it.
    pub fn open(
        events: &ActiveEventLoop,
        title: &str,
        size: [u32; 2],
        options: &Options,
        model: &Arc<Model>,
    ) -> Result<Self, ViewerError> {
        let wanted = Window::default_attributes()
            .with_title(title)
            .with_inner_size(PhysicalSize::new(size[0], size[1]));
        // The program's name on desktops, which identifies its windows.
        #[cfg(target_os = "linux")]
        let wanted = WindowAttributesExtWayland::with_name(wanted, "sinew", "sinew");
        let failed = |error: &dyn std::fmt::Display| ViewerError::Window(error.to_string());
        let window = Arc::new(events.create_window(wanted).map_err(|error| failed(&error))?);
        let display = events.display_handle().map_err(|error| failed(&error))?.as_raw();
        let mut instance_options = options.instance.clone();
        instance_options.display = Some(display);
        let instance = Arc::new(Instance::new(&instance_options)?);
        let surface = Rc::new(Surface::new(&instance, Arc::clone(&window))?);
        let device = open_presenting_device(&instance, &options.device, &surface)?;
        let renderer = Renderer::new(Arc::clone(&device), options.cache.as_deref())?;
        let gpu = upload(&renderer, model, options.other.as_ref())?;
        let mut drawing = Self {
            presenter: None,
            is_outdated: false,
            losses: 0,
            pacing: options.pacing,
            gpu,
            renderer,
            surface,
            device,
            instance,
            window,
        };
        drawing.follow()?;
        Ok(drawing)
    }

    /// Resizes the swapchain to the window. Returns its size, or `None` while there is nothing to draw on.
    pub fn follow(&mut self) -> Result<Option<[u32; 2]>, VulkanError> {
        match self.try_follow() {
            Err(error) if error.is_lost_surface() => self.renew_surface().map(|()| None),
            outcome => outcome,
        }
    }

    fn try_follow(&mut self) -> Result<Option<[u32; 2]>, VulkanError> {
        let PhysicalSize { width, height } = self.window.inner_size();
        let wanted = [width, height];
        let is_there = match &mut self.presenter {
            None => {
                self.presenter = Presenter::new(&self.device, &self.surface, wanted, self.pacing)?;
                self.presenter.is_some()
            }
            Some(presenter) => match presenter.fits(wanted)? {
                Some(true) if !self.is_outdated => true,
                Some(_) => {
                    self.is_outdated = false;
                    presenter.renew(wanted)?
                }
                None => false,
            },
        };
        Ok(self.presenter.as_ref().filter(|_| is_there).map(Presenter::size))
    }

    /// Presents the renderer's canvas.
    pub fn show(&mut self) -> Result<(), VulkanError> {
        let Some(presenter) = &mut self.presenter else { return Ok(()) };
        match self.renderer.show(presenter) {
            Ok(Shown::Yes) => self.losses = 0,
            Ok(Shown::Outdated) => {
                self.is_outdated = true;
                self.window.request_redraw();
            }
            Ok(Shown::Lost) => self.renew_surface()?,
            Err(error) if error.is_lost_surface() => self.renew_surface()?,
            Err(error) => return Err(error),
        }
        Ok(())
    }

    /// Creates a new surface for the same window; the next frame creates its swapchain.
    fn renew_surface(&mut self) -> Result<(), VulkanError> {
        self.losses += 1;
        if self.losses > MAX_LOSSES {
            return Err(VulkanError::NoSurface { cause: "its surface keeps getting lost".to_owned() });
        }
        tracing::debug!("the window's surface was lost");
        // Free the old swapchain first: a window can have only one.
        self.presenter = None;
        let surface = Rc::new(Surface::new(&self.instance, Arc::clone(&self.window))?);
        self.surface = surface;
        self.window.request_redraw();
        Ok(())
    }

    /// Shows another model, and the other of two files beside it; if they do not fit, the previous one stays.
    pub fn load(&mut self, model: &Arc<Model>, other: Option<&Arc<Model>>) -> Result<(), VulkanError> {
        // The GPU was idle when the previous model was dropped. But validation layer 1.3.239 forgets the frames'
        // reads of it only at the next wait, and would object to new data in that memory.
        self.device.wait_idle()?;
        self.gpu = upload(&self.renderer, model, other)?;
        Ok(())
    }

    /// Returns the device.
    pub fn device(&self) -> &Device {
        &self.device
    }

    /// Returns true if the window runs on Wayland.
    pub fn is_wayland(&self) -> bool {
        let display = self.window.display_handle().map(|display| display.as_raw());
        matches!(display, Ok(RawDisplayHandle::Wayland(_)))
    }

    /// Closes everything in the right order.
    pub fn close(self) {
        let Self { presenter, gpu, renderer, surface, device, instance, window, .. } = self;
        drop((presenter, gpu, renderer, surface));
        device.close();
        drop((instance, window));
    }
}

/// Uploads a model, and the other of two files beside it.
fn upload(
    renderer: &Renderer,
    model: &Arc<Model>,
    other: Option<&Arc<Model>>,
) -> Result<GpuModel, VulkanError> {
    let mut gpu = renderer.upload(Arc::clone(model))?;
    renderer.upload_other(&mut gpu, other)?;
    Ok(gpu)
}
