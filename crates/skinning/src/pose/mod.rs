//! Poses: the node transforms, local and world, that clips give a rig at a time. This module must not depend on meshes or
//! skinning modes; of skins it uses only the nodes of their joints.

mod blend;
mod choice;
mod constraints;
mod drivers;
mod edits;
mod local;
mod names;
mod sample;
mod shares;
mod skins;
mod turns;

#[cfg(test)]
mod tests;

pub use choice::{Blend, ClipMix, OnlyJoint, PoseChoice};
pub use edits::{Edits, JointEdit, MorphEdit, is_vector, is_weight, unit_rotation};
pub use local::parts;
pub(crate) use local::split;
pub use names::{NameError, Names, Targets, is_called};
pub use shares::{JointShare, Shares, is_share};
pub use skins::{Joints, Skins};
pub use turns::{degrees_from_rotation, rotation_from_degrees};

use glam::DMat4;
use sinew_model::{Clip, Driver, LocalTransform, Model, Rig};

/// The transforms of every node of a rig. Setting a pose again allocates nothing.
#[derive(Clone, Debug, Default)]
pub struct Pose {
    /// Each node's transform in its parent.
    pub locals: Vec<LocalTransform>,
    /// Each node's transform in the world.
    pub world_from_node: Vec<DMat4>,
    /// Morph weights, in the order of [`Rig::weights_of`].
    pub weights: Vec<f64>,
    /// The rule by which skins follow the nodes.
    pub skins: Skins,
    layer: blend::Layer,
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
            PoseChoice::Bind => self.set_bind(&model.rig),
            PoseChoice::Rest => self.set_rest(&model.rig),
            PoseChoice::SkinSpace(only) => {
                self.set_rest(&model.rig);
                for &joint in model.skins.iter().flat_map(|skin| &skin.joints) {
                    if let Some(world_from_joint) = self.world_from_node.get_mut(joint) {
                        *world_from_joint = DMat4::IDENTITY;
                    }
                }
                self.skins.joints = Joints::of(only.as_ref(), &model.rig, &self.locals);
            }
            PoseChoice::Clips(mix) => {
                self.set_mix(model, mix, time_secs);
                self.skins.joints = Joints::of(mix.only_joint.as_ref(), &model.rig, &self.locals);
            }
        }
        self.skins.shares.note(model);
    }

    /// Sets the pose that the file stores.
    pub fn set_rest(&mut self, rig: &Rig) {
        self.reset(rig);
        drivers::apply(rig, &self.locals, &mut self.weights, |_| true);
        self.update_world(rig);
    }

    /// Sets the bind pose: nodes as the file stores them, but skins and morph targets move nothing.
    pub fn set_bind(&mut self, rig: &Rig) {
        self.set_rest(rig);
        self.weights.fill(0.0);
        self.skins.joints = Joints::Bind;
    }

    /// Returns true if skins and morph targets move nothing, whatever the nodes' transforms.
    pub fn is_bind(&self) -> bool {
        self.skins.joints == Joints::Bind
    }

    /// Sets a clip's pose at a time. Nodes that neither the clip nor a constraint moves stay as the file stores them;
    /// before the first and after the last key the nearest key holds.
    pub fn set_clip(&mut self, rig: &Rig, clip: &Clip, time_secs: f64) {
        self.reset(rig);
        sample::apply(clip, rig, time_secs, &mut self.locals, &mut self.weights);
        constraints::apply(rig, &mut self.locals);
        let counts = |driver: &Driver| !drivers::is_keyed(driver, clip);
        drivers::apply(rig, &self.locals, &mut self.weights, counts);
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
            self.layer.set(rig, clip, time_secs);
            self.layer.blend_over(&mut self.locals, &mut self.weights, blend.weight);
        }
        mix.edits.apply(rig, &mut self.locals, &mut self.weights);
        constraints::apply(rig, &mut self.locals);
        drivers::apply(rig, &self.locals, &mut self.weights, |driver| is_driven(model, mix, driver));
        self.skins.shares.clone_from(&mix.edits.shares);
        self.update_world(rig);
    }

    /// Resets everything to the file's values except the world transforms.
    fn reset(&mut self, rig: &Rig) {
        self.skins = Skins::default();
        local::reset(rig, &mut self.locals, &mut self.weights);
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

/// Returns true if a driver sets its weight in a mix: no edit sets it, and the clips have no keys for it or an edit turns the joint.
fn is_driven(model: &Model, mix: &ClipMix, driver: &Driver) -> bool {
    if mix.edits.weight(&model.rig, driver.node, driver.target).is_some() {
        return false;
    }
    let is_turned = mix.edits.joint(driver.joint).is_some_and(|edit| edit.rotation.is_some());
    let mut clips = mix.all().filter_map(|clip| model.clips.get(clip));
    is_turned || !clips.any(|clip| drivers::is_keyed(driver, clip))
}
