//! Finds and decodes the pictures of a file, and says why where that fails.
//! It must not know what a picture is used for.

mod pictures;

pub use crate::reading::picture::Fault;
pub use pictures::Pictures;
