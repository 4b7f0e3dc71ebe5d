//! Draws the worst places of a report in every mode, and writes the commands that show them.

use std::collections::HashMap;
use std::sync::Arc;

use super::folder::picture;
use crate::analysis::measure::at;
use crate::analysis::report::{Picture, Report, Worst};
use crate::camera::Viewpoint;
use crate::cli::args::LoadArgs;
use crate::cli::commands::picture::notes;
use crate::cli::subject::closeup;
use crate::cli::subject::open::Digests;
use crate::cli::terminal::failure::Failure;
use crate::image::png_bytes;
use crate::model::gltf::sha256;
use crate::model::{Model, VertexName};
use crate::render::Renderer;
use crate::scene::{Arrangement, Scene};
use crate::skinning::SkinningMode;
use crate::skinning::pose::PoseChoice;

/// Width and height of a picture.
pub const SIZE: [u32; 2] = [320, 240];

/// The camera's distance from a place, in diagonals of the model.
pub const NEAR: f64 = 0.45;

/// Receives a picture with its file name.
pub type Keep<'a> = dyn FnMut(&str, Vec<u8>) -> Result<(), Failure> + 'a;

/// Adds commands and, with a renderer, pictures, each of which `keep` receives with its file name.
pub fn add(
    report: &mut Report,
    model: &Arc<Model>,
    (digests, load): (&Digests, &LoadArgs),
    renderer: Option<&mut Renderer>,
    keep: &mut Keep<'_>,
) -> Result<(), Failure> {
    let diagonal_m = report.diagonal_m;
    let scenes: Vec<Scene> =
        report.worst.iter().map(|worst| scene(worst, &report.model, model, load, diagonal_m)).collect();
    let modes: Vec<SkinningMode> = report.own_modes().filter_map(|mode| mode.mode.parse().ok()).collect();
    for (worst, scene) in report.worst.iter_mut().zip(&scenes) {
        worst.command = command(scene, &modes);
    }
    let Some(renderer) = renderer.filter(|_| !scenes.is_empty()) else { return Ok(()) };
    let mut gpu = renderer.upload(Arc::clone(model))?;
    let mut drawn: HashMap<String, (String, String)> = HashMap::new();
    for (number, (worst, scene)) in report.worst.iter_mut().zip(&scenes).enumerate() {
        for &mode in &modes {
            let scene = Scene { mode, ..scene.clone() };
            let line = scene.to_string();
            let (file, digest) = match drawn.get(&line) {
                Some(known) => known.clone(),
                None => {
                    let file = picture(number + 1, mode);
                    renderer.draw(&mut gpu, &scene)?;
                    let image = renderer.read()?;
                    let notes = notes(digests, None, renderer, (&scene, line.clone()));
                    let bytes =
                        png_bytes(&image, &notes).map_err(|cause| Failure::output(file.as_ref(), cause))?;
                    let digest = sha256(&bytes);
                    keep(&file, bytes)?;
                    drawn.insert(line, (file.clone(), digest.clone()));
                    (file, digest)
                }
            };
            let [width, height] = SIZE;
            worst.pictures.push(Picture { mode: mode.to_string(), file, width, height, digest });
        }
    }
    Ok(())
}

/// The place in the middle of the picture, in its mode.
fn scene(worst: &Worst, given: &str, model: &Model, load: &LoadArgs, diagonal_m: f64) -> Scene {
    let mode: SkinningMode = worst.mode.parse().unwrap_or_default();
    let motion = worst.found.clip.map_or(PoseChoice::Rest, |clip| PoseChoice::clip(clip, 0.0));
    let pose = at(&motion, worst.found.time);
    Scene {
        mode,
        camera: viewpoint(worst, mode, model, &pose, diagonal_m),
        pose,
        size: SIZE,
        ..Scene::new(load.files(given))
    }
}

fn viewpoint(
    worst: &Worst,
    mode: SkinningMode,
    model: &Model,
    choice: &PoseChoice,
    diagonal_m: f64,
) -> Viewpoint {
    let name = worst.found.at.as_ref().and_then(|place| place.vertex.parse::<VertexName>().ok());
    let vertex = name.and_then(|name| name.find(model).ok());
    closeup::at_vertex(model, mode, choice, vertex, diagonal_m, NEAR..=NEAR)
}

/// The command that shows the place in all modes, in the default size.
fn command(scene: &Scene, modes: &[SkinningMode]) -> String {
    let others: Vec<SkinningMode> = modes.iter().copied().filter(|mode| *mode != scene.mode).collect();
    let arrangement = if others.is_empty() { Arrangement::Single } else { Arrangement::Split(others) };
    let size = Scene::new("").size;
    Scene { size, arrangement, ..scene.clone() }.to_string()
}
