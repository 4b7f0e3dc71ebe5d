//! Parses the JSON of a glTF file.

use super::document::Document;
use super::version::{self, Version};
use crate::format::error::FormatError;

/// Parses the text; an error carries the JSON path of the value at fault.
pub fn parse(text: &[u8]) -> Result<Document, FormatError> {
    if text.trim_ascii_start().first() != Some(&b'{') {
        let message = "neither a GLB nor a JSON object".to_owned();
        return Err(FormatError::Json { code: "INVALID_JSON", path: String::new(), message });
    }
    let broken = |path: String, error: serde_json::Error| {
        let message = error.to_string();
        let code = match error.is_data() {
            true if message.starts_with("missing field") => "UNDEFINED_PROPERTY",
            true => "TYPE_MISMATCH",
            false => "INVALID_JSON",
        };
        FormatError::Json { code, path, message }
    };
    let mut deserializer = serde_json::Deserializer::from_slice(text);
    let document =
        serde_path_to_error::deserialize(&mut deserializer).map_err(|error| match version::of(text) {
            // Objects in place of arrays are not the file's error: version 1.0 uses them.
            Version::One => FormatError::Version { path: "asset.version", message: version::ONE.to_owned() },
            Version::Other => broken(error.path().to_string(), error.into_inner()),
        })?;
    deserializer.end().map_err(|error| broken(String::new(), error))?;
    Ok(document)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(text: &str) -> String {
        parse(text.as_bytes()).unwrap_err().to_string()
    }

    #[test]
    fn floats_may_stand_for_whole_numbers() {
        let text = r#"{"asset": {"version": "2.0"}, "scene": 1.0,
            "nodes": [{"children": [2.0, 3e0]}],
            "meshes": [{"primitives": [{"attributes": {"POSITION": 4.0}}]}]}"#;
        let document = parse(text.as_bytes()).unwrap();
        assert_eq!(document.scene, Some(1));
        assert_eq!(document.nodes[0].children, [2, 3]);
        assert_eq!(document.meshes[0].primitives[0].attributes["POSITION"], 4);
    }

    #[test]
    fn errors_carry_the_path() {
        let text = error(r#"{"asset": {"version": "2.0"}, "nodes": [{}, {"children": [1, 2.5]}]}"#);
        assert!(text.starts_with("nodes[1].children[1]: "), "{text}");
        let text = error(
            r#"{"asset": {"version": "2.0"}, "meshes": [{"primitives": [{"attributes": {"A": -1}}]}]}"#,
        );
        assert!(text.starts_with("meshes[0].primitives[0].attributes.A: "), "{text}");
        assert!(error(r#"{"asset": {}}"#).contains("version"));
        assert!(error(r#"{"asset": {"version": "2.0"}} x"#).contains("trailing"));
        let text = error(
            "{\"asset\": {\"version\": \"2.0\"}, \"meshes\": [{\"primitives\": [{\"attributes\": {\"A\\nB\": -1}}]}]}",
        );
        assert!(!text.contains('\n'), "{text}");
    }

    #[test]
    fn hostile_text_is_refused() {
        for text in [
            "",
            "null",
            "[]",
            "{",
            "\u{0}",
            "{\"asset\":{\"version\":\"2.0\"},\"asset\":{\"version\":\"2.0\"}}",
        ] {
            assert!(parse(text.as_bytes()).is_err(), "{text}");
        }
        assert!(parse(&[0xff, 0xfe]).is_err());
        let deep = format!("{{\"asset\": {{\"version\": \"2.0\"}}, \"x\": {}", "[".repeat(1_000_000));
        assert!(parse(deep.as_bytes()).is_err());
    }
}
