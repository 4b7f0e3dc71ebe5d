//! `sinew explain`: explains the position of one vertex in a pose.

use crate::writing::write_json_pretty;
use std::sync::Arc;

use crate::analysis::explain::{Explanation, Sight, add_stored, explain, text};
use crate::camera::{Camera, Orbit};
use crate::model::gltf::StoredVertex;
use crate::model::{Model, VertexIndex, VertexName};
use crate::output::Inputs;
use crate::overlay::Overlays;
use crate::render::Figure;
use crate::scene::Scene;
use crate::skinning::SkinningMode;
use crate::skinning::pose::{Pose, PoseChoice};
use crate::skinning::{Drawn, diagonal};
use glam::DVec2;
use serde::Serialize;

use crate::cli::args::output::Output;
use crate::cli::args::{CameraChoice, ExplainArgs, VertexChoice};
use crate::cli::commands::picture::Ready;
use crate::cli::machine::vulkan;
use crate::cli::subject::closeup;
use crate::cli::subject::needs;
use crate::cli::subject::open;
use crate::cli::subject::pose;
use crate::cli::terminal::failure::Failure;
use crate::cli::terminal::print::{plain, print};

#[derive(Serialize)]
struct Document<'a> {
    model: &'a str,
    #[serde(flatten)]
    explanation: Explanation,
}

/// Explains the vertex.
pub fn run(args: &ExplainArgs, mut inputs: Inputs) -> Result<(), Failure> {
    let given = open::shown(&args.model);
    let open::Read { model, digests, files: _ } =
        open::model_and_digests(&args.model, &args.load, &mut inputs)?;
    let model = Arc::new(model);
    let choice = pose::pose(&args.posed, &args.model, &model, &mut inputs)?;
    let scene = seen(args, &model, &choice)?;
    let mut figure = Figure::new(Arc::clone(&model));
    let mut posed = Pose::default();
    posed.set(&model, &choice);
    let vertex = match (&args.vertex, args.pixel) {
        (Some(vertex), _) => find(*vertex, &model, &given)?,
        (None, Some(pixel)) => {
            open::check_kept(&model, &args.model)?;
            under(&mut figure, &scene, &posed, pixel)?
        }
        (None, None) => return Err(Failure::Usage("give --vertex or --pixel".to_owned())),
    };
    let stored = match stored(&model, vertex) {
        Some(stored) => open::stored_influences(&args.model, &args.load, stored, &mut inputs)?,
        None => Vec::new(),
    };
    let inputs = inputs.close();
    let output = args.output.as_ref().map(|out| inputs.output(out).map(drop).map(|()| out)).transpose()?;
    needs::prepare(&model, SkinningMode::ALL, &inputs);
    // The camera of the picture that is written, or else that of the flags.
    let scene = if output.is_some() { picture(args, &model, scene, vertex) } else { scene };
    let not_drawn = |error| Failure::Input { file: given.clone(), cause: format!("--vertex: {error}") };
    let mut explanation = explain(&model, &posed, vertex).map_err(not_drawn)?;
    let Camera { view_from_world, clip_from_view, .. } = figure.camera(&scene, &posed);
    let sight = Sight { view_from_world, clip_from_view, size: scene.size };
    explanation.add_screen(&model, &posed, vertex, scene.mode, &sight).map_err(not_drawn)?;
    add_stored(&mut explanation, &stored);
    print(|out| match args.json {
        true => write_json_pretty(out, &Document { model: &given, explanation }),
        false => text::lines(&explanation).iter().try_for_each(|line| writeln!(out, "{}", plain(line))),
    })?;
    match output {
        Some(out) => {
            let ready = Ready { model, other: None, digests, inputs, scene, sequence: None, lossy: None };
            let still = Output::Still(out.clone());
            vulkan::with_renderer(&args.vulkan, |renderer| ready.draw(renderer, &still))
        }
        None => Ok(()),
    }
}

/// The skeleton over the surface, and the joints that move the vertex; a close-up, unless flags set the camera.
fn picture(args: &ExplainArgs, model: &Model, seen: Scene, vertex: VertexIndex) -> Scene {
    let camera = match (&args.camera.camera, &args.camera.target) {
        (CameraChoice::Orbit(orbit), None) if *orbit == Orbit::default() => {
            let diagonal_m = diagonal(model, &Drawn::new(model));
            closeup::at_vertex(model, seen.mode, &seen.pose, Some(vertex), diagonal_m, CLOSE..=CLOSE)
        }
        _ => seen.camera.clone(),
    };
    Scene {
        overlays: Overlays { skeleton: true, ..Overlays::default() },
        explained: Some(VertexName::of(model, vertex)),
        camera,
        ..seen
    }
}

/// The camera's distance from the vertex, in diagonals of the model.
const CLOSE: f64 = 0.6;

/// The vertex as the file numbers it.
fn stored(model: &Model, vertex: VertexIndex) -> Option<StoredVertex> {
    let mesh = model.instances.get(vertex.instance)?.mesh;
    let primitive = model.meshes.get(mesh)?.primitives.get(vertex.primitive)?.file_index;
    Some(StoredVertex { mesh, primitive, vertex: vertex.vertex })
}

fn find(choice: VertexChoice, model: &Model, given: &str) -> Result<VertexIndex, Failure> {
    let fault =
        |cause: String| Failure::Input { file: given.to_owned(), cause: format!("--vertex: {cause}") };
    let name = match choice {
        VertexChoice::Named(name) => name,
        VertexChoice::Bare(vertex) => {
            let mut drawn = drawn(model);
            let (Some(VertexName { primitive, .. }), None) = (drawn.next(), drawn.next()) else {
                let example =
                    self::drawn(model).next().map_or_else(String::new, |name| format!(", such as {name}"));
                return Err(fault(format!(
                    "a number alone is not enough, because the model does not draw exactly one primitive; \
                     name the vertex{example}"
                )));
            };
            primitive.vertex(vertex)
        }
    };
    name.find(model).map_err(|error| fault(error.to_string()))
}

/// The first vertex of everything that is drawn.
fn drawn(model: &Model) -> impl Iterator<Item = VertexName> + '_ {
    model.instances.iter().enumerate().flat_map(move |(instance, drawn)| {
        let count = model.meshes.get(drawn.mesh).map_or(0, |mesh| mesh.primitives.len());
        (0..count).map(move |primitive| VertexName::of(model, VertexIndex { instance, primitive, vertex: 0 }))
    })
}

/// The scene of the picture that the flags make.
fn seen(args: &ExplainArgs, model: &Model, pose: &PoseChoice) -> Result<Scene, Failure> {
    Ok(Scene {
        mode: args.mode.of(model),
        pose: pose.clone(),
        camera: open::viewpoint(&args.camera, &args.model, model, pose)?,
        size: args.size,
        ..Scene::new(args.load.files(open::shown(&args.model)))
    })
}

/// Places around a pixel, in pixels.
const NEAR: [[f64; 2]; 8] =
    [[0.5, 0.0], [-0.5, 0.0], [0.0, 0.5], [0.0, -0.5], [0.7, 0.7], [-0.7, 0.7], [0.7, -0.7], [-0.7, -0.7]];

/// The vertex that the picture shows nearest to a pixel.
fn under(figure: &mut Figure, scene: &Scene, pose: &Pose, pixel: [f64; 2]) -> Result<VertexIndex, Failure> {
    let ([x, y], [width, height]) = (pixel, scene.size);
    if x >= f64::from(width) || y >= f64::from(height) {
        let cause =
            format!("--pixel is outside of a picture of {width}x{height} pixels; --size sets its size");
        return Err(Failure::Usage(cause));
    }
    // A corner at the rim of the surface may be just beside it.
    let near = NEAR.iter().map(|offset| DVec2::from_array(pixel) + DVec2::from_array(*offset));
    let hit =
        std::iter::once(DVec2::from_array(pixel)).chain(near).find_map(|at| figure.pick(scene, pose, at));
    hit.map(|hit| hit.nearest).ok_or_else(|| Failure::Input {
        file: scene.files.model.clone(),
        cause: format!("--pixel {x},{y}: no surface is there in a picture of {width}x{height} pixels"),
    })
}
