//! The scenes that are measured: those of pictures with the same flags.

use std::ffi::OsString;

use crate::model::Model;
use crate::output::Inputs;
use crate::scene::Scene;
use crate::skinning::SkinningMode;

use crate::cli::args::{BenchArgs, Cli, one_line};
use crate::cli::commands::picture;
use crate::cli::terminal::failure::Failure;

/// Returns the scene of a run.
pub fn scene(
    args: &BenchArgs,
    model: &Model,
    mode: SkinningMode,
    crowd: Option<u32>,
    is_against: bool,
    inputs: &mut Inputs,
) -> Result<Scene, Failure> {
    let mut flags: Vec<(&str, Option<String>)> = vec![
        ("mode", Some(mode.name().to_owned())),
        ("crowd", crowd.map(|count| count.to_string())),
        ("clip", args.clip.clone()),
        ("pose", args.pose.clone()),
        ("skin", args.skin.clone()),
        // Kernels read slots from separate buffers.
        ("palette", args.palette.clone().filter(|_| args.only.is_none())),
        ("size", Some(args.size.clone())),
        ("quality", args.quality.clone()),
        ("msaa", args.msaa.clone()),
    ];
    for (key, value) in args.against.iter().filter(|_| is_against).flat_map(|against| &against.words) {
        flags.retain(|(known, _)| known != key);
        flags.push((key, Some(value.clone())));
    }
    let given = flags.into_iter().filter_map(|(key, value)| Some(format!("--{key}={}", value?)));
    let words = ["sinew".into()].into_iter().chain(given.map(OsString::from));
    let words = words.chain(["--".into(), args.model.clone()]);
    let mut cli = Cli::read(words).map_err(|error| Failure::Usage(one_line(&error.to_string())))?;
    cli.picture.subject.load = args.load.clone();
    picture::scene(&cli.picture, model, inputs)
}
