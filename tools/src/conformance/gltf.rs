//! Builds glTF files piece by piece, with exactly the features that a recipe asks for. It must not depend on sinew's writer.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

/// Component types, as glTF numbers them.
pub const I8: u32 = 5120;
pub const U8: u32 = 5121;
pub const I16: u32 = 5122;
pub const U16: u32 = 5123;
pub const F32: u32 = 5126;

/// A file: its JSON, and the bytes of its first buffer.
#[derive(Clone, Debug)]
pub struct Gltf {
    pub json: Value,
    pub bytes: Vec<u8>,
}

impl Default for Gltf {
    fn default() -> Self {
        let asset = json!({"version": "2.0", "generator": "sinew conformance"});
        Self { json: json!({"asset": asset, "buffers": [{}]}), bytes: Vec::new() }
    }
}

impl Gltf {
    /// Adds an object to a list of the root; returns its number.
    pub fn push(&mut self, list: &str, object: Value) -> usize {
        let entry = &mut self.json[list];
        if entry.is_null() {
            *entry = json!([]);
        }
        let list = entry.as_array_mut().expect("every list of the root is an array");
        list.push(object);
        list.len() - 1
    }

    /// Adds bytes at a multiple of four; returns where they begin.
    pub fn store(&mut self, bytes: &[u8]) -> usize {
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
        let at = self.bytes.len();
        self.bytes.extend(bytes);
        at
    }

    /// Adds a view of bytes.
    pub fn view(&mut self, bytes: &[u8]) -> usize {
        let at = self.store(bytes);
        self.push("bufferViews", json!({"buffer": 0, "byteOffset": at, "byteLength": bytes.len()}))
    }

    /// Adds an accessor of packed elements, whose count follows from the bytes.
    pub fn accessor(&mut self, kind: &str, component: u32, bytes: &[u8]) -> usize {
        let count = bytes.len() / (width(kind) * size(component));
        let view = self.view(bytes);
        let object = json!({"bufferView": view, "componentType": component, "type": kind, "count": count});
        self.push("accessors", object)
    }

    /// Adds an accessor of floats.
    pub fn floats(&mut self, kind: &str, values: &[f32]) -> usize {
        self.accessor(kind, F32, &bytes_of(values))
    }

    /// Adds an accessor of floats with its smallest and largest values.
    pub fn bounded(&mut self, kind: &str, values: &[f32]) -> usize {
        let accessor = self.floats(kind, values);
        let (least, most) = bounds(values, width(kind));
        self.json["accessors"][accessor]["min"] = json!(least);
        self.json["accessors"][accessor]["max"] = json!(most);
        accessor
    }

    /// The first primitive of the first mesh.
    pub fn primitive(&mut self) -> &mut Value {
        &mut self.json["meshes"][0]["primitives"][0]
    }

    /// A node.
    pub fn node(&mut self, number: usize) -> &mut Value {
        &mut self.json["nodes"][number]
    }

    /// Names an extension; one that is required cannot be ignored.
    pub fn extension(&mut self, name: &str, is_required: bool) {
        self.push("extensionsUsed", json!(name));
        if is_required {
            self.push("extensionsRequired", json!(name));
        }
    }

    /// Drops views that nothing uses, with their bytes.
    pub fn drop_unused_views(&mut self) {
        let old = (std::mem::take(&mut self.bytes), self.json["bufferViews"].take());
        let mut kept: Vec<(Value, usize)> = Vec::new();
        let mut json = self.json.take();
        let mut keep = |view: &mut Value, file: &mut Self| {
            let place =
                kept.iter().find(|(known, _)| known == view).map(|(_, place)| *place).unwrap_or_else(|| {
                    let mut object = old.1[view.as_u64().unwrap_or(0) as usize].clone();
                    let [at, length] =
                        ["byteOffset", "byteLength"].map(|key| object[key].as_u64().unwrap_or(0) as usize);
                    object["byteOffset"] = json!(file.store(&old.0[at..at + length]));
                    let place = file.push("bufferViews", object);
                    kept.push((view.clone(), place));
                    place
                });
            *view = json!(place);
        };
        for_each_view(&mut json, &mut |view| keep(view, self));
        json["bufferViews"] = self.json["bufferViews"].take();
        self.json = json;
    }

    /// Says which views hold vertices and which indices. It reads what primitives name.
    fn set_targets(&mut self) {
        let meshes = self.json["meshes"].as_array().cloned().unwrap_or_default();
        let primitives = meshes.iter().flat_map(|mesh| mesh["primitives"].as_array().into_iter().flatten());
        for primitive in primitives {
            let targets = primitive["targets"].as_array().into_iter().flatten();
            let vertices = [&primitive["attributes"]].into_iter().chain(targets).filter_map(Value::as_object);
            let vertices =
                vertices.flat_map(|attributes| attributes.values().map(|accessor| (accessor, 34962)));
            for (accessor, target) in vertices.chain([(&primitive["indices"], 34963)]) {
                let Some(accessor) = accessor.as_u64() else { continue };
                if let Some(view) = self.json["accessors"][accessor as usize]["bufferView"].as_u64() {
                    self.json["bufferViews"][view as usize]["target"] = json!(target);
                }
            }
        }
    }

    /// The file as `.glb`.
    pub fn glb(mut self) -> Vec<u8> {
        self.set_targets();
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
        self.json["buffers"][0]["byteLength"] = json!(self.bytes.len());
        let mut text = self.json.to_string().into_bytes();
        text.resize(text.len().next_multiple_of(4), b' ');
        let chunk = |kind: &[u8; 4], content: &[u8]| {
            [&(content.len() as u32).to_le_bytes(), &kind[..], content].concat()
        };
        let chunks = [chunk(b"JSON", &text), chunk(b"BIN\0", &self.bytes)].concat();
        let length = (12 + chunks.len() as u32).to_le_bytes();
        [b"glTF", &2_u32.to_le_bytes()[..], &length, &chunks].concat()
    }

    /// The file as `.gltf`, with its buffer in the text.
    pub fn text(mut self) -> Vec<u8> {
        self.set_targets();
        let uri = format!("data:application/octet-stream;base64,{}", STANDARD.encode(&self.bytes));
        self.json["buffers"][0] = json!({"byteLength": self.bytes.len(), "uri": uri});
        format!("{:#}\n", self.json).into_bytes()
    }
}

/// Calls `each` with every number of a view.
fn for_each_view(json: &mut Value, each: &mut impl FnMut(&mut Value)) {
    match json {
        Value::Array(list) => list.iter_mut().for_each(|value| for_each_view(value, each)),
        Value::Object(object) => object.iter_mut().for_each(|(key, value)| match key.as_str() {
            "bufferView" => each(value),
            _ => for_each_view(value, each),
        }),
        _ => {}
    }
}

/// The little-endian bytes of floats.
pub fn bytes_of(values: &[f32]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_le_bytes()).collect()
}

/// The little-endian bytes of 16-bit numbers.
pub fn shorts_of(values: &[u16]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_le_bytes()).collect()
}

/// The smallest and largest value of each component.
pub fn bounds(values: &[f32], width: usize) -> (Vec<f32>, Vec<f32>) {
    let of = |component: usize, pick: fn(f32, f32) -> f32| {
        values.iter().copied().skip(component).step_by(width).reduce(pick).unwrap_or(0.0)
    };
    ((0..width).map(|c| of(c, f32::min)).collect(), (0..width).map(|c| of(c, f32::max)).collect())
}

fn width(kind: &str) -> usize {
    match kind {
        "SCALAR" => 1,
        "VEC2" => 2,
        "VEC3" => 3,
        "VEC4" => 4,
        _ => 16,
    }
}

fn size(component: u32) -> usize {
    match component {
        U8 | I8 => 1,
        U16 | I16 => 2,
        _ => 4,
    }
}
