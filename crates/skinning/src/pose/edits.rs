//! What hands have changed of a pose, as plain data: rotations of nodes and morph weights that hold whatever
//! clips say. It must not know files, flags, or how clips are sampled.

use std::collections::BTreeMap;

use super::names::{Names, node_name, original, target_name};
use super::split;
use glam::DQuat;
use sinew_model::{LocalTransform, Model, Rig};

/// Rotations and morph weights that are laid over clips and blends; nothing by default.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Edits {
    joints: BTreeMap<usize, JointEdit>,
    /// By node and target.
    morphs: BTreeMap<(usize, usize), MorphEdit>,
}

/// A rotation that a node keeps.
#[derive(Clone, Debug, PartialEq)]
pub struct JointEdit {
    /// The node as files and command lines name it: `elbow`, or `#12` where its name will not do.
    pub name: String,
    /// The node's rotation in its parent: a unit quaternion.
    pub rotation: DQuat,
}

/// A weight that a morph target keeps.
#[derive(Clone, Debug, PartialEq)]
pub struct MorphEdit {
    /// The node as files and command lines name it.
    pub node: String,
    /// The target as files and command lines name it.
    pub target: String,
    /// Its weight: finite, also in `f32`.
    pub weight: f64,
}

impl Edits {
    /// Whether nothing is changed.
    pub fn is_empty(&self) -> bool {
        self.joints.is_empty() && self.morphs.is_empty()
    }

    /// Gives a node of the rig a rotation in its parent. Does nothing and says `false` where there is no such
    /// node, where it is a copy that the file does not have, or where [`unit_rotation`] finds no rotation.
    pub fn set_rotation(&mut self, model: &Model, node: usize, rotation: DQuat) -> bool {
        let Some(rotation) = unit_rotation(rotation) else { return false };
        if node >= model.rig.len() || model.rig.copy_number(node).is_some() {
            return false;
        }
        match self.joints.get_mut(&node) {
            Some(edit) => edit.rotation = rotation,
            None => {
                let name = node_name(model, node);
                self.joints.insert(node, JointEdit { name, rotation });
            }
        }
        true
    }

    /// Gives a morph target of a node a weight; of a copy, that of the node it is a copy of. Does nothing and
    /// says `false` where there is no such target, or where [`is_weight`] objects.
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

    /// Gives morph targets a weight that [`Names::morphs`] has found. Does nothing and says `false` where
    /// [`is_weight`] objects.
    pub fn set_weights(&mut self, names: &Names<'_>, found: &[(usize, usize)], weight: f64) -> bool {
        if !is_weight(weight) {
            return false;
        }
        for &(node, target) in found {
            let edit = MorphEdit {
                node: names.morph_node_name(node),
                target: names.targets(node).name(target),
                weight,
            };
            self.put_weight(node, target, edit);
        }
        true
    }

    /// Leaves a node to clips and file again; says whether it was edited.
    pub fn reset_rotation(&mut self, node: usize) -> bool {
        self.joints.remove(&node).is_some()
    }

    /// Leaves a morph target to clips and file again; says whether it was edited.
    pub fn reset_weight(&mut self, rig: &Rig, node: usize, target: usize) -> bool {
        self.morphs.remove(&(original(rig, node), target)).is_some()
    }

    /// Leaves everything to clips and file again.
    pub fn reset(&mut self) {
        *self = Self::default();
    }

    /// The rotation that a node keeps, if it is edited.
    pub fn rotation(&self, node: usize) -> Option<DQuat> {
        self.joints.get(&node).map(|edit| edit.rotation)
    }

    /// The weight that a morph target keeps, if it is edited.
    pub fn weight(&self, rig: &Rig, node: usize, target: usize) -> Option<f64> {
        self.morphs.get(&(original(rig, node), target)).map(|edit| edit.weight)
    }

    /// Edited nodes of the rig, in its order.
    pub fn rotations(&self) -> impl Iterator<Item = (usize, &JointEdit)> {
        self.joints.iter().map(|(node, edit)| (*node, edit))
    }

    /// Edited morph targets with their nodes, in the order of the rig and then of the targets.
    pub fn weights(&self) -> impl Iterator<Item = (usize, usize, &MorphEdit)> {
        self.morphs.iter().map(|((node, target), edit)| (*node, *target, edit))
    }

    /// The same edits for another model, or for a newer state of the same file: what has the same name there.
    pub fn carried_to(&self, model: &Model) -> Self {
        let names = Names::new(model);
        let mut carried = Self::default();
        for edit in self.joints.values() {
            if let Ok(node) = names.node(&edit.name) {
                carried.put_rotation(node, edit.clone());
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

    /// These edits, with what has changed from one state of others to the next laid over them.
    pub fn with_changes(mut self, before: &Self, after: &Self) -> Self {
        for node in before.joints.keys().chain(after.joints.keys()) {
            match (before.joints.get(node), after.joints.get(node)) {
                (was, is) if was == is => {}
                (_, Some(edit)) => drop(self.joints.insert(*node, edit.clone())),
                (_, None) => drop(self.joints.remove(node)),
            }
        }
        for target in before.morphs.keys().chain(after.morphs.keys()) {
            match (before.morphs.get(target), after.morphs.get(target)) {
                (was, is) if was == is => {}
                (_, Some(edit)) => drop(self.morphs.insert(*target, edit.clone())),
                (_, None) => drop(self.morphs.remove(target)),
            }
        }
        self
    }

    /// The same as [`Edits::set_rotation`] of what has been looked at; says whether it is the node's first.
    pub fn put_rotation(&mut self, node: usize, edit: JointEdit) -> bool {
        self.joints.insert(node, edit).is_none()
    }

    /// The same as [`Edits::set_weight`] of what has been looked at; says whether it is the target's first.
    pub fn put_weight(&mut self, node: usize, target: usize, edit: MorphEdit) -> bool {
        self.morphs.insert((node, target), edit).is_none()
    }

    /// Sets what is edited. A node stored as a matrix is split first, as clips split it.
    pub(super) fn apply(&self, rig: &Rig, locals: &mut [LocalTransform], weights: &mut [f64]) {
        for (&node, edit) in &self.joints {
            let Some(local) = locals.get_mut(node) else { continue };
            if let LocalTransform::Matrix(matrix) = *local {
                *local = split(&matrix);
            }
            if let LocalTransform::Trs { rotation, .. } = local {
                *rotation = edit.rotation;
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

/// How far the length of a quaternion may be from one that stands for a rotation.
const MOST_OFF: f64 = 0.1;

/// How far the squared length is from one where nothing but rounding has moved it: twice what normalising leaves.
const ROUNDING: f64 = 16.0 * f64::EPSILON;

/// A rotation as a unit quaternion: the same bits where its length is one but for rounding. `None` where the
/// length is below 0.9 or above 1.1, which is a mistake rather than a rounded number.
pub fn unit_rotation(rotation: DQuat) -> Option<DQuat> {
    let squared = rotation.length_squared();
    match (squared - 1.0).abs() {
        off if off <= ROUNDING => Some(rotation),
        _ if (squared.sqrt() - 1.0).abs() <= MOST_OFF => Some(rotation.normalize()),
        _ => None,
    }
}

/// Whether a number can be a morph weight: it has to be finite, also where it is rounded to `f32`.
pub fn is_weight(weight: f64) -> bool {
    (weight as f32).is_finite()
}

#[cfg(test)]
mod tests;
