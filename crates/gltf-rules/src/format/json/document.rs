//! The JSON of scenes, nodes, meshes, skins and animations.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::data::{Accessor, Buffer, BufferView};
use super::drivers::{self, StoredDriver};
use super::extension::{Camera, DocumentExtensions, Extensions, NodeExtensions, PrimitiveExtensions};
use super::extras;
use super::material::{Image, Material, Texture, TextureSampler};
use super::whole::{by_name, many, many_by_name, optional, required};

/// The whole file.
#[derive(Debug, Default, Deserialize)]
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

#[derive(Debug, Default, Deserialize)]
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
    /// The drivers of its morph weights.
    #[serde(rename = "extras", deserialize_with = "drivers::drivers")]
    pub drivers: Box<[StoredDriver]>,
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
    /// The method that sinew has noted, if any.
    #[serde(rename = "extras", deserialize_with = "extras::skinning")]
    pub skinning: Vec<String>,
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
    pub target: ChannelTarget,
}

#[derive(Debug, Default, Deserialize)]
pub struct ChannelTarget {
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
