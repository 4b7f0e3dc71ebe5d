//! A walk on the spot: the floor slides back under the feet at a constant speed.

use std::f64::consts::TAU;

use glam::DVec3;

use super::super::skeleton::left;
use super::stance::{Foot, Side, Stance, about};

/// Two steps, in seconds.
pub const SECS: f64 = 1.1;
/// The fraction of the cycle for which a foot is on the floor.
const CONTACT: f64 = 0.62;
/// The distance that the floor moves it in that time, and its start in front of its bind position.
const TRAVEL: f64 = 0.77;
const LANDING: f64 = 0.405;
/// Feet land closer together than in the bind pose.
const NARROW: f64 = -0.045;

/// The stance at a time. The left heel lands at 0, the right one half a cycle later.
pub fn stance(secs: f64) -> Stance {
    let cycle = secs / SECS;
    let wave = |turns: f64, late: f64| libm::cos(TAU * turns * (cycle - late));
    let mut s = Stance::default();
    // Lowest just after a foot lands, highest when the legs pass; over the standing leg.
    s.hips = DVec3::new(0.020 * wave(1.0, 0.30), -0.040 - 0.018 * wave(2.0, 0.06), 0.010 * wave(2.0, 0.40));
    let yaw = -7.0 * wave(1.0, 0.02);
    let roll = 3.0 * wave(1.0, 0.28);
    s.turn("hips", 3.0, yaw, roll);
    s.turn("spine_01", 0.5, -0.5 * yaw, -0.6 * roll);
    s.turn("spine_02", 1.0 - 0.8 * wave(2.0, 0.10), -0.7 * yaw, -0.4 * roll);
    s.turn("spine_03", 0.5, -0.7 * yaw, -0.2 * roll);
    s.turn("neck", 1.0, 0.4 * yaw, 0.1 * roll);
    s.turn("head", -4.0 + 1.0 * wave(2.0, 0.15), 0.5 * yaw, 0.1 * roll);
    for (k, on) in Side::BOTH.into_iter().enumerate() {
        let phase = (cycle + 0.5 * k as f64).rem_euclid(1.0);
        // Each arm swings with the other side's leg; the forearm bends on the way forward.
        let swing = -libm::cos(TAU * (phase - 0.03));
        let bend = -libm::cos(TAU * (phase - 0.10));
        s.limb(on, "clavicle", 0.0, 0.0, -2.5 * swing);
        s.limb(on, "upper_arm", 23.0 * swing - 3.0, 10.0, -35.0);
        s.limb(on, "forearm", 27.0 + 13.0 * bend, 14.0, 0.0);
        s.limb(on, "hand", 4.0 - 6.0 * bend, 0.0, 0.0);
        s.fist(on, 0.34 + 0.03 * swing);
        let (foot, toe) = foot(phase);
        s.feet[k] = foot;
        s.limb(on, "toe", toe, 0.0, 0.0);
    }
    s
}

/// A foot at a phase of the foot's cycle, landing at 0, and the upward bend of its toes.
fn foot(phase: f64) -> (Foot, f64) {
    let floor = LANDING - TRAVEL * phase / CONTACT;
    let (offset, pitch, toe) = if phase < CONTACT {
        let t = phase / CONTACT;
        if t < 0.18 {
            // Heel first: the foot rolls down on it.
            let pitch = 20.0 * (1.0 - ease(t / 0.18));
            (roll(pitch, HEEL, floor), pitch, 0.0)
        } else {
            // Then it lifts over the ball, with the toes flat on the floor.
            let lift = ((t - 0.52) / 0.48).clamp(0.0, 1.0);
            let pitch = -48.0 * lift * lift;
            (roll(pitch, left::BALL, floor), pitch, -pitch)
        }
    } else {
        // Through the air on a smooth curve from the last moment on the floor to the next.
        let t = (phase - CONTACT) / (1.0 - CONTACT);
        let leave = roll(-48.0, left::BALL, LANDING - TRAVEL);
        let land = roll(20.0, HEEL, LANDING);
        let back = -TRAVEL / CONTACT * (1.0 - CONTACT);
        let z = hermite(leave.z, land.z, back * 0.8, back * 0.9, t);
        let y = hermite(leave.y, land.y, 0.42, -0.02, t);
        let pitch = hermite(-48.0, 20.0, -40.0, 8.0, t);
        let toe = 48.0 * (1.0 - ease((t / 0.45).min(1.0)));
        (DVec3::new(0.0, y, z), pitch, toe)
    };
    let offset = DVec3::new(NARROW, offset.y, offset.z);
    (Foot { offset, yaw: 3.0, pitch, free: 0.0 }, toe)
}

/// The point of the heel that touches the floor.
const HEEL: [f64; 3] = [0.122, 0.006, -0.096];

/// The ankle's offset when the foot turns about one of its points and moves along by `z`.
fn roll(pitch: f64, about_point: [f64; 3], z: f64) -> DVec3 {
    let pivot = DVec3::from(about_point);
    let arm = DVec3::from(left::ANKLE) - pivot;
    let turned = about(DVec3::NEG_X, pitch) * arm;
    turned - arm + DVec3::Z * z
}

fn ease(t: f64) -> f64 {
    t * t * (3.0 - 2.0 * t)
}

fn hermite(a: f64, b: f64, slope_a: f64, slope_b: f64, t: f64) -> f64 {
    let (t2, t3) = (t * t, t * t * t);
    (2.0 * t3 - 3.0 * t2 + 1.0) * a
        + (t3 - 2.0 * t2 + t) * slope_a
        + (3.0 * t2 - 2.0 * t3) * b
        + (t3 - t2) * slope_b
}
