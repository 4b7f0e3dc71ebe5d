//! The window: shows a scene through the frame path of pictures, plays it, and lets mouse and keys change it. It must
//! not skin or shade anything itself: a picture of the scene has identical bytes.
#![forbid(unsafe_code)]
#![cfg_attr(not(test), warn(clippy::disallowed_methods, clippy::print_stderr, clippy::print_stdout))]

mod clipboard;
mod clock;
mod content;
mod drawing;
mod ending;
mod files;
mod finding;
mod gizmo;
mod habits;
mod joints_under;
mod keyboard;
mod keys;
mod pace;
mod stage;
mod still;
mod topics;
mod ui;
mod window;

use std::ffi::{OsStr, OsString};
use std::path::PathBuf;
use std::sync::Arc;

pub use clock::{Clock, Repeat};
pub use files::{MakeThumbnails, NoThumbnail, Thumbnail};
pub use finding::Prepare;
pub use habits::Habits;
pub use keys::{Action, BINDINGS, Binding, Chord, look_up};
pub use pace::Moving;
pub use stage::{FADE_SECS, Stage};
pub use still::{Start, still};

use winit::error::EventLoopError;
use winit::event_loop::{EventLoop, EventLoopProxy};

use sinew_image::Image;
use sinew_model::Model;
use sinew_render::Renderer;
use sinew_scene::environment::Environment;
use sinew_scene::framing;
use sinew_scene::scene::Scene;
use sinew_skinning::pose::{ClipMix, PoseChoice};
use sinew_skinning::reweight::PlacedEdit;
use sinew_system::threads::Task;
use sinew_vulkan::{DeviceChoice, InstanceOptions, Pacing, VulkanError};

/// Options of a window.
pub struct Options {
    /// Options of the Vulkan instance.
    pub instance: InstanceOptions,
    /// Choice of the device.
    pub device: DeviceChoice,
    /// The folder for compiled pipelines.
    pub cache: Option<PathBuf>,
    /// Timing of presentation.
    pub pacing: Pacing,
    /// The initial state.
    pub start: Start,
    /// The window layout as last saved; the default for the first window.
    pub habits: Habits,
    /// The other of two files.
    pub other: Option<Arc<Model>>,
    /// Computes centres of rotation, on a separate thread.
    pub prepare: Prepare,
    /// Ends the program, if the window system leaves no other way.
    pub end: End,
    /// The list of files, including the shown one.
    pub files: Vec<OsString>,
    /// Produces the thumbnails of the list, on a separate thread; without it, there are none.
    pub thumbnails: Option<Box<dyn MakeThumbnails>>,
}

/// Ends the program at once; the argument is the reason.
pub type End = fn(&str) -> !;

/// Uploads a model to the device, or explains why it does not fit.
pub type Upload<'a> = dyn FnMut(&Arc<Model>) -> Result<(), String> + 'a;

/// Tasks that the window leaves to the program: reading and writing files, and keeping state that outlives the window.
pub trait Errands {
    /// Returns files shown before this one, the newest first.
    fn recent(&self) -> Vec<OsString>;
    /// Returns the models that file names, folders and patterns match, or explains in one line why there are none.
    fn list(&self, names: &[OsString]) -> Result<Vec<OsString>, String>;
    /// Returns the models in the folder of the current file.
    fn beside(&self) -> Vec<OsString>;
    /// Starts loading a file, without waiting for it.
    fn begin(&mut self, file: &OsStr);
    /// Starts reloading the current file; a partly written one is an error.
    fn begin_again(&mut self);
    /// Returns the share of that file that is read, from 0 to 1.
    fn share(&self) -> f64;
    /// Returns true if it is completely read, or failed.
    fn is_read(&self) -> bool;
    /// Waits for that file, passes its model to `upload`, and makes it the current one, or explains in one line why
    /// it cannot; `None` if none is loading.
    fn end(&mut self, upload: &mut Upload<'_>) -> Option<Result<Arc<Model>, String>>;
    /// Cancels loading that file.
    fn give_up(&mut self);
    /// Reads an environment picture, and watches it from now on.
    fn environment(&mut self, file: &OsStr) -> Result<Environment, String>;
    /// Reads the command line's pose file again; `None` without such a file, or if it belongs to another model.
    fn read_pose(&mut self, model: &Model) -> Option<Result<PoseChoice, String>>;
    /// Returns the file that changed on disk since it was last read, if any.
    fn changed(&mut self) -> Option<Watched>;
    /// Writes a picture of the scene and returns a message with its path.
    fn write_picture(
        &mut self,
        scene: &Scene,
        picture: &Image,
        renderer: &Renderer,
    ) -> Result<String, String>;
    /// Writes a pose for a model's file and returns a message with its path.
    fn write_pose(&mut self, file: &str, mix: &ClipMix, model: &Model) -> Result<String, String>;
    /// Writes a model with edited weights, and the edits as a recipe, and returns a message with their paths.
    fn write_weights(&mut self, file: &str, edits: &[PlacedEdit], model: &Model) -> Result<String, String>;
    /// Prints a text for the user, on one line.
    fn say(&mut self, text: &str);
    /// Saves the window's layout.
    fn keep_habits(&mut self, habits: &Habits);
    /// Returns the edited pose that a window with the current file left when it ended early.
    fn lost(&mut self, model: &Model) -> Option<ClipMix>;
    /// Discards lost edits.
    fn forget(&mut self);
    /// Keeps the edited pose until it is saved, in case the window ends early; `None` discards it. Explains a
    /// failure.
    fn keep(&mut self, mix: Option<&ClipMix>, model: &Model) -> Result<(), String>;
    /// Returns the edits of weights that a window with the current file left when it ended early.
    fn lost_weights(&mut self) -> Vec<PlacedEdit>;
    /// Keeps edits of weights until they are saved, in case the window ends early; an empty list discards them.
    /// Explains a failure.
    fn keep_weights(&mut self, edits: &[PlacedEdit]) -> Result<(), String>;
}

/// A file that is reloaded when it changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Watched {
    /// A file of the model.
    Model,
    /// The pose file.
    Pose,
    /// The environment picture.
    Environment,
}

/// The reason why the window failed to open, or closed.
#[derive(Debug, thiserror::Error)]
pub enum ViewerError {
    /// There is no display to open it on.
    #[error("no display to open a window on ({0}); --screenshot OUT.png draws a picture without one")]
    NoDisplay(String),
    /// The window system failed.
    #[error("the window failed: {0}")]
    Window(String),
    /// Vulkan failed.
    #[error(transparent)]
    Vulkan(#[from] VulkanError),
}

/// The request to close the window.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stop;

/// Closes the window from another thread.
pub struct Stopper(EventLoopProxy<Stop>);

impl Stopper {
    /// Closes the window if it is still open.
    pub fn stop(&self) {
        let _ = self.0.send_event(Stop);
    }
}

/// Shows a scene of a model's file until the window is closed; `ready` receives the [`Stopper`] that closes it.
pub fn run(
    model: Arc<Model>,
    file: OsString,
    scene: Scene,
    options: Options,
    errands: &mut dyn Errands,
    ready: impl FnOnce(Stopper),
) -> Result<(), ViewerError> {
    let no_display = |error: EventLoopError| {
        // winit's whole message has many lines and source positions; the reason comes last.
        let text = error.to_string();
        let last = text.rsplit(": ").next().unwrap_or(&text).trim();
        ViewerError::NoDisplay(last.to_owned())
    };
    // Computing the hull takes as long as opening the window, so both run at once.
    let outline = {
        let (model, pose, framing) = (Arc::clone(&model), scene.pose.clone(), scene.framed_by());
        Task::begin(move || framing::hull_of(&model, &pose, framing))
    };
    let mut events = EventLoop::with_user_event();
    // On systems with a small stack on the first thread, the program runs on another.
    #[cfg(target_os = "linux")]
    {
        winit::platform::x11::EventLoopBuilderExtX11::with_any_thread(&mut events, true);
        winit::platform::wayland::EventLoopBuilderExtWayland::with_any_thread(&mut events, true);
    }
    let events = events.build().map_err(no_display)?;
    ending::watch(&events, options.end);
    ready(Stopper(events.create_proxy()));
    let mut viewer = window::Viewer::new(model, file, scene, options, errands, outline);
    let ended = events.run_app(&mut viewer);
    // Keeps the edits, for any reason of closing.
    let closed = viewer.close();
    ended.map_err(|error| match error {
        EventLoopError::ExitFailure(_) => ViewerError::Window(ending::BROKEN.to_owned()),
        error => ViewerError::Window(error.to_string()),
    })?;
    closed
}

/// Includes the README, so that its examples run as documentation tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;
