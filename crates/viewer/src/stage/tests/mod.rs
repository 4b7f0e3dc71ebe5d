//! Tests actions and edits on a scene, without a window.

mod files;
mod time;
mod undo;

use super::*;
use crate::clock::Repeat;
use crate::keys::Action;
use glam::DMat4;
use glam::{DVec2, DVec3};
use sinew_model::{
    Channel, Clip, DdmSettings, Instance, Interpolation, LocalTransform, Mesh, Primitive, Property, Rig,
};
use sinew_model::{Model, Skin, SkinningMethod};
use sinew_scene::camera::{Orbit, Viewpoint};
use sinew_scene::scene::Wipe;
use sinew_scene::scene::{Arrangement, Change, PaletteIn, Processor, Scene, Skinned};
use sinew_scene::view::{Against, Difference, View};
use sinew_skinning::SkinningMode;
use sinew_skinning::distinct::Distinct;
use sinew_skinning::pose::PoseChoice;
use sinew_skinning::pose::{Blend, ClipMix, Edits, Shares, rotation_from_degrees};
use std::sync::Arc;

fn model() -> Arc<Model> {
    let clip = |name: &str, times: &[f32]| Clip {
        name: name.to_owned(),
        duration_secs: times.last().copied().unwrap_or_default(),
        channels: vec![Channel {
            node: 0,
            property: Property::Translation,
            interpolation: Interpolation::Linear,
            times: times.to_vec(),
            values: vec![0.0; times.len() * 3],
        }],
    };
    let rig = Rig {
        names: vec![String::new()],
        parents: vec![None],
        rest: vec![LocalTransform::from_matrix(DMat4::IDENTITY)],
        file_index: vec![0],
        ..Rig::default()
    };
    let vertex = Primitive { positions: vec![[0.0; 3]], ..Primitive::default() };
    Arc::new(Model {
        rig,
        meshes: vec![Mesh { primitives: vec![vertex], ..Mesh::default() }],
        instances: vec![Instance { node: 0, mesh: 0, skin: None }],
        clips: vec![clip("walk", &[0.0, 0.5, 2.0]), clip("run", &[0.0, 1.0])],
        ..Model::default()
    })
}

pub fn scene(model: &str) -> Scene {
    Scene {
        files: model.into(),
        clip_pairs: Vec::new(),
        mode: SkinningMode::Linear,
        mush: Default::default(),
        normals: Default::default(),
        skin: Processor::Gpu,
        palette: Some(PaletteIn::Uniform),
        crowd: None,
        pose: PoseChoice::clip(0, 0.75),
        inject: None,
        camera: Viewpoint::default(),
        framing: sinew_scene::scene::Framing::Clip,
        size: [400, 300],
        look: Default::default(),
        view: View::Shaded,
        overlays: Default::default(),
        materials: Vec::new(),
        onion: None,
        ghost: None,
        explained: None,
        marked: None,
        arrangement: sinew_scene::scene::Arrangement::Single,
        legend: true,
        environment: None,
    }
}

fn stage() -> Stage {
    let mut stage = Stage::new(scene("m.glb"), model());
    stage.set_points(&[DVec3::ZERO, DVec3::new(1.0, 2.0, 0.5)]);
    stage
}

fn time(stage: &Stage) -> f64 {
    match &stage.scene.pose {
        PoseChoice::Clips(mix) => mix.time_secs,
        other => panic!("{other:?}"),
    }
}

/// F frames the chosen joint and its descendants, or everything if none is chosen.
#[test]
fn what_is_chosen_is_framed() {
    let mut stage = stage();
    stage.act(Action::Fit);
    assert_eq!(stage.scene.camera, Orbit::default().into());
    stage.act(Action::Choose(1));
    stage.act(Action::Fit);
    let Viewpoint::Orbit(orbit) = stage.scene.camera else { panic!("{:?}", stage.scene.camera) };
    // The only node is at the origin; the margin is a twentieth of the whole's diagonal: 0.1146.
    assert!(orbit.target.unwrap().length() < 0.1146 && orbit.distance.unwrap() < 2.0, "{orbit:?}");
    stage.act(Action::Orbit(15.0, 0.0));
    let Viewpoint::Orbit(turned) = stage.scene.camera else { panic!("{:?}", stage.scene.camera) };
    assert_eq!((turned.yaw_degrees - orbit.yaw_degrees, turned.target), (15.0, orbit.target));
    stage.act(Action::FitAll);
    assert!(matches!(stage.scene.camera, Viewpoint::Orbit(Orbit { target: None, distance: None, .. })));
    stage.set_speed(0.0);
    assert_eq!(stage.clock.speed, 1.0 / 64.0);
}

/// A turned joint keeps its rotation while everything else plays, and the camera stays.
#[test]
fn joints_are_turned_and_let_go() {
    let mut stage = stage();
    stage.act(Action::Turn(2, 1));
    assert_eq!(stage.edited_count(), 0, "none is chosen");
    stage.act(Action::Choose(1));
    assert_eq!(stage.chosen, Some(0));
    for _ in 0..18 {
        stage.act(Action::Turn(2, 1));
    }
    let turned = stage.rotation(0).unwrap();
    assert!(turned.angle_between(glam::DQuat::from_rotation_z(std::f64::consts::FRAC_PI_2)) < 1e-9);
    assert!(
        stage.title().contains("edited") && stage.scene.to_string().contains("--joint="),
        "{}",
        stage.scene
    );
    stage.tick(0.25);
    assert_eq!((time(&stage), stage.rotation(0)), (1.0, Some(turned)));
    let Viewpoint::Orbit(orbit) = stage.scene.camera else { panic!("{:?}", stage.scene.camera) };
    assert!(orbit.distance.is_some() && orbit.target.is_some());
    stage.act(Action::Reset);
    assert_eq!((stage.edited_count(), stage.rotation(0)), (0, None));
    // Editing the rest pose makes it an edited pose; resetting restores it.
    stage.act(Action::Rest);
    stage.act(Action::Turn(0, -1));
    assert!(matches!(&stage.scene.pose, PoseChoice::Clips(mix) if mix.clips.is_empty()));
    stage.act(Action::ResetAll);
    assert_eq!(stage.scene.pose, PoseChoice::Rest);
    // The bind pose takes no edits.
    stage.act(Action::Bind);
    stage.act(Action::Turn(0, 1));
    assert_eq!(stage.scene.pose, PoseChoice::Bind);
}

#[test]
fn modes_are_put_beside_each_other() {
    use SkinningMode::{DualQuat, Linear, Rigid};
    let mut stage = stage();
    let mut shown = Vec::new();
    for _ in 0..4 {
        stage.act(Action::Arrange);
        shown.push(stage.scene.arrangement.clone());
    }
    let wipe = |mode, at| Arrangement::Wipe(Wipe { mode, at });
    // Without shares, blend is the same as dqs; so are its dialects if no joint scales.
    let others = Distinct::new(&Shares::default(), false).modes.into_iter().filter(|mode| *mode != Linear);
    let expected = [
        Arrangement::Split(vec![DualQuat]),
        Arrangement::Split(others.collect()),
        wipe(Rigid, 0.5),
        Arrangement::Single,
    ];
    assert_eq!(shown, expected);
    stage.scene.arrangement = wipe(Rigid, 0.5);
    stage.act(Action::OtherMode);
    stage.act(Action::Line(-2));
    assert_eq!(stage.scene.arrangement, wipe(Linear, 0.46));
    stage.move_line(7.0);
    assert_eq!(stage.scene.arrangement, wipe(Linear, 1.0));
}

#[test]
fn modes_flip_and_keep_everything_else() {
    let mut stage = stage();
    let before = stage.scene.clone();
    stage.act(Action::Mode(SkinningMode::DualQuat));
    assert_eq!(stage.scene, Scene { mode: SkinningMode::DualQuat, ..before.clone() });
    for expected in [SkinningMode::Linear, SkinningMode::DualQuat, SkinningMode::Linear] {
        stage.act(Action::Flip);
        assert_eq!(stage.scene.mode, expected);
    }
    stage.act(Action::Mode(SkinningMode::Linear));
    stage.act(Action::Flip);
    assert_eq!(stage.scene.mode, SkinningMode::DualQuat);
}

#[test]
fn bind_and_rest_lead_back_to_the_clip() {
    let mut stage = stage();
    let clip = stage.scene.pose.clone();
    stage.act(Action::Bind);
    assert_eq!((&stage.scene.pose, stage.is_moving()), (&PoseChoice::Bind, false));
    stage.act(Action::Rest);
    assert_eq!(stage.scene.pose, PoseChoice::Rest);
    stage.act(Action::Rest);
    assert_eq!(stage.scene.pose, clip);
    stage.act(Action::Bind);
    stage.act(Action::Bind);
    assert_eq!(stage.scene.pose, clip);
}

#[test]
fn views_go_round_and_skin_space_has_its_pose() {
    let mut stage = stage();
    let clip = stage.scene.pose.clone();
    let count = View::all().len();
    let mut seen = Vec::new();
    for _ in 0..count {
        stage.act(Action::View(1));
        let has_own_pose = stage.scene.view.has_own_pose();
        assert_eq!(stage.scene.pose == PoseChoice::SkinSpace(None), has_own_pose);
        assert!(has_own_pose || stage.scene.pose == clip);
        seen.push(stage.scene.view.clone());
    }
    assert_eq!(stage.scene.view, View::Shaded);
    seen.dedup();
    assert_eq!(seen.len(), count);
    stage.act(Action::View(-1));
    assert_eq!(Some(&stage.scene.view), View::all().last());
}

#[test]
fn hands_steer_and_everything_comes_back() {
    let mut stage = stage();
    let first = stage.scene.camera.clone();
    stage.drag(DVec2::new(10.0, -20.0));
    stage.pan(DVec2::new(30.0, 5.0));
    stage.zoom(0.5, DVec2::new(100.0, 50.0));
    let Viewpoint::Orbit(orbit) = stage.scene.camera.clone() else { panic!("an orbit") };
    assert!(orbit.target.is_some() && orbit.distance.is_some());
    // The command line of the steered scene reads back to an equal scene.
    let line = stage.scene.to_string();
    assert!(line.contains(" --target=") && line.contains(&format!("--camera={orbit}")), "{line}");
    stage.act(Action::Fit);
    stage.act(Action::Side(30.0, 10.0));
    // An equal view, but explicit.
    assert_eq!(stage.scene.camera, Orbit { auto: false, ..Orbit::default() }.into());
    stage.act(Action::Fly(0.1, 0.0, 0.0));
    assert_ne!(stage.scene.camera, first);
    stage.act(Action::Parallel);
    assert!(stage.scene.to_string().contains("--ortho"));
}

/// A viewpoint with a distance shows as much across in panes that are narrower than those of its picture.
#[test]
fn narrow_panes_step_back() {
    let mut stage = stage();
    let distance = |stage: &Stage| match stage.scene.camera {
        Viewpoint::Orbit(orbit) => orbit.distance,
        Viewpoint::InFile { .. } => None,
    };
    stage.scene.camera = Orbit { distance: Some(2.0), ..Orbit::default() }.into();
    stage.resize([600, 800]);
    assert_eq!(distance(&stage), Some(2.0));
    stage.compose([720, 480]);
    for (size, expected) in [([600, 800], 4.0), ([900, 600], 2.0), ([1000, 600], 2.0), ([600, 400], 2.0)] {
        stage.resize(size);
        assert_eq!((stage.scene.size, distance(&stage)), (size, Some(expected)));
    }
    stage.note(false, 9.0);
    assert_eq!(stage.step_back(true), None);
    stage.scene.camera = Orbit::default().into();
    stage.resize([100, 800]);
    assert_eq!(stage.scene.camera, Orbit::default().into());
}

#[test]
fn a_pivot_is_in_the_middle_and_as_far_away_as_before() {
    let mut stage = stage();
    stage.drag(DVec2::new(1.0, 0.0));
    let Viewpoint::Orbit(before) = stage.scene.camera.clone() else { panic!("an orbit") };
    stage.turn_around(DVec3::new(0.25, 0.5, 0.0));
    let expected = Orbit { target: Some(DVec3::new(0.25, 0.5, 0.0)), ..before };
    assert_eq!(stage.scene.camera, expected.into());
}

#[test]
fn the_title_says_what_is_shown() {
    let mut stage = stage();
    assert_eq!(stage.title(), "m.glb - lbs - walk 0.8 / 2.0 s");
    stage.skinned.add(SkinningMode::Linear, Processor::Compute);
    assert_eq!(stage.title(), "m.glb - lbs on the GPU (compute shader) - walk 0.8 / 2.0 s");
    stage.skinned = Skinned { by: vec![(SkinningMode::Linear, Processor::Cpu)], is_for_software: true };
    assert_eq!(stage.status().words[2], "lbs on the CPU (software driver)");
    stage.act(Action::View(1));
    stage.act(Action::Bind);
    assert_eq!(stage.title(), "m.glb - lbs on the CPU (software driver) - bind - normals");
}
