//! Pictures with recomputed normals: the light falls on the triangles where the library finds them.

use sinew::camera::Orbit;
use sinew::look::{Look, Quality};
use sinew::model::Model;
use sinew::scene::{Crowd, Processor, Scene};
use sinew::skinning::pose::{Pose, PoseChoice};
use sinew::skinning::posed::skin_model;
use sinew::skinning::{MeshNormals, Normals, SkinningMode};
use sinew::view::View;

use crate::common;
use crate::studio::Studio;

/// Returns the model with its vertices in a mode and their recomputed normals as the stored mesh of each instance.
fn baked(model: &Model, mode: SkinningMode, choice: &PoseChoice) -> Model {
    let mut pose = Pose::default();
    pose.set(model, choice);
    let mut skinned = skin_model(model, mode, &pose);
    MeshNormals::new(model).apply(model, &pose, &mut skinned);
    let mut baked = model.clone();
    baked.meshes = model.instances.iter().map(|instance| model.meshes[instance.mesh].clone()).collect();
    for (number, instance) in baked.instances.iter_mut().enumerate() {
        instance.mesh = number;
    }
    for own in skinned {
        let primitive = &mut baked.meshes[own.instance].primitives[own.primitive];
        primitive.positions = own.positions;
        primitive.normals = own.normals;
        primitive.tangents = own.tangents;
    }
    baked
}

/// Of one figure, in several modes and views; and of a mesh that no joint moves and two nodes share.
#[test]
fn recomputed_normals_are_drawn_as_the_library_finds_them() {
    let mut studio = Studio::open();
    let bend = common::builtin("bend");
    let mut shared = Model::clone(&bend);
    shared.instances[0].skin = None;
    shared.instances.push(shared.instances[0]);
    let orbit = Orbit { target: Some([0.0, 1.0, 0.0].into()), distance: Some(4.0), ..Orbit::default() };
    for (model, mode, view) in [
        (&*bend, SkinningMode::Linear, View::Shaded),
        (&*bend, SkinningMode::DirectDeltaMush, View::Normals),
        (&shared, SkinningMode::Linear, View::Normals),
    ] {
        let pose = PoseChoice::clip(0, 1.5);
        let moved = Scene {
            camera: orbit.into(),
            look: Look { quality: Quality::Plain, ..Look::default() },
            view,
            ..common::scene(mode, pose.clone(), [96, 96])
        };
        let recomputed = Scene { normals: Normals::Recomputed, ..moved.clone() };
        let images = studio.draw_all(model, &[recomputed.clone(), moved.clone(), recomputed]);
        let stored = Scene { pose: PoseChoice::Bind, ..moved };
        let expected = studio.draw(&baked(model, mode, &pose), &stored);
        assert!(images[0] != images[1], "{mode}: as moved");
        assert!(images[0] == images[2], "{mode}: after moved");
        assert!(images[0] == expected, "{mode}");
    }
    studio.close();
}

/// A figure of a crowd has its own time, and so its own triangles.
#[test]
fn crowds_have_recomputed_normals() {
    let mut studio = Studio::open();
    let bend = common::builtin("bend");
    let moved = Scene {
        crowd: Some(Crowd { count: 4, seed: 3 }),
        view: View::Normals,
        ..common::scene(SkinningMode::Linear, PoseChoice::clip(0, 1.0), [128, 96])
    };
    let recomputed = Scene { normals: Normals::Recomputed, ..moved.clone() };
    let images = studio.draw_all(&bend, &[moved, recomputed]);
    let differing = |pixels: &[u8], others: &[u8]| pixels.iter().zip(others).filter(|(a, b)| a != b).count();
    let count = differing(&images[0].rgba, &images[1].rgba);
    assert!(count > 500, "{count}");
    studio.close();
}

/// Vertices of a still pose are kept from picture to picture, but not for other normals.
#[test]
fn a_still_pose_changes_its_normals() {
    let mut studio = Studio::open();
    let moved = Scene {
        view: View::Normals,
        skin: Processor::Cpu,
        ..common::scene(SkinningMode::Linear, PoseChoice::Rest, [96, 96])
    };
    let recomputed = Scene { normals: Normals::Recomputed, ..moved.clone() };
    let scenes = [recomputed.clone(), recomputed, moved.clone(), moved];
    let images = studio.draw_all(&common::builtin("bend"), &scenes);
    assert!(images[0] == images[1] && images[2] == images[3]);
    assert!(images[0] != images[2]);
    studio.close();
}
