//! Lists the support of each extension, and refuses files that require more.

use super::json::Document;
use super::json::version;
use crate::reading::error::LoadError;
use crate::reading::message::quoted;

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

/// The support of VRM.
const AVATAR: &str = "names of bones and expressions are kept; springs, gaze and changing materials are not";

/// The extensions that are supported, the degree of their support, and the differences. All others are not supported.
const SHOWN: [(&str, Support, &str); 22] = [
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
        "KHR_materials_sheen",
        Support::Approximate,
        "drawn with one colour and one roughness for the whole surface, whatever its textures say",
    ),
    (
        "KHR_materials_specular",
        Support::Approximate,
        "drawn with one strength and one colour for the whole surface, whatever its textures say",
    ),
    (
        "KHR_materials_transmission",
        Support::Approximate,
        "drawn without bending light, with one strength for the whole surface; only the light around it is blurred",
    ),
    ("KHR_materials_unlit", Support::Full, ""),
    ("KHR_materials_variants", Support::Full, ""),
    ("KHR_mesh_quantization", Support::Full, ""),
    ("KHR_meshopt_compression", Support::Full, ""),
    ("KHR_texture_basisu", Support::Full, ""),
    ("KHR_texture_transform", Support::Full, ""),
    ("VRM", Support::Approximate, AVATAR),
    ("VRMC_node_constraint", Support::Full, ""),
    ("VRMC_vrm", Support::Approximate, AVATAR),
];

/// Returns the degree of support for an extension, and its differences or losses.
pub fn verdict(extension: &str) -> (Support, &'static str) {
    match SHOWN.iter().find(|(name, _, _)| *name == extension) {
        Some((_, support, differs)) => (*support, differs),
        // A file that does not require an unknown extension says no more of it.
        None => (Support::None, loss(extension).map_or("", Loss::text)),
    }
}

/// The extensions that are shown nearly, by name.
#[cfg(test)]
pub(super) fn approximate() -> impl Iterator<Item = &'static str> {
    SHOWN.iter().filter(|(_, support, _)| *support == Support::Approximate).map(|(name, _, _)| *name)
}

/// Refuses a file that requires an extension without which geometry or poses might be wrong.
pub(super) fn check(document: &Document) -> Result<(), LoadError> {
    version::check(&document.asset)?;
    for (index, name) in document.extensions_required.iter().enumerate() {
        if verdict(name).0 != Support::None {
            continue;
        }
        let lost = match loss(name) {
            Some(Loss::Shape(lost)) => lost,
            Some(Loss::Look(_)) => continue,
            None => "data that the file requires would be missing",
        };
        let message = format!("{} is not supported; without it, {lost}", quoted(name));
        return Err(unsupported(&format!("extensionsRequired[{index}]"), message));
    }
    Ok(())
}

fn unsupported(path: &str, message: String) -> LoadError {
    LoadError::Unsupported { path: path.to_owned(), message }
}

/// The effect of an extension that is not supported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Loss {
    /// Vertices or poses would be wrong.
    Shape(&'static str),
    /// Vertices and poses are right; the picture or the behaviour is not.
    Look(&'static str),
}

impl Loss {
    fn text(self) -> &'static str {
        match self {
            Self::Shape(text) | Self::Look(text) => text,
        }
    }
}

/// Returns the effect of an extension that is not supported; `None` if it is not known.
fn loss(extension: &str) -> Option<Loss> {
    let stem = |from: &[&str]| from.iter().any(|from| extension.starts_with(from));
    Some(match extension {
        "MESHOPT_compression" => {
            Loss::Shape("the compressed buffers cannot be read (decompress the file first)")
        }
        "CESIUM_RTC" => Loss::Shape("the model would be elsewhere"),
        "KHR_gaussian_splatting" => Loss::Shape("splats would be points"),
        "EXT_texture_avif" | "MSFT_texture_dds" => {
            Loss::Look("its images are not read, and surfaces are shown without them")
        }
        "KHR_techniques_webgl" => Loss::Look("its materials are shown white"),
        "KHR_node_visibility" => Loss::Look("hidden parts are shown"),
        "KHR_lights_environment" | "EXT_lights_image_based" | "EXT_lights_ies" => {
            Loss::Look("its lights are missing")
        }
        "MSFT_lod" => Loss::Look("only the finest level of detail is shown"),
        "VRMC_vrm_animation" => Loss::Look("what it says of an avatar is left out"),
        "VRMC_springBone" | "VRMC_springBone_extended_collider" => Loss::Look("its springs do not swing"),
        "VRMC_materials_mtoon" | "VRMC_materials_hdr_emissiveMultiplier" => {
            Loss::Look("its materials are shown without toon shading")
        }
        _ if stem(&["KHR_materials_", "EXT_materials_", "ADOBE_materials_", "MSFT_packing_"]) => {
            Loss::Look("this part of its materials is left out")
        }
        _ if stem(&["KHR_texture_", "EXT_texture_"]) => Loss::Look("this part of its textures is left out"),
        _ if stem(&["KHR_audio", "KHR_interactivity", "KHR_node_selectability", "KHR_node_hoverability"]) => {
            Loss::Look("nothing answers to clicks or sounds")
        }
        _ if stem(&["KHR_physics_", "KHR_implicit_shapes", "OMI_"]) => {
            Loss::Look("nothing falls or collides")
        }
        _ if stem(&["KHR_xmp", "EXT_structural_metadata", "EXT_mesh_features", "EXT_instance_features"]) => {
            Loss::Look("what it says of the file's parts is left out")
        }
        _ => return None,
    })
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
        let text = required("CESIUM_RTC");
        assert_eq!(
            text,
            "extensionsRequired[1]: 'CESIUM_RTC' is not supported; without it, the model would be elsewhere"
        );
        assert!(required("X").contains("requires"));
        for look in ["EXT_texture_avif", "KHR_materials_iridescence", "VRMC_vrm", "KHR_xmp_json_ld"] {
            assert_eq!(required(look), "ok");
            assert!(!verdict(look).1.is_empty());
        }
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
