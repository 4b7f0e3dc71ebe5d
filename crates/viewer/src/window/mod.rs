//! The window: maps its events to actions, and draws frames of the stage.

mod events;
mod files;
mod habits;
mod hands;
mod leaving;
mod loading;
#[cfg(feature = "faults")]
mod played;
mod pointing;
mod posing;
mod surroundings;
mod weighing;
mod writing;

use std::ffi::{OsStr, OsString};
use std::sync::Arc;
use std::time::{Duration, Instant};

use glam::DVec3;
use winit::dpi::PhysicalPosition;
use winit::event::MouseButton;
use winit::event::WindowEvent;
use winit::event_loop::ActiveEventLoop;
use winit::keyboard::ModifiersState;

use super::clipboard::Clipboard;
use super::content::Content;
use super::drawing::Drawing;
use super::files::{Dialog, Files, Thumbnails};
use super::finding::Finding;
use super::keys::Action;
use super::stage::Stage;
use super::ui::{LaidOut, Leave, SMOOTHS, Wish};
use super::{Errands, Options, ViewerError, Watched};
use sinew_model::Model;
use sinew_model::gltf::one_line;
use sinew_scene::scene::Scene;
use sinew_skinning::pose::{ClipMix, Edits};
use sinew_skinning::reweight::{Edit, PlacedEdit};
use sinew_system::give_back_memory;
use sinew_system::threads::Task;

/// Poll interval for changes of files.
const WATCH_INTERVAL: Duration = Duration::from_millis(500);

/// Delay after a frame before freed memory is returned to the system.
const TIDIES: Duration = Duration::from_secs(5);

/// Delay while a clip plays. Returning memory takes as long as a frame or two, a visible pause.
const TIDIES_MOVING: Duration = Duration::from_mins(1);

/// Time without use after which pipelines are dropped; the drop may take twice as long. Drawing with them again takes
/// as long as the first time, so quick changes back and forth must keep them.
const UNUSED: Duration = Duration::from_secs(30);

/// The message for Escape if there is nothing to close, cancel or deselect. Escape never closes the window.
const NOTHING_TO_LEAVE: &str = "nothing to cancel; Ctrl+Q closes the window";

/// A file being loaded.
struct Loading {
    file: OsString,
    since: Instant,
    why: Why,
}

impl Loading {
    /// Returns true if the user opened it and may cancel.
    fn is_opened(&self) -> bool {
        matches!(self.why, Why::Opened(..))
    }
}

/// The reason for loading a file.
enum Why {
    /// Opened by the user after a decision about these edits of pose and weights.
    Opened(Option<Edits>, Vec<PlacedEdit>),
    /// Changed on disk; edits stay.
    Changed,
}

/// The viewer, as the handler of window events.
pub struct Viewer<'a> {
    drawing: Option<Drawing>,
    /// Translates window events for egui.
    translator: Option<egui_winit::State>,
    content: Content,
    model: Arc<Model>,
    /// The current file.
    file: OsString,
    options: Options,
    errands: &'a mut dyn Errands,
    clipboard: Clipboard,
    modifiers: ModifiersState,
    cursor: PhysicalPosition<f64>,
    /// The held button, and the position of its press.
    held: Option<(MouseButton, PhysicalPosition<f64>)>,
    /// Time and position of the last press of a button.
    clicked: Option<(Instant, PhysicalPosition<f64>)>,
    /// Time of the last frame, while something moves.
    last_frame: Option<Instant>,
    /// True while a held key shows the other mode.
    is_flipped: bool,
    /// Time of egui's next requested layout.
    wakes: Option<Instant>,
    /// Time of the next check of files for changes.
    looks: Instant,
    /// Time to return freed memory, after something was drawn.
    tidies: Option<Instant>,
    /// Time from which unused pipelines may be dropped.
    forgets: Instant,
    /// The text of the title bar.
    title: String,
    failure: Option<ViewerError>,
    /// The hull, computed while the window opens.
    outline: Option<Task<Vec<DVec3>>>,
    /// Creation time of the window, the origin of the undo history's clock.
    began: Instant,
    /// The file being loaded.
    loading: Option<Loading>,
    /// The edits that are kept in case the window ends early.
    guarded: Option<Edits>,
    /// The edits of weights that are kept likewise.
    guarded_weights: Vec<PlacedEdit>,
    /// True if the user was warned that edits could not be saved.
    is_unguarded: bool,
    /// The pose that another window left, while its question is open.
    lost: Option<ClipMix>,
    /// The edits of weights that it left.
    lost_weights: Vec<PlacedEdit>,
    /// The files of the current drop.
    dropped: Vec<OsString>,
    /// User input after an event that the panel has not handled yet.
    waiting: Vec<WindowEvent>,
    /// The desktop's dialog, while it is open.
    dialog: Option<Dialog>,
}

impl<'a> Viewer<'a> {
    pub fn new(
        model: Arc<Model>,
        file: OsString,
        scene: Scene,
        mut options: Options,
        errands: &'a mut dyn Errands,
        outline: Task<Vec<DVec3>>,
    ) -> Self {
        let mut content =
            options.start.clone().content(Stage::new(scene, Arc::clone(&model)), errands.recent());
        content.ui.habits = options.habits.clone();
        // A text beside the picture says as much.
        content.ui.is_hinting = !content.ui.habits.has_seen_hint && content.ui.text.is_empty();
        content.ui.moving = options.start.moving.unwrap_or(content.ui.habits.moving);
        content.finding = Some(Finding::new(Arc::clone(&options.prepare)));
        content.files = Files::new(std::mem::take(&mut options.files), &file);
        content.thumbnails = options.thumbnails.take().map(Thumbnails::new);
        content.ui.is_listing = content.files.has_others();
        Self {
            drawing: None,
            translator: None,
            content,
            model,
            file,
            options,
            errands,
            clipboard: Clipboard::default(),
            modifiers: ModifiersState::default(),
            cursor: PhysicalPosition::default(),
            held: None,
            clicked: None,
            last_frame: None,
            is_flipped: false,
            wakes: None,
            looks: Instant::now() + WATCH_INTERVAL,
            tidies: None,
            forgets: Instant::now(),
            title: String::new(),
            failure: None,
            outline: Some(outline),
            began: Instant::now(),
            loading: None,
            guarded: None,
            guarded_weights: Vec::new(),
            is_unguarded: false,
            lost: None,
            lost_weights: Vec::new(),
            dropped: Vec::new(),
            waiting: Vec::new(),
            dialog: None,
        }
    }

    /// Closes everything and returns the first failure. Keeps edits that the user did not decide about.
    pub fn close(mut self) -> Result<(), ViewerError> {
        self.guard();
        self.keep_habits();
        drop(self.translator);
        if let Some(drawing) = self.drawing {
            drawing.close();
        }
        self.failure.map_or(Ok(()), Err)
    }

    /// Draws a frame of the stage.
    fn draw(&mut self, events: &ActiveEventLoop) -> Result<(), ViewerError> {
        self.reweigh()?;
        let Some(drawing) = &mut self.drawing else { return Ok(()) };
        let stage = &mut self.content.stage;
        let now = Instant::now();
        let between = self.last_frame.map(|last| now.duration_since(last));
        if let Some(between) = between.filter(|_| stage.is_moving()) {
            stage.tick(between.as_secs_f64());
        }
        self.last_frame = stage.is_moving().then_some(now);
        let is_held = self.held.is_some() || self.content.ui.context().is_using_pointer();
        self.content.stage.note(is_held, (now - self.began).as_secs_f64());
        let Some(size) = drawing.follow()? else { return Ok(()) };
        self.content.set_between(between);
        let points = drawing.window.scale_factor();
        let (window, translator) = (Arc::clone(&drawing.window), &mut self.translator);
        let input = match translator {
            Some(translator) => translator.take_egui_input(&window),
            None => egui::RawInput::default(),
        };
        let Drawing { gpu, renderer, .. } = drawing;
        if is_dragged(self.content.ui.context()) {
            self.content.pace.moved(now);
        }
        self.content.learn_pace(renderer)?;
        let LaidOut { wishes, mut platform, again, .. } =
            self.content.frame(renderer, gpu, size, points, input)?;
        drawing.show()?;
        let after = if self.content.stage.is_moving() { TIDIES_MOVING } else { TIDIES };
        self.tidies = self.tidies.into_iter().chain([now + after]).min();
        // Below a tenth of a second, redraw at once instead of sleeping.
        let is_soon = again.is_some_and(|again| again < Duration::from_millis(100));
        self.wakes = again.filter(|_| !is_soon).map(|again| now + again);
        if self.content.stage.is_moving() || is_soon || !wishes.is_empty() {
            window.request_redraw();
        }
        for command in std::mem::take(&mut platform.commands) {
            if let egui::OutputCommand::CopyText(text) = command {
                self.copy(&text, &text);
            }
        }
        if let Some(translator) = &mut self.translator {
            translator.handle_platform_output(&window, platform);
        }
        let title = self.content.stage.title();
        if self.title != title {
            window.set_title(&one_line(&format!("{title} - sinew - I: panel, ?: keys")));
            self.title = title;
        }
        #[cfg(feature = "faults")]
        self.play(events);
        for wish in wishes {
            match wish {
                Wish::Act(action) => self.act(events, action),
                Wish::Weigh(edit) => self.edit_selected(edit),
                Wish::Open(file) => self.leave(events, Leave::Open(file))?,
                Wish::Surround(file) => self.surround(&file),
                Wish::Say(answer) => self.answer(events, answer)?,
                Wish::Choose(file) => self.choose(events, file)?,
                Wish::Moving(moving) => self.content.ui.set_moving(moving),
            }
        }
        Ok(())
    }

    /// Returns memory to the system, and schedules another round while more may follow.
    fn tidy(&mut self) -> Result<(), ViewerError> {
        let Some(drawing) = &mut self.drawing else { return Ok(()) };
        let now = Instant::now();
        if now < self.forgets {
            self.tidies = Some(self.forgets);
        } else {
            self.forgets = now + UNUSED;
            let forgotten = drawing.renderer.forget()?;
            if forgotten.gone > 0 {
                // Only another frame frees them.
                drawing.window.request_redraw();
                self.tidies = Some(now + TIDIES);
            } else if forgotten.left > 0 {
                self.tidies = Some(self.forgets);
            }
        }
        give_back_memory();
        Ok(())
    }

    /// Reloads files that changed on disk. If that fails, nothing changes.
    fn look(&mut self) {
        match self.errands.changed() {
            Some(Watched::Model) => self.load_again(),
            Some(Watched::Pose) => self.read_pose(),
            Some(Watched::Environment) => self.surround_again(),
            None => {}
        }
    }

    fn read_pose(&mut self) {
        match self.errands.read_pose(&self.model) {
            Some(Ok(pose)) => {
                self.content.mend(Watched::Pose);
                if self.content.stage.read_pose(pose) {
                    self.report(Ok("reloaded the pose file, and kept your edits".to_owned()));
                }
                self.redraw();
            }
            Some(Err(error)) => self.complain(Watched::Pose, &error),
            None => self.content.mend(Watched::Pose),
        }
    }

    /// Reports an error about a file, in the window and on the terminal.
    fn complain(&mut self, about: Watched, error: &str) {
        let error = format!("error: {error}");
        self.errands.say(&error);
        self.content.complain(about, &error);
        self.redraw();
    }

    /// Shows a model that is on the device.
    fn show(&mut self, model: Arc<Model>, file: &OsStr) {
        self.content.stage.show(Arc::clone(&model), &file.to_string_lossy());
        self.content.mend(Watched::Model);
        self.content.listed = None;
        self.content.recent = self.errands.recent();
        if let Some(thumbnails) = self.content.thumbnails.as_mut().filter(|_| self.file == file) {
            thumbnails.forget(file);
        }
        self.model = model;
        if self.file != file {
            (self.guarded, self.lost) = (None, None);
            self.guarded_weights.clear();
            self.lost_weights.clear();
            self.file = file.to_owned();
            self.look_for_lost();
        }
        self.redraw();
    }

    fn act(&mut self, events: &ActiveEventLoop, action: Action) {
        self.content.stage.note(self.held.is_some(), self.began.elapsed().as_secs_f64());
        let camera = self.content.stage.scene.camera.clone();
        match action {
            Action::Leave if self.leaves_something() => {}
            Action::Leave => self.content.say(NOTHING_TO_LEAVE),
            Action::Quit => {
                let done = self.leave(events, Leave::Close);
                self.heed(events, done);
            }
            Action::Undo | Action::Redo => self.step_back(action == Action::Undo),
            Action::Help => self.content.ui.is_helping ^= true,
            Action::Palette => self.content.ui.toggle_palette(&self.content.stage),
            Action::Status => self.content.ui.has_status ^= true,
            Action::Panel => self.toggle_panel(),
            Action::Pivot => self.set_pivot(),
            Action::Copy => self.copy_command_line(),
            Action::Screenshot => self.write_picture(),
            Action::SavePose => self.write_pose(),
            Action::Weigh(by) => self.edit_weights(|joint| Edit::Add(joint, by)),
            Action::Smooth => self.edit_weights(|joint| Edit::Smooth(joint, SMOOTHS)),
            Action::SaveWeights => {
                let done = self.write_weights();
                self.heed(events, done);
            }
            Action::Mirror => self.mirror(),
            Action::CopyPose => self.copy_pose(),
            Action::PastePose => self.paste_pose(),
            Action::Keep => self.keep(),
            Action::Open => self.choose_file(events),
            Action::File(by) => self.step_file(events, by),
            Action::Files => self.toggle_files(),
            action => self.content.stage.act(action),
        }
        if self.content.stage.scene.camera != camera {
            self.content.pace.nudged(Instant::now());
        }
        self.redraw();
    }

    fn toggle_panel(&mut self) {
        self.content.ui.is_open ^= true;
        self.begin_layout(self.content.ui.is_open);
    }

    /// Releases drags before a layout: a closed panel sees no events, so a drag may have ended unseen.
    fn begin_layout(&mut self, is_open: bool) {
        let ui = &mut self.content.ui;
        if let Some(translator) = self.translator.as_mut().filter(|_| is_open) {
            let (pos, button, modifiers) =
                (egui::Pos2::ZERO, egui::PointerButton::Primary, egui::Modifiers::default());
            let released = egui::Event::PointerButton { pos, button, pressed: false, modifiers };
            translator.egui_input_mut().events.extend([released, egui::Event::PointerGone]);
        }
        ui.let_go();
    }

    fn redraw(&self) {
        if let Some(drawing) = &self.drawing {
            drawing.window.request_redraw();
        }
    }

    /// Closes the window if something failed.
    fn heed(&mut self, events: &ActiveEventLoop, done: Result<(), ViewerError>) {
        if let Err(failure) = done {
            self.fail(events, failure);
        }
    }

    /// Records the first failure and closes the window.
    fn fail(&mut self, events: &ActiveEventLoop, failure: ViewerError) {
        self.failure.get_or_insert(failure);
        events.exit();
    }
}

/// Returns true if a control of the panel is being dragged: a slider, the timeline or an edge.
fn is_dragged(context: &egui::Context) -> bool {
    context.dragged_id().is_some() && context.input(|input| input.pointer.delta() != egui::Vec2::ZERO)
}
