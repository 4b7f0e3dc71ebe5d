//! The real driver under validation: it reports every kind of mistake, sinew makes none, and limits, memory,
//! caches and repetition keep their promises. It must not judge how a picture looks.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on has failed")]

#[path = "../common/mod.rs"]
mod common;

mod clean;
mod memory;
mod models;
mod planted;
mod program;

use std::process::{Command, Output};

/// The check across queue submissions, which older validation layers leave out by default.
const ACROSS_SUBMISSIONS: &str = "VALIDATION_CHECK_ENABLE_SYNCHRONIZATION_VALIDATION_QUEUE_SUBMIT";

/// Runs a test of this binary in a separate process, with more environment variables.
fn run_again(test: &str, environment: &[(&str, &str)]) -> Output {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args([test, "--exact", "--nocapture"]).envs(environment.iter().copied()).output().unwrap()
}

/// For tests that need the check across submissions: if it is off, runs the test in a process that has it on
/// and returns that the test is done.
fn done_in_a_watched_process(test: &str) -> bool {
    const VARIABLE: &str = "VK_LAYER_ENABLES";
    let enabled = std::env::var(VARIABLE).unwrap_or_default();
    if enabled.contains(ACROSS_SUBMISSIONS) {
        return false;
    }
    let output = run_again(test, &[(VARIABLE, ACROSS_SUBMISSIONS)]);
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success() && out.contains("1 passed"), "{test}:\n{out}\n{err}");
    true
}
