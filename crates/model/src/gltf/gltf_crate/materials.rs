//! Reads materials with the crate's getters.

use ::gltf::material::{AlphaMode as Stored, Material as Source};
use ::gltf::texture::{Info, Texture};

use crate::gltf::json::Extensions;
use crate::gltf::reader::material_extensions::{self as extensions, Context};
use crate::gltf::reader::range::{LIGHT, Range, UNIT, number, numbers};
use crate::gltf::reader::specular_glossiness;
use crate::gltf::reader::texture::{Textures, kept, transform};
use crate::material::{
    AlphaMode, Material, NormalMap, Occlusion, Specular, SpecularGlossiness, Transmission,
};
use crate::reading::error::LoadError;
use crate::reading::warnings::Warnings;
use crate::texture::{TextureRef, TextureTransform};

/// Reads all materials and decodes the pictures that they use.
pub fn read(
    document: &::gltf::Document,
    textures: &mut Textures<'_, '_, '_>,
    warnings: &mut Warnings,
) -> Result<Vec<Material>, LoadError> {
    let mut materials = Vec::with_capacity(document.materials().len());
    for (index, source) in document.materials().enumerate() {
        let path = format!("materials[{index}]");
        let mut reader = Reader { path: &path, textures: &mut *textures, warnings: &mut *warnings };
        let mut material = reader.material(&source)?;
        reader.extensions(&source, &mut material)?;
        // These are the extensions that the crate does not support.
        if let Some(others) = source.extensions() {
            let mut context = Context { path: &path, textures: &mut *textures, warnings: &mut *warnings };
            extensions::read(others, &mut material, &mut context)?;
        }
        materials.push(material);
    }
    Ok(materials)
}

/// A material that is being read.
struct Reader<'c, 'd, 'a, 'b> {
    path: &'c str,
    textures: &'c mut Textures<'d, 'a, 'b>,
    warnings: &'c mut Warnings,
}

impl Reader<'_, '_, '_, '_> {
    fn at(&self, member: &str) -> String {
        format!("{}.{member}", self.path)
    }

    fn number(&mut self, value: f32, range: Range, member: &str) -> f32 {
        number(Some(value.into()), range, value, &self.at(member), self.warnings)
    }

    fn numbers<const N: usize>(&mut self, values: [f32; N], range: Range, member: &str) -> [f32; N] {
        numbers(Some(values.map(f64::from)), range, values, &self.at(member), self.warnings)
    }

    /// Reads a texture whose transform the crate supports.
    fn texture(&mut self, info: Option<Info<'_>>, member: &str) -> Result<Option<TextureRef>, LoadError> {
        let Some(info) = info else { return Ok(None) };
        let found = self.textures.find(info.texture().index(), &self.at(member), self.warnings)?;
        let stored = info.texture_transform();
        let transform = stored.as_ref().map_or_else(TextureTransform::default, |stored| TextureTransform {
            offset: stored.offset().map(|number| kept(number.into())),
            rotation: kept(stored.rotation().into()),
            scale: stored.scale().map(|number| kept(number.into())),
        });
        let texcoord = stored.and_then(|stored| stored.tex_coord()).unwrap_or(info.tex_coord()) as usize;
        Ok(found.map(|(picture, sampling)| TextureRef { picture, texcoord, sampling, transform }))
    }

    /// Reads a normal or occlusion texture, whose transform the crate does not support.
    fn other_texture(
        &mut self,
        texture: &Texture<'_>,
        texcoord: u32,
        extensions: Option<&Extensions>,
        member: &str,
    ) -> Result<Option<TextureRef>, LoadError> {
        let path = self.at(member);
        let found = self.textures.find(texture.index(), &path, self.warnings)?;
        let none = Extensions::new();
        let (transform, other_set) = transform(extensions.unwrap_or(&none), &path)?;
        let texcoord = other_set.unwrap_or(texcoord as usize);
        Ok(found.map(|(picture, sampling)| TextureRef { picture, texcoord, sampling, transform }))
    }

    fn material(&mut self, source: &Source<'_>) -> Result<Material, LoadError> {
        let pbr = source.pbr_metallic_roughness();
        let at = |member: &str| format!("pbrMetallicRoughness.{member}");
        let mut material = Material {
            name: source.name().unwrap_or_default().to_owned(),
            base_color: self.numbers(pbr.base_color_factor(), UNIT, &at("baseColorFactor")),
            base_color_texture: self.texture(pbr.base_color_texture(), &at("baseColorTexture"))?,
            metallic: self.number(pbr.metallic_factor(), UNIT, &at("metallicFactor")),
            roughness: self.number(pbr.roughness_factor(), UNIT, &at("roughnessFactor")),
            metallic_roughness_texture: self
                .texture(pbr.metallic_roughness_texture(), &at("metallicRoughnessTexture"))?,
            emissive: self.numbers(source.emissive_factor(), UNIT.kept_to(LIGHT), "emissiveFactor"),
            emissive_texture: self.texture(source.emissive_texture(), "emissiveTexture")?,
            alpha: match source.alpha_mode() {
                Stored::Opaque => AlphaMode::Opaque,
                Stored::Mask => {
                    let cutoff = source.alpha_cutoff().unwrap_or(0.5);
                    AlphaMode::Mask(self.number(cutoff, LIGHT, "alphaCutoff"))
                }
                Stored::Blend => AlphaMode::Blend,
            },
            double_sided: source.double_sided(),
            unlit: source.unlit(),
            ..Material::default()
        };
        if let Some(map) = source.normal_texture() {
            let texture =
                self.other_texture(&map.texture(), map.tex_coord(), map.extensions(), "normalTexture")?;
            // Both signs are allowed: a negative scale inverts the bumps.
            let scale = f64::from(map.scale()).clamp(-LIGHT.most, LIGHT.most) as f32;
            material.normal = texture.map(|texture| NormalMap { texture, scale });
        }
        if let Some(map) = source.occlusion_texture() {
            let texture =
                self.other_texture(&map.texture(), map.tex_coord(), map.extensions(), "occlusionTexture")?;
            let strength = self.number(map.strength(), UNIT, "occlusionTexture.strength");
            material.occlusion = texture.map(|texture| Occlusion { texture, strength });
        }
        Ok(material)
    }

    /// Adds the extensions that the crate supports.
    fn extensions(&mut self, source: &Source<'_>, material: &mut Material) -> Result<(), LoadError> {
        if let Some(strength) = source.emissive_strength() {
            let member = "extensions.KHR_materials_emissive_strength.emissiveStrength";
            material.emissive_strength = self.number(strength, LIGHT, member);
        }
        if let Some(ior) = source.ior() {
            let path = self.at("extensions.KHR_materials_ior.ior");
            material.ior = extensions::ior(Some(ior.into()), &path, self.warnings);
        }
        if let Some(read) = source.specular() {
            let at = |member: &str| format!("extensions.KHR_materials_specular.{member}");
            material.specular = Some(Box::new(Specular {
                factor: self.number(read.specular_factor(), UNIT, &at("specularFactor")),
                texture: self.texture(read.specular_texture(), &at("specularTexture"))?,
                color: self.numbers(read.specular_color_factor(), LIGHT, &at("specularColorFactor")),
                color_texture: self.texture(read.specular_color_texture(), &at("specularColorTexture"))?,
            }));
        }
        if let Some(read) = source.transmission() {
            let at = |member: &str| format!("extensions.KHR_materials_transmission.{member}");
            material.transmission = Some(Box::new(Transmission {
                factor: self.number(read.transmission_factor(), UNIT, &at("transmissionFactor")),
                texture: self.texture(read.transmission_texture(), &at("transmissionTexture"))?,
            }));
        }
        if let Some(read) = source.pbr_specular_glossiness() {
            let at = |member: &str| format!("extensions.KHR_materials_pbrSpecularGlossiness.{member}");
            let older = SpecularGlossiness {
                diffuse: self.numbers(read.diffuse_factor(), UNIT, &at("diffuseFactor")),
                diffuse_texture: self.texture(read.diffuse_texture(), &at("diffuseTexture"))?,
                specular: self.numbers(read.specular_factor(), UNIT, &at("specularFactor")),
                glossiness: self.number(read.glossiness_factor(), UNIT, &at("glossinessFactor")),
                texture: self
                    .texture(read.specular_glossiness_texture(), &at("specularGlossinessTexture"))?,
            };
            specular_glossiness::convert(&older, material, self.textures);
            material.specular_glossiness = Some(Box::new(older));
        }
        Ok(())
    }
}
