//! The uniform block that says what a material looks like.
//! It must not know pictures or samplers, only where they lie.

use bytemuck::{Pod, Zeroable};

use crate::model::{AlphaMode, Material, TextureRef};

/// `Material` in `shaders/mesh.frag`; a test compares the two member by member.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
pub struct MaterialBlock {
    /// Linear base colour with alpha.
    pub base_color: [f32; 4],
    /// Linear emitted colour; the fourth is 1 for unlit, which adds this to the base colour.
    pub emissive: [f32; 4],
    /// What makes u for the base colour out of (u, v, 1); the fourth is which set of coordinates.
    pub base_color_u: [f32; 4],
    /// The same for v.
    pub base_color_v: [f32; 4],
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
}

const _: () = assert!(size_of::<MaterialBlock>() == 112);

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
        let [base_color_u, base_color_v] = rows(material.base_color_texture.as_ref());
        let [emissive_u, emissive_v] = rows(material.emissive_texture.as_ref());
        Self {
            base_color: material.base_color,
            emissive: [r, g, b, if material.unlit { 1.0 } else { 0.0 }],
            base_color_u,
            base_color_v,
            emissive_u,
            emissive_v,
            metallic: material.metallic,
            roughness: material.roughness,
            alpha_cutoff,
            opaque,
        }
    }
}

/// The transform of a texture's coordinates, and their set behind each row.
fn rows(texture: Option<&TextureRef>) -> [[f32; 4]; 2] {
    let texture = texture.copied().unwrap_or_default();
    // Two sets are drawn; whoever asks for a third is told.
    let set = texture.texcoord.min(1) as f32;
    texture.transform.rows().map(|[a, b, c]| [a, b, c, set])
}
