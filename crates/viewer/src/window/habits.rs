//! Saves the window layout, ends the hint for the first minute, and computes the initial size.

use winit::event::{ElementState, WindowEvent};
use winit::event_loop::ActiveEventLoop;

use super::Viewer;
use crate::ui::{LOWEST, STATUS_HEIGHT};

impl Viewer<'_> {
    /// Saves the window layout, if it has changed.
    pub(super) fn keep_habits(&mut self) {
        let habits = &self.content.ui.habits;
        if *habits != self.options.habits {
            self.options.habits = habits.clone();
            self.errands.keep_habits(habits);
        }
    }

    /// Removes the hint permanently at the first key, drag or turn of the wheel.
    pub(super) fn end_hint(&mut self, event: &WindowEvent) {
        let is_used = match event {
            WindowEvent::KeyboardInput { event, is_synthetic: false, .. } => {
                event.state == ElementState::Pressed
            }
            WindowEvent::CursorMoved { .. } => self.held.is_some(),
            WindowEvent::MouseWheel { .. } | WindowEvent::PinchGesture { .. } => true,
            _ => false,
        };
        if is_used && std::mem::take(&mut self.content.ui.is_hinting) {
            self.content.ui.habits.has_seen_hint = true;
            self.redraw();
        }
    }

    /// Returns the initial size of the window. The scene's size is that of the picture, and the line below needs
    /// extra room. With the panel it is the window's size, as in a picture of a window.
    pub(super) fn size_to_open(&self, events: &ActiveEventLoop) -> [u32; 2] {
        let ([width, height], ui) = (self.content.stage.scene.size, &self.content.ui);
        if ui.is_open || !ui.has_status {
            return [width, height];
        }
        let monitor = events.primary_monitor().or_else(|| events.available_monitors().next());
        let points = monitor.as_ref().map_or(1.0, |monitor| monitor.scale_factor());
        let below = (f64::from(STATUS_HEIGHT) * points).round();
        // There is no line if it does not fit.
        let is_low = f64::from(height) + below < f64::from(LOWEST) * points;
        let height = if is_low { height } else { height.saturating_add(below as u32) };
        // The user did not choose the size of a window with a text.
        let screen = monitor.filter(|_| !ui.text.is_empty()).map(|monitor| monitor.size());
        screen.map_or([width, height], |screen| {
            [width.min(screen.width.max(1)), height.min(screen.height.max(1))]
        })
    }
}
