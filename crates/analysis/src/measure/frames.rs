//! The times at which clips are measured: thirty per second and every key, or evenly spaced ones.

use std::fmt;
use std::str::FromStr;

use crate::keys::Keys;
use sinew_model::{Model, Period};
use sinew_skinning::pose::ClipMix;

/// The number of times per second of a clip, besides its keys.
pub const FRAMES_PER_SECOND: f64 = 30.0;

/// The maximum number of times of a clip: an hour at the usual rate. A longer clip is measured at this many, evenly spaced.
pub const MAX_FRAMES: usize = 108_000;

/// The times of a clip to measure.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Frames {
    /// Thirty per second, and every key.
    #[default]
    Every,
    /// This many, evenly spaced, with both ends.
    Evenly(usize),
}

/// Text that is not a number of frames.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected a whole number from 1 to {MAX_FRAMES}")]
pub struct NoFrames;

impl FromStr for Frames {
    type Err = NoFrames;

    fn from_str(text: &str) -> Result<Self, NoFrames> {
        let count = text.parse().ok().filter(|count| (1..=MAX_FRAMES).contains(count));
        count.map(Self::Evenly).ok_or(NoFrames)
    }
}

impl fmt::Display for Frames {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Every => f.write_str("every frame"),
            Self::Evenly(count) => write!(f, "{count}"),
        }
    }
}

/// Times of a motion.
#[derive(Clone, Debug, PartialEq)]
pub struct Times {
    /// The times in seconds, ascending.
    pub seconds: Vec<f64>,
    /// The number of times without [`MAX_FRAMES`].
    pub of: usize,
}

/// Returns the times of clips that play together.
pub fn times(model: &Model, mix: &ClipMix, frames: Frames) -> Times {
    times_of(&Keys::new(model), mix, frames, MAX_FRAMES)
}

/// Returns the [`times`] of one of many motions, up to a maximum.
pub fn times_of(keys: &Keys, mix: &ClipMix, frames: Frames, most: usize) -> Times {
    let most = most.clamp(1, MAX_FRAMES);
    let period = keys.model.period_of_all(mix.all());
    match frames {
        Frames::Evenly(count) => Times { seconds: evenly(period, count.clamp(1, most)), of: count },
        Frames::Every => every(keys, mix, period, most),
    }
}

fn every(keys: &Keys, mix: &ClipMix, period: Period, most: usize) -> Times {
    let keys = mix.all().filter_map(|clip| keys.model.clips.get(clip)).flat_map(|clip| keys.of(clip));
    let keys = keys.filter(|time| (period.start..=period.end).contains(time));
    // The cast saturates.
    let steps = (period.length() * FRAMES_PER_SECOND).floor() as usize;
    if steps >= most {
        return Times { seconds: evenly(period, most), of: steps.saturating_add(keys.count()) };
    }
    let frames = (0..=steps).map(|step| period.start + step as f64 / FRAMES_PER_SECOND);
    let mut seconds: Vec<f64> = keys.chain(frames).chain([period.end]).collect();
    seconds.sort_by(f64::total_cmp);
    // A key stored in single precision is the frame from which it was made.
    seconds.dedup_by(|later, earlier| *later - *earlier <= SAME);
    let of = seconds.len();
    match of > most {
        true => Times { seconds: evenly(period, most), of },
        false => Times { seconds, of },
    }
}

/// Times this close, in seconds, count as one.
const SAME: f64 = 1e-5;

fn evenly(period: Period, count: usize) -> Vec<f64> {
    let steps = count.saturating_sub(1).max(1) as f64;
    (0..count).map(|step| period.at(step as f64 / steps)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew_model::LocalTransform;
    use sinew_model::{Channel, Clip, Instance, Interpolation, Mesh, Primitive, Property, Rig};

    fn model(keys: Vec<f32>) -> Model {
        let duration_secs = keys.last().copied().unwrap_or_default();
        let values = vec![0.0; keys.len() * 3];
        let channel = Channel {
            node: 0,
            property: Property::Translation,
            interpolation: Interpolation::Linear,
            times: keys,
            values,
        };
        Model {
            rig: Rig {
                names: vec![String::new()],
                parents: vec![None],
                rest: vec![LocalTransform::IDENTITY],
                file_index: vec![0],
                ..Rig::default()
            },
            clips: vec![Clip { name: String::new(), duration_secs, channels: vec![channel] }],
            meshes: vec![Mesh { primitives: vec![Primitive::default()], ..Mesh::default() }],
            instances: vec![Instance { node: 0, mesh: 0, skin: None }],
            ..Model::default()
        }
    }

    fn mix() -> ClipMix {
        ClipMix { clips: vec![0], ..ClipMix::default() }
    }

    #[test]
    fn every_frame_is_thirty_a_second_and_every_key() {
        let found = times(&model(vec![0.0, 0.05, 1.0_f32 / 15.0, 0.11]), &mix(), Frames::Every);
        let expected = [0.0, 1.0 / 30.0, 0.05, 2.0 / 30.0, 0.1, 0.11];
        assert_eq!(found.seconds.len(), expected.len(), "{found:?}");
        assert!(found.seconds.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-7), "{found:?}");
    }

    #[test]
    fn many_motions_share_their_frames() {
        let model = model(vec![0.0, 10.0]);
        let found = times_of(&Keys::new(&model), &mix(), Frames::Every, 3);
        assert_eq!((found.seconds, found.of), (vec![0.0, 5.0, 10.0], 302));
    }

    #[test]
    fn even_frames_have_both_ends() {
        let model = model(vec![0.0, 2.0]);
        assert_eq!(times(&model, &mix(), Frames::Evenly(3)).seconds, [0.0, 1.0, 2.0]);
        assert_eq!(times(&model, &mix(), Frames::Evenly(1)).seconds, [0.0]);
    }

    #[test]
    fn a_clip_without_end_has_an_end() {
        let found = times(&model(vec![0.0, 1e30]), &mix(), Frames::Every);
        assert_eq!(found.seconds.len(), MAX_FRAMES);
        assert!(found.of > MAX_FRAMES && found.seconds.iter().all(|time| time.is_finite()));
        assert_eq!(times(&model(vec![]), &mix(), Frames::Every).seconds, [0.0]);
    }
}
