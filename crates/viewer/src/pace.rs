//! The quality of the picture while the user moves the view or a joint. It falls back to a lower one if frames take
//! long, and returns when the motion ends. Written pictures do not depend on it.

use std::time::{Duration, Instant};

use sinew_scene::look::{Look, Quality, Samples};

/// The longest frame that still feels like motion.
const MAX_FRAME: Duration = Duration::from_millis(50);

/// The limit for the requested quality after a motion that fell back. It is lower, so that the quality does not
/// alternate.
const FAST_FRAME: Duration = Duration::from_millis(35);

/// A frame beyond this goes to the lowest quality at once.
const VERY_LONG_FRAME: Duration = Duration::from_millis(150);

/// Time without movement after which the motion has ended.
const REST: Duration = Duration::from_millis(200);

/// Two keys or notches of the wheel within this time are a motion; one alone is not.
const NUDGES: Duration = Duration::from_millis(400);

/// The quality while the user moves something.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Moving {
    /// The best quality that is fast enough.
    #[default]
    Auto,
    /// Draft quality.
    Draft,
    /// Plain quality.
    Plain,
    /// Unchanged quality, as at rest.
    Same,
}

impl Moving {
    /// Every setting.
    pub const ALL: [Self; 4] = [Self::Auto, Self::Draft, Self::Plain, Self::Same];

    /// Returns the name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Draft => "draft",
            Self::Plain => "plain",
            Self::Same => "same",
        }
    }
}

/// Decides the quality of each frame.
#[derive(Debug, Default)]
pub struct Pace {
    /// The setting.
    pub moving: Moving,
    /// The time of the last movement, until the motion has ended.
    moved: Option<Instant>,
    /// The time of the last step of a key or the wheel.
    nudged: Option<Instant>,
    /// The quality of the motion, if it is lower than the requested one.
    fallen: Option<Quality>,
    /// Set if the last motion fell back.
    was_slow: bool,
    /// The last two frame times of each quality.
    times: [[Option<Duration>; 2]; Quality::ALL.len()],
    /// The quality of the last frame, and a flag that is true if it was lower than the requested one.
    shown: Option<(Quality, bool)>,
}

impl Pace {
    /// Notes that the user moves something.
    pub fn moved(&mut self, now: Instant) {
        self.moved = Some(now);
    }

    /// Notes that a key or the wheel moved the view by a step.
    pub fn nudged(&mut self, now: Instant) {
        let before = self.nudged.replace(now);
        if before.is_some_and(|before| now.duration_since(before) < NUDGES) {
            self.moved = Some(now);
        }
    }

    /// Checks whether something is being moved.
    pub fn is_moving(&self) -> bool {
        self.moved.is_some()
    }

    /// Returns the time at which the motion ends and the picture is drawn again; `None` while it has the requested
    /// quality.
    pub fn wakes(&self) -> Option<Instant> {
        self.moved.filter(|_| self.shown.is_some_and(|(_, is_less)| is_less)).map(|moved| moved + REST)
    }

    /// Returns the quality of the last frame, whose time is known by now.
    pub fn last(&self) -> Option<Quality> {
        self.shown.map(|(quality, _)| quality)
    }

    /// Notes the time of a frame of this quality.
    pub fn took(&mut self, quality: Quality, time: Duration) {
        if let Some([before, last]) = self.times.get_mut(place(quality)) {
            *before = last.replace(time);
        }
    }

    /// Returns the look to draw a frame in.
    pub fn look(&mut self, asked: Look, now: Instant) -> Look {
        if self.moved.is_some_and(|moved| now.duration_since(moved) >= REST) {
            self.moved = None;
        }
        let quality = match self.moved {
            Some(_) => self.quality(asked.quality),
            None => {
                self.fallen = None;
                asked.quality
            }
        };
        let is_less = quality != asked.quality;
        let before = self.shown.replace((quality, is_less));
        match before.is_some_and(|(_, was_less)| was_less) {
            false if is_less => tracing::debug!("the picture falls back to {}", quality.name()),
            true if !is_less => tracing::debug!("the picture returns to {}", quality.name()),
            _ => {}
        }
        if !is_less {
            return asked;
        }
        Look { quality, samples: Some(Samples::One), ..asked }
    }

    /// Returns the quality in motion, which never rises before the motion ends.
    fn quality(&mut self, asked: Quality) -> Quality {
        let least = match self.moving {
            Moving::Same => return asked,
            Moving::Draft => return lower(asked, Quality::Draft),
            Moving::Plain => return lower(asked, Quality::Plain),
            Moving::Auto => self.fallen.unwrap_or(asked),
        };
        let limit = if self.was_slow { FAST_FRAME } else { MAX_FRAME };
        let limit = |quality| if quality == asked { limit } else { MAX_FRAME };
        let is_slow = |quality| self.time(quality).is_some_and(|time| time > limit(quality));
        let is_very_slow = self.time(asked).is_some_and(|time| time > VERY_LONG_FRAME);
        let skips = |quality: Quality| is_very_slow && quality == Quality::Draft && quality != asked;
        let from = lower(asked, least);
        let candidates = Quality::ALL.into_iter().skip(place(from));
        let found = candidates.into_iter().find(|&quality| !is_slow(quality) && !skips(quality));
        let quality = found.unwrap_or(Quality::Plain);
        if quality != asked {
            self.fallen = Some(quality);
        }
        self.was_slow = quality != asked;
        quality
    }

    /// Returns the time of a frame: the shorter of two, because one may have compiled its pipelines. `None` before
    /// two are known.
    fn time(&self, quality: Quality) -> Option<Duration> {
        let [before, last] = *self.times.get(place(quality))?;
        Some(before?.min(last?))
    }
}

/// Returns the rank of a quality, the best first.
fn place(quality: Quality) -> usize {
    match quality {
        Quality::Full => 0,
        Quality::Draft => 1,
        Quality::Plain => 2,
    }
}

/// Returns the lower of two qualities.
fn lower(a: Quality, b: Quality) -> Quality {
    if place(a) >= place(b) { a } else { b }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Drags for some frames, with a time per quality. Returns the qualities, then that at rest.
    fn drag(pace: &mut Pace, now: &mut Instant, millis: [u64; 3], frames: usize) -> Vec<Quality> {
        let asked = Look::default();
        let mut shown = Vec::new();
        for _ in 0..frames {
            pace.moved(*now);
            shown.push(frame(pace, now, asked, millis).quality);
        }
        *now += REST;
        shown.push(frame(pace, now, asked, millis).quality);
        shown
    }

    fn frame(pace: &mut Pace, now: &mut Instant, asked: Look, millis: [u64; 3]) -> Look {
        let look = pace.look(asked, *now);
        let time = Duration::from_millis(millis[place(look.quality)]);
        *now += time;
        pace.took(look.quality, time);
        look
    }

    use Quality::{Draft, Full, Plain};

    #[test]
    fn slow_frames_fall_back_and_return() {
        let (mut pace, mut now) = (Pace::default(), Instant::now());
        // Two frames at rest; the first compiles.
        frame(&mut pace, &mut now, Look::default(), [900, 0, 0]);
        frame(&mut pace, &mut now, Look::default(), [90, 0, 0]);
        assert_eq!(drag(&mut pace, &mut now, [90, 30, 10], 3), [Draft, Draft, Draft, Full]);
        assert_eq!(pace.wakes(), None);
        // A draft that is also too slow falls back to plain; the next motion starts there.
        assert_eq!(drag(&mut pace, &mut now, [90, 80, 10], 4), [Draft, Draft, Plain, Plain, Full]);
        assert_eq!(drag(&mut pace, &mut now, [90, 80, 10], 2), [Plain, Plain, Full]);
    }

    #[test]
    fn very_slow_frames_go_to_plain_at_once() {
        let (mut pace, mut now) = (Pace::default(), Instant::now());
        assert_eq!(drag(&mut pace, &mut now, [300, 100, 90], 4), [Full, Full, Plain, Plain, Full]);
    }

    #[test]
    fn fast_frames_stay_as_they_are() {
        let (mut pace, mut now) = (Pace::default(), Instant::now());
        frame(&mut pace, &mut now, Look::default(), [400, 0, 0]);
        assert_eq!(drag(&mut pace, &mut now, [16, 5, 5], 5), [Full; 6]);
        assert_eq!(pace.wakes(), None);
    }

    #[test]
    fn what_was_slow_must_become_fast_to_be_used_again() {
        let (mut pace, mut now) = (Pace::default(), Instant::now());
        assert_eq!(drag(&mut pace, &mut now, [60, 10, 10], 3), [Full, Full, Draft, Full]);
        // Between the limits, the quality stays.
        assert_eq!(drag(&mut pace, &mut now, [45, 10, 10], 2), [Draft, Draft, Full]);
        assert_eq!(drag(&mut pace, &mut now, [20, 10, 10], 2), [Draft, Draft, Full]);
        assert_eq!(drag(&mut pace, &mut now, [20, 10, 10], 2), [Full; 3]);
    }

    #[test]
    fn the_setting_decides() {
        for (moving, qualities) in [
            (Moving::Same, [Full, Full, Full]),
            (Moving::Draft, [Draft, Draft, Full]),
            (Moving::Plain, [Plain, Plain, Full]),
        ] {
            let (mut pace, mut now) = (Pace { moving, ..Pace::default() }, Instant::now());
            assert_eq!(drag(&mut pace, &mut now, [300, 200, 1], 2), qualities);
        }
        // The quality never exceeds the requested one.
        let mut pace = Pace { moving: Moving::Draft, ..Pace::default() };
        let asked = Look { quality: Plain, ..Look::default() };
        let now = Instant::now();
        pace.moved(now);
        assert_eq!(pace.look(asked, now), asked);
        assert_eq!(pace.wakes(), None);
    }

    #[test]
    fn one_step_is_no_motion_and_two_are() {
        let (mut pace, now) = (Pace { moving: Moving::Plain, ..Pace::default() }, Instant::now());
        pace.nudged(now);
        assert_eq!(pace.look(Look::default(), now), Look::default());
        let next = now + NUDGES / 2;
        pace.nudged(next);
        let look = pace.look(Look::default(), next);
        assert_eq!((look.quality, look.samples), (Plain, Some(Samples::One)));
        assert_eq!(pace.wakes(), Some(next + REST));
        assert_eq!(pace.look(Look::default(), next + REST), Look::default());
        pace.nudged(next + NUDGES * 2);
        assert!(!pace.is_moving());
    }
}
