//! Any bytes as a file. It must not know what a file should look like.

#![no_main]

#[path = "../../tests/loader/sound.rs"]
mod sound;

mod check;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| check::load(bytes));
