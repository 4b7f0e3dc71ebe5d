//! A stopwatch for the processor's share of a frame. No picture depends on it.

use std::time::Instant;

/// Measures how long stages take, one after the other.
#[derive(Clone, Copy, Debug)]
pub struct Stopwatch(Instant);

impl Stopwatch {
    /// Starts the first stage.
    pub fn start() -> Self {
        Self(Instant::now())
    }

    /// Ends a stage and starts the next: the milliseconds that it took.
    pub fn lap(&mut self) -> f64 {
        let now = Instant::now();
        let took = now.duration_since(self.0);
        self.0 = now;
        took.as_secs_f64() * 1e3
    }
}
