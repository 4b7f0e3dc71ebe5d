//! Posing in the window: drags of handles, numbers typed during a drag, and poses to and from the clipboard.

use glam::DVec2;

use super::Viewer;
use crate::gizmo::Drag;
use crate::ui::Held;

impl Viewer<'_> {
    /// Grabs the object under the cursor.
    pub(super) fn grab(&mut self) {
        let pixel = self.pixel();
        let held = self.content.grip(pixel, self.scale());
        self.content.held = held;
        if let (Held::Handle(handle, origin), Some(gizmo)) = (held, &self.content.gizmo) {
            self.content.drag = Some(Drag::new(gizmo.clone(), handle, pixel - origin));
        }
    }

    /// Drags the grabbed handle to a pixel of its pane.
    pub(super) fn drag_handle(&mut self, to: DVec2) {
        if let Some(drag) = &mut self.content.drag {
            drag.drag(to);
        }
        self.follow_drag();
    }

    /// Handles a key during a drag: digits, sign and point make a number. Returns true if the key was one of these.
    pub(super) fn type_number(&mut self, key: &str) -> bool {
        let Some(drag) = &mut self.content.drag else { return false };
        let is_taken = drag.type_key(key);
        if is_taken {
            self.follow_drag();
        }
        is_taken
    }

    /// Applies the drag to the joint.
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

    /// Pastes a pose from the clipboard.
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
