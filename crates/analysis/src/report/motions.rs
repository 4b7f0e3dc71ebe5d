//! The clips to measure, and the times of their frames.

use sinew_model::Model;
use sinew_skinning::pose::{ClipMix, PoseChoice};

use super::location::short;
use crate::keys::Keys;
use crate::measure::{FRAMES_PER_SECOND, Frames, MAX_FRAMES as MAX_CLIP_FRAMES, Times, times_of};

/// The maximum number of frames of all clips together: each stays in memory as one row of numbers per mode. If there are
/// more, each clip has the same maximum.
const MAX_FRAMES: usize = 1 << 17;

/// The maximum number of clips; each takes memory even without frames.
const MAX_CLIPS: usize = 1 << 13;

/// A clip to measure.
pub struct Motion {
    /// The clip's index; `None` for the rest pose.
    pub clip: Option<usize>,
    /// The name in words.
    pub name: String,
    /// The time of the last measured frame, in seconds.
    pub seconds: f64,
    /// The times of its frames.
    pub times: Times,
}

impl Motion {
    /// Returns the pose at a time.
    pub fn pose(&self, time: f64) -> PoseChoice {
        self.clip.map_or(PoseChoice::Rest, |clip| PoseChoice::clip(clip, time))
    }
}

/// Returns the clips, or the rest pose if there are none, and the number of clips left out.
pub fn motions(model: &Model, clips: &[usize], frames: Frames) -> (Vec<Motion>, usize) {
    if clips.is_empty() {
        let times = Times { seconds: vec![0.0], of: 1 };
        return (vec![Motion { clip: None, name: "rest pose".to_owned(), seconds: 0.0, times }], 0);
    }
    let taken = clips.get(..MAX_CLIPS).unwrap_or(clips);
    let each = MAX_FRAMES / taken.len().max(1);
    let keys = Keys::new(model);
    let motions = match frames {
        Frames::Evenly(count) => {
            taken.iter().map(|clip| motion(&keys, *clip, count.min(each), true)).collect()
        }
        Frames::Every => every_frame(&keys, taken)
            .unwrap_or_else(|| taken.iter().map(|clip| motion(&keys, *clip, each, false)).collect()),
    };
    (motions, clips.len() - taken.len())
}

/// Returns all clips with all their frames, unless those are too many.
fn every_frame(keys: &Keys, clips: &[usize]) -> Option<Vec<Motion>> {
    let least: f64 = clips.iter().map(|clip| least_frames(keys.model, *clip)).sum();
    let mut left = (least <= MAX_FRAMES as f64).then_some(MAX_FRAMES)?;
    let mut motions = Vec::new();
    for &clip in clips {
        let motion = motion(keys, clip, MAX_FRAMES, false);
        left = left.checked_sub(motion.times.of)?;
        motions.push(motion);
    }
    Some(motions)
}

/// Returns the number of frames of a clip without its keys.
fn least_frames(model: &Model, clip: usize) -> f64 {
    (model.period_of_all(std::iter::once(clip)).length() * FRAMES_PER_SECOND).floor() + 1.0
}

/// Returns a clip with every frame, or with `most` frames, evenly spaced, if it has more or the user asked for them.
fn motion(keys: &Keys, clip: usize, most: usize, is_asked: bool) -> Motion {
    let model = keys.model;
    let mix = ClipMix { clips: vec![clip], ..ClipMix::default() };
    let least = least_frames(model, clip);
    let evenly = || times_of(keys, &mix, Frames::Evenly(most), MAX_CLIP_FRAMES);
    let found = match !is_asked && least <= most as f64 {
        true => Some(times_of(keys, &mix, Frames::Every, MAX_CLIP_FRAMES)),
        false => None,
    };
    // The cast saturates.
    let of = if is_asked { most } else { least as usize };
    let of = found.as_ref().map_or(of, |times| times.of);
    let mut times = found.filter(|times| times.seconds.len() <= most).unwrap_or_else(evenly);
    times.seconds.retain(|time| time.is_finite());
    let name = match model.clips.get(clip).map(|clip| clip.name.as_str()).filter(|name| !name.is_empty()) {
        Some(name) => format!("clip {}", short(name)),
        None => format!("clip {clip}"),
    };
    let seconds = times.seconds.last().copied().unwrap_or_default();
    Motion { clip: Some(clip), name, seconds, times: Times { of, ..times } }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew_model::Clip;

    #[test]
    fn endless_clips_have_few_frames() {
        let clip = |duration_secs| Clip { name: "long".repeat(100), duration_secs, channels: Vec::new() };
        let mut model = Model { clips: vec![clip(1e30), clip(1.0), clip(f32::MAX)], ..Model::default() };
        let all = |model: &Model| (0..model.clips.len()).collect::<Vec<usize>>();
        let (found, skipped) = motions(&model, &all(&model), Frames::Every);
        let counts: Vec<usize> = found.iter().map(|motion| motion.times.seconds.len()).collect();
        assert!(counts.iter().sum::<usize>() <= 1 << 17 && counts[1] == 31 && skipped == 0, "{counts:?}");
        assert!(found[0].times.of > counts[0] && found[0].name.chars().count() < 100);
        model.clips = vec![clip(0.0); 10_000];
        let (found, skipped) = motions(&model, &all(&model), Frames::Every);
        assert_eq!((found.len(), skipped), (1 << 13, 10_000 - (1 << 13)));
    }

    #[test]
    fn clips_and_frames_are_those_asked_for() {
        let clip = |duration_secs| Clip { name: String::new(), duration_secs, channels: Vec::new() };
        let model = Model { clips: vec![clip(1.0), clip(2.0), clip(3.0)], ..Model::default() };
        let (found, skipped) = motions(&model, &[2], Frames::Evenly(4));
        assert_eq!((found.len(), skipped, found[0].clip), (1, 0, Some(2)));
        assert_eq!((&found[0].times.seconds[..], found[0].times.of), (&[0.0, 1.0, 2.0, 3.0][..], 4));
        assert_eq!(motions(&model, &[], Frames::Every).0[0].name, "rest pose");
    }
}
