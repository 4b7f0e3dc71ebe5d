//! Reads a case's keys by the parser of the command line, so that every flag of a picture is a key.
//! It must not know what the flags do.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::error::{ContextKind, ContextValue};
use clap::{ArgAction, CommandFactory, Parser};
use sinew::golden::{Case, Key, LIST_NAME, ListError};

use crate::cli::args::one_line;
use crate::cli::args::{Cli, PictureArgs};
use crate::cli::failure::Failure;
use crate::cli::open;

/// Flags that say where a picture goes, on what it is drawn, or that it is several: no case's business.
const NO_KEYS: [&str; 20] = [
    "screenshot",
    "device",
    "validate",
    "vsync",
    "paused",
    "speed",
    "repeat",
    "fade",
    "panel",
    "choose",
    "vertex",
    "help",
    "version",
    "frames",
    "fps",
    "turntable",
    "output",
    "json",
    "progress",
    "no-progress",
];

/// What the keys of a list take: those of the flags that draw a picture.
pub fn keys() -> impl Fn(&str) -> Result<Key, String> {
    let command = Cli::command();
    move |key| {
        let found = command.get_arguments().find(|flag| flag.get_long() == Some(key));
        match found.filter(|_| !NO_KEYS.contains(&key)).map(clap::Arg::get_action) {
            Some(ArgAction::SetTrue | ArgAction::SetFalse) => Ok(Key::Switch),
            Some(ArgAction::Set) => Ok(Key::One),
            Some(ArgAction::Append) => Ok(Key::Many),
            _ => Err(unknown(key)),
        }
    }
}

fn unknown(key: &str) -> String {
    if NO_KEYS.contains(&key) {
        return format!("a case cannot set '{key}'");
    }
    // Flags have dashes within; else the parser knows which is spelled most like it.
    let similar = Cli::try_parse_from(["sinew".to_owned(), format!("--{}", key.replace('_', "-"))])
        .err()
        .and_then(|error| match error.get(ContextKind::SuggestedArg) {
            Some(ContextValue::String(flag)) => Some(flag.trim_start_matches('-').to_owned()),
            _ => None,
        });
    let dashed = key.replace('_', "-");
    let is_flag = Cli::command().get_arguments().any(|flag| flag.get_long() == Some(&dashed));
    let expected = "name, model, tolerance or a flag that changes a picture, without its dashes";
    match similar.or(is_flag.then_some(dashed)) {
        Some(similar) => format!("unknown key '{key}'; did you mean '{similar}'?"),
        None => format!("unknown key '{key}', expected {expected} (see 'sinew --help')"),
    }
}

/// What would have been typed for the case.
pub fn picture_args(folder: &Path, case: &Case) -> Result<PictureArgs, Failure> {
    let parse = |settings: &mut dyn Iterator<Item = String>| {
        let start = OsString::from("sinew");
        let end = [OsString::from("--"), model(folder, case)];
        Cli::read(std::iter::once(start).chain(settings.map(OsString::from)).chain(end))
    };
    parse(&mut case.settings.iter().flat_map(sinew::golden::Setting::arguments))
        .map(|Cli { mut picture, .. }| {
            picture.subject.pose = picture.subject.pose.map(|pose| pose.seen_from(folder));
            picture
        })
        .map_err(|error| {
            // What is wrong by itself is found at its line; what does not go together, at the case's.
            let culprit = case.settings.iter().find_map(|setting| {
                let error = parse(&mut setting.arguments().into_iter()).err()?;
                Some((setting.line, error))
            });
            let (line, error) = culprit.unwrap_or((case.line, error));
            let message = format!("case '{}': {}", case.name, one_line(&error.to_string()));
            list_failure(folder, &ListError { line, message })
        })
}

/// The model as typed from here: built-in, or a file seen from the list's folder.
fn model(folder: &Path, case: &Case) -> OsString {
    match case.model.starts_with(open::BUILTIN) {
        true => case.model.clone().into(),
        false => plain_join(folder, &case.model).into(),
    }
}

/// One path below another, without a `.` in front.
fn plain_join(folder: &Path, file: &str) -> PathBuf {
    match folder == Path::new(".") {
        true => PathBuf::from(file),
        false => folder.join(file),
    }
}

/// What is wrong with a list, with its file and line.
pub fn list_failure(folder: &Path, error: &ListError) -> Failure {
    let path = folder.join(LIST_NAME);
    let file = match error.line {
        0 => path.display().to_string(),
        line => format!("{}:{line}", path.display()),
    };
    Failure::Input { file, cause: error.message.clone() }
}
