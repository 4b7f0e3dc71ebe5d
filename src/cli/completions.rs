//! `sinew completions` and `sinew man`: what shells and `man` want to know of the command line.

use clap::CommandFactory;

use super::args::{Cli, CompletionsArgs};
use super::failure::Failure;
use super::print::print;

/// Prints the completions for a shell.
pub fn completions(args: &CompletionsArgs) -> Result<(), Failure> {
    // The generators write to memory: a reader who stops reading must not stop them.
    let mut text = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "sinew", &mut text);
    print(|out| out.write_all(&text))
}

/// Prints the manual page.
pub fn man() -> Result<(), Failure> {
    print(|out| clap_mangen::Man::new(Cli::command()).render(&mut &mut *out))
}
