//! Rules of glTF 2.0.
#![forbid(unsafe_code)]
#![cfg_attr(not(test), warn(clippy::expect_used))]
#![cfg_attr(not(test), warn(clippy::disallowed_methods, clippy::print_stderr, clippy::print_stdout))]
#![cfg_attr(not(test), deny(clippy::indexing_slicing, clippy::arithmetic_side_effects))]

pub mod format;
mod rules;
mod sink;
pub mod text;

pub use rules::{Heads, check as check_loaded};
pub use sink::Sink;
