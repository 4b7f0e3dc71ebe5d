//! Output of the window: pictures, poses and texts, with a message about each.

use super::{Drawing, Viewer};
use sinew_skinning::pose::PoseChoice;

impl Viewer<'_> {
    pub(super) fn copy_command_line(&mut self) {
        let line = self.content.stage.scene.to_string();
        self.errands.say(&line);
        if self.copy(&line, &line) {
            // The pose has a separate file, and a clipboard does not outlast the window.
            self.content.stage.note_materials_saved();
        }
    }

    /// Copies a text, and names it in a message. Returns true on success.
    pub(super) fn copy(&mut self, text: &str, what: &str) -> bool {
        let is_wayland = self.drawing.as_ref().is_some_and(Drawing::is_wayland);
        let copied = match self.translator.as_mut().filter(|_| is_wayland) {
            Some(translator) => {
                translator.set_clipboard_text(text.to_owned());
                Ok(())
            }
            None => self.clipboard.copy(text),
        };
        match &copied {
            Ok(()) => self.content.say(&format!("copied: {what}")),
            Err(error) => self.content.say(&format!("could not copy: {error}")),
        }
        copied.is_ok()
    }

    /// Returns the text in the clipboard.
    pub(super) fn clipboard_text(&mut self) -> Result<String, String> {
        let is_wayland = self.drawing.as_ref().is_some_and(Drawing::is_wayland);
        match self.translator.as_mut().filter(|_| is_wayland) {
            Some(translator) => translator.clipboard_text().ok_or_else(|| "no text to paste".to_owned()),
            None => self.clipboard.text().map_err(|error| format!("no text to paste: {error}")),
        }
    }

    pub(super) fn write_picture(&mut self) {
        let Some(drawing) = &mut self.drawing else { return };
        let scene = &self.content.stage.scene;
        let drawn = drawing.renderer.picture(&mut drawing.gpu, scene);
        let said = match drawn {
            Ok(picture) => self.errands.write_picture(scene, &picture, &drawing.renderer),
            Err(error) => Err(error.to_string()),
        };
        if said.is_ok() {
            self.content.stage.note_materials_saved();
        }
        self.report(said);
    }

    pub(super) fn write_pose(&mut self) {
        let stage = &self.content.stage;
        let shown = match &stage.scene.pose {
            PoseChoice::Clips(mix) => Some(mix),
            _ => stage.edited_mix(),
        };
        let said = match shown {
            Some(mix) => self.errands.write_pose(&stage.scene.files.model, mix, &self.model),
            None => Err("no edited pose to save".to_owned()),
        };
        if said.is_ok() {
            self.content.stage.note_pose_saved();
        }
        self.report(said);
    }

    /// Reports success or failure, in the window and on the terminal.
    pub(super) fn report(&mut self, said: Result<String, String>) {
        let text = said.unwrap_or_else(|error| format!("error: {error}"));
        self.errands.say(&text);
        self.content.say(&text);
    }
}
