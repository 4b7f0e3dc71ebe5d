//! The clipboard, opened on the first copy. The text stays available while the window is open.

use arboard::Clipboard as System;

/// The window system's clipboard.
#[derive(Default)]
pub struct Clipboard(Option<System>);

impl Clipboard {
    /// Copies a text, or explains why it cannot.
    pub fn copy(&mut self, text: &str) -> Result<(), String> {
        let system = match &mut self.0 {
            Some(system) => system,
            none => none.insert(System::new().map_err(|error| error.to_string())?),
        };
        system.set_text(text).map_err(|error| error.to_string())
    }

    /// Returns the last copied text, from this window or elsewhere, or explains why there is none.
    pub fn text(&mut self) -> Result<String, String> {
        let system = match &mut self.0 {
            Some(system) => system,
            none => none.insert(System::new().map_err(|error| error.to_string())?),
        };
        system.get_text().map_err(|error| error.to_string())
    }
}
