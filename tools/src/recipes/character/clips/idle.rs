//! The clip `idle`: standing at ease and breathing, the weight on the right leg, the left one relaxed.

use std::f64::consts::TAU;

use glam::DVec3;

use super::stance::{Foot, Side, Stance};

/// One breath, in seconds.
pub const SECS: f64 = 4.0;

/// The stance at a time.
pub fn stance(secs: f64) -> Stance {
    let breath = libm::sin(TAU * secs / SECS);
    let sway = libm::sin(TAU * secs / SECS + 1.0);
    let mut s = Stance::default();
    s.hips = DVec3::new(-0.034 - 0.002 * sway, -0.012 + 0.0015 * breath, -0.004);
    // The free hip drops, the chest leans back over the standing leg, the head stays level.
    s.turn("hips", 1.5, 5.0, -4.5 - 0.3 * sway);
    s.turn("spine_01", -1.0, -2.0, 3.0);
    s.turn("spine_02", -1.5 - 0.4 * breath, -3.0, 3.0 + 0.3 * sway);
    s.turn("spine_03", 1.0 - 1.2 * breath, -3.0, 1.5);
    s.turn("neck", 3.0 + 0.5 * breath, 3.0, -1.5);
    s.turn("head", -1.0 + 0.6 * breath, 6.0 + 0.5 * sway, -2.0);
    s.both("clavicle", -2.0 + 1.6 * breath, 0.0, 1.0);
    s.limb(Side::L, "upper_arm", 3.0, 8.0, -36.0 + 0.8 * breath);
    s.limb(Side::R, "upper_arm", -1.0, 8.0, -40.0 + 0.8 * breath);
    s.limb(Side::L, "forearm", 17.0 + 0.8 * breath, 12.0, 0.0);
    s.limb(Side::R, "forearm", 13.0 + 0.8 * breath, 12.0, 0.0);
    s.both("hand", 4.0, 6.0, 0.0);
    s.fist(Side::L, 0.20 + 0.01 * breath);
    s.fist(Side::R, 0.24 + 0.01 * breath);
    s.feet[0] = Foot { offset: DVec3::new(-0.004, 0.0, 0.075), yaw: 14.0, ..Foot::default() };
    s.feet[1] = Foot { offset: DVec3::new(-0.035, 0.0, -0.015), yaw: 5.0, ..Foot::default() };
    s
}
