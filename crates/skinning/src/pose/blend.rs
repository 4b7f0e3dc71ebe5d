//! Blends two poses in local space: translations, scales and morph weights along a line, rotations along the
//! shortest arc.

use std::ops::{Add, Mul};

use super::{local, sample};
use glam::DQuat;
use sinew_model::{Clip, LocalTransform, Rig, slerp, unit_rotation};

/// The pose of one clip alone, in memory that is reused from clip to clip.
#[derive(Clone, Debug, Default)]
pub(super) struct Layer {
    locals: Vec<LocalTransform>,
    weights: Vec<f64>,
}

impl Layer {
    /// Sets the pose of a clip at a time.
    pub fn set(&mut self, rig: &Rig, clip: &Clip, time_secs: f64) {
        local::reset(rig, &mut self.locals, &mut self.weights);
        sample::apply(clip, rig, time_secs, &mut self.locals, &mut self.weights);
    }

    /// Blends transforms and morph weights towards the layer, by its weight from 0 to 1. Exact at both ends, and where
    /// both agree.
    pub fn blend_over(&self, locals: &mut [LocalTransform], weights: &mut [f64], weight: f64) {
        for (local, layer) in locals.iter_mut().zip(&self.locals) {
            match weight {
                ..=0.0 => {}
                1.0.. => *local = *layer,
                _ if local == layer => {}
                _ => *local = mixed(local, layer, weight),
            }
        }
        for (below, above) in weights.iter_mut().zip(&self.weights) {
            *below = line(*below, *above, weight);
        }
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
        LocalTransform::Matrix(matrix) => local::split(matrix),
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
    let unit = |q: DQuat| unit_rotation(q.into());
    DQuat::from_vec4(unit_rotation(slerp(unit(below), unit(above), weight)))
}
