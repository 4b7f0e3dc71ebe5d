//! Reports on a model for technical artists, as one plain struct: JSON for scripts and, in [`text`], lines for reading. This
//! module must not depend on command lines or Vulkan: the caller passes the GPU sizes.

mod avatar;
mod joints;
mod parts;
mod skins;
pub mod text;

use serde::Serialize;

pub use avatar::{Avatar, Bone, Expression, Face};
pub use joints::Stretched;
pub use parts::frame_at;
pub use parts::{Clip, Material, Mesh, Morphs, OnNode, Picture, Primitive};
pub use skins::{Limit, Skin, SumError};

use sinew_model::gltf::{self, ExtensionUse, Inspection, Support};
use sinew_model::{Model, Warning};

/// A report on one model. Indices are the file's own: a joint's `node` is its index in `nodes`.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// The format: `glTF`, `FBX` or `OBJ`.
    pub format: &'static str,
    /// The version of the format.
    pub version: String,
    /// The program that wrote the file.
    pub generator: Option<String>,
    /// The file's axes and units, which the model's root node turns to y up and metres; omitted for glTF, which already uses
    /// them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub conversion: Option<Conversion>,
    /// The variant sets of a USD file, or that of a glTF file's materials.
    pub variants: Vec<Variants>,
    /// The avatar that the file holds.
    pub avatar: Option<Avatar>,
    /// The morph targets that ARKit names, if the file has some.
    pub face: Option<Face>,
    /// The number of nodes that follow others by constraints.
    pub constraints: usize,
    /// All scenes.
    pub scenes: Vec<Scene>,
    /// The scene shown; null if the file has none.
    pub scene: Option<usize>,
    /// The number of nodes.
    pub nodes: usize,
    /// The number of drawn meshes, counted per instance.
    pub instances: usize,
    /// All meshes.
    pub meshes: Vec<Mesh>,
    /// All skins.
    pub skins: Vec<Skin>,
    /// All clips.
    pub clips: Vec<Clip>,
    /// Nodes with morph weights.
    pub morphs: Vec<Morphs>,
    /// The cameras of the shown scene.
    pub cameras: Vec<OnNode>,
    /// The lights of the shown scene.
    pub lights: Vec<OnNode>,
    /// All materials.
    pub materials: Vec<Material>,
    /// All texture images.
    pub pictures: Vec<Picture>,
    /// The extensions the file uses.
    pub extensions: Vec<Extension>,
    /// The model's memory on the GPU.
    pub gpu_bytes: GpuBytes,
    /// Faults that were repaired, left out or drawn unchanged.
    pub warnings: Vec<Finding>,
    /// Content that is allowed, but odd or wasteful.
    pub notes: Vec<Finding>,
}

/// A set of variants of a part of the file.
#[derive(Clone, Debug, Serialize)]
pub struct Variants {
    /// The path of the part.
    pub prim: String,
    /// The name of the set.
    pub set: String,
    /// Names of its variants.
    pub choices: Vec<String>,
    /// The variant that is shown; null for none of them.
    pub selected: Option<String>,
}

impl From<&gltf::VariantSet> for Variants {
    fn from(of: &gltf::VariantSet) -> Self {
        let gltf::VariantSet { prim, name, variants, selected } = of.clone();
        Self { prim, set: name, choices: variants, selected }
    }
}

/// A file's own axes and units.
#[derive(Clone, Debug, Serialize)]
pub struct Conversion {
    /// The unit in metres.
    pub metres_per_unit: f64,
    /// The axis that points up, such as `+z`.
    pub up: &'static str,
    /// The axis that points to the viewer.
    pub front: &'static str,
    /// The frame rate.
    pub frames_per_second: f64,
}

impl From<&gltf::Conversion> for Conversion {
    fn from(of: &gltf::Conversion) -> Self {
        let gltf::Conversion { metres_per_unit, up, front, frames_per_second } = *of;
        Self { metres_per_unit, up, front, frames_per_second }
    }
}

/// A scene.
#[derive(Clone, Debug, Serialize)]
pub struct Scene {
    /// The name; empty if it has none.
    pub name: String,
    /// The number of root nodes in the scene.
    pub roots: usize,
}

/// An extension the file uses.
#[derive(Clone, Debug, Serialize)]
pub struct Extension {
    /// The name.
    pub name: String,
    /// True if the file requires it.
    pub required: bool,
    /// `supported`, `approximate` or `unsupported`.
    pub support: &'static str,
    /// The difference or loss; empty if there is none.
    pub lost: &'static str,
}

impl From<&ExtensionUse> for Extension {
    fn from(used: &ExtensionUse) -> Self {
        let support = match used.support {
            Support::Full => "supported",
            Support::Approximate => "approximate",
            Support::None => "unsupported",
        };
        Self { name: used.name.clone(), required: used.required, support, lost: used.lost }
    }
}

/// Bytes on the GPU, without the driver's overhead.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct GpuBytes {
    /// Vertices and indices.
    pub meshes: u64,
    /// Morph targets and morphed vertices.
    pub morphs: u64,
    /// Texture images with their mip levels.
    pub pictures: u64,
    /// Palettes of all frames in flight.
    pub palettes: u64,
}

impl GpuBytes {
    /// Returns the sum.
    pub fn total(&self) -> u64 {
        self.meshes + self.morphs + self.pictures + self.palettes
    }
}

/// A rule that the file breaks.
#[derive(Clone, Debug, Serialize)]
pub struct Finding {
    /// The rule, by the Khronos validator's name if it has one.
    pub code: &'static str,
    /// The place, as a JSON path.
    pub path: String,
    /// The finding and the remedy.
    pub message: String,
}

impl From<&Warning> for Finding {
    fn from(warning: &Warning) -> Self {
        Self { code: warning.code, path: warning.path.clone(), message: warning.message.clone() }
    }
}

/// Makes the report on a model.
pub fn report(inspection: &Inspection, gpu_bytes: GpuBytes) -> Report {
    let Inspection { model, notes, influences, facts, files: _ } = inspection;
    let scene = |(name, roots): &(String, usize)| Scene { name: name.clone(), roots: *roots };
    let meshes = parts::meshes(model, influences);
    let unit = facts.conversion.as_ref().map(|conversion| conversion.metres_per_unit);
    let unit = unit.filter(|unit| unit.is_finite() && *unit > 0.0).unwrap_or(1.0);
    Report {
        format: facts.format,
        version: facts.version.clone(),
        conversion: facts.conversion.as_ref().map(Conversion::from),
        generator: facts.generator.clone(),
        variants: facts.variants.iter().map(Variants::from).collect(),
        avatar: avatar::avatar(model),
        face: avatar::face(model),
        constraints: model.rig.constraints.len(),
        scenes: facts.scenes.iter().map(scene).collect(),
        scene: model.scene,
        nodes: model.rig.len(),
        instances: model.instances.len(),
        skins: skins::skins(model, influences, &meshes, unit),
        meshes,
        clips: model.clips.iter().map(|clip| parts::clip(clip, model.frame_rate())).collect(),
        morphs: parts::morphs(model),
        cameras: parts::cameras(model),
        lights: parts::lights(model),
        materials: model.materials.iter().map(parts::material).collect(),
        pictures: model.pictures.iter().map(parts::picture).collect(),
        extensions: facts.extensions.iter().map(Extension::from).collect(),
        gpu_bytes,
        warnings: model.warnings.iter().chain(&model.faults).map(Finding::from).collect(),
        notes: notes.iter().map(Finding::from).collect(),
    }
}

/// Returns the JSON path that the loader gives a primitive.
fn path_of(mesh: usize, primitive: usize) -> String {
    format!("meshes[{mesh}].primitives[{primitive}]")
}

/// Returns a node's index in the file.
fn file_node(model: &Model, node: usize) -> u32 {
    model.rig.file_index.get(node).copied().unwrap_or(0)
}
