//! Reads texts as lists of goldens, and their cases as command lines.

#![no_main]

#[path = "../../tests/hostile/breaking.rs"]
mod breaking;

mod lines;

use libfuzzer_sys::fuzz_target;
use sinew::cli::trial::golden_list;

fuzz_target!(|text: &str| match golden_list(text) {
    Ok(cases) => assert!((1..=10_000).contains(&cases), "{cases} cases"),
    Err(error) => lines::assert_one(&error),
});
