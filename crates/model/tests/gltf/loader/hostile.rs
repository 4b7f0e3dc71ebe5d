//! Tests hostile and unrelated files: false sizes, misleading names, and text that is not glTF.

use serde_json::json;
use sinew_model::gltf::{load, load_bytes};

use crate::character::{self, accessor};
use crate::sound::assert_sound;

/// The error of a file with this content.
fn error(content: &[u8]) -> String {
    load_bytes(content, None).unwrap_err().to_string()
}

#[test]
fn text_in_other_clothes() {
    let text = r#"{"asset": {"version": "2.0"}, "nodes": [{"name": "é"}]}"#;
    let mut with_mark = b"\xef\xbb\xbf".to_vec();
    with_mark.extend(text.as_bytes());
    assert_eq!(load_bytes(&with_mark, None).unwrap().rig.names, ["é"]);
    for (content, says) in [
        (text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>(), "UTF-16"),
        (text.encode_utf16().flat_map(u16::to_be_bytes).collect(), "UTF-16"),
        (b"<!doctype html><title>Not found</title>".to_vec(), "HTML"),
        (b"version https://git-lfs.github.com/spec/v1\nsize 9\n".to_vec(), "Git LFS"),
        (br#"{"asset": {"version": "1.0"}, "nodes": {"root": {"children": []}}}"#.to_vec(), "glTF 1.0"),
        (b"".to_vec(), "empty"),
        (b" \n".to_vec(), "neither a GLB nor a JSON object"),
    ] {
        assert!(error(&content).contains(says), "{}", error(&content));
    }
}

#[test]
fn a_long_chain_of_nodes_is_a_model() {
    let count = 200_000;
    let links: Vec<_> = (1..count).map(|child| json!({"children": [child]})).chain([json!({})]).collect();
    let file = json!({"asset": {"version": "2.0"}, "scenes": [{"nodes": [0]}], "nodes": links});
    let model = load_bytes(file.to_string().as_bytes(), None).unwrap();
    assert_sound(&model);
    assert_eq!(model.rig.len(), count);
    // Deeply nested JSON is refused beyond what the parser can bear; deep graphs are another matter.
    let deep = format!(r#"{{"asset": {{"version": "2.0"}}, "nodes": {}"#, "[".repeat(100_000));
    assert!(load_bytes(deep.as_bytes(), None).is_err());
}

/// A PNG of a few hundred bytes that claims this size, with valid checksums.
fn png_of(width: u32, height: u32) -> Vec<u8> {
    let crc = |bytes: &[u8]| {
        let step = |crc: u32, _| if crc & 1 == 1 { (crc >> 1) ^ 0xedb8_8320 } else { crc >> 1 };
        !bytes.iter().fold(u32::MAX, |crc, byte| (0..8).fold(crc ^ u32::from(*byte), step))
    };
    let mut png = b"\x89PNG\r\n\x1a\n".to_vec();
    let mut chunk = |kind: &[u8; 4], data: &[u8]| {
        png.extend((data.len() as u32).to_be_bytes());
        let from = png.len();
        png.extend(kind);
        png.extend(data);
        png.extend(crc(&png[from..]).to_be_bytes());
    };
    let mut header = [width.to_be_bytes(), height.to_be_bytes()].concat();
    header.extend([8, 6, 0, 0, 0]);
    chunk(b"IHDR", &header);
    // zlib's header, an empty stored block, and its checksum.
    chunk(b"IDAT", &[0x78, 0x01, 0x01, 0, 0, 0xff, 0xff, 0, 0, 0, 1]);
    chunk(b"IEND", &[]);
    png
}

#[test]
fn pictures_that_claim_too_much_or_hold_nothing() {
    for (bytes, says) in [
        (png_of(60_000, 60_000), "cannot be decoded"),
        (png_of(16_384, 16_384), "is too large: 16384 x 16384 pixels"),
        (png_of(0, 7), "cannot be decoded"),
        (Vec::new(), "neither PNG, JPEG, WebP, KTX2 nor TGA"),
    ] {
        let mut character = character::new();
        let view = character.view(&bytes);
        character.json["images"][0] = json!({"bufferView": view, "mimeType": "image/png"});
        let model = load_bytes(&character.glb(), None).unwrap();
        assert_sound(&model);
        assert_eq!(model.warnings.len(), 1);
        let warning = &model.warnings[0];
        assert!(warning.path == "images[0]" && warning.message.contains(says), "{}", warning.message);
        assert_eq!(model.pictures, [None]);
    }
}

#[test]
fn counts_and_offsets_at_the_end_of_the_numbers() {
    for (field, value) in [("count", 1_u64 << 32), ("count", u64::MAX), ("byteOffset", u64::MAX)] {
        let mut character = character::new();
        character.json["accessors"][accessor::POSITION][field] = value.into();
        let text = error(&character.glb());
        assert!(text.starts_with("accessors[0]: ") && text.contains("but buffer view 0 holds 48"), "{text}");
    }
    for (field, value) in [("byteLength", u64::MAX), ("byteOffset", u64::MAX - 1)] {
        let mut character = character::new();
        character.json["bufferViews"][0][field] = value.into();
        let text = error(&character.glb());
        assert!(text.starts_with("bufferViews[0]: ") && text.contains("but buffer 0 holds"), "{text}");
    }
    let mut character = character::new();
    let count = u64::MAX;
    character.json["accessors"][accessor::POSITION]["sparse"] = json!({"count": count,
        "indices": {"bufferView": 0, "componentType": 5125}, "values": {"bufferView": 0}});
    assert_eq!(
        error(&character.glb()),
        "accessors[0].sparse.count: 18446744073709551615 replacements for 4 elements"
    );
}

#[cfg(unix)]
#[test]
fn names_that_lead_nowhere() {
    use std::os::unix::fs::symlink;
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    symlink(at("b.bin"), at("a.bin")).unwrap();
    symlink(at("a.bin"), at("b.bin")).unwrap();
    symlink("/dev/zero", at("zero.bin")).unwrap();
    std::fs::create_dir(at("folder.bin")).unwrap();
    for name in ["a.bin", "zero.bin", "folder.bin"] {
        assert!(load(&at(name)).is_err(), "{name} as the model");
        let mut character = character::new();
        character.json["buffers"][0]["uri"] = name.into();
        std::fs::write(at("model.gltf"), character.json.to_string()).unwrap();
        let text = load(&at("model.gltf")).unwrap_err().to_string();
        assert!(text.starts_with(&format!("buffers[0].uri: buffer '{name}': ")), "{text}");
        // An image that cannot be read is a warning.
        let mut character = character::new();
        character.json["images"][0] = json!({"uri": name});
        std::fs::write(at("model.glb"), character.glb()).unwrap();
        assert_eq!(load(&at("model.glb")).unwrap().warnings.len(), 1, "{name} as a picture");
    }
}
