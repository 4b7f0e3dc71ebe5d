//! Reads model files and built-in models, adds each file that it reads to the inputs, and reports their faults.

#![allow(clippy::disallowed_methods, reason = "adds each file that it reads to the inputs")]

use std::ffi::OsStr;
use std::path::Path;
use std::sync::atomic::Ordering;

use crate::environment::Environment;
use crate::model::gltf;
use crate::model::{self, FilePart, LoadError, Model, ModelFile, Options, Warning, Watch, builtin};
use crate::output::{Inputs, Late, Role};

use crate::cli::args::LoadArgs;
use crate::cli::subject::nearby::{self, MODELS};
use crate::cli::subject::stdin;
use crate::cli::terminal::failure::Failure;
use crate::cli::terminal::print::say;
use crate::cli::terminal::waiting::Waiting;

/// The prefix of built-in models.
pub const BUILTIN: &str = "builtin:";

/// Reads a file, standard input or a built-in model, and passes its bytes, its folder and the options to `load`. Shows the
/// progress on a terminal.
pub fn read<T>(
    given: &OsStr,
    role: Role,
    options: Options,
    inputs: &mut Inputs,
    load: impl FnOnce(&[u8], Option<&Path>, &Options) -> Result<T, LoadError>,
) -> Result<T, Failure> {
    let fault = |cause: String| Failure::Input { file: shown(given), cause };
    match given.to_str().and_then(|given| given.strip_prefix(BUILTIN)) {
        Some(name) => load(&builtin::glb(name).map_err(|error| fault(error.to_string()))?, None, &options),
        // The files that it names are in the current folder, as for a file there.
        None if stdin::is_stdin(given) => {
            inputs.add(Path::new(stdin::FILE), role)?;
            load(stdin::bytes()?, Some(Path::new("")), &options)
        }
        None => {
            let path = Path::new(given);
            inputs.add(path, role)?;
            let waiting = Waiting::begin(&format!("reading {}", shown(given)));
            let done = waiting.done();
            let also = options.watch.clone();
            let watch = Watch::new(move |share| {
                done.store((share * 100.0) as u32, Ordering::Relaxed);
                also.tell(share)
            });
            let options = Options { watch, ..options };
            gltf::read_file(path).and_then(|bytes| load(&bytes, path.parent(), &options))
        }
    }
    .map_err(|error| {
        let hint = if error.leads_outside() {
            " (unless --allow-outside is given)".to_owned()
        } else if error.lacks_a_file() {
            "; a .gltf needs the files that it names beside it, or export it anew as one .glb".to_owned()
        } else if error.is_no_file() {
            nearby::hint(Path::new(given), MODELS)
        } else {
            String::new()
        };
        fault(format!("{error}{hint}"))
    })
}

/// Reads a picture of light all around.
pub fn environment(given: &OsStr, inputs: &mut Inputs) -> Result<Environment, Failure> {
    let fault = |cause: String| Failure::Input { file: shown(given), cause };
    let path = Path::new(given);
    inputs.add(path, Role::Environment)?;
    let bytes = gltf::read_file(path).map_err(|error| fault(error.to_string()))?;
    let digest = gltf::sha256(&bytes);
    Environment::new(shown(given), digest, &bytes).map_err(|error| fault(error.to_string()))
}

/// The files that a model names, even if it cannot be loaded.
pub fn files(given: &OsStr, load: &LoadArgs) -> Vec<ModelFile> {
    if is_builtin(given) {
        return Vec::new();
    }
    let path = Path::new(given);
    let bytes = match stdin::is_stdin(given) {
        true => stdin::bytes().map(<[u8]>::to_vec).unwrap_or_default(),
        false => gltf::read_file(path).unwrap_or_default(),
    };
    model::files_of(&bytes, path.parent(), &load.options())
}

/// Notes the files that a model names.
pub fn note_files(files: &[ModelFile], inputs: &mut Inputs) -> Result<(), Late> {
    files.iter().try_for_each(|ModelFile { path, part }| {
        let role = match part {
            FilePart::Buffer => Role::Buffer,
            FilePart::Picture(_) => Role::Texture,
        };
        inputs.add(path, role)
    })
}

/// The path that is read for a name; a built-in model has none.
pub fn path(given: &OsStr) -> Option<&Path> {
    match stdin::is_stdin(given) {
        // It may be a file, which another name leads to as well.
        true => Some(Path::new(stdin::FILE)),
        false => (!is_builtin(given)).then(|| Path::new(given)),
    }
}

/// Returns true if a name is that of a file, which may change, not of a built-in model or of standard input.
pub fn is_file(given: &OsStr) -> bool {
    !is_builtin(given) && !stdin::is_stdin(given)
}

/// Returns true if a name is that of a built-in model.
pub fn is_builtin(given: &OsStr) -> bool {
    given.to_str().is_some_and(|given| given.starts_with(BUILTIN))
}

/// With `--strict`, returns the first broken rule as a failure.
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

/// Prints one warning per kind of broken rule, with the number of others.
pub fn warn(given: &OsStr, model: &Model) {
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

/// First the rules whose violations were repaired, then the others.
pub fn broken_rules(model: &Model) -> impl Iterator<Item = &Warning> {
    model.warnings.iter().chain(&model.faults)
}

/// The name as given; bytes that are not UTF-8 are replaced.
pub fn shown(given: &OsStr) -> String {
    given.to_string_lossy().into_owned()
}
