//! One case: its name, and the flags of its picture as command-line words.

use std::collections::BTreeSet;
use std::path::Path;

use super::limits::Tolerances;
use sinew_text::document::LineError;

/// The longest name of a case, so that file names made from it are valid on every system.
const LONGEST_NAME: usize = 120;

/// Names with a special meaning on the command line.
const RESERVED: [&str; 3] = ["all", "0", "1"];

/// One picture to compare.
#[derive(Clone, Debug)]
pub struct Case {
    /// The file name of its golden, without `.png`.
    pub name: String,
    /// The name in the list, shared by all cases of one entry.
    pub group: String,
    /// The line where the case begins.
    pub line: usize,
    /// The model as written.
    pub model: String,
    /// All other flags of the picture.
    pub settings: Vec<Setting>,
    /// Limits on the picture's difference from its golden.
    pub tolerances: Tolerances,
    /// A file in the folder that serves as the golden until a file with the case's name exists, without `.png`.
    pub stand_in: Option<String>,
}

impl Case {
    /// Returns true if a name is the case's group followed by any of the case's own values.
    pub(super) fn may_be_called(&self, stem: &str) -> bool {
        let Some(values) = stem.strip_prefix(&self.group) else { return false };
        let scalar = |setting: &Setting| match setting.values.as_slice() {
            [value] => Some(name_part(&setting.key, value)),
            _ => None,
        };
        let parts = std::iter::once(Some(name_part("model", &self.model)));
        let parts = parts.chain(self.settings.iter().map(scalar)).flatten().map(|part| format!("-{part}"));
        // Lengths of the prefixes that some of the values form, in their order.
        let mut reached = BTreeSet::from([0]);
        for part in parts {
            let follows = |at: &usize| values.get(*at..).is_some_and(|rest| rest.starts_with(&part));
            let next: Vec<usize> =
                reached.iter().filter(|at| follows(at)).map(|at| at.saturating_add(part.len())).collect();
            reached.extend(next);
        }
        reached.contains(&values.len())
    }
}

/// A flag of the picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setting {
    /// The flag without its dashes.
    pub key: String,
    /// The line in the list.
    pub line: usize,
    /// The flag's values; a switch has none.
    pub values: Vec<String>,
}

impl Setting {
    /// Returns the words as typed on a command line.
    pub fn arguments(&self) -> Vec<String> {
        match self.values.as_slice() {
            [] => vec![format!("--{}", self.key)],
            values => values.iter().map(|value| format!("--{}={value}", self.key)).collect(),
        }
    }
}

/// Rejects names that are not valid file names on every system.
pub(super) fn check_name(name: &str, line: usize) -> Result<(), LineError> {
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
    Err(LineError { line, message })
}

/// Converts a value to a part of a name.
pub(super) fn name_part(key: &str, value: &str) -> String {
    let value = match key {
        // A model goes by the stem of its file.
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
