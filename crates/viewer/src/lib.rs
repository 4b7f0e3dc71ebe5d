//! The window: shows a scene through the same frame path as pictures, plays it, and lets mouse and keys change it. It
//! must not skin or shade anything itself: a picture of the scene has the same bytes.
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
pub use finding::FindCenters;
pub use keys::{Action, BINDINGS, Binding, Chord, look_up};
pub use pace::Moving;
pub use stage::{FADE_SECS, Stage};
pub use still::{Start, still};

use winit::error::EventLoopError;
use winit::event_loop::{EventLoop, EventLoopProxy};

use sinew_image::Image;
use sinew_model::Model;
use sinew_scene::environment::Environment;
use sinew_scene::framing;
use sinew_scene::scene::Scene;
use sinew_skinning::pose::{ClipMix, PoseChoice};
use sinew_system::threads::Task;
use sinew_vulkan::{DeviceChoice, InstanceOptions, Pacing, PhysicalDevice, VulkanError};

/// How to open a window.
pub struct Options {
    /// How to open Vulkan.
    pub instance: InstanceOptions,
    /// Which device to use.
    pub device: DeviceChoice,
    /// The folder for compiled pipelines.
    pub cache: Option<PathBuf>,
    /// When pictures reach the screen.
    pub pacing: Pacing,
    /// The initial state.
    pub start: Start,
    /// The other of two files.
    pub other: Option<Arc<Model>>,
    /// Finds centres of rotation, on a thread of its own.
    pub find_centers: FindCenters,
    /// Ends the program, where the window system leaves no other way.
    pub end: End,
    /// The list of files, with the one that is shown.
    pub files: Vec<OsString>,
    /// Makes the small pictures of the list, on a thread of its own; without it, there are none.
    pub thumbnails: Option<Box<dyn MakeThumbnails>>,
}

/// Ends the program at once because of what its argument says.
pub type End = fn(&str) -> !;

/// Takes a model to the device, or says why it does not fit.
pub type Upload<'a> = dyn FnMut(&Arc<Model>) -> Result<(), String> + 'a;

/// Tasks that the window leaves to the program.
pub trait Errands {
    /// Writes a picture of the scene and returns a message that says where.
    fn write_picture(
        &mut self,
        scene: &Scene,
        picture: &Image,
        device: &PhysicalDevice,
    ) -> Result<String, String>;
    /// Writes a pose for a model's file and returns a message that says where.
    fn write_pose(&mut self, file: &str, mix: &ClipMix, model: &Model) -> Result<String, String>;
    /// How the last window was left, as [`Errands::keep_habits`] was told it; empty for the first.
    fn habits(&self) -> String;
    /// Keeps how the window is left.
    fn keep_habits(&mut self, text: &str);
    /// Files shown before this one, the newest first.
    fn recent(&self) -> Vec<OsString>;
    /// The models that names of files, folders and patterns stand for, or in one line why there are none.
    fn list(&self, names: &[OsString]) -> Result<Vec<OsString>, String>;
    /// The models in the folder of the current file.
    fn beside(&self) -> Vec<OsString>;
    /// Prints a text for the user, on one line.
    fn say(&mut self, text: &str);
    /// Begins to load a file, without waiting for it.
    fn begin(&mut self, file: &OsStr);
    /// Begins to load the current file again; one that is only partly written is an error.
    fn begin_again(&mut self);
    /// How much of that file is read, from 0 to 1.
    fn share(&self) -> f64;
    /// Whether all of it is read, or it failed.
    fn is_read(&self) -> bool;
    /// Waits for that file, has `upload` take its model to the device, and makes it the current one, or explains in one line
    /// why it cannot; `None` if none was begun.
    fn end(&mut self, upload: &mut Upload<'_>) -> Option<Result<Arc<Model>, String>>;
    /// Leaves that file.
    fn give_up(&mut self);
    /// Reads a picture of light all around, and watches it from now on.
    fn environment(&mut self, file: &OsStr) -> Result<Environment, String>;
    /// Reads the command line's pose file again; `None` if there is no such file, or it belongs to another model.
    fn read_pose(&mut self, model: &Model) -> Option<Result<PoseChoice, String>>;
    /// The edited pose that a window with the current file left when it ended early.
    fn lost(&mut self, model: &Model) -> Option<ClipMix>;
    /// Throws that pose away.
    fn forget(&mut self);
    /// Keeps the edited pose until it is saved, in case the window ends early; `None` keeps none. If that fails, says why.
    fn keep(&mut self, mix: Option<&ClipMix>, model: &Model) -> Result<(), String>;
    /// The file that changed on disk since it was last read, if any.
    fn changed(&mut self) -> Option<Watched>;
}

/// A file that is read again when it changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Watched {
    /// A file of the model.
    Model,
    /// The pose file.
    Pose,
    /// The light all around.
    Environment,
}

/// Why there is no window, or no longer one.
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
    // Where the first thread's stack is small, the program runs on another.
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
    // Keeps the edits, whatever the end.
    let closed = viewer.close();
    ended.map_err(|error| match error {
        EventLoopError::ExitFailure(_) => ViewerError::Window(ending::BROKEN.to_owned()),
        error => ViewerError::Window(error.to_string()),
    })?;
    closed
}

/// The README is tested with the documentation.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;
