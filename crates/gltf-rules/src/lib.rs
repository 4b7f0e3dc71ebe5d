//! The rules of glTF 2.0, and the parts of the format that they and a reader need. [`check`] checks a file by itself;
//! [`check_loaded`] checks what a reader has parsed. The crate must not know a model, nor read files.
//!
//! Files are untrusted. No file may make a check panic, run for ever or take more memory than its size accounts for.

#![forbid(unsafe_code)]
#![cfg_attr(not(test), warn(clippy::expect_used))]
#![cfg_attr(not(test), warn(clippy::disallowed_methods, clippy::print_stderr, clippy::print_stdout))]
#![cfg_attr(not(test), deny(clippy::indexing_slicing, clippy::arithmetic_side_effects))]

mod file;
mod findings;
pub mod format;
mod rules;
mod sink;
pub mod text;

pub use file::check;
pub use findings::{Finding, Findings, Severity};
pub use rules::{Heads, check as check_loaded};
pub use sink::Sink;

/// Runs the README's examples as doctests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;
