//! The times at which a stack is sampled: its keys and frames. A key's time is a single number, so a value that jumps takes
//! two of them, one on either side of the jump.

use ufbx::{AnimStack, Interpolation, Keyframe};

/// The maximum number of frames of a clip: ten hours at 30 per second. Of a longer clip, only the keys are read.
const MAX_FRAMES: f64 = 1_080_000.0;

/// The earliest time to read, in seconds: ten hours before 0. FBX's smallest number means no time.
const EARLIEST: f64 = -36_000.0;

/// A time to sample.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Moment {
    /// The time of the key, a single number.
    pub key: f64,
    /// Time at which the key's value is sampled.
    pub at: f64,
}

impl Moment {
    /// The nearest time that a key can have.
    fn near(time: f64) -> Self {
        let key = f64::from(time as f32);
        Self { key, at: key }
    }
}

/// The times of a stack's keys, and its frames from the first of these to the last, counted from the file's time 0.
pub fn times_of(stack: &AnimStack, rate: f64) -> Vec<Moment> {
    let (mut first, mut last) = (stack.time_begin.max(EARLIEST), stack.time_end);
    let (mut all, mut jumps) = (Vec::new(), Vec::new());
    for layer in &stack.layers {
        for curve in layer.anim_values.iter().flat_map(|value| value.curves.iter().flatten()) {
            let mut before: Option<&Keyframe> = None;
            for key in &curve.keyframes {
                (first, last) = (first.min(key.time.max(EARLIEST)), last.max(key.time));
                all.push(key.time);
                if before.is_some_and(|before| before.interpolation == Interpolation::ConstantPrev) {
                    jumps.extend(jump_at(key.time));
                }
                if key.interpolation == Interpolation::ConstantNext {
                    jumps.extend(jump_after(key.time));
                }
                before = Some(key);
            }
        }
    }
    all.extend(frames(first, last, rate));
    all.extend([first, last]);
    // If both fall on one key, the jump counts.
    jumps.extend(all.into_iter().map(Moment::near));
    jumps.retain(|moment| moment.key.is_finite() && moment.key >= EARLIEST);
    jumps.sort_by(|a, b| a.key.total_cmp(&b.key));
    jumps.dedup_by_key(|moment| moment.key);
    jumps
}

/// The keys around a jump at a time that has the new value already.
fn jump_at(time: f64) -> [Moment; 2] {
    let key = below(time);
    [Moment::near(f64::from(key.next_down())), Moment { key: f64::from(key), at: time }]
}

/// The keys around a jump right after a time that has the old value still.
fn jump_after(time: f64) -> [Moment; 2] {
    let key = 0.0 - below(-time);
    [Moment { key: f64::from(key), at: time }, Moment::near(f64::from(key.next_up()))]
}

/// The largest single number that is not above a time.
fn below(time: f64) -> f32 {
    let near = time as f32;
    if f64::from(near) > time { near.next_down() } else { near }
}

/// The frames between two times; none where a file claims more than any animation has.
fn frames(first: f64, last: f64, rate: f64) -> impl Iterator<Item = f64> {
    let (from, to) = ((first * rate).ceil(), (last * rate).floor());
    let count = if to - from < MAX_FRAMES { to - from + 1.0 } else { 0.0 };
    (0..count as u64).map(move |frame| (from + frame as f64) / rate)
}

#[cfg(test)]
mod tests {
    use super::{Moment, frames, jump_after, jump_at};

    #[test]
    fn frames_are_counted_from_the_files_own_zero() {
        let all = |first, last| frames(first, last, 2.0).collect::<Vec<f64>>();
        assert_eq!(all(0.3, 1.6), [0.5, 1.0, 1.5]);
        assert_eq!(all(-0.7, 0.5), [-0.5, 0.0, 0.5]);
        assert_eq!((all(2.0, 1.0), all(f64::NAN, 0.5)), (vec![], vec![]));
        for last in [1e12, f64::MAX, f64::INFINITY, f64::NAN] {
            assert_eq!(all(0.0, last), [0.0; 0], "{last}");
        }
    }

    #[test]
    fn a_jump_has_a_key_on_either_side() {
        for frame in 1..1000 {
            let time = f64::from(frame) / 24.0;
            let [before, after] = jump_at(time);
            assert!(before.at < time && before.key == before.at, "{time}");
            assert!(before.key < after.key && after.key <= time && after.at == time, "{time}");
            let [before, after] = jump_after(time);
            assert!(time <= before.key && before.at == time && before.key < after.key, "{time}");
            assert!(after.at == after.key, "{time}");
            assert!(Moment::near(time).key == f64::from(time as f32), "{time}");
        }
    }
}
