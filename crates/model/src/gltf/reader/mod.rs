//! Reads a parsed file into a [`Model`](crate::Model). Unusable data is an error, and repairable data a warning. The
//! module must not depend on the rules for usable files, or on writing.

mod accessor;
mod animation;
mod approximation;
pub(super) mod attribute;
mod avatar;
pub(super) mod camera;
mod constraint;
mod draco;
mod driver;
mod instancing;
pub(super) mod joints;
pub(super) mod light;
pub(super) mod material;
pub(super) mod material_extensions;
pub(super) mod mesh;
mod meshopt;
pub(super) mod morph;
pub(super) mod node;
mod normal_map;
pub(super) mod picture;
mod pointer;
pub(super) mod range;
mod read;
pub(super) mod sampler;
pub(super) mod scene;
pub(super) mod skin;
pub(super) mod specular_glossiness;
mod step;
mod stored;
pub(super) mod texture;
pub(super) mod topology;
mod transform;

pub use read::{Given, read};
pub use stored::{StoredSet, StoredVertex, StoredWeights, stored_influences, stored_weights};
