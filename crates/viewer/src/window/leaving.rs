//! Protects edits: undo, a prompt before discarding, and autosave.

use winit::event_loop::ActiveEventLoop;

use super::Viewer;
use crate::ViewerError;
use crate::ui::{Answer, Held, Leave, Question};

impl Viewer<'_> {
    /// Undoes or redoes a step, and names it in a message.
    pub(super) fn step_back(&mut self, is_undo: bool) {
        let said = match (self.content.stage.step_back(is_undo), is_undo) {
            (Some(what), true) => format!("undone: {what}"),
            (Some(what), false) => format!("redone: {what}"),
            (None, true) => "nothing to undo".to_owned(),
            (None, false) => "nothing to redo".to_owned(),
        };
        self.content.say(&said);
    }

    /// Cancels the first of: an overlay such as the palette, a file being loaded, a drag, selected vertices, selecting, the
    /// chosen joint, the pinned vertex. Returns true if there was any.
    pub(super) fn leaves_something(&mut self) -> bool {
        if !self.content.ui.lies_over() && self.leave_load() {
            return true;
        }
        let content = &mut self.content;
        if content.ui.close_one() {
            content.ui.let_go();
            return true;
        }
        if self.held.take().is_some() {
            (content.held, content.drag) = (Held::Nothing, None);
            content.stage.leave_off();
            return true;
        }
        let stage = &mut content.stage;
        (stage.is_selecting && stage.clear_selection())
            || std::mem::take(&mut stage.is_selecting)
            || stage.chosen.take().is_some()
            || stage.kept.take().is_some()
    }

    /// Leaves lost edits where they are.
    fn leave_lost(&mut self) {
        self.lost = None;
        self.lost_weights.clear();
    }

    /// Closes the window or shows another file; asks first if edits would be lost.
    pub(super) fn leave(&mut self, events: &ActiveEventLoop, leave: Leave) -> Result<(), ViewerError> {
        let stage = &self.content.stage;
        if stage.is_unsaved() {
            self.content.ui.question = Some(Question::Unsaved(leave));
            self.redraw();
            return Ok(());
        }
        self.go(events, leave)
    }

    fn go(&mut self, events: &ActiveEventLoop, leave: Leave) -> Result<(), ViewerError> {
        match leave {
            Leave::Close => {
                events.exit();
                Ok(())
            }
            Leave::Open(file) => {
                self.load(&file);
                Ok(())
            }
        }
    }

    /// Handles the answer to a question.
    pub(super) fn answer(&mut self, events: &ActiveEventLoop, answer: Answer) -> Result<(), ViewerError> {
        self.redraw();
        match (self.content.ui.question.take(), answer) {
            (None, _) => {}
            (Some(_), Answer::Cancel) => self.leave_lost(),
            (Some(Question::Unsaved(leave)), Answer::Yes) => {
                // A picture records everything but weights; pose and weights have separate files.
                if self.content.stage.has_unsaved_pose() {
                    self.write_pose();
                }
                if self.content.stage.has_unsaved_materials() {
                    self.write_picture();
                }
                if self.content.stage.has_unsaved_weights() {
                    self.write_weights()?;
                }
                self.guard();
                // Asks again about anything that could not be written.
                return self.leave(events, leave);
            }
            (Some(Question::Unsaved(leave)), Answer::No) => {
                self.keep_none();
                // The edits remain if the other file cannot be read, and are kept again.
                self.guarded = match leave {
                    Leave::Close => self.content.stage.edited_mix().map(|mix| mix.edits.clone()),
                    Leave::Open(_) => None,
                };
                self.guarded_weights = match leave {
                    Leave::Close => self.content.stage.weight_edits().to_vec(),
                    Leave::Open(_) => Vec::new(),
                };
                return self.go(events, leave);
            }
            (Some(Question::Lost), Answer::Yes) => {
                if let Some(mix) = self.lost.take() {
                    self.content.stage.take_back(mix);
                }
                let edits = std::mem::take(&mut self.lost_weights);
                if !edits.is_empty() {
                    self.content.stage.take_back_weights(edits);
                }
                self.guard();
                self.errands.forget();
            }
            (Some(Question::Lost), Answer::No) => {
                self.leave_lost();
                self.errands.forget();
            }
        }
        Ok(())
    }

    /// Keeps the edits that are in no file, in case the window ends early.
    pub(super) fn guard(&mut self) {
        self.guard_weights();
        let stage = &self.content.stage;
        let mix = stage.edited_mix().filter(|_| stage.has_unsaved_pose());
        let edits = mix.map(|mix| mix.edits.clone());
        if self.guarded == edits {
            return;
        }
        match self.errands.keep(mix, &self.model) {
            Ok(()) => (self.guarded, self.is_unguarded) = (edits, false),
            // Try again, but report the error only once.
            Err(_) if self.is_unguarded => {}
            Err(error) => {
                self.is_unguarded = true;
                self.report(Err(format!("cannot keep a copy of the edited pose: {error}")));
            }
        }
    }

    fn guard_weights(&mut self) {
        let stage = &self.content.stage;
        let edits = if stage.has_unsaved_weights() { stage.weight_edits() } else { &[] };
        if self.guarded_weights == edits {
            return;
        }
        match self.errands.keep_weights(edits) {
            Ok(()) => (self.guarded_weights, self.is_unguarded) = (edits.to_vec(), false),
            Err(_) if self.is_unguarded => {}
            Err(error) => {
                self.is_unguarded = true;
                self.report(Err(format!("cannot keep a copy of the edited weights: {error}")));
            }
        }
    }

    /// Stops keeping edits.
    pub(super) fn keep_none(&mut self) {
        // A failure is harmless: the file is missing, or the next window offers it again.
        let _ = self.errands.keep(None, &self.model);
        let _ = self.errands.keep_weights(&[]);
    }

    /// Offers to restore edits that another window with this file left.
    pub(super) fn look_for_lost(&mut self) {
        self.lost = self.errands.lost(&self.model);
        self.lost_weights = self.errands.lost_weights();
        if self.lost.is_some() || !self.lost_weights.is_empty() {
            self.content.ui.question = Some(Question::Lost);
        }
    }
}
