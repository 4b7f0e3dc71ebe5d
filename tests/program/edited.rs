//! Built-in models with another JSON.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use serde_json::Value;
use sinew::model::builtin;

use crate::file;

/// The file of a built-in model, after this was done to its JSON.
pub fn edited(name: &str, edit: impl FnOnce(&mut Value)) -> Vec<u8> {
    let (mut json, binary) = unpacked(&builtin::glb(name).unwrap());
    edit(&mut json);
    packed(&json, &binary)
}

/// The JSON and the binary part of a `.glb` file.
pub fn unpacked(glb: &[u8]) -> (Value, Vec<u8>) {
    let (json, binary) = glb[20..].split_at(u32::from_le_bytes(glb[12..16].try_into().unwrap()) as usize);
    (serde_json::from_slice(json).unwrap(), binary[8..].to_vec())
}

/// A `.glb` file of these parts.
pub fn packed(json: &Value, binary: &[u8]) -> Vec<u8> {
    file::glb(json.to_string().as_bytes(), binary)
}
