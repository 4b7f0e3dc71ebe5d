//! Animation stacks as clips: motion is sampled, more often where it bends, and then reduced to the keys it needs.

use std::collections::BTreeSet;

use glam::DQuat;

use super::curves;
use super::matrices::{quat, vec3};
use super::morphs::Target;
use crate::{Channel, Clip, Interpolation, Property};

/// How far what is read may be off the file's motion: of rotations in radians, of translations in parts of the scene's size,
/// of scales and weights as they are.
const TOLERANCE: f64 = 1e-6;

/// The most samples that one interval between keys stands for.
const LONGEST: usize = 512;

/// The most frames of a clip that are read: ten hours at 30 a second. Of a longer clip only the keys are read.
const MOST_FRAMES: f64 = 1_080_000.0;

/// How often an interval between two samples is halved, at most.
const HALVINGS: u32 = 6;

/// All stacks that move something.
pub fn clips_of(
    scene: &ufbx::Scene,
    targets: &[Vec<Target<'_>>],
    copies: &[(usize, usize)],
    wanted_rate: Option<f64>,
) -> Vec<Clip> {
    let rate = wanted_rate.unwrap_or(scene.settings.frames_per_second).clamp(1.0, 1000.0);
    let of = |stack: &ufbx::AnimStack| {
        let mut clip = clip_of(scene, stack, targets, rate);
        for &(original, copy) in copies {
            let moving = clip.channels.iter().filter(|channel| channel.node == original);
            let moving: Vec<_> = moving.map(|channel| Channel { node: copy, ..channel.clone() }).collect();
            clip.channels.extend(moving);
        }
        (!clip.channels.is_empty()).then_some(clip)
    };
    scene.anim_stacks.iter().filter_map(|stack| of(stack)).collect()
}

/// How far out anything in the scene is, in its own units.
fn size_of(scene: &ufbx::Scene) -> f64 {
    let nodes =
        scene.nodes.iter().filter(|node| !node.is_root).map(|node| vec3(&node.local_transform.translation));
    let vertices = scene.meshes.iter().flat_map(|mesh| mesh.vertices.iter().map(vec3));
    let longest = nodes.chain(vertices).map(|at| at.abs().max_element());
    longest.filter(|length| length.is_finite()).fold(0.0, f64::max)
}

fn clip_of(scene: &ufbx::Scene, stack: &ufbx::AnimStack, targets: &[Vec<Target<'_>>], rate: f64) -> Clip {
    let (times, size) = (times_of(stack, rate), size_of(scene));
    let mut channels = Vec::new();
    let anim = &*stack.anim;
    for (number, node) in scene.nodes.iter().enumerate() {
        let mut local = |property, tolerance: f64, read: &dyn Fn(&ufbx::Transform) -> Vec<f64>| {
            let sample = |time: f64| {
                let meant = curves::transform(scene, stack, node, time);
                read(&meant.unwrap_or_else(|| ufbx::evaluate_transform(anim, node, time)))
            };
            let motion = Motion { property, tolerance, sample: &sample };
            channels.extend(motion.channel(number, &times, &read(&node.local_transform)));
        };
        local(Property::Translation, TOLERANCE * size, &|at| vec3(&at.translation).to_array().to_vec());
        local(Property::Rotation, TOLERANCE, &|at| quat(&at.rotation).to_array().to_vec());
        local(Property::Scale, TOLERANCE, &|at| vec3(&at.scale).to_array().to_vec());
        let mesh = node.mesh.as_ref().and_then(|mesh| targets.get(mesh.element.typed_id as usize));
        let Some(targets) = mesh.filter(|targets| !targets.is_empty()) else { continue };
        let weights = |of: &dyn Fn(&ufbx::BlendChannel) -> f64| -> Vec<f64> {
            targets.iter().map(|target| target.weight(of(target.channel))).collect()
        };
        let weight_at = |channel: &ufbx::BlendChannel, time: f64| {
            let meant = curves::weight(stack, channel, time);
            meant.unwrap_or_else(|| ufbx::evaluate_blend_weight(anim, channel, time))
        };
        let sample = |time: f64| weights(&|channel| weight_at(channel, time));
        let motion = Motion { property: Property::Weights, tolerance: TOLERANCE, sample: &sample };
        channels.extend(motion.channel(number, &times, &weights(&|channel| channel.weight)));
    }
    let last = channels.iter().filter_map(|channel| channel.times.last().copied());
    let duration_secs = last.fold(stack.time_end.max(0.0) as f32, f32::max);
    Clip { name: stack.element.name.to_string(), duration_secs, channels }
}

/// The times of a stack's keys, and its frames from the first of these to the last, counted from the file's time 0.
fn times_of(stack: &ufbx::AnimStack, rate: f64) -> Vec<f64> {
    let mut keys: BTreeSet<u64> = BTreeSet::new();
    let (mut first, mut last) = (stack.time_begin, stack.time_end);
    let mut all = Vec::new();
    for layer in &stack.layers {
        for value in &layer.anim_values {
            for curve in value.curves.iter().flatten() {
                let mut jumps = false;
                for key in &curve.keyframes {
                    (first, last) = (first.min(key.time), last.max(key.time));
                    if keys.insert(key.time.to_bits()) {
                        all.push(key.time);
                        // What is held until here has its last key just before.
                        all.extend(jumps.then(|| f64::from((key.time as f32).next_down())));
                    }
                    let held = [ufbx::Interpolation::ConstantPrev, ufbx::Interpolation::ConstantNext];
                    jumps = held.contains(&key.interpolation);
                }
            }
        }
    }
    all.extend(frames(first, last, rate));
    all.extend([first, last]);
    all.retain(|time| time.is_finite() && *time >= 0.0);
    all.sort_by(f64::total_cmp);
    // Keys are stored as single numbers.
    all.dedup_by_key(|time| *time as f32);
    all
}

/// The frames between two times, counted from 0; none where a file claims more than anybody animates.
fn frames(first: f64, last: f64, rate: f64) -> impl Iterator<Item = f64> {
    let (from, to) = ((first.max(0.0) * rate).ceil(), (last * rate).floor());
    let count = if to - from < MOST_FRAMES { to - from + 1.0 } else { 0.0 };
    (0..count as u64).map(move |frame| (from + frame as f64) / rate)
}

/// One property of one node.
struct Motion<'a> {
    property: Property,
    tolerance: f64,
    sample: &'a dyn Fn(f64) -> Vec<f64>,
}

#[derive(Clone)]
struct Key {
    time: f64,
    values: Vec<f64>,
}

impl Motion<'_> {
    /// Its keys; `None` where it stays as the file opens.
    fn channel(&self, node: usize, times: &[f64], rest: &[f64]) -> Option<Channel> {
        let mut samples: Vec<Key> = Vec::new();
        for &time in times {
            let sample = Key { time, values: (self.sample)(time) };
            if let Some(before) = samples.last().cloned() {
                self.refine(&before, &sample, HALVINGS, &mut samples);
            }
            samples.push(sample);
        }
        let first = samples.first()?;
        let is = |values: &[f64]| {
            samples.iter().all(|sample| self.apart(&sample.values, values) <= self.tolerance)
        };
        if is(rest) {
            return None;
        }
        let keys = if is(&first.values) { vec![first.clone()] } else { self.reduced(&samples) };
        Some(Channel {
            node,
            property: self.property,
            interpolation: Interpolation::Linear,
            times: keys.iter().map(|key| key.time as f32).collect(),
            values: keys.iter().flat_map(|key| key.values.iter().map(|value| *value as f32)).collect(),
        })
    }

    /// Adds samples between two where a straight line is not what is there.
    fn refine(&self, before: &Key, after: &Key, halvings: u32, out: &mut Vec<Key>) {
        let time = (before.time + after.time) / 2.0;
        let is_between = (before.time as f32) < time as f32 && (time as f32) < after.time as f32;
        let Some(halvings) = halvings.checked_sub(1).filter(|_| is_between) else { return };
        let middle = Key { time, values: (self.sample)(time) };
        if self.apart(&middle.values, &self.between(before, after, time)) <= self.tolerance {
            return;
        }
        self.refine(before, &middle, halvings, out);
        out.push(middle.clone());
        self.refine(&middle, after, halvings, out);
    }

    /// The samples without those that lie on the line between others.
    fn reduced(&self, samples: &[Key]) -> Vec<Key> {
        let Some(mut from) = samples.first() else { return Vec::new() };
        let mut keys = vec![from.clone()];
        let mut passed: Vec<&Key> = Vec::new();
        for pair in samples.get(1..).unwrap_or_default().windows(2) {
            let [last, next] = pair else { continue };
            passed.push(last);
            let lies =
                |key: &&Key| self.apart(&key.values, &self.between(from, next, key.time)) <= self.tolerance;
            if passed.len() > LONGEST || !passed.iter().all(lies) {
                keys.push(last.clone());
                passed.clear();
                from = last;
            }
        }
        keys.extend(samples.get(1..).and_then(<[Key]>::last).cloned());
        keys
    }

    /// What interpolation makes of two keys.
    fn between(&self, before: &Key, after: &Key, time: f64) -> Vec<f64> {
        let part = (time - before.time) / (after.time - before.time);
        if let (Property::Rotation, Some(a), Some(b)) =
            (self.property, turn(&before.values), turn(&after.values))
        {
            return a.slerp(if a.dot(b) < 0.0 { -b } else { b }, part).to_array().to_vec();
        }
        before.values.iter().zip(&after.values).map(|(a, b)| a + (b - a) * part).collect()
    }

    /// How far values are apart: rotations by their angle, others by their largest component.
    fn apart(&self, a: &[f64], b: &[f64]) -> f64 {
        if let (Property::Rotation, Some(a), Some(b)) = (self.property, turn(a), turn(b)) {
            let b = if a.dot(b) < 0.0 { -b } else { b };
            return (a - b).length() * 2.0;
        }
        a.iter().zip(b).fold(0.0, |most, (a, b)| most.max((a - b).abs()))
    }
}

fn turn(values: &[f64]) -> Option<DQuat> {
    values.first_chunk::<4>().map(|values| DQuat::from_array(*values))
}

#[cfg(test)]
mod tests {
    use super::frames;

    #[test]
    fn frames_are_counted_from_the_files_own_zero() {
        let all = |first, last| frames(first, last, 2.0).collect::<Vec<f64>>();
        assert_eq!(all(0.3, 1.6), [0.5, 1.0, 1.5]);
        assert_eq!(all(-1.0, 0.5), [0.0, 0.5]);
        assert_eq!((all(2.0, 1.0), all(f64::NAN, 0.5)), (vec![], vec![0.0, 0.5]));
        for last in [1e12, f64::MAX, f64::INFINITY, f64::NAN] {
            assert_eq!(all(0.0, last), [0.0; 0], "{last}");
        }
    }
}
