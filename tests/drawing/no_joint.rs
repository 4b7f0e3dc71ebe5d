//! Tests joint −1, "no joint", on the GPU: skin.comp gives the twin's bits, and pictures, with shadows, match a joint
//! that
//! does not move.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use crate::common;

use std::sync::Arc;

use glam::{DMat4, DVec3};
use sinew::analysis::compare::{Bits, Error};
use sinew::image::Image;
use sinew::look::{Look, Quality};
use sinew::model::{LocalTransform, Model};
use sinew::render::Renderer;
use sinew::scene::Scene;
use sinew::skinning::SkinningMode;
use sinew::skinning::pose::{Pose, PoseChoice};
use sinew::skinning::posed::{reference_model, skin_model};

/// A built-in model in which `joint` moves every third vertex: alone, in the first slot or in the second.
fn changed(name: &str, joint: i32) -> Model {
    let mut model = (*common::builtin(name)).clone();
    for primitive in model.meshes.iter_mut().flat_map(|mesh| &mut mesh.primitives) {
        let span = &mut primitive.influences.as_mut().unwrap().spans[0];
        for (vertex, joints) in span.joints.iter_mut().enumerate().filter(|(vertex, _)| vertex % 3 == 0) {
            match vertex / 3 % 3 {
                0 => *joints = [joint; 4],
                1 => joints[0] = joint,
                _ => joints[1] = joint,
            }
        }
    }
    model
}

/// Two versions of a model: some vertices are moved by no joint, or by a joint that stands still.
fn both(name: &str) -> [Model; 2] {
    let without = changed(name, -1);
    let mut with = changed(name, without.skins[0].joints.len() as i32);
    let rig = &mut with.rig;
    with.skins[0].joints.push(rig.len());
    let bind = &mut with.skins[0].joint_from_bind;
    *bind = bind.iter().copied().chain([DMat4::IDENTITY]).collect();
    rig.names.push("still".to_owned());
    rig.parents.push(None);
    rig.rest.push(LocalTransform::IDENTITY);
    rig.file_index.push(rig.file_index.len() as u32);
    rig.weight_ends.extend(rig.weight_ends.last().copied());
    [without, with]
}

fn posed(model: &Model, choice: &PoseChoice) -> Pose {
    let mut pose = Pose::default();
    pose.set(model, choice);
    pose
}

#[test]
fn the_gpu_has_the_twins_bits() {
    let mut renderer = Renderer::new(common::open(), None).unwrap();
    assert!(renderer.is_exact(), "the tests run on a software driver");
    // One palette, several spans of influences, and two palettes.
    for name in ["strip", "bend", "character", "tube-513"] {
        let model = Arc::new(changed(name, -1));
        let mut gpu = renderer.upload(Arc::clone(&model)).unwrap();
        for mode in SkinningMode::ALL {
            for choice in [PoseChoice::Rest, PoseChoice::clip(0, 0.7)] {
                let pose = posed(&model, &choice);
                let on_gpu = renderer.skin(&mut gpu, mode, &choice).unwrap();
                let twin = skin_model(&model, mode, &pose);
                let truth = reference_model(&model, mode, &pose);
                for ((on_gpu, twin), truth) in on_gpu.iter().zip(&twin).zip(&truth) {
                    assert_eq!(Bits::between(on_gpu, twin).differing, 0, "{name} {mode} {choice:?}");
                    assert!(Error::of(on_gpu, truth).max < 2e-6, "{name} {mode} {choice:?}");
                    if mode.facts().needs_ddm {
                        // What stands still is moved by its surroundings.
                        continue;
                    }
                    // Vertices 0, 9, 18 … have no joint at all.
                    let mesh = &model.meshes[model.instances[on_gpu.instance].mesh];
                    let stored = &mesh.primitives[on_gpu.primitive].positions;
                    assert!(
                        stored.iter().zip(&on_gpu.positions).step_by(9).all(|(a, b)| a == b),
                        "{name} {mode}"
                    );
                }
            }
        }
        renderer.device().wait_idle().unwrap();
    }
    assert_eq!(renderer.device().messages().errors(), Vec::<String>::new());
}

fn draw(renderer: &mut Renderer, model: &Model, scene: &Scene) -> Image {
    let mut gpu = renderer.upload(Arc::new(model.clone())).unwrap();
    renderer.draw(&mut gpu, scene).unwrap();
    let image = renderer.read().unwrap();
    renderer.device().wait_idle().unwrap();
    image
}

/// Compares all bytes, ground and shadows included.
#[test]
fn pictures_show_a_joint_that_does_not_move() {
    let mut renderer = Renderer::new(common::open(), None).unwrap();
    for name in ["bend", "character"] {
        let plain = common::builtin(name);
        let [without, with] = both(name);
        for mode in SkinningMode::ALL {
            let scene = common::scene(mode, PoseChoice::clip(0, 0.7), [128, 128]);
            let scene = Scene { look: Look { quality: Quality::Full, ..scene.look }, ..scene };
            let shown = draw(&mut renderer, &without, &scene);
            assert!(shown.rgba == draw(&mut renderer, &with, &scene).rgba, "{name} {mode}");
            assert!(
                shown.rgba != draw(&mut renderer, &plain, &scene).rgba,
                "{name} {mode}: nothing has changed"
            );
        }
    }
    assert_eq!(renderer.device().messages().errors(), Vec::<String>::new());
}

/// Vertices without a joint do not mirror where every joint does.
#[test]
fn sides_are_told_apart_where_all_joints_mirror() {
    let mut renderer = Renderer::new(common::open(), None).unwrap();
    let [without, with] = both("bend").map(|mut model| {
        for material in &mut model.materials {
            material.double_sided = false;
        }
        let joint_count = model.skins[0].joints.len();
        let still = model.rig.names.iter().position(|name| name == "still");
        for node in
            (0..model.rig.len()).filter(|node| Some(*node) != still && model.rig.parents[*node].is_none())
        {
            let mirror = DMat4::from_scale(DVec3::new(-1.0, 1.0, 1.0));
            let rest = &mut model.rig.rest[node];
            *rest = LocalTransform::from_matrix(mirror * rest.parent_from_node());
        }
        let pose = posed(&model, &PoseChoice::Rest);
        let mirrors = |joint: &&usize| pose.world_from_node[**joint].determinant() < 0.0;
        let mirroring = model.skins[0].joints.iter().filter(mirrors).count();
        assert_eq!(
            mirroring,
            joint_count - usize::from(still.is_some()),
            "all but the one that stands still"
        );
        model
    });
    for mode in SkinningMode::ALL {
        let scene = common::scene(mode, PoseChoice::Rest, [128, 128]);
        let shown = draw(&mut renderer, &without, &scene);
        assert!(shown.rgba == draw(&mut renderer, &with, &scene).rgba, "{mode}");
    }
}
