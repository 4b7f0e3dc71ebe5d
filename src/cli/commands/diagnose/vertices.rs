//! `sinew diagnose --like VERTICES`: names the skinning that made vertices.

#![allow(clippy::disallowed_methods, reason = "notes what it reads among the inputs")]

use std::path::Path;

use indicatif::ProgressBar;

use super::table::{self, Document};
use crate::analysis::diagnose::{Answer, Asked, Question, ask, overlay, scientific};
use crate::analysis::vertices::{Given, Options, read};
use crate::check::{Case, Severity};
use crate::cli::args::DiagnoseArgs;
use crate::cli::subject::{open, pose, stdin};
use crate::cli::terminal::check::Check;
use crate::cli::terminal::failure::Failure;
use crate::cli::terminal::print::{plain, print};
use crate::cli::terminal::progress::share_bar;
use crate::model::{Model, gltf};
use crate::output::{self, Inputs, Role};
use crate::pairing::find_clip;
use crate::scene::Scene;
use crate::writing::write_json_pretty;

/// The kinds of findings.
const KINDS: [&str; 3] = [UNLIKE, FAULTY, UNEXPECTED];

/// No known skinning gives the vertices.
const UNLIKE: &str = "unlike";
/// The skinning deviates from its mode.
const FAULTY: &str = "faulty";
/// The skinning is another than the expected one.
const UNEXPECTED: &str = "unexpected";

/// Names the skinning.
pub fn run(args: &DiagnoseArgs, mut inputs: Inputs) -> Result<(), Failure> {
    let given = open::shown(&args.model);
    let model = open::model(&args.model, &args.load, &mut inputs)?;
    open::check_kept(&model, &args.model)?;
    let options = Options { layout: args.layout, frame: args.like_frame };
    let theirs = vertices(&args.like, &options, &mut inputs)?;
    let bind =
        args.bind.as_ref().map(|bind| vertices(bind, &Options { frame: None, ..options }, &mut inputs));
    let bind = bind.transpose()?;
    let choice = args.posed.has_moment().then(|| pose::pose(&args.posed, &args.model, &model, &mut inputs));
    let choice = choice.transpose()?;
    let asked = match &choice {
        Some(choice) => Asked::At(choice),
        None => Asked::Search(clip(args, &model)?),
    };
    if let Some(output) = args.output.as_ref().filter(|file| !is_glb(file)) {
        let output = output.display();
        return Err(Failure::Usage(format!(
            "-o {output}: the vertices are written as .glb; name such a file"
        )));
    }
    let inputs = inputs.close();
    let overlaid = args.output.as_ref().map(|file| inputs.output(file)).transpose()?;
    let always = args.expect.is_some().then_some(Severity::Error);
    let check = Check::new(&args.check, &KINDS, always, &inputs)?;
    check.keep_apart(args.output.as_deref())?;

    let bar = share_bar("the search");
    let watch = |share: f64| tell(&bar, share);
    let name = open::shown(args.like.as_os_str());
    let question = Question {
        model: &model,
        given: &theirs,
        bind: bind.as_ref(),
        asked,
        expected: args.expect.as_ref(),
        watch: &watch,
    };
    let answer =
        ask(&question).map_err(|error| Failure::Input { file: name.clone(), cause: error.to_string() });
    bar.finish_and_clear();
    let answer = answer?;

    if let Some(output) = &overlaid {
        let bytes = gltf::write_glb(&overlay(&model, &answer))
            .map_err(|error| Failure::Input { file: given.clone(), cause: error.to_string() })?;
        output::write(output, |out| out.write_all(&bytes))
            .map_err(|error| Failure::output(output.path(), error))?;
    }
    let document = Document {
        kind: "vertices",
        model: &given,
        vertices: &name,
        picture: scene(args, &answer).to_string(),
        difference: args.output.as_ref().map(|other| difference(args, &answer, other)),
        answer: &answer,
    };
    print(|out| match args.json {
        true => write_json_pretty(out, &document),
        false => table::text(&document, out),
    })?;
    let cases = [case(args, &name, &document)];
    check.write(&format!("diagnose {given}"), &cases)?;
    check.judge(&given, &cases)
}

fn is_glb(file: &Path) -> bool {
    file.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("glb"))
}

fn tell(bar: &ProgressBar, share: f64) {
    bar.set_position((share.clamp(0.0, 1.0) * 1000.0) as u64);
}

/// Reads vertices from a file or standard input.
fn vertices(path: &Path, options: &Options, inputs: &mut Inputs) -> Result<Given, Failure> {
    let name = open::shown(path.as_os_str());
    let fault = |cause: String| Failure::Input { file: name.clone(), cause };
    let ending = path.extension().map(|ending| ending.to_string_lossy().to_lowercase()).unwrap_or_default();
    if stdin::is_stdin(path.as_os_str()) {
        inputs.add(Path::new(stdin::FILE), Role::Vertices)?;
        return read(stdin::bytes()?, "", options).map_err(|error| fault(error.to_string()));
    }
    inputs.add(path, Role::Vertices)?;
    let bytes = gltf::read_file(path).map_err(|error| fault(error.to_string()))?;
    read(&bytes, &ending, options).map_err(|error| fault(error.to_string()))
}

/// Returns the clip to search, if one is named.
fn clip(args: &DiagnoseArgs, model: &Model) -> Result<Option<usize>, Failure> {
    let fault = |cause: String| Failure::Input { file: open::shown(&args.model), cause };
    match args.posed.clip.as_slice() {
        [] => Ok(None),
        [asked] => {
            let found = find_clip(model, asked);
            found.map(Some).ok_or_else(|| fault(crate::pairing::no_clip(model, asked)))
        }
        _ => Err(Failure::Usage("--clip: give --time with several clips".to_owned())),
    }
}

/// Our vertices as the verdict has them.
fn scene(args: &DiagnoseArgs, answer: &Answer) -> Scene {
    Scene {
        mode: answer.recipe.mode,
        inject: answer.recipe.injected(),
        pose: answer.choice.clone(),
        ..Scene::new(args.load.files(open::shown(&args.model)))
    }
}

/// The command that shows their vertices over ours.
fn difference(args: &DiagnoseArgs, answer: &Answer, other: &Path) -> String {
    let scene = scene(args, answer);
    let files = crate::scene::Files { other: Some(open::shown(other.as_os_str())), ..scene.files.clone() };
    let view = crate::view::View::Difference(crate::view::Difference {
        against: crate::view::Against::Other,
        top_m: None,
    });
    Scene { files, view, ..scene }.to_string()
}

/// The verdict as a case of a check.
fn case(args: &DiagnoseArgs, name: &str, document: &Document) -> Case {
    let Answer { verdict, expected, normals, tangents, .. } = document.answer;
    let command = document.picture.clone();
    if let (Some(recipe), Some(expected)) = (&args.expect, expected) {
        let max = expected.candidate.distances.max_r;
        let directions = [("normals", expected.normals, normals), ("tangents", expected.tangents, tangents)];
        let other = directions.into_iter().find(|(_, are_as, _)| *are_as == Some(false));
        let but = match other {
            _ if max > args.within => format!("the worst vertex is {} of the size away", scientific(max)),
            Some((what, _, Some(_))) => format!("the {what} are not as it says"),
            Some((what, _, None)) => format!("no {what} are given that the model has"),
            None => return Case::new(name, Severity::Fine, "expected", ""),
        };
        let within = scientific(args.within);
        let message = format!("expected {recipe} within {within}, but {but}. {}", verdict.sentence);
        return Case::new(name, Severity::Error, UNEXPECTED, plain(&message)).shown_by(command);
    }
    let are_known = [normals, tangents].into_iter().flatten().all(|found| found.agrees);
    let (severity, kind) = match (verdict.agrees && are_known, verdict.faults.is_empty()) {
        (false, _) => (Severity::Error, UNLIKE),
        (true, false) => (Severity::Warning, FAULTY),
        (true, true) => return Case::new(name, Severity::Fine, "expected", ""),
    };
    Case::new(name, severity, kind, plain(&verdict.sentence)).shown_by(command)
}
