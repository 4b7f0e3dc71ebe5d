//! Built-in models with another JSON.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use serde_json::Value;
use sinew::model::builtin;

use crate::file;

/// The file of a built-in model, after this was done to its JSON.
pub fn edited(name: &str, edit: impl FnOnce(&mut Value)) -> Vec<u8> {
    let glb = builtin::glb(name).unwrap();
    let (json, binary) = glb[20..].split_at(u32::from_le_bytes(glb[12..16].try_into().unwrap()) as usize);
    let mut json = serde_json::from_slice(json).unwrap();
    edit(&mut json);
    file::glb(json.to_string().as_bytes(), &binary[8..])
}
