//! Loads arbitrary bytes as a file.

#![no_main]

#[path = "../../crates/model/tests/common/sound.rs"]
mod sound;

mod check;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| check::load(bytes));
