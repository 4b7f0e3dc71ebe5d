//! Frames per second as a fraction, as video files store it.

use std::fmt;

/// A frame rate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rate {
    /// The number of frames.
    pub frames: u32,
    /// The number of seconds.
    pub seconds: u32,
}

/// The denominator before the fraction is reduced.
const PARTS: u32 = 1_000_000;

impl Rate {
    /// Returns the nearest fraction to a rate within the formats' limits.
    pub fn new(per_second: f64) -> Self {
        let frames = (per_second * f64::from(PARTS)).round().clamp(1.0, f64::from(i32::MAX)) as u32;
        let common = common_divisor(frames, PARTS);
        Self { frames: frames / common, seconds: PARTS / common }
    }
}

impl fmt::Display for Rate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.frames, self.seconds)
    }
}

/// Returns the greatest common divisor of two numbers above zero.
fn common_divisor(a: u32, b: u32) -> u32 {
    let (mut a, mut b) = (a, b);
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_are_short_fractions() {
        for (per_second, expected) in
            [(25.0, "25/1"), (12.5, "25/2"), (29.97, "2997/100"), (0.1, "1/10"), (1000.0, "1000/1")]
        {
            assert_eq!(Rate::new(per_second).to_string(), expected);
        }
        let third = Rate::new(38.0 / 1.7);
        assert!((f64::from(third.frames) / f64::from(third.seconds) - 38.0 / 1.7).abs() < 1e-6);
    }
}
