//! Checks the directions of dependencies between reader, rules, writer and the files they share.

#![allow(clippy::unwrap_used, reason = "a file of this repository that cannot be read is a failure")]

use std::path::Path;

#[test]
fn arrows_point_one_way() {
    let gltf = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/gltf");
    let mut objections = Vec::new();
    let mut files = 0;
    let mut folders = vec![gltf.clone()];
    while let Some(folder) = folders.pop() {
        for path in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let name = path.strip_prefix(&gltf).unwrap().to_str().unwrap().replace('\\', "/");
            files += 1;
            let source = std::fs::read_to_string(&path).unwrap();
            // Tests may use everything.
            let source = source.split("#[cfg(test)]\nmod tests {").next().unwrap();
            let unknown = unknown_to(&name).iter().filter(|other| {
                let paths = [format!("gltf::{other}::"), format!("super::{other}::")];
                source
                    .lines()
                    .any(|line| line.contains("use ") && paths.iter().any(|path| line.contains(path)))
            });
            objections.extend(unknown.map(|other| format!("{name} uses {other}")));
        }
    }
    assert!(files > 60 && objections.is_empty(), "{files} files: {objections:#?}");
}

/// The modules that a file must not use.
fn unknown_to(file: &str) -> &'static [&'static str] {
    match file.split('/').next() {
        _ if file.ends_with("tests.rs") => &[],
        Some("reader") => &["rules", "writer", "load"],
        Some("rules") => &["reader", "writer", "load"],
        Some("writer") => &["reader", "rules", "load"],
        // Writes a document of the crate as JSON, for the reader.
        Some("gltf_crate.rs") => &["rules", "writer", "load"],
        Some("mod.rs" | "load.rs") => &[],
        _ => &["reader", "rules", "writer", "load"],
    }
}
