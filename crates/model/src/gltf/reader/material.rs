//! Reads materials: the metallic-roughness model and its textures.

use super::material_extensions::{self as extensions, Context};
use super::normal_map::normal_map;
use super::range::{LIGHT, UNIT, number, numbers};
use super::texture::Textures;
use crate::Mesh;
use crate::gltf::json::{self, Document};
use crate::material::{AlphaMode, Material, Occlusion};
use crate::reading::error::LoadError;
use crate::reading::message::quoted;
use crate::reading::warnings::Warnings;

/// Reads all materials and decodes the pictures that they use. A picture that is unavailable is removed from its
/// materials, so every picture that a material refers to exists.
pub fn read(
    document: &Document,
    textures: &mut Textures<'_, '_, '_>,
    warnings: &mut Warnings,
) -> Result<Vec<Material>, LoadError> {
    let mut materials = Vec::with_capacity(document.materials.len());
    for (index, material) in document.materials.iter().enumerate() {
        materials.push(read_material(material, &format!("materials[{index}]"), textures, warnings)?);
    }
    Ok(materials)
}

fn read_material(
    material: &json::Material,
    path: &str,
    textures: &mut Textures<'_, '_, '_>,
    warnings: &mut Warnings,
) -> Result<Material, LoadError> {
    let default = Material::default();
    let none = json::MetallicRoughness::default();
    let pbr = material.pbr_metallic_roughness.as_deref().unwrap_or(&none);
    let pbr_path = format!("{path}.pbrMetallicRoughness");
    let at = |member: &str| format!("{path}.{member}");
    let pbr_at = |member: &str| format!("{pbr_path}.{member}");
    let mut read = Material {
        name: material.name.clone(),
        base_color: numbers(pbr.base_color_factor, UNIT, [1.0; 4], &pbr_at("baseColorFactor"), warnings),
        base_color_texture: textures.read(
            pbr.base_color_texture.as_ref(),
            &pbr_at("baseColorTexture"),
            warnings,
        )?,
        metallic: number(pbr.metallic_factor, UNIT, 1.0, &pbr_at("metallicFactor"), warnings),
        roughness: number(pbr.roughness_factor, UNIT, 1.0, &pbr_at("roughnessFactor"), warnings),
        metallic_roughness_texture: textures.read(
            pbr.metallic_roughness_texture.as_ref(),
            &pbr_at("metallicRoughnessTexture"),
            warnings,
        )?,
        normal: normal_map(material.normal_texture.as_deref(), &at("normalTexture"), textures, warnings)?,
        occlusion: None,
        emissive: numbers(
            material.emissive_factor,
            UNIT.kept_to(LIGHT),
            [0.0; 3],
            &at("emissiveFactor"),
            warnings,
        ),
        emissive_texture: textures.read(
            material.emissive_texture.as_deref(),
            &at("emissiveTexture"),
            warnings,
        )?,
        alpha: alpha_mode(material, path, warnings),
        double_sided: material.double_sided,
        unlit: material.extensions.contains_key("KHR_materials_unlit"),
        ..default
    };
    if let Some(info) = material.occlusion_texture.as_deref() {
        let path = at("occlusionTexture");
        let strength = number(info.strength, UNIT, 1.0, &format!("{path}.strength"), warnings);
        let texture = textures.read(Some(info), &path, warnings)?;
        read.occlusion = texture.map(|texture| Occlusion { texture, strength });
    }
    extensions::read(&material.extensions, &mut read, &mut Context { path, textures, warnings })?;
    Ok(read)
}

fn alpha_mode(material: &json::Material, path: &str, warnings: &mut Warnings) -> AlphaMode {
    match material.alpha_mode.as_deref() {
        None | Some("OPAQUE") => AlphaMode::Opaque,
        Some("MASK") => {
            let path = format!("{path}.alphaCutoff");
            AlphaMode::Mask(number(material.alpha_cutoff, LIGHT, 0.5, &path, warnings))
        }
        Some("BLEND") => AlphaMode::Blend,
        Some(other) => {
            let message = format!("{} is not an alpha mode; shown opaque", quoted(other));
            warnings.add("VALUE_NOT_IN_LIST", &format!("{path}.alphaMode"), message);
            AlphaMode::Opaque
        }
    }
}

/// Warns of texture coordinates that a material uses and a primitive lacks.
pub fn check_texcoords(meshes: &[Mesh], materials: &[Material], warnings: &mut Warnings) {
    for (index, mesh) in meshes.iter().enumerate() {
        for primitive in &mesh.primitives {
            let material = primitive.material.and_then(|material| materials.get(material));
            let sets = material.into_iter().flat_map(Material::textures).map(|(_, texture)| texture.texcoord);
            let mut missing: Vec<usize> = sets.filter(|set| *set >= primitive.texcoords.len()).collect();
            missing.sort_unstable();
            missing.dedup();
            for set in missing {
                warnings.add(
                    "MESH_PRIMITIVE_TOO_FEW_TEXCOORDS",
                    &format!("meshes[{index}].primitives[{}].material", primitive.file_index),
                    format!("uses TEXCOORD_{set}, which the primitive does not have"),
                );
            }
        }
    }
}
