//! Finds and decodes the pictures of a file, and explains failures. The module must not depend on a picture's use.

mod pictures;

pub use crate::reading::picture::Fault;
pub use pictures::Pictures;
