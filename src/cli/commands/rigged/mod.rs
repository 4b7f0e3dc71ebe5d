//! `sinew convert` and `sinew export --rigged`: write a model with its joints, as it is or for programs with limits, and
//! measure the change.

pub mod distances;
pub mod file;
pub mod measure;
mod print;

use std::ffi::OsStr;
use std::path::Path;

use crate::export::rigged::{Rigged, Wanted, rigged};
use crate::model::{Limits, MAX_INFLUENCES, Model};
use crate::output::{self, Inputs};
use crate::pairing::clip_name;

use crate::cli::args::{AskedMode, ConvertArgs, ExportArgs, LoadArgs};
use crate::cli::subject::needs;
use crate::cli::subject::open;
use crate::cli::terminal::failure::Failure;
use crate::cli::terminal::print::{print, say};

use self::file::Kind;
use self::measure::Sides;

/// A model to convert, and its output.
struct Errand<'a> {
    model: &'a OsStr,
    load: &'a LoadArgs,
    mode: AskedMode,
    output: &'a Path,
    kind: Kind,
    wanted: Wanted,
    /// The file for the figures as JSON, if any.
    json: Option<&'a Path>,
}

/// Writes the model with its joints, within limits.
pub fn run(args: &ExportArgs, inputs: Inputs) -> Result<(), Failure> {
    let errand = Errand {
        model: &args.subject.model,
        load: &args.subject.load,
        mode: args.subject.mode,
        output: &args.output,
        kind: Kind::of(&args.output, "--rigged")?,
        wanted: wanted(args),
        json: args.rigged.json.as_deref(),
    };
    write(&errand, inputs)
}

/// Writes the model as it is.
pub fn convert(args: &ConvertArgs, inputs: Inputs) -> Result<(), Failure> {
    let errand = Errand {
        model: &args.model,
        load: &args.load,
        mode: args.mode,
        output: &args.output,
        kind: Kind::of(&args.output, "'sinew convert'")?,
        wanted: Wanted::ANYTHING,
        json: args.json.as_deref(),
    };
    write(&errand, inputs)
}

/// Moves clips that begin before 0 to begin at 0, because glTF has no earlier times, and prints a note for each.
pub fn begin_at_zero(model: &mut Model) {
    for number in 0..model.clips.len() {
        let name = clip_name(model, number);
        let Some(clip) = model.clips.get_mut(number) else { continue };
        let first = clip.first_secs();
        if first < 0.0 {
            clip.begin_at_zero();
            say(&format!(
                "note: clip {name} begins {:.3} s before 0; glTF has no time before 0, so it begins at 0 there",
                -first
            ));
        }
    }
}

/// Writes the model, reads it back, measures it, and prints the changes.
fn write(errand: &Errand<'_>, mut inputs: Inputs) -> Result<(), Failure> {
    let given = open::shown(errand.model);
    let mut original = open::model(errand.model, errand.load, &mut inputs)?;
    open::check_kept(&original, errand.model)?;
    if errand.kind == Kind::Glb {
        begin_at_zero(&mut original);
    }
    let inputs = inputs.close();
    let out = inputs.output(errand.output)?;
    let json = errand.json.map(|path| inputs.output(path)).transpose()?;
    if let Some(json) = &json {
        output::are_apart(out.path(), json.path())?;
    }
    let fault = |cause: String| Failure::Input { file: given.clone(), cause };
    let made = rigged(&original, &errand.wanted).map_err(|error| fault(error.to_string()))?;
    let file = errand.kind.file(&made.model, &out, errand.mode).map_err(fault)?;
    file.write(&out, &inputs)?;
    let file::File { read, landings, .. } = file;
    let mode = errand.mode.of(&original);
    for model in [&original, &read] {
        needs::prepare(model, [mode], &inputs);
    }
    let pairing = made.pairing(&original, &landings);
    let sides = Sides { mode, original: &original, read: &read, pairing };
    let job = Job { given, out: errand.output.display().to_string(), sides, made: &made };
    let found = job.sides.measure();
    if let Some(place) = &json {
        let written = output::write(place, |stream| print::json(&job, &found, stream));
        written.map_err(|cause| Failure::output(place.path(), cause))?;
    }
    match errand.json.is_some_and(|path| path.as_os_str() == "-") {
        true => Ok(()),
        false => print(|stream| print::table(&job, &found, stream)),
    }
}

fn wanted(args: &ExportArgs) -> Wanted {
    let most = args.rigged.max_influences.map_or(MAX_INFLUENCES, usize::from);
    Wanted {
        influences: Limits { most, least: args.rigged.prune.unwrap_or(0.0) },
        max_joints: args.rigged.max_joints.map(usize::from),
    }
}

/// A model, and the one that was made from it.
struct Job<'a> {
    given: String,
    out: String,
    sides: Sides<'a>,
    made: &'a Rigged,
}
