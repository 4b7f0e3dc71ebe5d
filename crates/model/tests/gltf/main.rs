//! Tests the glTF reader, rules and writer through their public functions.

#[path = "../common/character.rs"]
mod character;
#[path = "../common/file.rs"]
mod file;
#[path = "../common/ktx2.rs"]
mod ktx2;
#[path = "../common/pictures.rs"]
mod pictures;
#[path = "../common/sound.rs"]
mod sound;
#[path = "../common/told.rs"]
mod told;

mod arrows;
mod codes;
mod gltf_crate;
mod loader;
mod write_read;
