//! A stopwatch for the CPU time of a frame. No picture depends on it.

use std::time::Instant;

/// Timer for consecutive stages.
#[derive(Clone, Copy, Debug)]
pub struct Stopwatch(Instant);

impl Stopwatch {
    /// Starts the first stage.
    pub fn start() -> Self {
        Self(Instant::now())
    }

    /// Ends a stage, starts the next and returns the milliseconds of the ended one.
    pub fn lap(&mut self) -> f64 {
        let now = Instant::now();
        let took = now.duration_since(self.0);
        self.0 = now;
        took.as_secs_f64() * 1e3
    }
}
