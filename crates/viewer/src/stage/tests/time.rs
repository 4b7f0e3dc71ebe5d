//! The clock, its steps, and clips that fade into each other.

use super::*;

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
    // 0.75 s lies halfway between frames 22 and 23 and rounds away from zero.
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

/// A clip of a file that counts frames has no rest before its first key: the clock, steps and jumps begin there.
#[test]
fn clips_that_begin_late_or_early_go_round_from_their_start() {
    for first in [1.5_f32, -0.5] {
        let mut model = (*stage().model).clone();
        model.frames_per_second = Some(24.0);
        model.clips[0].channels[0].times = vec![first, 2.0];
        model.clips[0].channels[0].values = vec![0.0; 6];
        let start = f64::from(first);
        let mut stage =
            Stage::new(Scene { pose: PoseChoice::clip(0, start), ..Scene::new("late") }, Arc::new(model));
        stage.tick(0.25);
        assert_eq!(time(&stage), start + 0.25);
        stage.tick(2.0 - start);
        assert_eq!(time(&stage), start + 0.25, "one round later");
        stage.act(Action::Jump(false));
        assert_eq!(time(&stage), start);
        stage.act(Action::Step(-1));
        assert_eq!(time(&stage), start);
        stage.act(Action::Jump(true));
        assert_eq!(time(&stage), 2.0);
    }
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

/// Clips with one key do not move but still show, and every fade ends at the requested clip for any cause.
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
    // The skin-space view implies a pose; the clip appears when that view ends.
    reloaded.look_at(View::SkinSpace);
    reloaded.act(Action::Clip(1));
    assert_eq!(reloaded.scene.pose, PoseChoice::SkinSpace(None));
    reloaded.look_at(View::Shaded);
    assert_eq!(reloaded.scene.pose, PoseChoice::clip(0, 0.0));
}
