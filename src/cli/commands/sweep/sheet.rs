//! Draws a sweep as a contact sheet: a row for each mode, a column for each angle, and charts below.

use std::sync::Arc;

use crate::analysis::metric::{Metric, Unit};
use crate::analysis::sweep::{Measures, Sweep, metrics};
use crate::analysis::turns::turned;
use crate::camera::Orbit;
use crate::cli::args::{CameraChoice, SweepArgs};
use crate::cli::commands::picture::notes;
use crate::cli::machine::vulkan;
use crate::cli::subject::closeup;
use crate::cli::subject::open::{self, Digests};
use crate::cli::terminal::failure::Failure;
use crate::image::{Image, ImageError, write_png_with};
use crate::length::digits;
use crate::model::Model;
use crate::output::{self, Output};
use crate::overlay::{COLORS, Chart, Curve, draw_charts, draw_text};
use crate::render::MAX_AT_ONCE;
use crate::scene::{Arrangement, Change, Scene};
use crate::skinning::SkinningMode;
use crate::skinning::pose::PoseChoice;

use super::Plan;
use super::table::length_unit;

/// The most and the fewest pixels that a picture of the sheet is wide and high.
const CELL: [u32; 2] = [200, 60];

/// The height of the charts, and the least width of one.
const CHART: [u32; 2] = [260, 240];

/// The minimum height of a chart's axis: one per cent of its reference.
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
        Ok((renderer.read()?, notes(digests, None, renderer, (&scene, command))))
    })
    .map_err(|failure: Failure| failure.about(&given))?;
    let sheet = below(image, sentence, charts(sweep));
    output::write(out, |file| write_png_with(&sheet, &notes, file))
        .map_err(|cause: ImageError| Failure::output(out.path(), cause))
}

fn scene(args: &SweepArgs, model: &Model, plan: &Plan, sweep: &Sweep) -> Result<Scene, Failure> {
    let columns = sweep.steps.len().max(1) as u32;
    let modes = &plan.measured.modes;
    let rows = modes.len().max(1) as u32;
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
    let panes = modes.iter().flat_map(|&mode| sweep.steps.iter().map(move |step| pane(mode, step.degrees)));
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
    let SweepArgs { joint, steps, mush, .. } = args;
    let Plan { axis, range: [from, to], .. } = plan;
    let quoted = |word: &str| format!("'{}'", word.replace('\'', r"'\''"));
    let modes: Vec<&str> = args.modes.iter().map(|mode| mode.name()).collect();
    let modes = if modes.is_empty() { String::new() } else { format!(" --modes {}", modes.join(",")) };
    let against = args.against();
    let mush = match against.mush().and(mush.mush_settings) {
        Some(settings) => format!(" --mush-settings {settings}"),
        None => String::new(),
    };
    let against = against.name();
    format!(
        "sinew sweep {}{} --joint={} --axis {axis} --range={from}..{to} --steps {steps}{modes} --against {against}{mush}",
        quoted(&open::shown(&args.model)),
        args.load.files("").flags(),
        quoted(joint)
    )
}

/// Returns a chart of each metric that has one, with a curve for each mode.
fn charts(sweep: &Sweep) -> Vec<Chart> {
    let titled: Vec<(Metric, &str)> =
        metrics().filter_map(|metric| Some((metric, metric.facts().chart?))).collect();
    let (per_metre, unit) = length_unit(sweep, &titled).factor_and_name();
    let chart = |(metric, title): &(Metric, &str)| {
        let is_length = metric.facts().unit == Unit::Metres;
        let factor = if is_length { per_metre } else { 1.0 };
        let title = title.replace("{joint}", &sweep.joint).replace("{against}", sweep.against);
        let title = if is_length { format!("{title} ({unit})") } else { title };
        let modes = sweep.steps.first().map_or(0, |step| step.modes.len());
        let curves: Vec<Curve> = (0..modes).map(|mode| curve(sweep, mode, (*metric, factor))).collect();
        let has_points = curves.iter().flat_map(|curve| &curve.points).any(|point| point[1].is_finite());
        let least = LEAST * metric.whole(&sweep.scale) * factor;
        has_points.then(|| Chart { title, along: "degrees".to_owned(), least, curves })
    };
    titled.iter().filter_map(chart).collect()
}

/// Returns the curve of the mode with this number.
fn curve(sweep: &Sweep, mode: usize, (metric, factor): (Metric, f64)) -> Curve {
    let measures = || sweep.steps.iter().filter_map(move |step| Some((step.degrees, step.modes.get(mode)?)));
    let point = |(degrees, found): (f64, &Measures)| {
        [degrees, found.value(metric).map_or(f64::NAN, |value| value * factor)]
    };
    let name = measures().next().map_or("", |(_, found)| found.mode);
    let points = measures().map(point).collect();
    Curve { name: name.to_owned(), color: COLORS[mode % COLORS.len()], points }
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
