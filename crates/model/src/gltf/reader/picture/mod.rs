//! Finds and decodes the pictures of a file, and says why where that fails.
//! It must not know what a picture is used for.

mod counted;
mod fault;
mod jpeg;
mod pictures;
#[cfg(test)]
pub mod sample;

pub use fault::Fault;
pub use pictures::Pictures;
