//! `sinew completions` and `sinew man`.

use std::io;
use std::path::Path;

use clap::{Command, CommandFactory};

use crate::cli::args::{Cli, CompletionsArgs, ManArgs};
use crate::cli::terminal::failure::Failure;
use crate::cli::terminal::print::print;
use crate::model::unknown::nearest;
use crate::output::{self, Closed, Folder};

/// Prints the completions for a shell.
pub fn completions(args: &CompletionsArgs) -> Result<(), Failure> {
    // Generate into memory: the generators panic when writing to a closed pipe.
    let mut text = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "sinew", &mut text);
    print(|out| out.write_all(&text))
}

/// Prints a manual page, or writes all.
pub fn man(args: &ManArgs, inputs: &Closed) -> Result<(), Failure> {
    let mut cli = Cli::command();
    // Names the commands as they are typed.
    cli.build();
    if let Some(folder) = &args.write {
        return write_all(&cli, folder, inputs);
    }
    let page = match &args.command {
        None => &cli,
        Some(name) => pages(&cli).find(|page| page.get_name() == name).ok_or_else(|| no_page(&cli, name))?,
    };
    print(|out| render(page, out))
}

/// The commands that have a page.
fn pages(cli: &Command) -> impl Iterator<Item = &Command> {
    let shown =
        cli.get_subcommands().filter(|command| !command.is_hide_set() && command.get_name() != "help");
    [cli].into_iter().chain(shown)
}

fn no_page(cli: &Command, name: &str) -> Failure {
    let meant = nearest(name, pages(cli).skip(1).map(Command::get_name));
    let meant = meant.map_or_else(String::new, |near| format!("did you mean '{near}'? "));
    Failure::Usage(format!("there is no page '{name}'; {meant}'sinew --help' lists the commands"))
}

fn write_all(cli: &Command, folder: &Path, inputs: &Closed) -> Result<(), Failure> {
    let folder = Folder::make(folder).map_err(|cause| Failure::output(folder, cause))?;
    for page in pages(cli) {
        let name = page.get_display_name().unwrap_or_else(|| page.get_name());
        let place = inputs.beneath(&folder, &format!("{name}.1"))?;
        output::write(&place, |out| render(page, out))
            .map_err(|cause| Failure::output(place.path(), cause))?;
    }
    Ok(())
}

fn render(page: &Command, mut out: &mut dyn io::Write) -> io::Result<()> {
    // Commands have no separate version.
    let source = concat!("sinew ", env!("CARGO_PKG_VERSION"));
    // The generator omits the short help of flags that -h does not show.
    let page =
        page.clone().mut_args(|flag| match (flag.get_long_help().is_none(), flag.get_help().cloned()) {
            (true, Some(help)) => flag.long_help(help),
            _ => flag,
        });
    clap_mangen::Man::new(page).source(source).render(&mut out)
}
