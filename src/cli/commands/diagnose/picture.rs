//! `sinew diagnose --like PICTURE`: finds the fault that looks most like a picture.

#![allow(clippy::disallowed_methods, reason = "adds each file that it reads to the inputs")]

use crate::writing::write_json_pretty;
use std::io::{self, Write};
use std::sync::Arc;

use crate::camera::Viewpoint;
use crate::check::{Case, Severity};
use crate::golden::diagnose::{Outline, Suspect, likeness};
use crate::image::read_png;
use crate::look::{Background, Look, Quality, Samples};
use crate::model::Model;
use crate::output::{Inputs, Role};
use crate::render::{GpuModel, Renderer};
use crate::scene::{Scene, visible_view};
use crate::view::View;
use rayon::prelude::*;
use serde::Serialize;

use crate::cli::args::DiagnoseArgs;
use crate::cli::machine::vulkan;
use crate::cli::subject::open;
use crate::cli::subject::pose;
use crate::cli::terminal::check::Check;
use crate::cli::terminal::failure::Failure;
use crate::cli::terminal::print::{plain, print};

/// The longer side of the outlines that are compared, and that of the largest pictures they are drawn from.
const SIDE: u32 = 480;
const DRAWN: u32 = 1920;

/// The minimum number of pixels of a picture's sides.
const LEAST: u32 = 16;

/// The likeness from which a picture looks like a suspect, and that from which it does somewhat.
const ALIKE: f64 = 0.8;
const SOMEWHAT: f64 = 0.65;

/// The gap of likeness below which the second suspect is named as well.
const CLOSE: f64 = 0.01;

/// Everything that the command prints.
#[derive(Serialize)]
struct Diagnosis {
    model: String,
    picture: String,
    /// True if the picture was moved and scaled onto each suspect, because none is alike as it is.
    aligned: bool,
    /// Most alike first.
    suspects: Vec<Finding>,
    /// The names of faults that change nothing here.
    unseen: Vec<&'static str>,
}

/// The likeness of the picture to one suspect.
#[derive(Serialize)]
struct Finding {
    name: &'static str,
    likeness: f64,
    looks: &'static str,
    cause: &'static str,
    cure: &'static str,
    command: String,
}

/// Compares the picture with all faults.
pub fn run(args: &DiagnoseArgs, mut inputs: Inputs) -> Result<(), Failure> {
    let given = open::shown(&args.model);
    inputs.add(&args.like, Role::Actual)?;
    let picture = args.like.display().to_string();
    let fault = |cause: String| Failure::Input { file: picture.clone(), cause: plain(&cause) };
    let image = read_png(&args.like).map_err(|error| fault(error.to_string()))?;
    let size = [image.width, image.height];
    if size.iter().any(|side| *side < LEAST) {
        return Err(fault(format!("it has fewer than {LEAST} pixels per side, too few for an outline")));
    }
    let theirs = Outline::readings(&image.thinned(within(DRAWN, size)));
    let theirs = theirs.map(|outline| outline.resized(within(SIDE, size)));
    if theirs.iter().all(Outline::is_empty) {
        return Err(fault("it shows only background".to_owned()));
    }
    let model = open::model(&args.model, &args.load, &mut inputs)?;
    open::check_kept(&model, &args.model)?;
    let scene = scene(args, &model, size, &mut inputs)?;
    let kinds: Vec<&str> =
        Suspect::all().skip(1).map(|suspect| suspect.symptom().name).chain([UNLIKE]).collect();
    let check = Check::new(&args.check, &kinds, None, &inputs.close())?;
    let model = Arc::new(model);
    let (shown, unseen): (Vec<Suspect>, Vec<Suspect>) =
        Suspect::all().partition(|suspect| suspect.shows(&model, &scene));
    let drawn = vulkan::with_renderer(&args.vulkan, |renderer| draw(renderer, &model, &scene, &shown))?;
    let measured = |aligned: bool| -> Vec<Finding> {
        let one = |(suspect, scene, ours): &(Suspect, Scene, Outline)| {
            finding(*suspect, scene, best(&theirs, ours, aligned))
        };
        drawn.par_iter().map(one).collect()
    };
    let mut suspects = measured(false);
    let aligned = suspects.iter().all(|suspect| suspect.likeness < ALIKE);
    if aligned {
        suspects = measured(true);
    }
    suspects.sort_by(|a, b| b.likeness.total_cmp(&a.likeness));
    let unseen = unseen.into_iter().map(|suspect| suspect.symptom().name).collect();
    let diagnosis = Diagnosis { model: given, picture, aligned, suspects, unseen };
    print(|out| match args.json {
        true => write_json_pretty(out, &diagnosis),
        false => text(&diagnosis, out),
    })?;
    let cases = [case(&diagnosis)];
    check.write(&format!("diagnose {}", diagnosis.model), &cases)?;
    check.judge(&diagnosis.model, &cases)
}

/// The kind of finding for a picture that resembles no suspect.
const UNLIKE: &str = "unlike";

/// The picture as a case: without a finding if it looks like the right one as much as like any other.
fn case(diagnosis: &Diagnosis) -> Case {
    let Diagnosis { picture, suspects, .. } = diagnosis;
    let Some(first) = suspects.first().filter(|first| first.likeness >= SOMEWHAT) else {
        return Case::new(picture, Severity::Error, UNLIKE, "nothing looks much like it");
    };
    let right = Suspect::Right.symptom().name;
    if first_ones(suspects).any(|finding| finding.name == right) {
        return Case::new(picture, Severity::Fine, right, "");
    }
    let message = format!("{:.0} % alike: {}", first.likeness * 100.0, first.cause);
    let command = format!("{} --screenshot {}.png", first.command, first.name);
    Case::new(picture, Severity::Error, first.name, message).shown_by(command)
}

/// Returns the most similar suspect, and those too close to distinguish from it.
fn first_ones(suspects: &[Finding]) -> impl Iterator<Item = &Finding> {
    let most = suspects.first().map_or(0.0, |first| first.likeness);
    suspects.iter().take_while(move |other| most - other.likeness <= CLOSE)
}

/// The likeness to the reading that comes nearest, as it is or also moved and scaled.
fn best(theirs: &[Outline], ours: &Outline, aligned: bool) -> f64 {
    // A reading without a figure is none.
    let readings = theirs.iter().filter(|theirs| !theirs.is_empty());
    let of = |theirs: &Outline| {
        let moved = if aligned { likeness(&theirs.aligned_to(ours), ours) } else { 0.0 };
        likeness(theirs, ours).max(moved)
    };
    readings.map(of).fold(0.0, f64::max)
}

fn finding(suspect: Suspect, scene: &Scene, likeness: f64) -> Finding {
    let symptom = suspect.symptom();
    Finding {
        name: symptom.name,
        likeness,
        looks: symptom.looks,
        cause: symptom.cause,
        cure: symptom.cure,
        command: scene.to_string(),
    }
}

/// The size, brought to a longer side of `most` if that is more.
fn within(most: u32, size: [u32; 2]) -> [u32; 2] {
    let longer = u64::from(size[0].max(size[1]).max(1));
    let shorter = u64::from(most).min(longer);
    size.map(|side| (u64::from(side) * shorter / longer).max(1) as u32)
}

/// The right picture: the model as the other program should show it.
fn scene(args: &DiagnoseArgs, model: &Model, size: [u32; 2], inputs: &mut Inputs) -> Result<Scene, Failure> {
    let pose = pose::pose(&args.posed, &args.model, model, inputs)?;
    if visible_view(View::Shaded, model) != View::Shaded || model.skins.is_empty() {
        let cause = "it has no mesh with a skin, so it cannot show faults of skinning".to_owned();
        return Err(Failure::Input { file: open::shown(&args.model), cause });
    }
    Ok(Scene {
        mode: args.mode.of(model),
        camera: open::viewpoint(&args.camera, &args.model, model, &pose)?,
        pose,
        size,
        ..Scene::new(args.load.files(open::shown(&args.model)))
    })
}

/// Draws the outline of each suspect, from the viewpoint of the right picture. Returns the scene that shows it, too.
fn draw(
    renderer: &mut Renderer,
    model: &Arc<Model>,
    right: &Scene,
    suspects: &[Suspect],
) -> Result<Vec<(Suspect, Scene, Outline)>, Failure> {
    let mut gpu = renderer.upload_framed(Arc::clone(model), right)?;
    let settled = settled(&mut gpu, right);
    let mut draw = |&suspect: &Suspect| {
        let shown = suspect.scene(right);
        // Another pose would be framed anew.
        let camera = if shown.pose == right.pose { right.camera.clone() } else { settled.clone() };
        let shown = Scene { camera, ..shown };
        // Smooth edges would cost the outline more than rough ones do.
        let look = Look {
            quality: Quality::Draft,
            samples: Some(Samples::One),
            background: Background::Transparent,
            ..Look::default()
        };
        let outline = Scene {
            camera: settled.clone(),
            size: within(DRAWN, right.size),
            look,
            legend: false,
            ..shown.clone()
        };
        renderer.draw(&mut gpu, &outline)?;
        let outline = Outline::of(&renderer.read()?).resized(within(SIDE, right.size));
        Ok((suspect, shown, outline))
    };
    suspects.iter().map(&mut draw).collect()
}

/// The viewpoint of the right picture, with all values resolved.
pub(crate) fn settled(gpu: &mut GpuModel, right: &Scene) -> Viewpoint {
    match &right.camera {
        Viewpoint::Orbit(orbit) => {
            let orbit = orbit.facing(gpu.broad_side(right));
            orbit.settled(gpu.hull_of(right), right.size).into()
        }
        camera @ Viewpoint::InFile { .. } => camera.clone(),
    }
}

fn text(diagnosis: &Diagnosis, out: &mut dyn Write) -> io::Result<()> {
    let Diagnosis { model, picture, aligned, suspects, unseen } = diagnosis;
    writeln!(out, "{}, against {} in {} ways:", plain(picture), plain(model), suspects.len())?;
    if *aligned {
        writeln!(
            out,
            "(no figure is alike as it is; each was compared after a shift and a scale, which hide double-mesh-node)"
        )?;
    }
    writeln!(out)?;
    for Finding { name, likeness, looks, .. } in suspects {
        writeln!(out, "  {:3.0} %  {name:<18} {looks}", likeness * 100.0)?;
    }
    if !unseen.is_empty() {
        writeln!(out, "\nThese change no outline in this pose and mode: {}", unseen.join(", "))?;
    }
    let Some(first) = suspects.first() else { return Ok(()) };
    writeln!(out)?;
    if first.likeness < SOMEWHAT {
        return writeln!(out, "Nothing looks much like it. {ADVICE}");
    }
    let how = if first.likeness < ALIKE { "looks somewhat like" } else { "looks like" };
    for finding in first_ones(suspects) {
        writeln!(out, "It {how} {}.", finding.name)?;
        writeln!(out, "  Cause: {}.", finding.cause)?;
        writeln!(out, "  Cure:  {}.", finding.cure)?;
        writeln!(out, "  Shown by: {} --screenshot {}.png", plain(&finding.command), finding.name)?;
    }
    match first.likeness < ALIKE {
        true => writeln!(out, "For more certainty: {ADVICE}"),
        false => Ok(()),
    }
}

/// Advice that helps to find a fault.
const ADVICE: &str =
    "Give the pose and the camera of the picture: --clip, --time, --camera, --target, --fov.";
