//! Tests actions and edits on a scene, without a window.

use super::*;
use crate::camera::{Orbit, Viewpoint};
use crate::scene::Wipe;
use crate::scene::{Arrangement, Change, PaletteIn, Processor, Scene};
use crate::view::{Against, Difference, View};
use crate::viewer::clock::Repeat;
use crate::viewer::keys::Action;
use glam::DMat4;
use glam::{DVec2, DVec3};
use sinew_model::{Channel, Clip, Instance, Interpolation, LocalTransform, Mesh, Primitive, Property, Rig};
use sinew_model::{Model, Skin, SkinningMethod};
use sinew_skinning::SkinningMode;
use sinew_skinning::pose::PoseChoice;
use sinew_skinning::pose::{Blend, ClipMix, Edits, rotation_from_degrees};
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
        model: model.to_owned(),
        scene: None,
        allow_outside: false,
        fbx_rate: None,
        clip_from: Vec::new(),
        joint_map: None,
        other: None,
        mode: SkinningMode::Linear,
        skin: Processor::Gpu,
        palette: PaletteIn::Uniform,
        crowd: None,
        pose: PoseChoice::clip(0, 0.75),
        inject: None,
        camera: Viewpoint::default(),
        size: [400, 300],
        look: Default::default(),
        view: View::Shaded,
        overlays: Default::default(),
        materials: Vec::new(),
        onion: None,
        explained: None,
        arrangement: crate::scene::Arrangement::Single,
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

#[test]
fn time_goes_on_while_the_clock_runs() {
    let mut stage = stage();
    assert!(stage.is_moving());
    stage.tick(0.5);
    assert_eq!(time(&stage), 1.25);
    stage.act(Action::Speed(2.0));
    stage.tick(0.5);
    assert_eq!(time(&stage), 0.25);
    stage.act(Action::Reverse);
    stage.tick(0.0625);
    assert_eq!(time(&stage), 0.125);
    stage.act(Action::Play);
    stage.tick(9.0);
    assert_eq!((time(&stage), stage.is_moving()), (0.125, false));
    for _ in 0..99 {
        stage.act(Action::Speed(2.0));
    }
    assert_eq!(stage.clock.speed, -64.0);
}

#[test]
fn steps_go_from_frame_to_frame_and_key_to_key() {
    let mut stage = stage();
    stage.act(Action::Step(1));
    // 0.75 s lies half way between frames 22 and 23 and rounds away from zero.
    assert!((time(&stage) - 24.0 / 30.0).abs() < 1e-12 && !stage.is_moving());
    stage.act(Action::StepKey(-1));
    assert_eq!(time(&stage), 0.5);
    stage.act(Action::StepKey(1));
    assert_eq!(time(&stage), 2.0);
    stage.act(Action::StepKey(1));
    assert_eq!(time(&stage), 2.0);
    stage.act(Action::Step(5));
    assert_eq!(time(&stage), 2.0);
    stage.act(Action::Jump(false));
    stage.act(Action::Step(-1));
    assert_eq!(time(&stage), 0.0);
    stage.act(Action::Jump(true));
    assert_eq!(time(&stage), 2.0);
}

#[test]
fn clips_come_one_after_the_other() {
    let mut stage = stage();
    stage.fade_secs = 0.0;
    stage.act(Action::Clip(1));
    assert_eq!(stage.scene.pose, PoseChoice::clip(1, 0.0));
    stage.act(Action::Clip(1));
    assert_eq!(stage.scene.pose, PoseChoice::clip(0, 0.0));
    stage.act(Action::Clip(-1));
    assert_eq!(stage.scene.pose, PoseChoice::clip(1, 0.0));
    let mut bare = Stage::new(stage.scene.clone(), Arc::new(Model::default()));
    bare.act(Action::Clip(1));
    assert_eq!(bare.scene.pose, stage.scene.pose);
}

/// While playing, one clip fades into the next, and every scene in between has a command line.
#[test]
fn clips_fade_into_each_other() {
    let mut stage = stage();
    stage.fade_secs = 0.5;
    stage.act(Action::Clip(1));
    let blended = |time_secs, weight| {
        let blends = vec![Blend { clip: 1, weight }];
        PoseChoice::Clips(ClipMix { clips: vec![0], blends, time_secs, ..ClipMix::default() })
    };
    assert_eq!(stage.scene.pose, blended(0.75, 0.0));
    stage.tick(0.125);
    assert_eq!(stage.scene.pose, blended(0.875, 0.25));
    assert!(stage.scene.to_string().contains("--clip 0 --blend-clip 1@0.25 --time 0.875"), "{}", stage.scene);
    stage.tick(0.5);
    // The second clip lasts one second.
    assert_eq!(stage.scene.pose, PoseChoice::clip(1, 0.375));
    // A second press during the fade changes clips at once.
    stage.act(Action::Clip(1));
    stage.tick(0.125);
    stage.act(Action::Clip(1));
    assert_eq!(stage.scene.pose, PoseChoice::clip(1, 0.5));
    // Without playback, clips change at once.
    stage.act(Action::Play);
    stage.act(Action::Clip(1));
    assert_eq!(stage.scene.pose, PoseChoice::clip(0, 0.0));
}

/// Clips with one key do not move but still show, and every fade ends at the requested clip, whatever ends it.
#[test]
fn fades_end_where_they_were_to() {
    let mut still = Stage::new(scene("m.glb"), {
        let mut model = Model::clone(&model());
        model.clips.iter_mut().for_each(|clip| clip.duration_secs = 0.0);
        Arc::new(model)
    });
    still.scene.pose = PoseChoice::clip(0, 0.0);
    still.act(Action::Clip(1));
    assert_eq!(still.scene.pose, PoseChoice::clip(1, 0.0));

    let shown = |stage: &Stage| match &stage.scene.pose {
        PoseChoice::Clips(mix) => (mix.clips.clone(), mix.blends.len()),
        other => panic!("{other:?}"),
    };
    // The clock stops at the end of the first clip, while the fade continues.
    let mut once = stage();
    (once.clock.repeat, once.fade_secs) = (Repeat::Once, 4.0);
    once.act(Action::Clip(1));
    for _ in 0..50 {
        once.tick(0.1);
    }
    assert!(!once.is_moving() && !once.clock.is_running);
    assert_eq!(shown(&once), (vec![1], 0));
    // The file is reloaded.
    let mut reloaded = stage();
    reloaded.act(Action::Clip(1));
    reloaded.tick(0.1);
    reloaded.show(model(), "m.glb");
    assert_eq!(shown(&reloaded), (vec![1], 0));
    // A pose kept below the bind pose survives as well.
    reloaded.act(Action::Choose(1));
    reloaded.act(Action::Turn(0, 1));
    let posed = reloaded.scene.pose.clone();
    reloaded.act(Action::Bind);
    reloaded.show(model(), "m.glb");
    reloaded.act(Action::Bind);
    assert_eq!(reloaded.scene.pose, posed);
    // The skin-space view has its own pose; the clip shows up when that view ends.
    reloaded.look_at(View::SkinSpace);
    reloaded.act(Action::Clip(1));
    assert_eq!(reloaded.scene.pose, PoseChoice::SkinSpace(None));
    reloaded.look_at(View::Shaded);
    assert_eq!(reloaded.scene.pose, PoseChoice::clip(0, 0.0));
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
    // Editing the rest pose makes it an edited pose; resetting returns it.
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
    use SkinningMode::{CenterOfRotation, DualQuat, Linear, Rigid};
    let mut stage = stage();
    let mut shown = Vec::new();
    for _ in 0..4 {
        stage.act(Action::Arrange);
        shown.push(stage.scene.arrangement.clone());
    }
    let wipe = |mode, at| Arrangement::Wipe(Wipe { mode, at });
    let expected = [
        Arrangement::Split(vec![DualQuat]),
        Arrangement::Split(vec![Rigid, DualQuat, CenterOfRotation]),
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
        let is_skin_space = stage.scene.view == View::SkinSpace;
        assert_eq!(stage.scene.pose == PoseChoice::SkinSpace(None), is_skin_space);
        assert!(is_skin_space || stage.scene.pose == clip);
        seen.push(stage.scene.view.clone());
    }
    assert_eq!(stage.scene.view, View::Shaded);
    seen.dedup();
    assert_eq!(seen.len(), count);
    stage.act(Action::View(-1));
    assert_eq!(stage.scene.view, View::Skeleton);
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
    // The steered scene prints a command line that reads back the same.
    let line = stage.scene.to_string();
    assert!(line.contains(" --target=") && line.contains(&format!("--camera={orbit}")), "{line}");
    stage.act(Action::Fit);
    stage.act(Action::Side(30.0, 10.0));
    // The same view, but chosen.
    assert_eq!(stage.scene.camera, Orbit { auto: false, ..Orbit::default() }.into());
    stage.act(Action::Fly(0.1, 0.0, 0.0));
    assert_ne!(stage.scene.camera, first);
    stage.act(Action::Parallel);
    assert!(stage.scene.to_string().contains("--ortho"));
}

#[test]
fn another_file_is_shown_as_its_author_meant_unless_a_mode_was_chosen() {
    let skinned = |method| {
        let mut model = Model::clone(&model());
        let joint_from_bind = [DMat4::IDENTITY].into();
        model.skins = vec![Skin { joints: vec![0], joint_from_bind, method, ..Skin::default() }];
        model.instances[0].skin = Some(0);
        Arc::new(model)
    };
    let dual = || skinned(Some(SkinningMethod::DualQuaternion));
    let mut stage = Stage::new(scene("m.glb"), model());
    stage.show(dual(), "m.fbx");
    assert_eq!(stage.scene.mode, SkinningMode::DualQuat);
    assert!(stage.title().contains("dqs (authored)"), "{}", stage.title());
    stage.show(skinned(None), "m.glb");
    assert_eq!(stage.scene.mode, SkinningMode::Linear);
    stage.scene.mode = SkinningMode::Rigid;
    stage.show(dual(), "m.fbx");
    assert_eq!(stage.scene.mode, SkinningMode::Rigid);
}

#[test]
fn a_model_without_a_mesh_shows_its_skeleton_until_one_with_a_mesh_comes() {
    let mut stage = stage();
    let bones = Arc::new(Model { instances: Vec::new(), ..(*model()).clone() });
    stage.show(Arc::clone(&bones), "bones.glb");
    assert_eq!(stage.scene.view, View::Skeleton);
    stage.show(model(), "m.glb");
    assert_eq!(stage.scene.view, View::Shaded);
    stage.scene.view = View::Normals;
    stage.show(bones, "bones.glb");
    assert_eq!(stage.scene.view, View::Skeleton);
}

#[test]
fn another_model_keeps_the_mode_and_what_it_has() {
    let mut stage = stage();
    stage.fade_secs = 0.0;
    stage.scene.mode = SkinningMode::DualQuat;
    stage.scene.view = View::Joint("elbow".to_owned());
    stage.act(Action::Clip(1));
    stage.pan(DVec2::new(3.0, 4.0));
    let (pose, camera) = (stage.scene.pose.clone(), stage.scene.camera.clone());

    // The same file reloaded: the clips are there, the joint is gone.
    stage.show(model(), "m.glb");
    assert_eq!((&stage.scene.pose, &stage.scene.camera), (&pose, &camera));
    assert_eq!((&stage.scene.view, stage.scene.mode), (&View::Shaded, SkinningMode::DualQuat));
    // One clip fewer.
    let mut short = (*model()).clone();
    short.clips.truncate(1);
    stage.show(Arc::new(short), "m.glb");
    assert_eq!((&stage.scene.pose, &stage.scene.camera), (&PoseChoice::clip(0, 0.0), &camera));
    // Another file, without clips.
    stage.show(Arc::new(Model::default()), "other.glb");
    assert_eq!((&stage.scene.pose, stage.scene.model.as_str()), (&PoseChoice::Rest, "other.glb"));
    assert_eq!(stage.scene.camera, Viewpoint::default());
    assert_eq!(stage.scene.mode, SkinningMode::DualQuat);
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

/// The other of two files stays while the first is reloaded, and goes with it.
#[test]
fn another_file_parts_from_the_other_one() {
    let against_other = || View::Difference(Difference { against: Against::Other, top_m: None });
    let pane = Change { other: true, ..Change::default() };
    for arrangement in [Arrangement::WipeOther(0.25), Arrangement::Storyboard(vec![pane])] {
        let mut stage = stage();
        stage.scene.other = Some("old.glb".to_owned());
        (stage.scene.arrangement, stage.scene.view) = (arrangement.clone(), against_other());
        stage.show(model(), "m.glb");
        assert_eq!((&stage.scene.arrangement, &stage.scene.view), (&arrangement, &against_other()));
        stage.move_line(0.75);
        stage.show(model(), "n.glb");
        let Scene { other, arrangement, view, .. } = &stage.scene;
        assert_eq!((other, arrangement, view), (&None, &Arrangement::Single, &View::Shaded));
    }
}

/// Clips from other files belong to the rig that they were matched with.
#[test]
fn another_file_parts_from_borrowed_clips() {
    let mut stage = stage();
    stage.scene.clip_from = vec!["walk.glb".to_owned()];
    stage.scene.joint_map = Some("map.toml".to_owned());
    stage.show(model(), "m.glb");
    assert!(stage.scene.to_string().contains(" --clip-from=walk.glb --joint-map=map.toml "));
    stage.show(model(), "n.glb");
    assert_eq!((stage.scene.clip_from.len(), &stage.scene.joint_map), (0, &None));
}

#[test]
fn the_title_says_what_is_shown() {
    let mut stage = stage();
    assert_eq!(stage.title(), "m.glb - lbs - walk 0.8 / 2.0 s");
    stage.act(Action::Processor);
    assert_eq!(stage.title(), "m.glb - lbs by the compute shader - walk 0.8 / 2.0 s");
    stage.act(Action::Processor);
    stage.act(Action::View(1));
    stage.act(Action::Bind);
    assert_eq!(stage.title(), "m.glb - lbs on the CPU - bind - normals");
}

fn turned(stage: &Stage) -> Option<glam::DQuat> {
    stage.rotation(0)
}

/// After the pose file is read again, edits by hand and the time stay, and the file's changes apply.
#[test]
fn a_pose_that_is_read_again_keeps_what_hands_have_done() {
    let quarter = rotation_from_degrees([90.0, 0.0, 0.0]);
    let half = rotation_from_degrees([0.0, 180.0, 0.0]);
    let pose = |clips: &[usize], time_secs, rotation| {
        let mut edits = Edits::default();
        edits.set_rotation(&model(), 0, rotation);
        PoseChoice::Clips(ClipMix { clips: clips.to_vec(), time_secs, edits, ..ClipMix::default() })
    };
    let mut stage = stage();
    stage.tick(0.25);
    // The same clip from the same time keeps playing.
    assert!(!stage.read_pose(pose(&[0], 0.75, quarter)));
    assert_eq!((time(&stage), turned(&stage)), (1.0, Some(quarter)));
    // A new time in the file applies.
    assert!(!stage.read_pose(pose(&[0], 0.5, half)));
    assert_eq!((time(&stage), turned(&stage)), (0.5, Some(half)));
    // A joint turned by hand stays turned, whatever the file says, until it is reset.
    stage.turn(0, quarter);
    assert!(stage.read_pose(pose(&[1], 0.0, rotation_from_degrees([1.0, 2.0, 3.0]))));
    assert_eq!((time(&stage), turned(&stage)), (0.0, Some(quarter)));
    stage.reset_all();
    assert!(stage.read_pose(pose(&[1], 0.0, half)));
    assert_eq!(turned(&stage), None);

    // Below the bind pose, and a rest pose over that, the new pose comes back with the usual key.
    let mut stage = self::stage();
    for (over, key) in [(PoseChoice::Bind, Action::Bind), (PoseChoice::Rest, Action::Rest)] {
        stage.act(key);
        assert!(!stage.read_pose(pose(&[1], 0.25, half)));
        assert_eq!(stage.scene.pose, over);
        stage.act(key);
        assert_eq!(stage.scene.pose, pose(&[1], 0.25, half));
        assert!(!stage.read_pose(PoseChoice::clip(0, 0.75)));
    }
    // An empty pose file means the rest pose.
    assert!(!stage.read_pose(PoseChoice::Rest));
    assert_eq!(stage.scene.pose, PoseChoice::Rest);
    assert!(!stage.read_pose(pose(&[], 0.0, half)));
    assert_eq!(turned(&stage), Some(half));
}

/// Steps of a stage, a second apart.
struct Steps {
    stage: Stage,
    seconds: f64,
}

impl Steps {
    fn of(stage: Stage) -> Self {
        Self { stage, seconds: 0.0 }
    }

    fn then(&mut self, change: impl FnOnce(&mut Stage)) {
        change(&mut self.stage);
        self.seconds += 1.0;
        self.stage.note(false, self.seconds);
    }
}

#[test]
fn what_hands_do_is_undone_step_by_step_and_done_again() {
    let mut steps = Steps::of(Stage::new(scene("m.glb"), model()));
    let first = steps.stage.scene.clone();
    steps.then(|stage| stage.turn(0, rotation_from_degrees([0.0, 30.0, 0.0])));
    let turned = steps.stage.scene.clone();
    steps.then(|stage| stage.act(Action::Mode(SkinningMode::DualQuat)));
    steps.then(|stage| stage.act(Action::Arrange));
    let factors = crate::scene::Factors { roughness: Some(0.5), ..Default::default() };
    steps.then(|stage| stage.retouch(0, factors));
    steps.then(|stage| stage.look_at(View::Normals));
    let last = steps.stage.scene.clone();
    let said: Vec<_> = std::iter::from_fn(|| steps.stage.step_back(true)).collect();
    assert_eq!(said, ["view", "material", "arrangement", "mode", "pose"]);
    assert_eq!(steps.stage.scene, first);
    assert_eq!(steps.stage.step_back(false), Some("pose"));
    assert_eq!(steps.stage.scene, turned);
    while steps.stage.step_back(false).is_some() {}
    assert_eq!(steps.stage.scene, last);
    // Another step ends what could be redone.
    steps.stage.step_back(true);
    steps.then(|stage| stage.act(Action::Grid));
    assert_eq!(steps.stage.step_back(false), None);
}

#[test]
fn time_and_size_are_no_steps_and_do_not_jump() {
    let mut steps = Steps::of(Stage::new(scene("m.glb"), model()));
    steps.then(|stage| stage.tick(0.25));
    steps.then(|stage| stage.scene.size = [10, 20]);
    steps.then(|stage| stage.chosen = Some(0));
    assert_eq!(steps.stage.step_back(true), None);
    steps.then(|stage| stage.act(Action::Mode(SkinningMode::Rigid)));
    steps.then(|stage| stage.tick(0.25));
    assert_eq!(steps.stage.step_back(true), Some("mode"));
    let PoseChoice::Clips(mix) = &steps.stage.scene.pose else { panic!() };
    assert_eq!((mix.time_secs, steps.stage.scene.size, steps.stage.chosen), (1.25, [10, 20], Some(0)));
}

#[test]
fn a_drag_is_one_step_and_can_be_left() {
    let mut stage = Stage::new(scene("m.glb"), model());
    let before = stage.scene.clone();
    for pixels in 1..10 {
        stage.drag(DVec2::new(f64::from(pixels), 0.0));
        stage.note(true, 0.01 * f64::from(pixels));
    }
    let mut dragged = stage.scene.clone();
    stage.note(false, 0.2);
    // The wheel goes on where the drag ended, and is the same step.
    stage.zoom(0.5, DVec2::new(9.0, 9.0));
    stage.note(false, 0.5);
    assert_eq!(stage.step_back(true), Some("viewpoint"));
    assert_eq!(stage.scene, before);
    assert_eq!(stage.step_back(true), None);
    stage.step_back(false);
    dragged = std::mem::replace(&mut stage.scene, dragged);
    stage.leave_off();
    assert_eq!(stage.scene, dragged);
}

#[test]
fn edits_are_unsaved_until_they_are_written_or_gone() {
    let mut stage = Stage::new(scene("m.glb"), model());
    assert!(!stage.has_unsaved_pose() && !stage.has_unsaved_materials());
    stage.turn(0, rotation_from_degrees([0.0, 30.0, 0.0]));
    assert!(stage.has_unsaved_pose());
    // The pose that waits below the bind pose is as much somebody's work.
    stage.act(Action::Bind);
    assert!(stage.has_unsaved_pose() && stage.edited_mix().is_some());
    stage.note_saved(false);
    assert!(!stage.has_unsaved_pose());
    stage.act(Action::Bind);
    stage.turn(0, rotation_from_degrees([0.0, 40.0, 0.0]));
    assert!(stage.has_unsaved_pose());
    // A reload saves nothing.
    stage.show(model(), "m.glb");
    assert!(stage.has_unsaved_pose());
    stage.reset_all();
    assert!(!stage.has_unsaved_pose());
    let factors = crate::scene::Factors { roughness: Some(0.5), ..Default::default() };
    stage.retouch(0, factors);
    assert!(stage.has_unsaved_materials());
    stage.note_saved(false);
    assert!(stage.has_unsaved_materials());
    stage.note_saved(true);
    assert!(!stage.has_unsaved_materials());
    stage.turn(0, rotation_from_degrees([0.0, 30.0, 0.0]));
    stage.show(model(), "other.glb");
    assert!(!stage.has_unsaved_pose() && stage.step_back(true).is_none());
}
