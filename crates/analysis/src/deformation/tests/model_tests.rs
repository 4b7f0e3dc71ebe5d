//! Tests on the built-in models, and on hostile ones.

use super::*;

/// Returns the measurements without the jump and the time.
fn shape_of(frame: &Frame) -> Frame {
    Frame { time: 0.0, jump: None, ..frame.clone() }
}

fn assert_finite(frame: &Frame) {
    let json = serde_json::to_string(frame).unwrap();
    assert_eq!(&serde_json::from_str::<Frame>(&json).unwrap(), frame, "{json}");
}

#[test]
fn every_built_in_model_is_measured() {
    for listed in builtin::list() {
        let name = listed.name.replace("-N", "-40");
        let model = gltf::load_bytes(&builtin::glb(&name).unwrap(), None).unwrap();
        let shape = Shape::new(&model).unwrap();
        let mut choices = vec![PoseChoice::Bind];
        let times = [0.0, 0.05, 0.1, 1.0, 1.9, 2.0, 2.1];
        choices
            .extend((0..model.clips.len()).flat_map(|clip| times.map(|time| PoseChoice::clip(clip, time))));
        let mut frames = Vec::new();
        for mode in SkinningMode::ALL {
            let mut scratch = Scratch::default();
            let mut pose = Pose::default();
            for (number, choice) in choices.iter().enumerate() {
                pose.set(&model, choice);
                let skinned = skin(&model, mode, &pose);
                let frame = measure(&shape, &model, &pose, number as f64, &skinned, &mut scratch);
                assert_finite(&frame);
                // Only modes that choose a side of the sphere can jump.
                let turns = !matches!(mode, SkinningMode::Rigid | SkinningMode::Linear);
                assert!(turns || frame.jump.is_none(), "{name} {mode} {frame:?}");
                let again = measure(&shape, &model, &pose, 0.0, &skinned, &mut scratch);
                assert_eq!((shape_of(&again), again.jump), (shape_of(&frame), None));
                frames.push(frame);
            }
        }
        let bind = &frames[0];
        assert_eq!((bind.lost, bind.turned.count), (0, 0));
        for found in [bind.volume, bind.section].into_iter().flatten() {
            close(found.smallest, 1.0);
            close(found.largest, 1.0);
        }
        let stretch = bind.stretch.unwrap();
        for ratio in [stretch.p1, stretch.p50, stretch.p99] {
            close(ratio, 1.0);
        }
        assert_eq!(frames[0].volume.is_some(), name != "strip", "{name}");
        assert_eq!(shape.sections().is_empty(), name == "strip", "{name}");
    }
}

#[test]
fn the_candy_wrapper_is_seen_on_the_twisted_rod() {
    let model = gltf::load_bytes(&builtin::glb("twist").unwrap(), None).unwrap();
    let mut pose = Pose::default();
    pose.set(&model, &PoseChoice::clip(0, 2.0));
    let shape = Shape::new(&model).unwrap();
    let frame =
        |mode| measure(&shape, &model, &pose, 2.0, &skin(&model, mode, &pose), &mut Scratch::default());
    let (linear, dual_quat) = (frame(SkinningMode::Linear), frame(SkinningMode::DualQuat));
    assert!(linear.section.unwrap().smallest < 0.05, "{linear:?}");
    assert!((dual_quat.section.unwrap().smallest - 1.0).abs() < 0.01, "{dual_quat:?}");
    assert!(linear.volume.unwrap().smallest < 0.8, "{linear:?}");
    assert!((dual_quat.volume.unwrap().smallest - 1.0).abs() < 0.05, "{dual_quat:?}");
}

#[test]
fn lost_vertices_are_counted_and_spoil_nothing_else() {
    let mut two = model(vec![cube(&SIDES), grid(4)], &[]);
    two.meshes[0].primitives[1].positions.iter_mut().for_each(|position| position[2] = 9.0);
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e300] {
        let frame = moved(&two, |p| if p.length() == 0.0 { DVec3::new(0.0, bad, bad) } else { p * 2.0 });
        assert_eq!(frame.lost, if bad.is_finite() { 0 } else { 3 });
        assert_finite(&frame);
        assert_eq!((frame.volume, frame.turned.count), (None, 0));
        close(frame.stretch.unwrap().p50, 2.0);
        let all = moved(&two, |_| DVec3::splat(bad));
        assert_finite(&all);
        assert_eq!(all.lost, if bad.is_finite() { 0 } else { 49 });
        assert_eq!(all.stretch.is_some(), bad.is_finite());
    }
}

#[test]
fn hostile_models_are_measured_without_harm() {
    let tube = || with_joints(tube(0.25), twisting);
    let fan = primitive(
        vec![[0.0; 3], [0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [-1.0, 0.0, 0.0]],
        &[0, 1, 2, 0, 1, 3, 0, 1, 4, 0, 0, 1, 2, 2, 2, 1, 2],
    );
    let mut broken = tube();
    broken.positions.iter_mut().step_by(7).for_each(|p| p[0] = f32::NAN);
    broken.positions.iter_mut().skip(3).step_by(11).for_each(|p| *p = [f32::MAX, f32::MIN, 0.0]);
    broken.indices.push(9999);
    let lines = Primitive { topology: Topology::Lines, ..grid(3) };
    let mut short = tube();
    short.influences.as_mut().unwrap().spans[0].joints.truncate(5);
    let spanless = Primitive { influences: Some(Influences::default()), ..tube() };
    let wild = with_joints(tube(), |_| ([-1, i32::MIN, i32::MAX, 99], [0.25; 4]));
    let all = vec![tube(), fan, Primitive::default(), broken, lines, short, spanless, wild];
    let mut hostile = model(all, &[0.0, 1.0, 1.0, f64::NAN, f64::INFINITY, 1e300]);
    hostile.skins.push(Skin { joints: vec![1, 2, 999, 2, 2], ..Skin::default() });
    for skin in [Some(0), Some(1), Some(77), None] {
        hostile.instances.push(Instance { node: 2, mesh: 0, skin });
        hostile.instances.push(Instance { node: 999, mesh: 0, skin });
        hostile.instances.push(Instance { node: 0, mesh: 5, skin });
    }
    for model in [hostile, model(Vec::new(), &[0.0, 1.0]), Model::default()] {
        let shape = Shape::new(&model).unwrap();
        for mode in SkinningMode::ALL {
            let mut scratch = Scratch::default();
            for degrees in [0.0, 45.0, f64::NAN] {
                let turns = [(2, DQuat::from_rotation_y(degrees))];
                let pose = turned_by(&model, if model.rig.is_empty() { &[] } else { &turns });
                let mut skinned = skin(&model, mode, &pose);
                assert_finite(&measure(&shape, &model, &pose, 0.0, &skinned, &mut scratch));
                // Vertices of another model.
                skinned.iter_mut().for_each(|skinned| skinned.positions.truncate(20));
                skinned.pop();
                assert_finite(&measure(&shape, &model, &pose, 0.0, &skinned, &mut scratch));
            }
        }
    }
}

#[test]
fn what_draws_too_much_is_refused() {
    let mut crowd = model(vec![grid(100)], &[]);
    let one = crowd.instances[0];
    crowd.instances = vec![one; 10_000];
    let refused = Shape::new(&crowd).err().unwrap();
    assert_eq!(refused, TooLarge { vertices: 102_010_000, triangles: 200_000_000 });
    assert!(refused.to_string().contains("102010000 vertices"));
}
