//! Loads files with Draco-compressed primitives.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use crate::Model;
use crate::gltf::load_bytes;

/// Streams made by `tests/data/draco.mjs`: the same sheet of 6 by 5 vertices, in several ways.
fn streams() -> Vec<(String, Vec<u8>)> {
    let cases: Vec<Value> = serde_json::from_str(include_str!("../../../../tests/data/draco.json")).unwrap();
    let text = |case: &Value, field: &str| case[field].as_str().unwrap().to_owned();
    let stream = |case: &Value| STANDARD.decode(text(case, "stream")).unwrap();
    cases.iter().map(|case| (text(case, "name"), stream(case))).collect()
}

/// A file around a stream.
fn file(stream: &[u8]) -> Value {
    json!({
        "asset": {"version": "2.0"},
        "extensionsRequired": ["KHR_draco_mesh_compression"],
        "nodes": [{"mesh": 0, "skin": 0}, {}],
        "skins": [{"joints": [0, 1]}],
        "meshes": [{"primitives": [{
            "attributes": {"POSITION": 0, "NORMAL": 1, "JOINTS_0": 2, "WEIGHTS_0": 3},
            "indices": 4,
            "extensions": {"KHR_draco_mesh_compression": {"bufferView": 0,
                "attributes": {"POSITION": 0, "NORMAL": 1, "JOINTS_0": 2, "WEIGHTS_0": 3}}},
        }]}],
        "accessors": [
            {"componentType": 5126, "type": "VEC3", "count": 30},
            {"componentType": 5126, "type": "VEC3", "count": 30},
            {"componentType": 5121, "type": "VEC4", "count": 30},
            {"componentType": 5126, "type": "VEC4", "count": 30},
            {"componentType": 5123, "type": "SCALAR", "count": 120},
        ],
        "bufferViews": [{"buffer": 0, "byteLength": stream.len()}],
        "buffers": [{"byteLength": stream.len(),
            "uri": format!("data:;base64,{}", STANDARD.encode(stream))}],
    })
}

fn load(file: &Value) -> Result<Model, String> {
    load_bytes(file.to_string().as_bytes(), None).map_err(|error| error.to_string())
}

/// Every triangle's corners as (column, row) of the sheet, in an order that does not matter.
fn triangles(model: &Model) -> Vec<[[i32; 2]; 3]> {
    let primitive = &model.meshes[0].primitives[0];
    let corner = |index: &u32| {
        let [x, y, _] = primitive.positions[*index as usize];
        [(x * 4.0).round() as i32, (y * 4.0).round() as i32]
    };
    let mut triangles: Vec<[[i32; 2]; 3]> = Vec::new();
    for [a, b, c] in primitive.indices.as_chunks::<3>().0 {
        let mut corners = [corner(a), corner(b), corner(c)];
        // The first corner does not matter, but the winding does.
        let first = (0..3).min_by_key(|k| corners[*k]).unwrap();
        corners.rotate_left(first);
        triangles.push(corners);
    }
    triangles.sort_unstable();
    triangles
}

#[test]
fn every_kind_of_stream_is_the_same_sheet() {
    let streams = streams();
    assert!(streams.len() >= 4);
    let mut expected = Vec::new();
    for (x, y) in (0..5).flat_map(|x| (0..4).map(move |y| (x, y))) {
        let (a, b, c, d) = ([x, y], [x + 1, y], [x, y + 1], [x + 1, y + 1]);
        expected.extend([[a, b, c], [c, b, d]].map(|mut corners: [[i32; 2]; 3]| {
            let first = (0..3).min_by_key(|k| corners[*k]).unwrap();
            corners.rotate_left(first);
            corners
        }));
    }
    expected.sort_unstable();
    for (name, stream) in &streams {
        let model = load(&file(stream)).unwrap_or_else(|error| panic!("{name}: {error}"));
        let primitive = &model.meshes[0].primitives[0];
        assert_eq!(primitive.positions.len(), 30, "{name}");
        assert_eq!(triangles(&model), expected, "{name}");
        let influences = primitive.influences.as_ref().unwrap();
        for (vertex, [x, y, z]) in primitive.positions.iter().enumerate() {
            // The script makes these values: z = (x² + y²) / 8, and the joint is the row's parity.
            assert!((z - (x * x + y * y) / 8.0).abs() < 2e-3, "{name}: {x} {y} {z}");
            let row = (y * 4.0).round() as i32;
            assert_eq!(influences.spans[0].joints[vertex][0], row % 2, "{name}");
            assert_eq!(influences.spans[0].weights[vertex], [1.0, 0.0, 0.0, 0.0], "{name}");
            let [nx, ny, nz] = primitive.normals.as_ref().unwrap()[vertex];
            let length = (x * x + y * y + 16.0).sqrt();
            let off = (nx + x / length).abs().max((ny + y / length).abs()).max((nz - 4.0 / length).abs());
            assert!(off < 0.02, "{name}: the normal at {x} {y} is off by {off}");
        }
    }
}

#[test]
fn what_is_wrong_is_named() {
    let (_, stream) = streams().remove(0);
    let error = |change: &dyn Fn(&mut Value)| {
        let mut file = file(&stream);
        change(&mut file);
        load(&file).unwrap_err()
    };
    let path = "meshes[0].primitives[0].extensions.KHR_draco_mesh_compression";
    fn draco(file: &mut Value) -> &mut Value {
        &mut file["meshes"][0]["primitives"][0]["extensions"]["KHR_draco_mesh_compression"]
    }
    let text = error(&|file| draco(file)["bufferView"] = 9.into());
    assert_eq!(text, format!("{path}.bufferView: there is no buffer view 9 (the file has 1)"));
    let text = error(&|file| draco(file)["attributes"]["POSITION"] = 77.into());
    assert_eq!(text, format!("{path}.attributes.POSITION: the stream has no attribute 77"));
    let text = error(&|file| draco(file)["attributes"]["TANGENT"] = 1.into());
    assert!(text.starts_with(&format!("{path}.attributes.TANGENT: the primitive lacks this")), "{text}");
    let text = error(&|file| file["bufferViews"][0]["byteLength"] = 20.into());
    assert!(text.starts_with(&format!("{path}: cannot be decoded: ")), "{text}");
}

/// Every stream cut short and with bytes changed: an error or another mesh, nothing else.
#[test]
fn broken_streams_do_no_harm() {
    let (mut wrong, mut tried) = (0, 0);
    for (_, stream) in streams() {
        for at in 0..stream.len() {
            for change in [1, 0x80, 0xff] {
                let mut stream = stream.clone();
                stream[at] ^= change;
                tried += 1;
                wrong += i32::from(load(&file(&stream)).is_err());
            }
            tried += 1;
            wrong += i32::from(load(&file(&stream[..at])).is_err());
        }
    }
    assert!(wrong > tried / 4, "only {wrong} of {tried} were found broken");
}

/// A file that holds a triangle uncompressed, and a sheet as a stream, in the same primitive.
fn file_with_fallback(stream: &[u8]) -> Value {
    let positions = [[0.0_f32, 0.0, 0.0], [7.0, 0.0, 0.0], [0.0, 7.0, 0.0]];
    let mut triangle: Vec<u8> = positions.as_flattened().iter().flat_map(|x| x.to_le_bytes()).collect();
    triangle.extend([0, 0, 1, 0, 2, 0]);
    let buffer = |bytes: &[u8]| json!({"byteLength": bytes.len(), "uri": format!("data:;base64,{}", STANDARD.encode(bytes))});
    json!({
        "asset": {"version": "2.0"},
        "extensionsUsed": ["KHR_draco_mesh_compression"],
        "scenes": [{"nodes": [0]}],
        "nodes": [{"mesh": 0}],
        "meshes": [{"primitives": [{
            "attributes": {"POSITION": 0},
            "indices": 1,
            "extensions": {"KHR_draco_mesh_compression": {"bufferView": 0, "attributes": {"POSITION": 0}}},
        }]}],
        "accessors": [
            {"bufferView": 1, "componentType": 5126, "type": "VEC3", "count": 3,
                "min": [0, 0, 0], "max": [7, 7, 0]},
            {"bufferView": 2, "componentType": 5123, "type": "SCALAR", "count": 3},
        ],
        "bufferViews": [
            {"buffer": 0, "byteLength": stream.len()},
            {"buffer": 1, "byteLength": 36},
            {"buffer": 1, "byteOffset": 36, "byteLength": 6},
        ],
        "buffers": [buffer(stream), buffer(&triangle)],
    })
}

/// Returns the numbers of vertices and indices in each primitive.
fn sizes(model: &Model) -> Vec<(usize, usize)> {
    let primitives = model.meshes[0].primitives.iter();
    primitives.map(|primitive| (primitive.positions.len(), primitive.indices.len())).collect()
}

#[test]
fn a_broken_stream_gives_way_to_uncompressed_data() {
    let (_, stream) = streams().remove(0);
    let path = "meshes[0].primitives[0].extensions.KHR_draco_mesh_compression";
    let load = |change: &dyn Fn(&mut Value)| {
        let mut file = file_with_fallback(&stream);
        change(&mut file);
        let model = load(&file)?;
        let warnings = model.warnings.iter().map(|w| format!("{} {}: {}", w.code, w.path, w.message));
        Ok::<_, String>((sizes(&model), warnings.collect::<Vec<_>>()))
    };
    assert_eq!(load(&|_| {}), Ok((vec![(30, 120)], vec![])), "a good stream comes first");

    fn extension(file: &mut Value) -> &mut Value {
        &mut file["meshes"][0]["primitives"][0]["extensions"]["KHR_draco_mesh_compression"]
    }
    let cut = |file: &mut Value| file["bufferViews"][0]["byteLength"] = 20.into();
    let other_view = |file: &mut Value| extension(file)["bufferView"] = 9.into();
    let other_number = |file: &mut Value| extension(file)["attributes"]["POSITION"] = 77.into();
    for (change, starts) in [
        (&cut as &dyn Fn(&mut Value), format!("INVALID_DATA {path}: cannot be decoded: ")),
        (&other_view, format!("UNRESOLVED_REFERENCE {path}.bufferView: there is no buffer view 9 ")),
        (&other_number, format!("INVALID_DATA {path}.attributes.POSITION: the stream has no attribute ")),
    ] {
        let (sizes, warnings) = load(change).unwrap();
        assert_eq!(sizes, [(3, 3)], "{starts}");
        let [warning] = &warnings[..] else { panic!("{warnings:?}") };
        assert!(warning.starts_with(&starts), "{warning}");
        let end = "; the uncompressed data is used instead, here and wherever it exists";
        assert!(warning.ends_with(end), "{warning}");
    }

    // If there is no other data, or the file declares it unreliable, the error stays.
    for accessor in [0, 1] {
        let error = load(&|file| {
            cut(file);
            file["accessors"][accessor].as_object_mut().unwrap().remove("bufferView");
        });
        assert!(error.unwrap_err().starts_with(&format!("{path}: cannot be decoded: ")));
    }
    let error = load(&|file| {
        cut(file);
        file["extensionsRequired"] = json!(["KHR_draco_mesh_compression"]);
    });
    assert!(error.unwrap_err().starts_with(&format!("{path}: cannot be decoded: ")));
}

/// Checks that one broken stream is decoded at most, and that streams without a fallback still are.
#[test]
fn one_broken_stream_is_enough() {
    let (_, stream) = streams().remove(0);
    let mut file = file_with_fallback(&stream);
    let broken = json!({"buffer": 0, "byteLength": 20});
    file["bufferViews"].as_array_mut().unwrap().push(broken);
    file["accessors"]
        .as_array_mut()
        .unwrap()
        .push(json!({"componentType": 5126, "type": "VEC3", "count": 30}));
    let good = file["meshes"][0]["primitives"][0].clone();
    let mut cut = good.clone();
    cut["extensions"]["KHR_draco_mesh_compression"]["bufferView"] = 3.into();
    let mut alone = good.clone();
    alone["attributes"]["POSITION"] = 2.into();
    file["meshes"][0]["primitives"] = json!([good, cut, cut, good, alone]);
    let model = load(&file).unwrap();
    assert_eq!(sizes(&model), [(30, 120), (3, 3), (3, 3), (3, 3), (30, 120)]);
    let paths: Vec<&str> = model.warnings.iter().map(|warning| warning.path.as_str()).collect();
    assert_eq!(paths, ["meshes[0].primitives[1].extensions.KHR_draco_mesh_compression"]);
}
