//! Two bones, such as an arm or a leg: their lengths and the distance to the goal give the angle between them.

use std::f64::consts::PI;

use glam::{DMat3, DQuat, DVec3};
use sinew_model::Model;

use super::arm::Arm;
use super::{Chain, rotation_of};
use crate::pose::Pose;

/// Two bones with a smaller sine of the angle between them have no hinge.
const STRAIGHT: f64 = 1e-4;

/// Bends two bones about their hinge until the end's distance from the first joint equals the goal's, then points them at
/// the goal.
pub fn bend(arm: &mut Arm<'_>, [upper, lower]: [usize; 2], hinge: DVec3, goal: DVec3) {
    let [first, middle, end] = [arm.place(upper), arm.place(lower), arm.end()];
    let (back, ahead) = (first - middle, end - middle);
    let (a, b) = (back.length(), ahead.length());
    let far = first.distance(goal).clamp((a - b).abs(), a + b);
    let cosine = (a * a + b * b - far * far) / (2.0 * a * b);
    if a > 0.0 && b > 0.0 && cosine.is_finite() {
        let turned = DQuat::from_axis_angle(hinge, cosine.clamp(-1.0, 1.0).acos()) * back;
        arm.aim(lower, end, middle + turned, PI);
    }
    arm.aim(upper, arm.end(), goal, PI);
}

/// Returns the axis about which a chain of two bones bends: that of its current bend; if straight, that of its bend at rest;
/// or else any axis across it.
pub fn hinge(model: &Model, pose: &Pose, chain: &Chain) -> DVec3 {
    let across = |pose: &Pose| {
        let place = |node: usize| pose.world_from_node.get(node).map(|world| world.w_axis.truncate());
        let [first, middle] = chain.joints[..] else { return None };
        let (back, ahead) = (place(first)? - place(middle)?, place(chain.end)? - place(middle)?);
        let cross = back.try_normalize()?.cross(ahead.try_normalize()?);
        (cross.length() > STRAIGHT).then(|| cross.normalize())
    };
    if let Some(hinge) = across(pose) {
        return hinge;
    }
    let rest = Pose::rest(&model.rig);
    let turned = |pose: &Pose| {
        let middle = chain.joints.get(1).and_then(|middle| pose.world_from_node.get(*middle));
        middle.map(|world| rotation_of(DMat3::from_mat4(*world)))
    };
    if let (Some(hinge), Some(now), Some(then)) = (across(&rest), turned(pose), turned(&rest)) {
        return (now * then.conjugate() * hinge).normalize();
    }
    let place = |node: Option<&usize>| {
        node.and_then(|node| pose.world_from_node.get(*node)).map(|world| world.w_axis.truncate())
    };
    let along = place(Some(&chain.end))
        .zip(place(chain.joints.first()))
        .and_then(|(end, first)| (end - first).try_normalize());
    along.map_or(DVec3::X, |along| along.any_orthonormal_vector())
}
