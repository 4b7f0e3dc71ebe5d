//! `sinew [MODEL]`: a picture of a model.
//! It must not know how pictures are drawn or written.

use std::sync::Arc;

use sinew::image::write_png;
use sinew::model::Model;
use sinew::render::Renderer;
use sinew::scene::Scene;

use super::args::{PictureArgs, PictureSkinner};
use super::{Failure, open, vulkan};

/// Draws one picture and writes it.
pub fn run(args: &PictureArgs) -> Result<(), Failure> {
    let model = Arc::new(open::model(&args.subject.model, &args.subject.load)?);
    let scene = scene(args, &model)?;
    let Some(out) = &args.screenshot else {
        return Err(Failure::Usage(
            "the viewer is not there yet; write a picture with --screenshot OUT.png".to_owned(),
        ));
    };
    tracing::info!("{scene}");
    let draw = |renderer: &mut Renderer| {
        let mut gpu = renderer.upload(model)?;
        renderer.draw(&mut gpu, &scene)?;
        let image = renderer.read()?;
        for time in renderer.pass_times()? {
            tracing::info!("pass {}: {:.3} ms on the GPU", time.pass, time.millis);
        }
        Ok(image)
    };
    let image = vulkan::with_renderer(&args.vulkan, |renderer| {
        draw(renderer).map_err(|failure: Failure| failure.about(&scene.model))
    })?;
    write_png(&image, out).map_err(|cause| Failure::output(out, cause))
}

/// What the flags ask for.
pub fn scene(args: &PictureArgs, model: &Model) -> Result<Scene, Failure> {
    let most = match args.skin {
        PictureSkinner::Gpu => open::MOST_DRAWN,
        PictureSkinner::Cpu => open::MOST_KEPT,
    };
    open::check_size(model, &args.subject.model, most)?;
    Ok(Scene {
        model: open::shown(&args.subject.model),
        scene: args.subject.load.scene.clone(),
        allow_outside: args.subject.load.allow_outside,
        mode: args.subject.mode,
        skin: args.skin.into(),
        pose: open::pose(&args.subject, model)?,
        camera: open::viewpoint(args, model)?,
        size: args.size,
    })
}
