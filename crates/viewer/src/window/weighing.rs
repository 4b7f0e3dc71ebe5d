//! Selects vertices by clicks and rectangles, and shows and saves edited weights.

use glam::DVec2;

use super::Viewer;
use crate::ViewerError;
use crate::stage::{Reweighed, Select};
use sinew_skinning::reweight::Edit;

impl Viewer<'_> {
    /// Returns the effect of the held modifiers on a selection.
    fn selects(&self) -> Select {
        match () {
            () if self.modifiers.control_key() || self.modifiers.super_key() => Select::Remove,
            () if self.modifiers.shift_key() => Select::Add,
            () => Select::Only,
        }
    }

    /// Selects the vertex under the cursor.
    pub(super) fn select_under(&mut self) {
        let how = self.selects();
        let Some(drawing) = &mut self.drawing else { return };
        let stage = &mut self.content.stage;
        let hit = self
            .content
            .cursor
            .and_then(|pixel| drawing.renderer.pick(&mut drawing.gpu, &stage.scene, pixel));
        let found: Vec<_> = hit.into_iter().map(|hit| hit.nearest).collect();
        stage.select(&found, how);
        self.redraw();
    }

    /// Selects the vertices in sight between a pixel and the cursor.
    pub(super) fn select_within(&mut self, from: DVec2) {
        let (how, to) = (self.selects(), self.pixel());
        let Some(drawing) = &mut self.drawing else { return };
        let stage = &mut self.content.stage;
        let found = drawing.renderer.pick_within(&mut drawing.gpu, &stage.scene, [from, to]);
        stage.select(&found, how);
        self.redraw();
    }

    /// Edits the chosen joint's weights at the selected vertices.
    pub(super) fn edit_weights(&mut self, edit: impl FnOnce(String) -> Edit) {
        let done = self.content.stage.edit_weights(edit);
        self.after_edit(done);
    }

    /// Edits the weights of the selected vertices.
    pub(super) fn edit_selected(&mut self, edit: Edit) {
        let done = self.content.stage.edit_selected(edit);
        self.after_edit(done);
    }

    fn after_edit(&mut self, done: Result<(), String>) {
        if let Err(error) = done {
            self.content.say(&error);
        }
        self.redraw();
    }

    /// Shows the weights of the current list of edits, if others are shown.
    pub(super) fn reweigh(&mut self) -> Result<(), ViewerError> {
        let Some(Reweighed { model, said }) = self.content.stage.reweighed() else { return Ok(()) };
        if let Some(drawing) = &mut self.drawing {
            let scene = &self.content.stage.scene;
            let other = self.options.other.as_ref().filter(|_| scene.files.other.is_some());
            drawing.load(&model, other)?;
        }
        self.model = std::sync::Arc::clone(&model);
        self.content.stage.take_weights(model);
        match said {
            Some(Ok(said)) => self.content.say(&said),
            Some(Err(error)) => self.report(Err(error)),
            None => {}
        }
        Ok(())
    }

    /// Writes the model with its edited weights, and the edits.
    pub(super) fn write_weights(&mut self) -> Result<(), ViewerError> {
        // The last edit may not have been drawn yet.
        self.reweigh()?;
        let stage = &self.content.stage;
        let edits = stage.weight_edits();
        let said = match edits.is_empty() {
            true => Err("no edited weights to save".to_owned()),
            false => self.errands.write_weights(&stage.scene.files.model, edits, &self.model),
        };
        if said.is_ok() {
            self.content.stage.note_weights_saved();
        }
        self.report(said);
        Ok(())
    }
}
