//! Draws the vertices of a program beside the expected ones.

use std::sync::Arc;

use crate::analysis::diagnose::overlay;
use crate::cli::args::VulkanArgs;
use crate::cli::commands::diagnose::settled;
use crate::cli::machine::vulkan;
use crate::cli::terminal::failure::Failure;
use crate::conformance::judge::Row;
use crate::conformance::{Case, Manifest, expected};
use crate::image::{Notes, png_bytes};
use crate::model::Model;
use crate::render::Renderer;
use crate::scene::Scene;
use crate::skinning::pose::PoseChoice;

/// Width and height of a picture.
pub const SIZE: [u32; 2] = [240, 180];

/// The maximum number of rows with pictures.
const MAX_ROWS: usize = 100;

/// Pictures of a row, as PNG.
pub struct Pictures {
    /// The row's index.
    pub row: usize,
    pub theirs: Vec<u8>,
    pub expected: Vec<u8>,
}

/// Draws the rows with a diagnosis.
pub fn draw(args: &VulkanArgs, manifest: &Manifest, rows: &[Row]) -> Result<Vec<Pictures>, Failure> {
    let shown: Vec<(usize, &Row)> =
        rows.iter().enumerate().filter(|(_, row)| row.answer.is_some()).take(MAX_ROWS).collect();
    if shown.is_empty() {
        return Ok(Vec::new());
    }
    vulkan::with_renderer(args, |renderer| {
        let drawn = shown.into_iter().filter_map(|(number, row)| {
            let case = manifest.cases.iter().find(|case| case.name == row.case)?;
            Some(pictures(renderer, case, row).map(|[theirs, expected]| Pictures {
                row: number,
                theirs,
                expected,
            }))
        });
        drawn.collect()
    })
}

fn pictures(renderer: &mut Renderer, case: &Case, row: &Row) -> Result<[Vec<u8>; 2], Failure> {
    let fault =
        |error: &dyn std::fmt::Display| Failure::Input { file: case.file.clone(), cause: error.to_string() };
    let model = Arc::new(expected::model(case).map_err(|error| fault(&error))?);
    let mode = row.mode.parse().map_err(|error: crate::skinning::UnknownMode| fault(&error))?;
    let pose = expected::choice(case, row.time.unwrap_or_default());
    let scene = Scene { mode, pose, size: SIZE, legend: false, ..Scene::new(case.file.as_str()) };
    let mut gpu = renderer.upload_framed(Arc::clone(&model), &scene)?;
    let scene = Scene { camera: settled(&mut gpu, &scene), ..scene };
    let right = png(renderer, gpu, &scene)?;
    let Some(answer) = &row.answer else { return Ok([Vec::new(), right]) };
    let theirs: Arc<Model> = Arc::new(overlay(&model, answer));
    let pose = if theirs.clips.is_empty() { PoseChoice::Rest } else { PoseChoice::clip(0, 0.0) };
    let gpu = renderer.upload(theirs)?;
    let wrong = png(renderer, gpu, &Scene { pose, ..scene })?;
    Ok([wrong, right])
}

fn png(renderer: &mut Renderer, mut gpu: crate::render::GpuModel, scene: &Scene) -> Result<Vec<u8>, Failure> {
    renderer.draw(&mut gpu, scene)?;
    let image = renderer.read()?;
    png_bytes(&image, &Notes::default())
        .map_err(|error| Failure::Input { file: scene.files.model.clone(), cause: error.to_string() })
}
