//! Materials, including the extensions of glTF.

use super::texture::{Encoding, TextureRef};

/// A material: the metallic-roughness model of glTF 2.0 and its extensions.
#[derive(Clone, Debug, PartialEq)]
pub struct Material {
    /// Name; empty if the file gives none.
    pub name: String,
    /// Linear base colour with alpha.
    pub base_color: [f32; 4],
    /// Multiplies the base colour.
    pub base_color_texture: Option<TextureRef>,
    /// 0 is a dielectric, 1 a metal.
    pub metallic: f32,
    /// 0 is smooth, 1 rough.
    pub roughness: f32,
    /// Green multiplies the roughness, blue the metalness.
    pub metallic_roughness_texture: Option<TextureRef>,
    /// The normal map.
    pub normal: Option<NormalMap>,
    /// The occlusion map.
    pub occlusion: Option<Occlusion>,
    /// Linear emitted colour, before `emissive_strength`.
    pub emissive: [f32; 3],
    /// Multiplies the emitted colour.
    pub emissive_texture: Option<TextureRef>,
    /// Also multiplies the emitted colour (KHR_materials_emissive_strength).
    pub emissive_strength: f32,
    /// Use of alpha.
    pub alpha: AlphaMode,
    /// True if back faces are drawn.
    pub double_sided: bool,
    /// True if the base colour is shown without lighting (KHR_materials_unlit).
    pub unlit: bool,
    /// Index of refraction; 0 means infinity, which reflects everything (KHR_materials_ior).
    pub ior: f32,
    /// Strength and colour of a dielectric's reflections (KHR_materials_specular).
    pub specular: Option<Box<Specular>>,
    /// A clear layer on top (KHR_materials_clearcoat).
    pub clearcoat: Option<Box<Clearcoat>>,
    /// Fibres on top, as of cloth (KHR_materials_sheen).
    pub sheen: Option<Box<Sheen>>,
    /// Transmitted light (KHR_materials_transmission).
    pub transmission: Option<Box<Transmission>>,
    /// The older model of the file (KHR_materials_pbrSpecularGlossiness). Base colour, metalness and roughness above
    /// are then derived from it: see [`SpecularGlossiness`].
    pub specular_glossiness: Option<Box<SpecularGlossiness>>,
}

impl Default for Material {
    /// The material that glTF gives to a primitive without one.
    fn default() -> Self {
        Self {
            name: String::new(),
            base_color: [1.0; 4],
            base_color_texture: None,
            metallic: 1.0,
            roughness: 1.0,
            metallic_roughness_texture: None,
            normal: None,
            occlusion: None,
            emissive: [0.0; 3],
            emissive_texture: None,
            emissive_strength: 1.0,
            alpha: AlphaMode::Opaque,
            double_sided: false,
            unlit: false,
            ior: 1.5,
            specular: None,
            clearcoat: None,
            sheen: None,
            transmission: None,
            specular_glossiness: None,
        }
    }
}

impl Material {
    /// Returns all textures of the material with their uses.
    pub fn textures(&self) -> impl Iterator<Item = (TextureUse, &TextureRef)> {
        use TextureUse as Use;
        let (specular, clearcoat) = (self.specular.as_deref(), self.clearcoat.as_deref());
        let (sheen, older) = (self.sheen.as_deref(), self.specular_glossiness.as_deref());
        let all: [(Use, Option<&TextureRef>); 15] = [
            (Use::BaseColor, self.base_color_texture.as_ref()),
            (Use::MetallicRoughness, self.metallic_roughness_texture.as_ref()),
            (Use::Normal, self.normal.as_ref().map(|map| &map.texture)),
            (Use::Occlusion, self.occlusion.as_ref().map(|map| &map.texture)),
            (Use::Emissive, self.emissive_texture.as_ref()),
            (Use::Specular, specular.and_then(|specular| specular.texture.as_ref())),
            (Use::SpecularColor, specular.and_then(|specular| specular.color_texture.as_ref())),
            (Use::Clearcoat, clearcoat.and_then(|coat| coat.texture.as_ref())),
            (Use::ClearcoatRoughness, clearcoat.and_then(|coat| coat.roughness_texture.as_ref())),
            (Use::ClearcoatNormal, clearcoat.and_then(|coat| coat.normal.as_ref().map(|map| &map.texture))),
            (Use::SheenColor, sheen.and_then(|sheen| sheen.color_texture.as_ref())),
            (Use::SheenRoughness, sheen.and_then(|sheen| sheen.roughness_texture.as_ref())),
            (Use::Transmission, self.transmission.as_deref().and_then(|light| light.texture.as_ref())),
            (Use::Diffuse, older.and_then(|older| older.diffuse_texture.as_ref())),
            (Use::SpecularGlossiness, older.and_then(|older| older.texture.as_ref())),
        ];
        all.into_iter().filter_map(|(role, texture)| Some((role, texture?)))
    }

    /// Returns the share of light that passes a surface of that material, between its reflections.
    pub fn transmitted(&self) -> f32 {
        match self.unlit {
            true => 0.0,
            false => self.transmission.as_deref().map_or(0.0, |light| light.factor * (1.0 - self.metallic)),
        }
    }

    /// Returns true if things behind the surface are seen through it.
    pub fn is_blended(&self) -> bool {
        self.alpha == AlphaMode::Blend || self.transmitted() > 0.0
    }
}

/// The use of a texture in a material.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum TextureUse {
    /// [`Material::base_color_texture`].
    BaseColor,
    /// [`Material::metallic_roughness_texture`].
    MetallicRoughness,
    /// [`Material::normal`].
    Normal,
    /// [`Material::occlusion`].
    Occlusion,
    /// [`Material::emissive_texture`].
    Emissive,
    /// [`Specular::texture`].
    Specular,
    /// [`Specular::color_texture`].
    SpecularColor,
    /// [`Clearcoat::texture`].
    Clearcoat,
    /// [`Clearcoat::roughness_texture`].
    ClearcoatRoughness,
    /// [`Clearcoat::normal`].
    ClearcoatNormal,
    /// [`Sheen::color_texture`].
    SheenColor,
    /// [`Sheen::roughness_texture`].
    SheenRoughness,
    /// [`Transmission::texture`].
    Transmission,
    /// [`SpecularGlossiness::diffuse_texture`].
    Diffuse,
    /// [`SpecularGlossiness::texture`].
    SpecularGlossiness,
}

impl TextureUse {
    /// Returns the encoding of the pixels: sRGB for colours, linear for everything else.
    pub fn encoding(self) -> Encoding {
        match self {
            Self::BaseColor
            | Self::Emissive
            | Self::SpecularColor
            | Self::SheenColor
            | Self::Diffuse
            | Self::SpecularGlossiness => Encoding::Srgb,
            Self::MetallicRoughness
            | Self::Normal
            | Self::Occlusion
            | Self::Specular
            | Self::Clearcoat
            | Self::ClearcoatRoughness
            | Self::ClearcoatNormal
            | Self::SheenRoughness
            | Self::Transmission => Encoding::Linear,
        }
    }
}

/// A material's use of alpha.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum AlphaMode {
    /// Ignores alpha.
    Opaque,
    /// Cuts holes where alpha is below this value.
    Mask(f32),
    /// Blends with the background.
    Blend,
}

/// A normal map: directions in tangent space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NormalMap {
    /// Red, green and blue from 0 to 1 are x, y and z from −1 to 1.
    pub texture: TextureRef,
    /// Multiplies x and y.
    pub scale: f32,
}

/// An occlusion map.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Occlusion {
    /// Red: 0 is no ambient light, 1 all of it.
    pub texture: TextureRef,
    /// Strength of the effect, 0 to 1.
    pub strength: f32,
}

/// KHR_materials_specular.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Specular {
    /// Strength of a dielectric's reflections, 0 to 1.
    pub factor: f32,
    /// Alpha multiplies the strength.
    pub texture: Option<TextureRef>,
    /// Linear colour of reflections seen face-on; may exceed one.
    pub color: [f32; 3],
    /// Multiplies the colour.
    pub color_texture: Option<TextureRef>,
}

/// KHR_materials_clearcoat.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Clearcoat {
    /// Strength of the layer, 0 to 1.
    pub factor: f32,
    /// Red multiplies the strength.
    pub texture: Option<TextureRef>,
    /// The layer's roughness.
    pub roughness: f32,
    /// Green multiplies the roughness.
    pub roughness_texture: Option<TextureRef>,
    /// The layer's own normals.
    pub normal: Option<NormalMap>,
}

/// KHR_materials_sheen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sheen {
    /// Linear colour of the fibres' reflections.
    pub color: [f32; 3],
    /// Multiplies the colour.
    pub color_texture: Option<TextureRef>,
    /// Roughness of the fibres, 0 to 1.
    pub roughness: f32,
    /// Alpha multiplies the roughness.
    pub roughness_texture: Option<TextureRef>,
}

/// KHR_materials_transmission.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Transmission {
    /// Share of the light that passes, 0 to 1.
    pub factor: f32,
    /// Red multiplies the share.
    pub texture: Option<TextureRef>,
}

/// KHR_materials_pbrSpecularGlossiness, as stored in the file.
///
/// Such a material is approximated by a metallic-roughness material: the diffuse texture becomes the base colour
/// texture, and one metalness, one roughness and one colour factor hold for the whole surface, derived from the factors
/// times the textures' means.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SpecularGlossiness {
    /// Linear diffuse colour with alpha.
    pub diffuse: [f32; 4],
    /// Multiplies the diffuse colour.
    pub diffuse_texture: Option<TextureRef>,
    /// Linear colour of reflections seen face-on.
    pub specular: [f32; 3],
    /// 0 is rough, 1 smooth.
    pub glossiness: f32,
    /// RGB multiplies the reflections, alpha the glossiness.
    pub texture: Option<TextureRef>,
}
