//! A file's metadata, and the conversion of its axes and units.

use super::nodes::{is_z_up, metres};
use super::stage::Stage;
use super::values;
use crate::gltf::{Conversion, FileFacts};
use crate::reading::message::one_line;

/// Returns the facts that `inspect` reports about a file.
pub fn of(stage: &Stage, bytes: &[u8], roots: usize) -> FileFacts {
    let version = match bytes.get(..5) {
        Some(b"PXR-U") => "binary",
        Some(b"#usda") => "text",
        _ => "archive",
    };
    let text = |key: &str| stage.metadata(key).and_then(|text| values::text(&text));
    let (up, front) = if is_z_up(stage) { ("+z", "-y") } else { ("+y", "+z") };
    let conversion =
        Conversion { metres_per_unit: metres(stage), up, front, frames_per_second: stage.rate() };
    FileFacts {
        format: "USD",
        version: version.to_owned(),
        generator: text("comment").or_else(|| text("documentation")).map(|text| one_line(&text)),
        scenes: vec![(String::new(), roots)],
        conversion: Some(conversion),
        ..FileFacts::default()
    }
}
