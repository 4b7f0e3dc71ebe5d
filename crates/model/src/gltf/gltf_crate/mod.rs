//! Makes a [`Model`](crate::Model) of a document that the `gltf` crate has parsed: a second way to the same model,
//! by that crate's readers, that shares only checks and repairs with `reader`.
//! It must not know how files are found, parsed, decompressed or held against the rules.

mod clips;
mod convert;
mod materials;
mod meshes;
mod morphs;
mod numbers;
mod references;
mod skins;
mod structure;

pub use convert::from_gltf;
