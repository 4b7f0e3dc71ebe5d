//! The JSON of cameras, and of extensions of nodes, primitives, views and buffers.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Map, Value};

use super::whole::{by_name, many, optional, required};
use crate::format::error::FormatError;

/// Extensions by name, kept as they are.
pub type Extensions = Map<String, Value>;

/// An extension of the object at `path`, where it has it.
pub fn extension<'a, T: Deserialize<'a>>(
    extensions: &'a Extensions,
    name: &str,
    path: &str,
) -> Result<Option<T>, FormatError> {
    let Some(value) = extensions.get(name) else { return Ok(None) };
    match serde_path_to_error::deserialize(value) {
        Ok(read) => Ok(Some(read)),
        Err(error) => {
            let path = match error.path().to_string() {
                inner if inner == "." => format!("{path}.extensions.{name}"),
                inner => format!("{path}.extensions.{name}.{inner}"),
            };
            Err(FormatError::Json { code: "TYPE_MISMATCH", path, message: error.into_inner().to_string() })
        }
    }
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Camera {
    pub name: String,
    #[serde(rename = "type")]
    pub kind: String,
    pub perspective: Option<Perspective>,
    pub orthographic: Option<Orthographic>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Perspective {
    pub aspect_ratio: Option<f64>,
    pub yfov: Option<f64>,
    pub znear: Option<f64>,
    pub zfar: Option<f64>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Orthographic {
    pub xmag: Option<f64>,
    pub ymag: Option<f64>,
    pub znear: Option<f64>,
    pub zfar: Option<f64>,
}

/// Extensions of the whole file.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct DocumentExtensions {
    #[serde(rename = "KHR_lights_punctual")]
    pub lights: Option<Lights>,
    #[serde(rename = "KHR_materials_variants")]
    pub variants: Option<Variants>,
    #[serde(rename = "VRM")]
    pub older_avatar: Option<Value>,
    #[serde(rename = "VRMC_vrm")]
    pub avatar: Option<Value>,
    #[serde(rename = "VRMC_springBone")]
    pub springs: Option<Value>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Variants {
    pub variants: Vec<Variant>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Variant {
    pub name: String,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Lights {
    pub lights: Vec<Light>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Light {
    pub name: String,
    #[serde(rename = "type")]
    pub kind: String,
    pub color: Option<[f64; 3]>,
    pub intensity: Option<f64>,
    pub range: Option<f64>,
    pub spot: Option<Spot>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Spot {
    pub inner_cone_angle: Option<f64>,
    pub outer_cone_angle: Option<f64>,
}

/// Extensions of a node.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct NodeExtensions {
    #[serde(rename = "KHR_lights_punctual")]
    pub light: Option<LightUse>,
    #[serde(rename = "EXT_mesh_gpu_instancing")]
    pub instancing: Option<Instancing>,
    #[serde(rename = "VRMC_node_constraint")]
    pub constraint: Option<NodeConstraint>,
}

#[derive(Debug, Deserialize)]
pub struct NodeConstraint {
    #[serde(default)]
    pub constraint: OneConstraint,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct OneConstraint {
    pub roll: Option<Follows>,
    pub aim: Option<Follows>,
    pub rotation: Option<Follows>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Follows {
    #[serde(deserialize_with = "required")]
    pub source: usize,
    pub roll_axis: Option<String>,
    pub aim_axis: Option<String>,
    pub weight: Option<f64>,
}

#[derive(Debug, Deserialize)]
pub struct LightUse {
    #[serde(deserialize_with = "required")]
    pub light: usize,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Instancing {
    #[serde(deserialize_with = "by_name")]
    pub attributes: BTreeMap<String, usize>,
}

/// Extensions of a buffer view. Both names mean the same.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct ViewExtensions {
    #[serde(rename = "EXT_meshopt_compression")]
    pub ext_meshopt: Option<Meshopt>,
    #[serde(rename = "KHR_meshopt_compression")]
    pub khr_meshopt: Option<Meshopt>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Meshopt {
    #[serde(deserialize_with = "required")]
    pub buffer: usize,
    #[serde(default, deserialize_with = "optional")]
    pub byte_offset: Option<usize>,
    #[serde(deserialize_with = "required")]
    pub byte_length: usize,
    #[serde(deserialize_with = "required")]
    pub byte_stride: usize,
    #[serde(deserialize_with = "required")]
    pub count: usize,
    pub mode: String,
    pub filter: Option<String>,
}

/// Extensions of a primitive.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct PrimitiveExtensions {
    #[serde(rename = "KHR_draco_mesh_compression")]
    pub draco: Option<Draco>,
    #[serde(rename = "KHR_materials_variants")]
    pub variants: Option<Mappings>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Mappings {
    pub mappings: Vec<Mapping>,
}

#[derive(Debug, Deserialize)]
pub struct Mapping {
    #[serde(default, deserialize_with = "many")]
    pub variants: Vec<usize>,
    #[serde(deserialize_with = "required")]
    pub material: usize,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Draco {
    #[serde(deserialize_with = "required")]
    pub buffer_view: usize,
    #[serde(deserialize_with = "by_name")]
    pub attributes: BTreeMap<String, usize>,
}

/// Extensions of a buffer.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct BufferExtensions {
    #[serde(rename = "EXT_meshopt_compression")]
    pub ext_meshopt: Fallback,
    #[serde(rename = "KHR_meshopt_compression")]
    pub khr_meshopt: Fallback,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Fallback {
    pub fallback: bool,
}
