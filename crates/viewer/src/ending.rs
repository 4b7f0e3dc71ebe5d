//! The end of the window system under the window. Neither Xlib, which ends the program, nor winit, which panics, hands it
//! on, so what is to be done is set beforehand.

use std::panic::PanicHookInfo;
use std::sync::OnceLock;

use winit::event_loop::EventLoop;

use super::{End, Stop};

/// What a broken connection is called.
pub const BROKEN: &str = "the connection to the display broke";

/// What is known when winit gives up: that a call failed which only fails without its window or connection.
const GONE: &str = "the window or its display is gone";

static END: OnceLock<End> = OnceLock::new();

/// Has `end` called when the window system is gone and does not say so otherwise.
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

/// Whether a library of the window's gave up: with a connection that still works, none does.
fn is_of_window_system(panic: &PanicHookInfo) -> bool {
    let file = panic.location().map(|place| place.file().replace('\\', "/")).unwrap_or_default();
    file.split('/').any(|part| ["winit-", "x11rb-"].iter().any(|library| part.starts_with(library)))
}
