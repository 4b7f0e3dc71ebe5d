//! The character of the loader's tests: a textured square with two joints and a clip, as JSON and bytes to change.

use serde_json::json;

use crate::file::File;
use crate::pictures;

/// The accessors by name.
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

/// The unchanged character, which loads without a warning.
pub fn new() -> File {
    let mut out = File::new(json!({
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
    }));
    let square = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 2.0, 0.0], [0.0, 2.0, 0.0]];
    out.floats("VEC3", square.as_flattened());
    out.floats("VEC3", [[0.0, 0.0, 1.0]; 4].as_flattened());
    out.floats("VEC4", [[1.0, 0.0, 0.0, 1.0]; 4].as_flattened());
    out.accessor("VEC2", 5123, true, 4, [[0, 0], [255, 255], [255, 255], [0, 0]].repeat(2).as_flattened());
    out.accessor("VEC4", 5121, true, 4, [[255, 0, 51, 255]; 4].as_flattened());
    out.accessor("VEC4", 5121, false, 4, [[0, 1, 0, 0]; 4].as_flattened());
    let weights =
        [[1.0, 0.0, 0.0, 0.0], [0.75, 0.25, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.25, 0.75, 0.0, 0.0]];
    out.floats("VEC4", weights.as_flattened());
    let indices: Vec<u8> = [0_u16, 1, 2, 0, 2, 3].iter().flat_map(|index| index.to_le_bytes()).collect();
    out.accessor("SCALAR", 5123, false, 6, &indices);
    let mut matrices = glam::Mat4::IDENTITY.to_cols_array().to_vec();
    matrices.extend(glam::Mat4::from_translation(-glam::Vec3::Y).to_cols_array());
    out.floats("MAT4", &matrices);
    out.floats("SCALAR", &[0.0, 0.5, 2.0]);
    let rotations = [[0.0, 0.0, 0.0, 1.0], [0.0, 0.0, 0.6, 0.8], [0.0, 0.0, 1.0, 0.0]];
    out.floats("VEC4", rotations.as_flattened());
    let view = out.view(&pictures::png(png::ColorType::Rgb, [2, 2], &[200, 100, 50].repeat(4)));
    out.json["images"][0] = json!({"bufferView": view, "mimeType": "image/png"});
    out
}
