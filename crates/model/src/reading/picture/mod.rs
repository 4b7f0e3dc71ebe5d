//! Decodes pictures within a budget, and says why where that fails.
//! It must not know what a picture is used for.

mod counted;
mod fault;
mod jpeg;
#[cfg(test)]
pub mod sample;

pub use counted::{Decoded, decode};
#[cfg(test)]
pub use counted::{LOOK_BYTES, NO_ROOM};
pub use fault::Fault;
