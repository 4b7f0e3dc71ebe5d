//! Poses: the node transforms, local and world, that clips give a rig at a time. This module must not depend on meshes or
//! skinning modes; of skins it uses only the nodes of their joints.

mod blend;
mod choice;
mod edits;
mod names;
mod sample;
mod shares;
mod turns;

#[cfg(test)]
mod tests;

pub use choice::{Blend, ClipMix, OnlyJoint, PoseChoice};
pub use edits::{Edits, JointEdit, MorphEdit, is_vector, is_weight, unit_rotation};
pub use names::{NameError, Names, Targets};
pub use shares::{JointShare, Shares, is_share};
pub use turns::{degrees_from_rotation, rotation_from_degrees};

use crate::fault::Spoilt;
use glam::{DAffine3, DMat4, DQuat, DVec3};
use sinew_model::{Clip, LocalTransform, Model, Rig};

/// The transforms of every node of a rig. Setting a pose again allocates nothing.
#[derive(Clone, Debug, Default)]
pub struct Pose {
    /// True if skins and morph targets are ignored. Palettes are then identities, and weights count as 0.
    pub is_bind: bool,
    /// Each node's transform in its parent.
    pub locals: Vec<LocalTransform>,
    /// Each node's transform in the world.
    pub world_from_node: Vec<DMat4>,
    /// Morph weights, in the order of [`Rig::weights_of`].
    pub weights: Vec<f64>,
    /// The node of the joint whose matrix replaces those of all joints of its skin.
    pub only_joint: Option<usize>,
    /// Each joint's share of dual quaternion skinning in the mode *blend*.
    pub shares: Shares,
    /// The fault that [`Pose::set_with`] applied.
    pub(crate) spoilt: Option<Spoilt>,
    /// The pose of one clip alone, while it is blended over the rest.
    layer: Layer,
}

/// Local transforms and weights that are not yet part of the pose.
#[derive(Clone, Debug, Default)]
struct Layer {
    locals: Vec<LocalTransform>,
    weights: Vec<f64>,
}

impl Pose {
    /// Returns the pose that the file stores, without any clip.
    pub fn rest(rig: &Rig) -> Self {
        let mut pose = Self::default();
        pose.set_rest(rig);
        pose
    }

    /// Sets the chosen pose; a clip that the model lacks moves nothing.
    pub fn set(&mut self, model: &Model, choice: &PoseChoice) {
        self.set_moment(model, choice, choice.time_secs());
    }

    /// Sets the chosen pose with its clips at another time.
    pub(crate) fn set_moment(&mut self, model: &Model, choice: &PoseChoice, time_secs: f64) {
        match choice {
            PoseChoice::Bind | PoseChoice::Rest => self.set_rest(&model.rig),
            PoseChoice::SkinSpace(only) => {
                self.set_rest(&model.rig);
                for &joint in model.skins.iter().flat_map(|skin| &skin.joints) {
                    if let Some(world_from_joint) = self.world_from_node.get_mut(joint) {
                        *world_from_joint = DMat4::IDENTITY;
                    }
                }
                self.only_joint = only.as_ref().map(|joint| joint.node);
            }
            PoseChoice::Clips(mix) => {
                self.set_mix(model, mix, time_secs);
                self.only_joint = mix.only_joint.as_ref().map(|joint| joint.node);
            }
        }
        self.is_bind = *choice == PoseChoice::Bind;
        self.shares.note(model);
    }

    /// Sets the pose that the file stores.
    pub fn set_rest(&mut self, rig: &Rig) {
        self.reset(rig);
        self.update_world(rig);
    }

    /// Sets a clip's pose at a time. Nodes that the clip does not move stay as the file stores them; before the
    /// first and after the last key the nearest key holds.
    pub fn set_clip(&mut self, rig: &Rig, clip: &Clip, time_secs: f64) {
        self.reset(rig);
        sample::apply(clip, rig, time_secs, &mut self.locals, &mut self.weights);
        self.update_world(rig);
    }

    fn set_mix(&mut self, model: &Model, mix: &ClipMix, time_secs: f64) {
        let rig = &model.rig;
        self.reset(rig);
        for clip in mix.clips.iter().filter_map(|&clip| model.clips.get(clip)) {
            sample::apply(clip, rig, time_secs, &mut self.locals, &mut self.weights);
        }
        for blend in &mix.blends {
            let Some(clip) = model.clips.get(blend.clip) else { continue };
            let Layer { locals, weights } = &mut self.layer;
            reset(rig, locals, weights);
            sample::apply(clip, rig, time_secs, locals, weights);
            blend::over(&mut self.locals, locals, blend.weight);
            blend::weights_over(&mut self.weights, weights, blend.weight);
        }
        mix.edits.apply(rig, &mut self.locals, &mut self.weights);
        self.shares.clone_from(&mix.edits.shares);
        self.update_world(rig);
    }

    /// Resets everything to the file's values except the world transforms.
    fn reset(&mut self, rig: &Rig) {
        self.is_bind = false;
        self.only_joint = None;
        self.shares = Shares::default();
        self.spoilt = None;
        reset(rig, &mut self.locals, &mut self.weights);
    }

    /// Computes world transforms from local ones in one forward loop: parents come before their children.
    pub fn update_world(&mut self, rig: &Rig) {
        self.world_from_node.clear();
        for (local, parent) in self.locals.iter().zip(&rig.parents) {
            let parent_from_node = local.parent_from_node();
            let world_from_parent = parent.and_then(|parent| self.world_from_node.get(parent as usize));
            let world_from_node =
                world_from_parent.map_or(parent_from_node, |world| *world * parent_from_node);
            self.world_from_node.push(world_from_node);
        }
    }
}

fn reset(rig: &Rig, locals: &mut Vec<LocalTransform>, weights: &mut Vec<f64>) {
    locals.clone_from(&rig.rest);
    weights.clear();
    weights.extend(rig.rest_weights.iter().copied().map(f64::from));
}

/// Splits a matrix into the parts that clips animate. Files should not animate a node stored as a matrix; its
/// shear is lost.
pub(crate) fn split(matrix: &DAffine3) -> LocalTransform {
    let (translation, rotation, scale) = parts(&LocalTransform::Matrix(*matrix));
    LocalTransform::Trs { translation, rotation, scale }
}

/// Returns a transform's translation, rotation and scale; a matrix loses its shear.
pub fn parts(local: &LocalTransform) -> (DVec3, DQuat, DVec3) {
    match local {
        LocalTransform::Trs { translation, rotation, scale } => (*translation, *rotation, *scale),
        LocalTransform::Matrix(matrix) => {
            let (scale, rotation, translation) = matrix.to_scale_rotation_translation();
            // A matrix that scales an axis to nothing yields no rotation this way.
            let rotation = if rotation.is_finite() { rotation } else { DQuat::IDENTITY };
            (translation, rotation, scale)
        }
    }
}
