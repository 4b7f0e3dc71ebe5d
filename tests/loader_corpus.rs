//! Loads every file of a corpus that lies outside this repository: the folder in `SINEW_CORPUS`,
//! with files that must load below `models/` and files that must only do no harm below `bad/`.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use sinew::model::gltf;

#[path = "loader/sound.rs"]
mod sound;

/// What a file may take that does no harm.
const PATIENCE: Duration = Duration::from_secs(2);

/// All `.gltf` and `.glb` files of a folder and the folders below, sorted.
fn model_files(folder: &Path) -> Vec<PathBuf> {
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
fn the_corpus_loads_or_fails_in_good_order() {
    let Some(corpus) = std::env::var_os("SINEW_CORPUS").map(PathBuf::from) else {
        println!("ran 0 files: SINEW_CORPUS names no folder");
        return;
    };
    let mut failures = Vec::new();
    let mut ran = 0;
    for (folder, must_load) in [("models", true), ("bad", false)] {
        for file in model_files(&corpus.join(folder)) {
            let start = Instant::now();
            let result = gltf::load(&file);
            let took = start.elapsed();
            ran += 1;
            let name = file.strip_prefix(&corpus).unwrap_or(&file).display().to_string();
            match &result {
                Ok(model) => {
                    sound::assert_sound(model);
                    println!("{name}: ok in {took:.1?}");
                    for warning in &model.warnings {
                        println!("    {}: {}", warning.path, warning.message);
                    }
                }
                Err(error) => {
                    println!("{name}: {error}");
                    if error.to_string().contains('\n') {
                        failures.push(format!("{name}: an error of more than one line"));
                    }
                    if must_load {
                        failures.push(format!("{name}: {error}"));
                    }
                }
            }
            if took > PATIENCE {
                failures.push(format!("{name}: took {took:.1?}"));
            }
        }
    }
    println!("ran {ran} files");
    assert!(failures.is_empty(), "{failures:#?}");
}
