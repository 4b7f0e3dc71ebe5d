//! Streams of another encoder, compared with its decoder's output, and broken streams. `tests/data/meshopt.mjs`
//! generates them.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use std::borrow::Cow;

use super::decode_views;
use super::filter::Filter;
use super::plan::{Mode, Plan};
use crate::gltf::buffer::Buffers;
use crate::gltf::{json, load_bytes};
use crate::reading::budget::Budget;

/// The cases by name.
fn cases() -> Vec<Value> {
    serde_json::from_str(include_str!("../../../../tests/data/meshopt.json")).unwrap()
}

fn bytes(case: &Value, field: &str) -> Vec<u8> {
    STANDARD.decode(case[field].as_str().unwrap()).unwrap()
}

fn number(case: &Value, field: &str) -> usize {
    case[field].as_u64().unwrap() as usize
}

fn plan(case: &Value) -> Plan {
    let mode = match case["mode"].as_str().unwrap() {
        "ATTRIBUTES" => Mode::Attributes,
        "TRIANGLES" => Mode::Triangles,
        _ => Mode::Indices,
    };
    let filter = Filter::from_name(case["filter"].as_str().unwrap()).unwrap();
    Plan { mode, count: number(case, "count"), stride: number(case, "stride"), filter }
}

/// FNV-1a, as in the script.
fn fnv(bytes: &[u8]) -> u32 {
    bytes.iter().fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(*byte)).wrapping_mul(0x0100_0193))
}

/// The largest difference of components, which filters may round either way.
fn furthest(case: &Value, found: &[u8], expected: &[u8]) -> i32 {
    let half = |bytes: &[u8; 2]| i32::from(i16::from_le_bytes(*bytes));
    let apart: Vec<i32> = match (case["filter"].as_str().unwrap(), number(case, "stride")) {
        ("EXPONENTIAL", _) => return i32::from(found != expected),
        (_, 4) => {
            found.iter().zip(expected).map(|(a, b)| i32::from(*a as i8) - i32::from(*b as i8)).collect()
        }
        _ => {
            let halves = found.as_chunks::<2>().0.iter().zip(expected.as_chunks::<2>().0);
            halves.map(|(a, b)| half(a) - half(b)).collect()
        }
    };
    apart.into_iter().map(i32::abs).max().unwrap()
}

#[test]
fn another_encoders_streams_decode() {
    let cases = cases();
    assert!(cases.len() > 25);
    for case in &cases {
        let name = &case["name"];
        let decoded = plan(case).decode(&bytes(case, "encoded")).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert_eq!(decoded.len(), number(case, "count") * number(case, "stride"), "{name}");
        match case["fnv"].as_u64() {
            Some(hash) => assert_eq!(u64::from(fnv(&decoded)), hash, "{name}"),
            None => {
                let off = furthest(case, &decoded, &bytes(case, "decoded"));
                assert!(off <= 1, "{name}: {off} off");
            }
        }
    }
    for wanted in ["version 0", "version 1", "OCTAHEDRAL", "QUATERNION", "EXPONENTIAL", "COLOR", "TRIANGLES"]
    {
        assert!(cases.iter().any(|case| case.to_string().contains(wanted)), "no case of {wanted}");
    }
}

/// Every stream cut short or with a byte changed: an error, or other numbers, but never more of them.
#[test]
fn broken_streams_do_no_harm() {
    let (mut wrong, mut tried) = (0, 0);
    for case in &cases() {
        let (plan, stream) = (plan(case), bytes(case, "encoded"));
        for length in 0..stream.len() {
            assert!(plan.decode(&stream[..length]).is_err(), "{}: {length} bytes", case["name"]);
        }
        for at in 0..stream.len() {
            for change in [1, 0x10, 0x80, 0xff] {
                let mut stream = stream.clone();
                stream[at] ^= change;
                tried += 1;
                match plan.decode(&stream) {
                    Ok(decoded) => assert_eq!(decoded.len(), plan.count * plan.stride),
                    Err(_) => wrong += 1,
                }
            }
        }
        // Other counts fail, unless the last group has room for them.
        for count in [0, 3, plan.count / 2 / 3 * 3, plan.count + 3, 1 << 40, usize::MAX / 3 * 3] {
            match (Plan { count, ..plan }).decode(&stream) {
                Ok(decoded) => {
                    assert_eq!(decoded.len(), count * plan.stride);
                    assert!(count.abs_diff(plan.count) < 16, "{}: {count}", case["name"]);
                }
                Err(_) => wrong += 1,
            }
        }
    }
    assert!(wrong > tried / 20, "only {wrong} of {tried} were found broken");
}

/// Creates a file whose positions and indices are compressed, and whose fallback buffer is empty.
fn sheet() -> (Value, Vec<u8>) {
    let cases = cases();
    let of = |name: &str| cases.iter().find(|case| case["name"] == name).unwrap();
    let (positions, triangles) = (of("positions, version 0, level 2"), of("triangles, 16 bits"));
    let mut binary = bytes(positions, "encoded");
    let first = binary.len();
    binary.extend(bytes(triangles, "encoded"));
    let view = |case: &Value, offset: usize, length: usize, own_offset: usize| {
        json!({"buffer": 1, "byteOffset": own_offset,
            "byteLength": number(case, "count") * number(case, "stride"),
            "extensions": {"EXT_meshopt_compression": {"buffer": 0, "byteOffset": offset, "byteLength": length,
                "byteStride": case["stride"], "count": case["count"], "mode": case["mode"]}}})
    };
    let (vertices, indices) = (number(positions, "count"), number(triangles, "count"));
    let json = json!({
        "asset": {"version": "2.0"},
        "extensionsRequired": ["EXT_meshopt_compression"],
        "extensionsUsed": ["EXT_meshopt_compression"],
        "nodes": [{"mesh": 0}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}],
        "accessors": [
            {"bufferView": 0, "componentType": 5126, "type": "VEC3", "count": vertices,
                "min": [0, 0, -0.984375], "max": [1.5, 1.5, 1.0]},
            {"bufferView": 1, "componentType": 5123, "type": "SCALAR", "count": indices},
        ],
        "bufferViews": [
            view(positions, 0, first, 0),
            view(triangles, first, binary.len() - first, vertices * 12),
        ],
        "buffers": [
            {"byteLength": binary.len(), "uri": format!("data:application/octet-stream;base64,{}", STANDARD.encode(&binary))},
            {"byteLength": vertices * 12 + indices * 2,
                "extensions": {"EXT_meshopt_compression": {"fallback": true}}},
        ],
    });
    (json, binary)
}

#[test]
fn a_compressed_file_loads() {
    let (mut json, _) = sheet();
    let model = load_bytes(json.to_string().as_bytes(), None).unwrap();
    assert_eq!((&model.warnings, &model.faults), (&vec![], &vec![]));
    let primitive = &model.meshes[0].primitives[0];
    // Made by the script: a sheet of 13 by 13 vertices, an eighth apart, two triangles a square.
    assert_eq!((primitive.positions.len(), primitive.indices.len()), (169, 864));
    for (at, [x, y, z]) in primitive.positions.iter().enumerate() {
        let (column, row) = ((at % 13) as f64, (at / 13) as f64);
        let wave = ((column / 3.0).sin() * (row / 4.0).cos() * 64.0).round() / 64.0;
        assert_eq!([f64::from(*x), f64::from(*y), f64::from(*z)], [column / 8.0, row / 8.0, wave]);
    }
    assert_eq!(primitive.indices[..6], [0, 1, 13, 13, 1, 14]);
    // A fallback is not asked for, whatever its URI; and the other name means the same.
    json["buffers"][1]["uri"] = "gone.bin".into();
    let text = json.to_string().replace("EXT_meshopt", "KHR_meshopt");
    assert_eq!(load_bytes(text.as_bytes(), None).unwrap().meshes[0].primitives[0].positions.len(), 169);
}

#[test]
fn compressed_views_at_fault_say_what_is_wrong() {
    let error = |change: &dyn Fn(&mut Value)| {
        let (mut json, _) = sheet();
        change(&mut json);
        load_bytes(json.to_string().as_bytes(), None).unwrap_err().to_string()
    };
    let on = |view: usize, change: Value| {
        error(&|json| {
            let meshopt = &mut json["bufferViews"][view]["extensions"]["EXT_meshopt_compression"];
            meshopt.as_object_mut().unwrap().extend(change.as_object().unwrap().clone());
        })
    };
    let path = "bufferViews[0].extensions.EXT_meshopt_compression";
    for (view, change, expected) in [
        (0, json!({"mode": "POINTS"}), ".mode: 'POINTS' is not a mode"),
        (0, json!({"filter": "SEPIA"}), ".filter: 'SEPIA' is not a filter"),
        (0, json!({"filter": "QUATERNION"}), ".filter: QUATERNION does not go with ATTRIBUTES of 12 bytes"),
        (0, json!({"byteStride": 6}), ".byteStride: ATTRIBUTES has no elements of 6 bytes"),
        (0, json!({"byteStride": 0}), ".byteStride: ATTRIBUTES has no elements of 0 bytes"),
        (0, json!({"byteStride": 260}), ".byteStride: ATTRIBUTES has no elements of 260 bytes"),
        (0, json!({"count": 168}), ".count: 168 elements of 12 bytes, but the buffer view has 2028"),
        (0, json!({"count": u64::MAX}), ".count: 18446744073709551615 elements"),
        (0, json!({"buffer": 7}), ".buffer: there is no buffer 7 (the file has 3)"),
        (0, json!({"buffer": 1}), ": 1"),
        (0, json!({"byteLength": 1_000_000}), ": 1000000 bytes from 0 on, but buffer 0 holds "),
        (0, json!({"byteOffset": 1}), ": not a stream of attributes"),
    ] {
        let text = on(view, change.clone());
        let rest = text.strip_prefix(path).unwrap_or_else(|| panic!("{change}: {text}"));
        if expected != ": 1" && change.get("buffer") != Some(&json!(7)) {
            assert!(rest.starts_with(expected), "{change}: {text}");
        }
    }
    let text = on(1, json!({"mode": "INDICES", "filter": "COLOR"}));
    assert!(text.contains("COLOR does not go with INDICES of 2 bytes"), "{text}");
    // A view of the fallback that is not compressed has no bytes.
    let text = error(&|json| {
        json["bufferViews"][0].as_object_mut().unwrap().remove("extensions");
    });
    assert_eq!(text, "buffers[1]: is the fallback of compressed views, but bufferViews[0] is not compressed");
    // Declared memory is counted before anything is decoded.
    let text = error(&|json| {
        let count = 1_u64 << 40;
        json["bufferViews"][0]["byteLength"] = (count * 12).into();
        json["bufferViews"][0]["extensions"]["EXT_meshopt_compression"]["count"] = count.into();
    });
    assert!(text.contains("elements need more than the"), "{text}");
}

#[test]
fn a_document_knows_where_its_views_went() {
    let (json, encoded) = sheet();
    let mut document = json::parse(json.to_string().as_bytes()).unwrap();
    let mut buffers: Buffers<'_> = vec![Some(Cow::Owned(encoded)), None];
    let mut budget = Budget::default();
    decode_views(&mut document, &mut buffers, &mut budget).unwrap();
    assert_eq!((document.buffers.len(), buffers.len()), (4, 4));
    let view = &document.buffer_views[1];
    assert_eq!((view.buffer, view.byte_offset, view.byte_length), (3, None, 864 * 2));
}
