//! Undo and redo on the stage, and the saved state of its edits.

use std::sync::Arc;

use super::history::{Edited, History, Moment};
use super::state::Stage;
use sinew_scene::scene::Scene;
use sinew_skinning::pose::{ClipMix, PoseChoice};

/// Returns a snapshot of a stage.
fn moment(stage: &Stage) -> Moment {
    let mut scene = stage.scene.clone();
    scene.size = [0, 0];
    let mut time_secs = 0.0;
    if let PoseChoice::Clips(mix) = &mut scene.pose {
        time_secs = std::mem::take(&mut mix.time_secs);
        // A fade ends by itself.
        if stage.fade.is_some()
            && let Some(blend) = mix.blends.pop()
        {
            mix.clips = vec![blend.clip];
        }
    }
    Moment {
        scene,
        time_secs,
        posed: stage.posed.clone(),
        before: stage.before,
        fade_secs: stage.fade_secs,
        chosen: stage.chosen,
        kept: stage.kept,
        pins: stage.pins.clone(),
        weighed: stage.weighed.clone(),
    }
}

/// Returns the edits of materials and weights, and of the pose that is shown or kept below it.
fn edited(stage: &Stage) -> Edited {
    let pose = stage.edited_mix().map(|mix| mix.edits.clone()).unwrap_or_default();
    let (materials, weights) = (stage.scene.materials.clone(), Arc::clone(&stage.weighed.edits));
    Edited { pose, materials, weights }
}

impl Stage {
    /// Clears all steps, for another file or a reloaded one; a reload preserves the record of saved edits.
    pub(super) fn begin_history(&mut self, is_again: bool) {
        let mut begun = History::new(moment(self), edited(self));
        if let Some(before) = self.history.take().filter(|_| is_again) {
            begun.saved = before.saved;
        }
        self.history = Some(begun);
    }

    /// Returns the pose with its edits, if there are any.
    pub fn edited_mix(&self) -> Option<&ClipMix> {
        [Some(&self.scene.pose), self.posed.as_ref()].into_iter().flatten().find_map(|pose| match pose {
            PoseChoice::Clips(mix) if !mix.edits.is_empty() => Some(mix),
            _ => None,
        })
    }

    /// Shows a pose that was kept when a window ended early.
    pub fn take_back(&mut self, mix: ClipMix) {
        self.settle();
        self.posed = None;
        self.scene.pose = PoseChoice::Clips(mix);
    }

    /// Adds a step for the changes since the last one, unless a button is held; `now_secs` is any clock.
    pub fn note(&mut self, is_held: bool, now_secs: f64) {
        let moment = moment(self);
        let Some(history) = self.history.as_mut().filter(|_| !is_held) else { return };
        history.note(moment, now_secs);
    }

    /// Undoes or redoes a step. Returns its name.
    pub fn step_back(&mut self, is_undo: bool) -> Option<&'static str> {
        let history = self.history.as_mut()?;
        let what = history.step_back(is_undo)?;
        let now = history.now.clone();
        self.restore(now);
        Some(what)
    }

    /// Cancels the current drag: restores the state at the press of the button.
    pub fn leave_off(&mut self) {
        if let Some(now) = self.history.as_ref().map(|history| history.now.clone()) {
            self.restore(now);
        }
    }

    fn restore(&mut self, moment: Moment) {
        let Moment { scene, time_secs, posed, before, fade_secs, chosen, kept, pins, weighed } = moment;
        let shown = match &self.scene.pose {
            PoseChoice::Clips(mix) => Some((mix.clips.clone(), mix.time_secs)),
            _ => None,
        };
        let size = self.scene.size;
        self.scene = Scene { size, ..scene };
        if let PoseChoice::Clips(mix) = &mut self.scene.pose {
            // A clip that continues to play does not jump.
            mix.time_secs =
                shown.filter(|(clips, _)| *clips == mix.clips).map_or(time_secs, |(_, time)| time);
        }
        self.fade = None;
        (self.posed, self.before, self.fade_secs) = (posed, before, fade_secs);
        (self.chosen, self.kept, self.pins) = (chosen, kept, pins);
        self.weighed = weighed;
        self.find_selected();
        self.apply_ddm();
    }

    /// Returns true if the pose has edits that are in no file.
    pub fn has_unsaved_pose(&self) -> bool {
        let edited = edited(self);
        let saved = self.history.as_ref().map(|history| &history.saved.pose);
        !edited.pose.is_empty() && saved.is_some_and(|saved| *saved != edited.pose)
    }

    /// Returns true if materials were changed and not saved in a picture or command line.
    pub fn has_unsaved_materials(&self) -> bool {
        let materials = &self.scene.materials;
        let saved = self.history.as_ref().map(|history| &history.saved.materials);
        !materials.is_empty() && saved.is_some_and(|saved| saved != materials)
    }

    /// Returns true if weights have edits that are in no file.
    pub fn has_unsaved_weights(&self) -> bool {
        let edits = &self.weighed.edits;
        let saved = self.history.as_ref().map(|history| &history.saved.weights);
        !edits.is_empty() && saved.is_some_and(|saved| saved != edits)
    }

    /// Returns true if anything was edited and not saved.
    pub fn is_unsaved(&self) -> bool {
        self.has_unsaved_pose() || self.has_unsaved_materials() || self.has_unsaved_weights()
    }

    /// Notes that the weights were written.
    pub fn note_weights_saved(&mut self) {
        let weights = Arc::clone(&self.weighed.edits);
        if let Some(history) = &mut self.history {
            history.saved.weights = weights;
        }
    }

    /// Notes that the pose was written.
    pub fn note_pose_saved(&mut self) {
        let pose = edited(self).pose;
        if let Some(history) = &mut self.history {
            history.saved.pose = pose;
        }
    }

    /// Notes that the materials were saved in a picture or command line.
    pub fn note_materials_saved(&mut self) {
        if let Some(history) = &mut self.history {
            history.saved.materials.clone_from(&self.scene.materials);
        }
    }
}
