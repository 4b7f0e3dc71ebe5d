//! Reads a parsed file into a [`Model`](crate::Model): what cannot be used is an error, what can be repaired a
//! warning. It must not know what the rules say of a file that is usable, or how files are written.

mod accessor;
mod animation;
mod approximation;
mod attribute;
mod camera;
mod draco;
mod instancing;
mod joints;
mod light;
mod material;
mod material_extensions;
mod mesh;
mod meshopt;
mod morph;
mod node;
pub(super) mod picture;
mod pointer;
mod range;
mod read;
mod sampler;
mod scene;
mod skin;
mod specular_glossiness;
mod texture;
mod topology;
mod transform;

pub use read::read;
