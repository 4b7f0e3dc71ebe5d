//! The window: shows a scene by the same path as pictures, plays it, and lets hands and keys change it.
//! It must not skin or shade anything itself: a picture of the scene has the same bytes.

mod clipboard;
mod clock;
mod content;
mod drawing;
mod gizmo;
mod keyboard;
mod keys;
mod stage;
mod still;
mod ui;
mod window;

use std::ffi::{OsStr, OsString};
use std::path::PathBuf;
use std::sync::Arc;

pub use clock::{Clock, Repeat};
pub use keys::{Action, BINDINGS, Binding, Chord, look_up};
pub use stage::{FADE_SECS, Stage};
pub use still::{Start, still};

use winit::error::EventLoopError;
use winit::event_loop::{EventLoop, EventLoopProxy};

use crate::framing;
use crate::image::Image;
use crate::scene::Scene;
use sinew_model::Model;
use sinew_skinning::pose::{ClipMix, PoseChoice};
use sinew_vulkan::{DeviceChoice, InstanceOptions, Pacing, PhysicalDevice, VulkanError};

/// How a window is opened.
pub struct Options {
    /// How Vulkan is opened.
    pub instance: InstanceOptions,
    /// On which device.
    pub device: DeviceChoice,
    /// The folder for compiled pipelines.
    pub cache: Option<PathBuf>,
    /// When pictures reach the screen.
    pub pacing: Pacing,
    /// How it begins.
    pub start: Start,
}

/// What the window leaves to the program that opened it.
pub trait Errands {
    /// Writes a picture of the scene, and says where.
    fn write_picture(
        &mut self,
        scene: &Scene,
        picture: &Image,
        device: &PhysicalDevice,
    ) -> Result<String, String>;
    /// Writes a pose of a model's file, and says where.
    fn write_pose(&mut self, file: &str, mix: &ClipMix, model: &Model) -> Result<String, String>;
    /// Files that were shown before this one, the newest first.
    fn recent(&self) -> Vec<OsString>;
    /// Hands a text to the user.
    fn say(&mut self, text: &str);
    /// Loads a file, or says in one line why it cannot be.
    fn load(&mut self, file: &OsStr) -> Result<Model, String>;
    /// Loads the file that was last loaded as it is now; one that is not whole is an error.
    fn reload(&mut self) -> Result<Model, String>;
    /// Reads the pose of the command line again; `None` where no file has it, or only another model's.
    fn read_pose(&mut self, model: &Model) -> Option<Result<PoseChoice, String>>;
    /// What has changed on disk since it was last read, if anything.
    fn changed(&mut self) -> Option<Watched>;
}

/// What is read again when it changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Watched {
    /// A file of the model.
    Model,
    /// The file of the pose.
    Pose,
}

/// Why there is no window, or no more.
#[derive(Debug, thiserror::Error)]
pub enum ViewerError {
    /// There is nowhere to open one.
    #[error("no display to open a window on ({0}); --screenshot OUT.png draws a picture without one")]
    NoDisplay(String),
    /// The window system failed.
    #[error("the window failed: {0}")]
    Window(String),
    /// Vulkan failed.
    #[error(transparent)]
    Vulkan(#[from] VulkanError),
}

/// That the window is to be closed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stop;

/// Closes the window from another thread.
pub struct Stopper(EventLoopProxy<Stop>);

impl Stopper {
    /// Closes it, if it is still there.
    pub fn stop(&self) {
        let _ = self.0.send_event(Stop);
    }
}

/// Shows a scene of a model's file until the window is closed; `ready` is handed what closes it.
pub fn run(
    model: Arc<Model>,
    file: OsString,
    scene: Scene,
    options: Options,
    errands: &mut dyn Errands,
    ready: impl FnOnce(Stopper),
) -> Result<(), ViewerError> {
    let no_display = |error: EventLoopError| {
        // The whole message has lines and places in source files; what it is about comes last.
        let text = error.to_string();
        let last = text.rsplit(": ").next().unwrap_or(&text).trim();
        ViewerError::NoDisplay(last.to_owned())
    };
    // The outline takes as long as the window does.
    let outline = {
        let (model, pose) = (Arc::clone(&model), scene.pose.clone());
        std::thread::spawn(move || framing::hull(&model, &pose))
    };
    let events = EventLoop::with_user_event().build().map_err(no_display)?;
    ready(Stopper(events.create_proxy()));
    let mut viewer = window::Viewer::new(model, file, scene, options, errands, outline);
    events.run_app(&mut viewer).map_err(|error| ViewerError::Window(error.to_string()))?;
    viewer.close()
}
