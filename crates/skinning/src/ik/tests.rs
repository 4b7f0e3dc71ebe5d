//! Chains that reach, stretch, bend the right way and keep limits, with positions computed by hand.

use super::*;
use crate::pose::{ClipMix, Edits, PoseChoice, rotation_from_degrees};
use glam::EulerRot;
use sinew_model::{LocalTransform, TurnLimits};

/// Makes joints one above the other in a line along y, one unit apart, each turned by some degrees about x.
fn line(degrees: &[f64]) -> Model {
    let local = |number: usize, degrees: f64| LocalTransform::Trs {
        translation: if number == 0 { DVec3::ZERO } else { DVec3::Y },
        rotation: rotation_from_degrees([degrees, 0.0, 0.0]),
        scale: DVec3::ONE,
    };
    let count = degrees.len();
    let rig = Rig {
        names: (0..count).map(|number| format!("j{number}")).collect(),
        parents: (0..count).map(|number| number.checked_sub(1).map(|parent| parent as u32)).collect(),
        rest: degrees.iter().enumerate().map(|(number, degrees)| local(number, *degrees)).collect(),
        file_index: (0..count as u32).collect(),
        ..Rig::default()
    };
    Model { rig, ..Model::default() }
}

fn edited(model: &Model, turned: &[(usize, DQuat)]) -> Pose {
    let mut edits = Edits::default();
    for (node, rotation) in turned {
        assert!(edits.set_rotation(model, *node, *rotation), "{node} {rotation}");
    }
    let mut pose = Pose::default();
    pose.set(model, &PoseChoice::Clips(ClipMix { edits, ..ClipMix::default() }));
    pose
}

fn place(pose: &Pose, node: usize) -> DVec3 {
    pose.world_from_node[node].w_axis.truncate()
}

/// Returns the pose in which this many bones have brought the last joint to a goal.
fn reached(model: &Model, bones: usize, goal: DVec3) -> Pose {
    let rest = Pose::rest(&model.rig);
    let chain = chain(&model.rig, &rest, model.rig.len() - 1, bones).unwrap();
    edited(model, &reach(model, &rest, &chain, goal))
}

#[test]
fn two_bones_bend_about_their_hinge() {
    let model = line(&[0.0, 60.0, 0.0]);
    for goal in [[0.0, 1.2, 0.4], [0.0, -0.3, 1.0], [0.5, 1.0, 0.5], [-1.0, 0.2, -0.9]].map(DVec3::from) {
        let pose = reached(&model, 2, goal);
        assert!(place(&pose, 2).distance(goal) < 1e-9, "{goal}: {}", place(&pose, 2));
        assert_eq!(place(&pose, 0), DVec3::ZERO);
        assert!((place(&pose, 1).length() - 1.0).abs() < 1e-12);
    }
    // In the plane of the bend the elbow stays on its side, here behind.
    let pose = reached(&model, 2, DVec3::new(0.0, 1.0, 1.0));
    let elbow = place(&pose, 1);
    assert!(elbow.distance(DVec3::Y) < 1e-9, "{elbow}");
}

/// A turn about the line to the end would be a twist; the shortest arc has none.
#[test]
fn the_upper_bone_is_not_twisted() {
    let model = line(&[0.0, 60.0, 0.0]);
    let goal = DVec3::new(0.7, 0.9, 0.6);
    let rest = Pose::rest(&model.rig);
    let chain = chain(&model.rig, &rest, 2, 2).unwrap();
    let turned = reach(&model, &rest, &chain, goal);
    let bent = edited(&model, &turned[1..]);
    let (axis, angle) = turned[0].1.to_axis_angle();
    assert!(angle > 0.1 && axis.dot(place(&bent, 2).normalize()).abs() < 1e-9, "{axis} {angle}");
}

#[test]
fn what_is_too_far_is_pointed_at_and_what_is_too_near_is_held_off() {
    let model = line(&[0.0, 60.0, 0.0]);
    let far = reached(&model, 2, DVec3::new(0.0, 3.0, 4.0));
    assert!(place(&far, 2).distance(DVec3::new(0.0, 1.2, 1.6)) < 1e-6, "{}", place(&far, 2));
    let mut unequal = line(&[0.0, 60.0, 0.0]);
    unequal.rig.rest[2] =
        LocalTransform::Trs { translation: DVec3::Y * 0.25, rotation: DQuat::IDENTITY, scale: DVec3::ONE };
    let near = reached(&unequal, 2, DVec3::new(0.0, 0.5, 0.0));
    assert!(place(&near, 2).distance(DVec3::new(0.0, 0.75, 0.0)) < 1e-6, "{}", place(&near, 2));
}

/// A straight arm bends as it is bent at rest.
#[test]
fn a_straight_chain_remembers_its_hinge() {
    let model = line(&[0.0, 30.0, 0.0]);
    let straight = edited(&model, &[(1, DQuat::IDENTITY)]);
    let chain = chain(&model.rig, &straight, 2, 2).unwrap();
    let turned = reach(&model, &straight, &chain, DVec3::new(0.0, 1.0, 1.0));
    let pose = edited(&model, &turned);
    assert!(place(&pose, 1).distance(DVec3::Y) < 1e-9, "{}", place(&pose, 1));
    // A chain that is straight at rest, too, bends in some direction and reaches the goal.
    let model = line(&[0.0, 0.0, 0.0]);
    let pose = reached(&model, 2, DVec3::new(0.0, 1.0, 1.0));
    assert!(place(&pose, 2).distance(DVec3::new(0.0, 1.0, 1.0)) < 1e-9);
}

#[test]
fn long_chains_reach_and_share_the_bend() {
    let model = line(&[0.0; 9]);
    for goal in [[3.0, 4.0, 2.0], [0.5, -2.0, 0.5], [0.0, 7.9, 0.0]].map(DVec3::from) {
        let pose = reached(&model, 8, goal);
        assert!(place(&pose, 8).distance(goal) < 1e-6, "{goal}: {}", place(&pose, 8));
        for number in 1..9 {
            assert!((place(&pose, number).distance(place(&pose, number - 1)) - 1.0).abs() < 1e-12);
        }
    }
    // A chain of three bones leaves the joints above as they are.
    let pose = reached(&model, 3, DVec3::new(1.0, 7.0, 0.0));
    assert_eq!(place(&pose, 5), DVec3::Y * 5.0);
    assert!(place(&pose, 8).distance(DVec3::new(1.0, 7.0, 0.0)) < 1e-6);
}

/// Bones in spaces that grow, mirror and stretch; nodes between joints, and nodes of no length, move with them.
#[test]
fn any_space_will_do() {
    for scale in [DVec3::splat(0.01), DVec3::new(-1.0, 1.0, 1.0), DVec3::new(1.0, 2.0, 0.5)] {
        let mut model = line(&[10.0, 20.0, 40.0, 0.0, 0.0]);
        let above = LocalTransform::Trs {
            translation: DVec3::new(0.5, 0.0, 0.0),
            rotation: rotation_from_degrees([20.0, 40.0, 60.0]),
            scale,
        };
        model.rig.rest[0] = above;
        // The third node is at the second's position.
        model.rig.rest[2] = LocalTransform::IDENTITY;
        let rest = Pose::rest(&model.rig);
        let goal = place(&rest, 4) + (place(&rest, 1) - place(&rest, 4)) * 0.3;
        let chain = chain(&model.rig, &rest, 4, 2).unwrap();
        assert_eq!(chain.joints, [2, 3]);
        let pose = edited(&model, &reach(&model, &rest, &chain, goal));
        let size = place(&rest, 4).distance(place(&rest, 1));
        assert!(place(&pose, 4).distance(goal) < 1e-6 * size, "{scale}: {}", place(&pose, 4).distance(goal));
    }
}

fn knee() -> TurnLimits {
    TurnLimits {
        before: rotation_from_degrees([0.0, 0.0, 90.0]),
        after: rotation_from_degrees([0.0, 0.0, -90.0]),
        order: EulerRot::ZYX,
        least: DVec3::new(0.0, -1.5, 0.0),
        most: DVec3::new(0.0, 0.0, 0.0),
    }
}

#[test]
fn limits_are_kept() {
    let knee = knee();
    // The rotations before and after carry the joint's y over to x.
    let bend = |degrees: f64| rotation_from_degrees([degrees, 0.0, 0.0]);
    for inside in [0.0, 30.0, 85.0] {
        assert_eq!(within(&knee, bend(inside)), bend(inside), "{inside}: bits stay");
    }
    assert!(within(&knee, bend(-40.0)).angle_between(DQuat::IDENTITY) < 1e-7);
    assert!((within(&knee, bend(120.0)).angle_between(DQuat::IDENTITY) - 1.5).abs() < 1e-9);
    let sideways = within(&knee, rotation_from_degrees([30.0, 20.0, 0.0]));
    let (axis, _) = sideways.to_axis_angle();
    assert!((axis.abs() - DVec3::X).length() < 1e-9, "{axis}");

    let mut model = line(&[0.0, 30.0, 0.0]);
    model.rig.limits.insert(1, knee);
    let goal = DVec3::new(0.0, 1.5, 0.86);
    assert!(place(&reached(&model, 2, goal), 2).distance(goal) < 1e-9, "the limits leave room for it");
    // The goal needs more of a bend than the knee allows.
    let pose = reached(&model, 2, DVec3::new(0.0, 0.3, 0.0));
    let (back, ahead) = (place(&pose, 0) - place(&pose, 1), place(&pose, 2) - place(&pose, 1));
    assert!((back.angle_between(ahead) - (std::f64::consts::PI - 1.5)).abs() < 1e-6);
}

/// Each rotation has two sets of angles; both count.
#[test]
fn the_set_of_angles_within_the_limits_is_meant() {
    let most = DVec3::new(4.0, 4.0, 4.0);
    let limits = TurnLimits {
        before: DQuat::IDENTITY,
        after: DQuat::IDENTITY,
        order: EulerRot::XYZ,
        least: DVec3::new(1.0, 1.6, 1.0),
        most,
    };
    let turn = DQuat::from_euler(EulerRot::XYZ, 2.0, 2.5, 3.0);
    assert_eq!(within(&limits, turn), turn);
}

#[test]
fn a_pinned_joint_stays_where_it_is() {
    let model = line(&[0.0, 40.0, 60.0, -30.0]);
    let rest = Pose::rest(&model.rig);
    let pin = pin(&rest, 3).unwrap();
    // The foot returns to its place, whatever the first joint does.
    let turned = edited(&model, &[(0, rotation_from_degrees([0.0, 10.0, 15.0]))]);
    assert!(place(&turned, 3).distance(pin.place) > 0.1);
    let mut back = hold(&model, &turned, &pin, 2);
    back.push((0, rotation_from_degrees([0.0, 10.0, 15.0])));
    let held = edited(&model, &back);
    assert!(place(&held, 3).distance(pin.place) < 1e-9, "{}", place(&held, 3));
    let rotation = rotation_of(DMat3::from_mat4(held.world_from_node[3]));
    assert!(rotation.angle_between(pin.rotation) < 1e-7);
}

#[test]
fn what_cannot_be_solved_turns_nothing() {
    let model = line(&[0.0, 60.0, 0.0]);
    let rest = Pose::rest(&model.rig);
    assert_eq!(chain(&model.rig, &rest, 0, 2), None);
    assert_eq!(chain(&model.rig, &rest, 7, 2), None);
    let two = chain(&model.rig, &rest, 2, 9).unwrap();
    assert_eq!(two.joints, [0, 1]);
    assert!(reach(&model, &rest, &two, DVec3::NAN).is_empty());
    let mut flat = line(&[0.0, 60.0, 0.0]);
    flat.rig.rest[0] =
        LocalTransform::Trs { translation: DVec3::ZERO, rotation: DQuat::IDENTITY, scale: DVec3::ZERO };
    let pose = Pose::rest(&flat.rig);
    for (_, rotation) in reach(&flat, &pose, &two, DVec3::ONE) {
        assert!(rotation.is_finite());
    }
}
