//! Compares both ways to the model of compressed data, which the `gltf` crate keeps as it is.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use sinew_model::Model;

use super::both;

/// The first case of a file in `tests/data`, and its bytes.
fn first(text: &str, field: &str) -> (Value, Vec<u8>) {
    let cases: Vec<Value> = serde_json::from_str(text).unwrap();
    (cases[0].clone(), STANDARD.decode(cases[0][field].as_str().unwrap()).unwrap())
}

fn vertices(model: &Model) -> usize {
    model.meshes[0].primitives[0].positions.len()
}

#[test]
fn draco_is_decompressed() {
    let (_, stream) = first(include_str!("../../data/draco.json"), "stream");
    let attributes = json!({"POSITION": 0, "NORMAL": 1, "JOINTS_0": 2, "WEIGHTS_0": 3});
    let accessor = |code: usize, kind: &str| json!({"componentType": code, "type": kind, "count": 30});
    let file = json!({
        "asset": {"version": "2.0"},
        "extensionsRequired": ["KHR_draco_mesh_compression"],
        "nodes": [{"mesh": 0, "skin": 0}, {}],
        "skins": [{"joints": [0, 1]}],
        "meshes": [{"primitives": [{"attributes": attributes, "indices": 4, "extensions":
            {"KHR_draco_mesh_compression": {"bufferView": 0, "attributes": attributes}}}]}],
        "accessors": [accessor(5126, "VEC3"), accessor(5126, "VEC3"), accessor(5121, "VEC4"),
            accessor(5126, "VEC4"), {"componentType": 5123, "type": "SCALAR", "count": 120}],
        "bufferViews": [{"buffer": 0, "byteLength": stream.len()}],
        "buffers": [{"byteLength": stream.len()}],
    });
    assert_eq!(vertices(&both(&file, &stream)), 30);
}

/// The second buffer is the fallback of the compressed view, and is not given.
#[test]
fn meshopt_is_decompressed() {
    let (case, stream) = first(include_str!("../../data/meshopt.json"), "encoded");
    let (count, stride) = (case["count"].as_u64().unwrap(), case["stride"].as_u64().unwrap());
    let file = json!({
        "asset": {"version": "2.0"},
        "extensionsRequired": ["EXT_meshopt_compression"],
        "nodes": [{"mesh": 0}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "mode": 0}]}],
        "accessors": [{"bufferView": 0, "componentType": 5126, "type": "VEC3", "count": count}],
        "bufferViews": [{"buffer": 1, "byteLength": count * stride, "byteStride": stride, "extensions":
            {"EXT_meshopt_compression": {"buffer": 0, "byteLength": stream.len(), "byteStride": stride,
                "count": count, "mode": case["mode"], "filter": case["filter"]}}}],
        "buffers": [{"byteLength": stream.len()}, {"byteLength": count * stride,
            "extensions": {"EXT_meshopt_compression": {"fallback": true}}}],
    });
    assert_eq!(vertices(&both(&file, &stream)) as u64, count);
}
