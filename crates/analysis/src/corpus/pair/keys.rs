//! Channels of clips: the times of their keys, steps between them, and targets.

use sinew_model::{Channel, Clip, Interpolation, Model, Property};

/// The difference of values up to which a channel does not change.
const SAME_VALUE: f32 = 1e-4;

/// Returns true if one of two clips has steps where the other has none. Some exporters write values that do not change as
/// steps.
pub fn has_other_interpolation(models: [&Model; 2], clips: [usize; 2]) -> bool {
    let steps = [0, 1].map(|side: usize| {
        let clip = models[side].clips.get(clips[side]);
        let channels = clip.map_or(&[][..], |clip| &clip.channels).iter().filter(|channel| changes(channel));
        let (mut stepped, mut all) = (0_u32, 0_u32);
        for channel in channels {
            all = all.saturating_add(1);
            stepped = stepped.saturating_add(u32::from(channel.interpolation == Interpolation::Step));
        }
        f64::from(stepped) / f64::from(all.max(1))
    });
    (steps[0] - steps[1]).abs() > 0.5
}

/// Returns true if the values of a channel differ from key to key.
fn changes(channel: &Channel) -> bool {
    let size = channel.values.len() / channel.times.len().max(1);
    let mut keys = channel.values.chunks(size.max(1));
    let first = keys.next().unwrap_or_default();
    keys.any(|key| key.iter().zip(first).any(|(a, b)| (a - b).abs() > SAME_VALUE))
}

/// Returns true if the old clip moves morph targets, and the new one does not.
pub fn has_lost_weights(models: [&Model; 2], clips: [usize; 2]) -> bool {
    let [old, new] = [0, 1].map(|side: usize| {
        let channels = models[side].clips.get(clips[side]).map_or(&[][..], |clip| &clip.channels);
        channels.iter().any(|channel| channel.property == Property::Weights)
    });
    old && !new
}

/// Returns the nearest time of a key.
pub fn nearest(clip: &Clip, time: f64) -> Option<f64> {
    times(clip).min_by(|a, b| (a - time).abs().total_cmp(&(b - time).abs()))
}

/// Returns the times of the keys before and after a time; `None` outside of the clip.
pub fn around(clip: &Clip, time: f64) -> Option<[f64; 2]> {
    let before = times(clip).filter(|key| *key <= time).max_by(f64::total_cmp);
    let after = times(clip).filter(|key| *key >= time).min_by(f64::total_cmp);
    Some([before?, after?])
}

/// Returns the times of the keys of all channels that change.
fn times(clip: &Clip) -> impl Iterator<Item = f64> {
    let channels = clip.channels.iter().filter(|channel| changes(channel));
    channels.flat_map(|channel| &channel.times).map(|&time| f64::from(time))
}
