//! Draws a sweep as a contact sheet: a row for each mode, a column for each angle, and charts below.

use std::sync::Arc;

use crate::analysis::sweep::{Measures, Sweep, turned};
use crate::camera::Orbit;
use crate::cli::args::{CameraChoice, SweepArgs};
use crate::cli::failure::Failure;
use crate::cli::open::{self, Digests};
use crate::cli::picture::notes;
use crate::cli::vulkan;
use crate::image::{Image, write_png_with};
use crate::length::{Unit, digits};
use crate::model::Model;
use crate::output::Output;
use crate::overlay::{COLORS, Chart, Curve, draw_charts};
use crate::render::MOST_AT_ONCE;
use crate::scene::{Arrangement, Change, Scene};
use crate::skinning::SkinningMode;

use super::viewpoint::at_joint;

/// The most and the fewest pixels that a picture of the sheet is wide and high.
const CELL: [u32; 2] = [200, 60];

/// The height of the charts, and the least width of one.
const CHART: [u32; 2] = [260, 240];

/// Draws and writes the sheet.
pub fn draw(
    args: &SweepArgs,
    model: Arc<Model>,
    node: usize,
    modes: &[SkinningMode],
    sweep: &Sweep,
    digests: &Digests,
    out: &Output,
) -> Result<(), Failure> {
    let given = open::shown(&args.model);
    let scene = scene(args, &model, node, modes, sweep)?;
    let (image, notes) = vulkan::with_renderer(&args.vulkan, |renderer| {
        let mut gpu = renderer.upload_framed(Arc::clone(&model), &scene.pose)?;
        renderer.draw(&mut gpu, &scene)?;
        Ok((renderer.read()?, notes(digests, None, renderer.device().physical(), (&scene, command(args)))))
    })
    .map_err(|failure: Failure| failure.about(&given))?;
    let sheet = below(image, charts(sweep));
    write_png_with(&sheet, &notes, out).map_err(|cause| Failure::output(out.path(), cause))
}

fn scene(
    args: &SweepArgs,
    model: &Model,
    node: usize,
    modes: &[SkinningMode],
    sweep: &Sweep,
) -> Result<Scene, Failure> {
    let columns = sweep.steps.len().max(1) as u32;
    let rows = modes.len().max(1) as u32;
    let cell = (MOST_AT_ONCE / columns.max(rows)).clamp(CELL[1], CELL[0]);
    let rest = turned(model, node, args.axis, 0.0);
    let camera = match (&args.camera.camera, &args.camera.target) {
        (CameraChoice::Orbit(orbit), None) if *orbit == Orbit::default() => {
            let degrees = sweep.steps.iter().map(|step| step.degrees);
            at_joint(model, (node, args.axis), degrees, args.camera.lens())
        }
        _ => open::viewpoint(&args.camera, &args.model, model, &rest)?,
    };
    let pane = |mode: SkinningMode, degrees: f64| Change {
        caption: format!("{mode} {}°", digits(degrees)),
        mode: Some(mode),
        pose: Some(turned(model, node, args.axis, degrees)),
        ..Change::default()
    };
    let panes = modes.iter().flat_map(|&mode| sweep.steps.iter().map(move |step| pane(mode, step.degrees)));
    Ok(Scene {
        pose: rest,
        camera,
        size: [columns * cell, rows * cell],
        arrangement: Arrangement::Storyboard(panes.collect()),
        ..args.load.scene(open::shown(&args.model))
    })
}

/// The command line that makes the sheet again.
fn command(args: &SweepArgs) -> String {
    let SweepArgs { joint, axis, range: [from, to], steps, against, .. } = args;
    let quoted = |word: &str| format!("'{}'", word.replace('\'', r"'\''"));
    let modes: Vec<&str> = args.modes.iter().map(|mode| mode.name()).collect();
    let modes = if modes.is_empty() { String::new() } else { format!(" --modes {}", modes.join(",")) };
    format!(
        "sinew sweep {}{} --joint={} --axis {axis} --range={from}..{to} --steps {steps}{modes} --against {against}",
        quoted(&open::shown(&args.model)),
        args.load.scene("").load_flags(),
        quoted(joint)
    )
}

fn charts(sweep: &Sweep) -> Vec<Chart> {
    let distances = sweep.steps.iter().flat_map(|step| &step.modes).map(|measures| measures.distance_max_m);
    let (per_metre, unit) = Unit::of(distances).factor_and_name();
    let of = |title: &str, number: &dyn Fn(&Measures) -> Option<f64>| {
        let modes = sweep.steps.first().map_or(0, |step| step.modes.len());
        let curve = |mode: usize| {
            let measures =
                || sweep.steps.iter().filter_map(move |step| Some((step.degrees, step.modes.get(mode)?)));
            let points =
                measures().map(|(degrees, found)| [degrees, number(found).unwrap_or(f64::NAN)]).collect();
            let name = measures().next().map_or("", |(_, found)| found.mode);
            Curve { name: name.to_owned(), color: COLORS[mode % COLORS.len()], points }
        };
        let curves: Vec<Curve> = (0..modes).map(curve).collect();
        let has_points = curves.iter().flat_map(|curve| &curve.points).any(|point| point[1].is_finite());
        let chart = Chart { title: title.to_owned(), along: "degrees".to_owned(), curves };
        has_points.then_some(chart)
    };
    [
        of("smallest section", &|m| m.section.as_ref().map(|section| section.smallest)),
        of("volume", &|m| m.volume.as_ref().map(|volume| volume.smallest)),
        of("stretch p99", &|m| m.stretch.map(|stretch| stretch.p99)),
        of("triangles turned", &|m| Some(m.turned as f64)),
        of(&format!("distance to {} ({unit})", sweep.against), &|m| Some(m.distance_max_m * per_metre)),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// Puts the charts below the pictures.
fn below(mut image: Image, charts: Vec<Chart>) -> Image {
    let [tall, least] = CHART;
    let in_row = (image.width / least).clamp(1, charts.len().max(1) as u32) as usize;
    for row in charts.chunks(in_row) {
        let charts = draw_charts(row, image.width, tall);
        image.rgba.extend_from_slice(&charts.rgba);
        image.height += charts.height;
    }
    image
}
