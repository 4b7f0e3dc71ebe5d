//! Undo and redo, and unsaved edits.

use super::*;

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
    let factors = sinew_scene::scene::Factors { roughness: Some(0.5), ..Default::default() };
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
    // A new step discards the steps that could be redone.
    steps.stage.step_back(true);
    steps.then(|stage| stage.act(Action::Grid));
    assert_eq!(steps.stage.step_back(false), None);
}

/// The settings of *ddm* belong to the scene, and the model follows.
#[test]
fn settings_of_ddm_are_undone_and_stay_with_another_file() {
    let mut steps = Steps::of(Stage::new(scene("m.glb"), model()));
    let settings = DdmSettings { alpha: 0.5, ..DdmSettings::default() };
    steps.then(|stage| stage.set_ddm(settings));
    let drawn = |stage: &Stage| stage.model.ddm.settings();
    assert_eq!((drawn(&steps.stage), steps.stage.scene.files.ddm), (settings, Some(settings)));
    assert!(steps.stage.step_back(true).is_some());
    assert_eq!((drawn(&steps.stage), steps.stage.scene.files.ddm), (DdmSettings::default(), None));
    steps.stage.step_back(false);
    assert_eq!(drawn(&steps.stage), settings);
    steps.stage.show(model(), "other.glb");
    assert_eq!((drawn(&steps.stage), steps.stage.scene.files.ddm), (settings, Some(settings)));
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
    // The wheel continues from the end of the drag, in one step with it.
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
    // A pose kept below the bind pose is the user's work, too.
    stage.act(Action::Bind);
    assert!(stage.has_unsaved_pose() && stage.edited_mix().is_some());
    stage.note_pose_saved();
    assert!(!stage.has_unsaved_pose());
    stage.act(Action::Bind);
    stage.turn(0, rotation_from_degrees([0.0, 40.0, 0.0]));
    assert!(stage.has_unsaved_pose());
    // A reload saves nothing.
    stage.show(model(), "m.glb");
    assert!(stage.has_unsaved_pose());
    stage.reset_all();
    assert!(!stage.has_unsaved_pose());
    let factors = sinew_scene::scene::Factors { roughness: Some(0.5), ..Default::default() };
    stage.retouch(0, factors);
    assert!(stage.has_unsaved_materials());
    stage.note_pose_saved();
    assert!(stage.has_unsaved_materials());
    stage.note_materials_saved();
    assert!(!stage.has_unsaved_materials());
    stage.turn(0, rotation_from_degrees([0.0, 30.0, 0.0]));
    stage.show(model(), "other.glb");
    assert!(!stage.has_unsaved_pose() && stage.step_back(true).is_none());
}
