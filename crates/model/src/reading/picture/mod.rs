//! Decodes pictures within a budget, and explains failures. The module must not depend on a picture's use.

mod counted;
mod fault;
mod jpeg;
#[cfg(test)]
pub mod sample;

pub use counted::{Decoded, decode};
#[cfg(test)]
pub use counted::{LOOK_BYTES, NO_ROOM};
pub use fault::Fault;
