//! Maps events of the window system to actions: keys go to the panel or to their action, mouse events to the panel or
//! the picture.

use std::time::Instant;

use egui::text_edit::TextEditState;
use egui::{Context, Order, Pos2};
use winit::application::ApplicationHandler;
use winit::event::{ElementState, KeyEvent, StartCause, WindowEvent};
use winit::event_loop::{ActiveEventLoop, ControlFlow};
use winit::keyboard::{Key, NamedKey};
use winit::window::WindowId;

use super::{Drawing, Viewer, WATCH_INTERVAL, surroundings};
use crate::content::SOON;
use crate::files::{Dialog, Thumbnails};
use crate::keys::{self, Action};
use crate::ui::{Held, Leave, Question};
use crate::{Stop, ViewerError, keyboard};
use sinew_model::gltf::one_line;
use sinew_system::threads::Task;

impl Viewer<'_> {
    pub(super) fn key(&mut self, events: &ActiveEventLoop, event: &KeyEvent) {
        let Some(name) = keyboard::name(event) else { return };
        let (ctrl, shift) =
            (self.modifiers.control_key() || self.modifiers.super_key(), self.modifiers.shift_key());
        let is_pressed = event.state == ElementState::Pressed;
        if self.content.ui.question.is_some() {
            let answer = Question::answer_of(&name).filter(|_| is_pressed && !event.repeat);
            if let Some(answer) = answer {
                let done = self.answer(events, answer);
                self.heed(events, done);
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
    pub(super) fn flip(&mut self, is_held: bool) {
        if self.is_flipped != is_held {
            self.is_flipped = is_held;
            self.content.stage.act(Action::Flip);
            self.redraw();
        }
    }

    /// Passes an event to the panel. Returns true if the panel takes it.
    pub(super) fn translate(&mut self, event: &WindowEvent) -> bool {
        let (Some(drawing), Some(translator)) = (&self.drawing, &mut self.translator) else { return false };
        let response = translator.on_window_event(&drawing.window, event);
        if let WindowEvent::KeyboardInput { .. } = event
            && self.content.ui.question.is_some()
        {
            // Keys answer the question.
            translator.egui_input_mut().events.clear();
            return false;
        }
        if let WindowEvent::KeyboardInput { event, .. } = event
            && let Some(meant) = keyboard::for_window(event, self.modifiers)
        {
            // Text fields would treat it as an editing command.
            let is_meant =
                |event: &egui::Event| matches!(event, egui::Event::Key { key, .. } if *key == meant);
            translator.egui_input_mut().events.retain(|event| !is_meant(event));
            return false;
        }
        if !self.content.ui.takes_events() {
            // No control can receive them.
            translator.egui_input_mut().events.clear();
            return false;
        }
        if response.repaint {
            drawing.window.request_redraw();
        }
        let context = self.content.ui.context();
        match event {
            // Typing goes to a text field; a focused control takes the keys that move between controls and operate
            // it.
            WindowEvent::KeyboardInput { event, .. } => {
                let moves = keyboard::moves(&event.logical_key);
                let is_tab = event.logical_key == Key::Named(NamedKey::Tab);
                // Escape leaves a focused control or closes a list.
                let leaves = event.logical_key == Key::Named(NamedKey::Escape);
                if leaves && self.content.ui.lies_over() {
                    // Closes at once, so that the next key does not go to the list.
                    translator.egui_input_mut().events.clear();
                    return false;
                }
                let is_open = egui::Popup::is_any_open(context);
                let moves = moves || leaves;
                let focused = context.memory(|memory| memory.focused());
                let is_typing = focused.is_some_and(|id| TextEditState::load(context, id).is_some());
                if leaves && is_typing {
                    // Release at once, too: the next key may come before the next frame.
                    self.content.ui.let_go();
                }
                self.content.ui.takes_keys()
                    || is_tab
                    || (leaves && is_open)
                    || is_typing
                    || (moves && focused.is_some())
            }
            // A button pressed on the picture is released there.
            WindowEvent::MouseInput { state: ElementState::Released, .. } if self.held.is_some() => false,
            // egui would answer for the mouse's position at the last layout, and a tap moves and presses at once.
            WindowEvent::MouseInput { state: ElementState::Pressed, .. } | WindowEvent::MouseWheel { .. } => {
                context.is_using_pointer() || !self.is_over_picture(context)
            }
            _ => response.consumed,
        }
    }

    /// Returns true if an event must wait for the next frame. Until then the effect of a click or Enter is unknown to
    /// the panel, and keys that follow would go to the wrong place.
    fn must_wait(&self, event: &WindowEvent) -> bool {
        let is_input = matches!(
            event,
            WindowEvent::KeyboardInput { .. }
                | WindowEvent::ModifiersChanged(_)
                | WindowEvent::MouseInput { .. }
                | WindowEvent::MouseWheel { .. }
                | WindowEvent::CursorMoved { .. }
        );
        let leads = |event: &egui::Event| {
            matches!(
                event,
                egui::Event::PointerButton { pressed: true, .. }
                    | egui::Event::Key { key: egui::Key::Enter, pressed: true, .. }
            )
        };
        let is_unseen =
            || self.translator.as_ref().is_some_and(|state| state.egui_input().events.iter().any(leads));
        let is_key = matches!(event, WindowEvent::KeyboardInput { .. });
        is_input && (!self.waiting.is_empty() || (is_key && is_unseen()))
    }

    /// Returns true if the mouse is over the picture, and nothing covers the picture there.
    fn is_over_picture(&self, context: &Context) -> bool {
        let points = |pixels: f64| (pixels / self.scale()) as f32;
        let place = Pos2::new(points(self.cursor.x), points(self.cursor.y));
        let layer = context.layer_id_at(place);
        self.content.cursor.is_some() && layer.is_none_or(|layer| layer.order == Order::Background)
    }

    /// Sleeps until files need checking, a message expires or egui requests a layout.
    pub(super) fn sleep(&self, events: &ActiveEventLoop) {
        let now = Instant::now();
        // Anything overdue waits for a frame, and a hidden window gets none.
        let rests = self.content.pace.wakes();
        let others =
            [self.content.silence(), self.wakes, rests].into_iter().flatten().filter(|until| *until > now);
        let is_drawing = self.content.thumbnails.as_ref().is_some_and(Thumbnails::is_busy);
        let is_busy = is_drawing || self.dialog.is_some();
        let others = others.chain(is_busy.then(|| now + SOON));
        let until = others.fold(self.looks, Instant::min);
        let soon = self.loading.as_ref().map_or(until, |_| now + SOON);
        let until = until.min(soon);
        events.set_control_flow(ControlFlow::WaitUntil(until));
    }

    pub(super) fn open(&mut self, events: &ActiveEventLoop) -> Result<Drawing, ViewerError> {
        let scene = &self.content.stage.scene;
        let title = one_line(&format!("sinew - {}", scene.files.model));
        let size = self.size_to_open(events);
        let mut drawing = Drawing::open(events, &title, size, &self.options, &self.model)?;
        // If the thread failed, the hull is computed when it is needed.
        if let Some(Ok(outline)) = self.outline.take().map(Task::result) {
            drawing.gpu.set_framing(&scene.pose, scene.framed_by(), outline);
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

    /// Handles every wake-up. While a clip plays, the loop never sleeps until a given time.
    fn new_events(&mut self, events: &ActiveEventLoop, _: StartCause) {
        let now = Instant::now();
        let is_due = |until: &mut Option<Instant>| until.take_if(|until| now >= *until).is_some();
        let is_over = |until: Option<Instant>| until.is_some_and(|until| now >= until);
        let is_overdue = is_over(self.content.silence()) || is_over(self.content.pace.wakes());
        if is_due(&mut self.wakes) || is_overdue {
            self.redraw();
        }
        if is_due(&mut self.tidies)
            && let Err(failure) = self.tidy()
        {
            self.fail(events, failure);
        }
        let done = self.follow_load();
        self.heed(events, done);
        if now >= self.looks {
            // Reading changed files now would interfere with loading.
            if self.loading.is_none() && self.drawing.is_some() {
                self.look();
            }
            self.guard();
            self.keep_habits();
            self.looks = Instant::now() + WATCH_INTERVAL;
        }
        if self.content.thumbnails.as_mut().is_some_and(Thumbnails::take) {
            self.redraw();
        }
        if let Some(chosen) = self.dialog.as_ref().and_then(Dialog::answer) {
            self.dialog = None;
            let done = self.take_chosen(events, chosen);
            self.heed(events, done);
        }
        self.sleep(events);
    }

    fn about_to_wait(&mut self, events: &ActiveEventLoop) {
        let dropped = std::mem::take(&mut self.dropped);
        if !dropped.is_empty() {
            self.hover(0);
            let done = self.open_all(events, &dropped);
            self.heed(events, done);
        }
    }

    fn user_event(&mut self, events: &ActiveEventLoop, Stop: Stop) {
        events.exit();
    }

    fn window_event(&mut self, events: &ActiveEventLoop, _: WindowId, event: WindowEvent) {
        self.handle(events, event);
    }
}

impl Viewer<'_> {
    /// Handles an event of the window, or keeps it for the next frame.
    fn handle(&mut self, events: &ActiveEventLoop, event: WindowEvent) {
        if self.must_wait(&event) {
            self.waiting.push(event);
            return self.redraw();
        }
        self.end_hint(&event);
        let is_taken = !matches!(event, WindowEvent::RedrawRequested) && self.translate(&event);
        let is_over = matches!(
            event,
            WindowEvent::KeyboardInput { event: KeyEvent { state: ElementState::Released, .. }, .. }
                | WindowEvent::MouseInput { state: ElementState::Released, .. }
        );
        match event {
            WindowEvent::CloseRequested => {
                let done = self.leave(events, Leave::Close);
                self.heed(events, done);
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
                (self.content.cursor, self.content.listed) = (None, None);
                self.point();
            }
            WindowEvent::MouseInput { state: ElementState::Pressed, button, .. } if !is_taken => {
                self.press(button);
            }
            WindowEvent::DroppedFile(file) if surroundings::is_panorama(&file) => {
                self.hover(0);
                self.surround(file.as_os_str());
            }
            // Dropped files come one by one, and form one list.
            WindowEvent::DroppedFile(file) => self.dropped.push(file.into_os_string()),
            WindowEvent::HoveredFile(_) => self.hover(self.content.hovering.saturating_add(1)),
            WindowEvent::HoveredFileCancelled => self.hover(0),
            WindowEvent::MouseInput { state: ElementState::Released, button, .. } => self.release(button),
            WindowEvent::MouseWheel { delta, .. } if !is_taken => self.wheel(delta),
            WindowEvent::PinchGesture { delta, .. } if !is_taken => {
                let pixel = self.pixel();
                self.content.pace.nudged(Instant::now());
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
                let done = self.draw(events);
                self.heed(events, done);
                for event in std::mem::take(&mut self.waiting) {
                    self.handle(events, event);
                }
                self.sleep(events);
            }
            _ => {}
        }
        if is_over {
            // Save changes at once: the window may close before the next poll.
            self.guard();
        }
    }
}
