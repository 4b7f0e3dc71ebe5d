//! `sinew inspect`: prints the contents of a model, as text or as JSON.

mod readers;

use crate::analysis::inspect::text::text;
use crate::analysis::inspect::{GpuBytes, Report, report};
use crate::analysis::weights::{self, Finding, JointTrees, Kind};
use crate::analysis::{borrowed, ddm};
use crate::check::{Case, Severity};
use crate::model::{Model, VertexName, Warning};
use crate::output::{Closed, Inputs};
use crate::render::{Footprint, footprint};
use crate::scene::Scene;
use crate::skinning::pose::PoseChoice;
use crate::skinning::{Drawn, SkinningMode, diagonal};
use crate::view::View;
use crate::writing::write_json_pretty;
use serde::Serialize;

use crate::cli::args::{InspectArgs, ReaderFlag};
use crate::cli::subject::closeup;
use crate::cli::subject::file;
use crate::cli::subject::open;
use crate::cli::subject::{clips, needs};
use crate::cli::terminal::check::Check;
use crate::cli::terminal::colors::broken_rules;
use crate::cli::terminal::failure::Failure;
use crate::cli::terminal::print::print;
use crate::cli::terminal::progress::share_bar;

#[derive(Serialize)]
struct Document<'a> {
    model: String,
    #[serde(flatten)]
    report: Report,
    /// The tree of each skin's joints; `None` unless asked for.
    joints: Option<JointTrees<'a>>,
    /// The faults of the weights, and their scores; omitted unless asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    weights: Option<weights::Report>,
    /// The terms of direct delta mush; omitted unless asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    ddm: Option<ddm::Report>,
    /// Clips from other files; omitted without any.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    clips_from: Vec<borrowed::Report>,
}

/// Reports the faults of the weights, with commands that show them.
fn weights(args: &InspectArgs, model: &Model) -> weights::Report {
    let mut report = weights::report(model, true);
    let diagonal_m = diagonal(model, &Drawn::new(model));
    for finding in &mut report.findings {
        let vertex = finding.worst.vertex.parse::<VertexName>().ok().and_then(|name| name.find(model).ok());
        let pose = PoseChoice::Bind;
        let scene = Scene {
            camera: closeup::at_vertex(model, SkinningMode::Rigid, &pose, vertex, diagonal_m, CLOSE..=CLOSE),
            pose,
            view: finding.view.parse().unwrap_or(View::Weights),
            ..Scene::new(args.load.files(open::shown(&args.model)))
        };
        finding.command = format!("{scene} --vertex {}", finding.worst.vertex);
    }
    report
}

/// The camera's distance from a vertex in a command, in diagonals of the model.
const CLOSE: f64 = 0.5;

/// The kind of finding of a broken rule.
const RULE: &str = "rule";

/// The severity of a kind of mistake in the weights. An error shows in motion; a warning may be intended.
fn severity(kind: Kind) -> Severity {
    match kind {
        Kind::Leak | Kind::Far | Kind::Split => Severity::Error,
        Kind::Island | Kind::Outlier | Kind::Tiny => Severity::Warning,
    }
}

/// The broken rules, and the findings about weights, as cases; without any, one case that passes.
fn cases(model: &Model, weights: Option<&weights::Report>) -> Vec<Case> {
    let rule = |warning: &Warning| {
        let Warning { code, path, message } = warning;
        Case::new(format!("{code} {path}"), Severity::Warning, RULE, message)
    };
    let finding = |finding: &Finding| {
        let joint = finding.joint.as_ref().map_or_else(String::new, |joint| format!(" {}", joint.name));
        let kind = finding.kind;
        let name = format!("{}{joint} {}", kind.name(), finding.primitive);
        let message = weights::text::sentence(finding);
        Case::new(name, severity(kind), kind.name(), message).shown_by(&finding.command)
    };
    let mut cases: Vec<Case> = file::broken_rules(model).map(rule).collect();
    if cases.is_empty() {
        cases.push(Case::new("rules", Severity::Fine, RULE, ""));
    }
    match weights {
        Some(report) if report.findings.is_empty() => {
            cases.push(Case::new("weights", Severity::Fine, "weights", ""));
        }
        Some(report) => cases.extend(report.findings.iter().map(finding)),
        None => {}
    }
    cases
}

/// Measures what direct delta mush keeps.
fn terms(args: &InspectArgs, model: &Model, inputs: &Closed) -> Result<ddm::Report, Failure> {
    open::set_ddm(&args.model, model, &args.load)?;
    needs::prepare(model, [SkinningMode::DirectDeltaMush], inputs);
    let bar = share_bar("all terms");
    let report = ddm::report(model, &|share| {
        bar.set_position((share * 1000.0) as u64);
        true
    });
    bar.finish_and_clear();
    Ok(report.expect("nothing stops it"))
}

/// Prints the report. With `--strict`, a warning then means exit code 1, and a finding about weights 6.
pub fn run(args: &InspectArgs, mut inputs: Inputs) -> Result<(), Failure> {
    if args.load.reader == ReaderFlag::Both {
        return readers::run(args, inputs);
    }
    let inspection = open::inspection(&args.model, &args.load, &mut inputs)?;
    if args.weights {
        open::check_kept(&inspection.model, &args.model)?;
    }
    let kinds: Vec<&str> = Kind::ALL.map(Kind::name).into_iter().chain([RULE]).collect();
    let always = args.load.strict.then_some(Severity::Warning);
    let Footprint { meshes, morphs, pictures, palettes } = footprint(&inspection.model);
    let report = report(&inspection, GpuBytes { meshes, morphs, pictures, palettes });
    let document = Document {
        model: open::shown(&args.model),
        report,
        joints: (args.json || args.joints).then(|| weights::joints(&inspection.model)),
        weights: args.weights.then(|| weights(args, &inspection.model)),
        ddm: None,
        clips_from: clips::reports(&args.model, &inspection.model, &args.load, &mut inputs)?,
    };
    let inputs = inputs.close();
    let map = args.write_joint_map.as_ref().map(|path| inputs.output(path)).transpose()?;
    let document =
        Document { ddm: args.ddm.then(|| terms(args, &inspection.model, &inputs)).transpose()?, ..document };
    let check = Check::new(&args.check, &kinds, always, &inputs)?;
    if let Some(map) = &map {
        check.keep_apart(Some(map.path()))?;
        clips::write_map(&args.model, &document.clips_from, map)?;
    }
    print_document(args, &document)?;
    let cases = cases(&inspection.model, document.weights.as_ref());
    check.write(&format!("inspect {}", document.model), &cases)?;
    open::heed(&args.model, &inspection.model, &args.load)?;
    check.judge(&document.model, &cases)
}

/// Prints what the flags ask for.
fn print_document(args: &InspectArgs, document: &Document) -> Result<(), Failure> {
    print(|out| {
        if args.json {
            write_json_pretty(out, document)
        } else {
            if !args.joints && !args.weights && !args.ddm && document.clips_from.is_empty() {
                write!(out, "{}", broken_rules(&text(&document.report, &document.model)))?;
            }
            if let Some(joints) = &document.joints {
                write!(out, "{}", weights::text::joints(joints))?;
            }
            if let Some(report) = &document.weights {
                write!(out, "{}", weights::text::report(report))?;
            }
            if let Some(report) = &document.ddm {
                write!(out, "{}", ddm::text(report))?;
            }
            document
                .clips_from
                .iter()
                .try_for_each(|report| write!(out, "{}", borrowed::text::text(report, &document.model)))
        }
    })
}
