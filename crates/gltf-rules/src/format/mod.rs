//! The format itself: a file's container and its JSON, and elements in its buffers. The module must not know the rules that
//! a file can break and still be read.

pub mod buffer;
pub mod component;
pub mod container;
mod container_error;
pub mod data_uri;
pub mod element_type;
mod error;
pub mod image_head;
pub mod json;
pub mod parents;
pub mod run;
pub mod sparse;

pub use container_error::ContainerError;
pub use error::FormatError;
