//! Loads bytes as a file: half of the mutations are of a chunk, with headers and lengths that stay right.

#![no_main]

#[path = "../../tests/hostile/breaking.rs"]
mod breaking;
#[path = "../../crates/model/tests/common/sound.rs"]
mod sound;

mod check;
mod chunks;

use libfuzzer_sys::{fuzz_mutator, fuzz_target};

fuzz_target!(|bytes: &[u8]| check::load(bytes));

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    chunks::mutate(data, size, max_size, seed)
});
