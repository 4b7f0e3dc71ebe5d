//! The strip: the joint in its worst frame, in each mode side by side.

use std::sync::Arc;

use crate::analysis::why::{Answer, ModeAnswer, Moment};
use crate::camera::Orbit;
use crate::cli::args::{CameraChoice, WhyArgs};
use crate::cli::commands::picture::notes;
use crate::cli::machine::vulkan;
use crate::cli::subject::closeup;
use crate::cli::subject::open::{self, Digests};
use crate::cli::terminal::failure::Failure;
use crate::image::{ImageError, write_png_with};
use crate::model::Model;
use crate::output::{self, Output};
use crate::scene::{Arrangement, AtFrame, Change, Scene};
use crate::skinning::SkinningMode;
use crate::skinning::pose::PoseChoice;

use super::text::percent;

/// Width and height of a picture of the strip.
const CELL: u32 = 320;

/// Times are rounded to a millionth of a second, if they are not short.
const STEPS_PER_SECOND: f64 = 1e6;

/// The scene of the strip.
pub fn scene(args: &WhyArgs, model: &Model, answer: &Answer) -> Result<Scene, Failure> {
    let pose = pose(model, &answer.worst);
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
        ..Scene::new(args.load.files(open::shown(&args.model)))
    })
}

/// The pose of a frame, at a time that is short to write.
fn pose(model: &Model, moment: &Moment) -> PoseChoice {
    let of_frame = moment.frame.map(|frame| frame / model.frame_rate());
    let time = of_frame.unwrap_or_else(|| short(moment.time));
    moment.clip.map_or(PoseChoice::Rest, |clip| PoseChoice::clip(clip, time))
}

/// A time with few digits next to the given one, and not before it, since a key may begin there.
fn short(time: f64) -> f64 {
    let near = (time as f32).to_string().parse().unwrap_or(time);
    match (0.0..=1.0 / STEPS_PER_SECOND).contains(&(near - time)) {
        true => near,
        false => (time * STEPS_PER_SECOND).ceil() / STEPS_PER_SECOND,
    }
}

/// The command that shows the same in a window, with the mode that looks broken first. Its time is a frame where the file
/// counts frames.
pub fn command(scene: &Scene, answer: &Answer) -> String {
    let first = mode(answer);
    let others = answer.modes.iter().filter_map(|found| found.mode.parse().ok());
    let others: Vec<SkinningMode> = others.filter(|mode| *mode != first).collect();
    let arrangement = if others.is_empty() { Arrangement::Single } else { Arrangement::Split(others) };
    let scene = Scene { mode: first, arrangement, ..scene.clone() };
    match answer.worst.frame {
        Some(frame) => AtFrame { scene: &scene, frame }.to_string(),
        None => scene.to_string(),
    }
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
        Ok((renderer.read()?, notes(digests, None, renderer, (scene, command))))
    })
    .map_err(|failure: Failure| failure.about(&scene.files.model))?;
    output::write(out, |file| write_png_with(&image, &notes, file))
        .map_err(|cause: ImageError| Failure::output(out.path(), cause))
}

fn mode(answer: &Answer) -> SkinningMode {
    answer.mode.parse().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_short_and_not_before_the_frame() {
        for (time, expected) in [
            (f64::from(0.9_f32), "0.9"),
            (f64::from(1.458_333_4_f32), "1.4583334"),
            (29.0 / 30.0, "0.966667"),
            (1000.0 / 3.0, "333.333334"),
            (0.0, "0"),
        ] {
            let short = short(time);
            assert!(short >= time && short - time < 2e-6, "{time}: {short}");
            assert_eq!(short.to_string(), expected);
        }
    }
}
