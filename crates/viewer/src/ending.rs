//! Handles the loss of the window system. Xlib ends the program and winit panics, so neither returns an error; the
//! handler is installed beforehand.

use std::panic::PanicHookInfo;
use std::sync::OnceLock;

use winit::event_loop::EventLoop;

use super::{End, Stop};

/// Reason for the end after a broken connection.
pub const BROKEN: &str = "the connection to the display broke";

/// Reason for the end after winit panics: the failed call fails only without its window or connection.
const GONE: &str = "the window or its display is gone";

static END: OnceLock<End> = OnceLock::new();

/// Installs `end` as the handler for a window system that disappears without an error.
pub fn watch(events: &EventLoop<Stop>, end: End) {
    if END.set(end).is_err() {
        return;
    }
    #[cfg(target_os = "linux")]
    if winit::platform::x11::EventLoopExtX11::is_x11(events) {
        sinew_system::on_lost_x11_display(|| match END.get() {
            Some(end) => end(BROKEN),
            None => std::process::abort(),
        });
    }
    #[cfg(not(target_os = "linux"))]
    let _ = events;
    let before = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| match is_of_window_system(panic) {
        true => {
            tracing::debug!("{panic}");
            end(GONE)
        }
        false => before(panic),
    }));
}

/// Returns true if a window library panicked, which happens only when the connection is lost.
fn is_of_window_system(panic: &PanicHookInfo) -> bool {
    let file = panic.location().map(|place| place.file().replace('\\', "/")).unwrap_or_default();
    file.split('/').any(|part| ["winit-", "x11rb-"].iter().any(|library| part.starts_with(library)))
}
