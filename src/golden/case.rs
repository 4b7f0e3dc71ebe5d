//! One case: what it is called, what its picture depends on as words, and how lists become several cases.
//! It must not know what the words mean.

use std::path::Path;

use super::error::ListError;
use super::limits::Tolerances;

/// The longest name a case may have, so that file names made of it fit everywhere.
const LONGEST_NAME: usize = 120;

/// Names that mean something else where cases are named.
const RESERVED: [&str; 3] = ["all", "0", "1"];

/// One picture to be compared.
#[derive(Clone, Debug)]
pub struct Case {
    /// What its golden is called, without `.png`.
    pub name: String,
    /// The name as written, which all cases made of one have in common.
    pub group: String,
    /// Where it begins.
    pub line: usize,
    /// The model as written.
    pub model: String,
    /// Everything else the picture depends on.
    pub settings: Vec<Setting>,
    /// How much it may differ.
    pub tolerances: Tolerances,
}

/// A flag of the picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setting {
    /// The flag without its dashes.
    pub key: String,
    /// Where it stands.
    pub line: usize,
    /// Its values; a switch has none.
    pub values: Vec<String>,
}

impl Setting {
    /// As it would be typed.
    pub fn arguments(&self) -> Vec<String> {
        match self.values.as_slice() {
            [] => vec![format!("--{}", self.key)],
            values => values.iter().map(|value| format!("--{}={value}", self.key)).collect(),
        }
    }
}

/// Refuses what cannot be a file's name everywhere.
pub(super) fn check_name(name: &str, line: usize) -> Result<(), ListError> {
    let fits = |c: char| c.is_ascii_alphanumeric() || "._-".contains(c);
    let starts = name.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_');
    let message = if !starts || !name.chars().all(fits) {
        format!("the name '{name}' may contain only letters a to z, digits, '.', '_' and '-'")
    } else if name.len() > LONGEST_NAME {
        format!("the name has {} letters, but at most {LONGEST_NAME} are allowed", name.len())
    } else if RESERVED.contains(&name.to_ascii_lowercase().as_str()) {
        format!("the name '{name}' is reserved: it has a meaning for --update and UPDATE_GOLDEN")
    } else {
        return Ok(());
    };
    Err(ListError { line, message })
}

/// A value as a part of a name.
pub(super) fn name_part(key: &str, value: &str) -> String {
    let value = match key {
        // A model is known by its file's name.
        "model" => {
            let file = value.rsplit([':', '/', '\\']).next().unwrap_or(value);
            Path::new(file).file_stem().and_then(|stem| stem.to_str()).unwrap_or(file)
        }
        _ => value,
    };
    let fits = |c: char| c.is_ascii_alphanumeric() || "._-".contains(c);
    value.chars().map(|c| if fits(c) { c } else { '_' }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_file_names_everywhere() {
        for name in ["walk", "Walk_2.lbs-x", "2", "_"] {
            assert_eq!(check_name(name, 1), Ok(()), "{name}");
        }
        for name in ["", "a/b", "a\\b", "..", ".x", "-x", "a b", "ä", "a\n", "all", "1", "a,b", "c:x"] {
            assert!(check_name(name, 1).is_err(), "{name}");
        }
        assert!(check_name(&"n".repeat(120), 1).is_ok() && check_name(&"n".repeat(121), 1).is_err());
    }

    #[test]
    fn values_become_parts_of_names() {
        for (key, value, part) in [
            ("mode", "lbs", "lbs"),
            ("time", "0.5", "0.5"),
            ("camera", "-30,10", "-30_10"),
            ("view", "joint:left arm", "joint_left_arm"),
            ("model", "builtin:tube-4", "tube-4"),
            ("model", "../models/fox.v2.glb", "fox.v2"),
        ] {
            assert_eq!(name_part(key, value), part);
        }
    }
}
