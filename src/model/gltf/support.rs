//! What sinew does with each extension of glTF, and whether a file needs only what it does.
//! It must not know how extensions are read.

use super::error::LoadError;
use super::json::Document;
use super::report::quoted;

/// What sinew does with an extension.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// All that it asks.
    Supported,
    /// Something near it; the text says what, and what is missing.
    Approximate(&'static str),
    /// Nothing.
    Unsupported,
}

/// The extensions that are at least known. A file may require all but the unsupported ones.
const LEVELS: [(&str, Level); 16] = [
    ("EXT_meshopt_compression", Level::Supported),
    ("EXT_texture_webp", Level::Supported),
    (
        "KHR_animation_pointer",
        Level::Approximate("what moves nodes and morph weights is shown, other properties are not"),
    ),
    (
        "KHR_materials_clearcoat",
        Level::Approximate("kept with the material and not drawn: the surface has no clear layer"),
    ),
    ("KHR_materials_emissive_strength", Level::Supported),
    (
        "KHR_materials_ior",
        Level::Approximate(
            "kept with the material and not drawn: dielectrics reflect as with an index of 1.5",
        ),
    ),
    (
        "KHR_materials_pbrSpecularGlossiness",
        Level::Approximate(
            "converted to a metallic-roughness material: the diffuse texture is drawn, with one metalness \
             and one roughness for the whole surface",
        ),
    ),
    (
        "KHR_materials_specular",
        Level::Approximate("kept with the material and not drawn: dielectrics reflect 4 % of white"),
    ),
    (
        "KHR_materials_transmission",
        Level::Approximate("kept with the material and not drawn: no light goes through the surface"),
    ),
    ("KHR_materials_unlit", Level::Supported),
    (
        "KHR_lights_punctual",
        Level::Approximate("kept with the model and not drawn: the light is sinew's own"),
    ),
    ("KHR_mesh_quantization", Level::Supported),
    ("KHR_meshopt_compression", Level::Supported),
    ("KHR_texture_basisu", Level::Unsupported),
    ("KHR_texture_transform", Level::Supported),
    ("KHR_draco_mesh_compression", Level::Unsupported),
];

/// What sinew does with an extension; one that it has never heard of is unsupported.
pub fn level(name: &str) -> Level {
    LEVELS.iter().find(|(known, _)| *known == name).map_or(Level::Unsupported, |(_, level)| *level)
}

/// Refuses a file that cannot be shown as it is meant.
pub(super) fn check(document: &Document) -> Result<(), LoadError> {
    let asset = &document.asset;
    match version(&asset.version) {
        Some((2, _)) => {}
        Some(_) | None => {
            let message = format!("{} is no version 2 of glTF", quoted(&asset.version));
            return Err(unsupported("asset.version", message));
        }
    }
    if let Some(minimum) = &asset.min_version
        && version(minimum).is_none_or(|version| version > (2, 0))
    {
        let message = format!("the file needs a reader for glTF {}, and this one reads 2.0", quoted(minimum));
        return Err(unsupported("asset.minVersion", message));
    }
    for (index, name) in document.extensions_required.iter().enumerate() {
        if level(name) == Level::Unsupported {
            let message = format!("{} is not supported: without it {}", quoted(name), what_is_lost(name));
            return Err(unsupported(&format!("extensionsRequired[{index}]"), message));
        }
    }
    Ok(())
}

fn unsupported(path: &str, message: String) -> LoadError {
    LoadError::Unsupported { path: path.to_owned(), message }
}

/// Major and minor version.
fn version(text: &str) -> Option<(u32, u32)> {
    let (major, minor) = text.split_once('.')?;
    Some((major.parse().ok()?, minor.parse().ok()?))
}

/// What is missing from the picture of a file whose extension is not supported.
pub fn what_is_lost(extension: &str) -> &'static str {
    match extension {
        "KHR_draco_mesh_compression" => "the compressed meshes cannot be read (decompress the file first)",
        "MESHOPT_compression" => "the compressed buffers cannot be read (decompress the file first)",
        "KHR_texture_basisu" => "the KTX2 pictures cannot be read (convert them to PNG, JPEG or WebP first)",
        "EXT_texture_avif" | "MSFT_texture_dds" => "the pictures cannot be read",
        "EXT_mesh_gpu_instancing" => "copies of meshes would be missing",
        "KHR_techniques_webgl" => "materials would be wrong",
        "KHR_node_visibility" => "hidden parts would be shown",
        "KHR_lights_punctual" | "EXT_lights_image_based" => "lights would be missing",
        name if name.starts_with("KHR_materials_") => "materials would be wrong",
        _ => "something would be missing that the file calls essential",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::gltf::json;

    fn verdict(asset: &str, rest: &str) -> String {
        let document = json::parse(format!(r#"{{"asset": {{{asset}}}{rest}}}"#).as_bytes()).unwrap();
        check(&document).map_or_else(|error| error.to_string(), |()| "ok".to_owned())
    }

    #[test]
    fn versions() {
        assert_eq!(verdict(r#""version": "2.0""#, ""), "ok");
        assert_eq!(verdict(r#""version": "2.1", "minVersion": "2.0""#, ""), "ok");
        assert_eq!(verdict(r#""version": "1.0""#, ""), "asset.version: '1.0' is no version 2 of glTF");
        assert_ne!(verdict(r#""version": "2""#, ""), "ok");
        assert!(verdict(r#""version": "2.0", "minVersion": "2.1""#, "").starts_with("asset.minVersion: "));
    }

    #[test]
    fn required_extensions() {
        let required = |name: &str| {
            verdict(
                r#""version": "2.0""#,
                &format!(r#", "extensionsRequired": ["KHR_materials_unlit", "{name}"]"#),
            )
        };
        assert_eq!(required("KHR_mesh_quantization"), "ok");
        assert_eq!(required("KHR_animation_pointer"), "ok");
        let text = required("KHR_draco_mesh_compression");
        assert!(text.starts_with("extensionsRequired[1]: 'KHR_draco_mesh_compression' is not"), "{text}");
        assert!(required("X").contains("essential"));
        assert!(required("KHR_texture_basisu").contains("the KTX2 pictures cannot be read"));
        for (name, known) in LEVELS {
            assert_eq!(required(name) == "ok", known != Level::Unsupported, "{name}");
        }
    }

    #[test]
    fn the_table_is_sorted_out() {
        let mut names = LEVELS.map(|(name, _)| name).to_vec();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), LEVELS.len(), "an extension is there twice");
        for (name, level) in LEVELS {
            if let Level::Approximate(text) = level {
                assert!(!text.is_empty() && !text.ends_with('.') && !text.contains("  "), "{name}: {text}");
            }
        }
        assert_eq!(level("KHR_materials_iridescence"), Level::Unsupported);
    }
}
