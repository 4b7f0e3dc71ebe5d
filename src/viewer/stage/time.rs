//! How the time of what is shown goes on: by the clock, by steps, and at once.
//! It must not know how the clock runs.

use super::state::Stage;
use sinew_skinning::pose::PoseChoice;

/// Frames a second that single steps go by.
const STEPS_A_SECOND: f64 = 30.0;

/// The slowest and the fastest that clips are played.
const SPEEDS: std::ops::RangeInclusive<f64> = 1.0 / 64.0..=64.0;

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

    /// Plays so many times as fast, below 0 backwards; standing still is no speed.
    pub fn set_speed(&mut self, speed: f64) {
        let size = speed.abs().clamp(*SPEEDS.start(), *SPEEDS.end());
        if size.is_finite() {
            self.clock.speed = size.copysign(speed);
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
}
