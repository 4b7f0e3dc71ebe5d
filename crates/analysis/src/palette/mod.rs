//! The palettes of a pose: every joint's transforms in `f64`, and the slot that shaders read in a mode. This module must not
//! depend on Vulkan, command lines or files.

mod numbers;
pub mod text;

#[cfg(test)]
mod tests;

use glam::DMat4;
use serde::{Serialize, Serializer};

use sinew_model::{Model, Skin};
use sinew_skinning::pose::Pose;
use sinew_skinning::{SkinningMode, Slot, world_from_bind};

pub use numbers::{Columns, SlotColumns, columns, finite};

/// The palettes of all skins in one mode.
#[derive(Clone, Debug, Serialize)]
pub struct Palettes<'a> {
    /// The mode.
    #[serde(serialize_with = "by_name")]
    pub mode: SkinningMode,
    /// The contents of a slot's columns.
    pub slot_layout: &'static str,
    /// True if the pose is the bind pose, which ignores all joints: every `world_from_bind` is the identity.
    pub is_bind_pose: bool,
    /// The slot of joint −1, "no joint".
    pub no_joint: SlotColumns,
    /// The skins, in the file's order.
    pub skins: Vec<SkinPalette<'a>>,
}

/// The palette of a skin.
#[derive(Clone, Debug, Serialize)]
pub struct SkinPalette<'a> {
    /// Index of the skin in the file.
    pub skin: usize,
    /// The name; empty if it has none.
    pub name: &'a str,
    /// The joints, in the skin's order.
    pub joints: Vec<JointSlot<'a>>,
}

/// A joint of a skin.
#[derive(Clone, Debug, Serialize)]
pub struct JointSlot<'a> {
    /// The index in the skin.
    pub joint: usize,
    /// The node's index in the file; `None` if the rig lacks the node.
    pub node: Option<u32>,
    /// The name; empty if it has none.
    pub name: &'a str,
    /// The matrices.
    #[serde(flatten)]
    pub transforms: Transforms,
    /// The four columns that shaders read; `None` if a number is not finite.
    pub slot: Option<SlotColumns>,
}

/// The matrices of a joint, as four columns each, as glTF stores them. `None` replaces a matrix with a number that is not
/// finite.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Transforms {
    /// The node's transform in its parent.
    pub parent_from_joint: Option<Columns>,
    /// The node's transform in the world.
    pub world_from_joint: Option<Columns>,
    /// The inverse bind matrix.
    pub joint_from_bind: Option<Columns>,
    /// The entry of the palette; in poses other than the bind pose the product of the two above.
    pub world_from_bind: Option<Columns>,
}

impl Transforms {
    /// Returns the matrices of a node; `joint_from_bind` is the identity without a skin.
    pub fn of(pose: &Pose, node: Option<usize>, joint_from_bind: &DMat4, world_from_bind: &DMat4) -> Self {
        let local = node.and_then(|node| pose.locals.get(node));
        let world = node.and_then(|node| pose.world_from_node.get(node));
        Self {
            parent_from_joint: columns(&local.map_or(DMat4::IDENTITY, |local| local.parent_from_node())),
            world_from_joint: columns(world.unwrap_or(&DMat4::IDENTITY)),
            joint_from_bind: columns(joint_from_bind),
            world_from_bind: columns(world_from_bind),
        }
    }
}

/// Returns the palettes of all skins.
pub fn palette<'a>(model: &'a Model, pose: &Pose, mode: SkinningMode) -> Palettes<'a> {
    let skin = |(number, skin): (usize, &'a Skin)| SkinPalette {
        skin: number,
        name: &skin.name,
        joints: joints(model, pose, mode, skin).collect(),
    };
    Palettes {
        mode,
        slot_layout: mode.facts().slot,
        is_bind_pose: pose.is_bind(),
        no_joint: mode.no_joint().columns,
        skins: model.skins.iter().enumerate().map(skin).collect(),
    }
}

/// Returns the joints of one skin, made on demand.
pub fn joints<'a>(
    model: &'a Model,
    pose: &Pose,
    mode: SkinningMode,
    skin: &'a Skin,
) -> impl Iterator<Item = JointSlot<'a>> {
    let matrices = world_from_bind(skin, pose);
    let joint = move |((joint, &node), matrix): ((usize, &usize), DMat4)| {
        let joint_from_bind = skin.joint_from_bind.get(joint).copied().unwrap_or(DMat4::IDENTITY);
        let Slot { columns } = mode.slot(&matrix);
        JointSlot {
            joint,
            node: model.rig.file_index.get(node).copied(),
            name: model.rig.names.get(node).map_or("", String::as_str),
            transforms: Transforms::of(pose, Some(node), &joint_from_bind, &matrix),
            slot: columns.as_flattened().iter().all(|number| number.is_finite()).then_some(columns),
        }
    };
    skin.joints.iter().enumerate().zip(matrices).map(joint)
}

/// Writes a mode by the name that users type.
pub fn by_name<S: Serializer>(mode: &SkinningMode, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(mode.name())
}
