//! The JSON of accessors, buffer views and buffers.

use serde::Deserialize;

use super::extension::{BufferExtensions, ViewExtensions};
use super::whole::{optional, required};

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
    /// True if a decoder made its numbers, which are then on a grid.
    #[serde(skip)]
    pub is_decoded: bool,
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
