//! Pointing and clicking: a click on a joint in the picture chooses it; any other pins the vertex under the cursor.

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

    /// Chooses the joint under the cursor; without one, pins the vertex there if the panel is open to show it.
    pub(super) fn click(&mut self) {
        if !self.choose_under() && self.content.ui.is_open {
            self.keep();
        }
        self.redraw();
    }

    /// Frames the joint under the cursor and its descendants; without one, orbits around the point of the surface
    /// there.
    pub(super) fn double_click(&mut self) {
        if self.choose_under() {
            self.content.stage.act(Action::Fit);
            self.redraw();
        } else {
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
