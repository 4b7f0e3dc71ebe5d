//! The `sinew` program: parses the command line, runs it and turns a failure into an exit code.
//! It must not know what any command does.
#![forbid(unsafe_code)]
#![cfg_attr(not(test), warn(clippy::disallowed_methods, clippy::print_stderr, clippy::print_stdout))]

mod cli;

use std::process::ExitCode;

fn main() -> ExitCode {
    match cli::run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            cli::say(&format!("error: {failure}"));
            ExitCode::from(failure.exit_code())
        }
    }
}
