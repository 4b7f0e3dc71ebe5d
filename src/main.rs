//! The `sinew` program: parse the command line, run it, map a failure to its exit code.
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
