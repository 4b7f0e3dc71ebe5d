//! Poses that no clip has, as a clip.

use glam::DQuat;
use sinew_model::{Channel, Clip, Interpolation, LocalTransform, Model, Property};
use sinew_skinning::generator::Generator;
use sinew_skinning::ik;
use sinew_skinning::pose::{Pose, PoseChoice, parts};

/// Maximum number of poses of all clips that rotations are taken from.
const MAX_SAMPLED: usize = 256;

/// The tangent of half of 120°, the largest turn of a joint that the file limits.
const MAX_TANGENT: f64 = 1.732_050_807_568_877_2;

/// Makes a clip of random poses, `rate` a second. Each joint takes a rotation between two that it has in the model's clips, each
/// joint on its own; where the file limits its rotations, any within the limits. The same seed gives the same poses.
pub fn range_of_motion(model: &Model, poses: usize, seed: u64, rate: f64) -> Clip {
    let sampled = sampled(model);
    let turning: Vec<usize> = turning(model);
    let times: Vec<f32> = (0..poses).map(|pose| (pose as f64 / rate) as f32).collect();
    let channel = |node: &usize| {
        let mut generator = Generator::new(seed, *node as u64);
        let rotation = |_| rotation(model, *node, &sampled, &mut generator).as_quat().to_array();
        let values = (0..poses).flat_map(rotation).collect();
        let interpolation = Interpolation::Linear;
        Channel { node: *node, property: Property::Rotation, interpolation, times: times.clone(), values }
    };
    Clip {
        name: "range of motion".to_owned(),
        duration_secs: times.last().copied().unwrap_or_default(),
        channels: turning.iter().map(channel).collect(),
    }
}

/// Makes a clip of poses, `rate` a second.
pub fn clip_of_poses(model: &Model, poses: &[PoseChoice], rate: f64) -> Clip {
    let locals = |choice: &PoseChoice| {
        let mut pose = Pose::default();
        pose.set(model, choice);
        pose.locals
    };
    let poses: Vec<Vec<LocalTransform>> = poses.iter().map(locals).collect();
    let times: Vec<f32> = (0..poses.len()).map(|pose| (pose as f64 / rate) as f32).collect();
    let channels = |node: usize| {
        let all: Vec<&LocalTransform> = poses.iter().filter_map(|locals| locals.get(node)).collect();
        let is_turned = all.iter().any(|local| matches!(local, LocalTransform::Trs { .. }));
        let parts = || all.iter().map(|local| parts(local));
        let places = parts().flat_map(|(place, ..)| place.as_vec3().to_array()).collect();
        let turns = parts().flat_map(|(_, turn, _)| turn.as_quat().to_array()).collect();
        let sizes = parts().flat_map(|(.., size)| size.as_vec3().to_array()).collect();
        let properties = [Property::Translation, Property::Rotation, Property::Scale];
        let all = properties.into_iter().zip([places, turns, sizes]).filter(move |_| is_turned);
        let times = times.clone();
        all.map(move |(property, values)| {
            let interpolation = Interpolation::Linear;
            Channel { node, property, interpolation, times: times.clone(), values }
        })
    };
    Clip {
        name: "poses".to_owned(),
        duration_secs: times.last().copied().unwrap_or_default(),
        channels: (0..model.rig.len()).flat_map(channels).collect(),
    }
}

/// Lists the nodes that clips or limits turn.
fn turning(model: &Model) -> Vec<usize> {
    let channels = model.clips.iter().flat_map(|clip| &clip.channels);
    let turned = channels.filter(|channel| channel.property == Property::Rotation);
    let turned = turned.map(|channel| channel.node).chain(model.rig.limits.keys().copied());
    let is_turned = |node: &usize| matches!(model.rig.rest.get(*node), Some(LocalTransform::Trs { .. }));
    let mut nodes: Vec<usize> = turned.filter(is_turned).collect();
    nodes.sort_unstable();
    nodes.dedup();
    nodes
}

/// Poses of all clips.
fn sampled(model: &Model) -> Vec<Vec<LocalTransform>> {
    let count = (MAX_SAMPLED / model.clips.len().max(1)).max(1);
    let mut pose = Pose::default();
    let mut sampled = Vec::new();
    for clip in model.clips.iter().take(MAX_SAMPLED) {
        let period = model.period_of(clip);
        for number in 0..count {
            pose.set_clip(&model.rig, clip, period.at(number as f64 / count as f64));
            sampled.push(pose.locals.clone());
        }
    }
    sampled
}

/// A random rotation of a node.
fn rotation(model: &Model, node: usize, sampled: &[Vec<LocalTransform>], generator: &mut Generator) -> DQuat {
    let of = |locals: &[LocalTransform]| match locals.get(node) {
        Some(LocalTransform::Trs { rotation, .. }) => *rotation,
        _ => DQuat::IDENTITY,
    };
    if let Some(limits) = model.rig.limits.get(&node) {
        return ik::within(limits, of(&model.rig.rest) * generator.rotation(MAX_TANGENT));
    }
    let mut any = || {
        let number = (generator.share() * sampled.len() as f64) as usize;
        sampled.get(number).map_or(DQuat::IDENTITY, |locals| of(locals))
    };
    let (from, to) = (any(), any());
    from.lerp(to, generator.share())
}
