//! What a window shows, frame by frame: the stage's picture, and what is laid out around and over it.
//! It must not know windows: a picture of one is made the same way.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::time::{Duration, Instant};

use egui::RawInput;
use glam::DVec2;

use super::Watched;
use super::gizmo::{Gizmo, REACH};
use super::stage::Stage;
use super::ui::{Dot, Facts, Held, LaidOut, Numbers, Ui};
use crate::render::{GpuModel, Painting, Renderer};
use crate::scene::{Arrangement, Scene};
use sinew_model::VertexIndex;
use sinew_skinning::pose::Pose;
use sinew_skinning::posed::count_vertices;
use sinew_skinning::probe::Probe;
use sinew_vulkan::VulkanError;

/// How long it is said what was done.
const SAID: Duration = Duration::from_secs(3);

/// How large a joint's rings are, in points.
const RING: f64 = 70.0;

/// The most vertices that are skinned by the processor, frame by frame, to find the one under the cursor.
const MOST_HOVERED: u64 = 300_000;

/// What a window shows.
pub struct Content {
    /// The scene and its time.
    pub stage: Stage,
    /// The panel.
    pub ui: Ui,
    /// What hands hold on the picture.
    pub held: Held,
    /// The cursor's pixel in the picture, while it is over it.
    pub cursor: Option<DVec2>,
    /// Files that were shown before, the newest first.
    pub recent: Vec<OsString>,
    /// The rings of the chosen joint as they were last shown.
    pub gizmo: Option<Gizmo>,
    /// The vertex under the cursor, as of the last frame.
    pub hovered: Option<VertexIndex>,
    /// Whether times are taken; without them a picture is always the same.
    pub is_measured: bool,
    room: [[u32; 2]; 2],
    numbers: Numbers,
    /// What was done, and how long that is said.
    said: Option<(String, Instant)>,
    /// What is wrong, said until it is not.
    wrong: BTreeMap<Watched, String>,
    pose: Pose,
    /// How many pixels a point has.
    points: f64,
}

impl Content {
    /// Shows a stage.
    pub fn new(stage: Stage, recent: Vec<OsString>) -> Self {
        let room = [[0, 0], stage.scene.size];
        Self {
            stage,
            ui: Ui::default(),
            held: Held::Nothing,
            cursor: None,
            recent,
            gizmo: None,
            hovered: None,
            is_measured: true,
            room,
            numbers: Numbers::default(),
            said: None,
            wrong: BTreeMap::new(),
            pose: Pose::default(),
            points: 1.0,
        }
    }

    /// Says for a while what was done.
    pub fn say(&mut self, text: &str) {
        self.said = Some((text.to_owned(), Instant::now() + SAID));
    }

    /// Says what is wrong with a file until [`Content::mend`].
    pub fn complain(&mut self, about: Watched, text: &str) {
        self.said = None;
        self.wrong.insert(about, text.to_owned());
    }

    /// Nothing is wrong with it any more.
    pub fn mend(&mut self, about: Watched) {
        self.wrong.remove(&about);
    }

    /// When it was said long enough what was done.
    pub fn silence(&self) -> Option<Instant> {
        self.said.as_ref().map(|(_, until)| *until)
    }

    /// Whether something besides the picture is shown.
    pub fn is_laid_out(&self) -> bool {
        self.ui.is_shown(self.said.is_some() || !self.wrong.is_empty())
    }

    /// Where the picture's left upper pixel is.
    pub fn corner(&self) -> DVec2 {
        let [x, y] = self.room[0].map(f64::from);
        DVec2::new(x, y)
    }

    /// What a hand at a pixel of the picture would take hold of; `points` is how many pixels a point has.
    pub fn grip(&self, pixel: DVec2, points: f64) -> Held {
        let scene = &self.stage.scene;
        let (inside, _) = scene.locate(pixel);
        if let Some(axis) = self.gizmo.as_ref().and_then(|gizmo| gizmo.hit(inside, REACH * points)) {
            return Held::Ring(axis, pixel - inside);
        }
        let line = scene.wipe_column().filter(|column| (column - pixel.x).abs() <= REACH * points);
        if line.is_some() { Held::Line } else { Held::Nothing }
    }

    /// Draws a frame of this size onto the renderer's canvas; `points` is how many pixels a point has.
    pub fn frame(
        &mut self,
        renderer: &mut Renderer,
        gpu: &mut GpuModel,
        size: [u32; 2],
        points: f64,
        input: RawInput,
    ) -> Result<LaidOut, VulkanError> {
        self.points = points;
        if self.silence().is_some_and(|until| Instant::now() >= until) {
            self.said = None;
        }
        let laid_out = match self.is_laid_out() {
            true => self.lay_out(renderer, gpu, size, input)?,
            false => {
                (self.gizmo, self.hovered) = (None, None);
                LaidOut::nothing(size)
            }
        };
        self.room = laid_out.room;
        self.draw(renderer, gpu, size, &laid_out.painting)?;
        Ok(laid_out)
    }

    /// Lays the panel out, again where the picture gets another size by it.
    fn lay_out(
        &mut self,
        renderer: &mut Renderer,
        gpu: &mut GpuModel,
        size: [u32; 2],
        input: RawInput,
    ) -> Result<LaidOut, VulkanError> {
        let again = RawInput { events: Vec::new(), ..input.clone() };
        if self.ui.is_open {
            self.numbers = self.measured(renderer, gpu)?;
        }
        self.look(renderer, gpu);
        let first = self.laid_out(renderer, gpu, input);
        if first.room == self.room {
            return Ok(first);
        }
        self.room = first.room;
        self.stage.scene.size = first.room[1].map(|side| side.max(1));
        self.look(renderer, gpu);
        let mut second = self.laid_out(renderer, gpu, again);
        second.wishes.splice(0..0, first.wishes);
        second.platform.commands.splice(0..0, first.platform.commands);
        second.room[0] = second.room[0].map(|at| at.min(size[0].max(size[1])));
        Ok(second)
    }

    /// Finds what is marked on the picture.
    fn look(&mut self, renderer: &mut Renderer, gpu: &mut GpuModel) {
        let scene = &self.stage.scene;
        self.pose.set(gpu.model(), &scene.pose);
        (self.gizmo, self.hovered) = (None, None);
        if !self.ui.is_open {
            return;
        }
        let camera = renderer.camera(gpu, scene);
        let joint = self.stage.chosen.filter(|_| !self.stage.is_bound());
        let placed = joint.and_then(|node| self.pose.world_from_node.get(node));
        self.gizmo =
            placed.and_then(|placed| Gizmo::new(&camera, scene.pane_size(), placed, RING * self.points));
        let is_quick = !self.stage.is_moving() || self.numbers.vertices <= MOST_HOVERED;
        if let Some(pixel) = self.cursor.filter(|_| is_quick && self.held == Held::Nothing) {
            self.hovered = renderer.pick(gpu, scene, pixel).map(|hit| hit.nearest);
        }
    }

    fn laid_out(&mut self, renderer: &mut Renderer, gpu: &mut GpuModel, input: RawInput) -> LaidOut {
        let name = self.stage.kept.or(self.hovered);
        let probe = name.and_then(|name| Some((name, Probe::new(gpu.model(), &self.pose, name)?)));
        let dots = probe.as_ref().map(|(_, probe)| dots(renderer, gpu, &self.stage, probe));
        let ring = match (self.held, self.cursor) {
            (Held::Ring(axis, _), _) => Some(axis),
            (Held::Nothing, Some(cursor)) => match self.grip(cursor, self.points) {
                Held::Ring(axis, _) => Some(axis),
                Held::Line | Held::Nothing => None,
            },
            _ => None,
        };
        let said = self.said.as_ref().map(|(text, _)| (text.as_str(), false));
        let facts = Facts {
            pose: Some(&self.pose),
            numbers: Some(&self.numbers),
            probe: probe.as_ref().zip(dots).map(|((name, probe), dots)| (*name, probe, dots)),
            gizmo: self.gizmo.as_ref(),
            ring,
            origins: origins(&self.stage.scene),
            part: self.stage.scene.pane_size(),
            message: said.or(self.wrong.values().next().map(|wrong| (wrong.as_str(), true))),
            recent: &self.recent,
        };
        self.ui.lay_out(input, &mut self.stage, &facts)
    }

    /// What is known of the last frame.
    fn measured(&self, renderer: &Renderer, gpu: &GpuModel) -> Result<Numbers, VulkanError> {
        let physical = renderer.device().physical();
        Ok(Numbers {
            device: physical.name.clone(),
            passes: if self.is_measured { renderer.frame_times()? } else { Vec::new() },
            vertices: count_vertices(gpu.model()),
            draws: gpu.draw_count(),
            palette_bytes: gpu.palette_bytes(),
            ..self.numbers.clone()
        })
    }

    fn draw(
        &mut self,
        renderer: &mut Renderer,
        gpu: &mut GpuModel,
        size: [u32; 2],
        painting: &Painting,
    ) -> Result<(), VulkanError> {
        let [corner, room] = self.room;
        let start = Instant::now();
        self.stage.scene.size = room.map(|side| side.max(1));
        self.stage.set_points(gpu.hull_of(&self.stage.scene));
        renderer.draw(gpu, &self.stage.scene)?;
        self.numbers.prepare_millis = self.is_measured.then(|| start.elapsed().as_secs_f64() * 1e3);
        renderer.fill_canvas(size, corner, painting)
    }

    /// What it took from one frame to the next.
    pub fn set_between(&mut self, between: Option<Duration>) {
        self.numbers.between_millis = between.map(|between| between.as_secs_f64() * 1e3);
    }
}

impl LaidOut {
    /// Nothing but the picture.
    fn nothing(size: [u32; 2]) -> Self {
        Self {
            painting: Painting::default(),
            room: [[0, 0], size],
            wishes: Vec::new(),
            platform: egui::PlatformOutput::default(),
            again: None,
        }
    }
}

/// Where the pictures begin that make up a scene's; the sides of a wipe are one.
fn origins(scene: &Scene) -> Vec<[u32; 2]> {
    match &scene.arrangement {
        Arrangement::Single | Arrangement::Wipe(_) => vec![[0, 0]],
        Arrangement::Split(_) => scene.panes().iter().map(|pane| pane.origin).collect(),
    }
}

/// Where the pictures have each mode's place for a vertex.
fn dots(renderer: &mut Renderer, gpu: &mut GpuModel, stage: &Stage, probe: &Probe) -> Vec<Dot> {
    let scene = &stage.scene;
    let camera = renderer.camera(gpu, scene);
    let dot = |(mode, place): (_, [f32; 3])| {
        let pixel = camera.pixel(glam::Vec3::from(place).as_dvec3(), scene.pane_size())?;
        Some((mode, pixel))
    };
    let mut dots = Vec::new();
    for [x, y] in origins(scene) {
        let moved =
            |(mode, pixel): (_, DVec2)| Dot { mode, pixel: pixel + DVec2::new(f64::from(x), f64::from(y)) };
        dots.extend(probe.placed.into_iter().filter_map(dot).map(moved));
    }
    dots
}
