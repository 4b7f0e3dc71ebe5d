//! Entry points for the fuzz targets: the commands' handling of texts and pictures before they need a device. They must not
//! do anything that the commands themselves do not do.

use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::Path;

use clap::CommandFactory;
use serde_json::Value;

use crate::cli::args::Cli;
use crate::cli::args::config;
use crate::cli::commands::golden::{keys, picture_args};
use crate::cli::commands::serve;
use crate::cli::perform;
use crate::cli::terminal::failure::Failure;
use crate::golden::List;
use crate::output::{self, Inputs};

pub use crate::joint_map::parse as joint_map;

/// The maximum number of cases of a list that are parsed as command lines: a parser takes as long as a thousand lines
/// of a list.
const MAX_CASES: usize = 4;

type Kinds = Box<dyn Fn(&str) -> Result<crate::golden::Takes, String>>;

thread_local! {
    static CLI: OnceCell<clap::Command> = const { OnceCell::new() };
    static KINDS: OnceCell<Kinds> = const { OnceCell::new() };
}

/// Executes a command line. Returns its output, or its exit code and its error line.
pub fn run(words: &[&str]) -> Result<Vec<u8>, (u8, String)> {
    let words = std::iter::once("sinew").chain(words.iter().copied()).map(OsString::from);
    let cli = Cli::read(words).map_err(|error| (2, error.to_string()))?;
    #[allow(clippy::disallowed_methods, reason = "each command begins with its own")]
    let (done, printed) = output::taken(|| perform(cli, Inputs::none()));
    done.map(|()| printed).map_err(|failure| (failure.exit_code(), failure.to_string()))
}

/// The number of pictures that a list of goldens asks for; patterns find two files.
pub fn golden_list(text: &str) -> Result<usize, String> {
    let found = |pattern: &str| Ok(vec![pattern.replace('*', "a"), pattern.replace('*', "b")]);
    let kinds = |key: &str| KINDS.with(|kinds| kinds.get_or_init(|| Box::new(keys()))(key));
    let list = List::parse(text, &kinds, &found).map_err(|error| error.to_string())?;
    for case in list.cases.iter().take(MAX_CASES) {
        picture_args(Path::new("folder"), case).map_err(|failure| failure.to_string())?;
    }
    Ok(list.cases.len())
}

/// The command line with the flags of a config file.
pub fn config(text: &str, words: &[&str]) -> Result<Vec<OsString>, String> {
    let words = std::iter::once("sinew").chain(words.iter().copied()).map(OsString::from).collect();
    CLI.with(|cli| {
        let cli = cli.get_or_init(|| {
            let mut cli = Cli::command();
            cli.build();
            cli
        });
        config::told(text, words, cli)
    })
}

/// Sets the flags of a line for `sinew serve`, or parses its command with them. What is loaded is always there.
pub fn served(line: &[u8], flags: &mut BTreeMap<String, Value>) -> Result<(), String> {
    let model = Some("a.glb");
    let mut answer = || {
        match serve::asked(line)? {
            (name, Value::Object(set)) if name == "set" => {
                let changed = serve::changed(flags, set)?;
                serve::picture_of(model, &changed, None)?;
                *flags = changed;
            }
            (name, Value::String(out)) if name == "screenshot" => {
                drop(serve::picture_of(model, flags, Some(&out))?);
            }
            (name, value) => drop(serve::command_of(model, flags, &name, value)?),
        }
        Ok::<_, Failure>(())
    };
    answer().map_err(|failure| failure.to_string())
}
