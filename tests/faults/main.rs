//! Makes calls fail one by one, in each way that they may: those of Vulkan, those for files and threads, and large
//! allocations. `make soak` runs it: it takes thousands of runs.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on has failed")]

mod calls;
#[path = "../common/mod.rs"]
mod common;
#[cfg(target_os = "linux")]
mod files;
#[cfg(target_os = "linux")]
mod memory;
#[cfg(target_os = "linux")]
mod models;
#[cfg(target_os = "linux")]
#[allow(dead_code, reason = "windows here press their keys themselves")]
#[path = "../viewer/program.rs"]
mod program;
#[cfg(target_os = "linux")]
mod runs;
#[cfg(target_os = "linux")]
#[allow(dead_code, reason = "as above")]
#[path = "../viewer/screen.rs"]
mod screen;
#[cfg(target_os = "linux")]
mod threads;
#[cfg(target_os = "linux")]
mod window;
