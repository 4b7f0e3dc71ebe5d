//! Reads the KHR_materials extensions that sinew keeps.

use serde::Deserialize;

use super::normal_map::normal_map;
use super::range::{LIGHT, UNIT, number, numbers};
use super::specular_glossiness;
use super::texture::Textures;
use crate::gltf::json::{self, Extensions, TextureInfo};
use crate::material::{Clearcoat, Material, NormalMap, Sheen, Specular, SpecularGlossiness, Transmission};
use crate::reading::error::LoadError;
use crate::reading::warnings::Warnings;
use crate::texture::TextureRef;

/// State of reading a material's extensions.
pub struct Context<'c, 'd, 'a, 'b> {
    /// The material's path.
    pub path: &'c str,
    /// The source of textures.
    pub textures: &'c mut Textures<'d, 'a, 'b>,
    /// Warnings about repairs.
    pub warnings: &'c mut Warnings,
}

impl Context<'_, '_, '_, '_> {
    fn at(&self, extension: &str, member: &str) -> String {
        format!("{}.extensions.{extension}.{member}", self.path)
    }

    fn unit(&mut self, value: Option<f64>, default: f32, extension: &str, member: &str) -> f32 {
        number(value, UNIT, default, &self.at(extension, member), self.warnings)
    }

    fn texture(
        &mut self,
        info: Option<&TextureInfo>,
        extension: &str,
        member: &str,
    ) -> Result<Option<TextureRef>, LoadError> {
        self.textures.read(info, &self.at(extension, member), self.warnings)
    }

    fn normal(
        &mut self,
        info: Option<&TextureInfo>,
        extension: &str,
        member: &str,
    ) -> Result<Option<NormalMap>, LoadError> {
        normal_map(info, &self.at(extension, member), self.textures, self.warnings)
    }
}

/// Adds the extensions to a material that is otherwise complete.
pub fn read(
    extensions: &Extensions,
    material: &mut Material,
    context: &mut Context<'_, '_, '_, '_>,
) -> Result<(), LoadError> {
    if extensions.is_empty() {
        return Ok(());
    }
    let path = context.path;

    const STRENGTH: &str = "KHR_materials_emissive_strength";
    if let Some(read) = json::extension::<StrengthJson>(extensions, STRENGTH, path)? {
        let path = context.at(STRENGTH, "emissiveStrength");
        material.emissive_strength = number(read.emissive_strength, LIGHT, 1.0, &path, context.warnings);
    }
    const IOR: &str = "KHR_materials_ior";
    if let Some(read) = json::extension::<IorJson>(extensions, IOR, path)? {
        material.ior = ior(read.ior, &context.at(IOR, "ior"), context.warnings);
    }
    const SPECULAR: &str = "KHR_materials_specular";
    if let Some(read) = json::extension::<SpecularJson>(extensions, SPECULAR, path)? {
        let color_path = context.at(SPECULAR, "specularColorFactor");
        material.specular = Some(Box::new(Specular {
            factor: context.unit(read.specular_factor, 1.0, SPECULAR, "specularFactor"),
            texture: context.texture(read.specular_texture.as_ref(), SPECULAR, "specularTexture")?,
            color: numbers(read.specular_color_factor, LIGHT, [1.0; 3], &color_path, context.warnings),
            color_texture: context.texture(
                read.specular_color_texture.as_ref(),
                SPECULAR,
                "specularColorTexture",
            )?,
        }));
    }
    read_layers(extensions, material, context)?;
    read_older(extensions, material, context)
}

/// Clearcoat, sheen and transmission.
fn read_layers(
    extensions: &Extensions,
    material: &mut Material,
    context: &mut Context<'_, '_, '_, '_>,
) -> Result<(), LoadError> {
    let path = context.path;
    const COAT: &str = "KHR_materials_clearcoat";
    if let Some(read) = json::extension::<ClearcoatJson>(extensions, COAT, path)? {
        material.clearcoat = Some(Box::new(Clearcoat {
            factor: context.unit(read.clearcoat_factor, 0.0, COAT, "clearcoatFactor"),
            texture: context.texture(read.clearcoat_texture.as_ref(), COAT, "clearcoatTexture")?,
            roughness: context.unit(read.clearcoat_roughness_factor, 0.0, COAT, "clearcoatRoughnessFactor"),
            roughness_texture: context.texture(
                read.clearcoat_roughness_texture.as_ref(),
                COAT,
                "clearcoatRoughnessTexture",
            )?,
            normal: context.normal(read.clearcoat_normal_texture.as_ref(), COAT, "clearcoatNormalTexture")?,
        }));
    }
    read_sheen(extensions, material, context)?;
    const LIGHT_THROUGH: &str = "KHR_materials_transmission";
    if let Some(read) = json::extension::<TransmissionJson>(extensions, LIGHT_THROUGH, path)? {
        material.transmission = Some(Box::new(Transmission {
            factor: context.unit(read.transmission_factor, 0.0, LIGHT_THROUGH, "transmissionFactor"),
            texture: context.texture(
                read.transmission_texture.as_ref(),
                LIGHT_THROUGH,
                "transmissionTexture",
            )?,
        }));
    }
    Ok(())
}

fn read_sheen(
    extensions: &Extensions,
    material: &mut Material,
    context: &mut Context<'_, '_, '_, '_>,
) -> Result<(), LoadError> {
    const SHEEN: &str = "KHR_materials_sheen";
    if let Some(read) = json::extension::<SheenJson>(extensions, SHEEN, context.path)? {
        let color_path = context.at(SHEEN, "sheenColorFactor");
        material.sheen = Some(Box::new(Sheen {
            color: numbers(read.sheen_color_factor, UNIT, [0.0; 3], &color_path, context.warnings),
            color_texture: context.texture(read.sheen_color_texture.as_ref(), SHEEN, "sheenColorTexture")?,
            roughness: context.unit(read.sheen_roughness_factor, 0.0, SHEEN, "sheenRoughnessFactor"),
            roughness_texture: context.texture(
                read.sheen_roughness_texture.as_ref(),
                SHEEN,
                "sheenRoughnessTexture",
            )?,
        }));
    }
    Ok(())
}

/// The older specular-glossiness model, which becomes the nearest metallic-roughness material.
fn read_older(
    extensions: &Extensions,
    material: &mut Material,
    context: &mut Context<'_, '_, '_, '_>,
) -> Result<(), LoadError> {
    const OLDER: &str = "KHR_materials_pbrSpecularGlossiness";
    if let Some(read) = json::extension::<SpecularGlossinessJson>(extensions, OLDER, context.path)? {
        let (diffuse_path, specular_path) =
            (context.at(OLDER, "diffuseFactor"), context.at(OLDER, "specularFactor"));
        let older = SpecularGlossiness {
            diffuse: numbers(read.diffuse_factor, UNIT, [1.0; 4], &diffuse_path, context.warnings),
            diffuse_texture: context.texture(read.diffuse_texture.as_ref(), OLDER, "diffuseTexture")?,
            specular: numbers(read.specular_factor, UNIT, [1.0; 3], &specular_path, context.warnings),
            glossiness: context.unit(read.glossiness_factor, 1.0, OLDER, "glossinessFactor"),
            texture: context.texture(
                read.specular_glossiness_texture.as_ref(),
                OLDER,
                "specularGlossinessTexture",
            )?,
        };
        specular_glossiness::convert(&older, material, context.textures);
        material.specular_glossiness = Some(Box::new(older));
    }
    Ok(())
}

/// The index of refraction: 0, or from 1 on.
pub fn ior(value: Option<f64>, path: &str, warnings: &mut Warnings) -> f32 {
    let value = value.unwrap_or(1.5);
    if value != 0.0 && value < 1.0 {
        warnings.add("VALUE_NOT_IN_RANGE", path, format!("{value} is neither 0 nor at least 1; 1 is used"));
    }
    if value == 0.0 { 0.0 } else { value.clamp(1.0, LIGHT.most) as f32 }
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct StrengthJson {
    emissive_strength: Option<f64>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct IorJson {
    ior: Option<f64>,
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct SpecularJson {
    specular_factor: Option<f64>,
    specular_texture: Option<TextureInfo>,
    specular_color_factor: Option<[f64; 3]>,
    specular_color_texture: Option<TextureInfo>,
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct ClearcoatJson {
    clearcoat_factor: Option<f64>,
    clearcoat_texture: Option<TextureInfo>,
    clearcoat_roughness_factor: Option<f64>,
    clearcoat_roughness_texture: Option<TextureInfo>,
    clearcoat_normal_texture: Option<TextureInfo>,
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct SheenJson {
    sheen_color_factor: Option<[f64; 3]>,
    sheen_color_texture: Option<TextureInfo>,
    sheen_roughness_factor: Option<f64>,
    sheen_roughness_texture: Option<TextureInfo>,
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct TransmissionJson {
    transmission_factor: Option<f64>,
    transmission_texture: Option<TextureInfo>,
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct SpecularGlossinessJson {
    diffuse_factor: Option<[f64; 4]>,
    diffuse_texture: Option<TextureInfo>,
    specular_factor: Option<[f64; 3]>,
    glossiness_factor: Option<f64>,
    specular_glossiness_texture: Option<TextureInfo>,
}
