//! Generates the built-in models and the conformance suite that the repository stores, and models with worse weights.
#![forbid(unsafe_code)]

pub mod conformance;
pub mod recipes;
pub mod spoil;
