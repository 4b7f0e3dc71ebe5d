//! Reports a lost connection to the X server. Xlib then ends the program with its exit code and message, unless a
//! handler that never returns comes first. No safe call sets one.

#![allow(unsafe_code, reason = "makes system calls that have no safe wrapper")]

use std::ffi::{c_int, c_void};
use std::sync::OnceLock;

/// Xlib's handler for a broken connection, which receives the display.
type Handler = unsafe extern "C" fn(*mut c_void) -> c_int;

/// Xlib's function that sets the handler and returns the previous one.
type SetHandler = unsafe extern "C" fn(Option<Handler>) -> Option<Handler>;

static END: OnceLock<fn() -> !> = OnceLock::new();

/// Makes Xlib call `end` when the connection to the X server breaks. Only the first call has an effect. Without Xlib
/// nothing happens.
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
    // Xlib keeps the handler, so the library must stay loaded.
    std::mem::forget(xlib);
}

extern "C" fn lost(_: *mut c_void) -> c_int {
    // `END` is set before the handler is. If this returned, Xlib would end the program.
    END.get().map_or(0, |end| end())
}
