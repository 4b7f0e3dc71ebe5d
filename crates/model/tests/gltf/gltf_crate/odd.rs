//! Tests that no unvalidated document makes the conversion panic.

use serde_json::Value;
use sinew_model::gltf::{Options, from_gltf, load_bytes_with};
use sinew_model::{Reader, builtin};

/// The JSON and the binary chunk of a GLB.
pub fn split(glb: &[u8]) -> (Value, Vec<u8>) {
    let length = u32::from_le_bytes(glb[12..16].try_into().unwrap()) as usize;
    let json = serde_json::from_slice(&glb[20..20 + length]).unwrap();
    (json, glb[20 + length + 8..].to_vec())
}

/// JSON pointers to all values of a document; from lists only the first two and the last.
fn places(value: &Value, at: &str, out: &mut Vec<String>) {
    match value {
        Value::Object(members) => {
            for (name, member) in members {
                let at = format!("{at}/{name}");
                out.push(at.clone());
                places(member, &at, out);
            }
        }
        Value::Array(elements) => {
            let last = elements.len().saturating_sub(1);
            for (index, element) in
                elements.iter().enumerate().filter(|(index, _)| *index < 2 || *index == last)
            {
                let at = format!("{at}/{index}");
                out.push(at.clone());
                places(element, &at, out);
            }
        }
        _ => {}
    }
}

#[test]
fn no_edit_of_a_document_makes_it_panic() {
    let (json, binary) = split(&builtin::glb("twist").unwrap());
    let mut all = Vec::new();
    places(&json, "", &mut all);
    let (mut read, mut refused) = (0, 0);
    let mut convert = |json: &Value, binary: &[u8]| {
        let Ok(root) = gltf::json::Root::from_slice(json.to_string().as_bytes()) else { return };
        let document = gltf::Document::from_json_without_validation(root);
        // Its validation must not panic, either.
        let by_crate = Options { reader: Reader::Gltf, ..Options::default() };
        let _ = load_bytes_with(json.to_string().as_bytes(), None, &by_crate);
        match from_gltf(&document, &[binary]) {
            Ok(_) => read += 1,
            Err(error) => {
                assert!(!error.to_string().contains('\n'), "{error}");
                refused += 1;
            }
        }
    };
    let values = [0, 1, 3, 5120, 5125, 65_535, 4_294_967_295_u64, u64::MAX];
    for place in &all {
        for value in values.map(Value::from).into_iter().chain(["MAT4", "weights", "odd"].map(Value::from)) {
            let mut edited = json.clone();
            *edited.pointer_mut(place).unwrap() = value;
            convert(&edited, &binary);
        }
        let (parent, name) = place.rsplit_once('/').unwrap();
        let mut edited = json.clone();
        if let Some(Value::Object(members)) = edited.pointer_mut(parent) {
            members.remove(name);
            convert(&edited, &binary);
        }
    }
    for length in [0, 1, 100, binary.len() - 1] {
        convert(&json, &binary[..length]);
    }
    assert!(read > 100 && refused > 100, "{read} read, {refused} refused");
}

#[test]
fn a_missing_buffer_is_named() {
    let glb = builtin::glb("twist").unwrap();
    let file = gltf::Gltf::from_slice(&glb).unwrap();
    let none: [&[u8]; 0] = [];
    let error = from_gltf(&file.document, &none).unwrap_err().to_string();
    assert!(error.contains("buffer 0 is not among the 0 given"), "{error}");
    let error = from_gltf(&file.document, &[&[0_u8; 8]]).unwrap_err().to_string();
    assert!(error.starts_with("bufferViews[") && error.contains("holds 8"), "{error}");
}
