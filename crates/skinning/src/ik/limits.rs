//! Clamps a rotation to the limits of its joint.

use std::f64::consts::{PI, TAU};

use glam::{DQuat, EulerRot};
use sinew_model::TurnLimits;

/// An excess below this angle, in radians, is rounding.
const ROUNDING: f64 = 1e-12;

/// Returns the rotation with each of its angles within the limits; unchanged to the bit if they already are.
pub fn within(limits: &TurnLimits, rotation: DQuat) -> DQuat {
    let TurnLimits { before, after, order, .. } = limits;
    let (a, b, c) = (before.inverse() * rotation * after.inverse()).to_euler(*order);
    // Two sets of angles are the same rotation; the one with the smaller correction counts.
    let sets = [[a, b, c], [a + PI, PI - b, c + PI]].map(|angles| kept(limits, angles));
    let [(first, first_off), (second, second_off)] = sets;
    let ([a, b, c], off) = if first_off <= second_off { (first, first_off) } else { (second, second_off) };
    match off <= ROUNDING {
        true => rotation,
        false => (*before * DQuat::from_euler(*order, a, b, c) * *after).normalize(),
    }
}

/// Clamps angles, in the order of the product, to the limits. Also returns the total excess.
fn kept(limits: &TurnLimits, mut angles: [f64; 3]) -> ([f64; 3], f64) {
    let mut over = 0.0;
    for (angle, axis) in angles.iter_mut().zip(axes(limits.order)) {
        let (least, most) = (limits.least[axis], limits.most[axis]);
        let turns = [*angle - TAU, *angle, *angle + TAU].map(|turn| (turn.clamp(least, most), turn));
        let off = |(kept, turn): &(f64, f64)| (kept - turn).abs();
        let nearest = turns.iter().min_by(|a, b| off(a).total_cmp(&off(b)));
        if let Some(found) = nearest {
            over += off(found);
            *angle = found.0;
        }
    }
    (angles, over)
}

/// Returns the axes of a product of three rotations, from left to right.
fn axes(order: EulerRot) -> [usize; 3] {
    match order {
        EulerRot::ZXY => [2, 0, 1],
        EulerRot::YXZ => [1, 0, 2],
        EulerRot::YZX => [1, 2, 0],
        EulerRot::XZY => [0, 2, 1],
        EulerRot::ZYX => [2, 1, 0],
        // No file uses the other orders.
        _ => [0, 1, 2],
    }
}
