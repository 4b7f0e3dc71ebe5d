//! The `sinew` program, all of which is in [`sinew::cli`].
#![forbid(unsafe_code)]

use std::process::ExitCode;

/// 4: a device or memory failed.
#[global_allocator]
static ALLOCATOR: sinew_system::EndWhereRefused = sinew_system::EndWhereRefused { code: 4 };

fn main() -> ExitCode {
    sinew::cli::main()
}
