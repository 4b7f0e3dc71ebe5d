//! A glTF file of JSON and bytes that tests build and change.

#![allow(dead_code, reason = "each test binary uses a part")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on has failed")]

use serde_json::{Value, json};
use sinew_model::gltf::{LoadError, load_bytes};
use sinew_model::{Channel, Model};

/// The component type of `f32`.
pub const FLOAT: u32 = 5126;

/// A GLB under construction.
#[derive(Clone)]
pub struct File {
    /// The JSON chunk.
    pub json: Value,
    /// The binary chunk.
    pub binary: Vec<u8>,
}

impl File {
    /// A file with an empty buffer.
    pub fn new(mut json: Value) -> Self {
        json["buffers"] = json!([{"byteLength": 0}]);
        json["bufferViews"] = json!([]);
        json["accessors"] = json!([]);
        Self { json, binary: Vec::new() }
    }

    /// Adds bytes as a new buffer view.
    pub fn view(&mut self, bytes: &[u8]) -> usize {
        while !self.binary.len().is_multiple_of(4) {
            self.binary.push(0);
        }
        let offset = self.binary.len();
        self.binary.extend(bytes);
        self.json["buffers"][0]["byteLength"] = self.binary.len().into();
        let views = self.json["bufferViews"].as_array_mut().unwrap();
        views.push(json!({"buffer": 0, "byteOffset": offset, "byteLength": bytes.len()}));
        views.len() - 1
    }

    /// Adds an accessor with its own buffer view.
    pub fn accessor(
        &mut self,
        kind: &str,
        component: u32,
        normalized: bool,
        count: usize,
        bytes: &[u8],
    ) -> usize {
        let view = self.view(bytes);
        let accessors = self.json["accessors"].as_array_mut().unwrap();
        accessors.push(json!({"bufferView": view, "componentType": component, "normalized": normalized,
            "count": count, "type": kind}));
        accessors.len() - 1
    }

    /// Adds an accessor of floats.
    pub fn floats(&mut self, kind: &str, numbers: &[f32]) -> usize {
        self.accessor(kind, FLOAT, false, numbers.len() / width(kind), &floats(numbers))
    }

    /// Overwrites a float of an accessor with its own view.
    pub fn set_float(&mut self, accessor: usize, at: usize, value: f32) {
        self.set_bytes(accessor, at * 4, &value.to_le_bytes());
    }

    /// Overwrites bytes of an accessor with its own view.
    pub fn set_bytes(&mut self, accessor: usize, at: usize, bytes: &[u8]) {
        let view = self.json["accessors"][accessor]["bufferView"].as_u64().unwrap() as usize;
        let start = self.json["bufferViews"][view]["byteOffset"].as_u64().unwrap() as usize + at;
        self.binary[start..start + bytes.len()].copy_from_slice(bytes);
    }

    /// The first primitive's JSON.
    pub fn primitive(&mut self) -> &mut Value {
        &mut self.json["meshes"][0]["primitives"][0]
    }

    /// The whole file as a GLB.
    pub fn glb(&self) -> Vec<u8> {
        glb(self.json.to_string().as_bytes(), &self.binary)
    }

    /// Loads the file.
    pub fn load(&self) -> Result<Model, LoadError> {
        load_bytes(&self.glb(), None)
    }

    /// The first clip's channels, and the codes and texts of warnings about clips.
    pub fn channels(&self) -> (Vec<Channel>, Vec<String>) {
        let mut model = self.load().unwrap();
        let of_clips = model.warnings.iter().filter(|warning| warning.path.starts_with("animations"));
        let warnings = of_clips.map(|w| format!("{} {}: {}", w.code, w.path, w.message)).collect();
        (model.clips.remove(0).channels, warnings)
    }
}

fn width(kind: &str) -> usize {
    match kind {
        "SCALAR" => 1,
        "VEC2" => 2,
        "VEC3" => 3,
        "VEC4" => 4,
        "MAT4" => 16,
        other => panic!("{other}"),
    }
}

/// A GLB with any text and bytes.
pub fn glb(json: &[u8], binary: &[u8]) -> Vec<u8> {
    let mut body = Vec::new();
    for (kind, data, padding) in [(b"JSON", json, b' '), (b"BIN\0", binary, 0)] {
        let padded = data.len().next_multiple_of(4);
        body.extend((padded as u32).to_le_bytes());
        body.extend(kind);
        body.extend(data);
        body.resize(body.len() + padded - data.len(), padding);
    }
    let mut out = b"glTF\x02\0\0\0".to_vec();
    out.extend((12 + body.len() as u32).to_le_bytes());
    out.extend(body);
    out
}

/// Floats as a file stores them.
pub fn floats(values: &[f32]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_le_bytes()).collect()
}
