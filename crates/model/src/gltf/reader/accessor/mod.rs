//! Accessors as vectors of numbers, every byte range checked before it is read and all memory
//! counted before it is taken. It must not depend on what the numbers mean to a mesh or a clip.

mod accessors;
mod elements;
mod find;
mod sparse;
#[cfg(test)]
mod tests;

pub use accessors::{Accessors, NumberFormat};
