//! `sinew golden`: draws the cases of a folder and compares them with its goldens.

#![allow(clippy::disallowed_methods, reason = "adds each file that it reads to the inputs")]

mod case;
mod init;
mod print;
mod run;
mod studio;

use std::collections::HashSet;
use std::path::Path;

use crate::analysis::report::Shard;
use crate::check::{self, Severity};
use crate::golden::{
    Case, Drawn, LIST_NAME, List, Orphan, Outcome, Report, ReportError, Tolerances, Update, Verdict, bless,
    find_stand_ins, golden_name, golden_path, judge, orphans,
};
use crate::image::{Image, read_png};
use crate::model::unknown::nearest;
use crate::output::{Folder, Inputs, Role};
use crate::scene::Skinned;

use crate::cli::args::{GoldenArgs, PictureArgs};
use crate::cli::commands::picture;
use crate::cli::machine::vulkan;
use crate::cli::subject::open;
use crate::cli::subject::stdin;
use crate::cli::terminal::check::Check;
use crate::cli::terminal::failure::Failure;
use crate::cli::terminal::print::say;
use case::list_failure;
pub(crate) use case::{keys, picture_args};
use print::{bless_command, path_word};
use run::Run;
use studio::Studio;

/// The maximum number of names that a message lists.
const LISTED: usize = 8;

/// Compares all cases; exit code 6 if any fails.
pub fn run(args: &GoldenArgs, mut inputs: Inputs) -> Result<(), Failure> {
    stdin::close("cases are drawn again and again");
    let folder = args.folder.as_path();
    let new_list = match args.init.is_empty() {
        true => None,
        false => Some(init::text(args, &mut inputs)?),
    };
    let list = match &new_list {
        None => {
            inputs.add(&folder.join(LIST_NAME), Role::GoldenList)?;
            List::read(folder, &keys())
        }
        Some(text) => List::of(folder, text, &keys()),
    };
    let mut list = list.map_err(|error| list_failure(folder, &error))?;
    find_stand_ins(folder, &mut list);
    let pictures: Vec<PictureArgs> =
        list.cases.iter().map(|case| picture_args(folder, case)).collect::<Result<_, _>>()?;
    let update = match args.init.is_empty() {
        true => update(&list, args.update.as_deref())?,
        false => Update::Failing,
    };
    note(folder, &list, &pictures, &mut inputs)?;
    let inputs = inputs.close();
    let kinds: Vec<&str> = Verdict::FAULTS.into_iter().chain([Orphan::KIND]).collect();
    let check = Check::new(&args.check, &kinds, Some(Severity::Error), &inputs)?;
    let goldens = Folder::open(folder).map_err(|error| Failure::output(folder, error))?;
    for case in list.cases.iter().filter(|case| update.may_take(case)) {
        inputs.golden(&goldens, &golden_name(case))?;
    }
    let output = args.output.clone().unwrap_or_else(|| folder.join("failures"));
    check.keep_out(&output)?;
    let is_named = args.output.is_some();
    Report::check(&output, is_named, &list.cases, &inputs)?;
    let mut report = Report::new(&output, is_named, &list.cases);
    if let Some(text) = &new_list {
        init::write(&goldens, text, &inputs)?;
    }
    let orphans: Vec<Orphan> = orphans(folder, &list)
        .into_iter()
        .filter(|orphan| args.shard.is_none_or(|shard| shard.has(&orphan.file)))
        .collect();
    warn_of(&orphans, folder);
    let (list, pictures) = share(list, pictures, args.shard);
    let run = vulkan::with_renderer(&args.vulkan, |renderer| {
        let physical = renderer.device().physical();
        let (device, driver) = (physical.name.clone(), physical.driver.clone());
        let (outcomes, failures) = (Vec::new(), Vec::new());
        let mut run = Run { device, driver, goldens, outcomes, orphans, failures, page: None, inputs };
        let mut studio = Studio::new(renderer, &pictures);
        for (case, picture) in list.cases.iter().zip(&pictures) {
            let outcome = compare(folder, case, picture, &list, &update, &mut studio, &mut run, &mut report)?;
            run.outcomes.push(outcome);
        }
        let device = format!("{} ({})", run.device, run.driver);
        let command = |names: &[&str]| bless_command(folder, names);
        report.finish(&run.inputs, folder, &list, &run.outcomes, &device, &command).map_err(unwritten)?;
        run.page = (!report.is_empty()).then(|| report.page());
        Ok(run)
    })?;
    print::print_run(&run, folder, args.json)?;
    let name = folder.display().to_string();
    let orphans = run.orphans.iter().map(check::Case::from);
    let cases: Vec<check::Case> = run.outcomes.iter().map(check::Case::from).chain(orphans).collect();
    check.write(&name, &cases)?;
    verdict(run, folder)?;
    check.judge(&name, &cases)
}

/// The cases that this run draws.
fn share(mut list: List, pictures: Vec<PictureArgs>, shard: Option<Shard>) -> (List, Vec<PictureArgs>) {
    let Some(shard) = shard else { return (list, pictures) };
    let all = std::mem::take(&mut list.cases).into_iter().zip(pictures);
    let (cases, pictures) = all.filter(|(case, _)| shard.has(&case.name)).unzip();
    list.cases = cases;
    (list, pictures)
}

/// Draws and judges one case, writes its golden on request, and keeps the pictures of a failure.
#[allow(
    clippy::too_many_arguments,
    reason = "all that one step of the run needs, and nothing that lives longer"
)]
fn compare(
    folder: &Path,
    case: &Case,
    picture: &PictureArgs,
    list: &List,
    update: &Update,
    studio: &mut Studio,
    run: &mut Run,
    report: &mut Report,
) -> Result<Outcome, Failure> {
    let driver = format!("{} {}", run.device, run.driver);
    let (limits, part) = Tolerances::choose(&case.tolerances, &list.tolerances, &driver);
    let mut outcome = Outcome {
        name: case.name.clone(),
        verdict: Verdict::Same,
        limits,
        command: String::new(),
        skinned: Skinned::default(),
        blessed: None,
    };
    let path = golden_path(folder, case);
    let golden = read_golden(&path);
    let drawn = match studio.draw(picture, &run.inputs) {
        Ok((drawn, scene)) => {
            outcome.command = format!("{scene} --screenshot {}.png", case.name);
            outcome.skinned = drawn.skinned.clone();
            drawn
        }
        Err(failure) => {
            outcome.verdict = Verdict::NotDrawn(failure.to_string());
            run.failures.push(failure);
            let expected = golden.as_ref().ok().and_then(Option::as_ref);
            report.keep(&run.inputs, &case.name, expected, None, None).map_err(unwritten)?;
            return Ok(outcome);
        }
    };
    let (verdict, difference) = judge(&golden, &drawn, &limits);
    outcome.verdict = verdict;
    if update.wants(case, &outcome.verdict) {
        outcome.blessed = Some(take(run, case, &drawn, &outcome.verdict)?);
        if let Some(part) = part.filter(|_| !limits.is_exact()) {
            say(&format!(
                "warning: {}: written on a driver with its own tolerance ('{part}'); write goldens \
                 where the comparison is exact",
                path_word(&path)
            ));
        }
    }
    if !outcome.is_pass() {
        let expected = golden.as_ref().ok().and_then(Option::as_ref);
        let actual = Some(&drawn.image);
        report.keep(&run.inputs, &case.name, expected, difference.as_ref(), actual).map_err(unwritten)?;
    }
    Ok(outcome)
}

fn take(run: &Run, case: &Case, drawn: &Drawn, verdict: &Verdict) -> Result<String, Failure> {
    let golden = run.inputs.golden(&run.goldens, &golden_name(case))?;
    bless(&golden, drawn, verdict).map_err(|cause| Failure::output(golden.path(), cause))
}

/// Adds every file that the run will read to the inputs, before anything is written.
fn note(folder: &Path, list: &List, pictures: &[PictureArgs], inputs: &mut Inputs) -> Result<(), Failure> {
    let mut models = HashSet::new();
    for (case, picture) in list.cases.iter().zip(pictures) {
        inputs.add(&golden_path(folder, case), Role::Golden)?;
        picture::note(picture, inputs)?;
        let load = &picture.subject.load;
        let way = (load.allow_outside, &load.variant, &load.clip_from, &load.joint_map, load.no_guess);
        for model in [&picture.subject.model].into_iter().chain(&picture.look.other) {
            if models.insert((model, way)) {
                open::note(model, load, inputs)?;
            }
        }
    }
    Ok(())
}

/// The golden, if there is one.
fn read_golden(path: &Path) -> Result<Option<Image>, String> {
    match std::fs::metadata(path) {
        Ok(metadata) if metadata.is_file() => read_png(path).map(Some).map_err(|error| error.to_string()),
        Ok(_) => Err("not a regular file".to_owned()),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error.to_string()),
    }
}

/// The combined request of `--update` and `UPDATE_GOLDEN`.
fn update(list: &List, flag: Option<&[String]>) -> Result<Update, Failure> {
    let variable = std::env::var("UPDATE_GOLDEN").unwrap_or_default();
    let asked: Vec<&str> =
        variable.split(',').map(str::trim).filter(|name| !["", "0"].contains(name)).collect();
    if flag.is_some_and(<[String]>::is_empty) || asked.iter().any(|name| ["all", "1"].contains(name)) {
        return Ok(Update::Failing);
    }
    let names = flag.unwrap_or_default().iter().map(String::as_str);
    if flag.is_none() && asked.is_empty() {
        return Ok(Update::Nothing);
    }
    Update::named(list, names.chain(asked)).map_err(|name| {
        let known: Vec<&str> = list.cases.iter().take(LISTED).map(|case| case.name.as_str()).collect();
        let more = if list.cases.len() > LISTED { ", …" } else { "" };
        let near = nearest(&name, list.cases.iter().map(|case| case.name.as_str()));
        let meant = near.map_or_else(String::new, |near| format!(" (did you mean '{near}'?)"));
        Failure::Usage(format!("--update: no case '{name}'{meant}; the cases are {}{more}", known.join(", ")))
    })
}

/// Names goldens without a case, with the cases that some of them may belong to.
fn warn_of(orphans: &[Orphan], folder: &Path) {
    let more = match orphans.len().saturating_sub(LISTED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let named = |orphan: &Orphan| match &orphan.case {
        Some(case) => format!("{} (rename it to {case}.png?)", orphan.file),
        None => orphan.file.clone(),
    };
    let named: Vec<String> = orphans.iter().take(LISTED).map(named).collect();
    if !named.is_empty() {
        say(&format!("warning: {}: no case uses {}{more}", folder.display(), named.join(", ")));
    }
}

/// The exit code: failures to draw come before differences.
fn verdict(run: Run, folder: &Path) -> Result<(), Failure> {
    let more = run.failures.len().saturating_sub(1);
    match run.failures.into_iter().next() {
        Some(failure) if more > 0 => return Err(failure.with_more(more)),
        Some(failure) => return Err(failure),
        None => {}
    }
    let failed: Vec<&str> = run.outcomes.iter().filter(|o| !o.is_pass()).map(|o| o.name.as_str()).collect();
    if failed.is_empty() {
        return Ok(());
    }
    let look = run.page.map_or_else(String::new, |page| format!("see {}; ", path_word(&page)));
    Err(Failure::Check(format!(
        "{}: {} of {} pictures fail; {look}to accept them: {}",
        folder.display(),
        failed.len(),
        run.outcomes.len(),
        bless_command(folder, &failed),
    )))
}

fn unwritten(error: ReportError) -> Failure {
    match error {
        ReportError::File { path, cause } => Failure::output(&path, cause),
        ReportError::Overwrite(overwrite) => overwrite.into(),
    }
}
