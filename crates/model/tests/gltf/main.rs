//! The glTF reader, rules and writer as their callers see them.

#[path = "../common/character.rs"]
mod character;
#[path = "../common/file.rs"]
mod file;
#[path = "../common/pictures.rs"]
mod pictures;

mod arrows;
mod codes;
mod gltf_crate;
mod loader;
mod write_read;
