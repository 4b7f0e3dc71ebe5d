//! Generates the built-in models that the repository stores.
#![forbid(unsafe_code)]

pub mod recipes;
