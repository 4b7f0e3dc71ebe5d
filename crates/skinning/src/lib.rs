//! Skinning modes: the slot that each makes of a joint's transform, how each blends joints for a vertex, and the
//! `f64` reference for both. It must not depend on Vulkan or files.
//!
//! A mode is one file here and its twin of the same stem in `shaders/skinning`, each with a
//! function `blend` that ends in an [`Affine`]; from there on all modes share [`affine`].
//!
//! Nothing here needs Vulkan. A model, a pose and a mode give skinned vertices, in the file's order:
//!
//! ```
//! use sinew_model::{builtin, gltf};
//! use sinew_skinning::pose::{Pose, PoseChoice};
//! use sinew_skinning::{SkinningMode, posed};
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
#![cfg_attr(not(test), warn(clippy::print_stderr, clippy::print_stdout))]

pub mod affine;
pub mod arrays;
pub mod blended;
mod bound;
pub mod boxes;
pub mod center_of_rotation;
pub mod centers;
pub mod cpu;
pub mod ddm_terms;
pub mod delta_mush;
pub mod direct_delta_mush;
mod directions;
pub mod distinct;
mod drawn;
pub mod dual_quat;
pub mod dual_quat_blender;
pub mod dual_quat_rigid;
mod facts;
mod fault;
pub mod generator;
pub mod ik;
mod lanes;
pub mod linear;
pub mod mesh_normals;
pub mod mirror;
mod mode;
pub mod morph;
pub mod nearest_turn;
mod needs;
pub mod pairing;
mod palette;
pub mod partition;
pub mod placed;
pub mod polar;
pub mod pose;
pub mod posed;
pub mod probe;
pub mod reference;
pub mod retarget;
pub mod reweight;
pub mod rigid;
mod shared;
mod slot;
pub mod surfaces;
#[cfg(test)]
mod tests;
pub mod turn;
pub mod twin;
mod vectors;
mod vertex;
pub mod wide;
mod yardstick;

pub use affine::Affine;
pub use bound::world_from_bound;
pub use drawn::{Drawn, diagonal};
pub use facts::Facts;
pub use fault::{Fault, STALE_SECS, Symptom, UnknownFault};
pub use mesh_normals::{MeshNormals, Normals};
pub use mode::{SkinningMode, UnknownMode};
pub use needs::Needs;
pub use palette::{Palette, matrices_into, skin_of, world_from_bind, world_from_bind_into};
pub use shared::SLOTS;
pub use slot::Slot;
pub use vertex::VertexSkin;
pub use yardstick::{Measure, Yardstick, distances_between};

/// The README is tested with the documentation.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;
