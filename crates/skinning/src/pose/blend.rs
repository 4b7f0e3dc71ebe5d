//! Blends two poses in local space: translations, scales and morph weights along a line, rotations along the
//! shortest arc.

use std::ops::{Add, Mul};

use super::{sample, split};
use glam::DQuat;
use sinew_model::LocalTransform;

/// Blends each transform towards that of the layer, by the layer's weight from 0 to 1. Exact at both ends, and
/// where both agree.
pub(super) fn over(locals: &mut [LocalTransform], layer: &[LocalTransform], weight: f64) {
    for (local, layer) in locals.iter_mut().zip(layer) {
        match weight {
            ..=0.0 => {}
            1.0.. => *local = *layer,
            _ if local == layer => {}
            _ => *local = mixed(local, layer, weight),
        }
    }
}

/// Blends morph weights like [`over`].
pub(super) fn weights_over(weights: &mut [f64], layer: &[f64], weight: f64) {
    for (below, above) in weights.iter_mut().zip(layer) {
        *below = line(*below, *above, weight);
    }
}

fn mixed(below: &LocalTransform, above: &LocalTransform, weight: f64) -> LocalTransform {
    let (
        LocalTransform::Trs { translation: t0, rotation: r0, scale: s0 },
        LocalTransform::Trs { translation: t1, rotation: r1, scale: s1 },
    ) = (parts(below), parts(above))
    else {
        return *below;
    };
    LocalTransform::Trs {
        translation: line(t0, t1, weight),
        rotation: arc(r0, r1, weight),
        scale: line(s0, s1, weight),
    }
}

fn parts(local: &LocalTransform) -> LocalTransform {
    match local {
        LocalTransform::Trs { .. } => *local,
        LocalTransform::Matrix(matrix) => split(matrix),
    }
}

/// Interpolates linearly. Exact at both ends, and for equal values.
fn line<T: Copy + PartialEq + Mul<f64, Output = T> + Add<Output = T>>(below: T, above: T, weight: f64) -> T {
    if below == above { below } else { below * (1.0 - weight) + above * weight }
}

fn arc(below: DQuat, above: DQuat, weight: f64) -> DQuat {
    if below == above {
        return below;
    }
    let unit = |q: DQuat| sample::unit(q.into());
    DQuat::from_vec4(sample::unit(sample::slerp(unit(below), unit(above), weight)))
}
