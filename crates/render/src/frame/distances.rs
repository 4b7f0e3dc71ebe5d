//! Distances of vertices from their counterparts in a comparison.

use crate::model::gpu_model::{GpuModel, Other};
use sinew_scene::scene::Scene;
use sinew_scene::view::Against;
use sinew_skinning::pairing::{ClipPairs, Pairing};
use sinew_skinning::pose::{Pose, PoseChoice};
use sinew_skinning::posed::Distances;
use sinew_skinning::{Yardstick, distances_between};

/// Returns the distances of every vertex, from the `f64` reference; zeros without a second file.
/// The counterpart has no fault.
pub(crate) fn distances(gpu: &mut GpuModel, scene: &Scene, against: Against, pose: &Pose) -> Distances {
    match against {
        Against::Mode(mode) => between(gpu, scene, mode.into(), pose),
        Against::Mush => between(gpu, scene, Yardstick::Mush(scene.mush.settings), pose),
        Against::Other => from_other(gpu, scene, pose),
    }
}

fn between(gpu: &mut GpuModel, scene: &Scene, against: Yardstick, pose: &Pose) -> Distances {
    let [drawn, against] = [scene.drawn(), against].map(|yardstick| gpu.figure.measure(yardstick));
    let mut right = Pose::default();
    right.set(gpu.model(), &scene.pose);
    distances_between(gpu.model(), [(&drawn, pose), (&against, &right)])
}

fn from_other(gpu: &mut GpuModel, scene: &Scene, pose: &Pose) -> Distances {
    let (mut skinned, mut there) = (Vec::new(), Vec::new());
    let GpuModel { figure, other, .. } = gpu;
    figure.measure(scene.drawn()).surfaces_into(&figure.model, pose, &mut skinned);
    let metres = match other {
        Some(other) => {
            let Other { gpu: other, pairing } = other.as_mut();
            let pairing = pairing.get_or_insert_with(|| Pairing::new(&figure.model, other.model()));
            let mut posed = Pose::default();
            posed.set(other.model(), &pose_of_other(scene, [&figure.model, other.model()]));
            other.figure.measure(scene.drawn()).surfaces_into(other.model(), &posed, &mut there);
            pairing.distances(&skinned, &there)
        }
        None => skinned.iter().map(|primitive| vec![0.0; primitive.positions.len()]).collect(),
    };
    Distances { skinned, metres }
}

/// Returns the scene's pose in the other file; at rest if that lacks a clip.
pub(crate) fn pose_of_other(scene: &Scene, models: [&sinew_model::Model; 2]) -> PoseChoice {
    let [first, other] = models;
    let carried = ClipPairs::new(first, other, &scene.clip_pairs)
        .and_then(|pairs| pairs.carried(&scene.pose, first, other));
    carried.unwrap_or(PoseChoice::Rest)
}
