//! Persistence of a scene when another file is shown, or when a file is reloaded.

use super::*;

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

    // A reloaded file: the clips remain, the joint is gone.
    stage.show(model(), "m.glb");
    assert_eq!((&stage.scene.pose, &stage.scene.camera), (&pose, &camera));
    assert_eq!((&stage.scene.view, stage.scene.mode), (&View::Shaded, SkinningMode::DualQuat));
    // With one clip fewer.
    let mut short = (*model()).clone();
    short.clips.truncate(1);
    stage.show(Arc::new(short), "m.glb");
    assert_eq!((&stage.scene.pose, &stage.scene.camera), (&PoseChoice::clip(0, 0.0), &camera));
    // Another file, without clips.
    stage.show(Arc::new(Model::default()), "other.glb");
    assert_eq!((&stage.scene.pose, stage.scene.files.model.as_str()), (&PoseChoice::Rest, "other.glb"));
    assert_eq!(stage.scene.camera, Viewpoint::default());
    assert_eq!(stage.scene.mode, SkinningMode::DualQuat);
}

/// The other of two files stays while the first is reloaded, and is removed with it.
#[test]
fn another_file_parts_from_the_other_one() {
    let against_other = || View::Difference(Difference { against: Against::Other, top_m: None });
    let pane = Change { other: true, ..Change::default() };
    for arrangement in [Arrangement::WipeOther(0.25), Arrangement::Storyboard(vec![pane])] {
        let mut stage = stage();
        stage.scene.files.other = Some("old.glb".to_owned());
        (stage.scene.arrangement, stage.scene.view) = (arrangement.clone(), against_other());
        stage.show(model(), "m.glb");
        assert_eq!((&stage.scene.arrangement, &stage.scene.view), (&arrangement, &against_other()));
        stage.move_line(0.75);
        stage.show(model(), "n.glb");
        let Scene { files, arrangement, view, .. } = &stage.scene;
        assert_eq!((&files.other, arrangement, view), (&None, &Arrangement::Single, &View::Shaded));
    }
}

/// Clips from other files belong to the rig that they were matched with.
#[test]
fn another_file_parts_from_borrowed_clips() {
    let mut stage = stage();
    stage.scene.files.clip_from = vec!["walk.glb".to_owned()];
    stage.scene.files.joint_map = Some("map.toml".to_owned());
    stage.show(model(), "m.glb");
    assert!(stage.scene.to_string().contains(" --clip-from=walk.glb --joint-map=map.toml "));
    stage.show(model(), "n.glb");
    assert_eq!((stage.scene.files.clip_from.len(), &stage.scene.files.joint_map), (0, &None));
}

fn turned(stage: &Stage) -> Option<glam::DQuat> {
    stage.rotation(0)
}

/// After the pose file is reloaded, the user's edits and the time stay, and the file's changes apply.
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
    // An unchanged clip and time keep playing.
    assert!(!stage.read_pose(pose(&[0], 0.75, quarter)));
    assert_eq!((time(&stage), turned(&stage)), (1.0, Some(quarter)));
    // A new time in the file applies.
    assert!(!stage.read_pose(pose(&[0], 0.5, half)));
    assert_eq!((time(&stage), turned(&stage)), (0.5, Some(half)));
    // A joint that the user turned stays turned, for any content of the file, until it is reset.
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
