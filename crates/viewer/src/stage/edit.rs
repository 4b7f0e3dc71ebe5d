//! Edits of pose and materials: joint rotations, morph weights, material factors.

use glam::DQuat;

use super::state::Stage;
use crate::gizmo::Change;
use sinew_model::{DdmSettings, Material};
use sinew_scene::scene::{Factors, Retouch};
use sinew_skinning::SkinningMode;
use sinew_skinning::pose::{ClipMix, Edits, PoseChoice, Shares, parts, rotation_from_degrees};

/// A morph target with an editable weight.
#[derive(Clone, Debug, PartialEq)]
pub struct MorphTarget {
    /// The name in the panel.
    pub name: String,
    /// The node that shows it.
    pub node: usize,
    /// The target's index on that node.
    pub target: usize,
    /// The index of its weight in a pose.
    pub weight: usize,
}

impl Stage {
    /// Returns the edits of the current pose, if it can have any.
    pub fn edits(&self) -> Option<&Edits> {
        match &self.scene.pose {
            PoseChoice::Clips(mix) => Some(&mix.edits),
            PoseChoice::Bind | PoseChoice::Rest | PoseChoice::SkinSpace(_) => None,
        }
    }

    /// Changes the edits. Editing the rest pose makes it an edited pose; bind pose and skin space have no edits.
    pub(super) fn edit(&mut self, change: impl FnOnce(&mut Edits, &sinew_model::Model)) {
        // Keep the camera still: framing must not move the joint away under the cursor.
        self.settle();
        if self.scene.pose == PoseChoice::Rest {
            self.scene.pose = PoseChoice::Clips(ClipMix::default());
        }
        if let PoseChoice::Clips(mix) = &mut self.scene.pose {
            change(&mut mix.edits, &self.model);
        }
        self.hold_pins();
        if self.scene.pose == PoseChoice::Clips(ClipMix::default()) {
            self.scene.pose = PoseChoice::Rest;
        }
    }

    /// Returns the number of edited joints, targets and shares.
    pub fn edited_count(&self) -> usize {
        let shares = |shares: &Shares| shares.joints().count() + usize::from(shares.set_for_all().is_some());
        let count = |edits: &Edits| edits.joints().count() + edits.weights().count() + shares(&edits.shares);
        self.edits().map_or(0, count)
    }

    /// Returns true if a node is edited.
    pub fn is_edited(&self, node: usize) -> bool {
        self.edits().is_some_and(|edits| edits.joint(node).is_some())
    }

    /// Returns the edited rotation of a node.
    pub fn rotation(&self, node: usize) -> Option<DQuat> {
        self.edits().and_then(|edits| edits.joint(node)?.rotation)
    }

    /// Returns true if a target's weight is edited.
    pub fn is_weight_edited(&self, node: usize, target: usize) -> bool {
        self.edits().is_some_and(|edits| edits.weight(&self.model.rig, node, target).is_some())
    }

    /// Sets a node's rotation relative to its parent.
    pub fn turn(&mut self, node: usize, rotation: DQuat) {
        self.change(node, Change::Rotation(rotation));
    }

    /// Turns the chosen joint by degrees around its own x, y or z axis.
    pub fn turn_chosen(&mut self, axis: usize, degrees: f64) {
        let mut angles = [0.0; 3];
        if let Some(angle) = angles.get_mut(axis) {
            *angle = degrees;
        }
        let Some(node) = self.chosen else { return };
        if let Some(local) = self.pose().locals.get(node) {
            let (_, rotation, _) = parts(local);
            self.turn(node, rotation * rotation_from_degrees(angles));
        }
    }

    /// Returns true if some pane shows *blend*.
    pub fn shows_blend(&self) -> bool {
        self.scene.modes().contains(&SkinningMode::Blended)
    }

    /// Returns the settings of *ddm* if some pane shows it.
    pub fn ddm(&self) -> Option<DdmSettings> {
        let is_shown = self.scene.modes().contains(&SkinningMode::DirectDeltaMush);
        is_shown.then(|| self.model.ddm.settings())
    }

    /// Sets the settings of *ddm*, whose terms are then found anew.
    pub fn set_ddm(&mut self, settings: DdmSettings) {
        let given = DdmSettings { within: None, ..settings };
        self.scene.files.ddm = (given != DdmSettings::default()).then_some(given);
        self.apply_ddm();
    }

    /// Gives the model the scene's settings of *ddm*.
    pub(super) fn apply_ddm(&self) {
        let within = self.model.ddm.settings().within;
        self.model.ddm.set(DdmSettings { within, ..self.scene.files.ddm.unwrap_or_default() });
    }

    /// Returns the shares of dual quaternion skinning in *blend*.
    pub fn shares(&self) -> Shares {
        self.scene.pose.shares()
    }

    /// Sets the share of a node, or the default for nodes without a share.
    pub fn share(&mut self, node: Option<usize>, share: f64) {
        self.edit(|edits, model| {
            edits.shares.note(model);
            match node {
                Some(node) => edits.shares.set(model, node, share),
                None => edits.shares.set_all(share),
            };
        });
    }

    /// Resets a node's share to the default.
    pub fn reset_share(&mut self, node: usize) {
        self.edit(|edits, _| edits.shares.reset(node));
    }

    /// Sets the weight of a morph target.
    pub fn weigh(&mut self, node: usize, target: usize, weight: f64) {
        self.edit(|edits, model| {
            edits.set_weight(model, node, target, weight);
        });
    }

    /// Discards the edits of the chosen joint.
    pub fn reset_chosen(&mut self) {
        if let Some(node) = self.chosen {
            self.edit(|edits, _| {
                edits.reset_joint(node);
            });
        }
    }

    /// Discards the edit of a morph target.
    pub fn reset_weight(&mut self, node: usize, target: usize) {
        self.edit(|edits, model| {
            edits.reset_weight(&model.rig, node, target);
        });
    }

    /// Discards all edits.
    pub fn reset_all(&mut self) {
        self.edit(|edits, _| edits.reset());
    }

    /// Returns the morph targets, with a separate entry for each node that has weights.
    pub fn morph_targets(&self) -> Vec<MorphTarget> {
        let mut found = Vec::new();
        for instance in &self.model.instances {
            let Some(mesh) = self.model.meshes.get(instance.mesh) else { continue };
            // A copy from instancing uses the weights of the original node.
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

    /// Returns true if the model has morph targets.
    pub fn has_morphs(&self) -> bool {
        !self.model.rig.rest_weights.is_empty()
    }

    /// Returns true if the model has materials.
    pub fn has_materials(&self) -> bool {
        !self.model.materials.is_empty()
    }

    /// Returns the materials as stored in the file.
    pub fn materials(&self) -> &[Material] {
        &self.model.materials
    }

    /// Returns the factors that replace a material's own; the default replaces none.
    pub fn factors(&self, material: usize) -> Factors {
        let found = self.scene.materials.iter().rev().find(|retouch| retouch.material == material);
        found.map(|retouch| retouch.factors.clone()).unwrap_or_default()
    }

    /// Replaces the factors of a material.
    pub fn retouch(&mut self, material: usize, factors: Factors) {
        self.scene.materials.retain(|retouch| retouch.material != material);
        if factors != Factors::default() {
            self.scene.materials.push(Retouch { material, factors });
        }
    }
}
