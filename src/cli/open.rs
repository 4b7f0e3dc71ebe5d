//! Opens the model that the user named, and finds the clips.
//! It must not know what is done with them.

use std::ffi::OsStr;
use std::path::Path;

use clap::CommandFactory;
use sinew::model::{Model, builtin, gltf};
use sinew::pose::{Blend, ClipMix, PoseChoice};

use super::args::{BlendClip, Cli, PoseName, SubjectArgs};
use super::{Failure, say};

/// What marks a built-in model.
const BUILTIN: &str = "builtin:";

/// Loads a file or a built-in model and says what was repaired.
pub fn model(given: &OsStr) -> Result<Model, Failure> {
    let shown = shown(given);
    let fault = |cause: String| Failure::Input { file: shown.clone(), cause };
    let model = match given.to_str().and_then(|given| given.strip_prefix(BUILTIN)) {
        Some(name) => {
            let glb = builtin::glb(name).map_err(|error| fault(error.to_string()))?;
            gltf::load_bytes(&glb, None)
        }
        None if is_misplaced_command(given) => {
            return Err(Failure::Usage(format!(
                "there is no file '{shown}'; the command goes first: sinew {shown} …"
            )));
        }
        None => gltf::load(Path::new(given)),
    }
    .map_err(|error| fault(error.to_string()))?;
    for warning in &model.warnings {
        say(&format!("warning: {shown}: {}: {}", warning.path, warning.message));
    }
    Ok(model)
}

/// As it was given, near enough to print.
pub fn shown(given: &OsStr) -> String {
    given.to_string_lossy().into_owned()
}

/// Whether flags before a command have made a file name of it.
fn is_misplaced_command(given: &OsStr) -> bool {
    Cli::command().get_subcommands().any(|command| command.get_name() == given) && !Path::new(given).exists()
}

/// The pose the flags ask for; without any, the first clip, or rest.
pub fn pose(args: &SubjectArgs, model: &Model) -> Result<PoseChoice, Failure> {
    match args.pose {
        Some(PoseName::Bind) => return Ok(PoseChoice::Bind),
        Some(PoseName::Rest) => return Ok(PoseChoice::Rest),
        None => {}
    }
    let find = |asked: &str| {
        let failure = || Failure::Input { file: shown(&args.model), cause: no_clip(model, asked) };
        clip(model, asked).ok_or_else(failure)
    };
    let blend = |asked: &BlendClip| Ok(Blend { clip: find(&asked.clip)?, weight: asked.weight });
    let mut clips = args.clip.iter().map(|asked| find(asked)).collect::<Result<Vec<_>, Failure>>()?;
    let blends = args.blend_clip.iter().map(blend).collect::<Result<Vec<_>, Failure>>()?;
    if clips.is_empty() {
        if model.clips.is_empty() {
            return Ok(PoseChoice::Rest);
        }
        clips.push(0);
    }
    Ok(PoseChoice::Clips(ClipMix { clips, blends, time_secs: args.time }))
}

/// By name first: a clip may be called "2".
fn clip(model: &Model, asked: &str) -> Option<usize> {
    let by_name = model.clips.iter().position(|clip| clip.name == asked);
    by_name.or_else(|| asked.parse().ok().filter(|&index: &usize| index < model.clips.len()))
}

fn no_clip(model: &Model, asked: &str) -> String {
    let clips: Vec<String> =
        model.clips.iter().enumerate().map(|(index, clip)| format!("{index} '{}'", clip.name)).collect();
    match clips.as_slice() {
        [] => format!("it has no clip '{asked}', and no clips at all"),
        _ => format!("it has no clip '{asked}', but {}", clips.join(", ")),
    }
}
