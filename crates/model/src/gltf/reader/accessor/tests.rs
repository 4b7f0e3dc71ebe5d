//! Sound and broken accessors.

use std::borrow::Cow;

use super::accessors::Accessors;
use crate::gltf::json;
use crate::reading::budget::Budget;
use crate::reading::error::LoadError;
use crate::reading::watch::Watch;

/// Runs `check` on a reader for one buffer and the given views and accessors.
fn with<R>(bytes: &[u8], views: &str, accessors: &str, check: impl FnOnce(&mut Accessors<'_>) -> R) -> R {
    let text = format!(
        r#"{{"asset": {{"version": "2.0"}}, "buffers": [{{"byteLength": {}}}],
            "bufferViews": [{views}], "accessors": [{accessors}]}}"#,
        bytes.len()
    );
    let document = json::parse(text.as_bytes()).unwrap();
    let buffers = vec![Some(Cow::Borrowed(bytes))];
    check(&mut Accessors::new(&document, &buffers, Budget::default(), &Watch::default()))
}

const ALL: &str = r#"{"buffer": 0, "byteLength": 8}"#;
const BYTES: [u8; 8] = [0, 1, 2, 3, 127, 128, 254, 255];

fn message<T: std::fmt::Debug>(result: Result<T, LoadError>) -> String {
    result.unwrap_err().to_string()
}

#[test]
fn normalised_and_plain_integers() {
    let one = |code, normalized| {
        let accessor = format!(
            r#"{{"bufferView": 0, "byteOffset": 4, "componentType": {code},
                "normalized": {normalized}, "count": 1, "type": "VEC4"}}"#
        );
        with(&BYTES, ALL, &accessor, |a| a.floats::<4>(0, "x").unwrap()[0])
    };
    assert_eq!(one(5121, false), [127.0, 128.0, 254.0, 255.0]);
    assert_eq!(one(5121, true), [127.0 / 255.0, 128.0 / 255.0, 254.0 / 255.0, 1.0]);
    assert_eq!(one(5120, false), [127.0, -128.0, -2.0, -1.0]);
    assert_eq!(one(5120, true), [1.0, -1.0, -2.0 / 127.0, -1.0 / 127.0]);
}

#[test]
fn strides_and_offsets() {
    let view = r#"{"buffer": 0, "byteOffset": 1, "byteLength": 7, "byteStride": 4}"#;
    let accessor = r#"{"bufferView": 0, "byteOffset": 1, "componentType": 5121, "count": 2, "type": "VEC2"}"#;
    let read = with(&BYTES, view, accessor, |a| a.floats::<2>(0, "x").unwrap());
    assert_eq!(read, [[2.0, 3.0], [254.0, 255.0]]);
    let one_more = accessor.replace("\"count\": 2", "\"count\": 3");
    let text = message(with(&BYTES, view, &one_more, |a| a.floats::<2>(0, "x")));
    assert!(text.starts_with("accessors[0]: 3 elements of 2 bytes, 4 apart"), "{text}");
}

#[test]
fn joints_and_indices() {
    let accessor = r#"{"bufferView": 0, "componentType": 5123, "count": 1, "type": "VEC4"}"#;
    assert_eq!(
        with(&BYTES, ALL, accessor, |a| a.joints(0, "x").unwrap()),
        [[0x0100, 0x0302, 0x807f, 0xfffe]]
    );
    for (code, count, last, restart) in
        [(5121, 8, 255, 255), (5123, 4, 0xfffe, 0xffff), (5125, 2, 0xfffe_807f, u32::MAX)]
    {
        let accessor =
            format!(r#"{{"bufferView": 0, "componentType": {code}, "count": {count}, "type": "SCALAR"}}"#);
        let (indices, found) = with(&BYTES, ALL, &accessor, |a| a.indices(0, "x").unwrap());
        assert_eq!((indices.len(), indices[indices.len() - 1], found), (count, last, restart));
    }
}

#[test]
fn no_view_is_zeros_and_sparse_replaces_them() {
    let accessor = r#"{"componentType": 5126, "count": 3, "type": "VEC3"}"#;
    assert_eq!(with(&[], "", accessor, |a| a.floats::<3>(0, "x").unwrap()), [[0.0; 3]; 3]);

    let sparse = r#"{"componentType": 5121, "count": 3, "type": "SCALAR", "sparse": {"count": 2,
        "indices": {"bufferView": 0, "byteOffset": 1, "componentType": 5121},
        "values": {"bufferView": 0, "byteOffset": 6}}}"#;
    let read = with(&BYTES, ALL, sparse, |a| a.floats::<1>(0, "x").unwrap());
    assert_eq!(read, [[0.0], [254.0], [255.0]]);

    let on_base = sparse.replace("\"count\": 3", "\"bufferView\": 0, \"byteOffset\": 3, \"count\": 3");
    let read = with(&BYTES, ALL, &on_base, |a| a.floats::<1>(0, "x").unwrap());
    assert_eq!(read, [[3.0], [254.0], [255.0]]);

    let many = sparse.replace("\"count\": 2", "\"count\": 4");
    let text = message(with(&BYTES, ALL, &many, |a| a.floats::<1>(0, "x")));
    assert_eq!(text, "accessors[0].sparse.count: 4 replacements for 3 elements");

    let outside = sparse.replace("\"byteOffset\": 1", "\"byteOffset\": 2");
    let text = message(with(&BYTES, ALL, &outside, |a| a.floats::<1>(0, "x")));
    assert_eq!(text, "accessors[0].sparse.indices: index 3 at 1, but there are 3 elements");
}

#[test]
fn claims_are_checked_before_memory_is_taken() {
    for count in ["9223372036854775808", "18446744073709551615", "4294967295"] {
        let zeros = format!(r#"{{"componentType": 5126, "count": {count}, "type": "MAT4"}}"#);
        let result = with(&[], "", &zeros, |a| a.floats::<16>(0, "x"));
        assert!(matches!(result, Err(LoadError::NotStored { .. })));
        let view = format!(r#"{{"bufferView": 0, "componentType": 5126, "count": {count}, "type": "MAT4"}}"#);
        let result = with(&BYTES, ALL, &view, |a| a.floats::<16>(0, "x"));
        assert!(matches!(result, Err(LoadError::Invalid { .. })));
    }
    let accessor = r#"{"componentType": 5126, "count": 250000, "type": "SCALAR"}"#;
    with(&[], "", accessor, |a| {
        for _ in 0..4 {
            a.floats::<1>(0, "x").unwrap();
        }
        assert!(a.floats::<1>(0, "x").is_err(), "the budget is for all accessors together");
    });
    // Of a sparse accessor without a base only what is replaced is stored.
    let sparse = r#"{"componentType": 5121, "count": 5000000, "type": "SCALAR", "sparse": {"count": 2,
        "indices": {"bufferView": 0, "componentType": 5121}, "values": {"bufferView": 0}}}"#;
    let text = message(with(&BYTES, ALL, sparse, |a| a.floats::<1>(0, "x")));
    assert!(text.starts_with("accessors[0].count: 4999998 elements that the file does not store"), "{text}");
}

#[test]
fn broken_references_are_errors() {
    let scalar = |rest: &str| format!(r#"{{"componentType": 5121, "count": 1, "type": "SCALAR"{rest}}}"#);
    let floats =
        |views: &str, accessor: &str| message(with(&BYTES, views, accessor, |a| a.floats::<1>(0, "x")));
    assert_eq!(floats(ALL, ""), "x: there is no accessor 0 (the file has 0)");
    assert!(
        floats(ALL, &scalar(", \"bufferView\": 7"))
            .starts_with("accessors[0].bufferView: there is no buffer view 7")
    );
    let outside = r#"{"buffer": 0, "byteOffset": 1, "byteLength": 8}"#;
    assert!(floats(outside, &scalar(", \"bufferView\": 0")).starts_with("bufferViews[0]: 8 bytes from 1 on"));
    let huge = r#"{"buffer": 0, "byteOffset": 18446744073709551615, "byteLength": 1}"#;
    assert!(floats(huge, &scalar(", \"bufferView\": 0")).starts_with("bufferViews[0]: "));
    let buffer = r#"{"buffer": 3, "byteLength": 8}"#;
    assert!(floats(buffer, &scalar(", \"bufferView\": 0")).starts_with("bufferViews[0].buffer: "));
    let narrow = r#"{"buffer": 0, "byteLength": 8, "byteStride": 1}"#;
    let vec4 = r#"{"bufferView": 0, "componentType": 5121, "count": 1, "type": "VEC4"}"#;
    let text = message(with(&BYTES, narrow, vec4, |a| a.floats::<4>(0, "x")));
    assert!(text.starts_with("bufferViews[0].byteStride: "), "{text}");
}

#[test]
fn wrong_types_are_errors_not_reinterpreted() {
    let vec4 = r#"{"componentType": 5125, "count": 1, "type": "VEC4"}"#;
    with(&[], "", vec4, |a| {
        assert!(message(a.floats::<4>(0, "x")).contains("32-bit numbers"));
        assert!(message(a.joints(0, "x")).contains("32-bit numbers"));
        assert_eq!(message(a.indices(0, "x")), "x: accessor 0 is VEC4, but must be SCALAR");
    });
    let mat3 = r#"{"componentType": 5126, "count": 1, "type": "MAT3"}"#;
    assert!(message(with(&[], "", mat3, |a| a.floats::<3>(0, "x"))).contains("'MAT3'"));
    let code = r#"{"componentType": 5124, "count": 1, "type": "SCALAR"}"#;
    assert!(message(with(&[], "", code, |a| a.floats::<1>(0, "x"))).contains("5124 is not a component type"));
}
