//! Opens the model that the user named, and finds the clip.
//! It must not know what is done with them.

use std::ffi::OsStr;
use std::path::Path;

use clap::CommandFactory;
use sinew::model::gltf::{self, Inspection, LoadError};
use sinew::model::{Model, Warning, builtin};
use sinew::pose::PoseChoice;

use super::args::{Cli, LoadArgs, PoseName, SubjectArgs};
use super::{Failure, say};

/// What marks a built-in model.
const BUILTIN: &str = "builtin:";

/// Loads a file or a built-in model and says what was repaired; with `--strict` that is a failure.
pub fn model(given: &OsStr, load: &LoadArgs) -> Result<Model, Failure> {
    let options = gltf::Options::default();
    let model = read(
        given,
        |glb| gltf::load_bytes_with(glb, None, &options),
        |path| gltf::load_with(path, &options),
    )?;
    heed(given, &model, load)?;
    warn(given, &model);
    Ok(model)
}

/// Loads a file or a built-in model and looks it over.
pub fn inspection(given: &OsStr) -> Result<Inspection, Failure> {
    let options = gltf::Options::default();
    read(given, |glb| gltf::inspect_bytes(glb, None, &options), |path| gltf::inspect(path, &options))
}

fn read<T>(
    given: &OsStr,
    from_bytes: impl FnOnce(&[u8]) -> Result<T, LoadError>,
    from_file: impl FnOnce(&Path) -> Result<T, LoadError>,
) -> Result<T, Failure> {
    let shown = shown(given);
    let fault = |cause: String| Failure::Input { file: shown.clone(), cause };
    match given.to_str().and_then(|given| given.strip_prefix(BUILTIN)) {
        Some(name) => from_bytes(&builtin::glb(name).map_err(|error| fault(error.to_string()))?),
        None if is_misplaced_command(given) => {
            return Err(Failure::Usage(format!(
                "there is no file '{shown}'; the command goes first: sinew {shown} …"
            )));
        }
        None => from_file(Path::new(given)),
    }
    .map_err(|error| fault(error.to_string()))
}

/// With `--strict` the first broken rule is a failure.
pub fn heed(given: &OsStr, model: &Model, load: &LoadArgs) -> Result<(), Failure> {
    let mut broken = broken_rules(model);
    match broken.next() {
        Some(Warning { code, path, message }) if load.strict => {
            let cause = format!("{path}: {message} [{code}]");
            let failure = Failure::Input { file: shown(given), cause };
            Err(match broken.count() {
                0 => failure,
                more => failure.with_more(more),
            })
        }
        _ => Ok(()),
    }
}

/// Says each kind of broken rule once, with how many more there are of it.
fn warn(given: &OsStr, model: &Model) {
    for (number, Warning { code, path, message }) in broken_rules(model).enumerate() {
        if broken_rules(model).take(number).any(|earlier| earlier.code == *code) {
            continue;
        }
        let more = match broken_rules(model).skip(number + 1).filter(|later| later.code == *code).count() {
            0 => String::new(),
            more => format!(" (and {more} more)"),
        };
        say(&format!("warning: {}: {path}: {message}{more} [{code}]", shown(given)));
    }
}

/// What was repaired, and then what was taken as it is.
fn broken_rules(model: &Model) -> impl Iterator<Item = &Warning> {
    model.warnings.iter().chain(&model.faults)
}

/// As it was given, near enough to print.
pub fn shown(given: &OsStr) -> String {
    given.to_string_lossy().into_owned()
}

/// Whether flags before a command have made a file name of it.
fn is_misplaced_command(given: &OsStr) -> bool {
    Cli::command().get_subcommands().any(|command| command.get_name() == given) && !Path::new(given).exists()
}

/// The pose the flags ask for; without any, the first clip, or rest.
pub fn pose(args: &SubjectArgs, model: &Model) -> Result<PoseChoice, Failure> {
    match (args.pose, &args.clip) {
        (Some(PoseName::Bind), _) => Ok(PoseChoice::Bind),
        (Some(PoseName::Rest), _) => Ok(PoseChoice::Rest),
        (None, None) if model.clips.is_empty() => Ok(PoseChoice::Rest),
        (None, None) => Ok(PoseChoice::Clip { clip: 0, time_secs: args.time }),
        (None, Some(asked)) => match clip(model, asked) {
            Some(clip) => Ok(PoseChoice::Clip { clip, time_secs: args.time }),
            None => Err(Failure::Input { file: shown(&args.model), cause: no_clip(model, asked) }),
        },
    }
}

/// By name first: a clip may be called "2".
fn clip(model: &Model, asked: &str) -> Option<usize> {
    let by_name = model.clips.iter().position(|clip| clip.name == asked);
    by_name.or_else(|| asked.parse().ok().filter(|&index: &usize| index < model.clips.len()))
}

fn no_clip(model: &Model, asked: &str) -> String {
    let clips: Vec<String> =
        model.clips.iter().enumerate().map(|(index, clip)| format!("{index} '{}'", clip.name)).collect();
    match clips.as_slice() {
        [] => format!("it has no clip '{asked}', and no clips at all"),
        _ => format!("it has no clip '{asked}', but {}", clips.join(", ")),
    }
}
