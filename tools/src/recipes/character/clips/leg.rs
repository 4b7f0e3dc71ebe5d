//! Bends a leg so that the foot is where the stance puts it: the law of cosines, knee forward.

use glam::{DMat3, DVec3};

use super::super::skeleton::{Skeleton, quat};
use super::stance::{Foot, Pose, Side, about};

/// Sets thigh, shin and foot of one leg. `thigh` is the stance's own turn, whose twist turns the knee out.
pub fn reach(pose: &mut Pose, skeleton: &Skeleton, on: Side, foot: &Foot, thigh: Option<&[f64; 3]>) {
    let id = |name: &str| skeleton.joint(&format!("{name}.{on:?}"));
    let [hip, knee, ankle] = [id("thigh"), id("shin"), id("foot")];
    let joints = &skeleton.joints;
    let upper = (joints[knee].at - joints[hip].at).length();
    let lower = (joints[ankle].at - joints[knee].at).length();

    let offset = DVec3::new(foot.offset.x * on.sign(), foot.offset.y, foot.offset.z);
    let target = joints[ankle].at + offset;
    let (from, _) = pose.world(skeleton, hip);
    let parent = joints[hip].parent.unwrap_or(0);
    let (_, parent_world) = pose.world(skeleton, parent);
    let facing = parent_world * joints[parent].rotation().inverse();

    // A leg is never quite straight, or its knee would have no direction to bend in.
    let reach = (target - from).length().clamp(0.3, (upper + lower) * 0.9995);
    let along = (target - from).normalize();
    let turned_out = foot.yaw * 0.6 + thigh.map_or(0.0, |t| t[1]);
    let forward = facing * (about(DVec3::Y, turned_out * on.sign()) * DVec3::Z);
    let forward = (forward - along * forward.dot(along)).normalize();
    let shift = (upper * upper + reach * reach - lower * lower) / (2.0 * reach);
    let rise = (upper * upper - shift * shift).max(0.0).sqrt();
    let bent = from + along * shift + forward * rise;

    let frame = |y: DVec3, z: DVec3| {
        let y = y.normalize();
        let x = y.cross(z).normalize();
        quat(DMat3::from_cols(x, y, x.cross(y)))
    };
    let thigh_world = frame(bent - from, forward);
    let shin_world = frame(from + along * reach - bent, -forward);
    let turn = about(DVec3::Y, foot.yaw * on.sign()) * about(DVec3::NEG_X, foot.pitch);
    let foot_world = turn * joints[ankle].rotation();

    let free = foot.free;
    let mut set = |joint: usize, local: glam::DQuat| {
        let own = pose.local[joint];
        let own = if own.dot(local) < 0.0 { -own } else { own };
        // Normalised linear interpolation is enough for a short transition and needs no trigonometry.
        pose.local[joint] = (local * (1.0 - free) + own * free).normalize();
    };
    set(hip, parent_world.inverse() * thigh_world);
    set(knee, thigh_world.inverse() * shin_world);
    set(ankle, shin_world.inverse() * foot_world);
}
