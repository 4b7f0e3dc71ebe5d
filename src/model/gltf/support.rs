//! Whether a file needs only what sinew does: format version and required extensions.
//! It must not know what the supported extensions do.

use super::error::LoadError;
use super::json::Document;
use super::report::quoted;

/// Extensions that a file may require, because the loader does what they ask.
const SUPPORTED: [&str; 3] = ["KHR_animation_pointer", "KHR_mesh_quantization", "KHR_materials_unlit"];

/// Refuses a file that cannot be shown as it is meant.
pub fn check(document: &Document) -> Result<(), LoadError> {
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
        if !SUPPORTED.contains(&name.as_str()) {
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

fn what_is_lost(extension: &str) -> &'static str {
    match extension {
        "KHR_draco_mesh_compression" => "the compressed meshes cannot be read (decompress the file first)",
        "EXT_meshopt_compression" | "KHR_meshopt_compression" | "MESHOPT_compression" => {
            "the compressed buffers cannot be read (decompress the file first)"
        }
        "KHR_texture_basisu" | "EXT_texture_webp" | "EXT_texture_avif" | "MSFT_texture_dds" => {
            "the pictures cannot be read"
        }
        "KHR_texture_transform" => "pictures would lie in the wrong place",
        "EXT_mesh_gpu_instancing" => "copies of meshes would be missing",
        "KHR_materials_pbrSpecularGlossiness" | "KHR_techniques_webgl" | "KHR_materials_variants" => {
            "materials would be wrong"
        }
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
    }
}
