//! `sinew [MODEL] --panel --screenshot OUT`: draws the window with its panel into a picture, without opening one.

use std::path::Path;
use std::sync::Arc;

use crate::output::Inputs;
use crate::render::MAX_AT_ONCE;
use crate::skinning::SkinningMode;
use crate::viewer::still;

use crate::cli::args::PictureArgs;
use crate::cli::args::output::Output;
use crate::cli::commands::picture;
use crate::cli::machine::vulkan;
use crate::cli::subject::needs;
use crate::cli::subject::open;
use crate::cli::terminal::failure::Failure;
use crate::cli::window::viewer;

/// Draws the window as it would open, and writes the picture.
pub fn run(args: &PictureArgs, out: &Path, mut inputs: Inputs) -> Result<(), Failure> {
    let output = picture::where_to(&args.output, out)?;
    let fits = args.size.iter().all(|side| (240..=MAX_AT_ONCE).contains(side));
    if !fits || !matches!(output, Output::Still(_)) {
        let cause = format!("--panel needs a single picture of 240 to {MAX_AT_ONCE} pixels a side");
        return Err(Failure::Usage(cause));
    }
    let prepare = move || {
        let open::Read { model, digests, files: _ } =
            open::model_and_digests(&args.subject.model, &args.subject.load, &mut inputs)?;
        let scene = picture::scene_of_window(args, &model, &mut inputs)?;
        let other = picture::other(args, &scene, &model, &mut inputs)?;
        let inputs = inputs.close();
        let start = viewer::start(args, &model)?;
        needs::prepare(&model, SkinningMode::ALL, &inputs);
        picture::fits(&output, &scene)?;
        let place = inputs.output(out)?;
        Ok((Arc::new(model), other, digests, scene, start, place))
    };
    vulkan::with_renderer_while(
        &args.vulkan,
        prepare,
        |renderer, (model, other, digests, scene, start, place)| {
            let mut gpu = renderer.upload_framed(model, &scene)?;
            renderer.upload_other(&mut gpu, other.as_ref().map(|other| &other.model))?;
            let image = still(renderer, &mut gpu, &scene, start.clone())
                .map_err(|error| Failure::from(error).about(&scene.files.model))?;
            let command = format!("{scene}{}", start.flags(gpu.model()));
            let notes = picture::notes(
                &digests,
                other.as_ref().map(|other| &other.digests),
                renderer,
                (&scene, command),
            );
            picture::write(&image, &notes, args.output.lossy, &place)
                .map_err(|cause| Failure::output(out, cause))
        },
    )
}
