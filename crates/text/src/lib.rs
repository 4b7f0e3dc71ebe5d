//! Text for users and programs: numbers with units, tables, JSON, escaped HTML, reports of checks, TOML with line
//! numbers, and names in any script. The crate must not depend on the subject of the text.
#![forbid(unsafe_code)]
#![cfg_attr(not(test), warn(clippy::disallowed_methods, clippy::print_stderr, clippy::print_stdout))]

pub mod check;
pub mod document;
pub mod html;
pub mod length;
pub mod table;
pub mod words;
pub mod writing;

/// Tests the README's examples.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;
