//! `sinew weights`: edits weights by hand, writes the model, and measures what each edit changed.

mod print;
mod recipe;

use std::path::Path;

use crate::analysis::weights::{Mended, WeightDifference, compare, mend};
use crate::cli::args::{Step, WeightsArgs};
use crate::cli::commands::rigged::begin_at_zero;
use crate::cli::commands::rigged::file::{File, Kind};
use crate::cli::commands::rigged::measure::{Found, Sides};
use crate::cli::subject::{needs, open};
use crate::cli::terminal::failure::Failure;
use crate::cli::terminal::print::{print, say};
use crate::export::rigged::{Wanted as Limits, rigged};
use crate::model::{Limits as Influences, MAX_INFLUENCES, Model};
use crate::output::{self, Inputs, Output};
use crate::skinning::reweight::{Chosen, Copied, Done, Weights};

use recipe::Group;

/// One edit, and what came of it.
struct Made {
    /// The edit as on the command line.
    edit: String,
    /// The number of vertices that it was for.
    chosen: usize,
    done: Done,
    more: More,
}

/// Facts that some edits have besides.
enum More {
    None,
    Copied(Copied),
    Mended(Mended),
}

/// Everything that is printed.
struct Job<'a> {
    given: String,
    out: String,
    made: Vec<Made>,
    weights: WeightDifference,
    sides: Sides<'a>,
    found: Found,
}

/// Edits the weights, writes the model, reads it back, and prints the changes.
pub fn run(args: &WeightsArgs, mut inputs: Inputs) -> Result<(), Failure> {
    let given = open::shown(&args.model);
    let kind = Kind::of(&args.output, "'sinew weights'")?;
    let groups = recipe::groups(args, &mut inputs)?;
    let mut original = open::model(&args.model, &args.load, &mut inputs)?;
    open::check_kept(&original, &args.model)?;
    if kind == Kind::Glb {
        begin_at_zero(&mut original);
    }
    let donors = donors(&groups, args, &mut inputs)?;
    let inputs = inputs.close();
    let out = inputs.output(&args.output)?;
    let [json, recipe] = [&args.json, &args.write_recipe]
        .map(|path| path.as_ref().map(|path| inputs.output(path)).transpose());
    let (json, recipe) = (json?, recipe?);
    are_apart(&out, [json.as_ref(), recipe.as_ref()])?;
    let fault = |cause: String| Failure::Input { file: given.clone(), cause };

    let mut weights = Weights::new(&original);
    if weights.parts.is_empty() {
        return Err(fault("no joints move its vertices, so there are no weights to edit".to_owned()));
    }
    let made = edit(&original, &mut weights, &groups, &donors).map_err(fault)?;
    let edited = weights.model();
    let limits = Limits { influences: Influences { most: MAX_INFLUENCES, least: 0.0 }, max_joints: None };
    let rigged = rigged(&edited, &limits).map_err(|error| fault(error.to_string()))?;
    let file = kind.file(&rigged.model, &out, args.mode).map_err(fault)?;
    file.write(&out, &inputs)?;
    for loss in &file.losses {
        say(&format!("warning: {}: {} cannot hold {loss}", out.path().display(), kind.format()));
    }
    if let (Some(place), Some(path)) = (&recipe, &args.write_recipe) {
        let written = output::write(place, |stream| recipe::write(&groups, path, stream));
        written.map_err(|cause| Failure::output(place.path(), cause))?;
    }
    let File { read, landings, .. } = file;
    let mode = args.mode.of(&original);
    for model in [&original, &read] {
        needs::prepare(model, [mode], &inputs);
    }
    let pairing = rigged.pairing(&edited, &landings);
    let sides = Sides { mode, original: &original, read: &read, pairing };
    let found = sides.measure();
    let weights = compare(&original, &read);
    let job = Job { given, out: args.output.display().to_string(), made, weights, sides, found };
    if let Some(place) = &json {
        let written = output::write(place, |stream| print::json(&job, stream));
        written.map_err(|cause| Failure::output(place.path(), cause))?;
    }
    match args.json.as_deref() == Some("-".as_ref()) {
        true => Ok(()),
        false => print(|stream| print::tables(&job, stream)),
    }
}

/// Checks that the outputs are different files.
fn are_apart(out: &Output, others: [Option<&Output>; 2]) -> Result<(), Failure> {
    let mut paths: Vec<&Path> = vec![out.path()];
    for other in others.into_iter().flatten() {
        paths.iter().try_for_each(|path| output::are_apart(path, other.path()))?;
        paths.push(other.path());
    }
    Ok(())
}

/// Reads the models that give their weights, in the order of the edits.
fn donors(groups: &[Group], args: &WeightsArgs, inputs: &mut Inputs) -> Result<Vec<Model>, Failure> {
    let mut donors = Vec::new();
    for step in groups.iter().flat_map(|group| &group.steps) {
        if let Step::Copy(model) = step {
            let read = open::model(model, &args.load, inputs)?;
            open::check_kept(&read, model)?;
            donors.push(read);
        }
    }
    Ok(donors)
}

/// Performs the edits.
fn edit(
    original: &Model,
    weights: &mut Weights,
    groups: &[Group],
    donors: &[Model],
) -> Result<Vec<Made>, String> {
    let mut donors = donors.iter();
    let mut made = Vec::new();
    for group in groups {
        weights.lock(&group.lock).map_err(|error| error.to_string())?;
        for step in &group.steps {
            // An edit may change what a condition holds for.
            let chosen = weights.choose(&group.conditions).map_err(|error| error.to_string())?;
            if chosen.count() == 0 {
                let conditions: Vec<String> = group.conditions.iter().map(ToString::to_string).collect();
                return Err(format!("no vertex is chosen by --where {}", conditions.join(" --where ")));
            }
            made.push(perform(original, weights, step, &chosen, &mut donors)?);
        }
    }
    Ok(made)
}

fn perform<'a>(
    original: &Model,
    weights: &mut Weights,
    step: &Step,
    chosen: &Chosen,
    donors: &mut impl Iterator<Item = &'a Model>,
) -> Result<Made, String> {
    let (edit, done, more) = match step {
        Step::Edit(edit) => {
            let done = weights.apply(edit, chosen).map_err(|error| error.to_string())?;
            (format!("--{} {edit}", edit.kind()), done, More::None)
        }
        Step::Copy(model) => {
            let copied = donors.next().map(|donor| weights.copy(donor, chosen)).unwrap_or_default();
            (format!("--copy {}", open::shown(model)), copied.done, More::Copied(copied))
        }
        Step::Fix => {
            let mended = mend(original, weights, chosen);
            ("--fix".to_owned(), mended.done, More::Mended(mended))
        }
    };
    Ok(Made { edit, chosen: chosen.count(), done, more })
}
