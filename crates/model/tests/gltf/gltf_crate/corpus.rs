//! Compares every file in the `SINEW_CORPUS` folder that both readers can read.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};

use sinew_model::gltf::{self, Options};
use sinew_model::{Reader, differences};

/// Prints even if the test passes: the harness captures what the macros print.
pub fn say(text: &str) {
    let _ = writeln!(std::io::stderr(), "{text}");
}

/// All `.gltf` and `.glb` files in a folder and its subfolders, sorted.
pub fn model_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        let Ok(entries) = std::fs::read_dir(&folder) else { continue };
        for path in entries.flatten().map(|entry| entry.path()) {
            let extension = path.extension().unwrap_or_default().to_ascii_lowercase();
            if path.is_dir() {
                folders.push(path);
            } else if extension == "gltf" || extension == "glb" {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

#[test]
fn the_corpus_is_the_same_both_ways() {
    let Some(corpus) = std::env::var_os("SINEW_CORPUS").map(PathBuf::from) else {
        say("NOT RUN: the corpus against the `gltf` crate, because SINEW_CORPUS names no folder");
        return;
    };
    let mut compared = 0;
    let mut refused = BTreeMap::<String, usize>::new();
    let mut failures = Vec::new();
    for path in model_files(&corpus) {
        let name = path.strip_prefix(&corpus).unwrap().display().to_string();
        let by_crate = Options { reader: Reader::Gltf, ..Options::default() };
        match (gltf::load(&path), gltf::load_with(&path, &by_crate)) {
            (Ok(ours), Ok(theirs)) => {
                compared += 1;
                let found = differences(&ours, &theirs);
                if !found.is_empty() {
                    failures.push(format!("{name}: {found:?}"));
                }
            }
            (Err(_), Err(_)) => *refused.entry("neither reads it".to_owned()).or_default() += 1,
            (Err(error), Ok(_)) => failures.push(format!("{name}: read only by the crate, {error}")),
            (Ok(_), Err(error)) => {
                let error = error.to_string();
                let Some((_, reason)) = error.split_once("the crate gltf refuses it: ") else {
                    failures.push(format!("{name}: not read by the crate, {error}"));
                    continue;
                };
                *refused.entry(reason.to_owned()).or_default() += 1;
            }
        }
    }
    say(&format!("compared {compared} files; others: {refused:#?}"));
    assert!(failures.is_empty(), "{failures:#?}");
    assert!(compared >= 35, "only {compared} files compared");
}
