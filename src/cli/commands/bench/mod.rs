//! `sinew bench`: draws frames without writing them, and prints their cost.

mod copying;
mod measure;
mod print;

use std::ffi::OsString;
use std::sync::Arc;

use crate::model::Model;
use crate::output::Inputs;
use crate::scene::Scene;
use crate::skinning::SkinningMode;

use self::measure::{Measured, Rig};
use self::print::{Document, Run};
use crate::cli::args::{BenchArgs, Cli, one_line};
use crate::cli::commands::picture;
use crate::cli::machine::vulkan;
use crate::cli::subject::centers;
use crate::cli::subject::open;
use crate::cli::terminal::failure::Failure;
use crate::cli::terminal::print::print;

/// Measures every mode with every number of figures, each in the settings of the flags and in those they are compared
/// with.
pub fn run(args: &BenchArgs, mut inputs: Inputs) -> Result<(), Failure> {
    let prepare = move || {
        let model = open::model(&args.model, &args.load, &mut inputs)?;
        let mut cases = Vec::new();
        for &mode in &args.modes {
            let crowds: Vec<Option<u32>> = match args.crowd.as_slice() {
                [] => vec![None],
                counts => counts.iter().copied().map(Some).collect(),
            };
            for crowd in crowds {
                let mut settings = vec![scene(args, &model, mode, crowd, false, &mut inputs)?];
                if args.against.is_some() {
                    settings.push(scene(args, &model, mode, crowd, true, &mut inputs)?);
                }
                cases.push(settings);
            }
        }
        let needs_centers = cases.iter().flatten().any(Scene::needs_centers);
        centers::prepare_if(needs_centers, &model, &inputs.close());
        Ok((Arc::new(model), cases))
    };
    let document = vulkan::with_renderer_while(&args.vulkan, prepare, |renderer, (model, cases)| {
        let mut runs = Vec::new();
        for scenes in cases {
            let rig = Rig::new(renderer, &model, scenes)?;
            let measured: Vec<Measured> = rig.measure(args.frames)?;
            runs.push(measured.into_iter().map(|measured| Run::new(&measured, args.frames)).collect());
        }
        let physical = renderer.device().physical();
        Ok(Document {
            device: physical.name.clone(),
            driver: physical.driver.clone(),
            copy_gb_per_s: copying::gigabytes_per_second(),
            runs,
        })
    })?;
    print(|out| match args.json {
        true => document.write_json(out),
        false => document.write_table(out, args.against.as_ref().map(|against| against.text.as_str())),
    })
}

/// The scene of a run: that of the picture with the same flags.
fn scene(
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
        ("palette", args.palette.clone()),
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
