//! Poses made by handles, on the built-in character: reached, pinned, mirrored, copied and undone.

use std::sync::Arc;

use glam::DVec3;

use super::*;
use crate::keys::Action;
use crate::stage::tests::scene;
use sinew_model::{Model, builtin, gltf};
use sinew_skinning::pose::rotation_from_degrees;

fn stage() -> Stage {
    let model = gltf::load_bytes(&builtin::glb("character").unwrap(), None).unwrap();
    let mut stage = Stage::new(
        sinew_scene::scene::Scene { pose: PoseChoice::Rest, ..scene("character") },
        Arc::new(model),
    );
    stage.set_points(&[DVec3::new(-0.9, 0.0, -0.2), DVec3::new(0.9, 1.8, 0.2)]);
    stage
}

fn node(model: &Model, name: &str) -> usize {
    model.rig.names.iter().position(|known| known == name).unwrap()
}

fn place(stage: &Stage, name: &str) -> DVec3 {
    stage.pose().world_from_node[node(&stage.model, name)].w_axis.truncate()
}

fn choose(stage: &mut Stage, name: &str) -> usize {
    let found = node(&stage.model, name);
    stage.chosen = Some(found);
    found
}

/// Returns the joints that have an edit.
fn edited(stage: &Stage) -> Vec<String> {
    stage.edits().map(|edits| edits.joints().map(|(_, edit)| edit.name.clone()).collect()).unwrap_or_default()
}

#[test]
fn a_hand_is_brought_somewhere_by_its_arm() {
    let mut stage = stage();
    let (hand, shoulder) = (choose(&mut stage, "hand.L"), place(&stage, "upper_arm.L"));
    let goal = shoulder + (place(&stage, "hand.L") - shoulder) * 0.7 + DVec3::new(0.0, 0.1, 0.15);
    stage.change(hand, Change::Goal(goal));
    assert!(place(&stage, "hand.L").distance(goal) < 1e-9);
    assert_eq!(edited(&stage), ["upper_arm.L", "forearm.L"]);
    assert_eq!(place(&stage, "upper_arm.L"), shoulder);
    // With more bones the shoulder moves too.
    stage.bones = 3;
    stage.change(hand, Change::Goal(goal + DVec3::Y * 0.05));
    assert_eq!(edited(&stage), ["clavicle.L", "upper_arm.L", "forearm.L"]);
    assert!(place(&stage, "hand.L").distance(goal + DVec3::Y * 0.05) < 1e-6);
}

#[test]
fn pinned_feet_stay_while_the_hips_go_down() {
    let mut stage = stage();
    for foot in ["foot.L", "foot.R"] {
        choose(&mut stage, foot);
        stage.act(Action::PinJoint);
    }
    let feet = ["foot.L", "foot.R", "toe.L", "toe.R"];
    let before = feet.map(|foot| place(&stage, foot));
    let knee = place(&stage, "shin.L");
    let hips = choose(&mut stage, "hips");
    let down = place(&stage, "hips") - DVec3::Y * 0.12;
    stage.change(hips, Change::Translation(down));
    assert!((place(&stage, "hips").y - down.y).abs() < 1e-12, "{}", place(&stage, "hips"));
    for (foot, before) in feet.iter().zip(before) {
        assert!(place(&stage, foot).distance(before) < 1e-6, "{foot} {}", place(&stage, foot) - before);
    }
    assert!(
        place(&stage, "shin.L").z > knee.z + 0.05,
        "the knee bends forwards: {}",
        place(&stage, "shin.L")
    );
    // A pinned foot that the user moves takes its pin along.
    let foot = choose(&mut stage, "foot.L");
    let goal = before[0] + DVec3::new(0.0, 0.1, 0.1);
    stage.change(foot, Change::Goal(goal));
    assert!(place(&stage, "foot.L").distance(goal) < 1e-9 && stage.is_pinned(foot));
    stage.change(hips, Change::Translation(down + DVec3::Y * 0.02));
    assert!(place(&stage, "foot.L").distance(goal) < 1e-6);
    // After release, it follows.
    stage.act(Action::PinJoint);
    assert!(!stage.is_pinned(foot));
    stage.change(hips, Change::Translation(down + DVec3::Y * 0.04));
    assert!(place(&stage, "foot.L").distance(goal) > 0.01);
}

#[test]
fn a_side_is_copied_to_the_other_and_sides_are_exchanged() {
    let mut stage = stage();
    let seen = |place: DVec3| DVec3::new(-place.x, place.y, place.z);
    let arm = choose(&mut stage, "upper_arm.L");
    stage.turn(arm, rotation_from_degrees([20.0, -30.0, 50.0]));
    let forearm = node(&stage.model, "forearm.L");
    stage.turn(forearm, rotation_from_degrees([0.0, 70.0, 0.0]));
    let hand = place(&stage, "hand.L");
    assert_eq!(stage.mirror(), Ok("copied to upper_arm.R".to_owned()));
    assert!(place(&stage, "hand.R").distance(seen(hand)) < 1e-6);
    assert_eq!(place(&stage, "hand.L"), hand);
    // After the swap, the raised arm is the other one.
    stage.reset_chosen();
    stage.chosen = Some(forearm);
    stage.reset_chosen();
    let (left, right) = (place(&stage, "hand.L"), place(&stage, "hand.R"));
    stage.chosen = None;
    stage.mirror().unwrap();
    assert!(place(&stage, "hand.L").distance(seen(right)) < 1e-6);
    assert!(place(&stage, "hand.R").distance(seen(left)) < 1e-6);
    // A joint without an opposite reports that, and nothing happens in the bind pose.
    choose(&mut stage, "head");
    let before = stage.scene.clone();
    assert!(stage.mirror().unwrap_err().contains("head has no other side"));
    assert_eq!(stage.scene, before);
    stage.act(Action::Bind);
    assert!(stage.mirror().is_err() && stage.pose_text().is_err() && stage.paste_pose("{}").is_err());
}

#[test]
fn poses_go_to_other_windows_as_text() {
    let mut from = stage();
    let arm = choose(&mut from, "upper_arm.L");
    from.turn(arm, rotation_from_degrees([20.0, -30.0, 50.0]));
    from.change(arm, Change::Scale(DVec3::new(1.0, 1.5, 1.0)));
    let joint = from.pose_text().unwrap();
    from.chosen = None;
    let head = node(&from.model, "head");
    from.turn(head, rotation_from_degrees([10.0, 0.0, 0.0]));
    let all = from.pose_text().unwrap();

    let mut to = stage();
    choose(&mut to, "hips");
    to.change(node(&to.model, "hips"), Change::Translation(DVec3::new(0.0, 1.1, 0.0)));
    assert_eq!(to.paste_pose(&joint), Ok("pasted the pose of 1 joint".to_owned()));
    assert_eq!(edited(&to), ["hips", "upper_arm.L"]);
    let locals = |stage: &Stage| stage.pose().locals[arm];
    assert_eq!(locals(&to), locals(&from));
    assert_eq!(to.paste_pose(&all), Ok("pasted the pose of 2 joints".to_owned()));
    assert_eq!(edited(&to), ["hips", "head", "upper_arm.L"]);
    // Over a clip, the whole pose is copied with its time.
    from.change_clip(1);
    from.go_to(0.3);
    let all = from.pose_text().unwrap();
    to.paste_pose(&all).unwrap();
    assert_eq!(to.scene.pose, from.scene.pose);
    let before = to.scene.clone();
    for wrong in ["", "sinew fox.glb", r#"{"sinew-pose": 2, "joints": {"unknown": {"scale": [1, 1, 1]}}}"#] {
        assert!(to.paste_pose(wrong).unwrap_err().starts_with("the clipboard's text is no pose"), "{wrong}");
    }
    assert_eq!(to.scene, before);
}

#[test]
fn every_step_is_undone() {
    let mut stage = stage();
    let mut now = 0.0;
    let mut note = |stage: &mut Stage| {
        now += 1.0;
        stage.note(false, now);
    };
    let hand = choose(&mut stage, "hand.L");
    note(&mut stage);
    let rest = place(&stage, "hand.L");
    stage.change(hand, Change::Goal(rest + DVec3::new(-0.1, 0.1, 0.1)));
    note(&mut stage);
    stage.act(Action::PinJoint);
    note(&mut stage);
    stage.change(hand, Change::Scale(DVec3::splat(2.0)));
    note(&mut stage);
    assert_eq!(stage.step_back(true), Some("pose"));
    assert!(stage.is_pinned(hand));
    assert_eq!(stage.step_back(true), Some("pin"));
    assert!(!stage.is_pinned(hand) && place(&stage, "hand.L") != rest);
    assert_eq!(stage.step_back(true), Some("pose"));
    assert_eq!(place(&stage, "hand.L"), rest);
    assert_eq!(stage.scene.pose, PoseChoice::Rest);
    for _ in 0..3 {
        assert!(stage.step_back(false).is_some());
    }
    assert!(stage.is_pinned(hand));
}
