//! `sinew verify`: prints the proof as a table or as JSON.

use crate::writing::write_json_pretty;
use std::borrow::Cow;
use std::ffi::{OsStr, OsString};
use std::sync::Arc;

use crate::analysis::verify::{Report, Row, looks, verify};
use crate::check::{Case, Severity};
use crate::model::builtin;
use crate::output::{Closed, Inputs};
use crate::render::Renderer;
use crate::skinning::SkinningMode;
use crate::skinning::pose::PoseChoice;
use crate::vulkan::VulkanError;
use serde::Serialize;

use crate::cli::args::VerifyArgs;
use crate::cli::machine::vulkan;
use crate::cli::subject::needs;
use crate::cli::subject::open;
use crate::cli::terminal::check::Check;
use crate::cli::terminal::colors::{self, Tone};
use crate::cli::terminal::failure::Failure;
use crate::cli::terminal::print::{plain, print};
use crate::cli::terminal::progress::bar;

/// The tubes checked in place of `tube-N`: the smallest, one that fills the palette, one joint more, the largest.
const TUBES: [&str; 4] = ["tube-2", "tube-512", "tube-513", "tube-4096"];

#[derive(Serialize)]
struct Document {
    device: String,
    driver: String,
    /// True for shaders whose operations the driver may fuse.
    fast: bool,
    models: Vec<Checked>,
    /// Models that could not be checked, each with the reason.
    failed: Vec<Failed>,
}

#[derive(Serialize)]
struct Checked {
    model: String,
    #[serde(flatten)]
    report: Report,
    /// The reason why the device cannot have *ddm*, which is then not checked; omitted if it was.
    #[serde(skip_serializing_if = "Option::is_none")]
    ddm_left_out: Option<String>,
}

#[derive(Serialize)]
struct Failed {
    model: String,
    error: String,
}

/// Checks every model; exit code 6 if a bound does not hold. If a model cannot be checked, the others still are.
pub fn run(args: &VerifyArgs, mut inputs: Inputs) -> Result<(), Failure> {
    let models = if args.models.is_empty() { all_builtins() } else { args.models.clone() };
    for model in &models {
        open::note(model, &args.load, &mut inputs)?;
    }
    let inputs = inputs.close();
    let gate = Check::new(&args.check, &KINDS, Some(Severity::Error), &inputs)?;
    let mut failures = Vec::new();
    let document = vulkan::with_renderer(&args.vulkan, |renderer| {
        let physical = renderer.device().physical();
        let mut document = Document {
            device: physical.name.clone(),
            driver: physical.driver.clone(),
            fast: args.fast,
            models: Vec::new(),
            failed: Vec::new(),
        };
        for given in models {
            let model = open::shown(&given);
            match check(renderer, &given, args, &inputs) {
                Ok((report, ddm_left_out)) => document.models.push(Checked { model, report, ddm_left_out }),
                Err(failure) => {
                    let failure = failure.about(&model);
                    document.failed.push(Failed { model, error: failure.to_string() });
                    failures.push(failure);
                }
            }
        }
        Ok(document)
    })?;
    print(|out| if args.json { write_json_pretty(out, &document) } else { table(&document, out) })?;
    gate.write("verify", &cases(&document))?;
    let more = failures.len().saturating_sub(1);
    match failures.into_iter().next() {
        Some(failure) if more > 0 => Err(failure.with_more(more)),
        Some(failure) => Err(failure),
        None => verdict(&document),
    }
}

fn check(
    renderer: &mut Renderer,
    given: &OsStr,
    args: &VerifyArgs,
    inputs: &Closed,
) -> Result<(Report, Option<String>), Failure> {
    let shown = open::shown(given);
    let model = Arc::new(open::model(given, &args.load, &mut inputs.again())?);
    open::check_kept(&model, given)?;
    if model.instances.is_empty() {
        let cause = "it draws nothing, so there is nothing to verify".to_owned();
        return Err(Failure::Input { file: shown, cause });
    }
    needs::prepare(&model, SkinningMode::ALL, inputs);
    let mut gpu = renderer.upload(Arc::clone(&model))?;
    let mut modes = SkinningMode::ALL.to_vec();
    // Its terms may be too large for a software driver.
    let left_out = match renderer.skin(&mut gpu, SkinningMode::DirectDeltaMush, &PoseChoice::Bind) {
        Err(error @ VulkanError::Limit { .. }) => {
            modes.retain(|mode| !mode.facts().needs_ddm);
            Some(error.to_string())
        }
        skinned => skinned.map(|_| None)?,
    };
    let times: usize = looks(&model, args.samples).iter().map(|look| look.choices.len()).sum();
    let bar = bar(times.saturating_mul(modes.len()) as u64, "checks");
    let report = verify(
        &model,
        &modes,
        renderer.is_exact() && !args.fast,
        args.samples,
        |mode, pose| {
            let skinned = match args.fast {
                true => renderer.skin_fused(&mut gpu, mode, pose),
                false => renderer.skin(&mut gpu, mode, pose),
            };
            bar.inc(1);
            skinned.map_err(Failure::from)
        },
        |_, _| (),
    );
    bar.finish_and_clear();
    Ok((report?, left_out))
}

fn all_builtins() -> Vec<OsString> {
    let fixed = builtin::list().iter().map(|model| model.name).filter(|name| !name.contains("-N"));
    fixed.chain(TUBES).map(|name| format!("builtin:{name}").into()).collect()
}

/// The kinds of findings: values over their bounds, and models that could not be checked.
const KINDS: [&str; 2] = ["bound", "unread"];

/// A case for each row, and for each model that could not be checked.
fn cases(document: &Document) -> Vec<Case> {
    let failed = document
        .failed
        .iter()
        .map(|failed| Case::new(&failed.model, Severity::Broken, "unread", &failed.error));
    let rows = document.models.iter().flat_map(|checked| {
        checked.report.rows.iter().map(move |row| {
            let name = format!("{}: {} {} {}", checked.model, row.mode, row.pose, row.name);
            let severity = if row.faults.is_empty() { Severity::Fine } else { Severity::Error };
            Case::new(name, severity, "bound", row.faults.join("; "))
        })
    });
    failed.chain(rows).collect()
}

fn verdict(document: &Document) -> Result<(), Failure> {
    let rows = || {
        document.models.iter().flat_map(|checked| checked.report.rows.iter().map(move |row| (checked, row)))
    };
    let mut faulty = rows().filter(|(_, row)| !row.faults.is_empty());
    let Some((checked, row)) = faulty.next() else { return Ok(()) };
    let fault = row.faults.first().map_or("", String::as_str);
    let failure = Failure::Check(format!("{}: {} {}: {fault}", checked.model, row.mode, row.pose));
    match faulty.count() {
        0 => Err(failure),
        more => Err(failure.with_more(more)),
    }
}

fn table(document: &Document, out: &mut dyn std::io::Write) -> std::io::Result<()> {
    writeln!(out, "GPU: {} ({})", document.device, document.driver)?;
    writeln!(
        out,
        "GPU≠CPU: numbers that differ between the GPU and the shader's CPU twin, and the largest ulp.\n\
         max, rms: errors of GPU, CPU twin and fast CPU path against the f64 reference, in units of r, the\n\
         largest coordinate. directions: the largest error of a normal or tangent."
    )?;
    if document.fast {
        writeln!(
            out,
            "--fast: the driver may fuse operations. This proves the bounds to the f64 reference and the largest\n\
             distance from the CPU twin; bits differ, and exports and goldens never use these shaders."
        )?;
    }
    for failed in &document.failed {
        writeln!(out, "\n{}\n  {} {}", plain(&failed.model), cross(), plain(&failed.error))?;
    }
    for checked in &document.models {
        model_table(checked, out)?;
    }
    let numbers: u64 =
        document.models.iter().flat_map(|m| &m.report.rows).map(|row| row.figures.gpu_twin.components).sum();
    let faults =
        document.models.iter().flat_map(|m| &m.report.rows).filter(|row| !row.faults.is_empty()).count();
    let is_good = faults == 0 && document.failed.is_empty();
    let faults = format!("{faults} row(s) over their bounds");
    let faults = colors::verdict(&faults, Tone::of(is_good));
    writeln!(out, "\n{} model(s), {numbers} numbers compared, {faults}", document.models.len())
}

/// The mark of values over their bounds.
fn cross() -> Cow<'static, str> {
    colors::verdict("✗", Tone::Bad)
}

/// Widths of the name columns.
struct Widths {
    mode: usize,
    pose: usize,
    primitive: usize,
    times: usize,
}

impl Widths {
    fn new(rows: &[Row]) -> Self {
        let widest = |heading: &str, of: fn(&Row) -> usize| {
            rows.iter().map(of).max().unwrap_or(0).max(heading.chars().count())
        };
        Self {
            mode: widest("mode", |row| row.mode.len()).max(5),
            pose: widest("pose", |row| plain(&row.pose).chars().count()),
            primitive: widest("primitive", |row| row.name.len()),
            times: widest("times", |row| times(row).len()),
        }
    }
}

/// Returns the number of times checked, and the total if some were skipped.
fn times(row: &Row) -> String {
    if row.times == row.of_times { row.times.to_string() } else { format!("{}/{}", row.times, row.of_times) }
}

fn model_table(checked: &Checked, out: &mut dyn std::io::Write) -> std::io::Result<()> {
    let rows = &checked.report.rows;
    let widths = Widths::new(rows);
    writeln!(out, "\n{}", plain(&checked.model))?;
    writeln!(
        out,
        "  {:mode$} {:pose$} {:primitive$} {:>8} {:>times$} {:>8} {:>4}  {:>7} {:>7}  {:>7} {:>7}  {:>8} {:>8}  {:>10}",
        "mode",
        "pose",
        "primitive",
        "vertices",
        "times",
        "GPU≠CPU",
        "ulp",
        "GPU max",
        "rms",
        "CPU max",
        "rms",
        "fast max",
        "rms",
        "directions",
        mode = widths.mode,
        pose = widths.pose,
        primitive = widths.primitive,
        times = widths.times,
    )?;
    for row in rows {
        row_lines(row, &widths, out)?;
    }
    for row in thinned(rows) {
        writeln!(
            out,
            "  {}: {} of {} times; --samples {} checks all",
            plain(&row.pose),
            grouped(row.times),
            grouped(row.of_times),
            row.of_times
        )?;
    }
    if let Some(reason) = &checked.ddm_left_out {
        writeln!(out, "  ddm is left out: {}", plain(reason))?;
    }
    for worst in &checked.report.worst {
        writeln!(out, "  worst {}", plain(&worst.to_string()))?;
    }
    Ok(())
}

fn row_lines(row: &Row, widths: &Widths, out: &mut dyn std::io::Write) -> std::io::Result<()> {
    let figures = &row.figures;
    let directions = [&figures.gpu, &figures.twin, &figures.fast].map(|error| error.max_direction);
    writeln!(
        out,
        "  {:mode$} {:pose$} {:primitive$} {:>8} {:>times$} {:>8} {:>4}  {:>7.1e} {:>7.1e}  {:>7.1e} {:>7.1e}  {:>8.1e} {:>8.1e}  {:>10.1e}{}",
        row.mode,
        plain(&row.pose),
        row.name,
        figures.vertices,
        times(row),
        figures.gpu_twin.differing,
        figures.gpu_twin.max_ulp,
        figures.gpu.max,
        figures.gpu.rms,
        figures.twin.max,
        figures.twin.rms,
        figures.fast.max,
        figures.fast.rms,
        directions.into_iter().fold(0.0, f64::max),
        if row.faults.is_empty() { String::new() } else { format!("  {}", cross()) },
        mode = widths.mode,
        pose = widths.pose,
        primitive = widths.primitive,
        times = widths.times,
    )?;
    for fault in &row.faults {
        writeln!(out, "        {} {fault}", cross())?;
    }
    Ok(())
}

/// One row of each clip with unchecked times.
fn thinned(rows: &[Row]) -> Vec<&Row> {
    let mut clips: Vec<&Row> = Vec::new();
    for row in rows.iter().filter(|row| row.times < row.of_times) {
        if !clips.iter().any(|known| (&known.pose, known.of_times) == (&row.pose, row.of_times)) {
            clips.push(row);
        }
    }
    clips
}

/// A number with commas between groups of three digits.
fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let comma = |(place, digit): (usize, char)| {
        let is_after_three = place > 0 && (digits.len() - place).is_multiple_of(3);
        is_after_three.then_some(',').into_iter().chain([digit])
    };
    digits.chars().enumerate().flat_map(comma).collect()
}
