//! Local transforms: the parts that clips animate.

use glam::{DAffine3, DQuat, DVec3};
use sinew_model::{LocalTransform, Rig};

/// Sets transforms and morph weights to the file's.
pub(super) fn reset(rig: &Rig, locals: &mut Vec<LocalTransform>, weights: &mut Vec<f64>) {
    locals.clone_from(&rig.rest);
    weights.clear();
    weights.extend(rig.rest_weights.iter().copied().map(f64::from));
}

/// Splits a matrix into the parts that clips animate. Files should not animate a node stored as a matrix; its
/// shear is lost.
pub(crate) fn split(matrix: &DAffine3) -> LocalTransform {
    let (translation, rotation, scale) = parts(&LocalTransform::Matrix(*matrix));
    LocalTransform::Trs { translation, rotation, scale }
}

/// Returns a transform's translation, rotation and scale; a matrix loses its shear.
pub fn parts(local: &LocalTransform) -> (DVec3, DQuat, DVec3) {
    match local {
        LocalTransform::Trs { translation, rotation, scale } => (*translation, *rotation, *scale),
        LocalTransform::Matrix(matrix) => {
            let (scale, rotation, translation) = matrix.to_scale_rotation_translation();
            // A matrix that scales an axis to nothing yields no rotation this way.
            let rotation = if rotation.is_finite() { rotation } else { DQuat::IDENTITY };
            (translation, rotation, scale)
        }
    }
}
