//! Adds names to objects; empty names are left out.

use serde_json::Value;

/// An object with its name.
pub fn named(mut value: Value, name: &str) -> Value {
    if !name.is_empty() {
        value["name"] = name.into();
    }
    value
}
