//! Adds the flags of the user's config file to the command line, unless that sets them. This module must not depend on the
//! meaning of any flag.

mod file;

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::PathBuf;

use clap::error::ErrorKind;
use clap::parser::ValueSource;
use clap::{ArgMatches, Command, CommandFactory};
use serde_json::Value;

use self::file::{Given, PICTURE, WINDOW, WITHOUT};
use crate::cli::args::flags;
use crate::cli::args::{Cli, one_line};
use crate::cli::machine::vulkan::user_folder;
use crate::cli::terminal::failure::Failure;
use crate::output::Inputs;

/// The environment variable that names another file, or no file if it is empty.
const VARIABLE: &str = "SINEW_CONFIG";

/// Flags for the number and the format of pictures. A window has none of them.
const OF_PICTURES: [&str; 5] = ["fps", "frames", "lossy", "steps", "turntable"];

/// A command line with the flags of the config file.
///
/// # Errors
/// If the file cannot be used. The parser reports faults of the words themselves.
pub fn command_line(words: Vec<OsString>, inputs: &mut Inputs) -> Result<Vec<OsString>, Failure> {
    let Some(path) = place() else { return Ok(words) };
    let mut cli = Cli::command();
    cli.build();
    let Some(run) = Run::of(&cli, &words) else { return Ok(words) };
    let given = file::read(&path, &cli, inputs)?;
    run.with(given, words).map_err(|cause| Failure::Input { file: path.display().to_string(), cause })
}

/// Adds the flags of a config file with this text to a command line.
#[cfg(fuzzing)]
pub fn told(text: &str, words: Vec<OsString>, cli: &Command) -> Result<Vec<OsString>, String> {
    let Some(run) = Run::of(cli, &words) else { return Ok(words) };
    run.with(file::parse(text, cli).map_err(|error| error.to_string())?, words)
}

/// The file to read, if there is one.
fn place() -> Option<PathBuf> {
    match std::env::var_os(VARIABLE) {
        Some(path) if path.is_empty() => None,
        Some(path) => Some(path.into()),
        None => {
            let usual = user_folder("XDG_CONFIG_HOME", ".config")?.join("config.toml");
            // A link to nowhere is a mistake worth a message.
            usual.symlink_metadata().is_ok().then_some(usual)
        }
    }
}

/// A flag of the file, and the words that it adds.
type Added = (Given, Vec<OsString>);

/// The command that a command line runs.
struct Run<'a> {
    command: &'a Command,
    /// The name of its table.
    table: &'a str,
    /// The typed arguments.
    typed: ArgMatches,
    /// Why the words alone cannot be parsed, if so.
    fault: Option<ErrorKind>,
}

impl<'a> Run<'a> {
    /// Returns the command that some words run; `None` if it ignores config files.
    fn of(cli: &'a Command, words: &[OsString]) -> Option<Self> {
        let fault = Cli::read(words.iter().cloned()).err().map(|error| error.kind());
        // A flag that is missing may be in the file. All else is wrong whatever the file says, or asks for help.
        if !matches!(fault, None | Some(ErrorKind::MissingRequiredArgument)) {
            return None;
        }
        let all = cli.clone().ignore_errors(true).try_get_matches_from(words).ok()?;
        let (command, table, typed) = match all.subcommand() {
            Some((name, typed)) => (cli.find_subcommand(name)?, cli.find_subcommand(name)?.get_name(), typed),
            None if is_typed(&all, "screenshot") => (cli, PICTURE, &all),
            None => (cli, WINDOW, &all),
        };
        let is_off = typed.get_flag("no_config") || WITHOUT.contains(&table);
        (!is_off).then(|| Self { command, table, typed: typed.clone(), fault })
    }

    /// The words with the flags of the file, or the line and the cause of a fault.
    fn with(&self, given: Vec<Given>, words: Vec<OsString>) -> Result<Vec<OsString>, String> {
        let fault = |given: &Given, message: &str| format!("line {}: {}", given.line, one_line(message));
        let mut added = Vec::new();
        for given in self.heeds(given) {
            let words = flags::words(self.command, &given.key, &given.value)
                .map_err(|error| fault(&given, &error))?;
            added.push((given, words));
        }
        self.settle(words, added).map_err(|(given, message)| fault(&given, &message))
    }

    /// Returns the file's flags that this command accepts and the command line does not set. Those of its table override
    /// those for all commands.
    fn heeds(&self, given: Vec<Given>) -> Vec<Given> {
        let mut heeded: BTreeMap<String, Given> = BTreeMap::new();
        let (all, own): (Vec<_>, Vec<_>) = given.into_iter().partition(|given| given.table.is_none());
        for given in
            all.into_iter().chain(own.into_iter().filter(|given| given.table.as_deref() == Some(self.table)))
        {
            let Some(flag) = flags::find(self.command, &given.key) else { continue };
            let is_for_pictures = self.table == WINDOW && OF_PICTURES.contains(&given.key.as_str());
            if !is_typed(&self.typed, flag.get_id().as_str()) && !is_for_pictures {
                heeded.insert(given.key.clone(), given);
            }
        }
        let mut heeded: Vec<Given> =
            heeded.into_values().filter(|given| given.value != Value::Bool(false)).collect();
        heeded.sort_by_key(|given| given.line);
        heeded
    }

    /// The words with those of the file. The command line takes precedence: a conflicting flag of the file is left out,
    /// and so is one for all commands that lacks another flag.
    fn settle(&self, words: Vec<OsString>, mut added: Vec<Added>) -> Result<Vec<OsString>, (Given, String)> {
        let fits = |added: &[Added]| Cli::read(self.joined(&words, added));
        if fits(&added).is_ok() {
            return Ok(self.joined(&words, &added));
        }
        let alone =
            |added: &Added| fits(std::slice::from_ref(added)).err().map(|error| (error.kind(), error));
        let mut kept = Vec::new();
        for added in added.drain(..) {
            match alone(&added) {
                None | Some((ErrorKind::MissingRequiredArgument, _)) => kept.push(added),
                Some((ErrorKind::ArgumentConflict, _)) => {}
                Some((_, error)) => return Err((added.0, error.to_string())),
            }
        }
        if fits(&kept).is_err() && self.fault.is_none() {
            kept.retain(|added| added.0.table.is_some() || alone(added).is_none());
        }
        match (fits(&kept), self.fault) {
            (Err(error), None) => match kept.into_iter().last() {
                Some((given, _)) => Err((given, error.to_string())),
                None => Ok(words),
            },
            _ => Ok(self.joined(&words, &kept)),
        }
    }

    /// The words with others behind the name of the command.
    fn joined(&self, words: &[OsString], added: &[Added]) -> Vec<OsString> {
        let names = if [PICTURE, WINDOW].contains(&self.table) { 1 } else { 2 };
        let (start, rest) = words.split_at(names.min(words.len()));
        let added = added.iter().flat_map(|(_, words)| words);
        start.iter().chain(added).chain(rest).cloned().collect()
    }
}

fn is_typed(matches: &ArgMatches, id: &str) -> bool {
    matches.try_contains_id(id).unwrap_or(false) && matches.value_source(id) == Some(ValueSource::CommandLine)
}

#[cfg(test)]
mod tests;
