//! Loads bytes as an FBX or OBJ file: binary ones are mutated as trees, too.

#![no_main]

#[path = "../../tests/hostile/breaking.rs"]
mod breaking;
#[path = "../../crates/model/tests/fbx/document/mod.rs"]
mod document;
#[path = "../../crates/model/tests/common/sound.rs"]
mod sound;

mod fbx_nodes;
mod loaded;

use libfuzzer_sys::{fuzz_mutator, fuzz_target};
use sinew_model::Options;
use sinew_model::fbx::load_bytes;

fuzz_target!(|bytes: &[u8]| loaded::check(load_bytes(bytes, None, &Options::default())));

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    fbx_nodes::mutate(data, size, max_size, seed)
});
