//! Schemas of docs/schemas, and a strict check of documents. It follows a few keywords; others are faults of a schema.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value, json};

/// The keywords that [`Schema::check`] follows. It would pass over any other.
const KEYWORDS: [&str; 20] = [
    "$defs",
    "$id",
    "$ref",
    "$schema",
    "additionalProperties",
    "anyOf",
    "const",
    "description",
    "enum",
    "items",
    "maxItems",
    "maximum",
    "minItems",
    "minimum",
    "prefixItems",
    "properties",
    "propertyNames",
    "required",
    "title",
    "type",
];

/// A schema of docs/schemas.
pub struct Schema {
    pub name: String,
    pub root: Value,
}

/// The faults of a value, and the keys of the schema that it has.
#[derive(Default)]
pub struct Found {
    pub faults: Vec<String>,
    /// Each after its definition, as in `place.copy`.
    pub keys: BTreeSet<String>,
}

impl Schema {
    /// Reads a schema.
    pub fn named(name: &str) -> Self {
        let file = folder().join(format!("{name}.schema.json"));
        Self { name: name.to_owned(), root: serde_json::from_slice(&fs::read(file).unwrap()).unwrap() }
    }

    /// Reads all schemas.
    pub fn all() -> Vec<Self> {
        let files = fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().file_name());
        let mut names: Vec<String> = files.map(|file| file.into_string().unwrap()).collect();
        names.sort_unstable();
        names.iter().map(|name| Self::named(name.strip_suffix(".schema.json").unwrap())).collect()
    }

    /// Checks a document, strictly: a key that is not named is a fault.
    pub fn check(&self, document: &Value) -> Found {
        let mut found = Found::default();
        self.check_part("", &self.root, ("", document), &mut found);
        found
    }

    /// Checks a value against a part of the schema within a definition.
    fn check_part(&self, owner: &str, schema: &Value, (place, value): (&str, &Value), found: &mut Found) {
        if let Some(name) = schema["$ref"].as_str().and_then(|name| name.strip_prefix("#/$defs/")) {
            return self.check_part(name, &self.root["$defs"][name], (place, value), found);
        }
        if let Some(branches) = schema["anyOf"].as_array() {
            let tried = branches.iter().map(|branch| {
                let mut found = Found::default();
                self.check_part(owner, branch, (place, value), &mut found);
                found
            });
            let Found { faults, keys } = tried.min_by_key(|found| found.faults.len()).unwrap();
            found.faults.extend(faults);
            return found.keys.extend(keys);
        }
        let mut fault = |fault: String| found.faults.push(format!("{place}: {fault}"));
        if !has_type(&schema["type"], value) {
            return fault(format!("it is not {}", schema["type"]));
        }
        if schema["enum"].as_array().is_some_and(|names| !names.contains(value)) {
            fault(format!("{value} is not in the list of '{owner}'"));
        }
        if schema.get("const").is_some_and(|only| only != value) {
            fault(format!("it is not {}", schema["const"]));
        }
        let limits = [("minimum", "maximum", value.as_f64()), ("minItems", "maxItems", length(value))];
        for (least, most, number) in limits {
            let [least, most] = [least, most].map(|key| schema[key].as_f64());
            let is_out = |number| least.is_some_and(|x| number < x) || most.is_some_and(|x| number > x);
            if number.is_some_and(is_out) {
                fault("it is too small or too large".to_owned());
            }
        }
        match value {
            Value::Array(items) => self.check_items(owner, schema, (place, items), found),
            Value::Object(map) => self.check_object(owner, schema, (place, map), found),
            _ => {}
        }
    }

    fn check_items(&self, owner: &str, schema: &Value, (place, items): (&str, &[Value]), found: &mut Found) {
        for (number, item) in items.iter().enumerate() {
            let of_item = schema["prefixItems"].get(number).or(schema.get("items"));
            match of_item {
                Some(part) => self.check_part(owner, part, (&format!("{place}[{number}]"), item), found),
                None => found.faults.push(format!("{place}[{number}]: the schema has no such item")),
            }
        }
    }

    fn check_object(
        &self,
        owner: &str,
        schema: &Value,
        (place, map): (&str, &Map<String, Value>),
        found: &mut Found,
    ) {
        let missing = texts(&schema["required"]).filter(|key| !map.contains_key(*key));
        found.faults.extend(missing.map(|key| format!("{place}: it lacks '{key}'")));
        for (key, value) in map {
            let place = format!("{place}.{key}");
            if let Some(names) = schema.get("propertyNames") {
                self.check_part(owner, names, (&place, &json!(key)), found);
            }
            let others = schema.get("additionalProperties").filter(|others| others.is_object());
            if let Some(part) = schema["properties"].get(key) {
                found.keys.insert(format!("{owner}.{key}"));
                self.check_part(owner, part, (&place, value), found);
            } else if let Some(part) = others {
                self.check_part(owner, part, (&place, value), found);
            } else {
                found.faults.push(format!("{place}: the schema does not name this key"));
            }
        }
    }

    /// Returns the parts of the schema, each with the path to it.
    pub fn parts(&self) -> Vec<(String, &Value)> {
        let mut parts = vec![(String::new(), &self.root)];
        let mut next = 0;
        while let Some((path, part)) = parts.get(next).cloned() {
            next += 1;
            for key in ["$defs", "properties"] {
                let of_key = part[key].as_object().into_iter().flatten();
                parts.extend(of_key.map(|(name, part)| (format!("{path}/{key}/{name}"), part)));
            }
            for key in ["anyOf", "prefixItems"] {
                let of_key = part[key].as_array().into_iter().flatten();
                parts.extend(of_key.map(|part| (format!("{path}/{key}"), part)));
            }
            for key in ["additionalProperties", "items", "propertyNames"] {
                let of_key = part.get(key).filter(|part| part.is_object());
                parts.extend(of_key.map(|part| (format!("{path}/{key}"), part)));
            }
        }
        parts
    }

    /// Returns the faults of the schema.
    pub fn faults(&self) -> Vec<String> {
        let mut faults = Vec::new();
        for (path, part) in self.parts() {
            let mut fault = |fault: String| faults.push(format!("{}{path}: {fault}", self.name));
            let keys: Vec<&str> = part.as_object().unwrap().keys().map(String::as_str).collect();
            let unknown = keys.iter().filter(|key| !KEYWORDS.contains(key));
            unknown.for_each(|key| fault(format!("the test does not know the keyword '{key}'")));
            if ["$ref", "anyOf", "const", "enum", "type"].iter().all(|key| part.get(key).is_none()) {
                fault("any value passes".to_owned());
            }
            // The check reads no other keyword beside them.
            let is_beside = |key: &&&str| ["$defs", "$id", "$schema", "description", "title"].contains(*key);
            if ["$ref", "anyOf"].iter().any(|key| part.get(key).is_some())
                && keys.iter().filter(|key| !is_beside(key)).count() > 1
            {
                fault("$ref and anyOf stand alone".to_owned());
            }
            if let Some(name) = part["$ref"].as_str() {
                let has_it = self.root.pointer(name.strip_prefix('#').unwrap()).is_some();
                if !has_it {
                    fault(format!("there is no {name}"));
                }
            }
            let is_definition =
                path.is_empty() || path.matches('/').count() == 2 && path.starts_with("/$defs");
            if !is_definition && ["enum", "properties"].iter().any(|key| part.get(key).is_some()) {
                fault("enum and properties belong into $defs".to_owned());
            }
            let unnamed = texts(&part["required"]).filter(|key| part["properties"].get(key).is_none());
            unnamed.for_each(|key| fault(format!("'{key}' is required, but not described")));
            let words = part["description"].as_str().unwrap_or("A.");
            if !words.ends_with('.') || words.split(' ').count() > 40 {
                fault(format!("no short sentence: {words}"));
            }
        }
        faults
    }
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/schemas")
}

/// Returns the texts of a list.
pub fn texts(list: &Value) -> impl Iterator<Item = &str> {
    list.as_array().into_iter().flatten().filter_map(Value::as_str)
}

fn length(value: &Value) -> Option<f64> {
    value.as_array().map(|items| items.len() as f64)
}

/// Returns true if a value has one of these types, or the schema names none.
fn has_type(types: &Value, value: &Value) -> bool {
    let is = |name: &str| match name {
        "array" => value.is_array(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_i64() || value.is_u64(),
        "null" => value.is_null(),
        "number" => value.is_number(),
        "object" => value.is_object(),
        "string" => value.is_string(),
        other => panic!("no type {other}"),
    };
    types.is_null() || types.as_str().is_some_and(is) || texts(types).any(is)
}
