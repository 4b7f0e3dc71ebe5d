//! Variants of materials (KHR_materials_variants): one set, whose selected variant replaces materials of primitives.

use crate::gltf::json::Document;
use crate::mesh::Mesh;
use crate::reading::error::LoadError;
use crate::reading::message::one_line;
use crate::unknown::Unknown;

/// The name of the set, which glTF does not name.
pub const SET: &str = "materials";

/// Gives each primitive the material of the selected variant, where it has one.
///
/// # Errors
/// If there is no such set or variant, or a primitive's variant has no such material.
pub fn select(document: &Document, asked: &[(String, String)], meshes: &mut [Mesh]) -> Result<(), LoadError> {
    let unknown = |unknown| Err(LoadError::NoVariant(Box::new(unknown)));
    let names = names(document);
    // Of several, the last one counts.
    let mut chosen = None;
    for (set, name) in asked {
        if set != SET || names.is_empty() {
            let sets = Some(SET).filter(|_| !names.is_empty());
            return unknown(Unknown::named("variant set", set, sets.into_iter()));
        }
        let Some(place) = names.iter().position(|own| own == name) else {
            return unknown(Unknown::named("variant", name, names.iter().map(String::as_str)));
        };
        chosen = Some(place);
    }
    let Some(chosen) = chosen else { return Ok(()) };
    let count = document.materials.len();
    for ((number, mesh), stored) in meshes.iter_mut().enumerate().zip(&document.meshes) {
        for primitive in &mut mesh.primitives {
            let extensions =
                stored.primitives.get(primitive.file_index).and_then(|own| own.extensions.as_ref());
            let Some(own) = extensions.and_then(|own| own.variants.as_ref()) else { continue };
            let mut mappings = own.mappings.iter().enumerate();
            let Some((place, mapping)) = mappings.find(|(_, own)| own.variants.contains(&chosen)) else {
                continue;
            };
            if mapping.material >= count {
                let path = format!(
                    "meshes[{number}].primitives[{}].extensions.KHR_materials_variants.mappings[{place}].material",
                    primitive.file_index
                );
                return Err(LoadError::no_such(&path, "material", mapping.material, count));
            }
            primitive.material = Some(mapping.material);
        }
    }
    Ok(())
}

/// The variants' names.
pub fn names(document: &Document) -> Vec<String> {
    let all = document.extensions.variants.as_ref();
    all.map_or_else(Vec::new, |all| all.variants.iter().map(|variant| one_line(&variant.name)).collect())
}
