//! Tests of two files on one mesh.

use sinew_skinning::pairing::How;

use super::super::{compare, random_poses, text};
use super::{built_in, cube, give, joint, primitive};
use sinew_skinning::{Drawn, SkinningMode};

#[test]
fn a_model_equals_itself() {
    for name in ["character", "tube-40"] {
        let model = built_in(name);
        let found = compare(&model, &model);
        assert_eq!((found.mean, found.largest, found.unmatched), (Some(0.0), Some(0.0), 0));
        assert_eq!(found.matched, Drawn::new(&model).count());
        assert!(
            found.joints.is_empty() && found.only_in_a.is_empty() && found.primitives_only_in_b.is_empty()
        );
        let poses = random_poses(&model, &model, SkinningMode::Linear, 3, 1);
        assert_eq!((poses.mean, poses.largest), (Some(0.0), Some(0.0)));
    }
}

#[test]
fn one_changed_vertex_is_measured() {
    let (a, mut b) = (cube(), cube());
    give(&mut b, 3, 0, 0.25);
    let found = compare(&a, &b);
    assert_eq!((found.mean, found.largest), (Some(0.5 / 8.0), Some(0.5)));
    assert_eq!(found.worst.as_deref(), Some("node0:0:3"));
    let joints: Vec<_> =
        found.joints.iter().map(|joint| (joint.name.as_str(), joint.sum, joint.mean)).collect();
    assert_eq!(joints, [("j0", 0.25, 0.25 / 8.0), ("j1", 0.25, 0.25 / 8.0)]);
    assert!(text::difference(&found).contains("by 0.50000 at node0:0:3"));
}

#[test]
fn vertices_in_another_order_are_matched_by_place() {
    let (a, mut b) = (built_in("character"), built_in("character"));
    let p = primitive(&mut b);
    p.positions.reverse();
    p.normals.as_mut().unwrap().reverse();
    p.texcoords.iter_mut().for_each(|set| set.reverse());
    let last = p.positions.len() as u32 - 1;
    p.indices.iter_mut().for_each(|index| *index = last - *index);
    for span in &mut p.influences.as_mut().unwrap().spans {
        span.joints.reverse();
        span.weights.reverse();
    }
    let found = compare(&a, &b);
    assert_eq!((found.primitives[0].how, found.unmatched), (How::Place, 0));
    assert!(found.largest.unwrap() < 1e-6, "{found:?}");
    // Fewer vertices in B: those of A that are far from all of them have no partner.
    let p = primitive(&mut b);
    let kept: Vec<u32> = p
        .indices
        .chunks(3)
        .filter(|corners| corners.iter().all(|corner| *corner < 200))
        .flatten()
        .copied()
        .collect();
    p.indices = kept;
    let found = compare(&a, &b);
    assert!(found.unmatched > 10_000 && found.matched > 0, "{} {}", found.matched, found.unmatched);
    // The same order, but another shape.
    let mut c = built_in("character");
    primitive(&mut c).positions.iter_mut().for_each(|p| *p = p.map(|x| x * 100.0));
    assert_eq!(compare(&a, &c).primitives[0].how, How::Order);
}

#[test]
fn joints_are_matched_by_name_not_by_number() {
    let (a, mut b) = (cube(), cube());
    b.rig.names.swap(1, 2);
    assert_eq!(compare(&a, &b).mean, Some(2.0));
    b.skins[0].joints.swap(0, 1);
    assert_eq!(compare(&a, &b).mean, Some(2.0 * 0.0));
    b.rig.names[1] = "other".into();
    let found = compare(&a, &b);
    assert_eq!(
        (found.only_in_a.as_slice(), found.only_in_b.as_slice()),
        (&["j1".to_owned()][..], &["other".to_owned()][..])
    );
    assert_eq!(found.mean, Some(1.0));
    // Joints without names are matched by order.
    for model in [&mut b, &mut a.clone()] {
        model.rig.names.fill(String::new());
        assert_eq!(compare(model, model).mean, Some(0.0));
    }
}

#[test]
fn meshes_of_one_alone_are_named() {
    let (a, mut b) = (cube(), cube());
    let mut second = b.meshes[0].clone();
    second.name = "hat".into();
    b.meshes.insert(0, second);
    b.instances[0].mesh = 1;
    b.instances.insert(0, sinew_model::Instance { node: 1, mesh: 0, skin: Some(0) });
    let found = compare(&a, &b);
    assert_eq!((found.primitives.len(), found.primitives[0].b.as_str()), (1, "node0:0"));
    assert_eq!(found.primitives_only_in_b, ["node1:0"]);
}

#[test]
fn random_poses_are_the_same_for_a_seed() {
    let (a, mut b) = (built_in("character"), built_in("character"));
    let vertex = super::nearest_to(&b, [0.48, 1.15, -0.05]);
    let foot = joint(&b, "foot.L");
    give(&mut b, vertex, foot, 0.3);
    let poses = |seed| random_poses(&a, &b, SkinningMode::DualQuat, 8, seed);
    let found = poses(7);
    assert_eq!(found, poses(7));
    assert_ne!(found, poses(8));
    assert_eq!(found.worst, Some(format!("node0:0:{vertex}")));
    let (mean, largest) = (found.mean.unwrap(), found.largest.unwrap());
    assert!(largest > 0.02 && mean > 0.0 && mean * 8.0 * found.vertices as f64 >= largest, "{found:?}");
    assert!(found.turned_joints > 30);
    assert!(text::random_poses(&found).starts_with("8 random poses"));
    assert_eq!(random_poses(&a, &b, SkinningMode::Linear, 0, 1).mean, None);
}

#[test]
fn joints_without_clips_turn_by_up_to_thirty_degrees() {
    // A cube whose B follows joint 0 alone: the right half stays at joint 0's position for it.
    let (a, mut b) = (cube(), cube());
    primitive(&mut b).influences.as_mut().unwrap().spans[0].joints.fill([0; 4]);
    let found = random_poses(&a, &b, SkinningMode::Linear, 200, 1);
    // A corner at √3 from joint 1 goes no further than the chord of 30°.
    let most = 2.0 * 3.0_f64.sqrt() * 15.0_f64.to_radians().sin();
    let largest = found.largest.unwrap();
    assert!(largest <= most && largest > 0.8 * most, "{largest} of {most}");
    assert_eq!((found.turned_joints, found.vertices), (2, 8));
}
