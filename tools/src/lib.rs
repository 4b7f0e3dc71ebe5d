//! Generates the built-in models and the conformance suite that the repository stores.
#![forbid(unsafe_code)]

pub mod conformance;
pub mod recipes;
