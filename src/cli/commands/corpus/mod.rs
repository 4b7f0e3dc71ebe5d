//! `sinew corpus`: checks or compares many models, each in a separate process, with a ledger that a later run continues.

mod assets;
mod digest;
mod ledger;
mod one;
mod pages;
mod worker;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use crate::analysis::corpus::{
    Asset, Entry, Finding, Kind, Level, Weight, page, rows_csv, table_csv, triage,
};
#[cfg(feature = "parquet")]
use crate::analysis::corpus::{rows_parquet, table_parquet};
use crate::check::{Case, Severity};
use crate::cli::args::{CorpusAction, CorpusArgs, LoadArgs};
use crate::cli::subject::open;
use crate::cli::terminal::check::Check;
use crate::cli::terminal::failure::Failure;
use crate::cli::terminal::print::{plain, print};
use crate::cli::terminal::progress::bar;
use crate::output::{self, Closed, Inputs, Role};
use crate::table::{Align, Table};
use crate::threads;
use crate::writing::write_json_pretty;

use assets::Task;
use ledger::{Header, Ledger, Line};
use worker::Limits;

/// The most findings of an asset that become cases of a check.
const MAX_CASES: usize = 100;

/// Runs the action.
pub fn run(args: &CorpusArgs, inputs: Inputs) -> Result<(), Failure> {
    let Some(out) = &args.output else { return one::run(args, inputs) };
    match args.action {
        CorpusAction::One => {
            Err(Failure::Usage("'sinew corpus one' prints its result, and has no --output".to_owned()))
        }
        CorpusAction::Merge => merge(args, out, inputs),
        CorpusAction::Check | CorpusAction::Compare => many_of(args, out, inputs),
    }
}

/// Checks or compares all assets that the ledger does not have yet.
fn many_of(args: &CorpusArgs, out: &Path, mut inputs: Inputs) -> Result<(), Failure> {
    let mut tasks = match args.action {
        CorpusAction::Compare => assets::pairs(&args.inputs, &mut inputs)?,
        _ => assets::models(&args.inputs, &mut inputs)?,
    };
    if let Some(shard) = args.shard {
        tasks.retain(|task| shard.has(&task.name));
    }
    for file in tasks.iter().flat_map(Task::files) {
        if output::is_in(file, out) {
            let cause = format!("{}: it is in {}, which this run fills", file.display(), out.display());
            return Err(Failure::Usage(cause));
        }
    }
    if has_reports(args) {
        for file in tasks.iter().flat_map(Task::files) {
            open::note(file.as_os_str(), &LoadArgs::default(), &mut inputs)?;
        }
    }
    let inputs = inputs.close();
    let check = check(args, &inputs)?;
    check.keep_out(out)?;
    let header = Header::new(args);
    let (ledger, known) = Ledger::open(out, &header)?;
    let names: BTreeSet<&str> = tasks.iter().map(|task| task.name.as_str()).collect();
    ledger.list(&known, |name| names.contains(name))?;
    let mut lines = known.lines;
    let bar = bar(tasks.len() as u64, "assets");
    let limits = limits(args, tasks.len());
    let is_left = |task: &&Task| {
        let is_done = |line: &Line| line.is_of(&header) && line.is_current(task, &limits);
        let is_done = lines.get(&task.name).is_some_and(is_done);
        bar.inc(u64::from(is_done));
        !is_done
    };
    let left: Vec<&Task> = tasks.iter().filter(is_left).collect();
    let done = work(args.level, &left, &ledger, &limits, &bar)?;
    bar.finish_and_clear();
    lines.extend(done.into_iter().map(|line| (line.asset.clone(), line)));
    let named = |task: &Task| Some((task.name.clone(), lines.remove(&task.name)?));
    let lines: BTreeMap<String, Line> = tasks.iter().filter_map(named).collect();
    finish(args, &lines, &ledger, &check, &inputs, left.len())
}

/// Returns true if reports go to given paths, which must not be those of models.
fn has_reports(args: &CorpusArgs) -> bool {
    args.check.junit.is_some() || args.check.markdown.is_some()
}

fn check(args: &CorpusArgs, inputs: &Closed) -> Result<Check, Failure> {
    Check::new(&args.check, &Kind::ALL.map(Kind::name), None, inputs)
}

/// Runs a process for each task, several at once, and adds each result to the ledger.
fn work(
    level: Level,
    tasks: &[&Task],
    ledger: &Ledger,
    limits: &Limits,
    bar: &indicatif::ProgressBar,
) -> Result<Vec<Line>, Failure> {
    let (next, has_failed) = (AtomicUsize::new(0), AtomicBool::new(false));
    let (done, failed) = (Mutex::new(Vec::new()), Mutex::new(None));
    let step = || -> Result<bool, Failure> {
        let Some(task) = tasks.get(next.fetch_add(1, Ordering::Relaxed)) else { return Ok(false) };
        let line = Line::new(task, &ledger.header, worker::run(task, level, limits)?, limits);
        ledger.append(&line)?;
        done.lock().unwrap_or_else(PoisonError::into_inner).push(line);
        bar.inc(1);
        Ok(true)
    };
    let each = || {
        while !has_failed.load(Ordering::Relaxed) {
            match step() {
                Ok(true) => {}
                Ok(false) => return,
                Err(failure) => {
                    has_failed.store(true, Ordering::Relaxed);
                    failed.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(failure);
                }
            }
        }
    };
    std::thread::scope(|scope| {
        let workers: Vec<_> =
            (1..limits.jobs.min(tasks.len())).map(|_| threads::ScopedTask::begin(scope, each)).collect();
        each();
        drop(workers);
    });
    match failed.into_inner().unwrap_or_else(PoisonError::into_inner) {
        Some(failure) => Err(failure),
        None => Ok(done.into_inner().unwrap_or_else(PoisonError::into_inner)),
    }
}

/// The limits of each of several processes.
fn limits(args: &CorpusArgs, tasks: usize) -> Limits {
    let jobs = args.jobs.map_or_else(threads::in_pool, usize::from).clamp(1, tasks.max(1));
    Limits { secs: args.limit_time, mebibytes: args.limit_memory, jobs }
}

/// Joins ledgers of the same kind.
fn merge(args: &CorpusArgs, out: &Path, mut inputs: Inputs) -> Result<(), Failure> {
    let mut lines: BTreeMap<String, Line> = BTreeMap::new();
    let mut header: Option<Header> = None;
    for folder in &args.inputs {
        let (own, of_folder) = ledger::read_other(Path::new(folder))?;
        let fault = |cause: String| Failure::Input { file: folder.to_string_lossy().into_owned(), cause };
        if header.as_ref().is_some_and(|header| *header != own) {
            return Err(fault(
                "its run had another action, level or program version than the first".to_owned(),
            ));
        }
        for (name, line) in of_folder {
            if lines.get(&name).is_some_and(|other| other.result != line.result) {
                return Err(fault(format!("another folder has another result of {name}")));
            }
            lines.insert(name, line);
        }
        header = Some(own);
    }
    if has_reports(args) {
        for folder in &args.inputs {
            inputs.add(&Path::new(folder).join(ledger::NAME), Role::List)?;
        }
        for file in lines.values().flat_map(|line| line.inputs.keys()) {
            inputs.add(Path::new(file), Role::Model)?;
        }
    }
    let inputs = inputs.close();
    let check = check(args, &inputs)?;
    check.keep_out(out)?;
    let Some(header) = header else { return Ok(()) };
    let (ledger, known) = Ledger::open(out, &header)?;
    ledger.list(&known, |name| lines.contains_key(name))?;
    for (name, line) in &lines {
        if known.lines.get(name) != Some(line) {
            ledger.append(line)?;
        }
    }
    finish(args, &lines, &ledger, &check, &inputs, 0)
}

/// Writes tables and pages, prints the groups of findings, and judges.
fn finish(
    args: &CorpusArgs,
    lines: &BTreeMap<String, Line>,
    ledger: &Ledger,
    check: &Check,
    inputs: &Closed,
    run: usize,
) -> Result<(), Failure> {
    let assets = || lines.iter().map(|(name, line)| (name.as_str(), &line.result));
    let groups = triage(assets());
    let title = ledger.header.title(lines.len());
    ledger.announce_tables(cfg!(feature = "parquet"))?;
    ledger.write("assets.csv", inputs, |out| table_csv(assets(), out))?;
    ledger.write("clips.csv", inputs, |out| rows_csv(assets(), out))?;
    #[cfg(feature = "parquet")]
    {
        ledger.write("assets.parquet", inputs, |out| table_parquet(assets(), out))?;
        ledger.write("clips.parquet", inputs, |out| rows_parquet(assets(), out))?;
    }
    ledger.write("triage.json", inputs, |out| write_json_pretty(out, &groups))?;
    let count = usize::from(args.pages);
    let pages = pages::write(lines, &groups, count, ledger, &limits(args, count))?;
    let entries = lines.iter().map(|(name, line)| Entry {
        name,
        asset: &line.result,
        page: pages.get(name).map(String::as_str),
        thumbnail: &line.thumbnail,
    });
    let entries: Vec<Entry<'_>> = entries.collect();
    ledger.write("index.html", inputs, |out| out.write_all(page(&title, &entries, &groups).as_bytes()))?;
    let cases: Vec<Case> = assets().flat_map(|(name, asset)| cases(name, asset)).collect();
    check.write("corpus", &cases)?;
    print(|out| {
        let clean = assets().filter(|(_, asset)| !asset.has(Weight::Error)).count();
        let secs: f64 = lines.values().map(|line| line.secs).sum();
        let mean = secs / lines.len().max(1) as f64;
        writeln!(out, "{title}: {clean} without errors, {run} run now, {mean:.2} s each")?;
        let mut table = Table::new(&[Align::Right, Align::Left, Align::Left, Align::Left]);
        for group in &groups {
            let (asset, Finding { words, .. }) = &group.worst;
            let words = format!("{}: {}", plain(asset), plain(words));
            table.row([group.assets.to_string().as_str(), group.kind.name(), &plain(&group.like), &words]);
        }
        table.write(out)
    })?;
    check.judge(&ledger.path().display().to_string(), &cases)
}

/// The findings of an asset as cases of a check; one case that passes if there are none.
fn cases(name: &str, asset: &Asset) -> Vec<Case> {
    if asset.findings.is_empty() {
        return vec![Case::new(name, Severity::Fine, "asset", "")];
    }
    let case = |finding: &Finding| {
        let severity = match finding.kind.weight() {
            Weight::Warning => Severity::Warning,
            Weight::Error => Severity::Error,
        };
        Case::new(format!("{name} {}", finding.kind.name()), severity, finding.kind.name(), &finding.words)
    };
    asset.findings.iter().take(MAX_CASES).map(case).collect()
}
