//! The window: turns its events into actions, and its frames into pictures of the stage.

mod files;
mod habits;
mod hands;
mod leaving;
mod loading;
mod pointing;
mod posing;
mod surroundings;

use std::ffi::{OsStr, OsString};
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use egui::text_edit::TextEditState;
use glam::DVec3;
use winit::application::ApplicationHandler;
use winit::dpi::PhysicalPosition;
use winit::event::{ElementState, KeyEvent, MouseButton, StartCause, WindowEvent};
use winit::event_loop::{ActiveEventLoop, ControlFlow};
use winit::keyboard::{Key, ModifiersState, NamedKey};
use winit::window::WindowId;

use super::clipboard::Clipboard;
use super::content::Content;
use super::drawing::Drawing;
use super::files::{Dialog, Files, Thumbnails};
use super::finding::Finding;
use super::habits::Habits;
use super::keyboard;
use super::keys::{self, Action};
use super::stage::Stage;
use super::ui::{Held, LaidOut, Leave, Question, Wish};
use super::{Errands, Options, Stop, ViewerError, Watched};
use crate::scene::Scene;
use sinew_model::Model;
use sinew_model::gltf::one_line;
use sinew_skinning::pose::{ClipMix, Edits, PoseChoice};

/// How often files are checked for changes.
const LOOKS: Duration = Duration::from_millis(500);

/// How often is looked whether the work of another thread is done.
const SOON: Duration = Duration::from_millis(50);

/// A file that is being loaded.
struct Loading {
    file: OsString,
    since: Instant,
    /// The edits when it began, which somebody decided about.
    edits: Option<Edits>,
}

/// The viewer as the window system sees it.
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
    /// The button that is held, and where it was pressed.
    held: Option<(MouseButton, PhysicalPosition<f64>)>,
    /// When and where a button was last pressed.
    clicked: Option<(Instant, PhysicalPosition<f64>)>,
    /// When the last frame was drawn, while something moves.
    last_frame: Option<Instant>,
    /// Whether a held key shows the other mode.
    is_flipped: bool,
    /// When egui wants to be laid out again.
    wakes: Option<Instant>,
    /// When to check files for changes next.
    looks: Instant,
    /// The text of the title bar.
    title: String,
    failure: Option<ViewerError>,
    /// The hull, computed while the window opens.
    outline: Option<JoinHandle<Vec<DVec3>>>,
    /// When the window was made; what hands do is timed from here.
    began: Instant,
    /// The file that is being loaded.
    loading: Option<Loading>,
    /// The edits that are kept in case the window ends early.
    guarded: Option<Edits>,
    /// How the window is liked, as last written.
    habits: Habits,
    /// The pose that another window left, while it is asked what to do with it.
    lost: Option<ClipMix>,
    /// The files that are dropped right now.
    dropped: Vec<OsString>,
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
        outline: JoinHandle<Vec<DVec3>>,
    ) -> Self {
        let mut content = options.start.content(Stage::new(scene, Arc::clone(&model)), errands.recent());
        let habits = Habits::read(&errands.habits());
        content.ui.is_hinting = !habits.has_seen_hint;
        content.ui.habits = habits.clone();
        content.finding = Some(Finding::new(Arc::clone(&options.find_centers)));
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
            looks: Instant::now() + LOOKS,
            title: String::new(),
            failure: None,
            outline: Some(outline),
            began: Instant::now(),
            loading: None,
            guarded: None,
            habits,
            lost: None,
            dropped: Vec::new(),
            dialog: None,
        }
    }

    /// Closes everything and returns the first failure. Edits that nobody decided about are kept.
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
        let LaidOut { wishes, mut platform, again, .. } =
            self.content.frame(renderer, gpu, size, points, input)?;
        drawing.show()?;
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
        for wish in wishes {
            match wish {
                Wish::Act(action) => self.act(events, action),
                Wish::Open(file) => self.leave(events, Leave::Open(file))?,
                Wish::Surround(file) => self.surround(&file),
                Wish::Say(answer) => self.answer(events, answer)?,
                Wish::Choose(choice) => self.choose(events, choice)?,
            }
        }
        Ok(())
    }

    /// Reloads files that changed on disk. If that fails, nothing changes.
    fn look(&mut self) -> Result<(), ViewerError> {
        match self.errands.changed() {
            Some(Watched::Model) => match self.errands.reload() {
                Ok(model) => {
                    let file = self.file.clone();
                    self.show(Arc::new(model), &file)?;
                    // Names in the pose may now mean other joints or clips.
                    self.read_pose();
                }
                Err(error) => self.complain(Watched::Model, &error),
            },
            Some(Watched::Pose) => self.read_pose(),
            Some(Watched::Environment) => self.surround_again(),
            None => {}
        }
        Ok(())
    }

    fn read_pose(&mut self) {
        match self.errands.read_pose(&self.model) {
            Some(Ok(pose)) => {
                self.content.mend(Watched::Pose);
                if self.content.stage.read_pose(pose) {
                    self.report(Ok("reloaded the pose file; your edits stay on top".to_owned()));
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

    fn show(&mut self, model: Arc<Model>, file: &OsStr) -> Result<(), ViewerError> {
        let Some(drawing) = &mut self.drawing else { return Ok(()) };
        self.content.stage.show(Arc::clone(&model), &file.to_string_lossy());
        // The other file belongs to the first one.
        let has_other = self.content.stage.scene.other.is_some();
        drawing.load(&model, self.options.other.as_ref().filter(|_| has_other))?;
        self.content.mend(Watched::Model);
        self.content.recent = self.errands.recent();
        if let Some(thumbnails) = self.content.thumbnails.as_mut().filter(|_| self.file == file) {
            thumbnails.forget(file);
        }
        self.model = model;
        if self.file != file {
            (self.guarded, self.lost) = (None, None);
            self.file = file.to_owned();
            self.look_for_lost();
        }
        self.redraw();
        Ok(())
    }

    fn key(&mut self, events: &ActiveEventLoop, event: &KeyEvent) {
        let Some(name) = keyboard::name(event) else { return };
        let (ctrl, shift) =
            (self.modifiers.control_key() || self.modifiers.super_key(), self.modifiers.shift_key());
        let is_pressed = event.state == ElementState::Pressed;
        if self.content.ui.question.is_some() {
            let answer = Question::answer_of(&name).filter(|_| is_pressed && !event.repeat);
            if let Some(Err(failure)) = answer.map(|answer| self.answer(events, answer)) {
                self.fail(events, failure);
            }
            return;
        }
        if is_pressed && !ctrl && self.type_number(&name) {
            return;
        }
        let Some(binding) = keys::look_up(&name, ctrl, shift) else { return };
        match binding.action {
            // Pressing shows the other mode; releasing returns.
            Action::Flip => self.flip(is_pressed),
            action if is_pressed => self.act(events, action),
            _ => {}
        }
    }

    /// Shows the other mode while its key is held.
    fn flip(&mut self, is_held: bool) {
        if self.is_flipped != is_held {
            self.is_flipped = is_held;
            self.content.stage.act(Action::Flip);
            self.redraw();
        }
    }

    fn act(&mut self, events: &ActiveEventLoop, action: Action) {
        self.content.stage.note(self.held.is_some(), self.began.elapsed().as_secs_f64());
        match action {
            Action::Leave if self.leaves_something() => {}
            Action::Leave | Action::Quit => {
                if let Err(failure) = self.leave(events, Leave::Close) {
                    self.fail(events, failure);
                }
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
            Action::Mirror => self.mirror(),
            Action::CopyPose => self.copy_pose(),
            Action::PastePose => self.paste_pose(),
            Action::Keep => self.keep(),
            Action::Open => self.choose_file(events),
            Action::File(by) => self.step_file(events, by),
            Action::Files => self.toggle_files(),
            action => self.content.stage.act(action),
        }
        self.redraw();
    }

    fn toggle_panel(&mut self) {
        self.content.ui.is_open ^= true;
        self.begin_layout(self.content.ui.is_open);
    }

    /// A closed panel sees no events, so one that opens ends any drag from before.
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

    fn copy_command_line(&mut self) {
        let line = self.content.stage.scene.to_string();
        self.errands.say(&line);
        self.copy(&line, &line);
        // It was printed, too, and has all of it.
        self.content.stage.note_saved(true);
    }

    /// Copies a text, and says what that is.
    fn copy(&mut self, text: &str, what: &str) {
        let is_wayland = self.drawing.as_ref().is_some_and(Drawing::is_wayland);
        let copied = match self.translator.as_mut().filter(|_| is_wayland) {
            Some(translator) => {
                translator.set_clipboard_text(text.to_owned());
                Ok(())
            }
            None => self.clipboard.copy(text),
        };
        match copied {
            Ok(()) => self.content.say(&format!("copied: {what}")),
            Err(error) => self.content.say(&format!("could not copy: {error}")),
        }
    }

    /// The text in the clipboard.
    fn clipboard_text(&mut self) -> Result<String, String> {
        let is_wayland = self.drawing.as_ref().is_some_and(Drawing::is_wayland);
        match self.translator.as_mut().filter(|_| is_wayland) {
            Some(translator) => {
                translator.clipboard_text().ok_or_else(|| "there is no text to paste".to_owned())
            }
            None => self.clipboard.text().map_err(|error| format!("there is no text to paste: {error}")),
        }
    }

    fn write_picture(&mut self) {
        let Some(drawing) = &mut self.drawing else { return };
        let scene = &self.content.stage.scene;
        let drawn = drawing.renderer.picture(&mut drawing.gpu, scene);
        let said = match drawn {
            Ok(picture) => self.errands.write_picture(scene, &picture, drawing.device().physical()),
            Err(error) => Err(error.to_string()),
        };
        if said.is_ok() {
            self.content.stage.note_saved(true);
        }
        self.report(said);
    }

    fn write_pose(&mut self) {
        let stage = &self.content.stage;
        let shown = match &stage.scene.pose {
            PoseChoice::Clips(mix) => Some(mix),
            _ => stage.edited_mix(),
        };
        let said = match shown {
            Some(mix) => self.errands.write_pose(&stage.scene.model, mix, &self.model),
            None => Err("there is no edited pose to save".to_owned()),
        };
        if said.is_ok() {
            self.content.stage.note_saved(false);
        }
        self.report(said);
    }

    /// Reports success or failure, in the window and on the terminal.
    pub(super) fn report(&mut self, said: Result<String, String>) {
        let text = said.unwrap_or_else(|error| format!("error: {error}"));
        self.errands.say(&text);
        self.content.say(&text);
    }

    fn redraw(&self) {
        if let Some(drawing) = &self.drawing {
            drawing.window.request_redraw();
        }
    }

    /// Remembers the first failure and closes the window.
    fn fail(&mut self, events: &ActiveEventLoop, failure: ViewerError) {
        self.failure.get_or_insert(failure);
        events.exit();
    }

    /// Passes an event to the panel; returns whether the panel takes it.
    fn translate(&mut self, event: &WindowEvent) -> bool {
        let (Some(drawing), Some(translator)) = (&self.drawing, &mut self.translator) else { return false };
        let response = translator.on_window_event(&drawing.window, event);
        if let WindowEvent::KeyboardInput { .. } = event
            && self.content.ui.question.is_some()
        {
            // Keys answer it.
            translator.egui_input_mut().events.clear();
            return false;
        }
        if let WindowEvent::KeyboardInput { event, .. } = event
            && keyboard::finds(event, self.modifiers)
        {
            // Text fields would take it for a command of their own.
            let is_k = |event: &egui::Event| matches!(event, egui::Event::Key { key: egui::Key::K, .. });
            translator.egui_input_mut().events.retain(|event| !is_k(event));
            return false;
        }
        if !self.content.ui.takes_events() {
            // Nothing is there to receive them.
            translator.egui_input_mut().events.clear();
            return false;
        }
        if response.repaint {
            drawing.window.request_redraw();
        }
        let context = self.content.ui.context();
        match event {
            // Typing goes to a text field; a focused control takes the keys that move between controls and operate it.
            WindowEvent::KeyboardInput { event, .. } => {
                let moves = keyboard::moves(&event.logical_key);
                let is_tab = event.logical_key == Key::Named(NamedKey::Tab);
                // Escape leaves a focused control or closes a list.
                let leaves = event.logical_key == Key::Named(NamedKey::Escape);
                if leaves && self.content.ui.lies_over() {
                    // It closes at once, so that the next key is no longer meant for it.
                    translator.egui_input_mut().events.clear();
                    return false;
                }
                let is_open = egui::Popup::is_any_open(context);
                let moves = moves || leaves;
                let focused = context.memory(|memory| memory.focused());
                let is_typing = focused.is_some_and(|id| TextEditState::load(context, id).is_some());
                self.content.ui.takes_keys()
                    || self.content.ui.chooser.is_some()
                    || is_tab
                    || (leaves && is_open)
                    || is_typing
                    || (moves && focused.is_some())
            }
            // A button pressed on the picture is released there.
            WindowEvent::MouseInput { state: ElementState::Released, .. } if self.held.is_some() => false,
            _ => response.consumed,
        }
    }

    /// Sleeps until files need checking, a message expires or egui wants a layout.
    fn sleep(&self, events: &ActiveEventLoop) {
        let now = Instant::now();
        // Anything overdue waits for a frame, which a hidden window does not get.
        let others = [self.content.silence(), self.wakes].into_iter().flatten().filter(|until| *until > now);
        let is_drawing = self.content.thumbnails.as_ref().is_some_and(Thumbnails::is_busy);
        let is_busy = is_drawing || self.dialog.is_some();
        let others = others.chain(is_busy.then(|| now + SOON));
        let until = others.fold(self.looks, Instant::min);
        let soon = self.loading.as_ref().map_or(until, |_| now + SOON);
        let until = until.min(soon);
        events.set_control_flow(ControlFlow::WaitUntil(until));
    }

    fn open(&mut self, events: &ActiveEventLoop) -> Result<Drawing, ViewerError> {
        let scene = &self.content.stage.scene;
        let title = one_line(&format!("sinew - {}", scene.model));
        let size = self.size_to_open(events);
        let mut drawing = Drawing::open(events, &title, size, &self.options, &self.model)?;
        // If the thread failed, the hull is computed when it is needed.
        if let Some(Ok(outline)) = self.outline.take().map(JoinHandle::join) {
            drawing.gpu.set_framing(&scene.pose, outline);
        }
        let broad_side = drawing.gpu.broad_side(scene);
        self.content.stage.set_points(drawing.gpu.hull_of(scene));
        self.content.stage.set_broad_side(broad_side);
        let most = drawing.device().physical().limits.max_image_dimension2_d;
        self.translator = Some(egui_winit::State::new(
            self.content.ui.context().clone(),
            egui::ViewportId::ROOT,
            &drawing.window,
            Some(drawing.window.scale_factor() as f32),
            None,
            usize::try_from(most).ok(),
        ));
        Ok(drawing)
    }
}

impl ApplicationHandler<Stop> for Viewer<'_> {
    fn resumed(&mut self, events: &ActiveEventLoop) {
        if self.drawing.is_some() {
            return;
        }
        self.sleep(events);
        match self.open(events) {
            Ok(drawing) => {
                drawing.window.request_redraw();
                self.drawing = Some(drawing);
                self.look_for_lost();
            }
            Err(failure) => self.fail(events, failure),
        }
    }

    /// Called on every wake-up. While a clip plays, the loop never sleeps until a given time.
    fn new_events(&mut self, events: &ActiveEventLoop, _: StartCause) {
        let now = Instant::now();
        let is_due = |until: &mut Option<Instant>| until.take_if(|until| now >= *until).is_some();
        if self.content.silence().is_some_and(|until| now >= until) | is_due(&mut self.wakes) {
            self.redraw();
        }
        if let Err(failure) = self.follow_load() {
            self.fail(events, failure);
        }
        if now >= self.looks {
            // Files that are read meanwhile would get in its way.
            if self.loading.is_none()
                && self.drawing.is_some()
                && let Err(failure) = self.look()
            {
                self.fail(events, failure);
            }
            self.guard();
            self.keep_habits();
            self.looks = Instant::now() + LOOKS;
        }
        if self.content.thumbnails.as_mut().is_some_and(Thumbnails::take) {
            self.redraw();
        }
        if let Some(chosen) = self.dialog.as_ref().and_then(Dialog::answer) {
            self.dialog = None;
            if let Err(failure) = self.take_chosen(events, chosen) {
                self.fail(events, failure);
            }
        }
        self.sleep(events);
    }

    fn about_to_wait(&mut self, events: &ActiveEventLoop) {
        let dropped = std::mem::take(&mut self.dropped);
        if !dropped.is_empty() {
            self.hover(0);
            if let Err(failure) = self.open_all(events, &dropped) {
                self.fail(events, failure);
            }
        }
    }

    fn user_event(&mut self, events: &ActiveEventLoop, Stop: Stop) {
        events.exit();
    }

    fn window_event(&mut self, events: &ActiveEventLoop, _: WindowId, event: WindowEvent) {
        self.end_hint(&event);
        let is_taken = !matches!(event, WindowEvent::RedrawRequested) && self.translate(&event);
        let is_over = matches!(
            event,
            WindowEvent::KeyboardInput { event: KeyEvent { state: ElementState::Released, .. }, .. }
                | WindowEvent::MouseInput { state: ElementState::Released, .. }
        );
        match event {
            WindowEvent::CloseRequested => {
                if let Err(failure) = self.leave(events, Leave::Close) {
                    self.fail(events, failure);
                }
            }
            WindowEvent::Destroyed => {
                self.fail(events, ViewerError::Window("another program destroyed it".to_owned()));
            }
            WindowEvent::Resized(_)
            | WindowEvent::ScaleFactorChanged { .. }
            | WindowEvent::Occluded(false) => {
                self.redraw();
            }
            WindowEvent::ModifiersChanged(modifiers) => {
                self.modifiers = modifiers.state();
                self.follow_drag();
            }
            WindowEvent::KeyboardInput { event, is_synthetic: false, .. } if !is_taken => {
                self.key(events, &event);
                self.sleep(events);
            }
            WindowEvent::CursorMoved { position, .. } => match is_taken {
                true => {
                    (self.cursor, self.content.cursor) = (position, None);
                    self.point();
                }
                false => self.moved(position),
            },
            WindowEvent::CursorLeft { .. } => {
                self.content.cursor = None;
                self.point();
            }
            WindowEvent::MouseInput { state: ElementState::Pressed, button, .. } if !is_taken => {
                self.press(button);
            }
            WindowEvent::DroppedFile(file) if surroundings::is_panorama(&file) => {
                self.hover(0);
                self.surround(file.as_os_str());
            }
            // They come one by one, and are one list.
            WindowEvent::DroppedFile(file) => self.dropped.push(file.into_os_string()),
            WindowEvent::HoveredFile(_) => self.hover(self.content.hovering.saturating_add(1)),
            WindowEvent::HoveredFileCancelled => self.hover(0),
            WindowEvent::MouseInput { state: ElementState::Released, button, .. } => self.release(button),
            WindowEvent::MouseWheel { delta, .. } if !is_taken => self.wheel(delta),
            WindowEvent::PinchGesture { delta, .. } if !is_taken => {
                let pixel = self.pixel();
                self.content.stage.zoom((-delta).exp(), pixel);
                self.redraw();
            }
            WindowEvent::Focused(false) => {
                (self.held, self.content.held) = (None, Held::Nothing);
                self.content.drag = None;
                self.flip(false);
            }
            WindowEvent::KeyboardInput { event, .. } if event.state == ElementState::Released => {
                self.key(events, &event);
            }
            WindowEvent::RedrawRequested => {
                if let Err(failure) = self.draw(events) {
                    self.fail(events, failure);
                }
                self.sleep(events);
            }
            _ => {}
        }
        if is_over {
            // What was done is kept at once: the window may not live until the next look.
            self.guard();
        }
    }
}
