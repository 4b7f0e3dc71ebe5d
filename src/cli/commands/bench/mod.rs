//! `sinew bench`: draws frames without writing them, or only skins, and prints the cost. Each row is printed as soon as it is
//! measured.

mod copying;
mod measure;
mod print;
mod rows;
mod settings;
mod skin;

use std::sync::Arc;

use crate::output::Inputs;
use crate::scene::Scene;

use self::measure::{Measured, Rig};
use self::print::{Head, Run, heading, lines};
use self::rows::Rows;
use self::settings::scene;
use crate::cli::args::BenchArgs;
use crate::cli::machine::vulkan;
use crate::cli::subject::needs;
use crate::cli::subject::open;
use crate::cli::terminal::failure::Failure;
use crate::skinning::{Needs, SkinningMode};

/// Measures frames, or skinning alone.
pub fn run(args: &BenchArgs, inputs: Inputs) -> Result<(), Failure> {
    args.check().map_err(Failure::Usage)?;
    if args.only.is_some() { skin::run(args, inputs) } else { frames(args, inputs) }
}

/// Measures every mode with every number of figures, each in the settings of the flags and in those they are compared
/// with.
fn frames(args: &BenchArgs, mut inputs: Inputs) -> Result<(), Failure> {
    let prepare = move || {
        let model = open::model(&args.model, &args.load, &mut inputs)?;
        let mut cases = Vec::new();
        let modes = if args.modes.is_empty() { &[SkinningMode::Linear] } else { args.modes.as_slice() };
        for &mode in modes {
            for crowd in args.crowds() {
                let mut settings = vec![scene(args, &model, mode, crowd, false, &mut inputs)?];
                if args.against.is_some() {
                    settings.push(scene(args, &model, mode, crowd, true, &mut inputs)?);
                }
                cases.push(settings);
            }
        }
        let needs = cases.iter().flatten().map(Scene::needs).fold(Needs::default(), Needs::and);
        needs::prepare_needs(needs, &model, &inputs.close());
        Ok((Arc::new(model), cases))
    };
    vulkan::with_renderer_while(&args.vulkan, prepare, |renderer, (model, cases)| {
        let physical = renderer.device().physical();
        let copy_gb_per_s = copying::gigabytes_per_second();
        let head = Head { device: physical.name.clone(), driver: physical.driver.clone(), copy_gb_per_s };
        let mut rows = Rows::begin(args.json, &head, |out| heading(&head, out))?;
        let against = args.against.as_ref().map(|against| against.text.as_str());
        for scenes in cases {
            let measured: Vec<Measured> = Rig::new(renderer, &model, scenes)?.measure(args.frames)?;
            let runs: Vec<Run> =
                measured.into_iter().map(|measured| Run::new(&measured, args.frames)).collect();
            rows.add(&runs, |out| lines(&runs, against, copy_gb_per_s, out))?;
        }
        rows.end(print::FOOT)
    })
}
