//! Checks the codes of errors, warnings and notes, which scripts rely on: each is a rule of the Khronos glTF validator
//! (the list beside this file) or one of the few of our own.

#![allow(clippy::unwrap_used, reason = "a file of this repository that cannot be read is a failure")]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Codes of our own, for which the validator has none.
const OWN: [&str; 7] = [
    // FBX or OBJ that its reader does not take.
    "BROKEN_FILE",
    // A map of an FBX material that is not shown.
    "UNSUPPORTED_MAP",
    "TOO_MANY_JOINTS",
    // A value that breaks no rule of the validator but makes no sense.
    "INVALID_DATA",
    // A primitive that draws nothing.
    "MESH_PRIMITIVE_EMPTY",
    // Larger than sinew's limits.
    "TOO_LARGE",
    "TOO_MANY_INFLUENCES",
];

/// Words of the format that look like codes.
const WORDS: [&str; 6] = ["CESIUM_RTC", "JOINTS_", "OMI_", "WEIGHTS_", "TEXCOORD_", "_SINEW_"];

fn sources() -> Vec<PathBuf> {
    let mut files = Vec::new();
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut folders =
        ["gltf", "reading", "fbx", "../../gltf-rules/src"].map(|folder| source.join(folder)).to_vec();
    while let Some(folder) = folders.pop() {
        for path in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            match path.is_dir() {
                true => folders.push(path),
                // Tests and the writer report no rules.
                false
                    if path.ends_with("tests.rs")
                        || path.components().any(|part| part.as_os_str() == "writer") => {}
                false => files.push(path),
            }
        }
    }
    files
}

/// All strings in a source that look like a code: capitals and at least one underscore.
fn names(source: &str) -> BTreeSet<&str> {
    let code = source.split("#[cfg(test)]\nmod tests").next().unwrap_or(source);
    let texts = code.lines().filter(|line| !line.trim_start().starts_with("//")).flat_map(|line| {
        // Every second piece between quotes is a string.
        line.split('"').skip(1).step_by(2)
    });
    let is_name = |text: &&str| {
        let mut letters = text.chars();
        text.contains('_')
            && letters.all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_')
            && !WORDS.iter().any(|word| text.starts_with(word))
            && !text.starts_with("COLOR_")
    };
    texts.filter(is_name).collect()
}

#[test]
fn every_rule_has_a_name_that_is_known() {
    let list = include_str!("codes/khronos.txt");
    let known: BTreeSet<&str> = list.lines().chain(OWN).collect();
    let mut used = BTreeSet::new();
    for path in sources() {
        let source = std::fs::read_to_string(&path).unwrap();
        for name in names(&source) {
            assert!(known.contains(name), "{} in {}", name, path.display());
            used.insert(name.to_owned());
        }
    }
    assert!(used.len() > 90, "only {} names found", used.len());
    for own in OWN {
        assert!(used.contains(own), "{own} is used nowhere");
    }
}

#[test]
fn names_are_found_and_other_texts_are_not() {
    let source = "warnings.add(\"NODE_LOOP\", \"nodes\");\n// \"NOT_THIS\"\nlet a = (\"JOINTS_0\", \"A_B1\");\n\
                  #[cfg(test)]\nmod tests { \"NOT_THIS_EITHER\" }";
    assert_eq!(names(source), BTreeSet::from(["A_B1", "NODE_LOOP"]));
}
