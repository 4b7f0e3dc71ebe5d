//! Reads texts as config files, and put before several command lines; and their lines as those of `sinew serve`.

#![no_main]

#[path = "../../tests/hostile/breaking.rs"]
mod breaking;

mod lines;

use std::collections::BTreeMap;

use libfuzzer_sys::{fuzz_mutator, fuzz_target};
use sinew::cli::trial::{config, served};

/// The most lines that are served of a text: each is parsed as a command line.
const MAX_LINES: usize = 4;

/// Command lines that a file is put before.
const TYPED: [&[&str]; 4] =
    [&["a.glb"], &["a.glb", "--screenshot", "a.png"], &["compare", "a.glb"], &["export", "-o", "a.obj"]];

fuzz_target!(|text: &[u8]| {
    if text.trim_ascii_start().starts_with(b"{") {
        let mut flags = BTreeMap::new();
        for line in text.split(|byte| *byte == b'\n').take(MAX_LINES) {
            if let Err(error) = served(line, &mut flags) {
                lines::assert_one(&error);
            }
        }
    } else if let Ok(text) = std::str::from_utf8(text) {
        let typed = TYPED[text.len() % TYPED.len()];
        match config(text, typed) {
            Ok(words) => assert!(words.len() > typed.len()),
            Err(error) => lines::assert_one(&error),
        }
    }
});

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    lines::mutate_json(data, size, max_size, seed, |json, random| breaking::break_json(json, random))
});
