//! Pointing and clicking: a click on a joint in the picture chooses it; any other selects or pins the vertex under the
//! cursor.

use super::Viewer;
use crate::keys::Action;

impl Viewer<'_> {
    /// Marks the joint under the cursor, unless it is already marked.
    pub(super) fn point(&mut self) {
        let Some(drawing) = &self.drawing else { return };
        if self.content.pointed != self.content.joint_under(&drawing.renderer) {
            self.redraw();
        }
    }

    /// Chooses the joint under the cursor; without one, selects the vertex there, or pins it if the panel is open to show it.
    pub(super) fn click(&mut self) {
        match self.choose_under() {
            true => {}
            false if self.content.stage.is_selecting => self.select_under(),
            false if self.content.ui.is_open => self.keep(),
            false => {}
        }
        self.redraw();
    }

    /// Frames the joint under the cursor and its descendants; without one, orbits around the point of the surface
    /// there.
    pub(super) fn double_click(&mut self) {
        if self.choose_under() {
            self.content.stage.act(Action::Fit);
            self.redraw();
        } else if !self.content.stage.is_selecting {
            self.set_pivot();
        }
    }

    fn choose_under(&mut self) -> bool {
        let joint = self.drawing.as_ref().and_then(|drawing| self.content.joint_under(&drawing.renderer));
        if joint.is_some() {
            self.content.stage.chosen = joint;
        }
        joint.is_some()
    }
}
