//! What a pipeline has compiled in, so that no driver compiles or runs what a picture does not need.
//! It must not know shaders' names or what the features do.

use crate::look::Quality;
use crate::model::{Material, TextureUse};

/// The constants of `shaders/include/features.glsl`, in their order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Features {
    /// Roughness and metalness vary over the surface.
    pub metallic_roughness_map: bool,
    /// Normals are bent by a map.
    pub normal_map: bool,
    /// Light from all around does not get everywhere.
    pub occlusion_map: bool,
    /// What glows varies over the surface.
    pub emissive_map: bool,
    /// There is a clear layer on top.
    pub clearcoat: bool,
    /// Colours are shown as they are.
    pub unlit: bool,
    /// The key light casts shadows.
    pub shadows: bool,
    /// The file has lights.
    pub file_lights: bool,
}

impl Features {
    /// What a material needs in a picture.
    pub fn new(material: &Material, quality: Quality, file_lights: bool) -> Self {
        if material.unlit {
            return Self { unlit: true, ..Self::default() };
        }
        let has = |wanted: TextureUse| material.textures().any(|(role, _)| role == wanted);
        let all = quality == Quality::Full;
        Self {
            metallic_roughness_map: has(TextureUse::MetallicRoughness),
            normal_map: has(TextureUse::Normal),
            occlusion_map: has(TextureUse::Occlusion),
            emissive_map: has(TextureUse::Emissive),
            clearcoat: material.clearcoat.as_ref().is_some_and(|coat| coat.factor > 0.0),
            unlit: false,
            shadows: all,
            file_lights: all && file_lights,
        }
    }

    /// Constant n of a pipeline's shaders.
    pub fn constants(&self) -> [bool; 8] {
        [
            self.metallic_roughness_map,
            self.normal_map,
            self.occlusion_map,
            self.emissive_map,
            self.clearcoat,
            self.unlit,
            self.shadows,
            self.file_lights,
        ]
    }
}
