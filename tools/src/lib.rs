//! Generates the built-in models and the conformance suite that the repository stores, models with worse weights, and pairs with planted
//! faults.
#![forbid(unsafe_code)]

pub mod conformance;
pub mod plant;
pub mod recipes;
pub mod spoil;
