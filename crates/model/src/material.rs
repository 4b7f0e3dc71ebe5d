//! Materials as plain data, the extensions of glTF among it. They must not know how light is computed.

use super::texture::{Encoding, TextureRef};

/// How a surface looks: the metallic-roughness model of glTF 2.0 and what extensions add to it.
#[derive(Clone, Debug, PartialEq)]
pub struct Material {
    /// Name; empty where the file gives none.
    pub name: String,
    /// Linear base colour with alpha.
    pub base_color: [f32; 4],
    /// Multiplies the base colour.
    pub base_color_texture: Option<TextureRef>,
    /// 0 dielectric, 1 metal.
    pub metallic: f32,
    /// 0 smooth, 1 rough.
    pub roughness: f32,
    /// Green multiplies the roughness, blue the metalness.
    pub metallic_roughness_texture: Option<TextureRef>,
    /// Bends the normals.
    pub normal: Option<NormalMap>,
    /// Where light from all around does not get to.
    pub occlusion: Option<Occlusion>,
    /// Linear emitted colour, without its strength.
    pub emissive: [f32; 3],
    /// Multiplies the emitted colour.
    pub emissive_texture: Option<TextureRef>,
    /// Multiplies the emitted colour once more (KHR_materials_emissive_strength).
    pub emissive_strength: f32,
    /// What alpha does.
    pub alpha: AlphaMode,
    /// Whether back faces are drawn.
    pub double_sided: bool,
    /// Whether the base colour is shown as it is (KHR_materials_unlit).
    pub unlit: bool,
    /// Index of refraction; 0 reflects everything at grazing angles (KHR_materials_ior).
    pub ior: f32,
    /// Strength and colour of a dielectric's reflections (KHR_materials_specular).
    pub specular: Option<Box<Specular>>,
    /// A clear layer on top (KHR_materials_clearcoat).
    pub clearcoat: Option<Box<Clearcoat>>,
    /// Light that goes through (KHR_materials_transmission).
    pub transmission: Option<Box<Transmission>>,
    /// What the file says in the older model (KHR_materials_pbrSpecularGlossiness). Base colour,
    /// metalness and roughness above are then made from it: see [`SpecularGlossiness`].
    pub specular_glossiness: Option<Box<SpecularGlossiness>>,
}

impl Default for Material {
    /// The material glTF gives a primitive without one.
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
            transmission: None,
            specular_glossiness: None,
        }
    }
}

impl Material {
    /// All textures of the material with what each is for.
    pub fn textures(&self) -> impl Iterator<Item = (TextureUse, &TextureRef)> {
        use TextureUse as Use;
        let (specular, clearcoat) = (self.specular.as_deref(), self.clearcoat.as_deref());
        let older = self.specular_glossiness.as_deref();
        let all: [(Use, Option<&TextureRef>); 13] = [
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
            (Use::Transmission, self.transmission.as_deref().and_then(|light| light.texture.as_ref())),
            (Use::Diffuse, older.and_then(|older| older.diffuse_texture.as_ref())),
            (Use::SpecularGlossiness, older.and_then(|older| older.texture.as_ref())),
        ];
        all.into_iter().filter_map(|(role, texture)| Some((role, texture?)))
    }
}

/// What a texture of a material is for.
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
    /// [`Transmission::texture`].
    Transmission,
    /// [`SpecularGlossiness::diffuse_texture`].
    Diffuse,
    /// [`SpecularGlossiness::texture`].
    SpecularGlossiness,
}

impl TextureUse {
    /// What the pixels' numbers stand for: colours are sRGB, everything else is numbers.
    pub fn encoding(self) -> Encoding {
        match self {
            Self::BaseColor
            | Self::Emissive
            | Self::SpecularColor
            | Self::Diffuse
            | Self::SpecularGlossiness => Encoding::Srgb,
            Self::MetallicRoughness
            | Self::Normal
            | Self::Occlusion
            | Self::Specular
            | Self::Clearcoat
            | Self::ClearcoatRoughness
            | Self::ClearcoatNormal
            | Self::Transmission => Encoding::Linear,
        }
    }
}

/// What a material's alpha does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum AlphaMode {
    /// Nothing.
    Opaque,
    /// Cuts holes where it is below the value.
    Mask(f32),
    /// Mixes with what is behind.
    Blend,
}

/// A normal map: directions in tangent space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NormalMap {
    /// Red, green, blue from 0 to 1 are x, y, z from −1 to 1.
    pub texture: TextureRef,
    /// Multiplies x and y.
    pub scale: f32,
}

/// An occlusion map.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Occlusion {
    /// Red: 0 gets no light from all around, 1 all of it.
    pub texture: TextureRef,
    /// How much of that counts, 0 to 1.
    pub strength: f32,
}

/// KHR_materials_specular.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Specular {
    /// Strength of a dielectric's reflections, 0 to 1.
    pub factor: f32,
    /// Alpha multiplies the strength.
    pub texture: Option<TextureRef>,
    /// Linear colour of the reflections seen face-on; may be above one.
    pub color: [f32; 3],
    /// Multiplies the colour.
    pub color_texture: Option<TextureRef>,
}

/// KHR_materials_clearcoat.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Clearcoat {
    /// How much of the layer there is, 0 to 1.
    pub factor: f32,
    /// Red multiplies it.
    pub texture: Option<TextureRef>,
    /// The layer's roughness.
    pub roughness: f32,
    /// Green multiplies it.
    pub roughness_texture: Option<TextureRef>,
    /// The layer's own normals.
    pub normal: Option<NormalMap>,
}

/// KHR_materials_transmission.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Transmission {
    /// How much of the light goes through, 0 to 1.
    pub factor: f32,
    /// Red multiplies it.
    pub texture: Option<TextureRef>,
}

/// KHR_materials_pbrSpecularGlossiness, as the file gives it.
///
/// A material that has it is shown as a metallic-roughness material that is near it: the diffuse
/// texture becomes the base colour's, and one metalness, one roughness and one colour factor stand
/// for the whole surface, made from the factors times the textures' means.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SpecularGlossiness {
    /// Linear diffuse colour with alpha.
    pub diffuse: [f32; 4],
    /// Multiplies it.
    pub diffuse_texture: Option<TextureRef>,
    /// Linear colour of the reflections seen face-on.
    pub specular: [f32; 3],
    /// 0 rough, 1 smooth.
    pub glossiness: f32,
    /// Colour multiplies the reflections, alpha the glossiness.
    pub texture: Option<TextureRef>,
}
