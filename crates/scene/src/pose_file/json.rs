//! The JSON of a pose file as structs, with the file's key names.

use std::fmt;
use std::marker::PhantomData;

use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, Visitor};

use super::{PoseFileError, VERSION};
use sinew_model::gltf::{one_line, shortened};

/// A whole file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Document {
    /// The format version, checked before everything else.
    #[serde(rename = "sinew-pose")]
    pub _version: u64,
    pub over: Option<Over>,
    #[serde(default)]
    pub joints: Entries<Joint>,
    #[serde(default)]
    pub morphs: Entries<Entries<f64>>,
    #[serde(default)]
    pub blend: Shares,
}

/// The shares of the mode *blend*.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Shares {
    pub all: Option<f64>,
    #[serde(default)]
    pub joints: Entries<f64>,
}

/// The clips below the edits.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Over {
    pub clips: Vec<String>,
    #[serde(default)]
    pub blends: Vec<Share>,
    #[serde(default)]
    pub time: f64,
}

/// A clip blended over others.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Share {
    pub clip: String,
    pub weight: f64,
}

/// The edit of a joint.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Joint {
    pub rotation: Option<[f64; 4]>,
    pub translation: Option<[f64; 3]>,
    pub scale: Option<[f64; 3]>,
}

/// An object's members in the file's order, including repeated names.
#[derive(Debug)]
pub struct Entries<T>(pub Vec<(String, T)>);

impl<T> Default for Entries<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Entries<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(Members(PhantomData))
    }
}

struct Members<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for Members<T> {
    type Value = Entries<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut entries = Entries::default();
        while let Some(entry) = map.next_entry()? {
            entries.0.push(entry);
        }
        Ok(entries)
    }
}

/// The version of a file; ignores everything else.
#[derive(Deserialize)]
struct Head {
    #[serde(rename = "sinew-pose")]
    version: Option<u64>,
}

/// Parses the text; an error carries the JSON path of the faulty value.
pub fn parse(text: &[u8]) -> Result<Document, PoseFileError> {
    if text.trim_ascii_start().first() != Some(&b'{') {
        let message = "expected a JSON object".to_owned();
        return Err(PoseFileError::Json { path: String::new(), message });
    }
    match serde_json::from_slice(text) {
        Ok(Head { version: Some(version) }) if !(1..=VERSION).contains(&version) => {
            let (path, found) = ("sinew-pose".to_owned(), format!("version {version}"));
            return Err(PoseFileError::Value { path, found, expected: format!("version 1 to {VERSION}") });
        }
        // The parser below reports other faults, with their paths.
        Ok(_) | Err(_) => {}
    }
    let mut deserializer = serde_json::Deserializer::from_slice(text);
    let broken = |path: String, error: serde_json::Error| {
        let path = if path == "." { String::new() } else { path };
        // Path and message may each hold the whole file.
        let short = |text: String| one_line(&shortened(&text));
        PoseFileError::Json { path: short(path), message: short(error.to_string()) }
    };
    let document = serde_path_to_error::deserialize(&mut deserializer)
        .map_err(|error| broken(error.path().to_string(), error.into_inner()))?;
    deserializer.end().map_err(|error| broken(String::new(), error))?;
    Ok(document)
}
