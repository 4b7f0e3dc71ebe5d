//! The rules of the format that a file can break and still be drawn: what the Khronos validator calls
//! an error is a warning here, and what it calls a warning or a hint is a note for `inspect`.
//! They must not change what is loaded.

mod check;
mod core;
mod data;
mod element;
mod expect;
mod extensions;
mod files;
mod graph;
mod links;
mod notes;
mod noun;
mod objects;
mod primitives;
mod schema;
mod step;
mod uris;
mod variants;
mod visit;
mod walk;

pub use check::{check, check_json};
pub use files::Heads;
