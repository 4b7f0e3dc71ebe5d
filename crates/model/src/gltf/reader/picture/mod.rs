//! The pictures of a file: where their bytes are, and what is said where there are no pixels.
//! It must not know what a picture is used for.

mod counted;
mod fault;
mod jpeg;
mod pictures;
#[cfg(test)]
pub mod sample;

pub use fault::Fault;
pub use pictures::Pictures;
