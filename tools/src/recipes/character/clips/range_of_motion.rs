//! A clip of extreme poses, one a second, which tells skinning modes apart.

use glam::DVec3;

use super::stance::{Foot, Side, Stance};

/// Seconds: one extreme each, and back to the start.
pub const SECS: f64 = 12.0;
/// The fraction of each second for which the figure holds still around its extreme.
const HOLD: f64 = 0.2;

/// The stance at a time.
pub fn stance(secs: f64) -> Stance {
    let second = (secs.floor() as usize).min(11);
    let within = ((secs - second as f64 - HOLD / 2.0) / (1.0 - HOLD)).clamp(0.0, 1.0);
    let ease = within * within * within * (within * (6.0 * within - 15.0) + 10.0);
    extreme(second).mix(&extreme(second + 1), ease)
}

/// The stance at a whole second.
fn extreme(second: usize) -> Stance {
    let mut s = Stance::default();
    arms_down(&mut s);
    match second {
        1 => {
            arms_out(&mut s);
        }
        2 => {
            arms_out(&mut s);
            s.both("hand", 0.0, 180.0, 0.0);
        }
        3 => {
            arms_out(&mut s);
            s.both("upper_arm", 0.0, -80.0, 44.0);
            s.both("forearm", 140.0, 0.0, 0.0);
        }
        4 => {
            s.both("clavicle", 24.0, 0.0, 4.0);
            s.both("upper_arm", -4.0, -40.0, 96.0);
            s.both("forearm", 8.0, 0.0, 0.0);
            s.turn("head", -14.0, 0.0, 0.0).turn("spine_03", -5.0, 0.0, 0.0);
        }
        5 => {
            s.both("upper_arm", 74.0, 0.0, -16.0);
            s.both("forearm", 18.0, 0.0, 0.0);
            s.both("hand", 62.0, 0.0, 0.0);
            s.fists(1.0);
        }
        6 => {
            s.both("upper_arm", 74.0, 0.0, -16.0);
            s.both("forearm", 10.0, 0.0, 0.0);
            s.both("hand", -60.0, 0.0, 0.0);
            s.fists(-0.12);
        }
        7 => spine(&mut s, 0.0, 24.0, 0.0),
        8 => {
            spine(&mut s, 22.0, 0.0, 0.0);
            s.both("upper_arm", 62.0, 6.0, -30.0);
        }
        9 => {
            arms_out(&mut s);
            s.hips = DVec3::new(-0.045, -0.004, 0.0);
            s.turn("hips", -2.0, 0.0, -4.0);
            s.limb(Side::L, "thigh", 105.0, 0.0, 4.0).limb(Side::L, "shin", 135.0, 0.0, 0.0);
            s.limb(Side::L, "foot", -30.0, 0.0, 0.0).limb(Side::L, "toe", -15.0, 0.0, 0.0);
            s.feet[0].free = 1.0;
        }
        10 => {
            spine(&mut s, 0.0, -10.0, 16.0);
            s.limb(Side::L, "upper_arm", 0.0, -60.0, 100.0);
        }
        11 => {
            s.both("upper_arm", 70.0, 0.0, -20.0);
            s.hips = DVec3::new(0.0, -0.46, -0.12);
            s.turn("hips", 32.0, 0.0, 0.0);
            s.turn("spine_02", 6.0, 0.0, 0.0).turn("neck", -14.0, 0.0, 0.0).turn("head", -14.0, 0.0, 0.0);
            let foot = Foot { offset: DVec3::new(0.04, 0.0, 0.0), yaw: 20.0, ..Foot::default() };
            s.feet = [foot; 2];
        }
        _ => {}
    }
    s
}

fn arms_down(s: &mut Stance) {
    s.both("upper_arm", 0.0, 6.0, -30.0);
    s.both("forearm", 12.0, 8.0, 0.0);
    s.fists(0.12);
}

fn arms_out(s: &mut Stance) {
    s.both("clavicle", 6.0, 0.0, 0.0);
    s.both("upper_arm", 0.0, 0.0, 40.0);
    s.both("forearm", 0.0, 0.0, 0.0);
    s.fists(0.0);
}

/// Shares a bend among the joints of the back.
fn spine(s: &mut Stance, flex: f64, twist: f64, side: f64) {
    for joint in ["spine_01", "spine_02", "spine_03"] {
        s.turn(joint, flex, twist, side);
    }
    s.turn("neck", 0.6 * flex, 0.6 * twist, 0.5 * side);
    s.turn("head", 0.4 * flex, 0.8 * twist, 0.5 * side);
}
