//! Reads a config file: flags by their names, for every command or in a table for one. Every key has its line number.

#![allow(clippy::disallowed_methods, reason = "adds each file that it reads to the inputs")]

use std::path::Path;

use clap::Command;
use serde_json::Value;

use crate::cli::args::flags;
use crate::cli::terminal::failure::Failure;
use crate::document::{self, Document, Entry, LineError};
use crate::model::gltf;
use crate::model::unknown::nearest;
use crate::output::{Inputs, Role};

/// The maximum number of bytes of a config file.
const MAX_BYTES: u64 = 1 << 20;

/// The table of flags for pictures that are written.
pub const PICTURE: &str = "picture";

/// The table of flags for the window.
pub const WINDOW: &str = "window";

/// Commands that read no config file, because their results must not depend on the user.
pub const WITHOUT: [&str; 6] = ["completions", "golden", "help", "man", "serve", "show"];

/// Flags for a command line alone: they name outputs, or are not settings.
const NOT_SET: [&str; 6] = ["help", "no-config", "output", "screenshot", "version", "write"];

/// A flag in the file.
#[derive(Clone, Debug, PartialEq)]
pub struct Given {
    /// The number of its line.
    pub line: usize,
    /// The table, which is for one command; `None` for flags of every command that has them.
    pub table: Option<String>,
    /// The flag without its dashes.
    pub key: String,
    /// Its value; `false` unsets the file's value for every command.
    pub value: Value,
}

/// Reads a file.
///
/// # Errors
/// If it is not a regular file, is too large, or has a wrong line; the error names the first one.
pub fn read(path: &Path, cli: &Command, inputs: &mut Inputs) -> Result<Vec<Given>, Failure> {
    let fault = |cause: String| Failure::Input { file: path.display().to_string(), cause };
    inputs.add(path, Role::Config)?;
    let bytes = gltf::read_file_of(path, MAX_BYTES).map_err(|error| fault(error.to_string()))?;
    let text = String::from_utf8(bytes).map_err(|_| fault("it is not UTF-8 text".to_owned()))?;
    parse(&text, cli).map_err(|error| fault(error.to_string()))
}

/// Reads a file's text.
///
/// # Errors
/// With the first of its lines that is wrong.
pub fn parse(text: &str, cli: &Command) -> Result<Vec<Given>, LineError> {
    let document = Document::new(text);
    let root = document.parse()?;
    let mut given = Vec::new();
    for entry in in_order(document.entries(&root)) {
        let Some(table) = entry.value.table() else {
            given.push(flag(&document, &entry, None, cli)?);
            continue;
        };
        let fault = |message: String| LineError { line: entry.line, message };
        let name = entry.key;
        if !is_table(cli, name) {
            return Err(fault(unknown_table(cli, name)));
        }
        for entry in in_order(document.entries(table)) {
            given.push(flag(&document, &entry, Some(name), cli)?);
        }
    }
    Ok(given)
}

/// The keys as the file has them, so that of two faults the first is reported.
fn in_order<'v>(entries: impl Iterator<Item = Entry<'v>>) -> Vec<Entry<'v>> {
    let mut entries: Vec<_> = entries.collect();
    entries.sort_by_key(|entry| entry.line);
    entries
}

/// The commands whose flags a table may have, or all of them.
fn commands<'a>(cli: &'a Command, table: Option<&str>) -> Vec<&'a Command> {
    let of_commands = cli.get_subcommands().filter(|command| !WITHOUT.contains(&command.get_name()));
    match table {
        None => [cli].into_iter().chain(of_commands).collect(),
        Some(PICTURE | WINDOW) => vec![cli],
        Some(name) => of_commands.filter(|command| command.get_name() == name).collect(),
    }
}

fn is_table(cli: &Command, name: &str) -> bool {
    !commands(cli, Some(name)).is_empty()
}

fn flag(
    document: &Document<'_>,
    entry: &Entry<'_>,
    table: Option<&str>,
    cli: &Command,
) -> Result<Given, LineError> {
    let Entry { key, line, value } = *entry;
    let commands = commands(cli, table);
    if NOT_SET.contains(&key) {
        let message = format!("'{key}' belongs on the command line; a config file cannot set it");
        return Err(LineError { line, message });
    }
    if !commands.iter().any(|command| flags::find(command, key).is_some()) {
        return Err(LineError { line, message: unknown_key(&commands, key, table) });
    }
    let word = |value: document::Value<'_>| {
        let found = value.word().map(Value::String);
        found.ok_or_else(|| value.expected(&format!("a text or a number for {key}")))
    };
    let value = match (value.switch(), document.items(value)) {
        (Some(switch), _) => Value::Bool(switch),
        (None, Some(items)) => Value::Array(items.into_iter().map(word).collect::<Result<_, _>>()?),
        (None, None) => match value.word() {
            Some(word) => Value::String(word),
            None => return Err(value.expected(&format!("a text, a number, true, false or a list for {key}"))),
        },
    };
    Ok(Given { line, table: table.map(str::to_owned), key: key.to_owned(), value })
}

fn unknown_key(commands: &[&Command], key: &str, table: Option<&str>) -> String {
    let of = table.map_or(String::new(), |table| format!(" in [{table}]"));
    let known = commands.iter().flat_map(|command| command.get_arguments());
    let known: Vec<&str> =
        known.filter_map(clap::Arg::get_long).filter(|key| !NOT_SET.contains(key)).collect();
    // Flags are written with dashes, not underscores.
    let dashed = key.replace('_', "-");
    let same = known.iter().copied().find(|known| *known == dashed);
    match same.or_else(|| nearest(key, known.iter().copied())) {
        Some(near) => format!("unknown key '{key}'{of}; did you mean '{near}'?"),
        None => format!("unknown key '{key}'{of}; keys are flags without their dashes (see 'sinew --help')"),
    }
}

fn unknown_table(cli: &Command, name: &str) -> String {
    if WITHOUT.contains(&name) {
        return format!("'sinew {name}' reads no config file, so there is no [{name}]");
    }
    let known = cli.get_subcommands().map(Command::get_name).filter(|name| !WITHOUT.contains(name));
    match nearest(name, known.chain([PICTURE, WINDOW])) {
        Some(near) => format!("unknown table [{name}]; did you mean [{near}]?"),
        None => format!("unknown table [{name}]; expected [{PICTURE}], [{WINDOW}] or the name of a command"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::args::Cli;
    use clap::CommandFactory;
    use serde_json::json;

    fn parsed(text: &str) -> Result<Vec<Given>, String> {
        parse(text, &Cli::command()).map_err(|error| error.to_string())
    }

    #[test]
    fn keys_are_flags_and_tables_are_commands() {
        let text = "mode = 'dqs'\nclip = ['walk', 2]\northo = true\n[compare]\nmodes = false\n[window]\nspeed = 0.5\n";
        let given = parsed(text).unwrap();
        let shown = given
            .iter()
            .map(|given| (given.line, given.table.as_deref(), given.key.as_str(), given.value.clone()));
        let expected = [
            (1, None, "mode", json!("dqs")),
            (2, None, "clip", json!(["walk", "2"])),
            (3, None, "ortho", json!(true)),
        ];
        assert_eq!(shown.take(3).collect::<Vec<_>>(), expected);
        let last = given.last().unwrap();
        assert_eq!((last.line, last.table.as_deref()), (7, Some("window")));
        assert_eq!(parsed(""), Ok(Vec::new()));
    }

    #[test]
    fn what_is_wrong_is_named_with_its_line() {
        for (text, says) in [
            ("tiem = 1", "line 1: unknown key 'tiem'; did you mean 'time'?"),
            (
                "mode = 'lbs'\nblend_clip = 'a'",
                "line 2: unknown key 'blend_clip'; did you mean 'blend-clip'?",
            ),
            ("zzzzzzzz = 1", "line 1: unknown key 'zzzzzzzz'; keys are flags"),
            ("[compare]\nview = 'weights'", "line 2: unknown key 'view' in [compare]"),
            ("[comapre]\nmode = 'lbs'", "line 1: unknown table [comapre]; did you mean [compare]?"),
            ("[golden]\nvalidate = true", "line 1: 'sinew golden' reads no config file"),
            ("[attic]", "line 1: unknown table [attic]; expected [picture], [window]"),
            ("screenshot = 'a.png'", "line 1: 'screenshot' belongs on the command line"),
            ("[export]\noutput = 'a.obj'", "line 2: 'output' belongs on the command line"),
            ("mode = [['lbs']]", "line 1: expected a text or a number for mode, found a list"),
            (
                "time = 1979-05-27",
                "line 1: expected a text, a number, true, false or a list for time, found a date",
            ),
            ("mode = ", "line 1: "),
            ("mode = 'lbs'\nmode = 'dqs'", "line 2: duplicate key"),
        ] {
            let error = parsed(text).unwrap_err();
            assert!(error.starts_with(says), "{text}: {error}");
        }
    }
}
