//! Posing in the window: drags of handles, numbers typed meanwhile, and poses that go to the clipboard and back.

use glam::DVec2;

use super::Viewer;
use crate::gizmo::Drag;
use crate::ui::Held;

impl Viewer<'_> {
    /// Grabs what is under the cursor.
    pub(super) fn grab(&mut self) {
        let pixel = self.pixel();
        let held = self.content.grip(pixel, self.scale());
        self.content.held = held;
        if let (Held::Handle(handle, origin), Some(gizmo)) = (held, &self.content.gizmo) {
            self.content.drag = Some(Drag::new(gizmo.clone(), handle, pixel - origin));
        }
    }

    /// Drags the handle in the hand on to a pixel of its pane.
    pub(super) fn drag_handle(&mut self, to: DVec2) {
        if let Some(drag) = &mut self.content.drag {
            drag.drag(to);
        }
        self.follow_drag();
    }

    /// Takes a key while a handle is in the hand: digits, sign and point make a number. Returns whether it took it.
    pub(super) fn type_number(&mut self, key: &str) -> bool {
        let Some(drag) = &mut self.content.drag else { return false };
        let is_taken = drag.type_key(key);
        if is_taken {
            self.follow_drag();
        }
        is_taken
    }

    /// Makes of the joint what the drag says.
    pub(super) fn follow_drag(&mut self) {
        self.content.is_stepped = self.modifiers.control_key();
        let content = &mut self.content;
        let size = content.stage.figure_size();
        let change = content.drag.as_ref().and_then(|drag| drag.change(content.is_stepped, size));
        if let (Some(node), Some(change)) = (content.stage.chosen, change) {
            content.stage.change(node, change);
        }
        self.redraw();
    }

    /// Mirrors the pose, or the chosen joint to the other side.
    pub(super) fn mirror(&mut self) {
        let said = self.content.stage.mirror();
        self.say_or_object(said);
    }

    /// Copies the chosen joint, or the pose, as text.
    pub(super) fn copy_pose(&mut self) {
        match self.content.stage.pose_text() {
            Ok(text) => {
                self.copy(&text, "the pose");
            }
            Err(error) => self.say_or_object(Err(error)),
        }
    }

    /// Takes a pose from the clipboard.
    pub(super) fn paste_pose(&mut self) {
        let said = self.clipboard_text().and_then(|text| self.content.stage.paste_pose(&text));
        self.say_or_object(said);
    }

    fn say_or_object(&mut self, said: Result<String, String>) {
        let said = said.unwrap_or_else(|error| format!("error: {error}"));
        self.content.say(&said);
        self.redraw();
    }
}
