//! The initial state of a window, and a picture of its first frame.

use std::ffi::OsString;
use std::sync::Arc;

use super::clock::{Clock, Repeat};
use super::content::Content;
use super::pace::Moving;
use super::stage::{FADE_SECS, Stage};
use sinew_image::Image;
use sinew_model::{Model, VertexIndex, VertexName};
use sinew_render::{GpuModel, Renderer};
use sinew_scene::scene::Scene;
use sinew_skinning::pose::Names;
use sinew_vulkan::VulkanError;

/// The state of a window, besides the scene, when it opens.
#[derive(Clone, Debug, PartialEq)]
pub struct Start {
    /// The playback clock.
    pub clock: Clock,
    /// Duration of a fade between clips.
    pub fade_secs: f64,
    /// True if the panel is open.
    pub panel: bool,
    /// True to show the line below the picture.
    pub status: bool,
    /// The quality while something is moved; `None` is that of the last window.
    pub moving: Option<Moving>,
    /// The chosen node.
    pub chosen: Option<usize>,
    /// The pinned vertex.
    pub kept: Option<VertexIndex>,
    /// Text beside the picture, paragraph by paragraph, the first as its title.
    pub text: Vec<String>,
    /// Size of the picture for which the viewpoint was chosen, if the window has another.
    pub composed: Option<[u32; 2]>,
}

impl Default for Start {
    fn default() -> Self {
        Self {
            clock: Clock::default(),
            fade_secs: FADE_SECS,
            panel: false,
            status: true,
            moving: None,
            chosen: None,
            kept: None,
            text: Vec::new(),
            composed: None,
        }
    }
}

impl Start {
    /// Returns the flags that open a window in this state, each after a space.
    pub fn flags(&self, model: &Model) -> String {
        let mut flags = String::new();
        let mut add = |flag: &str, value: String| flags.extend([" --", flag, value.as_str()]);
        if self.panel {
            add("panel", String::new());
        }
        if !self.status {
            add("no-status", String::new());
        }
        if let Some(node) = self.chosen {
            add("choose", format!("='{}'", Names::new(model).node_name(node).replace('\'', r"'\''")));
        }
        if let Some(vertex) = self.kept {
            add("vertex", format!(" {}", VertexName::of(model, vertex)));
        }
        if !self.clock.is_running {
            add("paused", String::new());
        }
        if self.clock.speed != 1.0 {
            add("speed", format!("={}", self.clock.speed));
        }
        if self.clock.repeat != Repeat::Loop {
            add("repeat", format!(" {}", self.clock.repeat.name()));
        }
        if self.fade_secs != FADE_SECS {
            add("fade", format!(" {}", self.fade_secs));
        }
        flags
    }

    pub(super) fn content(self, mut stage: Stage, recent: Vec<OsString>) -> Content {
        stage.clock = self.clock;
        stage.fade_secs = self.fade_secs;
        stage.chosen = self.chosen;
        stage.kept = self.kept;
        if let Some(size) = self.composed {
            stage.compose(size);
        }
        let mut content = Content::new(stage, recent);
        content.ui.is_open = self.panel;
        content.ui.has_status = self.status;
        content.ui.text = self.text;
        content.ui.moving = self.moving.unwrap_or_default();
        content
    }
}

/// Draws a picture of a window, at the size of the scene.
///
/// # Errors
/// If Vulkan fails.
pub fn still(
    renderer: &mut Renderer,
    gpu: &mut GpuModel,
    scene: &Scene,
    start: Start,
) -> Result<Image, VulkanError> {
    let [width, height] = scene.size;
    let mut content = start.content(Stage::new(scene.clone(), Arc::clone(gpu.model())), Vec::new());
    content.is_measured = false;
    content.stage.set_broad_side(gpu.broad_side(scene));
    content.stage.set_points(gpu.hull_of(scene));
    let screen = egui::Rect::from_min_size(egui::Pos2::ZERO, egui::vec2(width as f32, height as f32));
    // Some of the layout depends on sizes of the previous frame.
    for number in 0..3 {
        let input = egui::RawInput {
            screen_rect: Some(screen),
            time: Some(f64::from(number)),
            ..egui::RawInput::default()
        };
        content.frame(renderer, gpu, scene.size, 1.0, input)?;
    }
    renderer.read_canvas()
}
