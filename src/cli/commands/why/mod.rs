//! `sinew why`: explains why a joint looks broken, and which mode repairs it.

mod strip;
mod text;

use crate::writing::write_json_pretty;
use std::sync::Arc;

use crate::analysis::body::joints_called;
use crate::analysis::keys::Keys;
use crate::analysis::measure::{MAX_FRAMES, at, times_of};
use crate::analysis::why::{Answer, Motion, Question, why};
use crate::model::Model;
use crate::output::Inputs;
use crate::pairing::clip_name;
use crate::skinning::SkinningMode;
use crate::skinning::distinct::scales;
use crate::skinning::pose::{ClipMix, PoseChoice, Shares};
use serde::Serialize;

use crate::cli::args::WhyArgs;
use crate::cli::subject::modes::{clips, modes};
use crate::cli::subject::needs;
use crate::cli::subject::open;
use crate::cli::terminal::failure::Failure;
use crate::cli::terminal::print::print;
use crate::cli::terminal::progress::bar;

/// The maximum number of frames of all clips together: ten hours.
const MAX_IN_ALL: usize = 10 * MAX_FRAMES;

#[derive(Serialize)]
struct Document<'a> {
    model: &'a str,
    asked: Option<&'a str>,
    equal_to_dqs: Vec<&'static str>,
    #[serde(flatten)]
    answer: &'a Answer,
    command: &'a str,
}

/// Finds the answer, prints it, and draws the strip.
pub fn run(args: &WhyArgs, mut inputs: Inputs) -> Result<(), Failure> {
    let given = open::shown(&args.model);
    let open::Read { model, digests, files: _ } =
        open::model_and_digests(&args.model, &args.load, &mut inputs)?;
    open::check_kept(&model, &args.model)?;
    let model = Arc::new(model);
    let fault = |cause: String| Failure::Input { file: given.clone(), cause };
    if model.clips.is_empty() {
        let joint = args.joint.as_deref().unwrap_or("NAME");
        return Err(fault(format!(
            "it has no clips, so there is no frame to look at; 'sinew sweep {given} --joint {joint}' turns a joint"
        )));
    }
    let named = |joint: &String| joints_called(&model, joint);
    let nodes =
        args.joint.as_ref().map(named).transpose().map_err(|error| fault(format!("--joint: {error}")))?;
    let motions = motions(args, &model).map_err(|cause| fault(format!("--clip: {cause}")))?;
    let inputs = inputs.close();
    let strip = args.output.as_ref().map(|out| inputs.output(out)).transpose()?;
    let mode = args.mode.of(&model);
    let poses = || {
        motions.iter().flat_map(|motion| motion.times.seconds.iter().map(|time| at(&motion.choice, *time)))
    };
    let chosen = modes(&args.modes, &Shares::of_model(&model), || scales(&model, poses()));
    let is_measured = |known: &SkinningMode| *known == mode || chosen.modes.contains(known);
    let modes: Vec<SkinningMode> = SkinningMode::ALL.into_iter().filter(is_measured).collect();
    needs::prepare(&model, modes.iter().copied(), &inputs);
    let bar = bar(motions.iter().map(|motion| motion.times.seconds.len() as u64).sum(), "frames");
    bar.tick();
    let question = Question { nodes: nodes.as_deref(), motions: &motions, modes: &modes, mode };
    let answer = why(&model, question, || bar.inc(1)).map_err(|nothing| match &args.joint {
        Some(joint) => fault(format!("--joint '{joint}': {nothing}")),
        None => fault(nothing.to_string()),
    })?;
    bar.finish_and_clear();
    let scene = strip::scene(args, &model, &answer)?;
    let command = strip::command(&scene, &answer);
    print(|out| match args.json {
        true => {
            let asked = args.joint.as_deref();
            let equal_to_dqs = chosen.left_out();
            let document =
                Document { model: &given, asked, equal_to_dqs, answer: &answer, command: &command };
            write_json_pretty(out, &document)
        }
        false => text::write(args, (&given, &answer, &command), chosen.sentence(), out),
    })?;
    match &strip {
        Some(out) => strip::draw(args, model, &scene, (&digests, command), out),
        None => Ok(()),
    }
}

/// The frames to look at.
fn motions(args: &WhyArgs, model: &Model) -> Result<Vec<Motion>, String> {
    let clips = clips(&args.clip, model)?;
    let most = (MAX_IN_ALL / clips.len().max(1)).max(2);
    let keys = Keys::new(model);
    let motion = |&clip: &usize| {
        let mix = ClipMix { clips: vec![clip], ..ClipMix::default() };
        let times = times_of(&keys, &mix, args.frames.unwrap_or_default(), most);
        let name = format!("clip {}", clip_name(model, clip));
        Motion { clip: Some(clip), name, choice: PoseChoice::Clips(mix), times }
    };
    Ok(clips.iter().map(motion).collect())
}
