//! What hands change of the pose and of materials: joints that are turned, morph targets that are weighed, factors.
//! It must not know by which handle.

use glam::DQuat;

use super::state::Stage;
use crate::scene::{Factors, Retouch};
use sinew_model::{LocalTransform, Material};
use sinew_skinning::pose::{ClipMix, Edits, Pose, PoseChoice, rotation_from_degrees};

/// A morph target that can be weighed.
#[derive(Clone, Debug, PartialEq)]
pub struct MorphTarget {
    /// What it is called.
    pub name: String,
    /// The node that shows it.
    pub node: usize,
    /// Its number there.
    pub target: usize,
    /// Where its weight is in a pose.
    pub weight: usize,
}

impl Stage {
    /// What is edited of the pose, if anything can be.
    pub fn edits(&self) -> Option<&Edits> {
        match &self.scene.pose {
            PoseChoice::Clips(mix) => Some(&mix.edits),
            PoseChoice::Bind | PoseChoice::Rest | PoseChoice::SkinSpace => None,
        }
    }

    /// Changes the edits. The rest pose becomes one that is edited; what is neither skinned nor posed stays.
    fn edit(&mut self, change: impl FnOnce(&mut Edits, &sinew_model::Model)) {
        // What is being posed must not move away under the hand that poses it.
        self.settle();
        if self.scene.pose == PoseChoice::Rest {
            self.scene.pose = PoseChoice::Clips(ClipMix::default());
        }
        if let PoseChoice::Clips(mix) = &mut self.scene.pose {
            change(&mut mix.edits, &self.model);
            if *mix == ClipMix::default() {
                self.scene.pose = PoseChoice::Rest;
            }
        }
    }

    /// How many joints and targets are edited.
    pub fn edited_count(&self) -> usize {
        self.edits().map_or(0, |edits| edits.rotations().count() + edits.weights().count())
    }

    /// Whether a node's rotation is edited.
    pub fn is_edited(&self, node: usize) -> bool {
        self.rotation(node).is_some()
    }

    /// The rotation that a node was given.
    pub fn rotation(&self, node: usize) -> Option<DQuat> {
        self.edits().and_then(|edits| edits.rotation(node))
    }

    /// Whether a target's weight is edited.
    pub fn is_weight_edited(&self, node: usize, target: usize) -> bool {
        self.edits().is_some_and(|edits| edits.weight(&self.model.rig, node, target).is_some())
    }

    /// Gives a node a rotation in its parent.
    pub fn turn(&mut self, node: usize, rotation: DQuat) {
        self.edit(|edits, model| {
            edits.set_rotation(model, node, rotation);
        });
    }

    /// Turns the chosen joint by so many degrees around one of its own axes.
    pub fn turn_chosen(&mut self, axis: usize, degrees: f64) {
        let mut angles = [0.0; 3];
        if let Some(angle) = angles.get_mut(axis) {
            *angle = degrees;
        }
        self.turn_chosen_by(rotation_from_degrees(angles));
    }

    /// Turns the chosen joint in its own axes.
    pub fn turn_chosen_by(&mut self, turn: DQuat) {
        let Some(node) = self.chosen else { return };
        let mut pose = Pose::default();
        pose.set(&self.model, &self.scene.pose);
        if let Some(local) = pose.locals.get(node) {
            self.turn(node, rotation_of(local) * turn);
        }
    }

    /// Gives a morph target a weight.
    pub fn weigh(&mut self, node: usize, target: usize, weight: f64) {
        self.edit(|edits, model| {
            edits.set_weight(model, node, target, weight);
        });
    }

    /// Leaves the chosen joint to clips and file again.
    pub fn reset_chosen(&mut self) {
        if let Some(node) = self.chosen {
            self.edit(|edits, _| {
                edits.reset_rotation(node);
            });
        }
    }

    /// Leaves a morph target to clips and file again.
    pub fn reset_weight(&mut self, node: usize, target: usize) {
        self.edit(|edits, model| {
            edits.reset_weight(&model.rig, node, target);
        });
    }

    /// Leaves everything to clips and file again.
    pub fn reset_all(&mut self) {
        self.edit(|edits, _| edits.reset());
    }

    /// Every morph target that has a weight of its own.
    pub fn morph_targets(&self) -> Vec<MorphTarget> {
        let mut found = Vec::new();
        for instance in &self.model.instances {
            let Some(mesh) = self.model.meshes.get(instance.mesh) else { continue };
            // A copy shows what the node does that it is a copy of.
            if self.model.rig.copy_number(instance.node).is_some() {
                continue;
            }
            for (target, weight) in self.model.rig.weights_of(instance.node).enumerate() {
                let name = mesh.target_names.get(target).filter(|name| !name.is_empty());
                let name = name.cloned().unwrap_or_else(|| format!("target {target}"));
                found.push(MorphTarget { name, node: instance.node, target, weight });
            }
        }
        found
    }

    /// Whether there are morph targets.
    pub fn has_morphs(&self) -> bool {
        !self.model.rig.rest_weights.is_empty()
    }

    /// Whether there are materials.
    pub fn has_materials(&self) -> bool {
        !self.model.materials.is_empty()
    }

    /// The materials as the file has them.
    pub fn materials(&self) -> &[Material] {
        &self.model.materials
    }

    /// What replaces a material's factors.
    pub fn factors(&self, material: usize) -> Factors {
        let found = self.scene.materials.iter().rev().find(|retouch| retouch.material == material);
        found.map(|retouch| retouch.factors.clone()).unwrap_or_default()
    }

    /// Replaces a material's factors.
    pub fn retouch(&mut self, material: usize, factors: Factors) {
        self.scene.materials.retain(|retouch| retouch.material != material);
        if factors != Factors::default() {
            self.scene.materials.push(Retouch { material, factors });
        }
    }
}

/// A transform's rotation; of a matrix, as far as it has one.
pub fn rotation_of(local: &LocalTransform) -> DQuat {
    match local {
        LocalTransform::Trs { rotation, .. } => *rotation,
        LocalTransform::Matrix(matrix) => {
            let (_, rotation, _) = matrix.to_scale_rotation_translation();
            if rotation.is_finite() { rotation } else { DQuat::IDENTITY }
        }
    }
}
