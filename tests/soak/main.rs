//! Tests that take too long for `make test`. `make soak` runs them on the release program: models at their limits, every
//! number of every flag, everything that is drawn under validation, and memory after long use.

#![cfg(unix)]
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "tests report, and fail by panicking"
)]

#[path = "../common/mod.rs"]
mod common;
#[path = "../../crates/model/tests/common/file.rs"]
mod file;
mod leaks;
mod limits;
mod measured;
mod models;
mod numbers;
#[path = "../viewer/program.rs"]
#[allow(dead_code, reason = "the tests of the window use all of it")]
mod program;
#[path = "../viewer/screen.rs"]
#[allow(dead_code, reason = "the tests of the window use all of it")]
mod screen;
mod validation;
#[path = "../vulkan/models.rs"]
mod vulkan_models;
