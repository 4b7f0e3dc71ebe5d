//! Compares every file in the `SINEW_CORPUS` folder that both readers can read.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};

use sinew_model::gltf::{self, from_gltf};

use super::compare::differences;
use super::source;

/// Extensions that change a file's meaning for a reader that does not know them.
const UNKNOWN: [&str; 6] = [
    "EXT_mesh_gpu_instancing",
    "EXT_meshopt_compression",
    "KHR_animation_pointer",
    "KHR_draco_mesh_compression",
    "KHR_mesh_quantization",
    "KHR_meshopt_compression",
];

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
        let Ok(bytes) = std::fs::read(&path) else { continue };
        let read = source::read(&bytes, path.parent(), true);
        let reason = match read {
            Ok(source) => {
                let ours = gltf::load(&path);
                let theirs = from_gltf(&source.document, &source.buffers);
                let used: Vec<&str> = source.document.extensions_used().collect();
                let is_unknown = UNKNOWN.iter().any(|name| used.contains(name));
                match (ours, theirs) {
                    (Ok(_), _) if is_unknown => "has what the crate does not know".to_owned(),
                    (Ok(ours), Ok(theirs)) => {
                        compared += 1;
                        let found = differences(&ours, &theirs);
                        if !found.is_empty() {
                            failures.push(format!("{name}: {found:?}"));
                        }
                        continue;
                    }
                    (Err(_), Err(_)) => "neither reads it".to_owned(),
                    (Err(error), Ok(_)) => {
                        failures.push(format!("{name}: read only by the crate, {error}"));
                        continue;
                    }
                    (Ok(_), Err(error)) => {
                        failures.push(format!("{name}: not read by the crate, {error}"));
                        continue;
                    }
                }
            }
            Err(reason) => format!("the crate refuses it: {}", reason.split(':').next().unwrap_or_default()),
        };
        *refused.entry(reason).or_default() += 1;
    }
    say(&format!("compared {compared} files; others: {refused:#?}"));
    assert!(failures.is_empty(), "{failures:#?}");
    assert!(compared >= 35, "only {compared} files compared");
}
