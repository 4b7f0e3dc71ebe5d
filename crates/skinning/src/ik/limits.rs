//! Keeps a rotation within the limits of its joint.

use std::f64::consts::{PI, TAU};

use glam::{DQuat, EulerRot};
use sinew_model::TurnLimits;

/// Angles that are over by less than this, in radians, are over by rounding.
const ROUNDING: f64 = 1e-12;

/// The rotation with each of its angles within the limits; unchanged to the bit if they are already.
pub fn within(limits: &TurnLimits, rotation: DQuat) -> DQuat {
    let TurnLimits { before, after, order, .. } = limits;
    let (a, b, c) = (before.inverse() * rotation * after.inverse()).to_euler(*order);
    // Two sets of angles are the same rotation: the one that has to give way less is meant.
    let sets = [[a, b, c], [a + PI, PI - b, c + PI]].map(|angles| kept(limits, angles));
    let [(first, first_off), (second, second_off)] = sets;
    let ([a, b, c], off) = if first_off <= second_off { (first, first_off) } else { (second, second_off) };
    match off <= ROUNDING {
        true => rotation,
        false => (*before * DQuat::from_euler(*order, a, b, c) * *after).normalize(),
    }
}

/// Angles, in the order of the product, brought within the limits; and by how much they were over in all.
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

/// The axes of a product of three rotations, from left to right.
fn axes(order: EulerRot) -> [usize; 3] {
    match order {
        EulerRot::ZXY => [2, 0, 1],
        EulerRot::YXZ => [1, 0, 2],
        EulerRot::YZX => [1, 2, 0],
        EulerRot::XZY => [0, 2, 1],
        EulerRot::ZYX => [2, 1, 0],
        // No file has any of the others.
        _ => [0, 1, 2],
    }
}
