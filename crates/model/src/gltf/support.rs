//! Lists the support of each extension, and refuses files that require more.

use super::json::Document;
use super::json::version;
use crate::reading::error::LoadError;
use crate::reading::message::quoted;

/// The loss for an extension that sinew does not recognise.
const UNKNOWN_LOSS: &str = "data that the file requires would be missing";

/// Degree of support for an extension.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Support {
    /// Fully supported.
    Full,
    /// Nearly.
    Approximate,
    /// Not at all.
    None,
}

/// The extensions that a file may require, the degree of their support, and the differences. All others are not
/// supported.
const SHOWN: [(&str, Support, &str); 16] = [
    ("EXT_mesh_gpu_instancing", Support::Full, ""),
    ("EXT_meshopt_compression", Support::Full, ""),
    ("EXT_texture_webp", Support::Full, ""),
    (
        "KHR_animation_pointer",
        Support::Approximate,
        "animations of nodes and morph weights are shown, those of other properties are not",
    ),
    ("KHR_draco_mesh_compression", Support::Full, ""),
    (
        "KHR_lights_punctual",
        Support::Approximate,
        "drawn as bright as sinew's light; only one directional light casts shadows",
    ),
    (
        "KHR_materials_clearcoat",
        Support::Approximate,
        "drawn with one strength, one roughness and no separate bumps for the whole surface, whatever its \
             textures say",
    ),
    ("KHR_materials_emissive_strength", Support::Full, ""),
    ("KHR_materials_ior", Support::Full, ""),
    (
        "KHR_materials_pbrSpecularGlossiness",
        Support::Approximate,
        "converted to a metallic-roughness material: the diffuse texture is drawn, with one metalness \
             and one roughness for the whole surface",
    ),
    (
        "KHR_materials_specular",
        Support::Approximate,
        "drawn with one strength and one colour for the whole surface, whatever its textures say",
    ),
    (
        "KHR_materials_transmission",
        Support::Approximate,
        "kept with the material, but not drawn: no light passes through the surface",
    ),
    ("KHR_materials_unlit", Support::Full, ""),
    ("KHR_mesh_quantization", Support::Full, ""),
    ("KHR_meshopt_compression", Support::Full, ""),
    ("KHR_texture_transform", Support::Full, ""),
];

/// Returns the degree of support for an extension, and its differences or losses.
pub fn verdict(extension: &str) -> (Support, &'static str) {
    match SHOWN.iter().find(|(name, _, _)| *name == extension) {
        Some((_, support, differs)) => (*support, differs),
        None => match what_is_lost(extension) {
            // The extension is not recognised, and a file that does not require it gives no more information.
            UNKNOWN_LOSS => (Support::None, ""),
            known => (Support::None, known),
        },
    }
}

/// The extensions that are shown nearly, by name.
#[cfg(test)]
pub(super) fn approximate() -> impl Iterator<Item = &'static str> {
    SHOWN.iter().filter(|(_, support, _)| *support == Support::Approximate).map(|(name, _, _)| *name)
}

/// Refuses a file whose required extensions are not supported.
pub(super) fn check(document: &Document) -> Result<(), LoadError> {
    version::check(&document.asset)?;
    for (index, name) in document.extensions_required.iter().enumerate() {
        if verdict(name).0 == Support::None {
            let message = format!("{} is not supported; without it, {}", quoted(name), what_is_lost(name));
            return Err(unsupported(&format!("extensionsRequired[{index}]"), message));
        }
    }
    Ok(())
}

fn unsupported(path: &str, message: String) -> LoadError {
    LoadError::Unsupported { path: path.to_owned(), message }
}

/// Describes the loss in the picture of a file whose extension is not supported.
pub fn what_is_lost(extension: &str) -> &'static str {
    match extension {
        "MESHOPT_compression" => "the compressed buffers cannot be read (decompress the file first)",
        "KHR_texture_basisu" => "the KTX2 images cannot be read (convert them to PNG, JPEG or WebP first)",
        "EXT_texture_avif" | "MSFT_texture_dds" => "the images cannot be read",
        "KHR_techniques_webgl" => "materials would be wrong",
        "KHR_node_visibility" => "hidden parts would be shown",
        "KHR_lights_punctual" | "EXT_lights_image_based" => "lights would be missing",
        name if name.starts_with("KHR_materials_") => "materials would be wrong",
        _ => UNKNOWN_LOSS,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gltf::json::{self, version::ONE};

    fn checked(asset: &str, rest: &str) -> String {
        let document = json::parse(format!(r#"{{"asset": {{{asset}}}{rest}}}"#).as_bytes()).unwrap();
        check(&document).map_or_else(|error| error.to_string(), |()| "ok".to_owned())
    }

    #[test]
    fn versions() {
        assert_eq!(checked(r#""version": "2.0""#, ""), "ok");
        assert_eq!(checked(r#""version": "2.1", "minVersion": "2.0""#, ""), "ok");
        assert_eq!(checked(r#""version": "1.0""#, ""), format!("asset.version: {ONE}"));
        assert_eq!(checked(r#""version": "3.0""#, ""), "asset.version: '3.0' is not glTF version 2");
        assert_ne!(checked(r#""version": "2""#, ""), "ok");
        assert!(checked(r#""version": "2.0", "minVersion": "2.1""#, "").starts_with("asset.minVersion: "));
    }

    #[test]
    fn required_extensions() {
        let required = |name: &str| {
            checked(
                r#""version": "2.0""#,
                &format!(r#", "extensionsRequired": ["KHR_materials_unlit", "{name}"]"#),
            )
        };
        assert_eq!(required("KHR_mesh_quantization"), "ok");
        assert_eq!(required("KHR_animation_pointer"), "ok");
        let text = required("KHR_texture_basisu");
        assert!(text.starts_with("extensionsRequired[1]: 'KHR_texture_basisu' is not"), "{text}");
        assert!(required("X").contains("requires"));
        assert!(required("KHR_texture_basisu").contains("the KTX2 images cannot be read"));
        for (name, _, _) in SHOWN {
            assert_eq!(required(name), "ok");
        }
    }

    #[test]
    fn the_table_says_what_differs() {
        assert!(SHOWN.is_sorted_by(|(a, _, _), (b, _, _)| a < b), "sorted, and each once");
        for (name, support, differs) in SHOWN {
            match support {
                Support::Full => assert_eq!(differs, "", "{name}"),
                _ => assert!(differs.len() > 10 && !differs.ends_with('.'), "{name}: {differs}"),
            }
        }
        assert_eq!(verdict("KHR_materials_iridescence").0, Support::None);
    }
}
