//! Presses keys in place of somebody at the window, for the tests of what follows a fault (feature `faults`).

use std::sync::atomic::{AtomicUsize, Ordering};

use winit::event_loop::ActiveEventLoop;

use super::Viewer;
use crate::keys;
use sinew_system::faults::keys;
use sinew_vulkan::faults;

/// After so many pictures the next keys are pressed, so that every frame in flight was used again.
const PICTURES: usize = 3;

/// How often keys were pressed.
static PRESSED: AtomicUsize = AtomicUsize::new(0);

/// How many pictures had been shown then.
static SHOWN: AtomicUsize = AtomicUsize::new(0);

impl Viewer<'_> {
    /// Presses the next keys when it is time, and closes the window after the last.
    pub(super) fn play(&mut self, events: &ActiveEventLoop) {
        let Some(keys) = keys() else { return };
        let shown = faults::shown();
        if self.content.found.is_some() {
            // The mode that was asked for is not shown yet.
            SHOWN.store(shown, Ordering::Relaxed);
        } else if shown - SHOWN.load(Ordering::Relaxed) >= PICTURES {
            SHOWN.store(shown, Ordering::Relaxed);
            match keys.split(' ').nth(PRESSED.fetch_add(1, Ordering::Relaxed)) {
                Some(keys) => keys.split(',').for_each(|key| self.press_key(events, key)),
                None => events.exit(),
            }
            // As when a key is let go.
            self.guard();
        }
        self.redraw();
    }

    fn press_key(&mut self, events: &ActiveEventLoop, key: &str) {
        let (name, ctrl) = key.strip_prefix("ctrl+").map_or((key, false), |name| (name, true));
        if let Some(binding) = keys::look_up(name, ctrl, false) {
            self.act(events, binding.action);
        }
    }
}
