//! A textured square with two joints and a clip, as JSON and bytes that tests may change.
//! It must not know which changes they make.

use serde_json::{Value, json};

/// A GLB before it is put together.
#[derive(Clone)]
pub struct Character {
    /// The JSON chunk.
    pub json: Value,
    /// The binary chunk.
    pub binary: Vec<u8>,
}

/// The accessors by name, so that changes say what they change.
pub mod accessor {
    pub const POSITION: usize = 0;
    pub const NORMAL: usize = 1;
    pub const TANGENT: usize = 2;
    pub const TEXCOORD: usize = 3;
    pub const COLOR: usize = 4;
    pub const JOINTS: usize = 5;
    pub const WEIGHTS: usize = 6;
    pub const INDICES: usize = 7;
    pub const MATRICES: usize = 8;
    pub const TIMES: usize = 9;
    pub const ROTATIONS: usize = 10;
}

impl Character {
    /// The character as it should be: it loads without a warning.
    pub fn new() -> Self {
        let json = json!({
            "asset": {"version": "2.0"},
            "scene": 0,
            "scenes": [{"nodes": [2, 0]}],
            "nodes": [
                {"name": "hip", "children": [1]},
                {"name": "knee", "translation": [0, 1, 0]},
                {"name": "body", "mesh": 0, "skin": 0},
            ],
            "meshes": [{"name": "square", "primitives": [{
                "attributes": {
                    "POSITION": accessor::POSITION, "NORMAL": accessor::NORMAL,
                    "TANGENT": accessor::TANGENT, "TEXCOORD_0": accessor::TEXCOORD,
                    "COLOR_0": accessor::COLOR, "JOINTS_0": accessor::JOINTS,
                    "WEIGHTS_0": accessor::WEIGHTS,
                },
                "indices": accessor::INDICES,
                "material": 0,
            }]}],
            "skins": [{"joints": [0, 1], "inverseBindMatrices": accessor::MATRICES}],
            "animations": [{"name": "bend",
                "samplers": [{"input": accessor::TIMES, "output": accessor::ROTATIONS}],
                "channels": [{"sampler": 0, "target": {"node": 1, "path": "rotation"}}],
            }],
            "materials": [{"name": "skin", "pbrMetallicRoughness": {
                "baseColorFactor": [0.5, 0.25, 1, 1], "metallicFactor": 0, "roughnessFactor": 0.75,
                "baseColorTexture": {"index": 0},
            }, "doubleSided": true, "alphaMode": "MASK", "alphaCutoff": 0.25}],
            "textures": [{"source": 0}],
            "images": [{}],
            "accessors": [],
            "bufferViews": [],
            "buffers": [{"byteLength": 0}],
        });
        let mut out = Self { json, binary: Vec::new() };
        let square = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 2.0, 0.0], [0.0, 2.0, 0.0]];
        out.accessor("VEC3", 5126, false, 4, &floats(square.as_flattened()));
        out.accessor("VEC3", 5126, false, 4, &floats([[0.0, 0.0, 1.0]; 4].as_flattened()));
        out.accessor("VEC4", 5126, false, 4, &floats([[1.0, 0.0, 0.0, 1.0]; 4].as_flattened()));
        out.accessor(
            "VEC2",
            5123,
            true,
            4,
            [[0, 0], [255, 255], [255, 255], [0, 0]].repeat(2).as_flattened(),
        );
        out.accessor("VEC4", 5121, true, 4, [[255, 0, 51, 255]; 4].as_flattened());
        out.accessor("VEC4", 5121, false, 4, [[0, 1, 0, 0]; 4].as_flattened());
        let weights =
            [[1.0, 0.0, 0.0, 0.0], [0.75, 0.25, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.25, 0.75, 0.0, 0.0]];
        out.accessor("VEC4", 5126, false, 4, &floats(weights.as_flattened()));
        let indices: Vec<u8> = [0_u16, 1, 2, 0, 2, 3].iter().flat_map(|index| index.to_le_bytes()).collect();
        out.accessor("SCALAR", 5123, false, 6, &indices);
        let mut matrices = glam::Mat4::IDENTITY.to_cols_array().to_vec();
        matrices.extend(glam::Mat4::from_translation(-glam::Vec3::Y).to_cols_array());
        out.accessor("MAT4", 5126, false, 2, &floats(&matrices));
        out.accessor("SCALAR", 5126, false, 3, &floats(&[0.0, 0.5, 2.0]));
        let rotations = [[0.0, 0.0, 0.0, 1.0], [0.0, 0.0, 0.6, 0.8], [0.0, 0.0, 1.0, 0.0]];
        out.accessor("VEC4", 5126, false, 3, &floats(rotations.as_flattened()));
        let mut png = std::io::Cursor::new(Vec::new());
        image::RgbImage::from_pixel(2, 2, image::Rgb([200, 100, 50]))
            .write_to(&mut png, image::ImageFormat::Png)
            .unwrap();
        let view = out.view(png.get_ref());
        out.json["images"][0] = json!({"bufferView": view, "mimeType": "image/png"});
        out
    }

    /// Adds bytes as a view of their own.
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

    /// Adds an accessor on a view of its own.
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

    /// Overwrites a float of an accessor that [`Character::new`] made.
    pub fn set_float(&mut self, accessor: usize, at: usize, value: f32) {
        self.set_bytes(accessor, at * 4, &value.to_le_bytes());
    }

    /// Overwrites bytes of an accessor that [`Character::new`] made.
    pub fn set_bytes(&mut self, accessor: usize, at: usize, bytes: &[u8]) {
        let view = self.json["accessors"][accessor]["bufferView"].as_u64().unwrap() as usize;
        let start = self.json["bufferViews"][view]["byteOffset"].as_u64().unwrap() as usize + at;
        self.binary[start..start + bytes.len()].copy_from_slice(bytes);
    }

    /// The primitive's JSON.
    pub fn primitive(&mut self) -> &mut Value {
        &mut self.json["meshes"][0]["primitives"][0]
    }

    /// The whole file.
    pub fn glb(&self) -> Vec<u8> {
        glb(self.json.to_string().as_bytes(), &self.binary)
    }
}

/// A GLB around any text and bytes.
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
