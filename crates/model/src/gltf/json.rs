//! The JSON of a glTF file as structs, as far as sinew reads it, in the format's own words.
//! It must not know what indices refer to or whether they are in range.

mod extension;
mod extras;
pub mod version;

use std::collections::BTreeMap;

use serde::de::{self, Deserializer, Visitor};
use serde::{Deserialize, de::Unexpected};
use serde_json::{Map, Value};

pub use extension::*;

use self::version::Version;
use super::error::LoadError;

/// Parses the text; an error carries the JSON path of the value at fault.
pub fn parse(text: &[u8]) -> Result<Document, LoadError> {
    if text.trim_ascii_start().first() != Some(&b'{') {
        let message = "neither a GLB nor a JSON object".to_owned();
        return Err(LoadError::Json { code: "INVALID_JSON", path: String::new(), message });
    }
    let broken = |path: String, error: serde_json::Error| {
        let message = error.to_string();
        let code = match error.is_data() {
            true if message.starts_with("missing field") => "UNDEFINED_PROPERTY",
            true => "TYPE_MISMATCH",
            false => "INVALID_JSON",
        };
        LoadError::Json { code, path, message }
    };
    let mut deserializer = serde_json::Deserializer::from_slice(text);
    let document =
        serde_path_to_error::deserialize(&mut deserializer).map_err(|error| match version::of(text) {
            // Its objects where arrays should be are not what is wrong with the file.
            Version::One => {
                LoadError::Unsupported { path: "asset.version".to_owned(), message: version::ONE.to_owned() }
            }
            Version::Other => broken(error.path().to_string(), error.into_inner()),
        })?;
    deserializer.end().map_err(|error| broken(String::new(), error))?;
    Ok(document)
}

/// Extensions by name, kept as they are.
pub type Extensions = Map<String, Value>;

/// An extension of the object at `path`, where it has it.
pub fn extension<'a, T: Deserialize<'a>>(
    extensions: &'a Extensions,
    name: &str,
    path: &str,
) -> Result<Option<T>, LoadError> {
    let Some(value) = extensions.get(name) else { return Ok(None) };
    match serde_path_to_error::deserialize(value) {
        Ok(read) => Ok(Some(read)),
        Err(error) => {
            let path = match error.path().to_string() {
                inner if inner == "." => format!("{path}.extensions.{name}"),
                inner => format!("{path}.extensions.{name}.{inner}"),
            };
            Err(LoadError::Json { code: "TYPE_MISMATCH", path, message: error.into_inner().to_string() })
        }
    }
}

/// The image that an extension of a texture, such as EXT_texture_webp, names.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct TextureSource {
    #[serde(deserialize_with = "optional")]
    pub source: Option<usize>,
}

/// KHR_texture_transform.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct TextureTransform {
    pub offset: Option<[f64; 2]>,
    pub rotation: Option<f64>,
    pub scale: Option<[f64; 2]>,
    #[serde(deserialize_with = "optional")]
    pub tex_coord: Option<usize>,
}

/// The whole file.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Document {
    pub asset: Asset,
    #[serde(default)]
    pub extensions_used: Vec<String>,
    #[serde(default)]
    pub extensions_required: Vec<String>,
    #[serde(default, deserialize_with = "optional")]
    pub scene: Option<usize>,
    #[serde(default)]
    pub scenes: Vec<Scene>,
    #[serde(default)]
    pub nodes: Vec<Node>,
    #[serde(default)]
    pub meshes: Vec<Mesh>,
    #[serde(default)]
    pub skins: Vec<Skin>,
    #[serde(default)]
    pub animations: Vec<Animation>,
    #[serde(default)]
    pub materials: Vec<Material>,
    #[serde(default)]
    pub textures: Vec<Texture>,
    #[serde(default)]
    pub images: Vec<Image>,
    #[serde(default)]
    pub samplers: Vec<TextureSampler>,
    #[serde(default)]
    pub accessors: Vec<Accessor>,
    #[serde(default)]
    pub buffer_views: Vec<BufferView>,
    #[serde(default)]
    pub buffers: Vec<Buffer>,
    #[serde(default)]
    pub cameras: Vec<Camera>,
    #[serde(default)]
    pub extensions: DocumentExtensions,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Asset {
    pub version: String,
    pub min_version: Option<String>,
    pub generator: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Scene {
    pub name: String,
    #[serde(deserialize_with = "many")]
    pub nodes: Vec<usize>,
}

// Boxes keep a node without a transform small: files may have a million of them.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Node {
    pub name: String,
    #[serde(deserialize_with = "many")]
    pub children: Vec<usize>,
    #[serde(deserialize_with = "optional")]
    pub mesh: Option<usize>,
    #[serde(deserialize_with = "optional")]
    pub skin: Option<usize>,
    #[serde(deserialize_with = "optional")]
    pub camera: Option<usize>,
    pub extensions: Option<Box<NodeExtensions>>,
    pub matrix: Option<Box<[f64; 16]>>,
    pub translation: Option<Box<[f64; 3]>>,
    pub rotation: Option<Box<[f64; 4]>>,
    pub scale: Option<Box<[f64; 3]>>,
    pub weights: Vec<f64>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Mesh {
    pub name: String,
    pub primitives: Vec<Primitive>,
    pub weights: Vec<f64>,
    #[serde(rename = "extras", deserialize_with = "extras::target_names")]
    pub target_names: Vec<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Primitive {
    #[serde(deserialize_with = "by_name")]
    pub attributes: BTreeMap<String, usize>,
    #[serde(deserialize_with = "optional")]
    pub indices: Option<usize>,
    #[serde(deserialize_with = "optional")]
    pub material: Option<usize>,
    #[serde(deserialize_with = "optional")]
    pub mode: Option<usize>,
    #[serde(deserialize_with = "many_by_name")]
    pub targets: Vec<BTreeMap<String, usize>>,
    pub extensions: Option<Box<PrimitiveExtensions>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Skin {
    pub name: String,
    #[serde(deserialize_with = "many")]
    pub joints: Vec<usize>,
    #[serde(deserialize_with = "optional")]
    pub inverse_bind_matrices: Option<usize>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Animation {
    pub name: String,
    pub channels: Vec<Channel>,
    pub samplers: Vec<Sampler>,
}

#[derive(Debug, Deserialize)]
pub struct Channel {
    #[serde(deserialize_with = "required")]
    pub sampler: usize,
    pub target: Target,
}

#[derive(Debug, Deserialize)]
pub struct Target {
    #[serde(default, deserialize_with = "optional")]
    pub node: Option<usize>,
    pub path: String,
    #[serde(default)]
    pub extensions: Extensions,
}

#[derive(Debug, Deserialize)]
pub struct Sampler {
    #[serde(deserialize_with = "required")]
    pub input: usize,
    #[serde(deserialize_with = "required")]
    pub output: usize,
    pub interpolation: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Material {
    pub name: String,
    pub pbr_metallic_roughness: Option<Box<MetallicRoughness>>,
    pub normal_texture: Option<Box<TextureInfo>>,
    pub occlusion_texture: Option<Box<TextureInfo>>,
    pub emissive_texture: Option<Box<TextureInfo>>,
    pub emissive_factor: Option<[f64; 3]>,
    pub alpha_mode: Option<String>,
    pub alpha_cutoff: Option<f64>,
    pub double_sided: bool,
    pub extensions: Extensions,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct MetallicRoughness {
    pub base_color_factor: Option<[f64; 4]>,
    pub metallic_factor: Option<f64>,
    pub roughness_factor: Option<f64>,
    pub base_color_texture: Option<TextureInfo>,
    pub metallic_roughness_texture: Option<TextureInfo>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TextureInfo {
    #[serde(deserialize_with = "required")]
    pub index: usize,
    #[serde(default, deserialize_with = "optional")]
    pub tex_coord: Option<usize>,
    /// Of normal textures only.
    pub scale: Option<f64>,
    /// Of occlusion textures only.
    pub strength: Option<f64>,
    #[serde(default)]
    pub extensions: Extensions,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Texture {
    #[serde(deserialize_with = "optional")]
    pub sampler: Option<usize>,
    #[serde(deserialize_with = "optional")]
    pub source: Option<usize>,
    pub extensions: Extensions,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct TextureSampler {
    #[serde(deserialize_with = "optional")]
    pub mag_filter: Option<usize>,
    #[serde(deserialize_with = "optional")]
    pub min_filter: Option<usize>,
    #[serde(deserialize_with = "optional")]
    pub wrap_s: Option<usize>,
    #[serde(deserialize_with = "optional")]
    pub wrap_t: Option<usize>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Image {
    pub uri: Option<String>,
    /// A text, but what is none does not keep the picture from being shown.
    pub mime_type: Option<serde_json::Value>,
    #[serde(deserialize_with = "optional")]
    pub buffer_view: Option<usize>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Accessor {
    #[serde(default, deserialize_with = "optional")]
    pub buffer_view: Option<usize>,
    #[serde(default, deserialize_with = "optional")]
    pub byte_offset: Option<usize>,
    #[serde(deserialize_with = "required")]
    pub component_type: usize,
    #[serde(default)]
    pub normalized: bool,
    #[serde(deserialize_with = "required")]
    pub count: usize,
    #[serde(rename = "type")]
    pub kind: String,
    pub sparse: Option<Box<Sparse>>,
}

#[derive(Debug, Deserialize)]
pub struct Sparse {
    #[serde(deserialize_with = "required")]
    pub count: usize,
    pub indices: SparseIndices,
    pub values: SparseValues,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SparseIndices {
    #[serde(deserialize_with = "required")]
    pub buffer_view: usize,
    #[serde(default, deserialize_with = "optional")]
    pub byte_offset: Option<usize>,
    #[serde(deserialize_with = "required")]
    pub component_type: usize,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SparseValues {
    #[serde(deserialize_with = "required")]
    pub buffer_view: usize,
    #[serde(default, deserialize_with = "optional")]
    pub byte_offset: Option<usize>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct BufferView {
    #[serde(deserialize_with = "required")]
    pub buffer: usize,
    #[serde(default, deserialize_with = "optional")]
    pub byte_offset: Option<usize>,
    #[serde(deserialize_with = "required")]
    pub byte_length: usize,
    #[serde(default, deserialize_with = "optional")]
    pub byte_stride: Option<usize>,
    pub extensions: Option<Box<ViewExtensions>>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Buffer {
    pub uri: Option<String>,
    #[serde(deserialize_with = "required")]
    pub byte_length: usize,
    #[serde(default)]
    pub extensions: BufferExtensions,
}

/// A whole number, which writers in languages without integers may spell `3.0`.
struct Whole(usize);

impl<'de> Deserialize<'de> for Whole {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(WholeVisitor)
    }
}

struct WholeVisitor;

impl Visitor<'_> for WholeVisitor {
    type Value = Whole;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a whole number from 0")
    }

    fn visit_u64<E: de::Error>(self, value: u64) -> Result<Whole, E> {
        usize::try_from(value).map(Whole).map_err(|_| E::invalid_value(Unexpected::Unsigned(value), &self))
    }

    fn visit_f64<E: de::Error>(self, value: f64) -> Result<Whole, E> {
        // Above 2⁵³ a float no longer says which whole number was meant.
        const EXACT: f64 = 9_007_199_254_740_992.0;
        if value.fract() == 0.0 && (0.0..=EXACT).contains(&value) {
            self.visit_u64(value as u64)
        } else {
            Err(E::invalid_value(Unexpected::Float(value), &self))
        }
    }
}

fn required<'de, D: Deserializer<'de>>(deserializer: D) -> Result<usize, D::Error> {
    Whole::deserialize(deserializer).map(|whole| whole.0)
}

fn optional<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<usize>, D::Error> {
    Ok(Option::<Whole>::deserialize(deserializer)?.map(|whole| whole.0))
}

fn many<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<usize>, D::Error> {
    Ok(Vec::<Whole>::deserialize(deserializer)?.into_iter().map(|whole| whole.0).collect())
}

fn by_name<'de, D: Deserializer<'de>>(deserializer: D) -> Result<BTreeMap<String, usize>, D::Error> {
    let map = BTreeMap::<String, Whole>::deserialize(deserializer)?;
    Ok(map.into_iter().map(|(name, whole)| (name, whole.0)).collect())
}

fn many_by_name<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Vec<BTreeMap<String, usize>>, D::Error> {
    let maps = Vec::<BTreeMap<String, Whole>>::deserialize(deserializer)?;
    let numbers =
        |map: BTreeMap<String, Whole>| map.into_iter().map(|(name, whole)| (name, whole.0)).collect();
    Ok(maps.into_iter().map(numbers).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(text: &str) -> String {
        parse(text.as_bytes()).unwrap_err().to_string()
    }

    #[test]
    fn floats_may_stand_for_whole_numbers() {
        let text = r#"{"asset": {"version": "2.0"}, "scene": 1.0,
            "nodes": [{"children": [2.0, 3e0]}],
            "meshes": [{"primitives": [{"attributes": {"POSITION": 4.0}}]}]}"#;
        let document = parse(text.as_bytes()).unwrap();
        assert_eq!(document.scene, Some(1));
        assert_eq!(document.nodes[0].children, [2, 3]);
        assert_eq!(document.meshes[0].primitives[0].attributes["POSITION"], 4);
    }

    #[test]
    fn errors_carry_the_path() {
        let text = error(r#"{"asset": {"version": "2.0"}, "nodes": [{}, {"children": [1, 2.5]}]}"#);
        assert!(text.starts_with("nodes[1].children[1]: "), "{text}");
        let text = error(
            r#"{"asset": {"version": "2.0"}, "meshes": [{"primitives": [{"attributes": {"A": -1}}]}]}"#,
        );
        assert!(text.starts_with("meshes[0].primitives[0].attributes.A: "), "{text}");
        assert!(error(r#"{"asset": {}}"#).contains("version"));
        assert!(error(r#"{"asset": {"version": "2.0"}} x"#).contains("trailing"));
        let text = error(
            "{\"asset\": {\"version\": \"2.0\"}, \"meshes\": [{\"primitives\": [{\"attributes\": {\"A\\nB\": -1}}]}]}",
        );
        assert!(!text.contains('\n'), "{text}");
    }

    #[test]
    fn hostile_text_is_refused() {
        for text in [
            "",
            "null",
            "[]",
            "{",
            "\u{0}",
            "{\"asset\":{\"version\":\"2.0\"},\"asset\":{\"version\":\"2.0\"}}",
        ] {
            assert!(parse(text.as_bytes()).is_err(), "{text}");
        }
        assert!(parse(&[0xff, 0xfe]).is_err());
        let deep = format!("{{\"asset\": {{\"version\": \"2.0\"}}, \"x\": {}", "[".repeat(1_000_000));
        assert!(parse(deep.as_bytes()).is_err());
    }
}
