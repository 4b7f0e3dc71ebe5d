//! Writes the seeds of the fuzz targets: `cargo run -p sinew-tools --bin fuzz_seeds -- FOLDER`.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a seed that cannot be made is a fault here")]

use std::path::Path;

use base64::Engine;
use serde_json::json;
use sinew_model::{Model, Picture, Primitive, builtin, gltf};

#[path = "../../../crates/model/tests/common/character.rs"]
#[allow(dead_code, reason = "the tests of the loader use all of it")]
mod character;
#[path = "../../../crates/model/tests/fbx/document/mod.rs"]
mod document;
#[path = "../fbx_seeds.rs"]
mod fbx_seeds;
#[path = "../../../crates/model/tests/common/file.rs"]
mod file;
#[path = "../../../crates/model/tests/common/ktx2.rs"]
mod ktx2;
#[path = "../picture_seeds.rs"]
mod picture_seeds;
#[path = "../../../crates/model/tests/common/pictures.rs"]
mod pictures;
#[path = "../stream_seeds.rs"]
mod stream_seeds;
#[path = "../text_seeds.rs"]
mod text_seeds;
#[cfg(feature = "usd")]
#[path = "../usd_seeds.rs"]
mod usd_seeds;
#[path = "../vertex_seeds.rs"]
mod vertex_seeds;

use file::{File, floats, glb};

/// The number of triangles and keys that a seed keeps: mutations hit small files more often.
const TRIANGLES: usize = 6;
const KEYS: usize = 3;

fn main() -> std::io::Result<()> {
    let folder = std::env::args().nth(1).unwrap_or_else(|| panic!("give the folder to write to"));
    let folder = Path::new(&folder);
    let targets = ["arrays", "c_arrays", "fbx", "glb", "gltf_json", "pose", "show", "sparse"];
    for target in targets {
        std::fs::create_dir_all(folder.join(target))?;
    }
    for (name, json, binary) in parts() {
        let whole = glb(&json, &binary);
        if let Err(error) = gltf::load_bytes(&whole, None) {
            panic!("{name} does not load: {error}");
        }
        std::fs::write(folder.join(format!("glb/{name}.glb")), &whole)?;
        let parts = [&json[..], b"\0", &binary].concat();
        for target in ["gltf_json", "show"] {
            std::fs::write(folder.join(format!("{target}/{name}")), &parts)?;
        }
    }
    std::fs::write(folder.join("glb/square.gltf"), text(&character::new()))?;
    for (name, document) in fbx_seeds::all() {
        std::fs::write(folder.join(format!("fbx/{name}.fbx")), document.binary())?;
        std::fs::write(folder.join(format!("fbx/{name}-text.fbx")), document.ascii())?;
    }
    std::fs::write(folder.join("fbx/quad.obj"), fbx_seeds::OBJ)?;
    // Any bytes make a pose, or a file with sparse accessors; these differ in length and in what the first of them choose.
    for seed in 0..16_u8 {
        let bytes: Vec<u8> = (0..64 << (seed % 6)).map(|at: u32| (at * at) as u8 ^ (seed << 4)).collect();
        std::fs::write(folder.join(format!("pose/{seed}")), &bytes)?;
        std::fs::write(folder.join(format!("sparse/{seed}")), &bytes)?;
        let floats = (1..=17 + seed).flat_map(|number| (f32::from(number) / 8.0).to_le_bytes());
        let arrays: Vec<u8> = [10 + seed, 4 + (seed << 4), seed].into_iter().chain(floats).collect();
        std::fs::write(folder.join(format!("arrays/{seed}")), arrays)?;
        let joints = (0..40 + seed).flat_map(|joint| [joint % 8, 0]);
        let head = [10 + seed, 4, seed, 8, seed, 0, 16 + seed, 0, 0, 17].into_iter();
        std::fs::write(folder.join(format!("c_arrays/{seed}")), head.chain(joints).collect::<Vec<u8>>())?;
    }
    let all = [
        ("config", text_seeds::configs()),
        ("draco", stream_seeds::draco()),
        ("golden_list", text_seeds::golden_lists()),
        ("meshopt", stream_seeds::meshopt()),
        ("picture", picture_seeds::all()),
        ("pose_file", text_seeds::poses()),
        #[cfg(feature = "usd")]
        ("usd", usd_seeds::all()),
        ("vertices", vertex_seeds::all()),
    ];
    for (target, seeds) in all {
        let folder = folder.join(target);
        std::fs::create_dir_all(&folder)?;
        for (name, bytes) in seeds {
            std::fs::write(folder.join(name), bytes)?;
        }
    }
    Ok(())
}

type Change = fn(&mut File);

/// The name, JSON and binary data of every seed.
fn parts() -> Vec<(String, Vec<u8>, Vec<u8>)> {
    let mut parts = Vec::new();
    for name in ["character", "twist", "strip", "tube-2", "tube-8"] {
        let whole = builtin::glb(name).unwrap();
        let mut model = gltf::load_bytes(&whole, None).unwrap();
        shrink(&mut model);
        let small = gltf::write_glb(&model).unwrap();
        let (json, binary) = take_apart(&small);
        parts.push((name.to_owned(), json, binary));
    }
    let changes: [(&str, Change); 8] = [
        ("square", |_| {}),
        ("sparse", sparse),
        ("strips", strips),
        ("splines", splines),
        ("sets", sets),
        ("nodes", nodes),
        ("jpeg", jpeg),
        ("webp", webp),
    ];
    for (name, change) in changes {
        let mut character = character::new();
        change(&mut character);
        parts.push((name.to_owned(), character.json.to_string().into_bytes(), character.binary));
    }
    parts
}

/// The two chunks of one of our GLBs.
fn take_apart(glb: &[u8]) -> (Vec<u8>, Vec<u8>) {
    let length = |at: usize| u32::from_le_bytes(glb[at..at + 4].try_into().unwrap()) as usize;
    let (json, rest) = glb[20..].split_at(length(12));
    (json.trim_ascii_end().to_vec(), rest[8..].to_vec())
}

/// Keeps a few triangles of every primitive and a few keys of every channel.
fn shrink(model: &mut Model) {
    for primitive in model.meshes.iter_mut().flat_map(|mesh| &mut mesh.primitives) {
        shrink_primitive(primitive);
    }
    for clip in &mut model.clips {
        clip.channels.truncate(4);
        for channel in &mut clip.channels {
            let per_key = channel.values.len() / channel.times.len();
            channel.times.truncate(KEYS);
            channel.values.truncate(channel.times.len() * per_key);
        }
    }
    model.clips.truncate(2);
    let dot = || Picture { width: 1, height: 1, rgba: vec![255; 4] };
    model.pictures.iter_mut().flatten().for_each(|picture| *picture = dot());
}

fn shrink_primitive(primitive: &mut Primitive) {
    primitive.indices.truncate(TRIANGLES * 3);
    let mut kept = primitive.indices.clone();
    kept.sort_unstable();
    kept.dedup();
    for index in &mut primitive.indices {
        *index = kept.binary_search(index).unwrap() as u32;
    }
    fn pick<T: Copy>(values: &mut Vec<T>, kept: &[u32]) {
        *values = kept.iter().map(|index| values[*index as usize]).collect();
    }
    pick(&mut primitive.positions, &kept);
    primitive.normals.iter_mut().for_each(|values| pick(values, &kept));
    primitive.tangents.iter_mut().for_each(|values| pick(values, &kept));
    primitive.texcoords.iter_mut().for_each(|values| pick(values, &kept));
    primitive.colors.iter_mut().for_each(|values| pick(values, &kept));
    for span in primitive.influences.iter_mut().flat_map(|influences| &mut influences.spans) {
        pick(&mut span.joints, &kept);
        pick(&mut span.weights, &kept);
    }
}

/// A model as text, with its data inside the text.
fn text(character: &File) -> String {
    let mut json = character.json.clone();
    let data = base64::engine::general_purpose::STANDARD.encode(&character.binary);
    json["buffers"][0]["uri"] = format!("data:application/octet-stream;base64,{data}").into();
    json.to_string()
}

fn sparse(character: &mut File) {
    let indices = character.view(&[1, 3]);
    let values = character.view(&floats(&[1.0, 1.0, 1.0, 0.0, 3.0, 0.0]));
    character.json["accessors"][0]["sparse"] = json!({"count": 2,
        "indices": {"bufferView": indices, "componentType": 5121},
        "values": {"bufferView": values}});
    let mut zeros = character.json["accessors"][0].clone();
    zeros.as_object_mut().unwrap().remove("bufferView");
    character.json["accessors"].as_array_mut().unwrap().push(zeros);
    let last = character.json["accessors"].as_array().unwrap().len() - 1;
    character.primitive()["targets"] = json!([{"POSITION": last}]);
}

fn strips(character: &mut File) {
    let primitive = character.primitive().clone();
    for mode in 0..7 {
        let mut other = primitive.clone();
        other["mode"] = mode.into();
        character.json["meshes"][0]["primitives"].as_array_mut().unwrap().push(other);
    }
}

fn splines(character: &mut File) {
    let times = character.accessor("SCALAR", 5126, false, 2, &floats(&[0.0, 1.0]));
    let spline: Vec<f32> = (0..18).map(|at| at as f32 / 8.0).collect();
    let moves = character.accessor("VEC3", 5126, false, 6, &floats(&spline));
    let turns = character.accessor("VEC4", 5122, true, 2, &[0, 0, 0, 0, 0, 0, 255, 127].repeat(2));
    character.json["animations"][0]["samplers"] = json!([
        {"input": times, "output": moves, "interpolation": "CUBICSPLINE"},
        {"input": times, "output": turns, "interpolation": "STEP"}]);
    character.json["animations"][0]["channels"] = json!([
        {"sampler": 0, "target": {"node": 0, "path": "translation"}},
        {"sampler": 0, "target": {"node": 0, "path": "scale"}},
        {"sampler": 1, "target": {"node": 1, "path": "rotation"}}]);
}

fn sets(character: &mut File) {
    for set in 1..5 {
        for name in ["JOINTS", "WEIGHTS"] {
            let first = character.primitive()["attributes"][format!("{name}_0")].clone();
            character.primitive()["attributes"][format!("{name}_{set}")] = first;
        }
    }
    let first = character.primitive()["attributes"]["TEXCOORD_0"].clone();
    character.primitive()["attributes"]["TEXCOORD_1"] = first;
}

fn nodes(character: &mut File) {
    character.json["nodes"] = json!([
        {"children": [1], "matrix": [0, 2, 0, 0, -2, 0, 0, 0, 0, 0, 2, 0, 5, 6, 7, 1]},
        {"rotation": [0.6, 0, 0, 0.8], "translation": [0, 1, 0], "scale": [1, 2, -1]},
        {"mesh": 0, "skin": 0}]);
    character.json["scenes"] = json!([{"nodes": [0]}, {"nodes": [2, 0]}]);
    character.json["scene"] = json!(1);
}

fn jpeg(character: &mut File) {
    texture(character, "image/jpeg", &picture_seeds::jpeg(jpeg_encoder::ColorType::Rgb, true));
}

fn webp(character: &mut File) {
    texture(character, "image/webp", &picture_seeds::lossy_webp());
    character.json["extensionsUsed"] = json!(["EXT_texture_webp"]);
    character.json["textures"][0]["extensions"] = json!({"EXT_texture_webp": {"source": 0}});
}

/// Puts another picture into the place of the texture's.
fn texture(character: &mut File, kind: &str, bytes: &[u8]) {
    let view = character.view(bytes);
    character.json["images"][0] = json!({"bufferView": view, "mimeType": kind});
}
