//! Models in several files, for the tests of files.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::common::write_picture;
use sinew::image::Image;
use sinew::model::builtin;

/// Writes `model.gltf` with its buffer and its texture beside it.
pub fn write(folder: &Path) {
    write_with(folder, 4);
}

/// Writes `model.gltf` with a texture of `side` texels a side.
pub fn write_with(folder: &Path, side: u32) {
    let glb = builtin::glb("bend").unwrap();
    let word = |at: usize| u32::from_le_bytes(glb[at..at + 4].try_into().unwrap()) as usize;
    let text = &glb[20..20 + word(12)];
    let binary = &glb[28 + word(12)..];
    let mut model: Value = serde_json::from_slice(text).unwrap();
    model["buffers"][0]["uri"] = json!("model.bin");
    model["images"] = json!([{ "uri": "color.png" }]);
    model["textures"] = json!([{ "source": 0 }]);
    model["materials"][0]["pbrMetallicRoughness"]["baseColorTexture"] = json!({ "index": 0 });
    fs::write(folder.join("model.gltf"), model.to_string()).unwrap();
    fs::write(folder.join("model.bin"), binary).unwrap();
    let rgba = (0..side * side).flat_map(|texel| [texel as u8, (texel >> 8) as u8, 128, 255]).collect();
    write_picture(&Image { width: side, height: side, rgba }, &folder.join("color.png"));
}
