//! Motion as one clip: samples of skeletons, of blend shapes and of places, as keys in seconds.

use std::collections::HashMap;

use glam::DQuat;
use openusd::sdf::Value;

use super::Work;
use super::nodes::Nodes;
use super::places::{parts, unit};
use super::shapes::Target;
use super::skeletons::Skeleton;
use super::stage::{Prim, Stage};
use super::values;
use crate::reading::LoadError;
use crate::{Channel, Clip, Interpolation, LocalTransform, Property};

/// The most frames that a place which turns is sampled at.
const MAX_FRAMES: f64 = 100_000.0;

/// Keys of a property: their times in the file's units, and values.
type Keys = Vec<(f64, Vec<f32>)>;

/// The clip in the making.
pub struct Motion<'a> {
    stage: &'a Stage,
    channels: Vec<Channel>,
}

impl<'a> Motion<'a> {
    /// A clip without motion.
    pub fn new(stage: &'a Stage) -> Self {
        Self { stage, channels: Vec::new() }
    }

    /// Adds the motion of a skeleton's joints. Nodes that move get a rest transform that clips can move.
    ///
    /// # Errors
    /// If it needs more memory than a file of this size may take.
    pub fn add_joints(
        &mut self,
        animation: &Prim,
        skeleton: &Skeleton,
        nodes: &mut Nodes,
        work: &mut Work<'_>,
    ) -> Result<(), LoadError> {
        let names = self.stage.value(animation, "joints").and_then(|names| values::texts(&names));
        let Some(names) = names.filter(|names| !names.is_empty()) else { return Ok(()) };
        let [translations, rotations, scales] = ["translations", "rotations", "scales"]
            .map(|name| self.stage.value(animation, name).map(|value| (name, value)));
        let (Some(translations), Some(rotations), Some(scales)) = (translations, rotations, scales) else {
            let message = "it lacks translations, rotations or scales; its joints stay at rest";
            work.warnings.add("INCOMPLETE_ANIMATION", animation.path.as_str(), message);
            return Ok(());
        };
        let nodes_of: HashMap<&String, usize> =
            skeleton.names.iter().zip(&skeleton.joints).rev().map(|(name, node)| (name, *node)).collect();
        let joint = |name: &String| nodes_of.get(name).copied();
        let joints: Vec<Option<usize>> = names.iter().map(joint).collect();
        for node in joints.iter().flatten() {
            if let Some(rest) = nodes.rig.rest.get_mut(*node) {
                *rest = parts(&rest.parent_from_node());
            }
        }
        let vectors = |value: &Value| {
            values::vectors(value).map(|all| all.iter().map(|v| v.as_vec3().to_array().to_vec()).collect())
        };
        let turns = |value: &Value| {
            let turn = |q: &DQuat| unit(*q).unwrap_or(DQuat::IDENTITY).as_quat().to_array().to_vec();
            values::quaternions(value).map(|all| all.iter().map(turn).collect())
        };
        self.add_lists(animation, translations, &joints, Property::Translation, vectors, work)?;
        self.add_lists(animation, rotations, &joints, Property::Rotation, turns, work)?;
        self.add_lists(animation, scales, &joints, Property::Scale, vectors, work)
    }

    /// Adds a property of all joints, given in a list for each time.
    fn add_lists(
        &mut self,
        animation: &Prim,
        (name, value): (&str, Value),
        joints: &[Option<usize>],
        property: Property,
        of: impl Fn(&Value) -> Option<Vec<Vec<f32>>>,
        work: &mut Work<'_>,
    ) -> Result<(), LoadError> {
        let mut samples = self.stage.samples(animation, name);
        if samples.is_empty() {
            samples.push((0.0, value));
        }
        let mut lists: Vec<(f64, Vec<Vec<f32>>)> = Vec::new();
        for (time, value) in samples {
            let list = of(&value).filter(|list| list.len() == joints.len());
            let list = list.filter(|list| list.iter().flatten().all(|number| number.is_finite()));
            let Some(list) = list else {
                let message = format!("{name} at time {time} are not finite values for all joints; left out");
                work.warnings.add("INVALID_SAMPLE", animation.path.as_str(), message);
                continue;
            };
            work.budget.charge("animations[0]", list.len(), 64)?;
            lists.push((time, list));
        }
        for (place, node) in joints.iter().enumerate() {
            let Some(node) = node else { continue };
            let key = |(time, list): &(f64, Vec<Vec<f32>>)| Some((*time, list.get(place)?.clone()));
            self.add(*node, property, &lists.iter().filter_map(key).collect());
        }
        Ok(())
    }

    /// Adds the weights of a mesh's blend shapes.
    ///
    /// # Errors
    /// If they need more memory than a file of this size may take.
    pub fn add_weights(
        &mut self,
        animation: &Prim,
        targets: &[Target],
        node: usize,
        work: &mut Work<'_>,
    ) -> Result<(), LoadError> {
        let names = self.stage.value(animation, "blendShapes").and_then(|names| values::texts(&names));
        let names = names.unwrap_or_default();
        let name = "blendShapeWeights";
        let mut samples = self.stage.samples(animation, name);
        if samples.is_empty() {
            samples.extend(self.stage.value(animation, name).map(|value| (0.0, value)));
        }
        let lists: Vec<(f64, Vec<f64>)> =
            samples.iter().filter_map(|(time, value)| Some((*time, values::numbers(value)?))).collect();
        let places: HashMap<&String, usize> =
            names.iter().enumerate().rev().map(|(place, name)| (name, place)).collect();
        for (number, target) in (0u32..).zip(targets) {
            let Some(place) = places.get(&target.shape).copied() else { continue };
            let weight = |(time, list): &(f64, Vec<f64>)| {
                list.get(place).filter(|weight| weight.is_finite()).map(|weight| (*time, *weight))
            };
            let weights: Vec<(f64, f64)> = lists.iter().filter_map(weight).collect();
            work.budget.charge("animations[0]", weights.len(), 64)?;
            let keys = with_crossings(&weights, &target.keys);
            let keys = keys.iter().map(|(time, weight)| (*time, vec![target.weight(*weight) as f32]));
            self.add(node, Property::Weight(number), &keys.collect());
        }
        Ok(())
    }

    /// Adds the motion of a prim's place. What no key can have, shear, is left out.
    ///
    /// # Errors
    /// If it needs more memory than a file of this size may take.
    pub fn add_places(&mut self, nodes: &Nodes, work: &mut Work<'_>) -> Result<(), LoadError> {
        for (node, prim, place) in &nodes.moving {
            let mut times = place.times.clone();
            if let (true, Some(first), Some(last)) = (place.turns, times.first(), times.last()) {
                let (first, last) = (first.ceil(), last.floor());
                let frames = if last - first < MAX_FRAMES { last - first + 1.0 } else { 0.0 };
                times.extend((0..frames.max(0.0) as u64).map(|frame| first + frame as f64));
                times.sort_by(f64::total_cmp);
                times.dedup();
            }
            work.budget.charge("animations[0]", times.len(), 512)?;
            let mut keys: [Keys; 3] = Default::default();
            for time in times {
                let Some(matrix) = place.at(self.stage, prim, Some(time)) else { continue };
                let LocalTransform::Trs { translation, rotation, scale } = parts(&matrix) else { continue };
                let values: [Vec<f32>; 3] = [
                    translation.as_vec3().to_array().to_vec(),
                    rotation.as_quat().to_array().to_vec(),
                    scale.as_vec3().to_array().to_vec(),
                ];
                for (keys, values) in keys.iter_mut().zip(values) {
                    keys.push((time, values));
                }
            }
            let properties = [Property::Translation, Property::Rotation, Property::Scale];
            for (property, keys) in properties.into_iter().zip(&keys) {
                self.add(*node, property, keys);
            }
        }
        Ok(())
    }

    /// Adds a channel. Of equal keys in a row, the first and the last are enough.
    fn add(&mut self, node: usize, property: Property, keys: &Keys) {
        let rate = self.stage.rate();
        let mut channel = Channel {
            node,
            property,
            interpolation: Interpolation::Linear,
            times: Vec::new(),
            values: Vec::new(),
        };
        for (at, (time, values)) in keys.iter().enumerate() {
            let secs = (time / rate) as f32;
            let is_later = channel.times.last().is_none_or(|last| secs > *last);
            let same =
                |other: Option<usize>| other.and_then(|at| keys.get(at)).is_some_and(|key| key.1 == *values);
            let is_needed = !(same(at.checked_sub(1)) && same(at.checked_add(1)));
            if secs.is_finite() && is_later && is_needed {
                channel.times.push(secs);
                channel.values.extend(values);
            }
        }
        if !channel.times.is_empty() {
            self.channels.push(channel);
        }
    }

    /// The clip; `None` if nothing moves.
    pub fn into_clip(self, name: &str) -> Option<Clip> {
        let lasts = self.channels.iter().filter_map(|channel| channel.times.last().copied());
        let end = self.stage.range().map(|[_, end]| (end / self.stage.rate()) as f32);
        let duration_secs = lasts.chain(end.filter(|end| end.is_finite())).reduce(f32::max).unwrap_or(0.0);
        let clip = Clip { name: name.to_owned(), duration_secs, channels: self.channels };
        (!clip.channels.is_empty()).then_some(clip)
    }
}

/// The keys of a shape's weight, with those times between them where it passes one of `marks`.
fn with_crossings(keys: &[(f64, f64)], marks: &[f64]) -> Vec<(f64, f64)> {
    let mut all = Vec::new();
    for (number, (time, weight)) in keys.iter().enumerate() {
        all.push((*time, *weight));
        let Some((next, end)) = number.checked_add(1).and_then(|next| keys.get(next)) else { continue };
        let part = |mark: &f64| (mark - weight) / (end - weight);
        let between = marks.iter().filter(|mark| part(mark) > 0.0 && part(mark) < 1.0);
        let mut passed: Vec<(f64, f64)> =
            between.map(|mark| (time + (next - time) * part(mark), *mark)).collect();
        passed.sort_by(|a, b| a.0.total_cmp(&b.0));
        all.extend(passed);
    }
    all
}

#[cfg(test)]
mod tests {
    use super::with_crossings;

    #[test]
    fn in_betweens_have_keys_where_a_weight_passes_them() {
        let keys = [(0.0, 0.0), (10.0, 1.0), (20.0, -1.0)];
        let all = with_crossings(&keys, &[0.0, 0.5, 1.0]);
        assert_eq!(all, [(0.0, 0.0), (5.0, 0.5), (10.0, 1.0), (12.5, 0.5), (15.0, 0.0), (20.0, -1.0)]);
    }
}
