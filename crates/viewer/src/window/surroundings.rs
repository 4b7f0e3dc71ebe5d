//! The light all around in the window: a picture of it is typed, dropped, or has changed on disk.

use std::ffi::{OsStr, OsString};
use std::path::Path;
use std::sync::Arc;

use super::Viewer;
use crate::Watched;

/// Whether a dropped file is a picture of surroundings, by its name.
pub(super) fn is_panorama(file: &Path) -> bool {
    let ending = file.extension().map(OsStr::to_ascii_lowercase);
    ending.is_some_and(|ending| ending == "hdr" || ending == "pic")
}

impl Viewer<'_> {
    /// Lights surfaces by a picture. If that cannot be read, nothing changes.
    pub(super) fn surround(&mut self, file: &OsStr) {
        match self.errands.environment(file) {
            Ok(environment) => {
                self.content.mend(Watched::Environment);
                self.content.stage.scene.environment = Some(Arc::new(environment));
                self.redraw();
            }
            Err(error) => self.complain(Watched::Environment, &error),
        }
    }

    /// The same with the picture that is shown, after it changed on disk.
    pub(super) fn surround_again(&mut self) {
        if let Some(shown) = &self.content.stage.scene.environment {
            let file = OsString::from(&shown.name);
            self.surround(&file);
        }
    }
}
