//! Code that the readers of all formats share: files within their limits, memory, pictures, digests, and error
//! messages. The module must not depend on any format beyond its first bytes.

#![cfg_attr(not(test), deny(clippy::indexing_slicing, clippy::arithmetic_side_effects))]

pub mod budget;
pub mod digest;
pub mod error;
pub mod files;
pub mod foreign;
pub mod message;
mod options;
pub mod picture;
#[cfg(any(feature = "fbx", feature = "usd"))]
pub mod pictures;
pub mod repair;
pub mod source;
pub mod source_error;
pub mod warnings;
pub mod watch;

pub use digest::sha256;
pub use error::LoadError;
pub use files::{FilePart, ModelFile};
pub use foreign::Foreign;
pub use message::{moves_text, one_line, shortened};
pub use options::{Options, Reader};
pub use source_error::SourceError;
pub use watch::Watch;
