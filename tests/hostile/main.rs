//! Malicious or randomly broken files: none may panic, take more memory than its size accounts for, or take
//! long, and each that loads must be sound.

#![allow(unsafe_code, reason = "an allocator is an unsafe trait; this one hands on to the system's")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

mod breaking;
mod builtins;
mod counting;
mod flood_accessors;
mod flood_chunks;
mod flood_files;
mod flood_json;
mod flood_pictures;
mod judge;
mod show;
mod shown;
mod square;

#[path = "../../crates/model/tests/common/character.rs"]
#[allow(dead_code, reason = "the tests of the loader use all of it")]
mod character;
#[path = "../../crates/model/tests/common/file.rs"]
mod file;
#[path = "../../crates/model/tests/common/pictures.rs"]
mod pictures;
#[path = "../../crates/model/tests/common/sound.rs"]
mod sound;
