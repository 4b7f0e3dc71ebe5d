//! Parses a case's keys with the parser of the command line, so every flag of a picture is a key.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use crate::golden::{Case, LIST_NAME, LineError, Takes};
use clap::error::{ContextKind, ContextValue};
use clap::{ArgAction, CommandFactory, Parser};

use crate::cli::args::flags;
use crate::cli::args::one_line;
use crate::cli::args::{Cli, PictureArgs};
use crate::cli::subject::open;
use crate::cli::terminal::failure::Failure;

/// Flags that cases cannot use besides the window's: they choose the output, the device or a sequence.
const NO_KEYS: [&str; 15] = [
    "screenshot",
    "no-config",
    "device",
    "validate",
    "help",
    "version",
    "frames",
    "fps",
    "lossy",
    "turntable",
    "steps",
    "output",
    "json",
    "progress",
    "no-progress",
];

/// The maximum number of pixels of a golden, which is compared as a whole: 8192x8192.
const MAX_PIXELS: u64 = 1 << 26;

/// Returns the number of values that each key of a list takes, from the flags that draw a picture.
pub fn keys() -> impl Fn(&str) -> Result<Takes, String> {
    let command = Cli::command();
    move |key| {
        let found = command.get_arguments().find(|flag| flag.get_long() == Some(key));
        match found.filter(|_| !is_refused(key)).map(clap::Arg::get_action) {
            Some(ArgAction::SetTrue | ArgAction::SetFalse) => Ok(Takes::Switch),
            Some(ArgAction::Set) => Ok(Takes::One),
            Some(ArgAction::Append) => Ok(Takes::Many),
            _ => Err(unknown(key)),
        }
    }
}

/// Returns true if a flag changes no picture, or more than one.
fn is_refused(key: &str) -> bool {
    NO_KEYS.contains(&key) || flags::is_of_window(key)
}

fn unknown(key: &str) -> String {
    if is_refused(key) {
        return format!("a case cannot set '{key}'");
    }
    // Flags are written with dashes, not underscores; for other misspellings clap suggests the most similar flag.
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

/// Parses a case as the command line that draws it.
pub fn picture_args(folder: &Path, case: &Case) -> Result<PictureArgs, Failure> {
    let parse = |settings: &mut dyn Iterator<Item = String>| {
        let start = OsString::from("sinew");
        let end = [OsString::from("--"), model(folder, &case.model)];
        Cli::read(std::iter::once(start).chain(settings.map(OsString::from)).chain(end))
    };
    let picture = parse(&mut case.settings.iter().flat_map(crate::golden::Setting::arguments))
        .map(|Cli { mut picture, .. }| {
            picture.change_all(|picture| seen_from(folder, picture));
            picture
        })
        .map_err(|error| {
            // An error in one key is reported at its line; keys that conflict, at the line of the case.
            let culprit = case.settings.iter().find_map(|setting| {
                let error = parse(&mut setting.arguments().into_iter()).err()?;
                Some((setting.line, error))
            });
            let (line, error) = culprit.unwrap_or((case.line, error));
            let message = format!("case '{}': {}", case.name, one_line(&error.to_string()));
            list_failure(folder, &LineError { line, message })
        })?;
    let [width, height] = picture.size;
    if u64::from(width) * u64::from(height) > MAX_PIXELS {
        let message = format!(
            "case '{}': {width}x{height} is more than the {MAX_PIXELS} pixels of the largest golden",
            case.name
        );
        return Err(list_failure(folder, &LineError { line: case.line, message }));
    }
    Ok(picture)
}

/// Resolves the files of a picture that are relative to the list's folder.
fn seen_from(folder: &Path, picture: &mut PictureArgs) {
    let PictureArgs { subject, look, .. } = picture;
    look.other = look.other.take().map(|other| model(folder, &other.to_string_lossy()));
    look.ghost = look.ghost.take().map(|ghost| ghost.seen_from(folder));
    look.environment = look.environment.take().map(|file| folder.join(file).into_os_string());
    let load = &mut subject.load;
    load.clip_from.iter_mut().for_each(|file| *file = model(folder, &file.to_string_lossy()));
    load.joint_map = load.joint_map.take().map(|map| folder.join(map));
    subject.posed.pose = subject.posed.pose.take().map(|pose| pose.seen_from(folder));
}

/// A model as named from the current folder: built-in, or a file relative to the list's folder.
fn model(folder: &Path, given: &str) -> OsString {
    match given.starts_with(open::BUILTIN) {
        true => given.into(),
        false => plain_join(folder, given).into(),
    }
}

/// Joins two paths, without a leading `.`.
fn plain_join(folder: &Path, file: &str) -> PathBuf {
    match folder == Path::new(".") {
        true => PathBuf::from(file),
        false => folder.join(file),
    }
}

/// The failure for an error in a list, with file and line.
pub fn list_failure(folder: &Path, error: &LineError) -> Failure {
    let path = folder.join(LIST_NAME);
    let file = match error.line {
        0 => path.display().to_string(),
        line => format!("{}:{line}", path.display()),
    };
    Failure::Input { file, cause: error.message.clone() }
}

#[cfg(all(test, feature = "window"))]
mod tests {
    use super::*;

    #[test]
    fn no_flag_of_the_window_is_a_key() {
        let keys = keys();
        for flag in flags::of_window() {
            assert_eq!(keys(&flag).err(), Some(format!("a case cannot set '{flag}'")));
        }
        assert!(matches!(keys("mode"), Ok(Takes::One)));
    }
}
