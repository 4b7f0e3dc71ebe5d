//! The skinning modes. To add one, write a file with the four items that [`modes`] reads, and add a line to its list.

use crate::{
    Affine, Facts, Slot, VertexSkin, blended, center_of_rotation, direct_delta_mush, dual_quat,
    dual_quat_blender, dual_quat_rigid, linear, polar, rigid, turn,
};
use glam::DMat4;
use sinew_model::{Model, SkinningMethod};
use std::fmt;
use std::str::FromStr;

/// Makes [`SkinningMode`] from one line per mode: variant and file. The file has `FACTS`, `NO_JOINT`, `slot` and `blend`,
/// and the same stem as its GLSL twin.
macro_rules! modes {
    ($($(#[$meta:meta])* $variant:ident in $file:ident,)+) => {
        /// A method by which joints move vertices.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
        pub enum SkinningMode {
            $($(#[$meta])* $variant,)+
        }

        impl SkinningMode {
            /// Every mode, simplest first.
            pub const ALL: [Self; [$(stringify!($file)),+].len()] = [$(Self::$variant),+];

            /// Returns the facts of the mode.
            pub const fn facts(self) -> &'static Facts {
                match self {
                    $(Self::$variant => &$file::FACTS,)+
                }
            }

            /// Returns the name, without extension, of its file in `shaders/skinning` and in this crate.
            pub const fn stem(self) -> &'static str {
                match self {
                    $(Self::$variant => stringify!($file),)+
                }
            }

            /// Returns the slot that shaders read for a joint with this transform.
            pub fn slot(self, world_from_bind: &DMat4) -> Slot {
                match self {
                    $(Self::$variant => $file::slot(world_from_bind),)+
                }
            }

            /// Returns the slot that shaders read for "no joint": that of the identity.
            pub const fn no_joint(self) -> &'static Slot {
                match self {
                    $(Self::$variant => &$file::NO_JOINT,)+
                }
            }

            /// Returns the transform of one vertex, as in the shader.
            pub fn blend(self, slots: &[Slot], vertex: &VertexSkin) -> Affine {
                match self {
                    $(Self::$variant => $file::blend(slots, vertex),)+
                }
            }
        }
    };
}

modes! {
    /// Each vertex follows one joint.
    Rigid in rigid,
    /// Matrices are averaged.
    #[default]
    Linear in linear,
    /// Rigid motions are averaged as dual quaternions, stretches linearly.
    DualQuat in dual_quat,
    /// Each vertex takes a share of either of the previous two.
    Blended in blended,
    /// Vertices turn about centres that averaged matrices move.
    CenterOfRotation in center_of_rotation,
    /// Blender's dual quaternions: rigid motions that take the vertex where each joint alone would are averaged.
    DualQuatBlender in dual_quat_blender,
    /// Dual quaternions without scale.
    DualQuatRigid in dual_quat_rigid,
    /// Vertices turn with their smoothed surroundings.
    DirectDeltaMush in direct_delta_mush,
}

impl SkinningMode {
    /// Returns the mode that the model's file says its author intended; `None` if it says nothing. Skins that differ need
    /// *blend*, for which loading has given each vertex its share.
    pub fn authored(model: &Model) -> Option<Self> {
        let mut methods = model.skins.iter().map(|skin| skin.method);
        let first = methods.next()?;
        if methods.any(|method| method != first) {
            return model.has_shares().then_some(Self::Blended);
        }
        Some(match first? {
            SkinningMethod::Rigid => Self::Rigid,
            SkinningMethod::Linear => Self::Linear,
            SkinningMethod::DualQuaternion => Self::DualQuat,
            SkinningMethod::Blended => Self::Blended,
        })
    }

    /// Returns the name that users type.
    pub const fn name(self) -> &'static str {
        self.facts().name
    }

    /// Returns a line about each mode: `rigid: rigid skinning; each vertex follows its heaviest joint.`
    pub fn help() -> String {
        Self::ALL.map(|mode| format!("{mode}: {}; {}.", mode.facts().title, mode.facts().help)).join("\n")
    }

    /// Returns all names, for a sentence or a list: `rigid, lbs, dqs`.
    pub fn names(separator: &str) -> String {
        Self::ALL.map(Self::name).join(separator)
    }

    /// Writes the slots of a whole palette into a reused buffer.
    pub fn slots_into(self, world_from_bind: &[DMat4], out: &mut Vec<Slot>) {
        out.clear();
        out.reserve(world_from_bind.len());
        match self {
            Self::Rigid | Self::Linear => out.extend(world_from_bind.iter().map(|matrix| self.slot(matrix))),
            Self::DualQuat => polar::decompose_each(world_from_bind, |matrix, polar| {
                out.push(dual_quat::slot_of_polar(matrix, polar));
            }),
            Self::DualQuatRigid => polar::decompose_each(world_from_bind, |matrix, polar| {
                out.push(dual_quat_rigid::slot_of_polar(matrix, polar));
            }),
            Self::Blended | Self::CenterOfRotation | Self::DualQuatBlender | Self::DirectDeltaMush => {
                polar::decompose_each(world_from_bind, |matrix, polar| {
                    out.push(turn::slot_of_polar(matrix, polar));
                })
            }
        }
    }
}

impl fmt::Display for SkinningMode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The name of delta mush, which is no mode because no shader has it.
pub(crate) const MUSH: &str = "mush";

/// A word that is not the name of a mode.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no skinning mode '{given}'; the modes are {}{}", SkinningMode::names(", "), self.advice())]
pub struct UnknownMode {
    /// The word.
    pub given: String,
}

impl UnknownMode {
    /// Returns the place of delta mush, which is no mode.
    fn advice(&self) -> &'static str {
        match self.given == MUSH {
            true => ", and mush is computed on the CPU alone, for pictures and as a yardstick",
            false => "",
        }
    }
}

impl FromStr for SkinningMode {
    type Err = UnknownMode;

    fn from_str(given: &str) -> Result<Self, UnknownMode> {
        let found = Self::ALL.into_iter().find(|mode| mode.name() == given);
        found.ok_or_else(|| UnknownMode { given: given.to_owned() })
    }
}
