//! The clipboard. It is opened on the first copy; the text stays available as long as the window is open.

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

    /// The text that was copied last, here or elsewhere; or why there is none.
    pub fn text(&mut self) -> Result<String, String> {
        let system = match &mut self.0 {
            Some(system) => system,
            none => none.insert(System::new().map_err(|error| error.to_string())?),
        };
        system.get_text().map_err(|error| error.to_string())
    }
}
