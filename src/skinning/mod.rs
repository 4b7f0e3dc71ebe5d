//! Skinning modes: what each makes of a joint's transform, how it blends joints for a vertex, and
//! the `f64` reference that both are held to. It must not know Vulkan, files or time.
//!
//! A mode is one file here and its twin of the same stem in `shaders/skinning`, each with a
//! function `blend` that ends in an [`Affine`]; from there on all modes share [`affine`].
//!
//! Nothing here needs Vulkan. A model, a pose and a mode give skinned vertices, in the file's order:
//!
//! ```
//! use sinew::model::{builtin, gltf};
//! use sinew::pose::{Pose, PoseChoice};
//! use sinew::skinning::{SkinningMode, posed};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let model = gltf::load_bytes(&builtin::glb("twist")?, None)?;
//! let mut pose = Pose::default();
//! pose.set(&model, &PoseChoice::clip(0, 2.0));
//!
//! // Half a turn: where both joints pull alike, linear blending has no radius left, dual quaternions all.
//! let thinnest = |mode| {
//!     let skinned = posed::skin_model(&model, mode, &pose).remove(0);
//!     let middle = skinned.positions.into_iter().filter(|p| (0.9..1.1).contains(&p[1]));
//!     middle.map(|[x, _, z]| x.hypot(z)).fold(f32::INFINITY, f32::min)
//! };
//! assert!(thinnest(SkinningMode::Linear) < 0.02);
//! assert!(thinnest(SkinningMode::DualQuat) > 0.19);
//! # Ok(())
//! # }
//! ```

pub mod affine;
pub mod cpu;
pub mod dual_quat;
pub mod linear;
pub mod morph;
mod palette;
pub mod partition;
pub mod polar;
pub mod posed;
pub mod probe;
pub mod reference;
pub mod rigid;
#[cfg(test)]
mod tests;
pub mod twin;

pub use affine::Affine;
pub use palette::{SLOTS, Slot, matrices_into, skin_of, world_from_bind, world_from_bind_into};

use glam::DMat4;
use std::fmt;
use std::str::FromStr;

/// How joints move vertices.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum SkinningMode {
    /// Each vertex follows one joint.
    Rigid,
    /// Matrices are averaged.
    #[default]
    Linear,
    /// Rigid motions are averaged as dual quaternions, stretches linearly.
    DualQuat,
}

impl SkinningMode {
    /// Every mode, simplest first.
    pub const ALL: [Self; 3] = [Self::Rigid, Self::Linear, Self::DualQuat];

    /// What users call it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Rigid => "rigid",
            Self::Linear => "lbs",
            Self::DualQuat => "dqs",
        }
    }

    /// The name, without extension, of its file in `shaders/skinning` and in this module.
    pub const fn stem(self) -> &'static str {
        match self {
            Self::Rigid => "rigid",
            Self::Linear => "linear",
            Self::DualQuat => "dual_quat",
        }
    }

    /// What shaders read for a joint with this transform.
    pub fn slot(self, world_from_bind: &DMat4) -> Slot {
        match self {
            Self::Rigid => rigid::slot(world_from_bind),
            Self::Linear => linear::slot(world_from_bind),
            Self::DualQuat => dual_quat::slot(world_from_bind),
        }
    }

    /// What shaders read for "no joint": the slot of the identity.
    pub const fn no_joint(self) -> &'static Slot {
        match self {
            Self::Rigid => &rigid::NO_JOINT,
            Self::Linear => &linear::NO_JOINT,
            Self::DualQuat => &dual_quat::NO_JOINT,
        }
    }

    /// The slots of a whole palette, into a buffer whose room is used again.
    pub fn slots_into(self, world_from_bind: &[DMat4], out: &mut Vec<Slot>) {
        out.clear();
        out.extend(world_from_bind.iter().map(|matrix| self.slot(matrix)));
    }

    /// The transform of one vertex: four joints and weights a span, as in the shader.
    pub fn blend(self, slots: &[Slot], joints: &[[i32; 4]], weights: &[[f32; 4]]) -> Affine {
        match self {
            Self::Rigid => rigid::blend(slots, joints, weights),
            Self::Linear => linear::blend(slots, joints, weights),
            Self::DualQuat => dual_quat::blend(slots, joints, weights),
        }
    }
}

impl fmt::Display for SkinningMode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A word that names no mode.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no skinning mode '{given}'; the modes are {}", SkinningMode::ALL.map(SkinningMode::name).join(", "))]
pub struct UnknownMode {
    /// The word.
    pub given: String,
}

impl FromStr for SkinningMode {
    type Err = UnknownMode;

    fn from_str(given: &str) -> Result<Self, UnknownMode> {
        Self::ALL
            .into_iter()
            .find(|mode| mode.name() == given)
            .ok_or_else(|| UnknownMode { given: given.to_owned() })
    }
}
