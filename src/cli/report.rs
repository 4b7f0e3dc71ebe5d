//! `sinew report`: writes pages on how the modes deform models.

mod cases;
mod folder;
mod merge;
mod pictures;

use std::ffi::OsStr;
use std::sync::Arc;

use crate::analysis::report::{Report, collect};
use crate::check::Case;
use crate::output::{self, Closed, Inputs};
use crate::render::Renderer;
use crate::skinning::SkinningMode;

use super::args::ReportArgs;
use super::check::Check;
use super::failure::Failure;
use super::print::say;
use super::progress::bar;
use super::waiting::Waiting;
use super::{centers, open, vulkan};
use folder::Folder;

/// Reports on every model; if one cannot be measured, the others still are.
pub fn run(args: &ReportArgs, mut inputs: Inputs) -> Result<(), Failure> {
    if !args.merge.is_empty() {
        return merge::run(&args.output, &args.merge, inputs);
    }
    let is_own = |model: &&OsStr| args.shard.is_none_or(|shard| shard.has(&model.to_string_lossy()));
    let models: Vec<&OsStr> = args.models.iter().map(AsRef::as_ref).filter(is_own).collect();
    for model in &models {
        open::note(model, &args.load, &mut inputs)?;
    }
    let inputs = inputs.close();
    let check = Check::new(&args.check, &cases::kinds(), None, &inputs)?;
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
        let (report, authored) =
            made.inspect_err(|failure| cases.push(cases::unread(model, &failure.to_string())))?;
        cases.extend(cases::of(&report, authored));
        return Ok(());
    }
    let (mut reports, mut failures) = (Vec::new(), Vec::new());
    for model in models {
        let name = folder::name(&model.to_string_lossy());
        let made = folder
            .inside(&name)
            .and_then(|inside| one(args, model, &inside, renderer.as_deref_mut(), inputs));
        match made {
            Ok((report, authored)) => {
                cases.extend(cases::of(&report, authored));
                reports.push((name, report));
            }
            Err(failure) => {
                say(&format!("warning: {failure}"));
                cases.push(cases::unread(model, &failure.to_string()));
                failures.push(failure);
            }
        }
    }
    folder.write_site(&reports, inputs)?;
    let more = failures.len().saturating_sub(1);
    match failures.into_iter().next() {
        None => Ok(()),
        Some(failure) if more > 0 => Err(failure.with_more(more)),
        Some(failure) => Err(failure),
    }
}

/// Reports on one model, and says in which mode its author meant it.
fn one(
    args: &ReportArgs,
    given: &OsStr,
    folder: &Folder,
    renderer: Option<&mut Renderer>,
    inputs: &Closed,
) -> Result<(Report, SkinningMode), Failure> {
    let shown = open::shown(given);
    let open::Read { model, digests, files: _ } =
        open::model_and_digests(given, &args.load, &mut inputs.again())?;
    open::check_kept(&model, given)?;
    let model = Arc::new(model);
    let fault = |cause: String| Failure::Input { file: shown.clone(), cause };
    if model.instances.is_empty() {
        return Err(fault("it draws nothing, so there is nothing to report".to_owned()));
    }
    centers::prepare(&model, SkinningMode::ALL, inputs);
    // The first frame takes long: it compiles, and finds what the others share.
    let mut waiting = Some(Waiting::begin(&format!("measuring {shown}")));
    let bar = bar(0, "frames");
    let mut progress = |done: u64, of: u64| {
        drop(waiting.take());
        bar.set_length(of);
        bar.set_position(done);
    };
    let mut report = collect(&model, &shown, &mut progress).map_err(|error| fault(error.to_string()))?;
    bar.finish_and_clear();
    drop(waiting.take());
    let _waiting = Waiting::begin(&format!("drawing the pages of {shown}"));
    let written = || {
        pictures::add(&mut report, &model, &digests, &args.load, folder, renderer, inputs)
            .map_err(|failure| failure.about(&shown))?;
        folder.write_report(&report, inputs)
    };
    output::together(written, Failure::output)?;
    Ok((report, SkinningMode::authored(&model).unwrap_or_default()))
}
