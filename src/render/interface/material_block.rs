//! The uniform block that says what a material looks like.
//! It must not know pictures or samplers, only where they lie.

use bytemuck::{Pod, Zeroable};

use sinew_model::{AlphaMode, Material, TextureRef};

/// `Material` in `shaders/include/surface.glsl`; a test compares the two member by member.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
pub struct MaterialBlock {
    /// Linear base colour with alpha.
    pub base_color: [f32; 4],
    /// Linear emitted colour.
    pub emissive: [f32; 4],
    /// What a dielectric mirrors face-on; the fourth is what it mirrors edge-on.
    pub specular: [f32; 4],
    /// What makes u for the base colour out of (u, v, 1); the fourth is which set of coordinates.
    pub base_color_u: [f32; 4],
    /// The same for v.
    pub base_color_v: [f32; 4],
    /// What makes u for metalness and roughness.
    pub metallic_roughness_u: [f32; 4],
    /// The same for v.
    pub metallic_roughness_v: [f32; 4],
    /// What makes u for the normal map.
    pub normal_u: [f32; 4],
    /// The same for v.
    pub normal_v: [f32; 4],
    /// What makes u for the occlusion map.
    pub occlusion_u: [f32; 4],
    /// The same for v.
    pub occlusion_v: [f32; 4],
    /// What makes u for the emitted colour.
    pub emissive_u: [f32; 4],
    /// The same for v.
    pub emissive_v: [f32; 4],
    /// 0 dielectric, 1 metal.
    pub metallic: f32,
    /// 0 smooth, 1 rough.
    pub roughness: f32,
    /// Alpha below is a hole.
    pub alpha_cutoff: f32,
    /// 1 ignores alpha.
    pub opaque: f32,
    /// How much the normal map bends.
    pub normal_scale: f32,
    /// How much of the occlusion map counts.
    pub occlusion_strength: f32,
    /// How much of a clear layer there is.
    pub clearcoat: f32,
    /// How rough that is.
    pub clearcoat_roughness: f32,
}

const _: () = assert!(size_of::<MaterialBlock>() == 13 * 16 + 8 * 4);

impl MaterialBlock {
    /// The block for a material.
    pub fn new(material: &Material) -> Self {
        // Unlit materials do not glow either.
        let light = if material.unlit { 0.0 } else { material.emissive_strength };
        // Both are at most 65504, so that the product is a number that shaders can go on with.
        let [r, g, b] = material.emissive.map(|color| color * light);
        let (alpha_cutoff, opaque) = match material.alpha {
            AlphaMode::Opaque => (0.0, 1.0),
            AlphaMode::Mask(cutoff) => (cutoff, 1.0),
            AlphaMode::Blend => (0.0, 0.0),
        };
        let clearcoat = material.clearcoat.as_deref();
        let [base_color_u, base_color_v] = rows(material.base_color_texture.as_ref());
        let [metallic_roughness_u, metallic_roughness_v] = rows(material.metallic_roughness_texture.as_ref());
        let [normal_u, normal_v] = rows(material.normal.as_ref().map(|map| &map.texture));
        let [occlusion_u, occlusion_v] = rows(material.occlusion.as_ref().map(|map| &map.texture));
        let [emissive_u, emissive_v] = rows(material.emissive_texture.as_ref());
        Self {
            base_color: material.base_color,
            emissive: [r, g, b, 0.0],
            specular: specular(material),
            base_color_u,
            base_color_v,
            metallic_roughness_u,
            metallic_roughness_v,
            normal_u,
            normal_v,
            occlusion_u,
            occlusion_v,
            emissive_u,
            emissive_v,
            metallic: material.metallic,
            roughness: material.roughness,
            alpha_cutoff,
            opaque,
            normal_scale: material.normal.as_ref().map_or(1.0, |map| map.scale),
            occlusion_strength: material.occlusion.as_ref().map_or(0.0, |map| map.strength),
            clearcoat: clearcoat.map_or(0.0, |coat| coat.factor),
            clearcoat_roughness: clearcoat.map_or(0.0, |coat| coat.roughness),
        }
    }
}

/// What a dielectric mirrors face-on, and edge-on: KHR_materials_ior and KHR_materials_specular.
fn specular(material: &Material) -> [f32; 4] {
    // An index of 0 stands for one so large that everything is mirrored.
    let face_on = match material.ior {
        0.0 => 1.0,
        ior => ((ior - 1.0) / (ior + 1.0)).powi(2),
    };
    match material.specular.as_deref() {
        Some(specular) => {
            let [r, g, b] = specular.color.map(|color| (face_on * color).min(1.0) * specular.factor);
            [r, g, b, specular.factor]
        }
        None => [face_on, face_on, face_on, 1.0],
    }
}

/// The transform of a texture's coordinates, and their set behind each row.
fn rows(texture: Option<&TextureRef>) -> [[f32; 4]; 2] {
    let texture = texture.copied().unwrap_or_default();
    // Two sets are drawn; whoever asks for a third is told.
    let set = texture.texcoord.min(1) as f32;
    texture.transform.rows().map(|[a, b, c]| [a, b, c, set])
}
