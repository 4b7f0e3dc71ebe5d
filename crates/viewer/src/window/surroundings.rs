//! Environment pictures in the window: typed, dropped, or changed on disk.

use std::ffi::{OsStr, OsString};
use std::path::Path;
use std::sync::Arc;

use super::Viewer;
use crate::Watched;

/// Returns true if the name of a dropped file is that of an environment picture.
pub(super) fn is_panorama(file: &Path) -> bool {
    let ending = file.extension().map(OsStr::to_ascii_lowercase);
    ending.is_some_and(|ending| ending == "hdr" || ending == "pic")
}

impl Viewer<'_> {
    /// Lights surfaces with a picture. If that cannot be read, nothing changes.
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

    /// Reloads the current environment picture after it changed on disk.
    pub(super) fn surround_again(&mut self) {
        if let Some(shown) = &self.content.stage.scene.environment {
            let file = OsString::from(&shown.name);
            self.surround(&file);
        }
    }
}
