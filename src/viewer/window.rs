//! One window: its events become actions, and its frames pictures of the stage.
//! It must not know what an action does to the scene.

use std::ffi::{OsStr, OsString};
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant};

use glam::DVec2;
use winit::application::ApplicationHandler;
use winit::dpi::{PhysicalPosition, PhysicalSize};
use winit::event::{ElementState, KeyEvent, MouseButton, MouseScrollDelta, StartCause, WindowEvent};
use winit::event_loop::{ActiveEventLoop, ControlFlow};
use winit::keyboard::{Key, KeyCode, KeyLocation, ModifiersState, NamedKey, PhysicalKey};
use winit::raw_window_handle::HasDisplayHandle;
use winit::window::{Window, WindowId};

use super::keys::{self, Action};
use super::stage::Stage;
use super::{Errands, Options, Stop, ViewerError};
use crate::model::Model;
use crate::render::{GpuModel, Renderer, open_presenting_device};
use crate::scene::Scene;
use crate::vulkan::{Device, Instance, Presenter, Shown, Surface, VulkanError};

/// How much nearer a notch of the wheel goes.
const NOTCH: f64 = 0.88;

/// How often it is looked whether the file has changed.
const LOOKS: Duration = Duration::from_millis(500);

/// Two clicks within this time, and this many pixels, are one.
const DOUBLE_CLICK: (Duration, f64) = (Duration::from_millis(400), 5.0);

/// Pixels of a trackpad that are as much as a notch.
const PIXELS_A_NOTCH: f64 = 40.0;

/// What lets the window be drawn in. Declared, and so dropped, from what is used to what it is made of.
struct Drawing {
    presenter: Option<Presenter>,
    /// Whether the window system has said that the swapchain does no longer.
    is_outdated: bool,
    gpu: GpuModel,
    renderer: Renderer,
    surface: Rc<Surface>,
    device: Arc<Device>,
    window: Arc<Window>,
}

/// The viewer as the window system sees it.
pub struct Viewer<'a> {
    drawing: Option<Drawing>,
    stage: Stage,
    model: Arc<Model>,
    /// The file that is shown.
    file: OsString,
    options: Options,
    errands: &'a mut dyn Errands,
    modifiers: ModifiersState,
    cursor: PhysicalPosition<f64>,
    /// The button that is held, if any.
    held: Option<MouseButton>,
    /// When and where a button was last pressed.
    clicked: Option<(Instant, PhysicalPosition<f64>)>,
    /// When the last frame was drawn, while something moves.
    last_frame: Option<Instant>,
    /// What the title bar says.
    title: String,
    failure: Option<ViewerError>,
}

impl<'a> Viewer<'a> {
    pub fn new(
        model: Arc<Model>,
        file: OsString,
        scene: Scene,
        options: Options,
        errands: &'a mut dyn Errands,
    ) -> Self {
        let mut stage = Stage::new(scene, Arc::clone(&model));
        stage.clock = options.clock;
        Self {
            drawing: None,
            stage,
            model,
            file,
            options,
            errands,
            modifiers: ModifiersState::default(),
            cursor: PhysicalPosition::default(),
            held: None,
            clicked: None,
            last_frame: None,
            title: String::new(),
            failure: None,
        }
    }

    /// Ends everything, and says what went wrong.
    pub fn close(self) -> Result<(), ViewerError> {
        if let Some(drawing) = self.drawing {
            drawing.close();
        }
        self.failure.map_or(Ok(()), Err)
    }

    /// Opens the window and everything that draws in it.
    fn open(&mut self, events: &ActiveEventLoop) -> Result<Drawing, ViewerError> {
        let [width, height] = self.stage.scene.size;
        let wanted = Window::default_attributes()
            .with_title(format!("sinew - {}", self.stage.scene.model))
            .with_inner_size(PhysicalSize::new(width, height));
        let failed = |error: &dyn std::fmt::Display| ViewerError::Window(error.to_string());
        let window = Arc::new(events.create_window(wanted).map_err(|error| failed(&error))?);
        let display = events.display_handle().map_err(|error| failed(&error))?.as_raw();
        let mut options = self.options.instance.clone();
        options.display = Some(display);
        let instance = Arc::new(Instance::new(&options)?);
        let surface = Rc::new(Surface::new(&instance, Arc::clone(&window))?);
        let device = open_presenting_device(&instance, &self.options.device, &surface)?;
        let renderer = Renderer::new(Arc::clone(&device), self.options.cache.as_deref())?;
        let mut gpu = renderer.upload_framed(Arc::clone(&self.model), &self.stage.scene.pose)?;
        self.stage.set_points(gpu.outline_of(&self.stage.scene));
        let mut drawing =
            Drawing { presenter: None, is_outdated: false, gpu, renderer, surface, device, window };
        drawing.follow(self.options.pacing)?;
        Ok(drawing)
    }

    /// Draws the stage as it is now.
    fn draw(&mut self) -> Result<(), ViewerError> {
        let Some(drawing) = &mut self.drawing else { return Ok(()) };
        let now = Instant::now();
        if let Some(last) = self.last_frame.filter(|_| self.stage.is_moving()) {
            self.stage.tick(now.duration_since(last).as_secs_f64());
        }
        self.last_frame = self.stage.is_moving().then_some(now);
        if !drawing.follow(self.options.pacing)? {
            return Ok(());
        }
        let Drawing { presenter: Some(presenter), gpu, renderer, .. } = drawing else { return Ok(()) };
        self.stage.scene.size = presenter.size();
        self.stage.set_points(gpu.outline_of(&self.stage.scene));
        renderer.draw(gpu, &self.stage.scene)?;
        let shown = renderer.show(presenter)?;
        match shown {
            Shown::Yes => {}
            Shown::Outdated => {
                drawing.is_outdated = true;
                drawing.window.request_redraw();
            }
            Shown::Lost => {
                return Err(VulkanError::NoSurface { cause: "its surface was lost".to_owned() }.into());
            }
        }
        let title = self.stage.title();
        if self.title != title {
            drawing.window.set_title(&format!("{title} - sinew"));
            self.title = title;
        }
        if self.stage.is_moving() {
            drawing.window.request_redraw();
        }
        Ok(())
    }

    /// Shows a file in the place of the one that is shown. One that cannot be loaded changes nothing.
    fn load(&mut self, file: &OsStr) -> Result<(), ViewerError> {
        let Some(drawing) = &mut self.drawing else { return Ok(()) };
        let model = match self.errands.load(file) {
            Ok(model) => Arc::new(model),
            Err(error) => {
                self.errands.say(&format!("error: {error}"));
                return Ok(());
            }
        };
        drawing.gpu = drawing.renderer.upload(Arc::clone(&model))?;
        self.stage.show(model, &file.to_string_lossy());
        self.file = file.to_owned();
        self.redraw();
        Ok(())
    }

    /// Turns around what is under the cursor from now on.
    fn set_pivot(&mut self) {
        let Some(drawing) = &mut self.drawing else { return };
        let pixel = DVec2::new(self.cursor.x, self.cursor.y);
        if let Some(hit) = drawing.renderer.pick(&mut drawing.gpu, &self.stage.scene, pixel) {
            self.stage.turn_around(hit.place);
            self.redraw();
        }
    }

    fn press(&mut self, button: MouseButton) {
        self.held = Some(button);
        let (within, apart) = DOUBLE_CLICK;
        let now = (Instant::now(), self.cursor);
        let before = self.clicked.replace(now).filter(|_| button == MouseButton::Left);
        let is_second = before.is_some_and(|(when, place)| {
            now.0.duration_since(when) < within && (place.x - now.1.x).hypot(place.y - now.1.y) < apart
        });
        if is_second {
            self.clicked = None;
            self.set_pivot();
        }
    }

    fn key(&mut self, events: &ActiveEventLoop, event: &KeyEvent) {
        let Some(name) = name(event) else { return };
        let (ctrl, shift) =
            (self.modifiers.control_key() || self.modifiers.super_key(), self.modifiers.shift_key());
        let Some(binding) = keys::look_up(&name, ctrl, shift) else { return };
        let is_pressed = event.state == ElementState::Pressed;
        match binding.action {
            // Held, it shows the other mode; let go, this one.
            Action::Flip if !event.repeat => self.act(events, Action::Flip),
            Action::Flip => {}
            action if is_pressed => self.act(events, action),
            _ => {}
        }
    }

    fn act(&mut self, events: &ActiveEventLoop, action: Action) {
        match action {
            Action::Quit => events.exit(),
            Action::Help => self.errands.say(&keys::help()),
            Action::Copy => self.errands.say(&self.stage.scene.to_string()),
            Action::Screenshot => self.write_picture(),
            action => self.stage.act(action),
        }
        self.redraw();
    }

    fn write_picture(&mut self) {
        let Some(drawing) = &mut self.drawing else { return };
        let scene = &self.stage.scene;
        let drawn = drawing.renderer.picture(&mut drawing.gpu, scene);
        let said = match drawn {
            Ok(picture) => self.errands.write_picture(scene, &picture, drawing.device.physical()),
            Err(error) => error.to_string(),
        };
        self.errands.say(&said);
    }

    fn redraw(&self) {
        if let Some(drawing) = &self.drawing {
            drawing.window.request_redraw();
        }
    }

    fn moved(&mut self, to: PhysicalPosition<f64>) {
        let by = DVec2::new(to.x - self.cursor.x, to.y - self.cursor.y);
        self.cursor = to;
        match self.held {
            Some(MouseButton::Left) if !self.modifiers.shift_key() => self.stage.drag(by),
            Some(MouseButton::Left | MouseButton::Middle | MouseButton::Right) => self.stage.pan(by),
            _ => return,
        }
        self.redraw();
    }

    fn wheel(&mut self, delta: MouseScrollDelta) {
        let notches = match delta {
            MouseScrollDelta::LineDelta(_, lines) => f64::from(lines),
            MouseScrollDelta::PixelDelta(pixels) => pixels.y / PIXELS_A_NOTCH,
        };
        self.stage.zoom(NOTCH.powf(notches), DVec2::new(self.cursor.x, self.cursor.y));
        self.redraw();
    }

    /// Remembers the first failure and closes the window.
    fn fail(&mut self, events: &ActiveEventLoop, failure: ViewerError) {
        self.failure.get_or_insert(failure);
        events.exit();
    }
}

impl Drawing {
    /// Makes the swapchain as large as the window; whether there is anything to draw on.
    fn follow(&mut self, pacing: crate::vulkan::Pacing) -> Result<bool, VulkanError> {
        let PhysicalSize { width, height } = self.window.inner_size();
        let wanted = [width, height];
        match &mut self.presenter {
            None => {
                self.presenter = Presenter::new(&self.device, &self.surface, wanted, pacing)?;
                Ok(self.presenter.is_some())
            }
            Some(presenter) => match presenter.fits(wanted)? {
                Some(true) if !self.is_outdated => Ok(true),
                Some(_) => {
                    self.is_outdated = false;
                    presenter.renew(wanted)
                }
                None => Ok(false),
            },
        }
    }

    fn close(self) {
        let Self { presenter, gpu, renderer, surface, device, window, .. } = self;
        drop((presenter, gpu, renderer, surface));
        device.close();
        drop(window);
    }
}

impl ApplicationHandler<Stop> for Viewer<'_> {
    fn resumed(&mut self, events: &ActiveEventLoop) {
        if self.drawing.is_some() {
            return;
        }
        events.set_control_flow(ControlFlow::WaitUntil(Instant::now() + LOOKS));
        match self.open(events) {
            Ok(drawing) => {
                drawing.window.request_redraw();
                self.drawing = Some(drawing);
            }
            Err(failure) => self.fail(events, failure),
        }
    }

    fn new_events(&mut self, events: &ActiveEventLoop, cause: StartCause) {
        if !matches!(cause, StartCause::ResumeTimeReached { .. }) {
            return;
        }
        events.set_control_flow(ControlFlow::WaitUntil(Instant::now() + LOOKS));
        if self.errands.has_changed()
            && let Err(failure) = self.load(&self.file.clone())
        {
            self.fail(events, failure);
        }
    }

    fn user_event(&mut self, events: &ActiveEventLoop, Stop: Stop) {
        events.exit();
    }

    fn window_event(&mut self, events: &ActiveEventLoop, _: WindowId, event: WindowEvent) {
        match event {
            WindowEvent::CloseRequested | WindowEvent::Destroyed => events.exit(),
            WindowEvent::Resized(_)
            | WindowEvent::ScaleFactorChanged { .. }
            | WindowEvent::Occluded(false) => {
                self.redraw();
            }
            WindowEvent::ModifiersChanged(modifiers) => self.modifiers = modifiers.state(),
            WindowEvent::KeyboardInput { event, is_synthetic: false, .. } => self.key(events, &event),
            WindowEvent::CursorMoved { position, .. } => self.moved(position),
            WindowEvent::MouseInput { state: ElementState::Pressed, button, .. } => self.press(button),
            WindowEvent::DroppedFile(file) => {
                if let Err(failure) = self.load(file.as_os_str()) {
                    self.fail(events, failure);
                }
            }
            WindowEvent::MouseInput { state: ElementState::Released, .. } => self.held = None,
            WindowEvent::MouseWheel { delta, .. } => self.wheel(delta),
            WindowEvent::PinchGesture { delta, .. } => {
                self.stage.zoom((-delta).exp(), DVec2::new(self.cursor.x, self.cursor.y));
                self.redraw();
            }
            WindowEvent::Focused(false) => self.held = None,
            WindowEvent::RedrawRequested => {
                if let Err(failure) = self.draw() {
                    self.fail(events, failure);
                }
            }
            _ => {}
        }
    }
}

/// What the table of keys calls a key.
fn name(event: &KeyEvent) -> Option<String> {
    if event.location == KeyLocation::Numpad
        && let PhysicalKey::Code(code) = event.physical_key
    {
        let digit = match code {
            KeyCode::Numpad1 => Some("Numpad1"),
            KeyCode::Numpad3 => Some("Numpad3"),
            KeyCode::Numpad5 => Some("Numpad5"),
            KeyCode::Numpad7 => Some("Numpad7"),
            _ => None,
        };
        if let Some(digit) = digit {
            return Some(digit.to_owned());
        }
    }
    match &event.logical_key {
        Key::Character(text) => Some(unshifted(text).to_owned()),
        Key::Named(NamedKey::Space) => Some("Space".to_owned()),
        Key::Named(named) => Some(format!("{named:?}")),
        _ => None,
    }
}

/// What a key with Shift is without it, where the table tells them apart by Shift alone.
fn unshifted(text: &str) -> &str {
    match text {
        ">" | ":" => ".",
        "<" | ";" => ",",
        other => other,
    }
}
