//! The proof: on this machine's driver every mode gives the CPU's bits, and GPU and CPU are within the bounds of the
//! `f64` reference; every comparison notices a joint moved by a millimetre.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use crate::common;
use crate::models;
use crate::proven::{check, posed, renderer, samples};

use std::sync::Arc;

use glam::DVec3;
use sinew::analysis::compare::{Bits, DIRECTION_BOUND, Error};
use sinew::analysis::verify::looks;
use sinew::image::Image;
use sinew::look::Quality;
use sinew::model::{LocalTransform, Model, gltf};
use sinew::scene::{Processor, Scene, Skinned};
use sinew::skinning::SkinningMode;
use sinew::skinning::pose::{ClipMix, PoseChoice};
use sinew::skinning::posed::{SkinnedPrimitive, reference_model, skin_model};
use sinew::view::View;

const BUILTINS: [&str; 9] =
    ["character", "twist", "bend", "elbow", "strip", "tube-2", "tube-512", "tube-513", "tube-4096"];

#[test]
fn every_builtin_is_proven() {
    let mut renderer = renderer();
    for name in BUILTINS {
        let model = common::builtin(name);
        let report = check(&mut renderer, name, Arc::clone(&model));
        assert_eq!(report.rows.len(), SkinningMode::ALL.len() * looks(&model, samples()).len(), "{name}");
        assert_eq!(report.worst.len(), SkinningMode::ALL.len(), "{name}");
        for worst in &report.worst {
            assert!(!worst.influences.is_empty(), "{name}: {worst}");
        }
    }
    assert_eq!(renderer.device().messages().errors(), Vec::<String>::new());
}

/// Around the ends of bytes and palettes; `make soak` goes on to 65,536 joints.
#[test]
fn any_number_of_joints_and_influences_is_proven() {
    let mut renderer = renderer();
    let load = |glb: Vec<u8>| Arc::new(gltf::load_bytes(&glb, None).unwrap());
    let mut rows = 0;
    for count in [1, 2, 255, 256, 257, 511, 512, 513, 1024] {
        let model = load(models::joints(count));
        assert_eq!(model.skins[0].joints.len(), count);
        rows += check(&mut renderer, &format!("{count} joints"), model).rows.len();
    }
    for count in 1..=17 {
        let model = load(models::influences(count));
        let spans = &model.meshes[0].primitives[0].influences.as_ref().unwrap().spans;
        assert_eq!(spans.len(), count.min(16).div_ceil(4));
        rows += check(&mut renderer, &format!("{count} influences"), model).rows.len();
    }
    println!("{rows} rows");
    assert!(rows >= 26 * SkinningMode::ALL.len());
    assert_eq!(renderer.device().messages().errors(), Vec::<String>::new());
}

/// A pose, and a model with one joint moved by a millimetre.
fn nudged(model: &Model) -> (PoseChoice, Model) {
    let skin = model.skins.first().unwrap();
    let joint = *skin.joints.last().unwrap();
    let mut nudged = model.clone();
    let rest = nudged.rig.rest.get_mut(joint).unwrap();
    let parent_from_node = rest.parent_from_node();
    *rest = LocalTransform::from_matrix(glam::DMat4::from_translation(DVec3::X * 1e-3) * parent_from_node);
    (PoseChoice::Rest, nudged)
}

#[test]
fn a_joint_moved_by_a_millimetre_is_noticed_by_every_comparison() {
    let mut renderer = renderer();
    let model = common::builtin("bend");
    let (choice, other) = nudged(&model);
    let (pose, other_pose) = (posed(&model, &choice), posed(&other, &choice));
    let mut gpu = renderer.upload(Arc::clone(&model)).unwrap();
    for mode in SkinningMode::ALL {
        let on_gpu = renderer.skin(&mut gpu, mode, &choice).unwrap();
        let twin = skin_model(&model, mode, &pose);
        let truth = reference_model(&model, mode, &pose);
        let wrong_twin = skin_model(&other, mode, &other_pose);
        let wrong_truth = reference_model(&other, mode, &other_pose);
        let (on_gpu, twin, truth) = (&on_gpu[0], &twin[0], &truth[0]);

        assert_eq!(Bits::between(on_gpu, twin).differing, 0, "{mode}");
        assert!(Bits::between(on_gpu, &wrong_twin[0]).differing > 100, "{mode}: GPU against CPU");
        assert!(Error::of(on_gpu, truth).max < 1e-6, "{mode}");
        assert!(Error::of(on_gpu, &wrong_truth[0]).max > 1e-4, "{mode}: GPU against the reference");
        assert!(Error::of(twin, &wrong_truth[0]).max > 1e-4, "{mode}: CPU against the reference");
    }
}

#[test]
fn a_lost_stream_or_a_number_that_is_none_is_noticed() {
    let model = common::builtin("bend");
    let pose = posed(&model, &PoseChoice::Rest);
    let twin = skin_model(&model, SkinningMode::Linear, &pose).remove(0);
    let truth = reference_model(&model, SkinningMode::Linear, &pose).remove(0);
    let broken = |change: fn(&mut SkinnedPrimitive<f32>)| {
        let mut broken = twin.clone();
        change(&mut broken);
        (Bits::between(&broken, &twin).differing, Error::of(&broken, &truth))
    };
    let (differing, error) = broken(|p| p.normals = None);
    assert!(differing > 0 && error.max_direction.is_infinite());
    let (differing, error) = broken(|p| p.positions[5][1] = f32::NAN);
    assert!(differing == 1 && error.max.is_infinite() && error.worst_vertex == 5);
    let (differing, error) = broken(|p| p.normals.as_mut().unwrap()[5][1] = f32::NAN);
    assert!(differing == 1 && error.max_direction.is_infinite());
    let (differing, error) = broken(|p| p.positions.truncate(7));
    assert!(differing > 0 && error.max.is_infinite());
}

/// Holds two pictures to the same bytes.
pub fn assert_same(a: &Image, b: &Image, what: &str) {
    let off = a.rgba.iter().zip(&b.rgba).map(|(a, b)| a.abs_diff(*b));
    let (worst, count) = (off.clone().max(), off.filter(|levels| *levels > 0).count());
    assert!(
        count == 0 && a.rgba.len() == b.rgba.len(),
        "{what}: {count} channels are off by up to {worst:?}"
    );
}

/// Every built-in model in every mode; the longer tube is split over two palettes.
#[test]
fn the_cpu_draws_the_picture_that_the_gpu_draws() {
    let mut renderer = renderer();
    for name in ["character", "robot", "twist", "bend", "strip", "tube-8", "tube-513"] {
        let model = common::builtin(name);
        let mut gpu = renderer.upload(Arc::clone(&model)).unwrap();
        for (mode, time_secs) in SkinningMode::ALL.into_iter().flat_map(|mode| [(mode, 0.7), (mode, 1.1)]) {
            let scene = common::scene(mode, PoseChoice::clip(0, time_secs), [256, 256]);
            let mut draw = |skin: Processor, pose: &PoseChoice| {
                renderer.draw(&mut gpu, &Scene { skin, pose: pose.clone(), ..scene.clone() }).unwrap();
                renderer.read().unwrap()
            };
            let (on_gpu, on_cpu) = (draw(Processor::Gpu, &scene.pose), draw(Processor::Cpu, &scene.pose));
            assert_same(&on_gpu, &on_cpu, &format!("{name} {mode}"));
            let by_compute = draw(Processor::Compute, &scene.pose);
            assert_same(&on_gpu, &by_compute, &format!("{name} {mode}, compute"));

            // The other models' clips stand still for as long, at times.
            if name != "character" {
                continue;
            }
            let later = draw(Processor::Gpu, &PoseChoice::clip(0, time_secs + 0.05));
            let off = on_gpu.rgba.iter().zip(&later.rgba).filter(|(a, b)| a.abs_diff(**b) > 1).count();
            assert!(
                off > 64,
                "{name} {mode}: a twentieth of a second later is another picture, not {off} off"
            );
        }
        renderer.device().wait_idle().unwrap();
    }
}

/// The character has every vertex attribute, including tangents, and a normal map: every view of it, in every mode and at
/// every quality, is the same from CPU and GPU.
#[test]
fn the_cpu_draws_every_view_that_the_gpu_draws() {
    let mut renderer = renderer();
    let model = common::builtin("character");
    let body = &model.meshes[0].primitives[0];
    assert!(body.tangents.is_some() && model.materials[body.material.unwrap()].normal.is_some());
    let mut gpu = renderer.upload(Arc::clone(&model)).unwrap();
    let views = View::all().into_iter().chain([View::Joint("forearm.R".to_owned())]);
    for (number, view) in views.enumerate() {
        for (turn, mode) in SkinningMode::ALL.into_iter().enumerate() {
            let quality = Quality::ALL[(number + turn) % Quality::ALL.len()];
            let mut scene = common::scene(mode, PoseChoice::clip(2, 1.2), [192, 192]);
            (scene.view, scene.look.quality) = (view.clone(), quality);
            let skins = [Processor::Gpu, Processor::Cpu, Processor::Compute];
            let [on_gpu, on_cpu, by_compute] = skins.map(|skin| {
                renderer.draw(&mut gpu, &Scene { skin, ..scene.clone() }).unwrap();
                let image = renderer.read().unwrap();
                let by = if view == View::Skeleton { vec![] } else { vec![(mode, skin)] };
                assert_eq!(*renderer.skinned(), Skinned { by, is_for_software: false }, "{view}");
                let passes = renderer.pass_times().unwrap();
                let has_skinned = passes.iter().any(|pass| pass.pass == "skin");
                assert_eq!(
                    has_skinned,
                    skin == Processor::Compute && view != View::Skeleton,
                    "{view} {skin:?}"
                );
                image
            });
            assert_same(&on_gpu, &on_cpu, &format!("{mode} {view} {quality:?}"));
            assert_same(&on_gpu, &by_compute, &format!("{mode} {view} {quality:?}, compute"));
        }
    }
    renderer.device().wait_idle().unwrap();
}

/// The compute shader's inputs besides joints and weights are kept from frame to frame, until they change.
#[test]
fn the_compute_shader_follows_new_shares() {
    let mut renderer = renderer();
    let mut gpu = renderer.upload(common::builtin("bend")).unwrap();
    let mut draw = |skin, share| {
        let mut mix = ClipMix { clips: vec![0], time_secs: 0.7, ..ClipMix::default() };
        if let Some(share) = share {
            assert!(mix.edits.shares.set_all(share));
        }
        let scene = common::scene(SkinningMode::Blended, PoseChoice::Clips(mix), [128, 128]);
        renderer.draw(&mut gpu, &Scene { skin, ..scene }).unwrap();
        renderer.read().unwrap()
    };
    let mut seen = Vec::new();
    for share in [None, Some(0.25), Some(0.25), None, Some(0.75)] {
        let by_compute = draw(Processor::Compute, share);
        assert_same(&by_compute, &draw(Processor::Gpu, share), &format!("{share:?}"));
        seen.push(by_compute.rgba);
    }
    assert!(seen[0] == seen[3] && seen[1] == seen[2] && seen[0] != seen[1] && seen[1] != seen[4]);
    renderer.device().wait_idle().unwrap();
}

/// lbs flattens a rod twisted by half a turn, and just before that its normals depend on the last bits of the joints.
/// The bound for directions allows for that and nothing more.
#[test]
fn normals_are_held_to_what_flattening_leaves_of_them() {
    let model = common::builtin("twist");
    let directions = |time_secs, turn: f32| {
        let pose = posed(&model, &PoseChoice::clip(0, time_secs));
        let mut twin = skin_model(&model, SkinningMode::Linear, &pose).remove(0);
        for normal in twin.normals.as_mut().unwrap() {
            normal[0] += turn;
        }
        Error::of(&twin, &reference_model(&model, SkinningMode::Linear, &pose)[0]).max_direction
    };
    for time_secs in [1.0, 1.9, 1.99, 1.999, 1.9999, 1.99999, 2.0] {
        let error = directions(time_secs, 0.0);
        assert!(error <= DIRECTION_BOUND, "{time_secs} s: {error:e}");
        assert!(directions(time_secs, 1e-4) > DIRECTION_BOUND, "{time_secs} s: a tilt goes unnoticed");
    }
}
