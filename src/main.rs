//! The `sinew` program, all of which is in [`sinew::cli`].
#![forbid(unsafe_code)]

use std::process::ExitCode;

fn main() -> ExitCode {
    sinew::cli::main()
}
