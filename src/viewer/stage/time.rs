//! How what is shown goes on: the clock, steps, and clips that become one another.
//! It must not know how the clock runs.

use super::Stage;
use crate::pose::{Blend, ClipMix, PoseChoice};

/// Frames a second that single steps go by.
const STEPS_A_SECOND: f64 = 30.0;

impl Stage {
    /// Time goes on by so many seconds.
    pub fn tick(&mut self, seconds: f64) {
        let length = self.length();
        if let PoseChoice::Clips(mix) = &mut self.scene.pose {
            mix.time_secs = self.clock.advance(mix.time_secs, seconds, length);
        }
        if let Some(done) = self.fade {
            self.fade_to(done + seconds / self.fade_secs.max(f64::MIN_POSITIVE));
        }
    }

    /// One clip becomes another: so far, from 0 to 1.
    fn fade_to(&mut self, done: f64) {
        let PoseChoice::Clips(mix) = &mut self.scene.pose else {
            self.fade = None;
            return;
        };
        let Some(blend) = mix.blends.last_mut().filter(|_| done < 1.0) else {
            self.fade = None;
            if let Some(Blend { clip, .. }) = mix.blends.pop() {
                mix.clips = vec![clip];
                let length = self.model.length_of([clip].into_iter());
                if length > 0.0 {
                    mix.time_secs = mix.time_secs.rem_euclid(length);
                }
            }
            return;
        };
        // In steps that are short to write: the fade is part of the command line.
        blend.weight = (done.clamp(0.0, 1.0) * 1024.0).round() / 1024.0;
        self.fade = Some(done);
    }

    /// Shows another clip: at once, or, while the clock runs, by and by.
    pub fn change_clip(&mut self, clip: usize) {
        self.posed = None;
        let can_fade = self.clock.is_running && self.fade_secs > 0.0;
        match &mut self.scene.pose {
            PoseChoice::Clips(mix)
                if can_fade && self.fade.is_none() && mix.blends.is_empty() && !mix.clips.is_empty() =>
            {
                if mix.clips != [clip] {
                    mix.blends.push(Blend { clip, weight: 0.0 });
                    self.settle();
                    self.fade = Some(0.0);
                }
            }
            PoseChoice::Clips(mix) => {
                let edits = std::mem::take(&mut mix.edits);
                let time_secs = if self.fade.take().is_some() { mix.time_secs } else { 0.0 };
                *mix = ClipMix { clips: vec![clip], edits, time_secs, ..ClipMix::default() };
            }
            PoseChoice::Bind | PoseChoice::Rest | PoseChoice::SkinSpace => {
                self.scene.pose = PoseChoice::clip(clip, 0.0);
            }
        }
    }

    /// How long the longest of the clips is that are shown.
    pub fn length(&self) -> f64 {
        let PoseChoice::Clips(mix) = &self.scene.pose else { return 0.0 };
        self.model.length_of(mix.all())
    }

    /// Goes to a time, and stands still.
    pub fn go_to(&mut self, time: f64) {
        self.clock.is_running = false;
        if let PoseChoice::Clips(mix) = &mut self.scene.pose {
            mix.time_secs = time;
        }
    }

    pub(super) fn step(&mut self, frames: i32) {
        let PoseChoice::Clips(mix) = &self.scene.pose else { return };
        let length = self.length();
        // From frame to frame, wherever between two the clock has stopped.
        let frame = (mix.time_secs * STEPS_A_SECOND).round() + f64::from(frames);
        self.go_to((frame / STEPS_A_SECOND).clamp(0.0, length.max(0.0)));
    }

    pub(super) fn step_key(&mut self, direction: i32) {
        let PoseChoice::Clips(mix) = &self.scene.pose else { return };
        let now = mix.time_secs as f32;
        let times = self.key_times(mix);
        let next = match direction >= 0 {
            true => times.filter(|time| *time > now).min_by(f32::total_cmp),
            false => times.filter(|time| *time < now).max_by(f32::total_cmp),
        };
        if let Some(next) = next {
            self.go_to(f64::from(next));
        }
    }

    /// The clip that comes by so many after the first of those shown.
    pub(super) fn show_clip(&mut self, by: i32) {
        let count = self.model.clips.len();
        let shown = match &self.scene.pose {
            // What a clip becomes is what is shown next.
            PoseChoice::Clips(mix) if self.fade.is_some() => mix.blends.last().map(|blend| blend.clip),
            PoseChoice::Clips(mix) => mix.clips.first().copied(),
            _ => None,
        };
        let Ok(count) = i64::try_from(count) else { return };
        if count == 0 {
            return;
        }
        let next = match shown.and_then(|shown| i64::try_from(shown).ok()) {
            Some(shown) => (shown + i64::from(by)).rem_euclid(count),
            None => 0,
        };
        self.change_clip(next as usize);
    }
}
