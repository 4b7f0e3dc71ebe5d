//! Loads JSON text and binary data as a GLB, so that mutations get past the container.

#![no_main]

#[path = "../../tests/hostile/breaking.rs"]
mod breaking;
#[path = "../../crates/model/tests/common/sound.rs"]
mod sound;

mod check;
mod parts;

use libfuzzer_sys::{fuzz_mutator, fuzz_target};

fuzz_target!(|input: &[u8]| check::load(&parts::to_glb(input)));

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    parts::mutate(data, size, max_size, seed)
});
