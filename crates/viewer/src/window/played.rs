//! Simulates key presses, for tests of the behaviour after a fault (feature `faults`).

use std::sync::atomic::{AtomicUsize, Ordering};

use winit::event_loop::ActiveEventLoop;

use super::Viewer;
use crate::keys;
use sinew_system::faults::keys;
use sinew_vulkan::faults;

/// Number of pictures between key presses, so that every frame in flight was reused.
const PICTURES: usize = 3;

/// Number of key presses so far.
static PRESSED: AtomicUsize = AtomicUsize::new(0);

/// Number of pictures shown at the last key press.
static SHOWN: AtomicUsize = AtomicUsize::new(0);

impl Viewer<'_> {
    /// Presses the next keys when they are due, and closes the window after the last.
    pub(super) fn play(&mut self, events: &ActiveEventLoop) {
        let Some(keys) = keys() else { return };
        let shown = faults::shown();
        if self.content.found.is_some() {
            // The requested mode is not shown yet.
            SHOWN.store(shown, Ordering::Relaxed);
        } else if shown - SHOWN.load(Ordering::Relaxed) >= PICTURES {
            SHOWN.store(shown, Ordering::Relaxed);
            match keys.split(' ').nth(PRESSED.fetch_add(1, Ordering::Relaxed)) {
                Some(keys) => keys.split(',').for_each(|key| self.press_key(events, key)),
                None => events.exit(),
            }
            // Like the release of a key.
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
