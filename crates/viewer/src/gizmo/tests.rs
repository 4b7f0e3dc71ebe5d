//! Drags of every handle, with results for the joint computed by hand.

use std::f64::consts::TAU;

use glam::{DMat4, DQuat, DVec2, DVec3};

use super::*;
use sinew_scene::camera::{Camera, Orbit};
use sinew_skinning::pose::rotation_from_degrees;

/// Returns a joint at the origin of a parent.
fn joint(world_from_parent: DMat4, local: LocalTransform) -> Placed {
    Placed { local, world_from_joint: world_from_parent * local.parent_from_node(), world_from_parent }
}

fn turned(degrees: [f64; 3]) -> LocalTransform {
    LocalTransform::Trs {
        translation: DVec3::ZERO,
        rotation: rotation_from_degrees(degrees),
        scale: DVec3::ONE,
    }
}

/// Returns a gizmo of 80 pixels in a picture of 400 x 400.
fn seen_from(yaw_pitch: &str, placed: Placed, tool: Tool, axes: Axes) -> Option<Gizmo> {
    let orbit: Orbit = format!("{yaw_pitch},10").parse().unwrap();
    let orbit = Orbit { target: Some(DVec3::ZERO), ..orbit };
    let camera = Camera::new(&orbit, &[DVec3::splat(-1.0), DVec3::ONE], [400, 400]);
    Gizmo::new(&camera, [400, 400], placed, (tool, axes), 80.0)
}

fn plain(yaw_pitch: &str, tool: Tool) -> Gizmo {
    seen_from(yaw_pitch, joint(DMat4::IDENTITY, LocalTransform::IDENTITY), tool, Axes::Own).unwrap()
}

const RIGHT: DVec2 = DVec2::new(280.0, 200.0);
const UP: DVec2 = DVec2::new(200.0, 120.0);
const MIDDLE: DVec2 = DVec2::new(200.0, 200.0);

fn rotation(gizmo: &Gizmo, axis: usize, from: DVec2, to: DVec2) -> DQuat {
    let mut drag = Drag::new(gizmo.clone(), Handle::Axis(axis), from);
    drag.drag(to);
    match drag.change(false, 1.0) {
        Some(Change::Rotation(rotation)) => rotation,
        other => panic!("{other:?}"),
    }
}

#[test]
fn rings_have_their_radius_in_pixels() {
    let gizmo = plain("0,0", Tool::Turn);
    for (pixel, _) in gizmo.line(Handle::Axis(2)) {
        assert!((pixel.distance(MIDDLE) - 80.0).abs() < 1.5, "{pixel}");
    }
    assert_eq!(gizmo.hit(DVec2::new(256.6, 256.6), REACH), Some(Handle::Axis(2)));
    assert_eq!(gizmo.hit(DVec2::new(230.0, 215.0), REACH), None);
}

/// Dragging a quarter turn counter-clockwise turns the ring that faces the viewer by this angle, seen from either
/// side.
#[test]
fn the_hand_turns_what_it_holds() {
    let quarter = DQuat::from_rotation_z(TAU / 4.0);
    let front = rotation(&plain("0,0", Tool::Turn), 2, RIGHT, UP);
    assert!(front.angle_between(quarter) < 1e-9, "{front}");
    let back = rotation(&plain("180,0", Tool::Turn), 2, RIGHT, UP);
    assert!(back.angle_between(quarter.inverse()) < 1e-9, "{back}");
}

/// A quarter turn about the world's z has one result for all axes that lie along it.
#[test]
fn axes_are_the_joints_own_its_parents_or_the_worlds() {
    let parent =
        DMat4::from_quat(rotation_from_degrees([90.0, 0.0, 0.0])) * DMat4::from_scale(DVec3::splat(3.0));
    let placed = joint(parent, turned([0.0, 90.0, 0.0]));
    let quarter = DQuat::from_rotation_z(TAU / 4.0);
    // The world's z is the parent's −y turned by x, which a turn about y preserves: the joint's own y, too.
    for (axes, axis) in [(Axes::World, 2), (Axes::Parent, 1), (Axes::Own, 1)] {
        let gizmo = seen_from("0,0", placed, Tool::Turn, axes).unwrap();
        let local = rotation(&gizmo, axis, RIGHT, UP);
        let before = ik::rotation_of(DMat3::from_mat4(placed.world_from_joint));
        let after = ik::rotation_of(DMat3::from_mat4(parent)) * local;
        assert!((quarter * before).angle_between(after) < 1e-6, "{axes:?}: {after}");
    }
}

/// A mirrored joint also follows the drag; in its own space the turn is reversed.
#[test]
fn mirrored_joints_follow_the_hand() {
    let mirror = DMat4::from_scale(DVec3::new(-1.0, 1.0, 1.0));
    for axes in Axes::ALL {
        let gizmo = seen_from("0,0", joint(mirror, LocalTransform::IDENTITY), Tool::Turn, axes).unwrap();
        let turned = mirror * DMat4::from_quat(rotation(&gizmo, 2, RIGHT, UP)) * mirror.inverse();
        assert!((turned.transform_vector3(DVec3::X) - DVec3::Y).length() < 1e-9, "{axes:?} {turned}");
    }
}

/// The viewer sees the ring around x from its edge. Dragging down by its radius moves the side that faces the viewer
/// down, a turn of one radian around x.
#[test]
fn edges_are_pulled_along() {
    let turned = rotation(&plain("0,0", Tool::Turn), 0, MIDDLE, DVec2::new(200.0, 280.0));
    assert!(turned.angle_between(DQuat::from_rotation_x(1.0)) < 0.03, "{turned}");
}

#[test]
fn arrows_move_along_their_axis_alone() {
    let parent = DMat4::from_scale_rotation_translation(
        DVec3::splat(2.0),
        rotation_from_degrees([0.0, 0.0, 90.0]),
        DVec3::ZERO,
    );
    let placed = joint(parent, LocalTransform::IDENTITY);
    let gizmo = seen_from("0,0", placed, Tool::Move, Axes::World).unwrap();
    // The tip of x is to the right; the drag also goes up, which x ignores. z points at the viewer and has no handle.
    let tip = gizmo.knob(Handle::Axis(0)).unwrap().1;
    assert_eq!(gizmo.hit(tip, REACH), Some(Handle::Axis(0)));
    assert_eq!(gizmo.handles(), [Handle::Axis(0), Handle::Axis(1), Handle::Middle]);
    let mut drag = Drag::new(gizmo.clone(), Handle::Axis(0), tip);
    drag.drag(tip + DVec2::new(40.0, -60.0));
    let Some(Change::Translation(to)) = drag.change(false, 1.0) else { panic!("not moved") };
    let world = parent.transform_point3(to);
    assert!(world.x > 0.01 && world.y.abs() < 1e-9 && world.z.abs() < 1e-9, "{world}");
    // The result is at the cursor's pixel.
    let seen = gizmo.pixel(world).unwrap();
    assert!((seen.x - (MIDDLE.x + 40.0)).abs() < 1.0, "{seen}");
    // The centre moves freely in the picture's plane.
    let mut drag = Drag::new(gizmo.clone(), Handle::Middle, MIDDLE);
    drag.drag(DVec2::new(230.0, 150.0));
    let Some(Change::Translation(to)) = drag.change(false, 1.0) else { panic!("not moved") };
    let seen = gizmo.pixel(parent.transform_point3(to)).unwrap();
    assert!(seen.distance(DVec2::new(230.0, 150.0)) < 1e-6, "{seen}");
}

#[test]
fn boxes_scale_along_an_axis_or_in_all() {
    let local = LocalTransform::Trs {
        translation: DVec3::ZERO,
        rotation: DQuat::IDENTITY,
        scale: DVec3::new(1.0, 2.0, 3.0),
    };
    let gizmo = seen_from("0,0", joint(DMat4::IDENTITY, local), Tool::Scale, Axes::World).unwrap();
    let tip = gizmo.knob(Handle::Axis(1)).unwrap().1;
    let scale = |handle, from: DVec2, to: DVec2, is_stepped| {
        let mut drag = Drag::new(gizmo.clone(), handle, from);
        drag.drag(to);
        match drag.change(is_stepped, 1.0) {
            Some(Change::Scale(scale)) => scale,
            other => panic!("{other:?}"),
        }
    };
    let half_up = tip + (tip - MIDDLE) * 0.5;
    assert!(scale(Handle::Axis(1), tip, half_up, false).distance(DVec3::new(1.0, 3.0, 3.0)) < 1e-6);
    let twice = scale(Handle::Middle, MIDDLE, MIDDLE + DVec2::new(80.0, 0.0), false);
    assert!(twice.distance(DVec3::new(2.0, 4.0, 6.0)) < 0.05, "{twice}");
    let stepped = scale(Handle::Axis(1), tip, tip + (tip - MIDDLE) * 0.33, true);
    assert!(stepped.distance(DVec3::new(1.0, 2.6, 3.0)) < 1e-9, "{stepped}");
}

#[test]
fn a_joint_is_brought_to_where_the_hand_is() {
    let gizmo = plain("30,20", Tool::Reach);
    assert_eq!(gizmo.handles(), [Handle::Middle]);
    assert_eq!(gizmo.hit(MIDDLE, REACH), Some(Handle::Middle));
    let mut drag = Drag::new(gizmo.clone(), Handle::Middle, MIDDLE);
    drag.drag(DVec2::new(260.0, 170.0));
    let Some(Change::Goal(goal)) = drag.change(false, 1.0) else { panic!("no goal") };
    assert!(gizmo.pixel(goal).unwrap().distance(DVec2::new(260.0, 170.0)) < 1e-6);
    let Some(Change::Goal(stepped)) = drag.change(true, 10.0) else { panic!("no goal") };
    for part in stepped.to_array() {
        assert!((part / 0.1 - (part / 0.1).round()).abs() < 1e-9, "{stepped}");
    }
}

#[test]
fn turns_go_in_steps_around_and_around() {
    let mut drag = Drag::new(plain("0,0", Tool::Turn), Handle::Axis(2), RIGHT);
    // Once around and another 50 degrees, in small drags.
    for step in 1..=41 {
        let (sin, cos) = (f64::from(step) * 10f64.to_radians()).sin_cos();
        drag.drag(MIDDLE + DVec2::new(cos, -sin) * 80.0);
    }
    assert_eq!(drag.words(false, 1.0), "z 410.0°");
    assert_eq!(drag.words(true, 1.0), "z 405.0°");
    let Some(Change::Rotation(rotation)) = drag.change(true, 1.0) else { panic!("not turned") };
    assert!(rotation.angle_between(DQuat::from_rotation_z(TAU / 8.0)) < 1e-9);
}

#[test]
fn typed_numbers_count_instead_of_the_drag() {
    let mut drag = Drag::new(plain("0,0", Tool::Turn), Handle::Axis(0), RIGHT);
    drag.drag(UP);
    for (key, is_number) in [("9", true), ("0", true), (".", true), ("5", true), (".", false), ("x", false)] {
        assert_eq!(drag.type_key(key), is_number, "{key}");
    }
    assert!(drag.type_key("-") && drag.words(false, 1.0).contains("-90.5|"), "{}", drag.words(false, 1.0));
    assert!(drag.type_key("-") && drag.type_key("Backspace") && drag.type_key("Backspace"));
    let Some(Change::Rotation(rotation)) = drag.change(true, 1.0) else { panic!("not turned") };
    assert!(rotation.angle_between(DQuat::from_rotation_x(TAU / 4.0)) < 1e-9, "{rotation}");
    // After the last digit is deleted, the drag counts again.
    assert!(drag.type_key("Backspace") && drag.type_key("Backspace") && !drag.type_key("Backspace"));
    assert!(!drag.words(false, 1.0).contains('='), "{}", drag.words(false, 1.0));
    // Digits beyond the longest number are consumed without effect.
    for _ in 0..100 {
        assert!(drag.type_key("9"));
    }
    assert!(matches!(drag.change(false, 1.0), Some(Change::Rotation(rotation)) if rotation.is_finite()));
}

#[test]
fn what_is_not_seen_has_no_handles() {
    let flat = joint(DMat4::from_scale(DVec3::new(1.0, 0.0, 1.0)), LocalTransform::IDENTITY);
    assert!(seen_from("0,0", flat, Tool::Turn, Axes::Own).is_none());
    // The world has axes for any joint.
    assert!(seen_from("0,0", flat, Tool::Turn, Axes::World).is_some());
    let nowhere = joint(DMat4::from_translation(DVec3::splat(f64::NAN)), LocalTransform::IDENTITY);
    for tool in Tool::ALL {
        assert!(seen_from("0,0", nowhere, tool, Axes::World).is_none());
    }
    // A joint cannot be moved within a flattened parent.
    let gizmo = seen_from("0,0", flat, Tool::Move, Axes::World).unwrap();
    let mut drag = Drag::new(gizmo, Handle::Axis(1), MIDDLE);
    drag.drag(UP);
    assert_eq!(drag.change(false, 1.0), None);
}
