//! Refuses other versions of the format, and recognises glTF 1.0, which has objects where 2.0 has arrays.

use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::document;
use crate::format::error::FormatError;
use crate::text::quoted;

/// The error for a file of version 1.0.
pub const ONE: &str = "this is glTF 1.0, but sinew reads only glTF 2.0 (convert the file first)";

/// Supported and unsupported versions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Version {
    /// glTF 1.0.
    One,
    /// Anything else.
    Other,
}

/// The version of a text that is no glTF 2.0.
pub fn of(text: &[u8]) -> Version {
    let Ok(file) = serde_json::from_slice::<File>(text) else { return Version::Other };
    let said = file.asset.version.map(|said| match said {
        Said::Text(version) => version == "1" || version.starts_with("1."),
        Said::Number(version) => (1.0..2.0).contains(&version),
        Said::Other(_) => false,
    });
    // Early files have no version. Only 1.0 names its nodes and meshes.
    let named = [file.nodes, file.meshes, file.accessors, file.buffers].contains(&Form::Object);
    match said.unwrap_or(named) {
        true => Version::One,
        false => Version::Other,
    }
}

/// Refuses versions that are not 2, and files for readers of later ones.
pub fn check(asset: &document::Asset) -> Result<(), FormatError> {
    let refused = |path, message| Err(FormatError::Version { path, message });
    match parts(&asset.version) {
        Some((2, _)) => {}
        Some((1, _)) => return refused("asset.version", ONE.to_owned()),
        Some(_) | None => {
            return refused("asset.version", format!("{} is not glTF version 2", quoted(&asset.version)));
        }
    }
    match &asset.min_version {
        Some(minimum) if parts(minimum).is_none_or(|version| version > (2, 0)) => {
            let message =
                format!("the file needs a reader for glTF {}, but sinew reads 2.0", quoted(minimum));
            refused("asset.minVersion", message)
        }
        _ => Ok(()),
    }
}

/// Major and minor version.
fn parts(text: &str) -> Option<(u32, u32)> {
    let (major, minor) = text.split_once('.')?;
    Some((major.parse().ok()?, minor.parse().ok()?))
}

#[derive(Deserialize)]
#[serde(default)]
#[derive(Default)]
struct File {
    asset: Asset,
    nodes: Form,
    meshes: Form,
    accessors: Form,
    buffers: Form,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Asset {
    version: Option<Said>,
}

/// A version, which should be a text.
#[derive(Deserialize)]
#[serde(untagged)]
enum Said {
    Text(String),
    Number(f64),
    Other(IgnoredAny),
}

/// Kind of a JSON value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Form {
    Object,
    #[default]
    Other,
}

impl<'de> Deserialize<'de> for Form {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ShapeVisitor)
    }
}

struct ShapeVisitor;

impl<'de> Visitor<'de> for ShapeVisitor {
    type Value = Form;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object or an array")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Form, A::Error> {
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(Form::Object)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Form, A::Error> {
        while seq.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Form::Other)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::json;

    #[test]
    fn version_1_is_called_by_its_name() {
        for text in [
            r#"{"asset": {"version": "1.0"}, "nodes": {"a": {}}, "scene": "s"}"#,
            r#"{"nodes": {"a": {"children": []}}, "asset": {"version": "1.0.1"}}"#,
            r#"{"asset": {"version": 1.0}, "nodes": []}"#,
            r#"{"asset": {"version": 1}}"#,
            r#"{"scene": "s", "scenes": {"s": {"nodes": ["a"]}}, "nodes": {"a": {}}}"#,
        ] {
            assert_eq!(
                json::parse(text.as_bytes()).unwrap_err().to_string(),
                format!("asset.version: {ONE}")
            );
        }
        for text in [
            r#"{"asset": {"version": "2.0"}, "nodes": {}}"#,
            r#"{"asset": {"version": 2.0}}"#,
            r#"{"asset": {"version": {}}}"#,
            r#"{"nodes": ["#,
        ] {
            assert!(!json::parse(text.as_bytes()).unwrap_err().to_string().contains("1.0"), "{text}");
        }
    }
}
