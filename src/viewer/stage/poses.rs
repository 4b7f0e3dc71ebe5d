//! Which pose is shown, which one is put away below it, and clips that become one another.
//! It must not know how poses are made.

use super::state::Stage;
use crate::view::View;
use sinew_model::Model;
use sinew_skinning::pose::{Blend, ClipMix, PoseChoice};

/// The clips and edits of a pose; of one that has neither, none.
fn mix(pose: &PoseChoice) -> ClipMix {
    match pose {
        PoseChoice::Clips(mix) => mix.clone(),
        PoseChoice::Bind | PoseChoice::Rest | PoseChoice::SkinSpace => ClipMix::default(),
    }
}

impl Stage {
    /// Shows a pose over the one that is shown, which is put away; of poses without clips and edits there is
    /// nothing to put away.
    fn lay_over(&mut self, pose: PoseChoice) {
        self.finish_fade();
        let before = std::mem::replace(&mut self.scene.pose, pose);
        if matches!(before, PoseChoice::Clips(_)) {
            self.posed = Some(before);
        }
    }

    /// Shows what was put away.
    fn bring_back(&mut self) {
        self.scene.pose = self.posed.take().unwrap_or(PoseChoice::Rest);
    }

    pub(super) fn pose_or_back(&mut self, pose: PoseChoice) {
        match (self.scene.view == View::SkinSpace, self.scene.pose == pose) {
            // That view has a pose of its own.
            (true, _) => {}
            (false, true) => self.bring_back(),
            (false, false) => self.lay_over(pose),
        }
    }

    /// Shows a view.
    pub fn look_at(&mut self, view: View) {
        let (was, is) = (self.scene.view == View::SkinSpace, view == View::SkinSpace);
        if is && !was {
            self.lay_over(PoseChoice::SkinSpace);
        } else if was && !is {
            self.bring_back();
        }
        self.scene.view = view;
    }

    /// Takes poses over to another model, or to the same file as it is now, as far as it still has their clips.
    pub(super) fn carry_poses(&mut self, model: &Model, is_other: bool) {
        self.finish_fade();
        let first = || match model.clips.is_empty() {
            true => PoseChoice::Rest,
            false => PoseChoice::clip(0, 0.0),
        };
        let carried = |pose: PoseChoice| match pose {
            PoseChoice::Clips(mix) if !is_other && mix.all().all(|clip| clip < model.clips.len()) => {
                let edits = mix.edits.carried_to(model);
                match mix.clips.is_empty() && edits.is_empty() {
                    true => PoseChoice::Rest,
                    false => PoseChoice::Clips(ClipMix { edits, ..mix }),
                }
            }
            PoseChoice::Clips(_) => first(),
            other => other,
        };
        self.posed = self.posed.take().map(carried);
        self.base = carried(std::mem::replace(&mut self.base, PoseChoice::Rest));
        self.scene.pose = carried(std::mem::replace(&mut self.scene.pose, PoseChoice::Rest));
    }

    /// Shows the pose of the command line as its file has it now. What hands have edited since it was read stays
    /// over it, and where only edits are new, the clip goes on. Says whether hands have edited anything.
    pub fn read_pose(&mut self, read: PoseChoice) -> bool {
        self.finish_fade();
        let before = mix(&std::mem::replace(&mut self.base, read.clone()));
        let is_over = match self.scene.pose {
            PoseChoice::Bind | PoseChoice::SkinSpace => true,
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
        let shown = match shown.clips.is_empty() && edits.is_empty() {
            true => PoseChoice::Rest,
            false => PoseChoice::Clips(ClipMix { edits, ..shown }),
        };
        match is_over {
            true => self.posed = Some(shown),
            false => self.scene.pose = shown,
        }
        is_edited
    }

    /// One clip becomes another: so far, from 0 to 1.
    pub(super) fn fade_to(&mut self, done: f64) {
        self.fade = None;
        let PoseChoice::Clips(mix) = &mut self.scene.pose else { return };
        if let Some(blend) = mix.blends.last_mut().filter(|_| done < 1.0) {
            // In steps that are short to write: the fade is part of the command line.
            blend.weight = (done.clamp(0.0, 1.0) * 1024.0).round() / 1024.0;
            self.fade = Some(done);
        } else if let Some(Blend { clip, .. }) = mix.blends.pop() {
            mix.clips = vec![clip];
            let length = self.model.length_of([clip].into_iter());
            if length > 0.0 {
                mix.time_secs = mix.time_secs.rem_euclid(length);
            }
        }
    }

    /// What was becoming another clip, is that clip.
    fn finish_fade(&mut self) {
        if self.fade.is_some() {
            self.fade_to(1.0);
        }
    }

    /// Shows another clip: by and by where something moves, else, and where one is just becoming another, at once.
    pub fn change_clip(&mut self, clip: usize) {
        if self.scene.view == View::SkinSpace {
            // It is shown when that view is left.
            self.posed = Some(PoseChoice::clip(clip, 0.0));
            return;
        }
        self.posed = None;
        let was_fading = self.fade.is_some();
        self.finish_fade();
        let moves = |mix: &ClipMix| self.model.length_of(mix.all().chain([clip])) > 0.0;
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
                let time_secs = if was_fading { mix.time_secs } else { 0.0 };
                *mix = ClipMix { clips: vec![clip], edits, time_secs, ..ClipMix::default() };
            }
            PoseChoice::Bind | PoseChoice::Rest | PoseChoice::SkinSpace => {
                self.scene.pose = PoseChoice::clip(clip, 0.0);
            }
        }
    }

    /// The clip that comes by so many after the first of those shown.
    pub(super) fn show_clip(&mut self, by: i32) {
        let pose = match self.scene.view {
            View::SkinSpace => self.posed.as_ref(),
            _ => Some(&self.scene.pose),
        };
        let shown = match pose {
            // What a clip becomes is what is shown next.
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
