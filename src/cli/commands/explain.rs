//! `sinew explain`: explains the position of one vertex in a pose.

use crate::writing::write_json_pretty;
use std::sync::Arc;

use crate::analysis::explain::{Explanation, add_stored, explain, text};
use crate::camera::Orbit;
use crate::model::gltf::StoredVertex;
use crate::model::{Model, VertexIndex, VertexName};
use crate::output::Inputs;
use crate::overlay::Overlays;
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
    let vertex = match (&args.vertex, args.pixel) {
        (Some(vertex), _) => find(*vertex, &model, &given)?,
        (None, Some(pixel)) => under(pixel, args, &model, &choice)?,
        (None, None) => return Err(Failure::Usage("give --vertex or --pixel".to_owned())),
    };
    let stored = match stored(&model, vertex) {
        Some(stored) => open::stored_influences(&args.model, &args.load, stored, &mut inputs)?,
        None => Vec::new(),
    };
    let inputs = inputs.close();
    let output = args.output.as_ref().map(|out| inputs.output(out).map(drop).map(|()| out)).transpose()?;
    needs::prepare(&model, SkinningMode::ALL, &inputs);
    let mut posed = Pose::default();
    posed.set(&model, &choice);
    let mut explanation = explain(&model, &posed, vertex)
        .map_err(|error| Failure::Input { file: given.clone(), cause: format!("--vertex: {error}") })?;
    add_stored(&mut explanation, &stored);
    print(|out| match args.json {
        true => write_json_pretty(out, &Document { model: &given, explanation }),
        false => text::lines(&explanation).iter().try_for_each(|line| writeln!(out, "{}", plain(line))),
    })?;
    match output {
        Some(out) => {
            let scene = picture(args, &model, choice, vertex)?;
            let ready = Ready { model, other: None, digests, inputs, scene, sequence: None, lossy: None };
            let still = Output::Still(out.clone());
            vulkan::with_renderer(&args.vulkan, |renderer| ready.draw(renderer, &still))
        }
        None => Ok(()),
    }
}

/// The skeleton over the surface, and the joints that move the vertex; a close-up, unless flags set the camera.
fn picture(
    args: &ExplainArgs,
    model: &Model,
    pose: PoseChoice,
    vertex: VertexIndex,
) -> Result<Scene, Failure> {
    let camera = match (&args.camera.camera, &args.camera.target) {
        (CameraChoice::Orbit(orbit), None) if *orbit == Orbit::default() => {
            let diagonal_m = diagonal(model, &Drawn::new(model));
            closeup::at_vertex(model, args.mode.of(model), &pose, Some(vertex), diagonal_m, CLOSE..=CLOSE)
        }
        _ => open::viewpoint(&args.camera, &args.model, model, &pose)?,
    };
    Ok(Scene {
        mode: args.mode.of(model),
        pose,
        camera,
        size: args.size,
        overlays: Overlays { skeleton: true, ..Overlays::default() },
        explained: Some(VertexName::of(model, vertex)),
        ..Scene::new(args.load.files(open::shown(&args.model)))
    })
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

/// The vertex that the picture shows nearest to a pixel.
fn under(
    pixel: [f64; 2],
    args: &ExplainArgs,
    model: &Arc<Model>,
    pose: &PoseChoice,
) -> Result<VertexIndex, Failure> {
    open::check_kept(model, &args.model)?;
    let camera = open::viewpoint(&args.camera, &args.model, model, pose)?;
    let given = open::shown(&args.model);
    let size = args.size;
    let scene = Scene {
        mode: args.mode.of(model),
        pose: pose.clone(),
        camera,
        size,
        ..Scene::new(args.load.files(given.clone()))
    };
    let hit = vulkan::with_renderer(&args.vulkan, |renderer| {
        let mut gpu = renderer.upload_framed(Arc::clone(model), &scene)?;
        Ok(renderer.pick(&mut gpu, &scene, DVec2::from_array(pixel)))
    })?;
    let [x, y] = pixel;
    hit.map(|hit| hit.nearest).ok_or_else(|| Failure::Input {
        file: given,
        cause: format!("--pixel {x},{y}: no surface is there in a picture of {}x{} pixels", size[0], size[1]),
    })
}
