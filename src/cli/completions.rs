//! `sinew completions` and `sinew man`.

use clap::CommandFactory;

use super::args::{Cli, CompletionsArgs};
use super::failure::Failure;
use super::print::print;

/// Prints the completions for a shell.
pub fn completions(args: &CompletionsArgs) -> Result<(), Failure> {
    // Generate into memory: the generators panic when writing to a closed pipe.
    let mut text = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "sinew", &mut text);
    print(|out| out.write_all(&text))
}

/// Prints the manual page.
pub fn man() -> Result<(), Failure> {
    print(|out| clap_mangen::Man::new(Cli::command()).render(&mut &mut *out))
}
