use super::*;

const WALK: &str = "HIERARCHY
ROOT Hips
{
  OFFSET 0 0 0
  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
  JOINT Left Arm {
    OFFSET 10 50 0
    CHANNELS 3 Yrotation Xrotation Zrotation
    End Site
    {
      OFFSET 0 100 0
    }
  }
}
MOTION
Frames: 2
Frame Time: 0.025
1 2 3 90 0 0 0 90 0
4 5 6 0 0 90 10 20 30
";

fn loaded(text: &str) -> Result<Model, String> {
    load(text.as_bytes(), &Options::default()).map(|loaded| loaded.model).map_err(|error| error.to_string())
}

#[test]
fn a_skeleton_and_its_motion_are_read() {
    let model = loaded(WALK).unwrap();
    assert_eq!(model.rig.names, ["", "Hips", "Left Arm", "Left Arm end"]);
    assert_eq!(model.rig.parents, [None, Some(0), Some(1), Some(2)]);
    // 150 units high: centimetres.
    assert_eq!(model.rig.rest[0].parent_from_node().x_axis.x, 0.01);
    assert_eq!(model.frames_per_second, Some(40.0));
    let [place, hips, arm] = &model.clips[0].channels[..] else { panic!("{:?}", model.clips) };
    assert_eq!((place.node, hips.node, arm.node), (1, 1, 2));
    assert_eq!(place.values, [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
    assert_eq!(place.times, [0.0, 0.025]);
    let turn = |values: &[f32], frame: usize| {
        let values = &values[4 * frame..4 * frame + 4];
        DQuat::from_slice(&[values[0], values[1], values[2], values[3]].map(f64::from))
    };
    assert!((turn(&hips.values, 0) - DQuat::from_rotation_z(90_f64.to_radians())).length() < 1e-6);
    // In the order of the channels.
    let [y, x, z] = [10.0, 20.0, 30.0].map(f64::to_radians);
    let expected = DQuat::from_rotation_y(y) * DQuat::from_rotation_x(x) * DQuat::from_rotation_z(z);
    assert!((turn(&arm.values, 1) - expected).length() < 1e-6);
    assert_eq!(model.clips[0].duration_secs, 0.025);
    // Without motion, and of a few units: metres.
    let small = WALK.replace("OFFSET 0 100 0", "OFFSET 0 1 0").replace("OFFSET 10 50 0", "OFFSET 0 1 0");
    assert_eq!(loaded(&small).unwrap().rig.rest[0], LocalTransform::IDENTITY);
    assert!(loaded(&WALK.replace('\n', "\r\n")).is_ok());
}

#[test]
fn the_rest_pose_stands_on_the_ground() {
    let sunk = WALK.replace("OFFSET 0 100 0", "OFFSET 0 -150 0");
    let place = |model: &Model| match model.rig.rest[1] {
        LocalTransform::Trs { translation, .. } => translation,
        LocalTransform::Matrix(_) => panic!("a matrix"),
    };
    assert_eq!(place(&loaded(&sunk).unwrap()), DVec3::new(0.0, 100.0, 0.0));
    // Without positions, the offset counts.
    let fixed = sunk.replace("6 Xposition Yposition Zposition", "3").replace("1 2 3 90", "90");
    assert_eq!(place(&loaded(&fixed.replace("4 5 6 0 0 90", "0 0 90")).unwrap()), DVec3::ZERO);
}

#[test]
fn frames_beyond_the_stated_number_count() {
    let model = loaded(&WALK.replace("Frames: 2", "Frames: 1")).unwrap();
    assert_eq!(model.clips[0].channels[0].values, [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
    assert_eq!(model.warnings[0].message, "it has 2 frames instead of 1; all count");
    assert!(loaded(WALK).unwrap().warnings.is_empty());
}

#[test]
fn faults_say_their_line() {
    let says = |from: &str, to: &str| loaded(&WALK.replacen(from, to, 1)).unwrap_err();
    assert_eq!(says("OFFSET 10", "OFFSET ten"), "line 7: expected an offset instead of 'ten'");
    assert_eq!(
        says("Frames: 2", "Frames: 3"),
        "line 20: expected a number of a frame instead of the end of the file"
    );
    assert_eq!(says("30\n", "30 40\n"), "line 19: expected the end of the file instead of '40'");
    assert_eq!(says("Frame Time: 0.025", "Frame Time: 0"), "line 17: expected a time of a frame above 0");
    assert!(
        says("Yrotation Xrotation Z", "Yrotation Yrotation Z")
            .contains("line 8: the channel yrotation is there twice")
    );
    assert!(
        says("3 Yrotation", "3 Wrotation")
            .contains("expected a channel such as Xrotation instead of 'wrotation'")
    );
    assert!(says("JOINT", "JOIN").contains("line 6: expected JOINT, End Site or '}' instead of 'JOIN'"));
    assert!(says("0.025", "nan").contains("expected the time of a frame instead of 'nan'"));
    for end in 0..WALK.trim_end().len() {
        let _ = loaded(&WALK[..end]);
    }
    let many = WALK.replace("Frames: 2", "Frames: 99999999999");
    assert!(loaded(&many).unwrap_err().contains("MOTION"));
    let deep = format!("HIERARCHY ROOT a {{ OFFSET 0 0 0 {}", "JOINT b\n{ OFFSET 0 0 0\n".repeat(2000));
    assert!(loaded(&deep).unwrap_err().contains("joints may be 1024 deep"));
}
