//! Makes what the repository stores and nobody draws by hand: the built-in models.
#![forbid(unsafe_code)]

pub mod recipes;
