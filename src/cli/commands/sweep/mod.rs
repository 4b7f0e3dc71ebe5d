//! `sinew sweep`: turns one joint step by step, and draws and measures each mode's result.

mod sheet;
mod table;

use crate::writing::write_json_pretty;
use std::sync::Arc;

use crate::analysis::body::joints_called;
use crate::analysis::measure::joint_name;
use crate::analysis::sweep::{Sweep, sentence, sweep};
use crate::analysis::turns::{Axis, turned, used_most};
use crate::model::Model;
use crate::output::Inputs;
use crate::skinning::SkinningMode;
use crate::skinning::distinct::{Distinct, scales};
use crate::skinning::pose::Shares;
use serde::Serialize;

use crate::cli::args::{AxisChoice, SweepArgs};
use crate::cli::subject::modes::modes;
use crate::cli::subject::needs;
use crate::cli::subject::open;
use crate::cli::terminal::failure::Failure;
use crate::cli::terminal::print::{print, say};
use crate::cli::terminal::progress::bar;

#[derive(Serialize)]
struct Document<'a> {
    model: &'a str,
    axis_by: AxisBy,
    sentence: Option<&'a str>,
    equal_to_dqs: Vec<&'static str>,
    #[serde(flatten)]
    sweep: &'a Sweep,
}

/// Why the joint is turned about its axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum AxisBy {
    /// The flag sets it.
    Flag,
    /// Clips use it most.
    Clips,
    /// No clip turns the joint.
    Default,
}

/// Joint, axis, range and modes of a sweep.
struct Plan {
    node: usize,
    axis: Axis,
    axis_by: AxisBy,
    range: [f64; 2],
    measured: Distinct,
}

/// Measures, prints, and draws the contact sheet.
pub fn run(args: &SweepArgs, mut inputs: Inputs) -> Result<(), Failure> {
    let given = open::shown(&args.model);
    let open::Read { model, digests, files: _ } =
        open::model_and_digests(&args.model, &args.load, &mut inputs)?;
    open::check_kept(&model, &args.model)?;
    let fault = |cause: String| Failure::Input { file: given.clone(), cause };
    let nodes = joints_called(&model, &args.joint).map_err(|error| fault(format!("--joint: {error}")))?;
    let node = nodes.first().copied().unwrap_or_default();
    note_choice(&args.joint, &model, &nodes);
    if model.rig.copy_number(node).is_some() {
        return Err(fault(format!("--joint: '{}' is a copy, which cannot be turned alone", args.joint)));
    }
    let inputs = inputs.close();
    let sheet = args.output.as_ref().map(|out| inputs.output(out)).transpose()?;
    let plan = plan(args, &model, node);
    let modes = &plan.measured.modes;
    needs::prepare(&model, modes.iter().copied().chain([args.against().mode()]), &inputs);
    let bar = bar(args.steps.into(), "angles");
    let angles = angles(plan.range, args.steps);
    let found = sweep(&model, (node, plan.axis), &angles, modes, args.against(), || bar.inc(1))
        .map_err(|error| fault(error.to_string()))?;
    bar.finish_and_clear();
    // Rigid skinning is what the others are meant to mend.
    let is_told = |mode: &SkinningMode| !args.modes.is_empty() || *mode != SkinningMode::Rigid;
    let told: Vec<SkinningMode> = modes.iter().copied().filter(is_told).collect();
    let sentence = sentence(&found, &told);
    let told = sentence.as_deref();
    print(|out| match (args.json, args.csv) {
        (true, _) => {
            let (axis_by, equal_to_dqs) = (plan.axis_by, plan.measured.left_out());
            let document = Document { model: &given, axis_by, sentence: told, equal_to_dqs, sweep: &found };
            write_json_pretty(out, &document)
        }
        (false, true) => table::csv(&found, out),
        (false, false) => {
            table::table(&given, (&found, plan.axis_by.in_words()), out)?;
            plan.measured.sentence().map_or(Ok(()), |sentence| writeln!(out, "\n{sentence}"))?;
            told.map_or(Ok(()), |sentence| writeln!(out, "\n{sentence}"))
        }
    })?;
    match &sheet {
        Some(out) => sheet::draw(args, Arc::new(model), &plan, (&found, told), &digests, out),
        None => Ok(()),
    }
}

impl AxisBy {
    const fn in_words(self) -> &'static str {
        match self {
            Self::Flag => "",
            Self::Clips => ", which the clips use most",
            Self::Default => ", since no clip turns it",
        }
    }
}

/// Prints the turned joint if a word matches several.
fn note_choice(asked: &str, model: &Model, nodes: &[usize]) {
    let names: Vec<String> = nodes.iter().map(|node| joint_name(model, *node)).collect();
    if let [first, .., last] = names.as_slice() {
        say(&format!("note: --joint '{asked}' is {first} to {last}; {first} is turned"));
    }
}

/// Returns the settings of the flags. Clips decide those that the flags leave open.
fn plan(args: &SweepArgs, model: &Model, node: usize) -> Plan {
    let used = match args.axis {
        AxisChoice::Auto => used_most(model, node),
        AxisChoice::Of(_) => None,
    };
    let (axis, axis_by) = match (args.axis, used) {
        (AxisChoice::Of(axis), _) => (axis, AxisBy::Flag),
        (AxisChoice::Auto, Some(used)) => (used.axis, AxisBy::Clips),
        (AxisChoice::Auto, None) => (Axis::X, AxisBy::Default),
    };
    let to = if used.is_some_and(|used| used.is_backward) { -180.0 } else { 180.0 };
    let range = args.range.unwrap_or([0.0, to]);
    let poses = || angles(range, args.steps).into_iter().map(|degrees| turned(model, node, axis, degrees));
    let measured = modes(&args.modes, &Shares::default(), || scales(model, poses()));
    Plan { node, axis, axis_by, range, measured }
}

/// The angles, evenly spaced. Zero has no sign.
fn angles([from, to]: [f64; 2], steps: u32) -> Vec<f64> {
    let last = f64::from(steps.saturating_sub(1).max(1));
    (0..steps).map(|step| from + (to - from) * f64::from(step) / last + 0.0).collect()
}
