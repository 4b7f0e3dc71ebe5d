//! The clipboard, opened when something is first copied; what is copied stays as long as the window.
//! It must not know what is copied.

use arboard::Clipboard as System;

/// The window system's clipboard.
#[derive(Default)]
pub struct Clipboard(Option<System>);

impl Clipboard {
    /// Copies a text, or says why it cannot.
    pub fn copy(&mut self, text: &str) -> Result<(), String> {
        let system = match &mut self.0 {
            Some(system) => system,
            none => none.insert(System::new().map_err(|error| error.to_string())?),
        };
        system.set_text(text).map_err(|error| error.to_string())
    }
}
