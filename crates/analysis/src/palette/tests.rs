//! Tests of palettes against the crate that makes them, and of hand-made skins with faults.

use super::*;
use glam::{DQuat, DVec3};
use sinew_model::{LocalTransform, Rig, builtin, gltf};
use sinew_skinning::pose::PoseChoice;

fn poses(model: &Model) -> Vec<Pose> {
    let choices = [PoseChoice::Bind, PoseChoice::Rest, PoseChoice::clip(0, 0.7)];
    let pose = |choice| {
        let mut pose = Pose::default();
        pose.set(model, &choice);
        pose
    };
    choices.map(pose).into()
}

#[test]
fn palettes_are_what_skinning_uses() {
    for name in ["character", "twist", "bend", "strip", "tube-600"] {
        let model = gltf::load_bytes(&builtin::glb(name).unwrap(), None).unwrap();
        for pose in poses(&model) {
            for mode in SkinningMode::ALL {
                let palettes = palette(&model, &pose, mode);
                assert_eq!(palettes.skins.len(), model.skins.len());
                for (skin, found) in model.skins.iter().zip(&palettes.skins) {
                    let matrices = world_from_bind(skin, &pose);
                    assert_eq!(found.joints.len(), matrices.len());
                    for (joint, matrix) in found.joints.iter().zip(&matrices) {
                        assert_eq!(joint.transforms.world_from_bind, Some(matrix.to_cols_array_2d()));
                        assert_eq!(joint.slot, Some(mode.slot(matrix).columns));
                    }
                }
                let text: String = lines_of(&palettes);
                assert!(text.lines().all(|line| line.chars().count() <= 110), "{text}");
            }
        }
    }
}

#[test]
fn large_numbers_tell_neighbours_apart() {
    for size in [1.234_567e7_f32, -1e7, 9.876_543e7, -3.21e8, 1e9, 2.5e10, f32::MAX / 2.0] {
        let [near, next] = [size, size.next_up()].map(|size| text::number(size.into()));
        assert_ne!(near, next);
        assert_eq!(near.trim().parse::<f64>().unwrap() as f32, size);
    }
    assert_eq!(text::number(-123_456_789.0), "-123456789", "ten characters");
    assert_eq!(text::number(0.1), "  0.100000");
}

fn lines_of(palettes: &Palettes<'_>) -> String {
    text::lines(palettes).map(|line| line + "\n").collect()
}

/// Makes a joint that turns by a quarter about z at (1, 2, 3), from a bind pose at (1, 0, 0).
fn quarter() -> (Model, Pose) {
    let rotation = DQuat::from_xyzw(0.0, 0.0, 0.5_f64.sqrt(), 0.5_f64.sqrt());
    let local = LocalTransform::Trs { translation: DVec3::new(1.0, 2.0, 3.0), rotation, scale: DVec3::ONE };
    let rig = Rig {
        names: vec!["hip\n".into()],
        parents: vec![None],
        rest: vec![local],
        file_index: vec![7],
        ..Rig::default()
    };
    let joint_from_bind = [DMat4::from_translation(DVec3::NEG_X)].into();
    let skin = Skin { name: "arm".into(), joints: vec![0], joint_from_bind, method: None };
    let pose = Pose::rest(&rig);
    (Model { rig, skins: vec![skin], ..Model::default() }, pose)
}

/// `M (x, y, z) = (1 − y, 2 + x − 1, 3 + z)`.
#[test]
fn a_quarter_turn_by_hand() {
    let (model, pose) = quarter();
    let palettes = palette(&model, &pose, SkinningMode::Linear);
    let joint = &palettes.skins[0].joints[0];
    assert_eq!((joint.joint, joint.node, joint.name), (0, Some(7), "hip\n"));
    let want = [[0.0, 1.0, 0.0, 0.0], [-1.0, 0.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [1.0, 1.0, 3.0, 1.0]];
    let near = |found: Columns| {
        found.as_flattened().iter().zip(want.as_flattened()).all(|(a, b)| (a - b).abs() < 1e-15)
    };
    assert!(near(joint.transforms.world_from_bind.unwrap()));
    let translation = |columns: &Option<Columns>| columns.unwrap()[3];
    assert_eq!(translation(&joint.transforms.parent_from_joint), [1.0, 2.0, 3.0, 1.0]);
    assert_eq!(translation(&joint.transforms.world_from_joint), [1.0, 2.0, 3.0, 1.0]);
    assert_eq!(translation(&joint.transforms.joint_from_bind), [-1.0, 0.0, 0.0, 1.0]);
    let text = lines_of(&palettes);
    assert!(text.contains("joint 0 'hip\\n', node 7"), "{text}");
    assert!(text.contains("         0          0   1.000000   3.000000"), "{text}");
}

/// A skin may have nodes that the rig lacks and fewer matrices than joints; numbers may overflow.
#[test]
fn broken_skins_have_palettes() {
    let (mut model, mut pose) = quarter();
    model.skins[0].joints = vec![0, 99, usize::MAX, 0];
    let huge = DMat4::from_scale(DVec3::splat(1e300));
    model.skins[0].joint_from_bind = model.skins[0].joint_from_bind.iter().copied().chain([huge]).collect();
    pose.world_from_node[0] = DMat4::from_scale(DVec3::splat(f64::NAN));
    for mode in SkinningMode::ALL {
        let palettes = palette(&model, &pose, mode);
        let joints = &palettes.skins[0].joints;
        assert_eq!(joints.len(), 4);
        assert_eq!((joints[0].transforms.world_from_bind, joints[0].slot), (None, None));
        assert_eq!((joints[1].node, joints[1].name), (None, ""));
        // The matrix is too large for a slot, unless the mode leaves its scale out.
        assert!(joints[1].transforms.world_from_bind.is_some());
        let drops_scale = mode.facts().drops_scale && !mode.facts().needs_ddm;
        assert_eq!(joints[1].slot.is_some(), drops_scale, "{mode}");
        let json = serde_json::to_value(&palettes).unwrap();
        assert!(json["skins"][0]["joints"][0]["world_from_bind"].is_null());
        assert_eq!(json["mode"], mode.name());
        assert!(lines_of(&palettes).contains("not finite"));
    }
}
