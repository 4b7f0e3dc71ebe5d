//! `sinew report`: writes pages on how the modes deform models.

mod cases;
mod folder;
mod merge;
pub mod pictures;
mod resume;

use std::ffi::OsStr;
use std::sync::Arc;

use crate::analysis::report::{Plan, Report, collect, view};
use crate::check::{Case, Severity};
use crate::model::Model;
use crate::output::{self, Closed, Inputs};
use crate::render::Renderer;
use crate::skinning::SkinningMode;
use crate::skinning::distinct::Distinct;
use crate::skinning::pose::Shares;

use crate::cli::args::{CheckArgs, PlanArgs, ReportArgs};
use crate::cli::machine::vulkan;
use crate::cli::subject::modes::{clips, modes};
use crate::cli::subject::needs;
use crate::cli::subject::open;
use crate::cli::terminal::check::Check;
use crate::cli::terminal::failure::Failure;
use crate::cli::terminal::print::{print, say};
use crate::cli::terminal::progress::bar;
use crate::cli::terminal::waiting::Waiting;
use folder::Folder;

/// Reports on every model; if one cannot be measured, the others still are.
pub fn run(args: &ReportArgs, mut inputs: Inputs) -> Result<(), Failure> {
    if !args.merge.is_empty() {
        return merge::run(&args.output, &args.merge, inputs);
    }
    let is_own = |model: &&OsStr| args.shard.is_none_or(|shard| shard.has(&model.to_string_lossy()));
    let models: Vec<&OsStr> = args.models.iter().map(AsRef::as_ref).filter(is_own).collect();
    // Other shards read the others.
    for model in &args.models {
        open::note(model, &args.load, &mut inputs)?;
    }
    let inputs = inputs.close();
    let always = args.load.strict.then_some(Severity::Warning);
    let args_of_check = CheckArgs { fail_on: cases::present(&args.check.fail_on), ..args.check.clone() };
    let check = Check::new(&args_of_check, &cases::kinds(), always, &inputs)?;
    check.keep_out(&args.output)?;
    let folder = Folder::open(&args.output)?;
    let mut cases = Vec::new();
    let done = match args.no_pictures {
        true => all(args, &models, &folder, None, &inputs, &mut cases),
        false => vulkan::with_renderer(&args.vulkan, |renderer| {
            all(args, &models, &folder, Some(renderer), &inputs, &mut cases)
        }),
    };
    check.write("report", &cases)?;
    done?;
    check.judge(&args.output.display().to_string(), &cases)
}

fn all(
    args: &ReportArgs,
    models: &[&OsStr],
    folder: &Folder,
    mut renderer: Option<&mut Renderer>,
    inputs: &Closed,
    cases: &mut Vec<Case>,
) -> Result<(), Failure> {
    // A share is always a site, however few models it has, so that all shares look alike.
    if let ([model], None) = (args.models.as_slice(), args.shard) {
        let made = one(args, model, folder, renderer, inputs);
        let Made { report, authored, .. } =
            made.inspect_err(|failure| cases.push(cases::unread(model, &failure.to_string())))?;
        cases.extend(cases::of(&report, authored));
        return print(|out| writeln!(out, "{}", cases::summary(&report)));
    }
    let (mut reports, mut failures) = (Vec::new(), Vec::new());
    for (number, model) in models.iter().enumerate() {
        let name = folder::name(&model.to_string_lossy());
        let made = folder
            .inside(&name)
            .and_then(|inside| one(args, model, &inside, renderer.as_deref_mut(), inputs));
        match made {
            Ok(Made { report, authored, is_new }) => {
                cases.extend(cases::of(&report, authored));
                print(|out| writeln!(out, "{}", cases::summary(&report)))?;
                if !is_new {
                    say(&format!("note: {}: its report is up to date", report.model));
                }
                reports.push((name, report));
                // The index says how far the run has come, in case it is stopped.
                let left = models.len() - number - 1;
                if is_new && left > 0 {
                    folder.write_site(&reports, left, inputs)?;
                }
            }
            Err(failure) => {
                say(&format!("warning: {failure}"));
                cases.push(cases::unread(model, &failure.to_string()));
                failures.push(failure);
            }
        }
    }
    folder.write_site(&reports, 0, inputs)?;
    let more = failures.len().saturating_sub(1);
    match failures.into_iter().next() {
        None => Ok(()),
        Some(failure) if more > 0 => Err(failure.with_more(more)),
        Some(failure) => Err(failure),
    }
}

/// A report on a model.
struct Made {
    report: Report,
    /// The mode that the model's author chose.
    authored: SkinningMode,
    /// True if this run has measured it, false if an earlier run has.
    is_new: bool,
}

/// Reports on one model, unless an earlier run has done it.
fn one(
    args: &ReportArgs,
    given: &OsStr,
    folder: &Folder,
    renderer: Option<&mut Renderer>,
    inputs: &Closed,
) -> Result<Made, Failure> {
    let shown = open::shown(given);
    let open::Read { model, digests, files: _ } =
        open::model_and_digests(given, &args.load, &mut inputs.again())?;
    open::check_kept(&model, given)?;
    let model = Arc::new(model);
    let shares = Shares::of_model(&model);
    let own = SkinningMode::authored(&model).unwrap_or_default();
    let authored = measured_as(own, &args.plan.modes, &shares);
    let made_from = resume::made_from(args, &digests, renderer.as_deref());
    if let Some(report) = resume::finished(folder, &shown, &made_from) {
        return Ok(Made { report, authored, is_new: false });
    }
    let mut report = measure(&args.plan, &model, &shown, inputs)?;
    report.made_from = made_from;
    let _waiting = Waiting::begin(&format!("drawing the pages of {shown}"));
    let written = || {
        report.view = Some(folder.write_view(&view(&report, &model, Vec::new()).script(), inputs)?);
        let mut keep = |file: &str, bytes: Vec<u8>| folder.write(file, inputs, |out| out.write_all(&bytes));
        pictures::add(&mut report, &model, (&digests, &args.load), renderer, &mut keep)
            .map_err(|failure| failure.about(&shown))?;
        folder.write_report(&report, inputs)
    };
    output::together(written, Failure::output)?;
    Ok(Made { report, authored, is_new: true })
}

/// Measures a model as the flags say.
pub fn measure(args: &PlanArgs, model: &Model, shown: &str, inputs: &Closed) -> Result<Report, Failure> {
    let fault = |cause: String| Failure::Input { file: shown.to_owned(), cause };
    if model.instances.is_empty() {
        return Err(fault("it draws nothing, so there is nothing to report".to_owned()));
    }
    let clips = clips(&args.clips, model).map_err(|cause| fault(format!("--clips: {cause}")))?;
    let frames = args.frames.unwrap_or_default();
    let plan = match args.modes.as_slice() {
        [] => Plan::of(model, clips, frames),
        asked => {
            let Distinct { modes, equal_to_dqs } = modes(asked, &Shares::of_model(model), || false);
            Plan { modes, equal_to_dqs, clips, frames }
        }
    };
    needs::prepare(model, plan.modes.iter().copied(), inputs);
    // The first frame takes long: it compiles, and finds what the others share.
    let mut waiting = Some(Waiting::begin(&format!("measuring {shown}")));
    let bar = bar(0, "frames");
    let mut progress = |done: u64, of: u64| {
        drop(waiting.take());
        bar.set_length(of);
        bar.set_position(done);
    };
    let report = collect(model, shown, &plan, &mut progress).map_err(|error| fault(error.to_string()))?;
    bar.finish_and_clear();
    Ok(report)
}

/// The mode that stands for another in a report. Without painted shares, *blend* is left out and equals *dqs*.
fn measured_as(mode: SkinningMode, asked: &[SkinningMode], shares: &Shares) -> SkinningMode {
    let is_own = asked.contains(&mode) || mode != SkinningMode::Blended || !shares.is_one();
    if is_own { mode } else { SkinningMode::DualQuat }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blend_without_painted_shares_is_measured_as_dqs() {
        let plain = Shares::default();
        assert_eq!(measured_as(SkinningMode::Blended, &[], &plain), SkinningMode::DualQuat);
        assert_eq!(
            measured_as(SkinningMode::Blended, &[SkinningMode::Blended], &plain),
            SkinningMode::Blended
        );
        assert_eq!(measured_as(SkinningMode::Linear, &[SkinningMode::Rigid], &plain), SkinningMode::Linear);
    }
}
