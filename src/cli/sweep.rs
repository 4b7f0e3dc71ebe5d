//! `sinew sweep`: turns one joint step by step, and shows and measures what each mode makes of it.

mod sheet;
mod table;
mod viewpoint;

use crate::writing::Json;
use std::sync::Arc;

use crate::analysis::sweep::{Sweep, sweep};
use crate::output::Inputs;
use crate::skinning::pose::{Names, Shares};
use serde::Serialize;

use super::args::SweepArgs;
use super::failure::Failure;
use super::modes::modes;
use super::print::print;
use super::progress::bar;
use super::{centers, open};

#[derive(Serialize)]
struct Document<'a> {
    model: &'a str,
    #[serde(flatten)]
    sweep: &'a Sweep,
}

/// Measures, prints, and draws the contact sheet.
pub fn run(args: &SweepArgs, mut inputs: Inputs) -> Result<(), Failure> {
    let given = open::shown(&args.model);
    let open::Read { model, digests, files: _ } =
        open::model_and_digests(&args.model, &args.load, &mut inputs)?;
    open::check_kept(&model, &args.model)?;
    let fault = |cause: String| Failure::Input { file: given.clone(), cause };
    let node = Names::new(&model).node(&args.joint).map_err(|error| fault(format!("--joint: {error}")))?;
    if model.rig.copy_number(node).is_some() {
        return Err(fault(format!("--joint: '{}' is a copy, which has no rotation of its own", args.joint)));
    }
    let sheet = args.output.as_ref().map(|out| inputs.output(out)).transpose()?;
    let modes = modes(&args.modes, &Shares::default());
    centers::prepare(&model, modes.iter().copied(), &inputs);
    let bar = bar(args.steps.into(), "angles");
    let found = sweep(&model, (node, args.axis), &angles(args), &modes, args.against, || bar.inc(1))
        .map_err(|error| fault(error.to_string()))?;
    bar.finish_and_clear();
    print(|out| match (args.json, args.csv) {
        (true, _) => {
            serde_json::to_writer_pretty(Json(out), &Document { model: &given, sweep: &found })?;
            writeln!(out)
        }
        (false, true) => table::csv(&found, out),
        (false, false) => table::table(&given, &found, out),
    })?;
    match &sheet {
        Some(out) => sheet::draw(args, Arc::new(model), node, &modes, &found, &digests, out),
        None => Ok(()),
    }
}

/// The angles, evenly spaced.
fn angles(args: &SweepArgs) -> Vec<f64> {
    let [from, to] = args.range;
    let last = f64::from(args.steps.saturating_sub(1).max(1));
    (0..args.steps).map(|step| from + (to - from) * f64::from(step) / last).collect()
}
