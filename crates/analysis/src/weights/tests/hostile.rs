//! Tests that no content of a file causes a panic, a NaN, or a long wait.

use std::sync::Arc;

use glam::DMat4;
use serde::Serialize;
use sinew_model::{Influences, Instance, LocalTransform, Model, Primitive, Skin, Span, Topology};
use sinew_skinning::SkinningMode;

use super::super::bones::Bones;
use super::super::homes::Homes;
use super::super::surface::Surface;
use super::super::{compare, joints, random_poses, report, text};
use super::{built_in, cube, joint, primitive};

/// Runs every output of this module on a model.
fn say_all(model: &Model) {
    let trees = joints(model);
    let found = report(model, true);
    let same = compare(model, model);
    let poses = random_poses(model, model, SkinningMode::DualQuat, 2, 1);
    let lines =
        [text::joints(&trees), text::report(&found), text::difference(&same), text::random_poses(&poses)];
    assert!(lines.iter().all(|lines| !lines.contains("NaN") && !lines.contains("inf ")), "{lines:?}");
    let with_cube = compare(&cube(), model);
    let json = |value: &dyn erased::Json| value.json();
    for text in [json(&trees), json(&found), json(&same), json(&poses), json(&with_cube)] {
        assert!(!text.contains("\"weight\":null") && !text.contains("\"sum\":null"), "{text}");
    }
}

mod erased {
    use super::Serialize;

    pub trait Json {
        fn json(&self) -> String;
    }

    impl<T: Serialize> Json for T {
        fn json(&self) -> String {
            serde_json::to_string(self).unwrap()
        }
    }
}

#[test]
fn broken_numbers_do_no_harm() {
    for bad in [f32::NAN, f32::INFINITY, f32::MAX, -f32::MAX, 1e-45] {
        for stride in [1, 3, 7] {
            let mut model = built_in("strip");
            primitive(&mut model).positions.iter_mut().step_by(stride).for_each(|position| position[1] = bad);
            say_all(&model);
            let mut model = cube();
            let spans = &mut primitive(&mut model).influences.as_mut().unwrap().spans;
            spans[0].weights.iter_mut().step_by(stride).for_each(|weights| weights[0] = bad);
            say_all(&model);
        }
        let mut model = cube();
        Arc::make_mut(&mut model.skins[0].joint_from_bind)[1].w_axis.x = f64::from(bad);
        model.rig.rest[1] = LocalTransform::from_matrix(DMat4::from_cols_array(&[f64::from(bad); 16]));
        say_all(&model);
    }
}

#[test]
fn broken_shapes_do_no_harm() {
    say_all(&Model::default());
    let change: [fn(&mut Model); 15] = [
        |m| m.skins[0].joint_from_bind = [].into(),
        |m| Arc::make_mut(&mut m.skins[0].joint_from_bind).fill(DMat4::ZERO),
        |m| m.skins[0].joints = vec![1, 1, 1, 99],
        |m| m.skins[0] = Skin::default(),
        |m| m.skins.clear(),
        |m| m.instances[0].mesh = 9,
        |m| m.instances[0] = Instance { node: 77, mesh: 0, skin: Some(3) },
        |m| m.meshes.clear(),
        |m| m.meshes[0].primitives.clear(),
        |m| primitive(m).positions.clear(),
        |m| primitive(m).indices = vec![0, 0, 0, 1, 1, 2, 7, 70, 700, 5],
        |m| primitive(m).topology = Topology::Points,
        |m| primitive(m).influences = Some(Influences::default()),
        |m| primitive(m).influences.as_mut().unwrap().spans[0].joints.fill([-1, 99, i32::MAX, i32::MIN]),
        |m| primitive(m).influences.as_mut().unwrap().spans.push(Span::default()),
    ];
    for (number, first) in change.iter().enumerate() {
        for second in change.iter().skip(number).filter(|_| number > 4) {
            let mut model = cube();
            first(&mut model);
            if !model.meshes.is_empty() && !model.meshes[0].primitives.is_empty() {
                let is_set =
                    model.meshes[0].primitives[0].influences.as_ref().is_some_and(|i| !i.spans.is_empty());
                if is_set && !model.instances.is_empty() {
                    second(&mut model);
                }
            }
            say_all(&model);
        }
        let mut model = cube();
        first(&mut model);
        say_all(&model);
    }
    let mut lines = cube();
    primitive(&mut lines).topology = Topology::Lines;
    say_all(&lines);
}

#[test]
fn many_joints_do_no_harm() {
    say_all(&built_in("tube-4096"));
}

#[test]
fn long_ways_are_left_out_at_some_point() {
    let model = built_in("character");
    let surface = Surface::new(&model, 0, &[0]);
    let bones = Bones::new(&model, &model.skins[0]);
    let mut homes = Homes::new(&surface, &bones);
    let hips = joint(&model, "hips") as usize;
    let (mut few, mut many) = (100, 1_000_000);
    let found = homes.of(hips, &mut few);
    assert!(!found.is_measured && found.points.iter().all(|point| point.is_near));
    assert_eq!(few, 0);
    assert!(homes.of(hips, &mut many).is_measured && (900_000..999_900).contains(&many), "{many}");
}

#[test]
fn skins_of_a_large_rig_are_left_out_at_some_point() {
    let mut model = cube();
    let (skin, instance) = (model.skins[0].clone(), model.instances[0]);
    model.skins = vec![skin; 400];
    model.instances = (0..400).map(|skin| Instance { skin: Some(skin), ..instance }).collect();
    model.rig.names.resize(100_000, String::new());
    model.rig.parents.resize(100_000, Some(0));
    model.rig.rest.resize(100_000, LocalTransform::IDENTITY);
    model.rig.file_index.resize(100_000, 7);
    let (found, trees) = (report(&model, false), joints(&model));
    let left_out = found.skins.iter().filter(|skin| skin.left_out).count();
    assert!((1..400).contains(&left_out), "{left_out}");
    assert!(!found.skins[0].left_out && found.skins[399].left_out);
    assert!(trees.reduced && trees.skins.len() == 400);
    assert_eq!((trees.skins[0].joints[1].parent, trees.skins[399].joints[1].parent), (Some(0), None));
}

#[test]
fn primitives_without_joints_are_left_out() {
    let mut model = cube();
    model.meshes[0].primitives.insert(0, Primitive { positions: vec![[0.0; 3]; 5], ..Primitive::default() });
    model.meshes[0].primitives[1].file_index = 1;
    let found = report(&model, true);
    assert_eq!((found.skins[0].vertices, found.limits[0].primitive.as_str()), (8, "node0:1"));
    assert!(found.skins[0].volume.as_ref().unwrap().modes[0].smallest.is_some());
    say_all(&model);
}
