//! Skinned models that each test one thing, with a manifest of what an engine should do with them. It must not depend on
//! Vulkan or on the command line.
#![forbid(unsafe_code)]
#![cfg_attr(not(test), warn(clippy::disallowed_methods, clippy::print_stderr, clippy::print_stdout))]

pub mod expected;
pub mod files;
pub mod judge;
pub mod manifest;
pub mod matrix;
pub mod tolerance;

/// Includes the README, so that its examples run as documentation tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;

pub use manifest::{Case, Class, Manifest, Part, Source, Tolerance};
