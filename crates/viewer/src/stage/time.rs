//! Advances the time of the clips: by the clock, by steps, or by a jump.

use super::state::Stage;
use sinew_model::Period;
use sinew_scene::scene::LAPS;
use sinew_skinning::pose::PoseChoice;

/// Frames per second of single steps.
const STEPS_A_SECOND: f64 = 30.0;

/// The slowest and the fastest playback speed.
const SPEEDS: std::ops::RangeInclusive<f64> = 1.0 / 64.0..=64.0;

impl Stage {
    /// Advances time by `seconds`.
    pub fn tick(&mut self, seconds: f64) {
        let period = self.period();
        if let PoseChoice::Clips(mix) = &mut self.scene.pose {
            let gone = mix.time_secs - period.start;
            mix.time_secs = period.start + self.clock.advance(gone, seconds, period.length());
        }
        if let Some(done) = self.fade {
            self.fade_to(done + seconds / self.fade_secs.max(f64::MIN_POSITIVE));
        }
    }

    /// Sets the playback speed, negative for backwards. Its magnitude is clamped, so it is never 0.
    pub fn set_speed(&mut self, speed: f64) {
        let size = speed.abs().clamp(*SPEEDS.start(), *SPEEDS.end());
        if size.is_finite() {
            self.clock.speed = size.copysign(speed);
        }
    }

    /// Returns the period of the current pose's clips; for a crowd, the time until all its figures begin again.
    pub fn period(&self) -> Period {
        let laps = if self.scene.crowd.is_some() { f64::from(LAPS) } else { 1.0 };
        let period = self.scene.period(&self.model);
        Period { end: period.at(laps), ..period }
    }

    /// Jumps to a time and stops the clock.
    pub fn go_to(&mut self, time: f64) {
        self.clock.is_running = false;
        if let PoseChoice::Clips(mix) = &mut self.scene.pose {
            mix.time_secs = time;
        }
    }

    pub(super) fn step(&mut self, frames: i32) {
        let PoseChoice::Clips(mix) = &self.scene.pose else { return };
        let Period { start, end } = self.period();
        // Steps land on whole frames, for any stopping point of the clock.
        let frame = (mix.time_secs * STEPS_A_SECOND).round() + f64::from(frames);
        self.go_to((frame / STEPS_A_SECOND).clamp(start, end));
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
