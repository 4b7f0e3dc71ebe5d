//! Steps through the list of files, and opens chosen or dropped ones.

use std::ffi::{OsStr, OsString};

use winit::event_loop::ActiveEventLoop;

use super::Viewer;
use crate::ViewerError;
use crate::files::{Chosen, Dialog, Files};
use crate::ui::{Chooser, Leave};

impl Viewer<'_> {
    /// Shows the next or previous file.
    pub(super) fn step_file(&mut self, events: &ActiveEventLoop, by: i32) {
        self.fill_list();
        let Some(file) = self.content.files.step(by).map(OsStr::to_owned) else {
            self.content.say("no other file; drop several files or a folder on the window");
            return;
        };
        let done = self.leave(events, Leave::Open(file));
        self.heed(events, done);
    }

    /// Shows or hides the list.
    pub(super) fn toggle_files(&mut self) {
        self.content.ui.is_listing ^= true;
        if self.content.ui.is_listing {
            self.fill_list();
        }
        self.begin_layout(self.content.ui.is_listing);
    }

    /// Opens the desktop's dialog. Opens the window's own chooser if there is no dialog, or one is already open, so
    /// that a desktop that never answers does not block opening files.
    pub(super) fn choose_file(&mut self, events: &ActiveEventLoop) {
        let Some(drawing) = &self.drawing else { return };
        let opened = match self.dialog {
            Some(_) => Err(Chosen::NoDialog),
            None => Dialog::open(&drawing.window, &self.file),
        };
        match opened {
            Ok(dialog) => self.dialog = Some(dialog),
            Err(chosen) => {
                let done = self.take_chosen(events, chosen);
                self.heed(events, done);
            }
        }
    }

    /// Handles the result of the desktop's dialog.
    pub(super) fn take_chosen(
        &mut self,
        events: &ActiveEventLoop,
        chosen: Chosen,
    ) -> Result<(), ViewerError> {
        match chosen {
            Chosen::Files(files) if files.is_empty() => Ok(()),
            Chosen::Files(files) => self.open_all(events, &files),
            Chosen::NoDialog => {
                self.content.ui.chooser = Some(Chooser::new());
                self.begin_layout(true);
                self.redraw();
                Ok(())
            }
        }
    }

    /// Opens the choice of the window's own chooser.
    pub(super) fn choose(&mut self, events: &ActiveEventLoop, name: OsString) -> Result<(), ViewerError> {
        self.redraw();
        let names = [name];
        match (self.errands.list(&names), &mut self.content.ui.chooser) {
            // The chooser stays, for another try.
            (Err(error), Some(chooser)) => {
                chooser.fault = Some(error);
                Ok(())
            }
            _ => {
                self.content.ui.chooser = None;
                self.open_all(events, &names)
            }
        }
    }

    /// Shows the first of several files, and makes them the list; a single file is opened, and a longer list stays.
    pub(super) fn open_all(
        &mut self,
        events: &ActiveEventLoop,
        names: &[OsString],
    ) -> Result<(), ViewerError> {
        let files = match self.errands.list(names) {
            Ok(files) => files,
            Err(error) => {
                self.report(Err(error));
                self.redraw();
                return Ok(());
            }
        };
        let Some(first) = files.first().cloned() else { return Ok(()) };
        if files.len() > 1 {
            self.content.files = Files::new(files, &self.file);
            self.content.ui.is_listing = true;
            self.begin_layout(true);
        }
        self.leave(events, Leave::Open(first))
    }

    /// Sets the number of files dragged over the window.
    pub(super) fn hover(&mut self, count: usize) {
        if self.content.hovering != count {
            self.content.hovering = count;
            self.redraw();
        }
    }

    /// Extends the list of a single file to its folder.
    fn fill_list(&mut self) {
        if !self.content.files.has_others() {
            let beside = self.errands.beside();
            if beside.contains(&self.file) {
                self.content.files = Files::new(beside, &self.file);
            }
        }
    }
}
