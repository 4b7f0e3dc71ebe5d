//! The content of a window, frame by frame: the stage's picture, the panel around it and the marks over it.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::time::{Duration, Instant};

use egui::RawInput;
use glam::{DVec2, DVec3};

use super::Watched;
use super::files::{Files, Thumbnails};
use super::finding::Finding;
use super::gizmo::{Drag, Gizmo, REACH};
use super::joints_under;
use super::pace::Pace;
use super::stage::Stage;
use super::ui::{Dot, Facts, Held, LaidOut, Numbers, PaneMarks, Ui, VertexMarks};
use sinew_model::VertexIndex;
use sinew_render::{GpuModel, Painting, Renderer};
use sinew_scene::scene::{Arrangement, Scene};
use sinew_skinning::SkinningMode;
use sinew_skinning::pose::Pose;
use sinew_skinning::probe::Probe;
use sinew_vulkan::VulkanError;

/// Display time of a message.
const SAID: Duration = Duration::from_secs(3);

/// Poll interval for work on other threads.
pub(super) const SOON: Duration = Duration::from_millis(50);

/// Length of a joint's handles, in points.
const HANDLE: f64 = 70.0;

/// Number of vertices above which the vertex under the cursor is not found while something moves. Finding it skins
/// them all on the CPU in every frame.
const MAX_HOVERED: u64 = 300_000;

/// The content of a window.
pub struct Content {
    /// The scene and its time.
    pub stage: Stage,
    /// The panel.
    pub ui: Ui,
    /// The mouse's hold on the picture.
    pub held: Held,
    /// The cursor's pixel, while it is over the picture.
    pub cursor: Option<DVec2>,
    /// Recently shown files, the newest first.
    pub recent: Vec<OsString>,
    /// The list of files.
    pub files: Files,
    /// Produces their thumbnails; without it, there are none.
    pub thumbnails: Option<Thumbnails>,
    /// Number of files dragged over the window.
    pub hovering: usize,
    /// The handles of the chosen joint, as of the last frame.
    pub gizmo: Option<Gizmo>,
    /// The drag of a handle.
    pub drag: Option<Drag>,
    /// True if drags go in steps.
    pub is_stepped: bool,
    /// The pixels of the pinned joints, as of the last frame.
    pins: Vec<DVec2>,
    /// The vertex under the cursor, as of the last frame.
    pub hovered: Option<VertexIndex>,
    /// The vertex that the panel lists. It stays while the cursor is on the panel, so that the list does not shrink
    /// under it.
    pub listed: Option<VertexIndex>,
    /// The file being loaded, and the share of it that is read.
    pub loading: Option<(String, f64)>,
    /// The quality while something is moved.
    pub pace: Pace,
    /// The joint under the cursor, as of the last frame.
    pub pointed: Option<usize>,
    /// True to measure times; otherwise equal content always gives an identical picture.
    pub is_measured: bool,
    /// The search for centres of rotation; without it, drawing waits for them.
    pub finding: Option<Finding>,
    /// Progress of the search in percent, while it runs.
    pub found: Option<u32>,
    room: [[u32; 2]; 2],
    numbers: Numbers,
    /// The message, and its expiry time.
    said: Option<(String, Instant)>,
    /// Errors about files; each stays until it is fixed.
    wrong: BTreeMap<Watched, String>,
    pose: Pose,
    /// Pixels per point.
    points: f64,
}

impl Content {
    /// Creates the content for a stage.
    pub fn new(stage: Stage, recent: Vec<OsString>) -> Self {
        let room = [[0, 0], stage.scene.size];
        Self {
            stage,
            ui: Ui::default(),
            held: Held::Nothing,
            cursor: None,
            recent,
            files: Files::default(),
            thumbnails: None,
            hovering: 0,
            gizmo: None,
            drag: None,
            is_stepped: false,
            pins: Vec::new(),
            hovered: None,
            listed: None,
            loading: None,
            pace: Pace::default(),
            pointed: None,
            is_measured: true,
            finding: None,
            found: None,
            room,
            numbers: Numbers::default(),
            said: None,
            wrong: BTreeMap::new(),
            pose: Pose::default(),
            points: 1.0,
        }
    }

    /// Shows a message for a while.
    pub fn say(&mut self, text: &str) {
        self.said = Some((text.to_owned(), Instant::now() + SAID));
    }

    /// Shows an error about a file until [`Content::mend`].
    pub fn complain(&mut self, about: Watched, text: &str) {
        self.said = None;
        self.wrong.insert(about, text.to_owned());
    }

    /// Removes the error about a file.
    pub fn mend(&mut self, about: Watched) {
        self.wrong.remove(&about);
    }

    /// Returns the expiry time of the current message.
    pub fn silence(&self) -> Option<Instant> {
        self.said.as_ref().map(|(_, until)| *until)
    }

    /// Returns true if anything besides the picture is shown.
    fn is_laid_out(&self) -> bool {
        let is_marked = self.pointed.is_some()
            || self.stage.chosen.is_some()
            || (self.stage.is_selecting && !self.stage.selected().is_empty())
            || matches!(self.held, Held::Rectangle(_));
        let is_said = self.said.is_some() || self.found.is_some() || !self.wrong.is_empty();
        let is_there = self.loading.is_some() || self.ui.has_status || self.ui.is_hinting;
        self.ui.takes_events() || is_there || is_marked || is_said || self.hovering > 0
    }

    /// Returns the joint that the picture shows under the cursor.
    pub fn joint_under(&self, renderer: &Renderer) -> Option<usize> {
        let is_free =
            |pixel: &DVec2| self.held == Held::Nothing && self.grip(*pixel, self.points) == Held::Nothing;
        let pixel = self.cursor.filter(is_free)?;
        joints_under::joint_at(renderer, &self.stage.scene, pixel, self.points)
    }

    /// Returns the marks of the joint under the cursor, and of the chosen one if it has no rings.
    fn joint_marks(&self, renderer: &Renderer) -> [Vec<PaneMarks>; 2] {
        let chosen = self.stage.chosen.filter(|_| self.gizmo.is_none());
        [self.pointed, chosen].map(|node| match node {
            Some(node) => joints_under::marks(renderer.spots(), &self.stage.scene, node),
            None => Vec::new(),
        })
    }

    /// Returns the top left pixel of the picture.
    pub fn corner(&self) -> DVec2 {
        let [x, y] = self.room[0].map(f64::from);
        DVec2::new(x, y)
    }

    /// Returns the object under the mouse at a pixel of the picture; `points` is the number of pixels per point.
    pub fn grip(&self, pixel: DVec2, points: f64) -> Held {
        let scene = &self.stage.scene;
        let inside = scene.locate(pixel).pixel;
        if let Some(handle) = self.gizmo.as_ref().and_then(|gizmo| gizmo.hit(inside, REACH * points)) {
            return Held::Handle(handle, pixel - inside);
        }
        let line = scene.wipe_column().filter(|column| (column - pixel.x).abs() <= REACH * points);
        if line.is_some() { Held::Line } else { Held::Nothing }
    }

    /// Returns true if the cursor is over the line of a wipe, or drags it.
    fn is_on_line(&self) -> bool {
        let is_over = |pixel: DVec2| self.grip(pixel, self.points) == Held::Line;
        self.held == Held::Line || (self.held == Held::Nothing && self.cursor.is_some_and(is_over))
    }

    /// Draws a frame of this size onto the renderer's canvas; `points` is the number of pixels per point.
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
        let needs = self.stage.scene.needs();
        self.found = self.finding.as_mut().and_then(|finding| finding.percent(gpu.model(), needs));
        self.pointed = self.joint_under(renderer);
        let mut laid_out = match self.is_laid_out() {
            true => self.lay_out(renderer, gpu, size, input)?,
            false => {
                (self.gizmo, self.hovered) = (None, None);
                LaidOut::nothing(size)
            }
        };
        self.room = laid_out.room;
        let marked = self.joint_marks(renderer);
        self.draw(renderer, gpu, size, &laid_out.painting)?;
        let is_skinned_alike = self.stage.skinned == *renderer.skinned();
        if !is_skinned_alike {
            self.stage.skinned = renderer.skinned().clone();
        }
        // Marks and words were laid out over the previous picture.
        if !is_skinned_alike
            || self.joint_marks(renderer) != marked
            || self.joint_under(renderer) != self.pointed
        {
            laid_out.again = Some(Duration::ZERO);
        }
        if self.found.is_some() {
            let again = laid_out.again.map_or(SOON, |again| again.min(SOON));
            laid_out.again = Some(again);
        }
        Ok(laid_out)
    }

    /// Lays out the panel, and once more if that changes the size of the picture.
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
        self.stage.resize(first.room[1]);
        self.look(renderer, gpu);
        let mut second = self.laid_out(renderer, gpu, again);
        second.wishes.splice(0..0, first.wishes);
        second.platform.commands.splice(0..0, first.platform.commands);
        second.room[0] = second.room[0].map(|at| at.min(size[0].max(size[1])));
        Ok(second)
    }

    /// Finds the handles of the chosen joint, and the joint or else the vertex under the cursor.
    fn look(&mut self, renderer: &mut Renderer, gpu: &mut GpuModel) {
        let scene = &self.stage.scene;
        (self.gizmo, self.hovered) = (None, None);
        self.pins.clear();
        if !self.ui.is_open {
            return;
        }
        self.pose.set_with(gpu.model(), &scene.pose, scene.inject);
        let camera = renderer.camera(gpu, scene);
        // Handles would be in the way of a rectangle.
        let is_free = !self.stage.is_bound() && !self.stage.is_selecting;
        let joint = self.stage.chosen.filter(|_| is_free);
        let placed = joint.and_then(|node| self.stage.placed(&self.pose, node));
        let how = (self.stage.tool, self.stage.axes);
        let length = HANDLE * self.points;
        self.gizmo = placed.and_then(|placed| Gizmo::new(&camera, scene.pane_size(), placed, how, length));
        let pixel = |pin: DVec3| camera.pixel(pin, scene.pane_size());
        self.pins = self.stage.pinned().filter_map(pixel).collect();
        self.pointed = self.joint_under(renderer);
        let is_quick =
            self.pointed.is_none() && (!self.stage.is_moving() || self.numbers.vertices <= MAX_HOVERED);
        if let Some(pixel) = self.cursor.filter(|_| is_quick && self.held == Held::Nothing) {
            self.hovered = renderer.pick(gpu, &self.stage.scene, pixel).map(|hit| hit.nearest);
        }
    }

    /// Picks the vertex to list: the pinned one, the one under the cursor, or, while the cursor is on the panel, the
    /// previous one.
    fn list_vertex(&mut self) -> Option<VertexIndex> {
        let before = self.listed.filter(|_| self.cursor.is_none());
        self.listed = self.stage.kept.or(self.hovered).or(before).filter(|_| self.ui.is_open);
        self.listed
    }

    fn laid_out(&mut self, renderer: &mut Renderer, gpu: &mut GpuModel, input: RawInput) -> LaidOut {
        let name = self.list_vertex();
        let probe = name.and_then(|name| Some((name, Probe::new(gpu.model(), &self.pose, name)?)));
        let is_marked = self.stage.kept.or(self.hovered).is_some();
        let marks = probe.as_ref().map(|(_, probe)| match is_marked {
            true => marks(renderer, gpu, &self.stage, probe),
            false => VertexMarks::default(),
        });
        let handle = match (self.held, self.cursor) {
            (Held::Handle(handle, _), _) => Some(handle),
            (Held::Nothing, Some(cursor)) => match self.grip(cursor, self.points) {
                Held::Handle(handle, _) => Some(handle),
                Held::Line | Held::Nothing | Held::Rectangle(_) => None,
            },
            _ => None,
        };
        let origins = origins(&self.stage.scene);
        let drag = self.drag.as_ref().zip(match self.held {
            Held::Handle(_, origin) => Some(origin),
            Held::Line | Held::Nothing | Held::Rectangle(_) => None,
        });
        let size = self.stage.figure_size();
        let drag = drag.map(|(drag, origin)| (drag.at() + origin, drag.words(self.is_stepped, size)));
        let pane = |[x, y]: &[u32; 2]| DVec2::new(f64::from(*x), f64::from(*y));
        let pins = origins.iter().flat_map(|origin| self.pins.iter().map(move |pin| *pin + pane(origin)));
        let found = self.found.map(|percent| format!("finding what the mode needs: {percent} %"));
        let said = self.said.as_ref().map(|(text, _)| text.as_str()).or(found.as_deref());
        let said = said.map(|text| (text, false));
        let [pointed, chosen] = self.joint_marks(renderer);
        let facts = Facts {
            pose: Some(&self.pose),
            numbers: Some(&self.numbers),
            probe: probe.as_ref().zip(marks).map(|((name, probe), marks)| (*name, probe, marks)),
            gizmo: self.gizmo.as_ref(),
            handle,
            drag,
            pins: pins.collect(),
            origins,
            selected: self.selected(renderer, gpu),
            rectangle: match self.held {
                Held::Rectangle(from) => self.cursor.map(|to| [from, to]),
                _ => None,
            },
            pointed: self.pointed.map(|node| (self.stage.node_name(node), pointed)),
            chosen,
            is_on_line: self.is_on_line(),
            pane: self.stage.scene.pane_size(),
            message: said.or(self.wrong.values().next().map(|wrong| (wrong.as_str(), true))),
            loading: self.loading.as_ref().map(|(file, share)| (file.as_str(), *share)),
            recent: &self.recent,
            files: Some(&self.files),
            thumbnails: self.thumbnails.as_ref(),
            hovering: self.hovering,
        };
        let laid_out = self.ui.lay_out(input, &mut self.stage, &facts);
        if let Some(thumbnails) = &mut self.thumbnails {
            thumbnails.want(self.ui.seen());
        }
        laid_out
    }

    /// Returns the pixels of the selected vertices in each pane.
    fn selected(&self, renderer: &mut Renderer, gpu: &mut GpuModel) -> Vec<DVec2> {
        let (scene, vertices) = (&self.stage.scene, self.stage.selected());
        if !self.stage.is_selecting || vertices.is_empty() || scene.crowd.is_some() {
            return Vec::new();
        }
        let panes: Vec<(SkinningMode, [u32; 2])> = match &scene.arrangement {
            Arrangement::Single | Arrangement::Wipe(_) | Arrangement::WipeOther(_) => {
                vec![(scene.mode, [0, 0])]
            }
            Arrangement::Split(_) | Arrangement::Storyboard(_) => {
                let own = scene.panes().into_iter().filter(|pane| !pane.is_other);
                own.map(|pane| (pane.scene.mode, pane.origin)).collect()
            }
        };
        let of_pane = |(mode, [x, y]): (SkinningMode, [u32; 2])| {
            let origin = DVec2::new(f64::from(x), f64::from(y));
            let pixels = renderer.pixels_of(gpu, scene, mode, vertices);
            pixels.into_iter().map(move |pixel| pixel + origin)
        };
        panes.into_iter().flat_map(of_pane).collect()
    }

    /// Returns the measurements of the last frame.
    fn measured(&self, renderer: &Renderer, gpu: &GpuModel) -> Result<Numbers, VulkanError> {
        let physical = renderer.device().physical();
        Ok(Numbers {
            device: physical.name.clone(),
            passes: if self.is_measured { renderer.frame_times()? } else { Vec::new() },
            vertices: renderer.counts().vertices,
            draws: renderer.counts().draws,
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
        self.stage.resize(room);
        self.stage.set_broad_side(gpu.broad_side(&self.stage.scene));
        self.stage.set_points(gpu.hull_of(&self.stage.scene));
        let mut scene = Cow::Borrowed(&self.stage.scene);
        if self.found.is_some() {
            scene = Cow::Owned(scene.without(scene.needs().missing(gpu.model()), self.stage.other_mode()));
        }
        let look = self.pace.look(scene.look, start);
        if look != scene.look {
            scene.to_mut().look = look;
        }
        renderer.draw(gpu, &scene)?;
        self.numbers.prepare_millis = self.is_measured.then(|| start.elapsed().as_secs_f64() * 1e3);
        renderer.fill_canvas(size, corner, painting)
    }

    /// Notes the time of the last frame, while something is moved. Waits for that frame, as the next one would have
    /// to anyway.
    pub fn learn_pace(&mut self, renderer: &Renderer) -> Result<(), VulkanError> {
        self.pace.moving = self.ui.moving;
        if let Some(quality) = self.pace.last().filter(|_| self.pace.is_moving()) {
            let device: f64 = renderer.frame_times()?.iter().map(|time| time.millis).sum();
            let millis = device + self.numbers.prepare_millis.unwrap_or_default();
            self.pace.took(quality, Duration::try_from_secs_f64(millis * 1e-3).unwrap_or_default());
        }
        Ok(())
    }

    /// Sets the time between the last two frames.
    pub fn set_between(&mut self, between: Option<Duration>) {
        self.numbers.between_millis = between.map(|between| between.as_secs_f64() * 1e3);
    }
}

impl LaidOut {
    /// Returns a layout with only the picture.
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

/// Returns the top left pixel of each pane; a wipe counts as one.
fn origins(scene: &Scene) -> Vec<[u32; 2]> {
    match &scene.arrangement {
        Arrangement::Single | Arrangement::Wipe(_) | Arrangement::WipeOther(_) => vec![[0, 0]],
        Arrangement::Split(_) | Arrangement::Storyboard(_) => {
            scene.panes().iter().map(|pane| pane.origin).collect()
        }
    }
}

/// Returns the marks of a vertex in each pane.
fn marks(renderer: &mut Renderer, gpu: &mut GpuModel, stage: &Stage, probe: &Probe) -> VertexMarks {
    let scene = &stage.scene;
    let camera = renderer.camera(gpu, scene);
    let pixel = |place: [f32; 3]| camera.pixel(glam::Vec3::from(place).as_dvec3(), scene.pane_size());
    let dots = probe.placed.iter().filter_map(|&(mode, place)| Some((mode, pixel(place)?)));
    let dots: Vec<(SkinningMode, DVec2)> = dots.collect();
    let center = probe.center.filter(|_| scene.needs().centers).and_then(|center| pixel(center.placed));
    let mut marks = VertexMarks::default();
    let panes = scene.panes();
    for (number, [x, y]) in origins(scene).into_iter().enumerate() {
        let origin = DVec2::new(f64::from(x), f64::from(y));
        marks.dots.extend(dots.iter().map(|&(mode, pixel)| Dot { mode, pixel: pixel + origin }));
        let mode = panes.get(number).map_or(scene.mode, |pane| pane.scene.mode);
        let shown = dots.iter().find(|(of, _)| *of == mode).map(|(_, pixel)| *pixel);
        marks.lines.extend(shown.zip(center).map(|line| [line.0 + origin, line.1 + origin]));
    }
    marks
}
