//! The clip `wave`: raises the right arm and waves, from the idle stance and back to it.

use std::f64::consts::TAU;

use super::idle;
use super::stance::{Side, Stance};

/// Seconds: up, three waves, down.
pub const SECS: f64 = 4.0;
const RAISE_SECS: f64 = 0.8;
const WAVES: f64 = 3.0;

/// The stance at a time.
pub fn stance(secs: f64) -> Stance {
    let rest = idle::stance(secs);
    let up = (secs / RAISE_SECS).min((SECS - secs) / RAISE_SECS).clamp(0.0, 1.0);
    let up = up * up * (3.0 - 2.0 * up);
    let part = ((secs - RAISE_SECS) / (SECS - 2.0 * RAISE_SECS)).clamp(0.0, 1.0);
    let swing = libm::sin(TAU * WAVES * part);
    // The hand follows the forearm a little late.
    let follow = libm::sin(TAU * WAVES * part - 0.9) * libm::sin(std::f64::consts::PI * part).max(0.0).sqrt();

    let mut raised = rest.clone();
    raised.limb(Side::R, "clavicle", 12.0, 0.0, 0.0);
    raised.limb(Side::R, "upper_arm", 22.0, -74.0, 44.0 + 2.0 * swing);
    raised.limb(Side::R, "forearm", 92.0 - 17.0 * swing, -6.0, 0.0);
    raised.limb(Side::R, "hand", -6.0, 0.0, 14.0 * follow);
    raised.fist(Side::R, 0.02 + 0.04 * follow);
    raised.add("head", [-2.0, -9.0, 3.0]);
    raised.add("spine_02", [0.0, 1.0, -1.5]);
    rest.mix(&raised, up)
}
