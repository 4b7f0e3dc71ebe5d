//! Tests the loader through its public functions: a small character, built here and then broken in many ways.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

mod avatars;
mod cases;
mod clips;
mod files;
mod hostile;
mod images;
mod instancing;
mod ktx2;
mod materials;
mod morphs;
mod watching;
