//! Loads every file of the corpus.

use std::path::Path;
use std::time::{Duration, Instant};

use sinew::model::gltf;

use crate::{model_files, sound};

/// The longest time that a harmless file may take.
const TIMEOUT: Duration = Duration::from_secs(2);

pub fn files_load_or_fail_in_good_order(corpus: &Path) -> usize {
    let mut failures = Vec::new();
    let mut ran = 0;
    for (folder, must_load) in [("models", true), ("bad", false)] {
        for file in model_files(&corpus.join(folder)) {
            let start = Instant::now();
            let result = gltf::load(&file);
            let took = start.elapsed();
            ran += 1;
            let name = file.strip_prefix(corpus).unwrap_or(&file).display().to_string();
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
            if took > TIMEOUT {
                failures.push(format!("{name}: took {took:.1?}"));
            }
        }
    }
    assert!(failures.is_empty(), "{failures:#?}");
    ran
}
