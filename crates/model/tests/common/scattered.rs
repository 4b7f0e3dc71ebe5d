//! A textured square with a clip in separate files: `fox.gltf`, its buffer and its texture.

#![allow(dead_code, reason = "each test binary uses a part")]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::path::{Path, PathBuf};

use serde_json::json;

use crate::{character, pictures};

/// The factors of its colour: each pixel shows their product.
#[derive(Clone, Copy)]
pub struct Fox {
    /// The material's factor, in the JSON.
    pub factor: [u8; 3],
    /// The colour of the texture.
    pub texture: [u8; 3],
    /// The colour of the upper vertices, in the buffer.
    pub above: [u8; 3],
    /// The colour of the lower vertices.
    pub below: [u8; 3],
}

/// All factors white.
pub const WHITE: Fox = Fox { factor: [255; 3], texture: [255; 3], above: [255; 3], below: [255; 3] };

/// The names of its files.
#[derive(Clone, Copy)]
pub struct Names {
    /// The buffer's file.
    pub buffer: &'static str,
    /// The texture's file.
    pub texture: &'static str,
}

/// The usual names.
pub const NAMES: Names = Names { buffer: "fox.bin", texture: "fox.png" };

impl Fox {
    /// Writes all three files, the model's own last.
    pub fn write(&self, folder: &Path, names: Names) -> PathBuf {
        let [gltf, buffer] = self.parts(names);
        std::fs::write(folder.join(names.buffer), buffer).unwrap();
        std::fs::write(folder.join(names.texture), self.picture()).unwrap();
        std::fs::write(folder.join("fox.gltf"), gltf).unwrap();
        folder.join("fox.gltf")
    }

    /// The texture's bytes.
    pub fn picture(&self) -> Vec<u8> {
        pictures::png(png::ColorType::Rgb, [8, 8], &self.texture.repeat(64))
    }

    /// The bytes of the model's own file and of its buffer.
    pub fn parts(&self, names: Names) -> [Vec<u8>; 2] {
        let mut file = character::new();
        let [r, g, b] = self.factor.map(|channel| f32::from(channel) / 255.0);
        file.json["materials"] = json!([{"doubleSided": true, "extensions": {"KHR_materials_unlit": {}},
            "pbrMetallicRoughness": {"baseColorFactor": [r, g, b, 1], "baseColorTexture": {"index": 0}}}]);
        file.json["extensionsUsed"] = json!(["KHR_materials_unlit"]);
        let bounds = [(character::accessor::POSITION, json!([0, 0, 0]), json!([1, 2, 0]))];
        for (accessor, min, max) in
            bounds.into_iter().chain([(character::accessor::TIMES, json!([0]), json!([2]))])
        {
            file.json["accessors"][accessor]["min"] = min;
            file.json["accessors"][accessor]["max"] = max;
        }
        file.json["images"] = json!([{"uri": names.texture}]);
        let colors = [self.below, self.below, self.above, self.above];
        let colors = colors.map(|[r, g, b]| [r, g, b, 255]);
        let colors = file.accessor("VEC4", 5121, true, 4, colors.as_flattened());
        file.json["meshes"][0]["primitives"][0]["attributes"]["COLOR_0"] = colors.into();
        // A slight turn: the top stays at the top.
        let turn = |angle: f32| [0.0, 0.0, (angle / 2.0).sin(), (angle / 2.0).cos()];
        let rotations = file.floats("VEC4", [turn(-0.2), turn(0.2), turn(-0.2)].as_flattened());
        file.json["animations"][0]["samplers"][0]["output"] = rotations.into();
        file.json["buffers"][0]["uri"] = names.buffer.into();
        [file.json.to_string().into_bytes(), file.binary]
    }
}
