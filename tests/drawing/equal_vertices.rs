//! Models whose triangles share no vertex: equal vertices are shaded once, and no pixel shows it.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use crate::common;
use crate::proof::assert_same;
use crate::proven::renderer;

use std::sync::Arc;

use sinew::image::Image;
use sinew::look::Quality;
use sinew::model::{AlphaMode, Deltas, Influences, Model, Morphs, Primitive, Span};
use sinew::render::{GpuModel, Renderer, lay_out};
use sinew::scene::{Crowd, Processor, Scene};
use sinew::skinning::SkinningMode;
use sinew::skinning::pose::PoseChoice;
use sinew::view::View;

/// Returns the model with a vertex for each corner of each triangle, as files without indices have them.
fn in_corners(model: &Model) -> Model {
    let mut model = model.clone();
    for primitive in model.meshes.iter_mut().flat_map(|mesh| &mut mesh.primitives) {
        *primitive = of_corners(primitive);
        primitive.texcoords.resize(1, vec![[0.0; 2]; primitive.positions.len()]);
        primitive.texcoords.push(vec![[0.0; 2]; primitive.positions.len()]);
    }
    model
}

/// Returns the model with vertices that all differ, in a set of texture coordinates that nothing shows.
fn apart(model: &Model) -> Model {
    let mut model = model.clone();
    for primitive in model.meshes.iter_mut().flat_map(|mesh| &mut mesh.primitives) {
        let own = |vertex: usize| [vertex as f32, 0.0];
        primitive.texcoords[1] = (0..primitive.positions.len()).map(own).collect();
    }
    model
}

fn of_corners(primitive: &Primitive) -> Primitive {
    fn pick<T: Copy>(stream: &[T], corners: &[u32]) -> Vec<T> {
        corners.iter().map(|corner| stream[*corner as usize]).collect()
    }
    fn moved<const N: usize>(deltas: &Option<Deltas<N>>, corners: &[u32]) -> Option<Deltas<N>> {
        let deltas = deltas.as_ref()?;
        let count = deltas.targets.iter().max().map_or(0, |last| last + 1);
        let mut moves = vec![Vec::new(); count as usize];
        for (corner, &vertex) in (0..).zip(corners) {
            deltas.of(vertex as usize).for_each(|(target, by)| moves[target as usize].push((corner, by)));
        }
        Deltas::new(corners.len(), &moves)
    }
    let corners = &primitive.indices;
    let mut own = Primitive { indices: (0..corners.len() as u32).collect(), ..primitive.clone() };
    own.positions = pick(&primitive.positions, corners);
    own.normals = primitive.normals.as_ref().map(|normals| pick(normals, corners));
    own.tangents = primitive.tangents.as_ref().map(|tangents| pick(tangents, corners));
    own.texcoords = primitive.texcoords.iter().map(|texcoords| pick(texcoords, corners)).collect();
    own.colors = primitive.colors.as_ref().map(|colors| pick(colors, corners));
    own.shares = primitive.shares.as_ref().map(|shares| pick(shares, corners));
    own.influences = primitive.influences.as_ref().map(|influences| {
        let of_corners =
            |span: &Span| Span { joints: pick(&span.joints, corners), weights: pick(&span.weights, corners) };
        Influences { spans: influences.spans.iter().map(of_corners).collect() }
    });
    if let Some(morphs) = &mut own.morphs {
        morphs.positions = moved(&morphs.positions, corners);
        morphs.normals = moved(&morphs.normals, corners);
        morphs.tangents = moved(&morphs.tangents, corners);
        morphs.texcoords.iter_mut().for_each(|deltas| *deltas = moved(deltas, corners));
        morphs.colors = moved(&morphs.colors, corners);
    }
    own
}

/// Uploads a model of corners, and the same with vertices that all differ.
fn both(renderer: &Renderer, corners: &Model) -> [GpuModel; 2] {
    let apart = apart(corners);
    let reuses = |model: &Model| {
        let mut batches = model.meshes.iter().flat_map(|mesh| lay_out(mesh).1).flatten();
        batches.any(|batch| batch.drawn_offset != batch.index_offset)
    };
    assert!(reuses(corners) && !reuses(&apart));
    [corners.clone(), apart].map(|model| renderer.upload(Arc::new(model)).unwrap())
}

const PROCESSORS: [Processor; 3] = [Processor::Gpu, Processor::Cpu, Processor::Compute];

fn draw(renderer: &mut Renderer, gpu: &mut GpuModel, scene: &Scene) -> Image {
    renderer.draw(gpu, scene).unwrap();
    renderer.read().unwrap()
}

/// Every mode on every processor, alone and in crowds; one model is split over two palettes.
#[test]
fn figures_and_crowds_look_the_same() {
    let mut renderer = renderer();
    let models = [("strip", SkinningMode::ALL.len()), ("bend", 2), ("tube-513", 1)];
    for (number, (name, modes)) in models.into_iter().enumerate() {
        let [mut equal, mut apart] = both(&renderer, &in_corners(&common::builtin(name)));
        for (turn, mode) in SkinningMode::ALL.into_iter().take(modes).enumerate() {
            for (skin, crowd) in PROCESSORS.into_iter().flat_map(|skin| [(skin, None), (skin, Some(5))]) {
                let mut scene = common::scene(mode, PoseChoice::clip(0, 0.7), [96, 96]);
                scene.look.quality = Quality::ALL[(number + turn) % Quality::ALL.len()];
                scene.crowd = crowd.map(|count| Crowd { count, seed: 2 });
                scene.skin = skin;
                let [equal, apart] = [&mut equal, &mut apart].map(|gpu| draw(&mut renderer, gpu, &scene));
                assert_same(&equal, &apart, &format!("{name} {mode} {} {crowd:?}", skin.name()));
            }
        }
    }
    renderer.device().wait_idle().unwrap();
}

/// Every view, also of sums that differ where vertices are equal otherwise, after a crowd and with edges.
#[test]
fn views_of_vertices_look_the_same() {
    let mut renderer = renderer();
    let mut corners = in_corners(&common::builtin("strip"));
    let primitive = &mut corners.meshes[0].primitives[0];
    primitive.unequal_sums = (0..primitive.positions.len() as u32).step_by(2).map(|v| (v, 0.9)).collect();
    let [mut equal, mut apart] = both(&renderer, &corners);
    for (number, view) in View::all().into_iter().enumerate() {
        for skin in PROCESSORS {
            for crowd in [Some(5), None] {
                let mut scene = common::scene(SkinningMode::Linear, PoseChoice::clip(0, 0.7), [96, 96]);
                scene.crowd = crowd.filter(|_| view == View::Shaded).map(|count| Crowd { count, seed: 2 });
                (scene.view, scene.skin) = (view.clone(), skin);
                scene.overlays.wireframe = number % 2 == 0;
                let [equal, apart] = [&mut equal, &mut apart].map(|gpu| draw(&mut renderer, gpu, &scene));
                assert_same(&equal, &apart, &format!("{view} {}", skin.name()));
            }
        }
    }
    renderer.device().wait_idle().unwrap();
}

/// Targets that move some of the vertices that are equal without them, on a surface that shows what is behind it.
#[test]
fn morphed_and_blended_surfaces_look_the_same() {
    let mut renderer = renderer();
    let mut corners = in_corners(&common::builtin("twist"));
    let node = corners.instances[0].node;
    corners.rig.rest_weights = vec![0.5];
    corners.rig.weight_ends = (0..corners.rig.rest.len()).map(|other| u32::from(other >= node)).collect();
    corners.meshes[0].target_names = vec![String::new()];
    let primitive = &mut corners.meshes[0].primitives[0];
    let count = primitive.positions.len();
    let positions = Deltas::new(count, &[(0..count as u32).step_by(5).map(|v| (v, [0.05; 3])).collect()]);
    primitive.morphs = Some(Morphs { positions, ..Morphs::default() });
    let [mut equal, mut apart] = both(&renderer, &corners);
    corners.materials.iter_mut().for_each(|material| material.alpha = AlphaMode::Blend);
    let [mut blended, mut blended_apart] = both(&renderer, &corners);
    for skin in PROCESSORS {
        let scene = common::scene(SkinningMode::DualQuat, PoseChoice::clip(0, 0.7), [96, 96]);
        let scene = Scene { skin, ..scene };
        let mut draw = |gpu: &mut GpuModel| draw(&mut renderer, gpu, &scene);
        assert_same(&draw(&mut equal), &draw(&mut apart), skin.name());
        assert_same(&draw(&mut blended), &draw(&mut blended_apart), skin.name());
    }
    renderer.device().wait_idle().unwrap();
}
