//! System resources that may be refused: threads, memory, and files that are written whole or not at all. The crate
//! must not depend on what is written or computed.
//!
//! All unsafe code is in `process`, `crash`, `lost_display` and `faults`.
#![cfg_attr(not(test), warn(clippy::disallowed_methods, clippy::print_stderr, clippy::print_stdout))]

#[cfg(target_os = "linux")]
mod crash;
#[cfg(feature = "faults")]
pub mod faults;
mod line;
#[cfg(target_os = "linux")]
mod lost_display;
pub mod output;
mod process;
pub mod threads;

#[cfg(target_os = "linux")]
pub use crash::end_at_crashes;
#[cfg(target_os = "linux")]
pub use lost_display::on_lost_x11_display;
pub use process::{
    EndWhereRefused, end_with_parent, give_back_memory, keep_little_memory, was_started_without_output,
};

/// Tests the README's examples.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;
