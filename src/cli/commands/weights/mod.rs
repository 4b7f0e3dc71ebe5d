//! `sinew weights`: edits weights by hand, writes the model, and measures what each edit changed.

mod print;
pub mod recipe;

use std::collections::BTreeMap;
use std::ffi::OsString;

use crate::analysis::weights::{Mended, WeightDifference, compare, mend};
use crate::cli::args::{Step, WeightsArgs};
use crate::cli::commands::rigged::begin_at_zero;
use crate::cli::commands::rigged::file::{File, Kind, are_apart};
use crate::cli::commands::rigged::measure::{Found, Sides};
use crate::cli::subject::{needs, open};
use crate::cli::terminal::failure::Failure;
use crate::cli::terminal::print::print;
use crate::export::rigged::{Wanted, rigged};
use crate::model::Model;
use crate::model::gltf::StoredWeights;
use crate::output::{self, Inputs};
use crate::skinning::reweight::{Chosen, Copied, Done, EditError, Weights};

use recipe::Group;

/// Models by the names that edits give them.
type Donors = BTreeMap<OsString, Model>;

/// One edit, and what came of it.
struct Made {
    /// The edit as on the command line.
    edit: String,
    /// The number of vertices that it was for.
    chosen: usize,
    done: Done,
    /// The reason for which it changed nothing.
    idle: Option<String>,
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
    let (mut original, stored) = open::model_and_weights(&args.model, &args.load, &mut inputs)?;
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
    are_apart(&[Some(&out), json.as_ref(), recipe.as_ref()])?;
    let fault = |cause: String| Failure::Input { file: given.clone(), cause };

    let mut weights = Weights::new(&original);
    if weights.parts.is_empty() {
        return Err(fault("no joints move its vertices, so there are no weights to edit".to_owned()));
    }
    let made =
        edit(&mut weights, &groups, &donors).map_err(|(place, cause)| match (place, &args.recipe) {
            (Some(place), Some(recipe)) => {
                Failure::Input { file: recipe.display().to_string(), cause: format!("{place}: {cause}") }
            }
            _ => fault(cause),
        })?;
    let edited = weights.model();
    let mut rigged = rigged(&edited, &Wanted::ANYTHING).map_err(|error| fault(error.to_string()))?;
    let is_locked = |mesh, primitive, joint| weights.locks(mesh, primitive, joint);
    keep_stored(&mut rigged.model, &original, &stored, &is_locked);
    let file = kind.file(&rigged.model, &out, args.mode).map_err(fault)?;
    file.write(&out, &inputs)?;
    if let (Some(place), Some(path)) = (&recipe, &args.write_recipe) {
        let written = output::write(place, |stream| {
            recipe::write(&groups, |condition| condition.lasting(&original), path, stream)
        });
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

/// Gives weights that nothing changed the bits that they have in the original file. `is_locked` tells whether a joint of a mesh and
/// its primitive is locked.
pub fn keep_stored(
    model: &mut Model,
    original: &Model,
    stored: &StoredWeights,
    is_locked: &dyn Fn(usize, usize, i32) -> bool,
) {
    for (number, (made, old)) in model.meshes.iter_mut().zip(&original.meshes).enumerate() {
        for (primitive, (made, old)) in made.primitives.iter_mut().zip(&old.primitives).enumerate() {
            if let (Some(influences), Some(loaded), Some(stored)) =
                (&mut made.influences, &old.influences, stored.of(number, old.file_index))
            {
                influences.keep_stored(loaded, stored, &|joint| is_locked(number, primitive, joint));
            }
        }
    }
}

/// Reads the models that give their weights, each once.
fn donors(groups: &[Group], args: &WeightsArgs, inputs: &mut Inputs) -> Result<Donors, Failure> {
    let mut donors = Donors::new();
    for step in groups.iter().flat_map(|group| &group.steps) {
        if let Step::Copy(model) = step
            && !donors.contains_key(model)
        {
            let read = open::model(model, &args.load, inputs)?;
            open::check_kept(&read, model)?;
            donors.insert(model.clone(), read);
        }
    }
    Ok(donors)
}

/// Performs the edits. An error names its place in the recipe.
fn edit(
    weights: &mut Weights,
    groups: &[Group],
    donors: &Donors,
) -> Result<Vec<Made>, (Option<String>, String)> {
    let mut made = Vec::new();
    for group in groups {
        let fault = |what: String| move |error: EditError| (group.place(&what), error.to_string());
        weights.lock(&group.lock).map_err(fault("lock".to_owned()))?;
        // Those that are chosen before the first edit stay so, whatever becomes of their weights.
        let of_group = weights.choose(&group.conditions).map_err(fault("where".to_owned()))?;
        if of_group.count() == 0 {
            let conditions: Vec<String> = group.conditions.iter().map(ToString::to_string).collect();
            let cause = format!("no vertex is chosen by --where {}", conditions.join(" --where "));
            return Err((group.place("where"), cause));
        }
        for (number, step) in group.steps.iter().enumerate() {
            let fault = || fault(format!("edits[{number}]"));
            let chosen = match step {
                Step::Edit(edit) if group.conditions.is_empty() => {
                    weights.choose_for(edit).map_err(fault())?
                }
                _ => of_group.clone(),
            };
            made.push(perform(weights, step, &chosen, donors).map_err(fault())?);
        }
    }
    // The written file is to keep the bits of any of them.
    let locked: Vec<String> = groups.iter().flat_map(|group| group.lock.iter().cloned()).collect();
    weights.lock(&locked).map_err(|error| (None, error.to_string()))?;
    Ok(made)
}

fn perform(weights: &mut Weights, step: &Step, chosen: &Chosen, donors: &Donors) -> Result<Made, EditError> {
    let mut idle = None;
    let (edit, done, more) = match step {
        Step::Edit(edit) => {
            let done = weights.apply(edit, chosen)?;
            idle = weights.why_idle(edit, chosen, &done);
            (format!("--{} {edit}", edit.kind()), done, More::None)
        }
        Step::Copy(model) => {
            let copied = donors.get(model).map(|donor| weights.copy(donor, chosen)).unwrap_or_default();
            let is_same = copied.done == Done::default() && copied.unmatched < chosen.count();
            idle = is_same.then(|| "the weights are the same there".to_owned());
            (format!("--copy {}", open::shown(model)), copied.done, More::Copied(copied))
        }
        Step::Fix => {
            let mended = mend(weights, chosen);
            ("--fix".to_owned(), mended.done, More::Mended(mended))
        }
    };
    Ok(Made { edit, chosen: chosen.count(), done, idle, more })
}
