//! Animation stacks as clips: motion is sampled, more often where it bends, and then reduced to the keys it needs.

use std::cell::Cell;
use std::collections::HashSet;
use std::ops::Range;

use glam::DQuat;

use super::curves::Rounded;
use super::matrices::{quat, vec3};
use super::morphs::Target;
use super::places::{Places, at_rest, is_moved, scaled_by};
use super::reduce::{self, Kind};
use super::times::{Moment, times_of};
use super::{CLIPS, Work};
use crate::reading::LoadError;
use crate::reading::message::quoted;
use crate::{Channel, Clip, Interpolation, Property};

/// Tolerance for motion: of rotations in radians, of translations relative to the scene's size, of scales and weights
/// absolute.
const TOLERANCE: f64 = 1e-6;

/// Maximum number of divisions of an interval between two samples, and their places. A curve that swings as far to one side as to
/// the other crosses the line in the middle.
const DIVISIONS: u32 = 8;
const DIVIDED_AT: f64 = 0.4;

/// The maximum number of samples of a file's motion; each of its bytes allows one more.
const MAX_SAMPLES: u64 = 10_000_000;

/// The scene to read motion from.
struct Source<'a> {
    scene: &'a ufbx::Scene,
    /// The morph targets of each mesh.
    targets: &'a [Vec<Target<'a>>],
    /// Samples a second, at least.
    rate: f64,
    /// Largest distance from the origin, in the file's units.
    size: f64,
    /// Number of samples left, and their initial number.
    samples: Cell<u64>,
    most_samples: u64,
}

/// Reads all stacks that move something. `bytes` is the size of the file.
///
/// # Errors
/// If they exceed the time or memory that a file of this size may take.
pub fn clips_of(
    scene: &ufbx::Scene,
    targets: &[Vec<Target<'_>>],
    copies: &[(usize, usize)],
    bytes: usize,
    wanted_rate: Option<f64>,
    work: &mut Work<'_>,
) -> Result<Vec<Clip>, LoadError> {
    let rate = wanted_rate.unwrap_or(scene.settings.frames_per_second);
    let rate = if rate.is_finite() { rate.clamp(1.0, 1000.0) } else { 30.0 };
    let most_samples = MAX_SAMPLES.saturating_add(bytes as u64);
    let (size, samples) = (size_of_scene(scene), Cell::new(most_samples));
    let source = Source { scene, targets, rate, size, samples, most_samples };
    let mut clips = Vec::new();
    for (number, stack) in scene.anim_stacks.iter().enumerate() {
        let path = format!("animations[{number}]");
        let mut clip = source.clip(stack, (number, scene.anim_stacks.len()), &path, work)?;
        for &(original, copy) in copies {
            let moving = clip.channels.iter().filter(|channel| channel.node == original);
            let numbers =
                moving.clone().map(|channel| channel.times.len().saturating_add(channel.values.len()));
            work.budget.charge(&path, numbers.fold(0, usize::saturating_add), size_of::<f32>())?;
            let moving: Vec<_> = moving.map(|channel| Channel { node: copy, ..channel.clone() }).collect();
            clip.channels.extend(moving);
        }
        if !clip.channels.is_empty() {
            clips.push(clip);
        }
    }
    Ok(clips)
}

/// Returns the scene's largest distance from the origin, in its own units.
fn size_of_scene(scene: &ufbx::Scene) -> f64 {
    let nodes =
        scene.nodes.iter().filter(|node| !node.is_root).map(|node| vec3(&node.local_transform.translation));
    let vertices = scene.meshes.iter().flat_map(|mesh| mesh.vertices.iter().map(vec3));
    let longest = nodes.chain(vertices).map(|at| at.abs().max_element());
    longest.filter(|length| length.is_finite()).fold(0.0, f64::max)
}

impl Source<'_> {
    /// A stack's motion; `number` is the stack's, and the count of all.
    fn clip(
        &self,
        stack: &ufbx::AnimStack,
        number: (usize, usize),
        path: &str,
        work: &mut Work<'_>,
    ) -> Result<Clip, LoadError> {
        let times = times_of(stack, self.rate);
        let moving = self.moving(stack);
        self.expect_time_for(&moving, times.len(), stack.layers.len(), path)?;
        let rounded = Rounded::of(stack);
        let (rounded, channels) = (&rounded, Vec::new());
        let mut recording = Recording { source: self, stack, path, times, rounded, channels, work };
        let nodes = self.scene.nodes.len();
        for (node_number, node) in self.scene.nodes.iter().enumerate() {
            let done = number.0.saturating_mul(nodes).saturating_add(node_number);
            recording.work.watch.part(CLIPS, done, number.1.saturating_mul(nodes))?;
            if moving.nodes.get(node_number).copied().unwrap_or(true) {
                recording.record_place(node_number, node)?;
            }
            recording.record_weights(node_number, node, &moving)?;
        }
        let channels = recording.channels;
        let last = channels.iter().filter_map(|channel: &Channel| channel.times.last().copied());
        let end = Some(stack.time_end as f32).filter(|end| end.is_finite());
        let duration_secs = last.chain(end).reduce(f32::max).unwrap_or(0.0);
        Ok(Clip { name: stack.element.name.to_string(), duration_secs, channels })
    }

    /// Refuses a stack in advance if its nodes need more samples than are left, even without curves.
    fn expect_time_for(
        &self,
        moving: &Moving,
        times: usize,
        layers: usize,
        path: &str,
    ) -> Result<(), LoadError> {
        let nodes = moving.nodes.iter().filter(|is_moved| **is_moved).count();
        let least = nodes.saturating_mul(times).saturating_mul(layers.max(1));
        if least as u64 > self.samples.get() {
            return Err(self.too_much_motion(path));
        }
        Ok(())
    }

    fn too_much_motion(&self, path: &str) -> LoadError {
        LoadError::TooMuchMotion { path: path.into(), samples: self.most_samples }
    }

    /// Returns the nodes that a stack can move.
    fn moving(&self, stack: &ufbx::AnimStack) -> Moving {
        let props = stack.layers.iter().flat_map(|layer| layer.anim_props.iter());
        let elements: HashSet<u32> = props.map(|prop| prop.element.element_id).collect();
        let nodes = self.scene.nodes.iter().map(|node| is_moved(node, &elements)).collect();
        Moving { elements, nodes }
    }
}

/// A stack's motion so far.
struct Recording<'a, 'w> {
    source: &'a Source<'a>,
    stack: &'a ufbx::AnimStack,
    path: &'a str,
    /// Minimum times at which everything is sampled.
    times: Vec<Moment>,
    rounded: &'a Rounded<'a>,
    channels: Vec<Channel>,
    work: &'a mut Work<'w>,
}

impl Recording<'_, '_> {
    /// Reads where a node is.
    fn record_place(&mut self, number: usize, node: &ufbx::Node) -> Result<(), LoadError> {
        let Source { scene, size, .. } = *self.source;
        let places = Places { scene, stack: self.stack, rounded: self.rounded };
        let sample = |time: f64| place(&places.at(node, time));
        let parts = [
            Part { property: Property::Translation, values: 0..3, tolerance: TOLERANCE * size },
            Part { property: Property::Rotation, values: 3..7, tolerance: TOLERANCE },
            Part { property: Property::Scale, values: 7..10, tolerance: TOLERANCE },
        ];
        let cost = self.layers().saturating_mul(scaled_by(node).count().saturating_add(1) as u64);
        let motion = Motion { parts: &parts, cost, sample: &sample };
        self.record((number, node), motion, &place(&at_rest(node)))
    }

    /// Reads the weights of a node's morph targets, if they move.
    fn record_weights(&mut self, number: usize, node: &ufbx::Node, moving: &Moving) -> Result<(), LoadError> {
        let (rounded, anim) = (self.rounded, &*self.stack.anim);
        let source = self.source;
        let mesh = node.mesh.as_ref().and_then(|mesh| source.targets.get(mesh.element.typed_id as usize));
        let moves = |target: &Target<'_>| {
            moving.elements.contains(&target.channel.element.element_id) || rounded.names(target.channel)
        };
        let Some(targets) = mesh.filter(|targets| targets.iter().any(moves)) else { return Ok(()) };
        let weights = |of: &dyn Fn(&ufbx::BlendChannel) -> f64| -> Vec<f64> {
            targets.iter().map(|target| target.weight(of(target.channel))).collect()
        };
        let weight_at = |channel: &ufbx::BlendChannel, time: f64| {
            let meant = rounded.weight(channel, time);
            meant.unwrap_or_else(|| ufbx::evaluate_blend_weight(anim, channel, time))
        };
        let sample = |time: f64| weights(&|channel| weight_at(channel, time));
        let part = Part { property: Property::Weights, values: 0..targets.len(), tolerance: TOLERANCE };
        let cost = self.layers().saturating_mul(targets.len() as u64);
        let motion = Motion { parts: std::slice::from_ref(&part), cost, sample: &sample };
        self.record((number, node), motion, &weights(&|channel| channel.weight))
    }

    fn layers(&self) -> u64 {
        self.stack.layers.len().max(1) as u64
    }

    /// Keeps motion of a node away from its `rest`. Motion that is not finite is left out with a warning.
    fn record(
        &mut self,
        (number, node): (usize, &ufbx::Node),
        motion: Motion<'_>,
        rest: &[f64],
    ) -> Result<(), LoadError> {
        let (path, limit_mib) = (self.path, self.work.budget.limit_mib());
        let room = usize::try_from(self.work.budget.left()).unwrap_or(usize::MAX);
        let samples =
            motion.samples(&self.times, &self.source.samples, room).map_err(|stopped| match stopped {
                Beyond::Time => self.source.too_much_motion(path),
                Beyond::Memory(elements) => LoadError::TooLarge { path: path.into(), elements, limit_mib },
            })?;
        let is_finite = |sample: &Key| sample.values.iter().all(|value| (*value as f32).is_finite());
        if !samples.iter().all(is_finite) {
            let of = quoted(&node.element.name);
            let message = format!("the motion of {of} is not finite; it was left out");
            self.work.warnings.add("ACCESSOR_INVALID_FLOAT", path, message);
            return Ok(());
        }
        for channel in motion.channels(number, &samples, rest) {
            let numbers = channel.times.len().saturating_add(channel.values.len());
            self.work.budget.charge(path, numbers, size_of::<f32>())?;
            self.channels.push(channel);
        }
        Ok(())
    }
}

/// The nodes and weights that a stack can move.
struct Moving {
    elements: HashSet<u32>,
    /// One flag per node, true if it can move.
    nodes: Vec<bool>,
}

/// A transform's ten numbers.
fn place(at: &ufbx::Transform) -> Vec<f64> {
    let (translation, rotation, scale) = (vec3(&at.translation), quat(&at.rotation), vec3(&at.scale));
    [&translation.to_array()[..], &rotation.to_array(), &scale.to_array()].concat()
}

/// A motion of a node: its transform, or its morph weights.
struct Motion<'a> {
    parts: &'a [Part],
    /// Cost of a sample, in samples.
    cost: u64,
    /// Samples the values of all parts at a time.
    sample: &'a dyn Fn(f64) -> Vec<f64>,
}

/// A property, and where its values are among those of a sample.
struct Part {
    property: Property,
    values: Range<usize>,
    /// Tolerance of the part.
    tolerance: f64,
}

#[derive(Clone)]
struct Key {
    time: f64,
    values: Vec<f64>,
}

/// Bytes of a key besides its values, in a list that may have twice the capacity it needs.
const KEY_BYTES: usize = 2 * size_of::<Key>();

/// The exceeded limit.
enum Beyond {
    Time,
    /// The memory limit, exceeded at this number of samples.
    Memory(usize),
}

impl Motion<'_> {
    /// Samples the motion at some times, and between them where it is curved. Each sample is counted against `left`,
    /// and all of them take at most `room` bytes.
    fn samples(&self, times: &[Moment], left: &Cell<u64>, room: usize) -> Result<Vec<Key>, Beyond> {
        let mut samples: Vec<Key> = Vec::new();
        for moment in times {
            let sample = Key { time: moment.key, ..self.at(moment.at, left)? };
            if let Some(before) = samples.last().cloned() {
                self.refine(&before, &sample, DIVISIONS, left, &mut samples)?;
            }
            let size = sample.values.len().saturating_mul(size_of::<f64>()).saturating_add(KEY_BYTES);
            samples.push(sample);
            if samples.len().saturating_mul(size) > room {
                return Err(Beyond::Memory(samples.len()));
            }
        }
        Ok(samples)
    }

    fn at(&self, time: f64, left: &Cell<u64>) -> Result<Key, Beyond> {
        left.set(left.get().checked_sub(self.cost).ok_or(Beyond::Time)?);
        Ok(Key { time, values: (self.sample)(time) })
    }

    /// Adds samples between two if the motion there is not linear.
    fn refine(
        &self,
        before: &Key,
        after: &Key,
        divisions: u32,
        left: &Cell<u64>,
        out: &mut Vec<Key>,
    ) -> Result<(), Beyond> {
        // Keys are stored as single numbers.
        let time = f64::from((before.time + (after.time - before.time) * DIVIDED_AT) as f32);
        let is_between = before.time < time && time < after.time;
        let Some(divisions) = divisions.checked_sub(1).filter(|_| is_between) else { return Ok(()) };
        let middle = self.at(time, left)?;
        let lies = |part: &Part| part.lies(&middle, before, after);
        if self.parts.iter().all(lies) {
            return Ok(());
        }
        self.refine(before, &middle, divisions, left, out)?;
        out.push(middle.clone());
        self.refine(&middle, after, divisions, left, out)
    }

    /// The properties that do not stay as the file opens, with the keys they need.
    fn channels(&self, node: usize, samples: &[Key], rest: &[f64]) -> Vec<Channel> {
        self.parts.iter().filter_map(|part| part.channel(node, samples, rest)).collect()
    }
}

impl Part {
    /// Returns the part's values among all.
    fn of<'a>(&self, values: &'a [f64]) -> &'a [f64] {
        values.get(self.values.clone()).unwrap_or_default()
    }

    /// Returns the part's keys; `None` if it keeps its rest values.
    fn channel(&self, node: usize, samples: &[Key], rest: &[f64]) -> Option<Channel> {
        let first = samples.first()?;
        let is = |values: &[f64]| {
            samples.iter().all(|sample| self.apart(self.of(&sample.values), values) <= self.tolerance)
        };
        if is(self.of(rest)) {
            return None;
        }
        let keys = if is(self.of(&first.values)) { vec![first] } else { self.reduced(samples) };
        let values = keys.iter().flat_map(|key| self.of(&key.values).iter().map(|value| *value as f32));
        Some(Channel {
            node,
            property: self.property,
            interpolation: Interpolation::Linear,
            times: keys.iter().map(|key| key.time as f32).collect(),
            values: values.collect(),
        })
    }

    /// The samples without those on the line between others.
    fn reduced<'a>(&self, samples: &'a [Key]) -> Vec<&'a Key> {
        let kind = if self.property == Property::Rotation { Kind::Rotation } else { Kind::Numbers };
        let values = samples.iter().map(|key| (key.time, self.of(&key.values)));
        reduce::kept(values, kind, self.tolerance).into_iter().filter_map(|kept| samples.get(kept)).collect()
    }

    /// Returns true if interpolation between two keys reproduces a third one.
    fn lies(&self, key: &Key, before: &Key, after: &Key) -> bool {
        let part = (key.time - before.time) / (after.time - before.time);
        self.apart(self.of(&key.values), &self.between(self.of(&before.values), self.of(&after.values), part))
            <= self.tolerance
    }

    /// Interpolates between two values.
    fn between(&self, before: &[f64], after: &[f64], part: f64) -> Vec<f64> {
        if let (Property::Rotation, Some(a), Some(b)) = (self.property, turn(before), turn(after)) {
            return a.slerp(if a.dot(b) < 0.0 { -b } else { b }, part).to_array().to_vec();
        }
        before.iter().zip(after).map(|(a, b)| a + (b - a) * part).collect()
    }

    /// Returns the distance of values: the angle for rotations, otherwise the largest component.
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
