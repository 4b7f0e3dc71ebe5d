//! Says when the connection to the X server breaks. Xlib ends the program then, with an exit code and a line of its own,
//! unless a handler that never returns comes first; no safe call sets one.

#![allow(unsafe_code, reason = "asks the system for what no safe call gives")]

use std::ffi::{c_int, c_void};
use std::sync::OnceLock;

/// Xlib's handler of a broken connection, which gets the display.
type Handler = unsafe extern "C" fn(*mut c_void) -> c_int;

/// Sets the handler, and returns the one before.
type SetHandler = unsafe extern "C" fn(Option<Handler>) -> Option<Handler>;

static END: OnceLock<fn() -> !> = OnceLock::new();

/// Has Xlib call `end` when the connection to the X server breaks; the first call counts. Without Xlib nothing happens.
pub fn on_lost_x11_display(end: fn() -> !) {
    if END.set(end).is_err() {
        return;
    }
    // SAFETY: who has opened an X11 display has loaded this library already, so nothing of it runs now.
    let Ok(xlib) = (unsafe { libloading::Library::new("libX11.so.6") }) else { return };
    // SAFETY: this is the function's type in Xlib.h, where a display is a pointer.
    if let Ok(set) = unsafe { xlib.get::<SetHandler>(b"XSetIOErrorHandler\0") } {
        // SAFETY: it stores the pointer of a function that lives as long as the program.
        unsafe { set(Some(lost)) };
    }
    // It keeps the handler, so it stays.
    std::mem::forget(xlib);
}

extern "C" fn lost(_: *mut c_void) -> c_int {
    // Set before the handler is. Returning would have Xlib end the program.
    END.get().map_or(0, |end| end())
}
