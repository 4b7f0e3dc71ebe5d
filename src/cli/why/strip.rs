//! The strip: the joint in its worst frame, in each mode side by side.

use std::sync::Arc;

use crate::analysis::why::{Answer, ModeAnswer};
use crate::camera::Orbit;
use crate::cli::args::{CameraChoice, WhyArgs};
use crate::cli::closeup;
use crate::cli::failure::Failure;
use crate::cli::open::{self, Digests};
use crate::cli::picture::notes;
use crate::cli::vulkan;
use crate::image::write_png_with;
use crate::model::Model;
use crate::output::Output;
use crate::scene::{Arrangement, Change, Scene};
use crate::skinning::SkinningMode;

use super::text::percent;

/// Width and height of a picture of the strip.
const CELL: u32 = 320;

/// The scene of the strip.
pub fn scene(args: &WhyArgs, model: &Model, answer: &Answer) -> Result<Scene, Failure> {
    let pose = answer.pose();
    let camera = match (&args.camera.camera, &args.camera.target) {
        (CameraChoice::Orbit(orbit), None) if *orbit == Orbit::default() => {
            closeup::at_joint(model, answer.node, std::slice::from_ref(&pose), args.camera.lens())
        }
        _ => open::viewpoint(&args.camera, &args.model, model, &pose)?,
    };
    let pane = |found: &ModeAnswer| Change {
        flags: format!("mode={}", found.mode),
        caption: format!("{} {}", found.mode, percent(found.kept)),
        mode: found.mode.parse().ok(),
        ..Change::default()
    };
    let panes: Vec<Change> = answer.modes.iter().map(pane).collect();
    Ok(Scene {
        mode: mode(answer),
        pose,
        camera,
        size: [CELL * panes.len().max(1) as u32, CELL],
        arrangement: Arrangement::Storyboard(panes),
        ..args.load.scene(open::shown(&args.model))
    })
}

/// The command that shows the same in a window, with the mode that looks broken first.
pub fn command(scene: &Scene, answer: &Answer) -> String {
    let first = mode(answer);
    let others = answer.modes.iter().filter_map(|found| found.mode.parse().ok());
    let others: Vec<SkinningMode> = others.filter(|mode| *mode != first).collect();
    let arrangement = if others.is_empty() { Arrangement::Single } else { Arrangement::Split(others) };
    Scene { mode: first, arrangement, ..scene.clone() }.to_string()
}

/// Draws and writes it.
pub fn draw(
    args: &WhyArgs,
    model: Arc<Model>,
    scene: &Scene,
    (digests, command): (&Digests, String),
    out: &Output,
) -> Result<(), Failure> {
    let (image, notes) = vulkan::with_renderer(&args.vulkan, |renderer| {
        let mut gpu = renderer.upload_framed(Arc::clone(&model), scene)?;
        renderer.draw(&mut gpu, scene)?;
        Ok((renderer.read()?, notes(digests, None, renderer.device().physical(), (scene, command))))
    })
    .map_err(|failure: Failure| failure.about(&scene.model))?;
    write_png_with(&image, &notes, out).map_err(|cause| Failure::output(out.path(), cause))
}

fn mode(answer: &Answer) -> SkinningMode {
    answer.mode.parse().unwrap_or_default()
}
