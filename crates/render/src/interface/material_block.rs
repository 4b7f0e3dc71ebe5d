//! The uniform block of a material.

use bytemuck::{Pod, Zeroable};

use sinew_model::{AlphaMode, Material, TextureRef};

/// `Material` in `shaders/include/surface.glsl`; a test compares the two member by member.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
pub struct MaterialBlock {
    /// Linear base colour with alpha.
    pub base_color: [f32; 4],
    /// Linear emitted colour; the fourth is the share of light that passes the surface.
    pub emissive: [f32; 4],
    /// Reflectance of a dielectric face-on; the fourth is the reflectance edge-on.
    pub specular: [f32; 4],
    /// Colour of the sheen; the fourth is its roughness.
    pub sheen: [f32; 4],
    /// The row that gives u for the base colour from (u, v, 1); the fourth is the set of texture coordinates.
    pub base_color_u: [f32; 4],
    /// Row for v of the base colour.
    pub base_color_v: [f32; 4],
    /// The row for u of metalness and roughness.
    pub metallic_roughness_u: [f32; 4],
    /// Row for v of metalness and roughness.
    pub metallic_roughness_v: [f32; 4],
    /// The row for u of the normal map.
    pub normal_u: [f32; 4],
    /// Row for v of the normal map.
    pub normal_v: [f32; 4],
    /// The row for u of the occlusion map.
    pub occlusion_u: [f32; 4],
    /// Row for v of the occlusion map.
    pub occlusion_v: [f32; 4],
    /// The row for u of the emitted colour.
    pub emissive_u: [f32; 4],
    /// Row for v of the emitted colour.
    pub emissive_v: [f32; 4],
    /// 0 dielectric, 1 metal.
    pub metallic: f32,
    /// 0 smooth, 1 rough.
    pub roughness: f32,
    /// Fragments with less alpha are holes.
    pub alpha_cutoff: f32,
    /// 1 ignores alpha.
    pub opaque: f32,
    /// Scale of the normal map.
    pub normal_scale: f32,
    /// The strength of the occlusion map.
    pub occlusion_strength: f32,
    /// The strength of the clear coat.
    pub clearcoat: f32,
    /// The roughness of the clear coat.
    pub clearcoat_roughness: f32,
}

const _: () = assert!(size_of::<MaterialBlock>() == 14 * 16 + 8 * 4);

impl MaterialBlock {
    /// Returns the block for a material.
    pub fn new(material: &Material) -> Self {
        // Unlit materials do not emit light either.
        let light = if material.unlit { 0.0 } else { material.emissive_strength };
        // Both are at most 65504, so their product is finite.
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
            emissive: [r, g, b, material.transmission.as_deref().map_or(0.0, |light| light.factor)],
            specular: specular(material),
            sheen: sheen(material),
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

/// Returns the colour and roughness of a material's sheen, which is black if it has none.
fn sheen(material: &Material) -> [f32; 4] {
    let sheen = material.sheen.as_deref();
    let [r, g, b] = sheen.map_or([0.0; 3], |sheen| sheen.color);
    [r, g, b, sheen.map_or(1.0, |sheen| sheen.roughness)]
}

/// Returns the reflectance of a dielectric, face-on and edge-on (KHR_materials_ior and KHR_materials_specular).
fn specular(material: &Material) -> [f32; 4] {
    // An index of 0 stands for infinity: everything is reflected.
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

/// Returns the two rows of a texture's transform, each followed by the set of coordinates.
fn rows(texture: Option<&TextureRef>) -> [[f32; 4]; 2] {
    let texture = texture.copied().unwrap_or_default();
    // Two sets are drawn; uploading warns of a third.
    let set = texture.texcoord.min(1) as f32;
    texture.transform.rows().map(|[a, b, c]| [a, b, c, set])
}
