//! Checks whole files, as programs that use only this crate do.

use sinew_gltf_rules::{Finding, Severity, check};

/// A triangle in an external buffer.
const TRIANGLE: &str = r#"{
    "asset": {"version": "2.0"},
    "scene": 0, "scenes": [{"nodes": [0]}], "nodes": [{"mesh": 0}],
    "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}],
    "accessors": [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3",
                   "min": [0, 0, 0], "max": [1, 1, 0]}],
    "bufferViews": [{"buffer": 0, "byteLength": 36, "target": 34962}],
    "buffers": [{"uri": "a%20b.bin", "byteLength": 36}]
}"#;

const POSITIONS: [f32; 9] = [0., 0., 0., 1., 0., 0., 0., 1., 0.];

fn bytes_of(numbers: &[f32]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
}

/// Code and pointer of each finding.
fn said(findings: &[Finding]) -> Vec<(&str, String)> {
    findings.iter().map(|finding| (finding.code, finding.pointer())).collect()
}

/// Checks a text whose external files have the bytes of a triangle.
fn triangle(text: &str) -> Vec<Finding> {
    check(text.as_bytes(), |_| Ok::<_, String>(bytes_of(&POSITIONS)))
}

/// Checks a text without external files.
fn alone(text: &str) -> Vec<Finding> {
    check(text.as_bytes(), |uri| Err(format!("{uri} is missing")))
}

#[test]
fn a_sound_file_has_no_findings() {
    let mut asked = Vec::new();
    let findings = check(TRIANGLE.as_bytes(), |uri| {
        asked.push(uri.to_owned());
        Ok::<_, String>(bytes_of(&POSITIONS))
    });
    assert_eq!(findings, []);
    assert_eq!(asked, ["a%20b.bin"]);
}

#[test]
fn findings_have_code_pointer_and_message() {
    let findings = triangle(&TRIANGLE.replace(r#""mesh": 0"#, r#""mesh": 1"#));
    assert_eq!(
        said(&findings),
        [("UNRESOLVED_REFERENCE", "/nodes/0/mesh".to_owned()), ("UNUSED_OBJECT", "/meshes/0".to_owned())]
    );
    assert_eq!(findings[0].severity, Severity::Error);
    assert_eq!(findings[0].path, "nodes[0].mesh");
    assert_eq!(findings[0].message, "there is no mesh 1 (the file has 1)");
    assert_eq!(findings[1].severity, Severity::Note);
}

#[test]
fn numbers_in_external_buffers_are_checked() {
    let findings = triangle(&TRIANGLE.replace("[1, 1, 0]", "[1, 0.5, 0]"));
    assert_eq!(said(&findings), [("ACCESSOR_ELEMENT_OUT_OF_MAX_BOUND", "/accessors/0/max/1".to_owned())]);
    let mut odd = POSITIONS;
    odd[4] = f32::NAN;
    let findings = check(TRIANGLE.as_bytes(), |_| Ok::<_, String>(bytes_of(&odd)));
    assert_eq!(said(&findings), [("ACCESSOR_INVALID_FLOAT", "/accessors/0".to_owned())]);
}

/// Without a view, elements are zeros, unless a compressed stream has them.
#[test]
fn directions_in_a_compressed_stream_are_not_zeros() {
    let normals = r#""attributes": {"POSITION": 0, "NORMAL": 1}"#;
    let text = TRIANGLE.replace(r#""attributes": {"POSITION": 0}"#, normals).replace(
        r#""max": [1, 1, 0]}"#,
        r#""max": [1, 1, 0]}, {"componentType": 5126, "count": 3, "type": "VEC3"}"#,
    );
    let path = "/meshes/0/primitives/0/attributes/NORMAL".to_owned();
    assert_eq!(said(&triangle(&text)), [("ACCESSOR_VECTOR3_NON_UNIT", path)]);
    let compressed =
        r#", "extensions": {"KHR_draco_mesh_compression": {"bufferView": 1, "attributes": {"NORMAL": 0}}}"#;
    let text = text
        .replace(normals, &(normals.to_owned() + compressed))
        .replace(r#""target": 34962}"#, r#""target": 34962}, {"buffer": 0, "byteLength": 36}"#)
        .replace(r#""asset""#, r#""extensionsUsed": ["KHR_draco_mesh_compression"], "asset""#);
    assert_eq!(said(&triangle(&text)), []);
}

#[test]
fn files_that_cannot_be_read_are_findings() {
    let findings = alone(TRIANGLE);
    assert_eq!(said(&findings), [("IO_ERROR", "/buffers/0/uri".to_owned())]);
    assert_eq!(findings[0].message, "buffer 'a%20b.bin': a%20b.bin is missing");
    let findings = check(TRIANGLE.as_bytes(), |_| Ok::<_, String>(vec![0; 35]));
    assert_eq!(said(&findings), [("BUFFER_BYTE_LENGTH_MISMATCH", "/buffers/0/byteLength".to_owned())]);
    let text =
        r#"{"asset": {"version": "2.0"}, "images": [{"uri": "x.png"}, {"uri": "data:image/png;base64,*"}]}"#;
    assert_eq!(
        said(&alone(text))[..2],
        [("IO_ERROR", "/images/0/uri".to_owned()), ("INVALID_URI", "/images/1/uri".to_owned())]
    );
}

#[test]
fn every_value_of_a_wrong_type_is_named() {
    let findings = alone(r#"{"asset": {"version": 2}, "nodes": [{"mesh": "x"}, {"children": [0.5]}]}"#);
    assert_eq!(
        said(&findings),
        [
            ("TYPE_MISMATCH", "/asset/version".to_owned()),
            ("TYPE_MISMATCH", "/nodes/0/mesh".to_owned()),
            ("INVALID_INDEX", "/nodes/1/children/0".to_owned())
        ]
    );
}

#[test]
fn unreadable_files_are_one_finding() {
    let limit = format!(r#"{{"asset": {{"version": "2.0"}}, "x": [{}{{}}]}}"#, "{},".repeat(1_000_000));
    for (text, code) in [
        ("", "GLB_UNEXPECTED_END_OF_HEADER"),
        ("solid", "INVALID_JSON"),
        ("{", "INVALID_JSON"),
        ("{}", "UNDEFINED_PROPERTY"),
        (r#"{"asset": {"version": "1.0"}, "nodes": {"a": {}}}"#, "UNKNOWN_ASSET_MAJOR_VERSION"),
        (r#"{"asset": {"version": "3.0"}}"#, "UNKNOWN_ASSET_MAJOR_VERSION"),
        (&limit, "TOO_LARGE"),
    ] {
        let findings = alone(text);
        let codes: Vec<_> = findings.iter().map(|finding| finding.code).collect();
        assert_eq!(codes, [code], "{}", &text[..text.len().min(60)]);
    }
}

#[test]
fn a_node_has_one_parent() {
    let findings =
        alone(r#"{"asset": {"version": "2.0"}, "nodes": [{"children": [2]}, {"children": [2]}, {}]}"#);
    assert_eq!(said(&findings), [("NODE_PARENT_OVERRIDE", "/nodes/1/children/0".to_owned())]);
}

#[test]
fn no_part_of_a_glb_panics() {
    let json = TRIANGLE.replace(r#""uri": "a%20b.bin", "#, "").replace('\n', " ");
    let json = format!("{json:<width$}", width = json.len().next_multiple_of(4));
    let chunk = |kind: &[u8], data: &[u8]| [&(data.len() as u32).to_le_bytes(), kind, data].concat();
    let chunks = [chunk(b"JSON", json.as_bytes()), chunk(b"BIN\0", &bytes_of(&POSITIONS))].concat();
    let glb =
        |chunks: &[u8]| [&b"glTF\x02\0\0\0"[..], &(chunks.len() as u32 + 12).to_le_bytes(), chunks].concat();
    let check = |bytes: &[u8]| check(bytes, |_| Err("it is alone"));
    assert_eq!(check(&glb(&chunks)), []);
    for length in 0..chunks.len() {
        assert_ne!(check(&glb(&chunks[..length])), [], "{length}");
        let mut changed = glb(&chunks);
        changed[length + 12] ^= 0x55;
        check(&changed);
    }
}

#[test]
fn accessors_of_the_same_bytes_do_not_take_for_ever() {
    let accessors = |count: usize| {
        let accessor = r#"{"bufferView": 0, "componentType": 5126, "count": 250000, "type": "SCALAR"}"#;
        let accessors = vec![accessor; count].join(",");
        let text = format!(
            r#"{{"asset": {{"version": "2.0"}}, "accessors": [{accessors}],
                "bufferViews": [{{"buffer": 0, "byteLength": 1000000}}],
                "buffers": [{{"uri": "x", "byteLength": 1000000}}]}}"#
        );
        check(text.as_bytes(), |_| Ok::<_, String>(vec![0; 1_000_000]))
    };
    // 256 MiB, and 64 for each byte of the buffer.
    assert!(accessors(332).iter().all(|finding| finding.severity == Severity::Note));
    assert_eq!(said(&accessors(1000))[0], ("TOO_LARGE", "/accessors/332".to_owned()));
}
