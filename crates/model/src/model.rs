//! The model: everything read from one file.

use crate::avatar::Avatar;
use crate::camera::Camera;
use crate::centers::Centers;
use crate::clip::{Clip, Period};
use crate::ddm::Ddm;
use crate::light::Light;
use crate::material::{Material, TextureUse};
use crate::mesh::{Mesh, Primitive};
use crate::rig::{Rig, Skin};
use crate::scene::SceneRoots;
use crate::texture::Picture;

/// Everything read from one file.
#[derive(Clone, Debug, Default)]
pub struct Model {
    /// All nodes of the file, parents before children.
    pub rig: Rig,
    /// Meshes in the file's order.
    pub meshes: Vec<Mesh>,
    /// Skins in the file's order.
    pub skins: Vec<Skin>,
    /// Scenes in the file's order.
    pub scenes: Vec<SceneRoots>,
    /// The scene that is drawn; `None` if the file has no scenes, which draws all nodes.
    pub scene: Option<usize>,
    /// The meshes to draw: mesh nodes of the chosen scene, in depth-first order.
    pub instances: Vec<Instance>,
    /// Animation clips in the file's order.
    pub clips: Vec<Clip>,
    /// Frame rate of the file's times; `None` if unspecified.
    pub frames_per_second: Option<f64>,
    /// Materials in the file's order.
    pub materials: Vec<Material>,
    /// Images of textures in the file's order; `None` for one that no material uses or that could not be decoded. Every
    /// image that a material refers to is present.
    pub pictures: Vec<Option<Picture>>,
    /// Cameras on nodes, in the file's order. If a camera hangs on several nodes, one of the drawn scene comes first.
    pub cameras: Vec<Camera>,
    /// Lights of the drawn scene, depth first.
    pub lights: Vec<Light>,
    /// The avatar, in a VRM file.
    pub avatar: Option<Avatar>,
    /// Faults of the file that were repaired, one entry per kind and place.
    pub warnings: Vec<Warning>,
    /// Rules that the file breaks without effect: nothing was changed.
    pub faults: Vec<Warning>,
    /// The vertices' centres of rotation, once a skinning mode has asked for them.
    pub centers: Centers,
    /// The vertices' terms of direct delta mush, once that mode has asked for them.
    pub ddm: Ddm,
}

impl Model {
    /// Returns the source of the tangents for a primitive's normal map.
    pub fn tangents(&self, primitive: &Primitive) -> Tangents {
        let material = primitive.material.and_then(|material| self.materials.get(material));
        let mut uses = material.into_iter().flat_map(Material::textures).map(|(role, _)| role);
        let needed = uses.any(|role| matches!(role, TextureUse::Normal | TextureUse::ClearcoatNormal));
        match (&primitive.tangents, needed) {
            (_, false) => Tangents::NotNeeded,
            (Some(_), true) => Tangents::FromFile,
            (None, true) => Tangents::Derived,
        }
    }

    /// Returns true if vertices have painted shares.
    pub fn has_shares(&self) -> bool {
        self.meshes.iter().flat_map(|mesh| &mesh.primitives).any(|primitive| primitive.shares.is_some())
    }

    /// Frames a second of the file, or those that count where it names none.
    pub fn frame_rate(&self) -> f64 {
        self.frames_per_second.unwrap_or(FRAMES_PER_SECOND)
    }

    /// Returns the period in which a clip plays. In a file that counts frames it begins at the first key, otherwise at
    /// 0, as in glTF.
    pub fn period_of(&self, clip: &Clip) -> Period {
        let start = if self.frames_per_second.is_some() { f64::from(clip.first_secs()) } else { 0.0 };
        Period { start, end: start.max(f64::from(clip.duration_secs)) }
    }

    /// From the first start of some clips to their last end; 0 and 0 without clips.
    pub fn period_of_all(&self, clips: impl Iterator<Item = usize>) -> Period {
        let periods = clips.filter_map(|clip| self.clips.get(clip)).map(|clip| self.period_of(clip));
        let joined = periods.reduce(|a, b| Period { start: a.start.min(b.start), end: a.end.max(b.end) });
        joined.unwrap_or_default()
    }
}

/// Frames a second of files that name no rate, as glTF.
const FRAMES_PER_SECOND: f64 = 30.0;

/// Source of a primitive's tangents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tangents {
    /// The primitive has no normal map.
    NotNeeded,
    /// The file has them.
    FromFile,
    /// Shading derives them at each pixel, from the derivatives of positions and texture coordinates.
    Derived,
}

/// One mesh drawn at one node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Instance {
    /// Index of the mesh's node in [`Rig`].
    pub node: usize,
    /// Index into [`Model::meshes`].
    pub mesh: usize,
    /// Index into [`Model::skins`]; `None` draws the mesh at its node.
    pub skin: Option<usize>,
}

/// A broken rule, reported once per kind and place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// The broken rule, by the Khronos glTF validator's name if there is one.
    pub code: &'static str,
    /// The place in the file, as a JSON path such as `meshes[0].primitives[1]`.
    pub path: String,
    /// The fault and its repair, in one sentence with counts.
    pub message: String,
}
