//! Draws a sweep as a contact sheet: a row for each mode, a column for each angle, and charts below.

use std::sync::Arc;

use crate::analysis::sweep::{Measures, Sweep};
use crate::analysis::turns::turned;
use crate::camera::Orbit;
use crate::cli::args::{CameraChoice, SweepArgs};
use crate::cli::commands::picture::notes;
use crate::cli::machine::vulkan;
use crate::cli::subject::closeup;
use crate::cli::subject::open::{self, Digests};
use crate::cli::terminal::failure::Failure;
use crate::image::{Image, ImageError, write_png_with};
use crate::length::{Unit, digits};
use crate::model::Model;
use crate::output::{self, Output};
use crate::overlay::{COLORS, Chart, Curve, draw_charts, draw_text};
use crate::render::MAX_AT_ONCE;
use crate::scene::{Arrangement, Change, Scene};
use crate::skinning::pose::PoseChoice;
use crate::skinning::{Drawn, SkinningMode, diagonal};

use super::Plan;

/// The most and the fewest pixels that a picture of the sheet is wide and high.
const CELL: [u32; 2] = [200, 60];

/// The height of the charts, and the least width of one.
const CHART: [u32; 2] = [260, 240];

/// The least height of a chart's axis: one per cent of what its numbers are measured against.
const LEAST: f64 = 0.01;

/// Draws and writes the sheet.
pub fn draw(
    args: &SweepArgs,
    model: Arc<Model>,
    plan: &Plan,
    (sweep, sentence): (&Sweep, Option<&str>),
    digests: &Digests,
    out: &Output,
) -> Result<(), Failure> {
    let given = open::shown(&args.model);
    let scene = scene(args, &model, plan, sweep)?;
    let (image, notes) = vulkan::with_renderer(&args.vulkan, |renderer| {
        let mut gpu = renderer.upload_framed(Arc::clone(&model), &scene)?;
        renderer.draw(&mut gpu, &scene)?;
        let command = command(args, plan);
        Ok((renderer.read()?, notes(digests, None, renderer.device().physical(), (&scene, command))))
    })
    .map_err(|failure: Failure| failure.about(&given))?;
    let wholes = Wholes::of(&model);
    let sheet = below(image, sentence, charts(sweep, &wholes));
    output::write(out, |file| write_png_with(&sheet, &notes, file))
        .map_err(|cause: ImageError| Failure::output(out.path(), cause))
}

/// Totals of lengths and counts.
struct Wholes {
    diagonal_m: f64,
    triangles: f64,
}

impl Wholes {
    fn of(model: &Model) -> Self {
        let drawn = model.instances.iter().filter_map(|instance| model.meshes.get(instance.mesh));
        let triangles: usize =
            drawn.flat_map(|mesh| &mesh.primitives).map(|primitive| primitive.indices.len() / 3).sum();
        Self { diagonal_m: diagonal(model, &Drawn::new(model)), triangles: triangles as f64 }
    }
}

fn scene(args: &SweepArgs, model: &Model, plan: &Plan, sweep: &Sweep) -> Result<Scene, Failure> {
    let columns = sweep.steps.len().max(1) as u32;
    let rows = plan.modes.len().max(1) as u32;
    let cell = (MAX_AT_ONCE / columns.max(rows)).clamp(CELL[1], CELL[0]);
    let at = |degrees: f64| turned(model, plan.node, plan.axis, degrees);
    let rest = at(0.0);
    let camera = match (&args.camera.camera, &args.camera.target) {
        (CameraChoice::Orbit(orbit), None) if *orbit == Orbit::default() => {
            let poses: Vec<PoseChoice> = sweep.steps.iter().map(|step| at(step.degrees)).collect();
            closeup::at_joint(model, plan.node, &poses, args.camera.lens())
        }
        _ => open::viewpoint(&args.camera, &args.model, model, &rest)?,
    };
    let pane = |mode: SkinningMode, degrees: f64| Change {
        caption: format!("{mode} {}°", digits(degrees)),
        mode: Some(mode),
        pose: Some(at(degrees)),
        ..Change::default()
    };
    let panes =
        plan.modes.iter().flat_map(|&mode| sweep.steps.iter().map(move |step| pane(mode, step.degrees)));
    Ok(Scene {
        pose: rest.clone(),
        camera,
        size: [columns * cell, rows * cell],
        arrangement: Arrangement::Storyboard(panes.collect()),
        ..Scene::new(args.load.files(open::shown(&args.model)))
    })
}

/// The command line that makes the sheet again.
fn command(args: &SweepArgs, plan: &Plan) -> String {
    let SweepArgs { joint, steps, against, .. } = args;
    let Plan { axis, range: [from, to], .. } = plan;
    let quoted = |word: &str| format!("'{}'", word.replace('\'', r"'\''"));
    let modes: Vec<&str> = args.modes.iter().map(|mode| mode.name()).collect();
    let modes = if modes.is_empty() { String::new() } else { format!(" --modes {}", modes.join(",")) };
    format!(
        "sinew sweep {}{} --joint={} --axis {axis} --range={from}..{to} --steps {steps}{modes} --against {against}",
        quoted(&open::shown(&args.model)),
        args.load.files("").flags(),
        quoted(joint)
    )
}

fn charts(sweep: &Sweep, wholes: &Wholes) -> Vec<Chart> {
    let distances = sweep.steps.iter().flat_map(|step| &step.modes).map(|measures| measures.distance_max_m);
    let (per_metre, unit) = Unit::of(distances).factor_and_name();
    let of = |title: &str, whole: f64, number: &dyn Fn(&Measures) -> Option<f64>| {
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
        let chart =
            Chart { title: title.to_owned(), along: "degrees".to_owned(), least: LEAST * whole, curves };
        has_points.then_some(chart)
    };
    [
        of(&format!("section at {}", sweep.joint), 1.0, &|m| {
            m.section.as_ref().map(|section| section.smallest)
        }),
        of("volume", 1.0, &|m| m.volume.as_ref().map(|volume| volume.smallest)),
        of("stretch p99", 1.0, &|m| m.stretch.map(|stretch| stretch.p99)),
        of("triangles turned", wholes.triangles, &|m| Some(m.turned as f64)),
        of(&format!("distance to {} ({unit})", sweep.against), wholes.diagonal_m * per_metre, &|m| {
            Some(m.distance_max_m * per_metre)
        }),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// Puts the sentence and the charts below the pictures.
fn below(mut image: Image, sentence: Option<&str>, charts: Vec<Chart>) -> Image {
    let [tall, least] = CHART;
    if let Some(sentence) = sentence {
        let text = draw_text(sentence, image.width);
        image.rgba.extend_from_slice(&text.rgba);
        image.height += text.height;
    }
    let in_row = (image.width / least).clamp(1, charts.len().max(1) as u32) as usize;
    for row in charts.chunks(in_row) {
        let charts = draw_charts(row, image.width, tall);
        image.rgba.extend_from_slice(&charts.rgba);
        image.height += charts.height;
    }
    image
}
