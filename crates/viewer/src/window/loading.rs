//! Loads another file in the background: shows its progress, and cancels on request.

use std::ffi::OsStr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::{Loading, Viewer, Why};
use crate::ui::{Leave, Question};
use crate::{ViewerError, Watched};
use sinew_model::Model;

/// Time after which progress is shown.
const A_WHILE: Duration = Duration::from_millis(300);

impl Viewer<'_> {
    /// Starts loading another file. Nothing changes until it is loaded.
    pub(super) fn load(&mut self, file: &OsStr) {
        if self.drawing.is_none() {
            return;
        }
        self.content.files.visit(file);
        self.errands.begin(file);
        let edits = self.content.stage.edited_mix().map(|mix| mix.edits.clone());
        let weights = self.content.stage.weight_edits().to_vec();
        let why = Why::Opened(edits, weights);
        self.loading = Some(Loading { file: file.to_owned(), since: Instant::now(), why });
        self.redraw();
    }

    /// Starts reloading the current file, which has changed.
    pub(super) fn load_again(&mut self) {
        self.errands.begin_again();
        self.loading = Some(Loading { file: self.file.clone(), since: Instant::now(), why: Why::Changed });
    }

    /// Shows the loading file once it is read, and its progress before. If it cannot be read, nothing changes.
    pub(super) fn follow_load(&mut self) -> Result<(), ViewerError> {
        let Some(loading) = &self.loading else { return Ok(()) };
        if !self.errands.is_read() {
            if loading.is_opened() && loading.since.elapsed() >= A_WHILE {
                let file = loading.file.to_string_lossy().into_owned();
                let share = self.errands.share();
                if self.content.loading.as_ref().is_none_or(|(_, shown)| (shown - share).abs() >= 0.005) {
                    self.content.loading = Some((file, share));
                    self.redraw();
                }
            }
            return Ok(());
        }
        self.content.loading = None;
        let Some(Loading { file, why, .. }) = self.loading.take() else { return Ok(()) };
        self.redraw();
        let stage = &self.content.stage;
        if let Why::Opened(edits, weights) = &why {
            let is_posed =
                stage.has_unsaved_pose() && stage.edited_mix().map(|mix| &mix.edits) != edits.as_ref();
            if is_posed || (stage.has_unsaved_weights() && stage.weight_edits() != weights) {
                // The user made edits in the meantime.
                self.errands.give_up();
                self.content.ui.question = Some(Question::Unsaved(Leave::Open(file)));
                return Ok(());
            }
            // The user chose to discard unsaved edits.
            self.keep_none();
            self.guarded = None;
            self.guarded_weights.clear();
        }
        match self.upload(&file)? {
            Some(Ok(model)) => {
                self.show(model, &file);
                if let Why::Changed = why {
                    // Names in the pose may now refer to other joints or clips.
                    self.read_pose();
                }
            }
            Some(Err(error)) => self.complain(Watched::Model, &error),
            None => {}
        }
        Ok(())
    }

    /// Uploads the loaded file to the device; one that does not fit counts as unreadable.
    fn upload(&mut self, file: &OsStr) -> Result<Option<Result<Arc<Model>, String>>, ViewerError> {
        let Some(drawing) = &mut self.drawing else { return Ok(None) };
        // The other of two files belongs to the first one.
        let scene = &self.content.stage.scene;
        let has_other = scene.files.other.is_some() && *scene.files.model == *file.to_string_lossy();
        let other = self.options.other.as_ref().filter(|_| has_other);
        let mut failed = None;
        let ended = self.errands.end(&mut |model| match drawing.load(model, other) {
            Ok(()) => Ok(()),
            Err(error) => {
                let cause = error.to_string();
                failed = Some(error).filter(|error| !error.is_too_much());
                Err(cause)
            }
        });
        match failed {
            Some(error) => Err(error.into()),
            None => Ok(ended),
        }
    }

    /// Cancels opening a file. Returns true if one was being opened. Reloading a changed file continues, since it
    /// would only be detected as changed again.
    pub(super) fn leave_load(&mut self) -> bool {
        let Some(loading) = self.loading.take_if(|loading| loading.is_opened()) else { return false };
        self.errands.give_up();
        self.content.loading = None;
        self.content.say(&format!("not loaded: {}", loading.file.to_string_lossy()));
        true
    }
}
