//! `sinew fit`: adds joints so that linear blending follows another deformation, writes the model, and measures the distances.

mod drivers;
mod measure;
mod picture;
mod print;
mod subject;

use std::sync::Arc;

use crate::export::rigged::{Wanted as Limits, rigged};
use crate::fit::{Driver, Fitted, Goal, MAX_HELPERS, Target, Wanted, drive, fit_model};
use crate::model::Model;
use crate::output::{self, Inputs};
use crate::pairing::Pairing;
use crate::skinning::{Drawn, SkinningMode, diagonal};

use crate::cli::args::{AskedMode, FitArgs};
use crate::cli::commands::rigged::file;
use crate::cli::subject::open;
use crate::cli::terminal::failure::Failure;
use crate::cli::terminal::print::{print, say};
use crate::cli::terminal::progress::bar;
use measure::{Row, measure};
use subject::Subject;

/// The number of joints to add without a flag.
const HELPERS: usize = 8;

/// Adds joints, writes the model, reads it back, and prints the distances.
pub fn run(args: &FitArgs, mut inputs: Inputs) -> Result<(), Failure> {
    let given = open::shown(&args.model);
    let kind = file::Kind::of(&args.output, "'sinew fit'")?;
    let subject = Subject::open(args, &mut inputs)?;
    let inputs = inputs.close();
    let out = inputs.output(&args.output)?;
    let [json, driven, picture] = [&args.json, &args.driven, &args.screenshot]
        .map(|path| path.as_ref().map(|path| inputs.output(path)).transpose());
    let (json, driven, picture) = (json?, driven?, picture?);
    file::are_apart(&[Some(&out), json.as_ref(), driven.as_ref(), picture.as_ref()])?;
    let fault = |cause: String| Failure::Input { file: given.clone(), cause };
    let target = subject.target(&inputs);
    let model = &subject.model;
    let diagonal_m = diagonal(model, &Drawn::new(model));
    let wanted = Wanted {
        target,
        goal: goal(args, diagonal_m),
        max_influences: usize::from(args.max_influences),
        clips: subject.clips.clone(),
        rate: subject.rate,
        is_whole: args.joints.is_some(),
    };
    let fitted = fitted(model, &wanted).map_err(fault)?;
    let made = subject.written(&fitted.model);
    let rigged = rigged(&made, &Limits::ANYTHING).map_err(|error| fault(error.to_string()))?;
    // Whatever it follows, the file is made for linear blending.
    let linear = AskedMode::Mode(SkinningMode::Linear);
    let file = kind.file(&rigged.model, &out, linear).map_err(fault)?;
    file.write(&out, &inputs)?;
    let file::File { read, landings, .. } = file;
    let job = Job {
        given,
        out: args.output.display().to_string(),
        subject: model,
        target,
        clips: made.clips.len(),
        beside: &subject.beside,
        rate: subject.rate,
        diagonal_m,
        pairing: rigged.pairing(&made, &landings),
        read: Arc::new(read),
        driven: driven.is_some().then(|| drive(&fitted, &subject.clips)),
        fitted: &fitted,
    };
    if let (Some(place), Some((drivers, _))) = (&driven, &job.driven) {
        let written = output::write(place, |stream| drivers::json(&job.fitted.model, drivers, stream));
        written.map_err(|cause| Failure::output(place.path(), cause))?;
    }
    let rows = measure(&job);
    if let Some(place) = &json {
        let written = output::write(place, |stream| print::json(&job, &rows, stream));
        written.map_err(|cause| Failure::output(place.path(), cause))?;
    }
    if args.json.as_deref() != Some("-".as_ref()) {
        print(|stream| print::table(&job, &rows, stream))?;
    }
    note(args, &job, wanted.goal, &rows);
    match picture {
        Some(picture) => picture::draw(args, &job, &rows, picture.path(), inputs),
        None => Ok(()),
    }
}

fn goal(args: &FitArgs, diagonal_m: f64) -> Goal {
    match (args.within, args.joints) {
        (Some(limit), _) => Goal::Within(limit.metres(diagonal_m)),
        // The root is one of them.
        (None, Some(joints)) => Goal::Helpers(usize::from(joints) - 1),
        (None, None) => Goal::Helpers(args.helpers.map_or(HELPERS, usize::from)),
    }
}

/// Fits helpers, with a bar.
fn fitted(model: &Model, wanted: &Wanted) -> Result<Fitted, String> {
    let count = match wanted.goal {
        Goal::Helpers(count) => count,
        Goal::Within(_) => MAX_HELPERS,
    };
    let bar = bar(count as u64, "joints");
    let fitted = fit_model(model, wanted, |helpers| {
        bar.set_position(helpers as u64);
        true
    });
    bar.finish_and_clear();
    fitted.map_err(|error| error.to_string())
}

/// Prints where the result is not what was asked.
fn note(args: &FitArgs, job: &Job, goal: Goal, rows: &[Row]) {
    let count = job.fitted.helpers.len();
    match goal {
        Goal::Helpers(asked) if count < asked => {
            let root = usize::from(args.joints.is_some());
            let (count, asked) = (count + root, asked + root);
            let why = "no other place has an error that one more would lower";
            say(&format!("note: {count} of {asked} joints added; {why}"));
        }
        Goal::Within(metres) => {
            let is_far = |row: &Row| row.sides.get(1).is_some_and(|after| after.figures.max_m > metres);
            let (Some(limit), true) = (args.within, rows.iter().any(is_far)) else { return };
            let most = if count == MAX_HELPERS { ", the most" } else { "" };
            let what = job.what();
            say(&format!("note: some frames are further than {limit} from {what} with {count} joints{most}"));
        }
        Goal::Helpers(_) => {}
    }
}

/// A model, and the one with more joints.
struct Job<'a> {
    given: String,
    out: String,
    /// The original, and perhaps clips that are not written.
    subject: &'a Model,
    target: Target<'a>,
    /// The number of clips that are written.
    clips: usize,
    /// The clips of poses that are not written, and their names.
    beside: &'a [(usize, &'static str)],
    rate: f64,
    diagonal_m: f64,
    /// The file, read back.
    read: Arc<Model>,
    pairing: Pairing,
    fitted: &'a Fitted,
    /// Tables for the helpers, and the model that moves by them.
    driven: Option<(Vec<Driver>, Model)>,
}

impl Job<'_> {
    /// The name of the mode that linear blending follows.
    fn mode(&self) -> Option<&'static str> {
        match self.target {
            Target::Mode(mode) => Some(mode.name()),
            Target::Frames(_) => None,
        }
    }

    /// The deformation that linear blending follows, in words.
    fn what(&self) -> &'static str {
        self.mode().unwrap_or("the frames")
    }
}
