//! The playback clock: advances a clip's time and applies the repeat mode at its ends.

/// Repeat mode of playback.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Repeat {
    /// Restarts.
    #[default]
    Loop,
    /// Reverses at each end.
    PingPong,
    /// Stops.
    Once,
}

impl Repeat {
    /// Returns the next setting in turn.
    pub fn next(self) -> Self {
        match self {
            Self::Loop => Self::PingPong,
            Self::PingPong => Self::Once,
            Self::Once => Self::Loop,
        }
    }

    /// Returns the name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Loop => "loop",
            Self::PingPong => "ping-pong",
            Self::Once => "once",
        }
    }
}

/// A clock that runs between 0 and the length of a clip.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Clock {
    /// True while the clock runs.
    pub is_running: bool,
    /// Playback speed, in seconds of the clip per second; negative plays backwards.
    pub speed: f64,
    /// Behaviour at the ends.
    pub repeat: Repeat,
}

impl Default for Clock {
    fn default() -> Self {
        Self { is_running: true, speed: 1.0, repeat: Repeat::Loop }
    }
}

impl Clock {
    /// Returns the clip time after `seconds` more. May stop the clock or reverse it.
    pub fn advance(&mut self, time: f64, seconds: f64, length: f64) -> f64 {
        let going = self.is_running && length > 0.0 && length.is_finite();
        let next = time + seconds * self.speed;
        if !going || !next.is_finite() {
            return time;
        }
        match self.repeat {
            Repeat::Loop => next.rem_euclid(length),
            Repeat::PingPong => {
                // A round trip; its second half runs backwards.
                let round = next.rem_euclid(2.0 * length);
                let is_back = (next < 0.0 || next > length) && (next / length).floor() as i64 % 2 != 0;
                if is_back {
                    self.speed = -self.speed;
                }
                if round <= length { round } else { 2.0 * length - round }
            }
            Repeat::Once => {
                if !(0.0..length).contains(&next) {
                    self.is_running = false;
                }
                next.clamp(0.0, length)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clock(speed: f64, repeat: Repeat) -> Clock {
        Clock { is_running: true, speed, repeat }
    }

    #[test]
    fn loops_go_round_in_both_directions() {
        assert!((clock(1.0, Repeat::Loop).advance(1.75, 0.5, 2.0) - 0.25).abs() < 1e-12);
        assert!((clock(-2.0, Repeat::Loop).advance(0.25, 0.5, 2.0) - 1.25).abs() < 1e-12);
        let mut still = Clock { is_running: false, ..Clock::default() };
        assert_eq!(still.advance(0.5, 9.0, 2.0), 0.5);
    }

    #[test]
    fn ping_pong_turns_round_at_both_ends() {
        let mut clock = clock(1.0, Repeat::PingPong);
        assert!((clock.advance(1.75, 0.5, 2.0) - 1.75).abs() < 1e-12);
        assert_eq!(clock.speed, -1.0);
        assert!((clock.advance(0.25, 0.5, 2.0) - 0.25).abs() < 1e-12);
        assert_eq!(clock.speed, 1.0);
        assert!((clock.advance(0.25, 0.5, 2.0) - 0.75).abs() < 1e-12);
        assert_eq!(clock.speed, 1.0);
        // A pause of three and a half lengths: there, back, there and halfway back.
        assert!((clock.advance(0.0, 7.0, 2.0) - 1.0).abs() < 1e-12);
        assert_eq!(clock.speed, -1.0);
    }

    #[test]
    fn once_stops_at_the_end() {
        let mut clock = clock(1.0, Repeat::Once);
        assert_eq!((clock.advance(1.75, 0.5, 2.0), clock.is_running), (2.0, false));
        let mut backwards = Clock { speed: -1.0, is_running: true, ..clock };
        assert_eq!((backwards.advance(0.25, 0.5, 2.0), backwards.is_running), (0.0, false));
    }

    #[test]
    fn clips_without_length_stand_still() {
        for length in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            for repeat in [Repeat::Loop, Repeat::PingPong, Repeat::Once] {
                assert_eq!(clock(1.0, repeat).advance(0.5, 0.25, length), 0.5);
            }
        }
        assert_eq!(clock(f64::MAX, Repeat::Loop).advance(0.5, f64::MAX, 2.0), 0.5);
    }
}
