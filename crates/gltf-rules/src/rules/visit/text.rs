//! Starts the walk over the JSON text.

use serde::de::DeserializeSeed;

use super::at::{At, What};
use crate::rules::notes::Notes;
use crate::rules::schema::Kind;
use crate::rules::walk::Walk;
use crate::sink::Sink;

/// Walks over the whole text and reports violations of the tables.
pub fn walk(text: &[u8], kind: &'static Kind, notes: Notes, warnings: &mut dyn Sink) -> Notes {
    let mut walk = Walk::new(notes, warnings);
    let mut deserializer = serde_json::Deserializer::from_slice(text);
    // The text was read before, so what is wrong now was skipped then, such as a number too large.
    if let Err(error) = (At { walk: &mut walk, what: What::Kind(kind) }).deserialize(&mut deserializer) {
        walk.wrong("INVALID_JSON", error.to_string());
    }
    walk.notes
}
