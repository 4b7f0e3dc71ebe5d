//! The JSON of materials, textures, samplers and images.

use serde::Deserialize;

use super::extension::Extensions;
use super::whole::{optional, required};

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Material {
    pub name: String,
    pub pbr_metallic_roughness: Option<Box<MetallicRoughness>>,
    pub normal_texture: Option<Box<TextureInfo>>,
    pub occlusion_texture: Option<Box<TextureInfo>>,
    pub emissive_texture: Option<Box<TextureInfo>>,
    pub emissive_factor: Option<[f64; 3]>,
    pub alpha_mode: Option<String>,
    pub alpha_cutoff: Option<f64>,
    pub double_sided: bool,
    pub extensions: Extensions,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct MetallicRoughness {
    pub base_color_factor: Option<[f64; 4]>,
    pub metallic_factor: Option<f64>,
    pub roughness_factor: Option<f64>,
    pub base_color_texture: Option<TextureInfo>,
    pub metallic_roughness_texture: Option<TextureInfo>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TextureInfo {
    #[serde(deserialize_with = "required")]
    pub index: usize,
    #[serde(default, deserialize_with = "optional")]
    pub tex_coord: Option<usize>,
    /// Of normal textures only.
    pub scale: Option<f64>,
    /// Of occlusion textures only.
    pub strength: Option<f64>,
    #[serde(default)]
    pub extensions: Extensions,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Texture {
    #[serde(deserialize_with = "optional")]
    pub sampler: Option<usize>,
    #[serde(deserialize_with = "optional")]
    pub source: Option<usize>,
    pub extensions: Extensions,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct TextureSampler {
    #[serde(deserialize_with = "optional")]
    pub mag_filter: Option<usize>,
    #[serde(deserialize_with = "optional")]
    pub min_filter: Option<usize>,
    #[serde(deserialize_with = "optional")]
    pub wrap_s: Option<usize>,
    #[serde(deserialize_with = "optional")]
    pub wrap_t: Option<usize>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Image {
    pub uri: Option<String>,
    /// A text. A value of another type does not make the picture unusable.
    pub mime_type: Option<serde_json::Value>,
    #[serde(deserialize_with = "optional")]
    pub buffer_view: Option<usize>,
}

/// The image that an extension of a texture, such as EXT_texture_webp, names.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct TextureSource {
    #[serde(deserialize_with = "optional")]
    pub source: Option<usize>,
}

/// KHR_texture_transform.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct TextureTransform {
    pub offset: Option<[f64; 2]>,
    pub rotation: Option<f64>,
    pub scale: Option<[f64; 2]>,
    #[serde(deserialize_with = "optional")]
    pub tex_coord: Option<usize>,
}
