//! The picture of a fit: the wanted deformation, linear blending as it was and as it is, and the difference that is left.

use std::path::Path;
use std::sync::Arc;

use crate::cli::args::FitArgs;
use crate::cli::args::output::Output;
use crate::cli::commands::picture::{Other, Ready};
use crate::cli::machine::vulkan;
use crate::cli::subject::open::Digests;
use crate::cli::terminal::failure::Failure;
use crate::export::Export;
use crate::export::bake::Targets;
use crate::fit::Target;
use crate::length::round_up_finely;
use crate::model::{Clip, Model, gltf};
use crate::output::Closed;
use crate::pairing::clip_name;
use crate::scene::{Arrangement, Change, Files, Scene};
use crate::skinning::pose::{Pose, PoseChoice};
use crate::skinning::{Normals, SkinningMode, posed};
use crate::view::{Against, Difference, OTHER, View};

use super::Job;
use super::measure::Row;

/// Width and height of a pane.
const PANE: u32 = 480;

/// The seconds after the worst frame at which the other model shows linear blending as it was.
const LATER_SECS: f64 = 1.0;

/// Draws the worst frame of all clips.
pub fn draw(args: &FitArgs, job: &Job, rows: &[Row], out: &Path, inputs: Closed) -> Result<(), Failure> {
    let worst = rows.iter().filter_map(|row| {
        let (before, after) = (row.sides.first()?, row.sides.get(1)?);
        Some((row.clip?, before.figures, after.figures))
    });
    let worst = worst.max_by(|a, b| a.1.max_m.total_cmp(&b.1.max_m));
    let Some((clip, before, after)) = worst else { return Ok(()) };
    let time = before.worst.map_or(0.0, |(time, _)| time);
    let other = wanted(job, clip, time).map_err(|cause| Failure::Input { file: job.given.clone(), cause })?;
    let scene = scene(job, clip, time, after.max_m);
    let none = || Digests { authored: None, model: String::new(), files: None, clips: None };
    let ready = Ready {
        model: Arc::clone(&job.read),
        other: Some(Other { model: Arc::new(other), digests: none() }),
        digests: none(),
        inputs,
        scene,
        sequence: None,
        lossy: None,
    };
    let output = Output::Still(out.to_owned());
    ready.check(&output)?;
    vulkan::with_renderer(&args.vulkan, |renderer| ready.draw(renderer, &output))
}

/// A model that shows the wanted deformation at a time, and linear blending as it was a second later.
fn wanted(job: &Job, clip: usize, time: f64) -> Result<Model, String> {
    let mode = match job.target {
        Target::Frames(frames) => return Ok(frames.model.clone()),
        Target::Mode(mode) => mode,
    };
    let mut pose = Pose::default();
    pose.set(job.subject, &PoseChoice::clip(clip, time));
    let mut targets: Option<Targets> = None;
    for mode in [mode, SkinningMode::Linear] {
        let primitives = posed::skin_model(job.subject, mode, &pose);
        let export = Export {
            given: &job.given,
            model: job.subject,
            mode,
            normals: Normals::default(),
            pose: PoseChoice::clip(clip, time),
            on: "cpu",
            primitives: &primitives,
        };
        match &mut targets {
            None => {
                let times = [0.0, LATER_SECS];
                targets = Some(Targets::new(&export, &times).map_err(|error| error.to_string())?);
            }
            Some(targets) => targets.push(&export).map_err(|error| error.to_string())?,
        }
    }
    let Model { materials, pictures, .. } = job.subject;
    let name = clip_name(job.subject, clip);
    let glb = targets.map(|targets| targets.glb(&name, materials.clone(), pictures.clone()));
    let glb = glb.transpose().map_err(|error| error.to_string())?.unwrap_or_default();
    let mut model = gltf::load_bytes(&glb, None).map_err(|error| error.to_string())?;
    // The clip holds the first frame until the worst time.
    for channel in model.clips.iter_mut().flat_map(|clip| &mut clip.channels) {
        channel.times.iter_mut().for_each(|secs| *secs += time as f32);
    }
    model.clips.iter_mut().for_each(|clip| clip.duration_secs += time as f32);
    let named = model.clips.pop().map(|made| Clip {
        name: job.subject.clips.get(clip).map(|clip| clip.name.clone()).unwrap_or_default(),
        ..made
    });
    // Clips without names pair by number.
    model.clips = vec![Clip::default(); clip];
    model.clips.extend(named);
    Ok(model)
}

fn scene(job: &Job, clip: usize, time: f64, left_m: f64) -> Scene {
    let pose = |time: f64| PoseChoice::clip(clip, time);
    let lbs = SkinningMode::Linear;
    let pane = |caption: String, other: bool, time: f64| Change {
        flags: if other { format!("mode={lbs} {OTHER}") } else { format!("mode={lbs}") },
        caption,
        other,
        mode: Some(lbs),
        pose: Some(pose(time)),
        ..Change::default()
    };
    let top_m = Some(round_up_finely(left_m)).filter(|top| *top > 0.0);
    let difference = Change {
        view: Some(View::Difference(Difference { against: Against::Other, top_m })),
        ..pane("difference".to_owned(), false, time)
    };
    let as_it_was = match job.target {
        Target::Mode(_) => Some(pane("lbs before".to_owned(), true, time + LATER_SECS)),
        Target::Frames(_) => None,
    };
    let panes: Vec<Change> = [pane(job.what().to_owned(), true, time)]
        .into_iter()
        .chain(as_it_was)
        .chain([pane("lbs after".to_owned(), false, time), difference])
        .collect();
    let files = Files { model: job.out.clone(), other: Some(job.what().to_owned()), ..Files::default() };
    Scene {
        mode: lbs,
        pose: pose(time),
        size: [PANE * panes.len() as u32, PANE],
        arrangement: Arrangement::Storyboard(panes),
        ..Scene::new(files)
    }
}
