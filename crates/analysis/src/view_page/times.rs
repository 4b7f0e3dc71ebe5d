//! The choice of frames: those of spots, and others as densely as there is room.

use super::{Motion, Spot};

/// The room for places of all frames, in bytes before compression.
const ROOM: usize = 12 << 20;

/// The bytes of a place.
const PLACE: usize = 6;

/// The rates to choose from, in frames per second.
const RATES: [f64; 8] = [15.0, 10.0, 7.5, 5.0, 3.0, 2.0, 1.0, 0.5];

/// The kept times.
pub struct Kept {
    /// The motions with their times in order; `None` for the bind pose.
    pub motions: Vec<(Option<usize>, Vec<f64>)>,
    /// The number of motions without any frame.
    pub left_out: usize,
}

impl Kept {
    /// Chooses times. A frame has as many places as `places`. The bind pose and one more frame, if there is one, are always
    /// kept, even beyond the room.
    pub fn new(motions: &[Motion], spots: &[Spot], places: usize) -> Self {
        let most = (ROOM / places.saturating_mul(PLACE).max(1)).max(2);
        let mut times: Vec<Vec<f64>> = motions.iter().map(|_| Vec::new()).collect();
        let mut count = 1_usize;
        for Spot { motion, time, .. } in spots {
            let Some(times) = motion.and_then(|motion| times.get_mut(motion)) else { continue };
            if count < most && !times.contains(time) {
                times.push(*time);
                count += 1;
            }
        }
        let frames =
            |motion: &Motion, rate: f64| (motion.period.length() * rate).ceil().clamp(0.0, 1e6) as usize + 1;
        let fits = |rate: &f64| {
            motions.iter().map(|motion| frames(motion, *rate)).fold(count, usize::saturating_add) <= most
        };
        match RATES.into_iter().find(fits) {
            Some(rate) => {
                for (motion, times) in motions.iter().zip(&mut times) {
                    let last = frames(motion, rate).saturating_sub(1);
                    times.extend((0..=last).map(|frame| motion.period.at(frame as f64 / last.max(1) as f64)));
                }
            }
            None => {
                // The middle of a motion shows more than its start.
                for (motion, times) in motions.iter().zip(&mut times).filter(|(_, times)| times.is_empty()) {
                    if count < most {
                        times.push(motion.period.at(0.5));
                        count += 1;
                    }
                }
            }
        }
        let left_out = times.iter().filter(|times| times.is_empty()).count();
        let bind = std::iter::once((None, vec![0.0]));
        let moving = times.into_iter().enumerate().filter(|(_, times)| !times.is_empty()).map(
            |(motion, mut times)| {
                times.sort_by(f64::total_cmp);
                times.dedup();
                (Some(motion), times)
            },
        );
        Self { motions: bind.chain(moving).collect(), left_out }
    }

    /// All kept times with their motions.
    pub fn all(&self) -> impl Iterator<Item = (Option<usize>, f64)> {
        self.motions.iter().flat_map(|(motion, times)| times.iter().map(|time| (*motion, *time)))
    }

    /// The number of a spot's motion among the kept ones, and of its frame.
    pub fn find(&self, spot: &Spot) -> Option<(usize, usize)> {
        let motion = self.motions.iter().position(|(motion, _)| *motion == spot.motion)?;
        let (_, times) = self.motions.get(motion)?;
        let time = if spot.motion.is_some() { spot.time } else { 0.0 };
        Some((motion, times.iter().position(|kept| *kept == time)?))
    }
}
