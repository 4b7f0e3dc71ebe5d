//! What lets a window be drawn in: surface, swapchain, device and the model on it, each made anew where the window
//! system takes it away. It must not know what is drawn.

use std::rc::Rc;
use std::sync::Arc;

use winit::dpi::PhysicalSize;
use winit::event_loop::ActiveEventLoop;
use winit::raw_window_handle::{HasDisplayHandle, RawDisplayHandle};
use winit::window::Window;

use super::{Options, ViewerError};
use crate::render::{GpuModel, Renderer, open_presenting_device};
use sinew_model::Model;
use sinew_vulkan::{Device, Instance, Pacing, Presenter, Shown, Surface, VulkanError};

/// How often in a row a surface may be lost before the window is given up.
const MOST_LOSSES: u32 = 8;

/// Declared, and so dropped, from what is used to what it is made of.
pub struct Drawing {
    presenter: Option<Presenter>,
    /// Whether the window system has said that the swapchain does no longer.
    is_outdated: bool,
    /// How often the surface was lost since something was last shown.
    losses: u32,
    pacing: Pacing,
    /// The model.
    pub gpu: GpuModel,
    /// Who draws it.
    pub renderer: Renderer,
    surface: Rc<Surface>,
    device: Arc<Device>,
    instance: Arc<Instance>,
    /// Where it is drawn.
    pub window: Arc<Window>,
}

impl Drawing {
    /// Opens a window and everything that draws in it.
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
        let failed = |error: &dyn std::fmt::Display| ViewerError::Window(error.to_string());
        let window = Arc::new(events.create_window(wanted).map_err(|error| failed(&error))?);
        let display = events.display_handle().map_err(|error| failed(&error))?.as_raw();
        let mut instance_options = options.instance.clone();
        instance_options.display = Some(display);
        let instance = Arc::new(Instance::new(&instance_options)?);
        let surface = Rc::new(Surface::new(&instance, Arc::clone(&window))?);
        let device = open_presenting_device(&instance, &options.device, &surface)?;
        let renderer = Renderer::new(Arc::clone(&device), options.cache.as_deref())?;
        let gpu = renderer.upload(Arc::clone(model))?;
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

    /// Makes the swapchain as large as the window; the size of what can be drawn on, if there is anything.
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

    /// Shows the renderer's canvas.
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

    /// Another surface for the same window, and a swapchain with the next frame.
    fn renew_surface(&mut self) -> Result<(), VulkanError> {
        self.losses += 1;
        if self.losses > MOST_LOSSES {
            return Err(VulkanError::NoSurface { cause: "its surface keeps getting lost".to_owned() });
        }
        tracing::debug!("the window's surface was lost");
        // The old one goes first: a window has one surface.
        self.presenter = None;
        let surface = Rc::new(Surface::new(&self.instance, Arc::clone(&self.window))?);
        self.surface = surface;
        self.window.request_redraw();
        Ok(())
    }

    /// Shows another model.
    pub fn load(&mut self, model: &Arc<Model>) -> Result<(), VulkanError> {
        // The GPU was idle when an earlier model went, but the validation layer 1.3.239 forgets what frames have read
        // of it only with the next wait, and would object to what is put into the same memory.
        self.device.wait_idle()?;
        self.gpu = self.renderer.upload(Arc::clone(model))?;
        Ok(())
    }

    /// Who it is drawn by.
    pub fn device(&self) -> &Device {
        &self.device
    }

    /// Whether the window is Wayland's.
    pub fn is_wayland(&self) -> bool {
        let display = self.window.display_handle().map(|display| display.as_raw());
        matches!(display, Ok(RawDisplayHandle::Wayland(_)))
    }

    /// Ends everything in its order.
    pub fn close(self) {
        let Self { presenter, gpu, renderer, surface, device, instance, window, .. } = self;
        drop((presenter, gpu, renderer, surface));
        device.close();
        drop((instance, window));
    }
}
