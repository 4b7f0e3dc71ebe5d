//! Names of objects, which the document leaves out where they are empty.

use serde_json::Value;

/// An object with its name.
pub fn named(mut value: Value, name: &str) -> Value {
    if !name.is_empty() {
        value["name"] = name.into();
    }
    value
}
