//! Materials as far as sinew shows them, and the pictures they use.
//! It must not know how pictures are decoded.

use super::error::LoadError;
use super::json::{self, Document, TextureInfo};
use super::picture::Pictures;
use super::report::{Warnings, quoted};
use crate::model::material::{AlphaMode, Material, Picture, TextureRef};

/// Reads all materials and decodes the pictures that they use. A material whose picture cannot be
/// had goes without, so every picture that a material refers to is there.
pub fn read(
    document: &Document,
    decoder: &mut Pictures<'_, '_>,
    warnings: &mut Warnings,
) -> Result<(Vec<Material>, Vec<Option<Picture>>), LoadError> {
    let mut pictures: Vec<Decoded> = document.images.iter().map(|_| Decoded::NotYet).collect();
    let mut materials = Vec::with_capacity(document.materials.len());
    for (index, material) in document.materials.iter().enumerate() {
        let path = format!("materials[{index}]");
        let texture =
            material.pbr_metallic_roughness.as_ref().and_then(|pbr| pbr.base_color_texture.as_ref());
        let base_color_texture = match texture {
            Some(info) => {
                let path = format!("{path}.pbrMetallicRoughness.baseColorTexture");
                texture_ref(document, info, &path, warnings)?
                    .filter(|texture| is_there(texture.picture, &mut pictures, decoder, warnings))
            }
            None => None,
        };
        materials.push(read_material(material, base_color_texture, &path, warnings));
    }
    let pictures = pictures.into_iter().map(|decoded| match decoded {
        Decoded::Picture(picture) => Some(picture),
        Decoded::NotYet | Decoded::Failed => None,
    });
    Ok((materials, pictures.collect()))
}

/// What became of an image so far.
enum Decoded {
    NotYet,
    Failed,
    Picture(Picture),
}

/// Decodes an image the first time it is asked for.
fn is_there(
    index: usize,
    pictures: &mut [Decoded],
    decoder: &mut Pictures<'_, '_>,
    warnings: &mut Warnings,
) -> bool {
    let Some(slot) = pictures.get_mut(index) else { return false };
    if matches!(slot, Decoded::NotYet) {
        *slot = match decoder.decode(index) {
            Ok(picture) => Decoded::Picture(picture),
            Err(reason) => {
                warnings.add(
                    "IMAGE_DATA_INVALID",
                    &format!("images[{index}]"),
                    format!("{reason}; shown without"),
                );
                Decoded::Failed
            }
        };
    }
    matches!(slot, Decoded::Picture(_))
}

fn texture_ref(
    document: &Document,
    info: &TextureInfo,
    path: &str,
    warnings: &mut Warnings,
) -> Result<Option<TextureRef>, LoadError> {
    let textures = &document.textures;
    let texture = textures
        .get(info.index)
        .ok_or_else(|| LoadError::no_such(&format!("{path}.index"), "texture", info.index, textures.len()))?;
    let texture_path = format!("textures[{}]", info.index);
    let Some(picture) = texture.source else {
        warnings.add(
            "IMAGE_NON_ENABLED_MIME_TYPE",
            &texture_path,
            "has no PNG or JPEG as its source; shown without",
        );
        return Ok(None);
    };
    if picture >= document.images.len() {
        let path = format!("{texture_path}.source");
        return Err(LoadError::no_such(&path, "image", picture, document.images.len()));
    }
    if info.extensions.contains_key("KHR_texture_transform") {
        warnings.add("UNSUPPORTED_EXTENSION", path, "KHR_texture_transform is not applied");
    }
    Ok(Some(TextureRef { picture, texcoord: info.tex_coord.unwrap_or(0) }))
}

fn read_material(
    material: &json::Material,
    base_color_texture: Option<TextureRef>,
    path: &str,
    warnings: &mut Warnings,
) -> Material {
    let pbr = material.pbr_metallic_roughness.as_deref();
    let factor = |value: f64| value.clamp(0.0, 1.0) as f32;
    // Light may be stronger than one, but must stay a number that shaders can multiply.
    let light = |value: f64| value.clamp(0.0, 65504.0) as f32;
    let alpha = match material.alpha_mode.as_deref() {
        None | Some("OPAQUE") => AlphaMode::Opaque,
        Some("MASK") => AlphaMode::Mask(light(material.alpha_cutoff.unwrap_or(0.5))),
        Some("BLEND") => AlphaMode::Blend,
        Some(other) => {
            let message = format!("{} is no alpha mode; shown opaque", quoted(other));
            warnings.add("VALUE_NOT_IN_LIST", &format!("{path}.alphaMode"), message);
            AlphaMode::Opaque
        }
    };
    Material {
        name: material.name.clone(),
        base_color: pbr.and_then(|pbr| pbr.base_color_factor).map_or([1.0; 4], |color| color.map(factor)),
        base_color_texture,
        metallic: pbr.and_then(|pbr| pbr.metallic_factor).map_or(1.0, factor),
        roughness: pbr.and_then(|pbr| pbr.roughness_factor).map_or(1.0, factor),
        emissive: material.emissive_factor.map_or([0.0; 3], |color| color.map(light)),
        alpha,
        double_sided: material.double_sided,
        unlit: material.extensions.contains_key("KHR_materials_unlit"),
    }
}
