//! `sinew view-page`: one page that shows a model in every mode, or two exports of it, in three dimensions.

use std::collections::HashMap;
use std::ffi::OsStr;
use std::sync::Arc;

use crate::analysis::corpus::{
    Asset, Finding, Scene as Place, Shot, compare, inspect, model_section, model_spots, pair_page, pair_view,
    vertex,
};
use crate::analysis::report::{Beside, page_with, view};
use crate::cli::args::ViewPageArgs;
use crate::cli::commands::report::measure;
use crate::cli::commands::report::pictures::{self, NEAR, SIZE};
use crate::cli::machine::vulkan;
use crate::cli::subject::closeup;
use crate::cli::subject::open::{self, Digests};
use crate::cli::terminal::failure::Failure;
use crate::cli::terminal::waiting::Waiting;
use crate::image::{Difference, Image, Notes, png_bytes};
use crate::model::{Model, VertexIndex};
use crate::output::{self, Closed, Inputs};
use crate::render::Renderer;
use crate::scene::Scene;
use crate::skinning::pose::PoseChoice;
use crate::skinning::{Drawn, SkinningMode, diagonal};

/// Maximum number of findings with pictures.
const MAX_SHOTS: usize = 12;

/// Writes the page.
pub fn run(args: &ViewPageArgs, mut inputs: Inputs) -> Result<(), Failure> {
    let given = open::shown(&args.model);
    let (model, digests) = read(args, &args.model, &mut inputs)?;
    let new = match &args.new {
        Some(new) => Some((open::shown(new), read(args, new, &mut inputs)?.0)),
        None => None,
    };
    let inputs = inputs.close();
    let out = inputs.output(&args.output)?;
    let page = match &new {
        Some((name, new)) => pair(args, [&given, name], [&model, new])?,
        None => single(args, &given, &model, &digests, &inputs)?,
    };
    let written = output::write(&out, |stream| stream.write_all(page.as_bytes()));
    written.map_err(|cause| Failure::output(out.path(), cause))
}

fn read(args: &ViewPageArgs, given: &OsStr, inputs: &mut Inputs) -> Result<(Arc<Model>, Digests), Failure> {
    let open::Read { model, digests, files: _ } = open::model_and_digests(given, &args.load, inputs)?;
    open::check_kept(&model, given)?;
    Ok((Arc::new(model), digests))
}

/// Makes the page of one model: its report, and what `sinew corpus check` finds in it.
fn single(
    args: &ViewPageArgs,
    given: &str,
    model: &Arc<Model>,
    digests: &Digests,
    inputs: &Closed,
) -> Result<String, Failure> {
    let mut report = measure(&args.plan, model, given, inputs)?;
    let _waiting = Waiting::begin(&format!("drawing the page of {given}"));
    let Asset { findings, .. } = inspect(model, args.level);
    let mut kept: HashMap<String, Vec<u8>> = HashMap::new();
    let mut keep = |file: &str, bytes: Vec<u8>| {
        kept.insert(file.to_owned(), bytes);
        Ok(())
    };
    let mut add = |renderer: Option<&mut Renderer>| {
        pictures::add(&mut report, model, (digests, &args.load), renderer, &mut keep)
            .map_err(|failure| failure.about(given))
    };
    let shots = match args.no_pictures {
        true => add(None).map(|()| Vec::new())?,
        false => vulkan::with_renderer(&args.vulkan, |renderer| {
            add(Some(&mut *renderer))?;
            shots(renderer, &[("bind pose", model)], &findings, |finding| {
                let poses = finding.place.iter().map(|_| PoseChoice::Bind);
                (vertex(finding, model), poses.collect())
            })
        })?,
    };
    let script = view(&report, model, model_spots(&findings, &report, model)).script();
    let findings = model_section(&findings, report.worst.len(), &shots);
    Ok(page_with(&report, &Beside::Here { script: &script, pictures: &kept, findings: &findings }))
}

/// Makes the page of two exports.
fn pair(args: &ViewPageArgs, names: [&str; 2], models: [&Arc<Model>; 2]) -> Result<String, Failure> {
    let _waiting = Waiting::begin(&format!("comparing {} and {}", names[0], names[1]));
    let [old, new] = models;
    let asset = compare(old, new, args.level);
    let place = |finding: &Finding| {
        let place = Place::of(finding, [old, new]);
        (place.vertex, place.poses().to_vec())
    };
    let shots = match args.no_pictures || asset.findings.is_empty() {
        true => Vec::new(),
        false => vulkan::with_renderer(&args.vulkan, |renderer| {
            shots(renderer, &[("old", old), ("new", new)], &asset.findings, place)
        })?,
    };
    Ok(pair_page(names, &asset, &pair_view([old, new], &asset), &shots))
}

/// Draws the models at the vertex and in the poses of each finding, and the difference of two models.
fn shots(
    renderer: &mut Renderer,
    models: &[(&'static str, &Arc<Model>)],
    findings: &[Finding],
    place: impl Fn(&Finding) -> (Option<VertexIndex>, Vec<PoseChoice>),
) -> Result<Vec<Vec<Shot>>, Failure> {
    let Some((_, first)) = models.first().filter(|_| !findings.is_empty()) else { return Ok(Vec::new()) };
    let mode = SkinningMode::authored(first).unwrap_or_default();
    let diagonal_m = diagonal(first, &Drawn::new(first));
    let mut gpu = Vec::new();
    for (title, model) in models {
        gpu.push((*title, renderer.upload(Arc::clone(model))?));
    }
    let shot = |title, image: &Image| -> Result<Shot, Failure> {
        let png = png_bytes(image, &Notes::default());
        Ok(Shot { title, png: png.map_err(|cause| Failure::output("picture".as_ref(), cause))? })
    };
    let mut all = Vec::new();
    for finding in findings.iter().take(MAX_SHOTS) {
        let (vertex, poses) = place(finding);
        let pose = poses.first().unwrap_or(&PoseChoice::Rest);
        let camera = closeup::at_vertex(first, mode, pose, vertex, diagonal_m, NEAR..=NEAR);
        let (mut images, mut own) = (Vec::new(), Vec::new());
        for ((title, gpu), pose) in gpu.iter_mut().zip(poses) {
            let scene = Scene { mode, camera: camera.clone(), pose, size: SIZE, ..Scene::new("") };
            renderer.draw(gpu, &scene)?;
            let image = renderer.read()?;
            own.push(shot(title, &image)?);
            images.push(image);
        }
        if let [old, new] = images.as_slice()
            && let Ok(difference) = Difference::between(old, new)
        {
            own.push(shot("difference", &difference.picture(old.width))?);
        }
        all.push(own);
    }
    Ok(all)
}
