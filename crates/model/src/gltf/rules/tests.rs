//! A sound file, edited in one place at a time: each edit breaks the rule it should, and no other.

use std::path::Path;

use base64::Engine;
use serde_json::{Value, json};

use crate::gltf::{LoadError, Options, inspect_bytes};

/// Two triangles on two joints that a clip moves, a camera, a light and a textured material.
fn sound() -> Value {
    let mut bytes = Vec::new();
    let mut views = Vec::new();
    let mut put = |numbers: &[f32], target: Option<u32>| {
        let mut view = json!({"buffer": 0, "byteOffset": bytes.len(), "byteLength": numbers.len() * 4});
        if let Some(target) = target {
            view["target"] = target.into();
        }
        bytes.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
        views.push(view);
    };
    put(&[0., 0., 0., 1., 0., 0., 0., 1., 0., 1., 1., 0.], Some(34962));
    put(&[0., 0., 1.].repeat(4), Some(34962));
    put(&[0., 0., 1., 0., 0., 1., 1., 1.], Some(34962));
    put(&[f32::from_bits(0x100)].repeat(4), Some(34962));
    put(&[0.5, 0.5, 0., 0.].repeat(4), Some(34962));
    put(
        &[f32::from_bits(0x0001_0000), f32::from_bits(0x0001_0002), f32::from_bits(0x0002_0003)],
        Some(34963),
    );
    put(&glam::Mat4::IDENTITY.to_cols_array().repeat(2), None);
    put(&[0., 1.], None);
    put(&[0., 0., 0., 1., 0., 0., 0., 1.], None);
    put(&[f32::from_bits(0x0002_0000), 1., 1., 1., 2., 2., 2.], None);
    let data = base64::engine::general_purpose::STANDARD.encode(&bytes);
    let accessor = |view: usize, component: u32, count: u32, kind: &str| json!({"bufferView": view, "componentType": component, "count": count, "type": kind});
    let mut document = json!({
        "asset": {"version": "2.0"},
        "extensionsUsed": ["KHR_lights_punctual"],
        "extensions": {"KHR_lights_punctual": {"lights": [{"type": "spot", "spot": {}}]}},
        "scene": 0,
        "scenes": [{"nodes": [0, 1, 3]}],
        "nodes": [
            {"mesh": 0, "skin": 0}, {"children": [2]}, {"rotation": [0, 0, 0, 1]},
            {"mesh": 1, "camera": 0, "extensions": {"KHR_lights_punctual": {"light": 0}}}
        ],
        "cameras": [{"type": "perspective", "perspective": {"yfov": 1, "znear": 0.1, "zfar": 10}}],
        "meshes": [
            {"primitives": [{"attributes": {
                "POSITION": 0, "NORMAL": 1, "TEXCOORD_0": 2, "JOINTS_0": 3, "WEIGHTS_0": 4
            }, "indices": 5, "material": 0}]},
            {"primitives": [{"attributes": {"POSITION": 9}, "mode": 0}]}
        ],
        "materials": [{"pbrMetallicRoughness": {"metallicFactor": 0.5}}],
        "skins": [{"joints": [1, 2], "inverseBindMatrices": 6, "skeleton": 1}],
        "animations": [{
            "channels": [{"sampler": 0, "target": {"node": 2, "path": "rotation"}}],
            "samplers": [{"input": 7, "output": 8}]
        }],
        "accessors": [
            accessor(0, 5126, 4, "VEC3"), accessor(1, 5126, 4, "VEC3"), accessor(2, 5126, 4, "VEC2"),
            accessor(3, 5121, 4, "VEC4"), accessor(4, 5126, 4, "VEC4"), accessor(5, 5123, 6, "SCALAR"),
            accessor(6, 5126, 2, "MAT4"), accessor(7, 5126, 2, "SCALAR"), accessor(8, 5126, 2, "VEC4"),
            {"componentType": 5126, "count": 3, "type": "VEC3", "min": [0, 0, 0], "max": [2, 2, 2],
             "sparse": {"count": 2, "indices": {"bufferView": 9, "componentType": 5123},
                        "values": {"bufferView": 10}}}
        ],
        "bufferViews": views,
        "buffers": [{"byteLength": bytes.len(), "uri": format!("data:application/octet-stream;base64,{data}")}]
    });
    // Indices and values of the sparse accessor lie behind each other.
    let start = document["bufferViews"][9]["byteOffset"].as_u64().unwrap();
    document["bufferViews"][9]["byteLength"] = 4.into();
    document["bufferViews"]
        .as_array_mut()
        .unwrap()
        .push(json!({"buffer": 0, "byteOffset": start + 4, "byteLength": 24}));
    for (accessor, min, max) in [(0, json!([0, 0, 0]), json!([1, 1, 0])), (7, json!([0]), json!([1]))] {
        document["accessors"][accessor]["min"] = min;
        document["accessors"][accessor]["max"] = max;
    }
    document
}

/// The codes of a document's warnings and notes, each once; of an error alone where it does not load.
fn codes(document: &Value) -> (Vec<&'static str>, Vec<&'static str>) {
    codes_of(document.to_string().as_bytes(), None)
}

/// Returns the codes for a file's bytes, with the folder of the files that it refers to.
fn codes_of(bytes: &[u8], base: Option<&Path>) -> (Vec<&'static str>, Vec<&'static str>) {
    let once = |found: &[crate::Warning]| {
        let mut codes: Vec<_> = found.iter().map(|found| found.code).collect();
        codes.sort_unstable();
        codes.dedup();
        codes
    };
    match inspect_bytes(bytes, base, &Options::default()) {
        Ok(found) => {
            let broken = [found.model.warnings, found.model.faults].concat();
            (once(&broken), once(&found.notes))
        }
        Err(error) => (vec![error.code()], vec![]),
    }
}

/// The part of a JPEG that gives its size.
const JPEG: &str = "/9j//gAE/9n/wAAJCAABAAEDAA==";

/// Returns the valid document with `value` at a JSON pointer, whose last step may be new; null removes it.
fn edited(pointer: &str, value: Value) -> Value {
    let mut document = sound();
    let (parent, key) = pointer.rsplit_once('/').unwrap();
    match document.pointer_mut(parent).unwrap() {
        Value::Object(map) if value.is_null() => drop(map.remove(key)),
        Value::Object(map) => drop(map.insert(key.to_owned(), value)),
        Value::Array(list) => list[key.parse::<usize>().unwrap()] = value,
        other => panic!("{other}"),
    }
    document
}

#[test]
fn a_sound_file_breaks_no_rule() {
    assert_eq!(codes(&sound()), (vec![], vec![]));
}

#[test]
fn each_broken_rule_is_named() {
    let mut wrong = Vec::new();
    for (pointer, value, expected) in [
        // The shape of the JSON.
        ("/asset/generator", json!("x\ny"), &[][..]),
        ("/asset/version", json!("2.0.1"), &["UNKNOWN_ASSET_MAJOR_VERSION"]),
        ("/asset/minVersion", json!("2.x"), &["UNKNOWN_ASSET_MAJOR_VERSION"]),
        ("/asset/copyright", json!(5), &["TYPE_MISMATCH"]),
        ("/cameras", json!([]), &["EMPTY_ENTITY", "UNRESOLVED_REFERENCE"]),
        ("/cameras/0", json!(5), &["TYPE_MISMATCH"]),
        ("/cameras/0/perspective/yfov", json!(0), &["VALUE_NOT_IN_RANGE"]),
        ("/cameras/0/perspective/znear", json!(null), &["UNDEFINED_PROPERTY"]),
        ("/cameras/0/perspective/zfar", json!(0.1), &["CAMERA_ZFAR_LEQUAL_ZNEAR"]),
        ("/cameras/0/type", json!("orthographic"), &["UNDEFINED_PROPERTY"]),
        (
            "/cameras/0/orthographic",
            json!({"xmag": 0, "ymag": 1, "zfar": 2, "znear": 1}),
            &["CAMERA_XMAG_YMAG_ZERO", "ONE_OF_MISMATCH"],
        ),
        ("/nodes/3/camera", json!(1), &["UNRESOLVED_REFERENCE"]),
        ("/skins/0/skeleton", json!(-1), &["INVALID_INDEX"]),
        ("/nodes/3/extensions", json!([]), &["TYPE_MISMATCH"]),
        ("/nodes/3/weights", json!([1]), &["NODE_WEIGHTS_INVALID"]),
        ("/nodes/1/skin", json!(0), &["UNSATISFIED_DEPENDENCY"]),
        ("/nodes/2/rotation", json!([0, 0, 0]), &["TYPE_MISMATCH"]),
        ("/nodes/2/rotation", json!([0, 0, 0, 1.1]), &["ROTATION_NON_UNIT", "VALUE_NOT_IN_RANGE"]),
        ("/scenes/0/nodes", json!([0, 1, 1, 3]), &["DUPLICATE_ELEMENTS"]),
        ("/scenes/0/nodes", json!([0, 1, 2, 3]), &["SCENE_NON_ROOT_NODE"]),
        ("/extensionsUsed", json!(["KHR_lights_punctual", "KHR_lights_punctual"]), &["DUPLICATE_ELEMENTS"]),
        ("/extensionsUsed", json!(null), &["UNDECLARED_EXTENSION"]),
        ("/extensionsRequired", json!(["KHR_mesh_quantization"]), &["UNUSED_EXTENSION_REQUIRED"]),
        ("/materials/0/extensions", json!({"KHR_lights_punctual": {}}), &["UNEXPECTED_EXTENSION_OBJECT"]),
        (
            "/extensions/KHR_lights_punctual/lights/0/spot/outerConeAngle",
            json!(0),
            &["KHR_LIGHTS_PUNCTUAL_LIGHT_SPOT_ANGLES"],
        ),
        ("/extensions/KHR_lights_punctual/lights/0/color", json!([1, "x", 1]), &["TYPE_MISMATCH"]),
        ("/extensions/KHR_lights_punctual/lights/0/color", json!([1, 1]), &["TYPE_MISMATCH"]),
        ("/images", json!([{"uri": format!("data:image/jpeg;base64,{JPEG}")}]), &[]),
        ("/images", json!([{"uri": format!("data:image/png;base64,{JPEG}")}]), &["INVALID_URI"]),
        ("/images", json!([{"uri": "data:image/jpeg;base64,/9j/4A=="}]), &["INVALID_URI"]),
        ("/images", json!([{"uri": "data:image/png;base64,"}]), &["INVALID_URI"]),
        (
            "/images",
            json!([{"uri": format!("data:;base64,{JPEG}"), "mimeType": "image/jpeg"}]),
            &["INVALID_URI"],
        ),
        ("/images", json!([{"uri": format!("data:image/jpeg;BASE64,{JPEG}")}]), &["INVALID_URI"]),
        (
            "/images",
            json!([{"uri": format!("data:image/jpeg;base64,{JPEG}"), "mimeType": "image/png"}]),
            &["IMAGE_MIME_TYPE_INVALID"],
        ),
        ("/images", json!([{"uri": "missing.png"}]), &["IO_ERROR"]),
        ("/images", json!([{"uri": "data:image/png;base64,@"}]), &["INVALID_URI"]),
        ("/images", json!([{"mimeType": "image/png"}]), &["ONE_OF_MISMATCH"]),
        ("/textures", json!([{"sampler": 0}]), &["UNRESOLVED_REFERENCE"]),
        // Positions of data.
        ("/accessors/0/byteOffset", json!(2), &["ACCESSOR_TOO_LONG"]),
        ("/accessors/1/count", json!(3), &["MESH_PRIMITIVE_UNEQUAL_ACCESSOR_COUNT"]),
        ("/accessors/3/normalized", json!(true), &["MESH_PRIMITIVE_ATTRIBUTES_ACCESSOR_INVALID_FORMAT"]),
        (
            "/accessors/4/normalized",
            json!(true),
            &["ACCESSOR_NORMALIZED_INVALID", "MESH_PRIMITIVE_ATTRIBUTES_ACCESSOR_INVALID_FORMAT"],
        ),
        ("/accessors/5/componentType", json!(5122), &["MESH_PRIMITIVE_INDICES_ACCESSOR_INVALID_FORMAT"]),
        ("/accessors/9/byteOffset", json!(0), &["UNSATISFIED_DEPENDENCY"]),
        ("/accessors/9/count", json!(1), &["ACCESSOR_SPARSE_COUNT_OUT_OF_RANGE"]),
        ("/accessors/9/sparse/count", json!(0), &["ACCESSOR_MAX_MISMATCH", "VALUE_NOT_IN_RANGE"]),
        ("/bufferViews/1/byteStride", json!(14), &["ACCESSOR_TOO_LONG"]),
        ("/bufferViews/5/byteStride", json!(4), &["ACCESSOR_TOO_LONG"]),
        ("/bufferViews/6/byteStride", json!(64), &["SKIN_IBM_ACCESSOR_WITH_BYTESTRIDE"]),
        ("/bufferViews/8/byteStride", json!(16), &["ANIMATION_SAMPLER_ACCESSOR_WITH_BYTESTRIDE"]),
        ("/bufferViews/8/target", json!(34962), &["BUFFER_VIEW_TARGET_OVERRIDE"]),
        ("/bufferViews/10/byteStride", json!(12), &["BUFFER_VIEW_INVALID_BYTE_STRIDE"]),
        ("/bufferViews/10/byteLength", json!(23), &["ACCESSOR_TOO_LONG"]),
        ("/buffers/0/byteLength", json!(100), &["BUFFER_VIEW_TOO_LONG"]),
        // Values of numbers.
        ("/accessors/0/min", json!([-1, 0, 0]), &["ACCESSOR_MIN_MISMATCH"]),
        ("/accessors/0/max", json!([1, 0.5, 0]), &["ACCESSOR_ELEMENT_OUT_OF_MAX_BOUND"]),
        ("/accessors/0/max", json!(null), &["MESH_PRIMITIVE_POSITION_ACCESSOR_WITHOUT_BOUNDS"]),
        ("/accessors/3/max", json!([0.5, 1, 0, 0]), &["ACCESSOR_MAX_MISMATCH", "ARRAY_TYPE_MISMATCH"]),
        ("/accessors/3/min", json!([-1, 1, 0, 0]), &["ACCESSOR_MIN_MISMATCH", "INVALID_GL_VALUE"]),
        ("/accessors/7/min", json!(null), &["ANIMATION_SAMPLER_INPUT_ACCESSOR_WITHOUT_BOUNDS"]),
        ("/meshes/0/primitives/0/attributes/NORMAL", json!(0), &["ACCESSOR_VECTOR3_NON_UNIT"]),
        (
            "/meshes/0/primitives/0/attributes/TANGENT",
            json!(4),
            &["ACCESSOR_INVALID_SIGN", "ACCESSOR_VECTOR3_NON_UNIT"],
        ),
        // Scenes, skins and their nodes.
        (
            "/meshes/0/primitives/0/attributes/TEXCOORD_2",
            json!(2),
            &["MESH_PRIMITIVE_INDEXED_SEMANTIC_CONTINUITY"],
        ),
        ("/meshes/0/primitives/0/attributes/FOO", json!(2), &["MESH_PRIMITIVE_INVALID_ATTRIBUTE"]),
        (
            "/meshes/0/primitives/0/attributes/_FOO",
            json!(5),
            &[
                "ACCESSOR_USAGE_OVERRIDE",
                "BUFFER_VIEW_TARGET_OVERRIDE",
                "MESH_PRIMITIVE_ACCESSOR_UNALIGNED",
                "MESH_PRIMITIVE_UNEQUAL_ACCESSOR_COUNT",
            ],
        ),
        (
            "/meshes/0/primitives/0/attributes/JOINTS_0",
            json!(null),
            &["MESH_PRIMITIVE_JOINTS_WEIGHTS_MISMATCH", "NODE_SKIN_WITH_NON_SKINNED_MESH"],
        ),
        (
            "/meshes/0/primitives/0/attributes/JOINTS_1",
            json!(3),
            &["MESH_PRIMITIVE_JOINTS_WEIGHTS_MISMATCH", "NODE_SKIN_WITH_NON_SKINNED_MESH"],
        ),
        (
            "/meshes/0/primitives/0/attributes/JOINTS_01",
            json!(3),
            &["MESH_PRIMITIVE_INVALID_ATTRIBUTE", "NODE_SKIN_WITH_NON_SKINNED_MESH"],
        ),
        ("/meshes/0/weights", json!([1]), &["MESH_INVALID_WEIGHTS_COUNT"]),
        ("/materials/0/emissiveTexture", json!({"index": 0, "texCoord": 1}), &["UNRESOLVED_REFERENCE"]),
        ("/skins/0/joints", json!([1, 3]), &["SKIN_NO_COMMON_ROOT", "SKIN_SKELETON_INVALID"]),
        ("/skins/0/skeleton", json!(2), &["SKIN_SKELETON_INVALID"]),
        ("/scenes/0/nodes", json!([0, 3]), &["NODE_SKIN_NO_SCENE"]),
        (
            "/nodes/2/matrix",
            json!([1, 0.5, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]),
            &["ANIMATION_CHANNEL_TARGET_NODE_MATRIX", "NODE_MATRIX_NON_TRS", "NODE_MATRIX_TRS"],
        ),
        (
            "/animations/0/samplers/0/interpolation",
            json!("CUBICSPLINE"),
            &["ANIMATION_SAMPLER_OUTPUT_ACCESSOR_INVALID_COUNT"],
        ),
        ("/animations/0/samplers/0/output", json!(0), &["ANIMATION_SAMPLER_OUTPUT_ACCESSOR_INVALID_FORMAT"]),
    ] {
        let found = codes(&edited(pointer, value.clone())).0;
        if found != expected {
            wrong.push(format!("{pointer} = {value}: {found:?}, not {expected:?}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// A document with these images and nothing else.
fn with_images(images: Value) -> Value {
    json!({"asset": {"version": "2.0"}, "images": images})
}

/// A `data:` URI of some bytes.
fn data_uri(mime: &str, bytes: &[u8]) -> String {
    format!("data:{mime};base64,{}", base64::engine::general_purpose::STANDARD.encode(bytes))
}

/// Pictures that no material uses are looked at all the same.
#[test]
fn broken_pictures_are_told_from_cut_ones() {
    let jpeg = base64::engine::general_purpose::STANDARD.decode(JPEG).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let found = |mime: &str, bytes: &[u8]| {
        std::fs::write(folder.path().join("x"), bytes).unwrap();
        let inside = codes(&with_images(json!([{"uri": data_uri(mime, bytes)}]))).0;
        let document = with_images(json!([{"uri": "x"}])).to_string();
        assert_eq!(codes_of(document.as_bytes(), Some(folder.path())).0, inside);
        let view = json!({
            "asset": {"version": "2.0"},
            "images": [{"bufferView": 0, "mimeType": mime}],
            "bufferViews": [{"buffer": 0, "byteLength": bytes.len()}],
            "buffers": [{"byteLength": bytes.len(), "uri": data_uri("application/octet-stream", bytes)}]
        });
        assert_eq!(codes(&view).0, inside);
        inside
    };
    assert_eq!(found("image/jpeg", &jpeg), [""; 0]);
    assert_eq!(found("image/jpeg", &jpeg[..18]), ["IMAGE_UNEXPECTED_EOS"]);
    let four_channels = [&jpeg[..17], &[4, 0]].concat();
    assert_eq!(found("image/jpeg", &four_channels), ["IMAGE_DATA_INVALID"]);
    let png = [&b"\x89PNG\r\n\x1a\n"[..], &[0, 0, 0, 12], b"IHDR"].concat();
    assert_eq!(found("image/png", &png[..15]), ["IMAGE_UNEXPECTED_EOS"]);
    assert_eq!(found("image/png", &png), ["IMAGE_DATA_INVALID"]);
}

#[test]
fn a_webp_takes_its_extension() {
    let webp = "data:image/webp;base64,UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA";
    let mut document = with_images(json!([{"uri": webp}]));
    assert_eq!(codes(&document).0, ["IMAGE_NON_ENABLED_MIME_TYPE"]);
    document["extensionsUsed"] = json!(["EXT_texture_webp"]);
    assert_eq!(codes(&document).0, [""; 0]);
    document["textures"] = json!([{"extensions": {"EXT_texture_webp": {"source": 0}}}]);
    assert_eq!(codes(&document).0, [""; 0]);
    document["textures"] = json!([{"source": 0}]);
    assert_eq!(codes(&document).0, ["TEXTURE_INVALID_IMAGE_MIME_TYPE"]);
    document["images"] = json!([{"uri": format!("data:image/jpeg;base64,{JPEG}")}]);
    assert_eq!(codes(&document).0, [""; 0]);
    document["textures"] = json!([{"extensions": {"EXT_texture_webp": {"source": 0}}}]);
    assert_eq!(codes(&document).0, ["TEXTURE_INVALID_IMAGE_MIME_TYPE"]);
}

#[test]
fn odd_uris_are_named_where_they_are_read_all_the_same() {
    for uri in [
        "data:application/octet-stream;;base64,AA==",
        "data:application/octet-stream; base64,AA==",
        "data:application/octet-stream;base64,AB==",
    ] {
        let with = |uri| json!({"asset": {"version": "2.0"}, "buffers": [{"uri": uri, "byteLength": 1}]});
        assert_eq!(codes(&with("data:application/octet-stream;base64,AA==")).0, [""; 0]);
        assert_eq!(codes(&with(uri)).0, ["INVALID_URI"], "{uri}");
    }
    assert_eq!(codes(&with_images(json!([{"uri": ":"}]))).0, ["INVALID_URI", "IO_ERROR"]);
}

#[test]
fn the_first_buffer_of_a_glb_is_its_binary_chunk() {
    let json = br#"{"asset":{"version":"2.0"},"buffers":[{"byteLength":4}]}    "#;
    let json = &json[..json.len() / 4 * 4];
    let glb = |chunks: &[(&[u8; 4], &[u8])]| {
        let parts =
            chunks.iter().map(|(kind, data)| [&(data.len() as u32).to_le_bytes(), *kind, *data].concat());
        let body = parts.collect::<Vec<_>>().concat();
        [&b"glTF\x02\0\0\0"[..], &(body.len() as u32 + 12).to_le_bytes(), &body].concat()
    };
    assert_eq!(codes_of(&glb(&[(b"JSON", json), (b"BIN\0", &[0; 4])]), None).0, [""; 0]);
    assert_eq!(codes_of(&glb(&[(b"JSON", json)]), None).0, ["BUFFER_MISSING_GLB_DATA"]);
    // Beside a GLB there is no chunk to miss, and the buffer may come from elsewhere.
    assert_eq!(codes_of(json, None).0, [""; 0]);
}

#[test]
fn extensions_are_objects_and_are_where_they_belong() {
    let unknown = |value| {
        let mut document = edited("/extensionsUsed", json!(["KHR_lights_punctual", "KHR_x"]));
        document["nodes"][3]["extensions"]["KHR_x"] = value;
        codes(&document).0
    };
    assert_eq!(unknown(json!({"a": [1]})), [""; 0]);
    for value in [json!(null), json!(5), json!("x"), json!(true), json!([{}])] {
        assert_eq!(unknown(value), ["TYPE_MISMATCH"]);
    }
    let mut document = edited("/extensionsUsed", json!(["KHR_lights_punctual", "KHR_mesh_quantization"]));
    document["extensionsRequired"] = json!(["KHR_mesh_quantization"]);
    assert_eq!(codes(&document).0, [""; 0]);
    document["extensions"]["KHR_mesh_quantization"] = json!({});
    assert_eq!(codes(&document).0, ["UNEXPECTED_EXTENSION_OBJECT"]);
    let without_lights = edited("/extensions", json!(null));
    assert_eq!(codes(&without_lights).0, ["UNRESOLVED_REFERENCE", "UNSATISFIED_DEPENDENCY"]);
    let has_odd_pointer = |pointer: &str| {
        let target =
            json!({"path": "pointer", "extensions": {"KHR_animation_pointer": {"pointer": pointer}}});
        let mut document = edited("/animations/0/channels/0/target", target);
        document["extensionsUsed"] = json!(["KHR_lights_punctual", "KHR_animation_pointer"]);
        codes(&document).0 == ["INCOMPLETE_EXTENSION_SUPPORT", "PATTERN_MISMATCH"]
    };
    assert!(!has_odd_pointer("/nodes/2/rotation") && !has_odd_pointer("/a~0b") && has_odd_pointer("/a~b"));
}

/// The sound document with two variants of the first primitive's material.
fn with_variants(mappings: Value) -> Value {
    let mut document = edited("/extensionsUsed", json!(["KHR_lights_punctual", "KHR_materials_variants"]));
    document["extensions"]["KHR_materials_variants"] = json!({"variants": [{"name": "a"}, {"name": "a"}]});
    document["images"] = json!([{"uri": format!("data:image/jpeg;base64,{JPEG}")}]);
    document["textures"] = json!([{"source": 0}]);
    document["meshes"][0]["primitives"][0]["extensions"] =
        json!({"KHR_materials_variants": {"mappings": mappings}});
    document
}

#[test]
fn a_variant_gives_a_primitive_one_material() {
    let mut document =
        with_variants(json!([{"variants": [0], "material": 0}, {"variants": [1], "material": 0}]));
    document["materials"] = json!([{}]);
    assert_eq!(codes(&document).0, [""; 0]);
    let mapping = "/meshes/0/primitives/0/extensions/KHR_materials_variants/mappings/1/variants";
    *document.pointer_mut(mapping).unwrap() = json!([1, 0]);
    assert_eq!(codes(&document).0, ["KHR_MATERIALS_VARIANTS_NON_UNIQUE_VARIANT"]);
    *document.pointer_mut(mapping).unwrap() = json!([1]);
    document["extensions"].as_object_mut().unwrap().remove("KHR_materials_variants");
    assert_eq!(codes(&document).0, ["UNRESOLVED_REFERENCE", "UNSATISFIED_DEPENDENCY"]);
}

#[test]
fn coordinates_are_asked_for_by_transforms_and_variants() {
    let textured = |texture: Value| {
        let mut document = with_variants(json!([{"variants": [0], "material": 1}]));
        let used = [
            "KHR_lights_punctual",
            "KHR_materials_variants",
            "KHR_texture_transform",
            "KHR_materials_volume",
        ];
        document["extensionsUsed"] = json!(used);
        document["materials"] =
            json!([{}, {"extensions": {"KHR_materials_volume": {"thicknessTexture": texture}}}]);
        let used = codes(&document).0;
        document["meshes"][0]["primitives"][0]["extensions"] = json!({});
        document["meshes"][0]["primitives"][0]["material"] = json!(1);
        assert_eq!(codes(&document).0, used, "{texture}");
        used
    };
    let transform = |texcoord: u32| json!({"KHR_texture_transform": {"texCoord": texcoord}});
    assert_eq!(textured(json!({"index": 0})), [""; 0]);
    assert_eq!(textured(json!({"index": 0, "extensions": transform(0)})), [""; 0]);
    for few in [
        json!({"index": 0, "texCoord": 1}),
        json!({"index": 0, "extensions": transform(1)}),
        json!({"index": 0, "texCoord": 1, "extensions": transform(0)}),
    ] {
        assert_eq!(textured(few), ["MESH_PRIMITIVE_TOO_FEW_TEXCOORDS"]);
    }
}

#[test]
fn a_view_of_nothing_behind_its_buffer_is_no_view() {
    let mut document = sound();
    let end = document["buffers"][0]["byteLength"].clone();
    let view = json!({"buffer": 0, "byteOffset": end, "byteLength": 0});
    document["bufferViews"].as_array_mut().unwrap().push(view);
    assert_eq!(codes(&document).0, ["BUFFER_VIEW_TOO_LONG", "VALUE_NOT_IN_RANGE"]);
}

#[test]
fn what_is_odd_is_a_note() {
    for (pointer, value, expected) in [
        ("/asset/foo", json!(1), "UNEXPECTED_PROPERTY"),
        ("/asset/extras", json!("x"), "NON_OBJECT_EXTRAS"),
        ("/samplers", json!([{"magFilter": 1}]), "VALUE_NOT_IN_LIST"),
        ("/nodes/0/translation", json!([0, 1, 0]), "NODE_SKINNED_MESH_LOCAL_TRANSFORMS"),
        ("/nodes/1/children", json!([2, 0]), "NODE_SKINNED_MESH_NON_ROOT"),
        ("/bufferViews/0/target", json!(null), "BUFFER_VIEW_TARGET_MISSING"),
        ("/materials/0/alphaCutoff", json!(0.5), "MATERIAL_ALPHA_CUTOFF_INVALID_MODE"),
        ("/cameras/0/perspective/yfov", json!(3.2), "CAMERA_YFOV_GEQUAL_PI"),
        ("/meshes/0/primitives/0/material", json!(null), "UNUSED_OBJECT"),
    ] {
        let notes = codes(&edited(pointer, value.clone())).1;
        assert!(notes.contains(&expected), "{pointer} = {value}: {notes:?}");
    }
}

#[test]
fn floats_may_stand_for_whole_numbers_and_numbers_may_be_too_large() {
    assert_eq!(codes(&edited("/nodes/3/camera", json!(0.0))).0, [""; 0]);
    let text = sound().to_string().replace("\"znear\":0.1", "\"znear\":0.1,\"foo\":1e999");
    let found = inspect_bytes(text.as_bytes(), None, &Options::default()).unwrap();
    assert!(found.model.faults.iter().all(|fault| fault.code == "INVALID_JSON"));
    let text = sound().to_string().replace("\"max\":[1]", "\"max\":[1e999]");
    let found = inspect_bytes(text.as_bytes(), None, &Options::default()).unwrap();
    assert_eq!(found.model.faults[0].code, "INVALID_JSON");
    assert!(matches!(
        inspect_bytes(b"{}", None, &Options::default()),
        Err(LoadError::Json { code: "UNDEFINED_PROPERTY", .. })
    ));
}
