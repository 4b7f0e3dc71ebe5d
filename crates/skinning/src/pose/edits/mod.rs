//! Edits of a pose, as plain data: parts of nodes' transforms and morph weights that override all clips, and shares of
//! *blend*.

use std::collections::BTreeMap;

use super::local::split;
use super::names::{Names, node_name, original, target_name};
use super::shares::Shares;
use glam::{DQuat, DVec3};
use sinew_model::{LocalTransform, Model, Rig};

/// Joints and morph weights laid over clips and blends; empty by default.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Edits {
    joints: BTreeMap<usize, JointEdit>,
    /// Morph edits by node and target.
    morphs: BTreeMap<(usize, usize), MorphEdit>,
    /// Each joint's share of dual quaternion skinning in the mode *blend*.
    pub shares: Shares,
}

/// The fixed parts of a node's transform in its parent; the rest stays the clip's or the file's.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct JointEdit {
    /// The node's name in files and on command lines: `elbow`, or `#12` if its name is ambiguous.
    pub name: String,
    /// The rotation: a unit quaternion.
    pub rotation: Option<DQuat>,
    /// The translation: finite, also in `f32`.
    pub translation: Option<DVec3>,
    /// The scale: finite, also in `f32`.
    pub scale: Option<DVec3>,
}

/// A fixed weight of a morph target.
#[derive(Clone, Debug, PartialEq)]
pub struct MorphEdit {
    /// The node's name in files and on command lines.
    pub node: String,
    /// The target's name in files and on command lines.
    pub target: String,
    /// Its weight: finite, also in `f32`.
    pub weight: f64,
}

impl Edits {
    /// Returns true if there are no edits.
    pub fn is_empty(&self) -> bool {
        self.joints.is_empty() && self.morphs.is_empty() && !self.shares.are_set()
    }

    /// Sets a node's rotation in its parent. Returns `false` and does nothing if the rig has no such node, if
    /// it is a copy that the file does not have, or if [`unit_rotation`] finds no rotation.
    pub fn set_rotation(&mut self, model: &Model, node: usize, rotation: DQuat) -> bool {
        let rotation = unit_rotation(rotation);
        rotation.is_some() && self.set_joint(model, node, |edit| edit.rotation = rotation)
    }

    /// Sets a node's translation in its parent. Returns `false` and does nothing if the rig has no such node, if
    /// it is a copy that the file does not have, or if [`is_vector`] rejects the translation.
    pub fn set_translation(&mut self, model: &Model, node: usize, translation: DVec3) -> bool {
        is_vector(translation) && self.set_joint(model, node, |edit| edit.translation = Some(translation))
    }

    /// Sets a node's scale. Returns `false` and does nothing if the rig has no such node, if it is a copy that the file
    /// does not have, or if [`is_vector`] rejects the scale.
    pub fn set_scale(&mut self, model: &Model, node: usize, scale: DVec3) -> bool {
        is_vector(scale) && self.set_joint(model, node, |edit| edit.scale = Some(scale))
    }

    fn set_joint(&mut self, model: &Model, node: usize, set: impl FnOnce(&mut JointEdit)) -> bool {
        if node >= model.rig.len() || model.rig.copy_number(node).is_some() {
            return false;
        }
        let new = || JointEdit { name: node_name(model, node), ..JointEdit::default() };
        set(self.joints.entry(node).or_insert_with(new));
        true
    }

    /// Sets the weight of a node's morph target; for a copy, that of its original. Returns `false` and does
    /// nothing if there is no such target, or if [`is_weight`] rejects the weight.
    pub fn set_weight(&mut self, model: &Model, node: usize, target: usize, weight: f64) -> bool {
        let node = original(&model.rig, node);
        if !is_weight(weight) || target >= model.rig.weights_of(node).len() {
            return false;
        }
        match self.morphs.get_mut(&(node, target)) {
            Some(edit) => edit.weight = weight,
            None => {
                let (node_name, target_name) = target_name(model, node, target);
                let edit = MorphEdit { node: node_name, target: target_name, weight };
                self.morphs.insert((node, target), edit);
            }
        }
        true
    }

    /// Sets the weight of morph targets that [`Names::morphs`] has found, times their shares. Returns `false` and does nothing if
    /// [`is_weight`] rejects the weight.
    pub fn set_weights(&mut self, names: &Names<'_>, found: &[(usize, usize, f64)], weight: f64) -> bool {
        if !is_weight(weight) {
            return false;
        }
        for &(node, target, share) in found {
            let edit = MorphEdit {
                node: names.morph_node_name(node),
                target: names.targets(node).name(target),
                weight: share * weight,
            };
            self.put_weight(node, target, edit);
        }
        true
    }

    /// Removes a node's edit; returns true if it had one.
    pub fn reset_joint(&mut self, node: usize) -> bool {
        self.joints.remove(&node).is_some()
    }

    /// Removes a morph target's edit; returns true if it had one.
    pub fn reset_weight(&mut self, rig: &Rig, node: usize, target: usize) -> bool {
        self.morphs.remove(&(original(rig, node), target)).is_some()
    }

    /// Removes all edits.
    pub fn reset(&mut self) {
        *self = Self::default();
    }

    /// Returns a node's edit, if any.
    pub fn joint(&self, node: usize) -> Option<&JointEdit> {
        self.joints.get(&node)
    }

    /// Returns a morph target's edited weight, if any.
    pub fn weight(&self, rig: &Rig, node: usize, target: usize) -> Option<f64> {
        self.morphs.get(&(original(rig, node), target)).map(|edit| edit.weight)
    }

    /// Returns the edited nodes of the rig, in its order.
    pub fn joints(&self) -> impl Iterator<Item = (usize, &JointEdit)> {
        self.joints.iter().map(|(node, edit)| (*node, edit))
    }

    /// Returns the edited morph targets with their nodes, in the order of the rig and then of the targets.
    pub fn weights(&self) -> impl Iterator<Item = (usize, usize, &MorphEdit)> {
        self.morphs.iter().map(|((node, target), edit)| (*node, *target, edit))
    }

    /// Returns the edits that apply to another model, or to a newer version of the same file: those whose names it has.
    pub fn carried_to(&self, model: &Model) -> Self {
        let names = Names::new(model);
        let mut carried = Self { shares: self.shares.carried_to(&names), ..Self::default() };
        for edit in self.joints.values() {
            if let Ok(node) = names.node(&edit.name) {
                carried.put_joint(node, edit.clone());
            }
        }
        for edit in self.morphs.values() {
            if let Ok(node) = names.node(&edit.node)
                && let Ok(target) = names.targets(node).find(&edit.target)
            {
                carried.put_weight(node, target, edit.clone());
            }
        }
        carried
    }

    /// Returns these edits, plus the changes from `before` to `after`.
    pub fn with_changes(mut self, before: &Self, after: &Self) -> Self {
        for node in before.joints.keys().chain(after.joints.keys()) {
            match (before.joints.get(node), after.joints.get(node)) {
                (was, is) if was == is => {}
                (_, Some(edit)) => drop(self.joints.insert(*node, edit.clone())),
                (_, None) => drop(self.joints.remove(node)),
            }
        }
        self.shares = self.shares.with_changes(&before.shares, &after.shares);
        for target in before.morphs.keys().chain(after.morphs.keys()) {
            match (before.morphs.get(target), after.morphs.get(target)) {
                (was, is) if was == is => {}
                (_, Some(edit)) => drop(self.morphs.insert(*target, edit.clone())),
                (_, None) => drop(self.morphs.remove(target)),
            }
        }
        self
    }

    /// Sets a node's edit, unchecked; returns true if it is the node's first edit.
    pub fn put_joint(&mut self, node: usize, edit: JointEdit) -> bool {
        self.joints.insert(node, edit).is_none()
    }

    /// Sets a weight like [`Edits::set_weight`], without its checks; returns true if it is the target's first edit.
    pub fn put_weight(&mut self, node: usize, target: usize, edit: MorphEdit) -> bool {
        self.morphs.insert((node, target), edit).is_none()
    }

    /// Applies the edits. Splits a node stored as a matrix first, as clips do.
    pub(super) fn apply(&self, rig: &Rig, locals: &mut [LocalTransform], weights: &mut [f64]) {
        for (&node, edit) in &self.joints {
            let Some(local) = locals.get_mut(node) else { continue };
            if let LocalTransform::Matrix(matrix) = *local {
                *local = split(&matrix);
            }
            if let LocalTransform::Trs { translation, rotation, scale } = local {
                *rotation = edit.rotation.unwrap_or(*rotation);
                *translation = edit.translation.unwrap_or(*translation);
                *scale = edit.scale.unwrap_or(*scale);
            }
        }
        for (&(node, target), edit) in &self.morphs {
            let weights = weights.get_mut(rig.weights_of(node)).unwrap_or_default();
            if let Some(weight) = weights.get_mut(target) {
                *weight = edit.weight;
            }
        }
    }
}

/// The maximum deviation of a rotation's quaternion from length one.
const MAX_OFF: f64 = 0.1;

/// The deviation of the squared length from one by rounding alone: twice that of normalising.
const ROUNDING: f64 = 16.0 * f64::EPSILON;

/// Returns a rotation as a unit quaternion: unchanged to the bit if its length is one but for rounding. `None` if the length
/// is below 0.9 or above 1.1, which is a mistake rather than rounding.
pub fn unit_rotation(rotation: DQuat) -> Option<DQuat> {
    let squared = rotation.length_squared();
    match (squared - 1.0).abs() {
        off if off <= ROUNDING => Some(rotation),
        _ if (squared.sqrt() - 1.0).abs() <= MAX_OFF => Some(rotation.normalize()),
        _ => None,
    }
}

/// Returns true if a vector can be a translation or a scale: it must be finite, also when rounded to `f32`.
pub fn is_vector(vector: DVec3) -> bool {
    vector.as_vec3().is_finite()
}

/// Returns true if a number can be a morph weight: it must be finite, also when rounded to `f32`.
pub fn is_weight(weight: f64) -> bool {
    (weight as f32).is_finite()
}

#[cfg(test)]
mod tests;
