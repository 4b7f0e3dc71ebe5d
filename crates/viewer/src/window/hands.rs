//! Mouse and trackpad over the picture: grabbing, turning, panning, zooming and pointing.

use std::time::{Duration, Instant};

use glam::DVec2;
use winit::dpi::PhysicalPosition;
use winit::event::{MouseButton, MouseScrollDelta};

use super::Viewer;
use crate::ui::Held;

/// Factor on the distance for one notch of the wheel.
const NOTCH: f64 = 0.88;

/// Time and distance in points within which two clicks make a double click.
const DOUBLE_CLICK: (Duration, f64) = (Duration::from_millis(400), 5.0);

/// Distance in points up to which a pressed and released button has not dragged.
const STILL: f64 = 4.0;

/// Trackpad pixels that equal one notch.
const PIXELS_A_NOTCH: f64 = 40.0;

impl Viewer<'_> {
    /// Returns the cursor's pixel in the picture.
    pub(super) fn pixel(&self) -> DVec2 {
        DVec2::new(self.cursor.x, self.cursor.y) - self.content.corner()
    }

    /// Orbits around the point under the cursor from now on.
    pub(super) fn set_pivot(&mut self) {
        let pixel = self.pixel();
        let Some(drawing) = &mut self.drawing else { return };
        let scene = &self.content.stage.scene;
        if let Some(hit) = drawing.renderer.pick(&mut drawing.gpu, scene, pixel) {
            self.content.stage.turn_around(hit.place);
            self.redraw();
        }
    }

    /// Pins the vertex under the cursor; unpins if there is none, or it is already pinned.
    pub(super) fn keep(&mut self) {
        let Some(drawing) = &mut self.drawing else { return };
        let scene = &self.content.stage.scene;
        let pick = |pixel| drawing.renderer.pick(&mut drawing.gpu, scene, pixel).map(|hit| hit.nearest);
        let found = self.content.cursor.and_then(pick);
        let stage = &mut self.content.stage;
        stage.kept = found.filter(|_| stage.kept != found);
        self.redraw();
    }

    /// Returns the number of pixels per point.
    pub(super) fn scale(&self) -> f64 {
        self.drawing.as_ref().map_or(1.0, |drawing| drawing.window.scale_factor())
    }

    pub(super) fn press(&mut self, button: MouseButton) {
        if self.held.is_some() {
            return;
        }
        self.held = Some((button, self.cursor));
        let is_selecting = self.content.stage.is_selecting && button == MouseButton::Left;
        if button == MouseButton::Left && !self.modifiers.shift_key() {
            self.grab();
        }
        if is_selecting && self.content.held == Held::Nothing {
            self.content.held = Held::Rectangle(self.pixel());
        }
        let (within, apart) = DOUBLE_CLICK;
        let apart = apart * self.scale();
        let now = (Instant::now(), self.cursor);
        let before = self.clicked.replace(now).filter(|_| button == MouseButton::Left);
        let is_second = before.is_some_and(|(when, place)| {
            now.0.duration_since(when) < within && (place.x - now.1.x).hypot(place.y - now.1.y) < apart
        });
        if is_second {
            self.clicked = None;
            self.double_click();
        }
    }

    pub(super) fn release(&mut self, button: MouseButton) {
        // Only the button that started a drag ends it.
        let Some((_, from)) = self.held.take_if(|(held, _)| *held == button) else { return };
        let held = std::mem::take(&mut self.content.held);
        let is_free = matches!(held, Held::Nothing | Held::Rectangle(_));
        self.content.drag = None;
        let moved = (from.x - self.cursor.x).hypot(from.y - self.cursor.y);
        let is_click = button == MouseButton::Left && is_free && moved < STILL * self.scale();
        if let Held::Rectangle(from) = held
            && !is_click
        {
            return self.select_within(from);
        }
        // The second click of a double click has another effect.
        if is_click && self.clicked.is_some() {
            self.click();
        }
    }

    pub(super) fn moved(&mut self, to: PhysicalPosition<f64>) {
        let before = self.pixel();
        self.cursor = to;
        let now = self.pixel();
        let stage = &mut self.content.stage;
        let [width, height] = stage.scene.size.map(f64::from);
        let is_over = now.x >= 0.0 && now.y >= 0.0 && now.x < width && now.y < height;
        self.content.cursor = is_over.then_some(now);
        if self.held.is_some() {
            self.content.pace.moved(Instant::now());
        }
        match (self.content.held, self.held) {
            (Held::Handle(_, origin), _) => {
                self.drag_handle(now - origin);
                return;
            }
            (Held::Line, _) => stage.move_line(now.x / width.max(1.0)),
            (Held::Rectangle(_), _) => {}
            // The left button selects.
            (Held::Nothing, Some((MouseButton::Middle, _))) if stage.is_selecting => stage.drag(now - before),
            (Held::Nothing, Some((MouseButton::Left, _))) if !self.modifiers.shift_key() => {
                stage.drag(now - before);
            }
            (Held::Nothing, Some((MouseButton::Left | MouseButton::Middle | MouseButton::Right, _))) => {
                stage.pan(now - before);
            }
            _ => return self.point(),
        }
        self.redraw();
    }

    pub(super) fn wheel(&mut self, delta: MouseScrollDelta) {
        let pixel = self.pixel();
        self.content.pace.nudged(Instant::now());
        let stage = &mut self.content.stage;
        match delta {
            MouseScrollDelta::LineDelta(_, lines) => stage.zoom(NOTCH.powf(f64::from(lines)), pixel),
            // Two fingers on a trackpad zoom with Ctrl, pan with Shift and otherwise orbit.
            MouseScrollDelta::PixelDelta(by) if self.modifiers.control_key() => {
                stage.zoom(NOTCH.powf(by.y / PIXELS_A_NOTCH), pixel);
            }
            MouseScrollDelta::PixelDelta(by) if self.modifiers.shift_key() => {
                stage.pan(DVec2::new(by.x, by.y));
            }
            MouseScrollDelta::PixelDelta(by) => stage.drag(DVec2::new(by.x, by.y)),
        }
        self.redraw();
    }
}
