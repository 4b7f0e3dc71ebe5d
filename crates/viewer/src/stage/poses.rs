//! The current pose, the pose kept below it, and fades between clips.

use super::state::Stage;
use sinew_model::Model;
use sinew_scene::view::View;
use sinew_skinning::pose::{Blend, ClipMix, PoseChoice};

/// Returns the clips and edits of a pose; empty if it has neither.
fn mix(pose: &PoseChoice) -> ClipMix {
    match pose {
        PoseChoice::Clips(mix) => mix.clone(),
        PoseChoice::Bind | PoseChoice::Rest | PoseChoice::SkinSpace(_) => ClipMix::default(),
    }
}

impl Stage {
    /// Shows another pose and keeps the current one to return to, if it has clips or edits.
    fn lay_over(&mut self, pose: PoseChoice) {
        self.finish_fade();
        let before = std::mem::replace(&mut self.scene.pose, pose);
        if matches!(before, PoseChoice::Clips(_)) {
            self.posed = Some(before);
        }
    }

    /// Returns to the kept pose.
    fn bring_back(&mut self) {
        self.scene.pose = self.posed.take().unwrap_or(PoseChoice::Rest);
    }

    pub(super) fn pose_or_back(&mut self, pose: PoseChoice) {
        match (self.scene.view.has_own_pose(), self.scene.pose == pose) {
            // The view implies a pose.
            (true, _) => {}
            (false, true) => self.bring_back(),
            (false, false) => self.lay_over(pose),
        }
    }

    /// Shows a view.
    pub fn look_at(&mut self, view: View) {
        match (self.scene.view.has_own_pose(), view.has_own_pose()) {
            (false, true) => self.lay_over(PoseChoice::SkinSpace(None)),
            (true, false) => self.bring_back(),
            // From the space of one joint to that of all.
            (true, true) => self.scene.pose = PoseChoice::SkinSpace(None),
            (false, false) => {}
        }
        self.scene.view = view;
    }

    /// Carries poses over to another model or a reloaded file, if that still has their clips.
    pub(super) fn carry_poses(&mut self, model: &Model, is_other: bool) {
        self.finish_fade();
        let first = || match model.clips.first() {
            None => PoseChoice::Rest,
            Some(clip) => PoseChoice::clip(0, model.period_of(clip).start),
        };
        let carried = |pose: PoseChoice| match pose {
            PoseChoice::Clips(mix) if !is_other && mix.all().all(|clip| clip < model.clips.len()) => {
                let edits = mix.edits.carried_to(model);
                let only_joint = mix.only_joint.as_ref().and_then(|joint| joint.carried_to(model));
                match mix.clips.is_empty() && edits.is_empty() && only_joint.is_none() {
                    true => PoseChoice::Rest,
                    false => PoseChoice::Clips(ClipMix { edits, only_joint, ..mix }),
                }
            }
            PoseChoice::Clips(_) => first(),
            PoseChoice::SkinSpace(only) => {
                PoseChoice::SkinSpace(only.and_then(|joint| joint.carried_to(model)))
            }
            other => other,
        };
        self.posed = self.posed.take().map(carried);
        self.base = carried(std::mem::replace(&mut self.base, PoseChoice::Rest));
        self.scene.pose = carried(std::mem::replace(&mut self.scene.pose, PoseChoice::Rest));
    }

    /// Applies the command line's pose after its file was read again. The user's edits stay on top; if only the
    /// file's edits changed, the clip keeps playing. Returns true if the user has edits.
    pub fn read_pose(&mut self, read: PoseChoice) -> bool {
        self.finish_fade();
        let before = mix(&std::mem::replace(&mut self.base, read.clone()));
        let is_over = match self.scene.pose {
            PoseChoice::Bind | PoseChoice::SkinSpace(_) => true,
            PoseChoice::Rest => self.posed.is_some(),
            PoseChoice::Clips(_) => false,
        };
        let now = match is_over {
            true => self.posed.as_ref().map(mix).unwrap_or_default(),
            false => mix(&self.scene.pose),
        };
        let read = mix(&read);
        let is_edited = now.edits != before.edits;
        let edits = read.edits.clone().with_changes(&before.edits, &now.edits);
        let is_same_motion = ClipMix { edits: read.edits.clone(), ..before } == read;
        let shown = if is_same_motion { now } else { read };
        let shown = match shown.clips.is_empty() && edits.is_empty() && shown.only_joint.is_none() {
            true => PoseChoice::Rest,
            false => PoseChoice::Clips(ClipMix { edits, ..shown }),
        };
        match is_over {
            true => self.posed = Some(shown),
            false => self.scene.pose = shown,
        }
        if !is_edited {
            self.note_pose_saved();
        }
        is_edited
    }

    /// Sets the progress of a fade, from 0 to 1.
    pub(super) fn fade_to(&mut self, done: f64) {
        self.fade = None;
        let PoseChoice::Clips(mix) = &mut self.scene.pose else { return };
        if let Some(blend) = mix.blends.last_mut().filter(|_| done < 1.0) {
            // Round to 1/1024, which is short to write: the fade is part of the command line.
            blend.weight = (done.clamp(0.0, 1.0) * 1024.0).round() / 1024.0;
            self.fade = Some(done);
        } else if let Some(Blend { clip, .. }) = mix.blends.pop() {
            mix.clips = vec![clip];
            let period = self.model.period_of_all([clip].into_iter());
            if period.length() > 0.0 {
                mix.time_secs = period.start + (mix.time_secs - period.start).rem_euclid(period.length());
            }
        }
    }

    /// Completes a fade in progress.
    fn finish_fade(&mut self) {
        if self.fade.is_some() {
            self.fade_to(1.0);
        }
    }

    /// Shows another clip. It fades in while something plays; it changes at once when nothing moves, or during a fade.
    pub fn change_clip(&mut self, clip: usize) {
        let start = self.model.period_of_all([clip].into_iter()).start;
        if self.scene.view.has_own_pose() {
            // The clip appears when that view ends.
            self.posed = Some(PoseChoice::clip(clip, start));
            return;
        }
        self.posed = None;
        let was_fading = self.fade.is_some();
        self.finish_fade();
        let moves = |mix: &ClipMix| self.model.period_of_all(mix.all().chain([clip])).length() > 0.0;
        let is_playing = self.clock.is_running && self.fade_secs > 0.0 && !was_fading;
        match &mut self.scene.pose {
            PoseChoice::Clips(mix)
                if is_playing && moves(mix) && mix.blends.is_empty() && !mix.clips.is_empty() =>
            {
                if mix.clips != [clip] {
                    mix.blends.push(Blend { clip, weight: 0.0 });
                    self.settle();
                    self.fade = Some(0.0);
                }
            }
            PoseChoice::Clips(mix) => {
                let edits = std::mem::take(&mut mix.edits);
                let time_secs = if was_fading { mix.time_secs } else { start };
                *mix = ClipMix {
                    clips: vec![clip],
                    blends: Vec::new(),
                    edits,
                    time_secs,
                    only_joint: mix.only_joint.take(),
                };
            }
            PoseChoice::Bind | PoseChoice::Rest | PoseChoice::SkinSpace(_) => {
                self.scene.pose = PoseChoice::clip(clip, start);
            }
        }
    }

    /// Moves on by this many clips, counted from the first shown one.
    pub(super) fn show_clip(&mut self, by: i32) {
        let pose = match self.scene.view.has_own_pose() {
            true => self.posed.as_ref(),
            false => Some(&self.scene.pose),
        };
        let shown = match pose {
            // During a fade, count from the clip that fades in.
            Some(PoseChoice::Clips(mix)) if self.fade.is_some() => mix.blends.last().map(|blend| blend.clip),
            Some(PoseChoice::Clips(mix)) => mix.clips.first().copied(),
            _ => None,
        };
        let Ok(count) = i64::try_from(self.model.clips.len()) else { return };
        if count == 0 {
            return;
        }
        let next = match shown.and_then(|shown| i64::try_from(shown).ok()) {
            Some(shown) => (shown + i64::from(by)).rem_euclid(count),
            None => 0,
        };
        if let Ok(next) = usize::try_from(next) {
            self.change_clip(next);
        }
    }
}
