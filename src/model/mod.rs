//! A model as plain data: what any file becomes once it is read, and all that the rest of sinew
//! sees of it. It must not know file formats (only [`gltf`] below does), Vulkan or skinning modes.

pub mod builtin;
pub mod gltf;

mod clip;
mod influences;
mod material;
mod mesh;
mod rig;
pub mod statistics;

pub use clip::{Channel, Clip, Interpolation, Property};
pub use material::{AlphaMode, Material, Picture, TextureRef};
pub use mesh::{Influences, Mesh, Primitive, Span, Topology};
pub use rig::{LocalTransform, Rig, Skin};

/// Everything read from one file.
#[derive(Clone, Debug, Default)]
pub struct Model {
    /// All nodes of the file, parents before children.
    pub rig: Rig,
    /// Meshes in the file's order.
    pub meshes: Vec<Mesh>,
    /// Skins in the file's order.
    pub skins: Vec<Skin>,
    /// What is drawn: mesh nodes of the chosen scene, in depth-first scene order.
    pub instances: Vec<Instance>,
    /// Animation clips in the file's order.
    pub clips: Vec<Clip>,
    /// Materials in the file's order.
    pub materials: Vec<Material>,
    /// Pictures in the file's order; `None` for one that no material uses or that could not be
    /// decoded. What a material refers to is always there.
    pub pictures: Vec<Option<Picture>>,
    /// What was wrong with the file and repaired, one entry per kind and place.
    pub warnings: Vec<Warning>,
    /// Rules that the file breaks and that change nothing: what they are about is shown as it is.
    pub faults: Vec<Warning>,
}

/// One mesh drawn at one node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Instance {
    /// Index into [`Rig`] of the node that holds the mesh.
    pub node: usize,
    /// Index into [`Model::meshes`].
    pub mesh: usize,
    /// Index into [`Model::skins`]; `None` draws the mesh at its node.
    pub skin: Option<usize>,
}

/// Something in the file that breaks a rule, said once per kind and place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// The rule that is broken, by the name the Khronos glTF validator gives it where it has one.
    pub code: &'static str,
    /// Where in the file, as a JSON path such as `meshes[0].primitives[1]`.
    pub path: String,
    /// What was wrong and what was done, in one sentence with counts.
    pub message: String,
}
