//! Writes a whole [`Model`](crate::Model) as one `.glb`, losing nothing and sorting nothing.
//! It must not depend on where the model came from or how files are read.

#![allow(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "writes models that are already checked; it reads no bytes from outside"
)]

mod align;
mod body;
mod document;
mod error;
mod glb;
mod motion;
mod name;
mod on_nodes;
mod primitive;
mod surface;
#[cfg(test)]
mod tests;

pub use error::WriteError;
#[cfg(feature = "usd")]
pub(crate) use glb::without_joint;
pub use glb::write_glb;
#[cfg(feature = "usd")]
pub(crate) use surface::png_bytes;
