//! The JSON held against the tables: read once more as a stream, so that nothing of it is kept but the notes.
//! It must not know what any value means.

mod at;
mod lists;
mod members;
mod text;
mod value;

pub use text::walk;
