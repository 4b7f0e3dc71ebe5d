//! From a pose to the palette: `world_from_bind` per joint in `f64`, and the 64-byte slots that shaders read.

use crate::fault;
use crate::pose::Pose;
use bytemuck::{Pod, Zeroable};
use glam::DMat4;
use sinew_model::{Instance, Model, Skin};

/// One joint as the GPU reads it; `SkinningBuffer` lays it out as `mat4 bones[512]`. Rigid and linear store a
/// matrix here, dual quaternions the columns listed in [`super::dual_quat`].
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
pub struct Slot {
    /// Four columns of four.
    pub columns: [[f32; 4]; 4],
}

const _: () = assert!(size_of::<Slot>() == 64);

impl Slot {
    /// All zeros: the start of a sum, and the filler that nothing reads.
    pub const ZERO: Self = Self { columns: [[0.0; 4]; 4] };

    /// The first three numbers of a column.
    pub(super) fn xyz(&self, column: usize) -> [f32; 3] {
        let [x, y, z, _] = self.columns[column];
        [x, y, z]
    }
}

/// A joint's slot; the mode's slot of the identity for −1, "no joint", and for a joint beyond the palette.
pub(super) fn slot_of<'a>(slots: &'a [Slot], joint: i32, no_joint: &'a Slot) -> &'a Slot {
    usize::try_from(joint).ok().and_then(|joint| slots.get(joint)).unwrap_or(no_joint)
}

/// One matrix per joint of the skin, from bind space to the world: the joint's pose times the inverse of its
/// bind pose. In the bind pose itself they are identities.
pub fn world_from_bind(skin: &Skin, pose: &Pose) -> Vec<DMat4> {
    let mut out = Vec::with_capacity(skin.joints.len());
    world_from_bind_into(skin, pose, &mut out);
    out
}

/// [`world_from_bind`] into a reused buffer.
pub fn world_from_bind_into(skin: &Skin, pose: &Pose, out: &mut Vec<DMat4>) {
    out.clear();
    if pose.is_bind {
        out.resize(skin.joints.len(), DMat4::IDENTITY);
        return;
    }
    let matrix = |(joint, &node): (usize, &usize)| {
        let world_from_joint = pose.world_from_node.get(node).copied().unwrap_or(DMat4::IDENTITY);
        let joint_from_bind = skin.joint_from_bind.get(joint).copied().unwrap_or(DMat4::IDENTITY);
        world_from_joint * joint_from_bind
    };
    let joints = || skin.joints.iter().enumerate();
    match joints().find(|(_, node)| pose.only_joint == Some(**node)) {
        Some(only) => out.resize(skin.joints.len(), matrix(only)),
        None => out.extend(joints().map(matrix)),
    }
}

/// The skin that moves a primitive of an instance; `None` for a primitive that moves with its node because it
/// has no joints or the instance has no skin.
pub fn skin_of<'a>(model: &'a Model, instance: &Instance, has_influences: bool) -> Option<&'a Skin> {
    instance.skin.filter(|_| has_influences).and_then(|skin| model.skins.get(skin))
}

/// Whose matrices move a primitive: those that come next for the same need not be made again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Whose {
    /// A skin's, which all its instances share.
    Skin(usize),
    /// An instance's: its node's, or its skin's with a fault that is about the instance.
    Instance(usize, bool),
}

impl Whose {
    /// Whose they are in a pose; `is_skinned`: its skin moves the primitive.
    pub fn of(number: usize, instance: &Instance, is_skinned: bool, pose: &Pose) -> Self {
        match instance.skin.filter(|_| is_skinned && pose.spoilt.is_none()) {
            Some(skin) => Self::Skin(skin),
            None => Self::Instance(number, is_skinned),
        }
    }
}

/// Writes the matrices that move a primitive of an instance: its skin's palette, or its node as the only joint.
pub fn matrices_into(
    model: &Model,
    instance: &Instance,
    has_influences: bool,
    pose: &Pose,
    out: &mut Vec<DMat4>,
) {
    match skin_of(model, instance, has_influences) {
        Some(skin) => {
            world_from_bind_into(skin, pose, out);
            fault::spoil(model, instance, skin, pose, out);
        }
        None => {
            out.clear();
            out.push(pose.world_from_node.get(instance.node).copied().unwrap_or(DMat4::IDENTITY));
        }
    }
}
