//! Reads normal textures.

use super::range::LIGHT;
use super::texture::Textures;
use crate::gltf::json::TextureInfo;
use crate::material::NormalMap;
use crate::reading::error::LoadError;
use crate::reading::warnings::Warnings;

/// A normal texture with its scale.
pub fn normal_map(
    info: Option<&TextureInfo>,
    path: &str,
    textures: &mut Textures<'_, '_, '_>,
    warnings: &mut Warnings,
) -> Result<Option<NormalMap>, LoadError> {
    let Some(info) = info else { return Ok(None) };
    let texture = textures.read(Some(info), path, warnings)?;
    // Both signs are allowed: a negative scale inverts the bumps.
    let scale = info.scale.unwrap_or(1.0).clamp(-LIGHT.most, LIGHT.most) as f32;
    Ok(texture.map(|texture| NormalMap { texture, scale }))
}
