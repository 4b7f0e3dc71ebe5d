//! The distance between two files' weights on one mesh, over random poses.

use glam::{DQuat, DVec3};
use rayon::prelude::*;
use serde::Serialize;

use super::matching::{Matching, Pair};
use super::skinned::{bare, turn_inside};
use sinew_model::{Channel, Interpolation, LocalTransform, Model, Property, VertexIndex, VertexName};
use sinew_skinning::SkinningMode;
use sinew_skinning::generator::Generator;
use sinew_skinning::pairing::joints::SharedJoints;
use sinew_skinning::pose::Pose;
use sinew_skinning::posed::{SkinnedPrimitive, reference_surfaces};

/// The tangent of half of 30°, the reach of joints in a model whose clips turn none.
const USUAL: f64 = 0.267_949_192_431_122_7;

/// The tangent of half of 120°, the largest reach.
const LARGEST: f64 = 1.732_050_807_568_877_2;

/// The distances between the vertices of two models, A and B, over random poses.
///
/// In each pose, each joint is turned from rest about a random axis, by an angle up to its reach. The reach is the largest
/// angle from rest at the keys of A's clips, at most 120°; 30° for all joints if no clip turns one. Joints that clips do not
/// turn stay at rest. The tangent of half the angle is uniformly distributed.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RandomPoses {
    /// The number of poses.
    pub poses: usize,
    /// The seed; the same seed gives the same poses on all machines.
    pub seed: u64,
    /// The mode.
    pub mode: &'static str,
    /// The number of joints of both models that are turned.
    pub turned_joints: usize,
    /// The number of vertices that are compared in each pose.
    pub vertices: usize,
    /// The mean distance, in metres; null if nothing could be compared.
    pub mean: Option<f64>,
    /// The largest distance, in metres.
    pub largest: Option<f64>,
    /// The vertex of A with the largest distance.
    pub worst: Option<String>,
    /// The index of the pose with the largest distance.
    pub worst_pose: Option<usize>,
}

/// A joint that both models have, and its reach.
struct Turned {
    nodes: [Option<usize>; 2],
    /// The tangent of half the angle.
    reach: f64,
}

/// The result of one pose.
#[derive(Clone, Copy, Default)]
struct Apart {
    sum: f64,
    count: usize,
    largest: f64,
    /// The index of a pair, and the vertex.
    worst: Option<(usize, usize)>,
}

/// Compares two models over random poses.
pub fn random_poses(a: &Model, b: &Model, mode: SkinningMode, poses: usize, seed: u64) -> RandomPoses {
    let models = [a, b];
    let shared = SharedJoints::new(models);
    let reaches = reaches(a);
    let reach = |node: Option<usize>| node.and_then(|node| reaches.get(node)).copied().unwrap_or(0.0);
    let turned =
        shared.joints.iter().map(|joint| Turned { nodes: joint.nodes, reach: reach(joint.nodes[0]) });
    let turned: Vec<Turned> = turned.filter(|joint| joint.nodes.iter().all(Option::is_some)).collect();
    let matching = Matching::new(models);
    let bare = [0, 1].map(|side| {
        let instances = matching.pairs.iter().map(|pair| pair.found[side].instance);
        let mut instances: Vec<usize> = instances.collect();
        instances.sort_unstable();
        instances.dedup();
        let places = matching.pairs.iter().map(|pair| {
            let found = &pair.found[side];
            Some((instances.binary_search(&found.instance).ok()?, found.number))
        });
        (bare(models[side], &instances), places.collect::<Vec<_>>())
    });
    let one = |pose: usize| {
        let mut generator = Generator::new(seed, pose as u64);
        let turns: Vec<DQuat> = turned.iter().map(|joint| generator.rotation(joint.reach)).collect();
        let skin = |side: usize| {
            let (model, places) = &bare[side];
            skinned(model, places, side, mode, &turned, &turns)
        };
        apart(&matching.pairs, &skin(0), &skin(1))
    };
    let each: Vec<Apart> = (0..poses).into_par_iter().map(one).collect();
    let name = |(pair, vertex): (usize, usize)| {
        let [found, _] = matching.pairs.get(pair)?.found;
        let index = VertexIndex { instance: found.instance, primitive: found.number, vertex };
        Some(VertexName::of(a, index).to_string())
    };
    let count: usize = each.iter().map(|pose| pose.count).sum();
    let worst = each.iter().enumerate().filter(|(_, pose)| pose.count > 0);
    let worst = worst.min_by(|(_, a), (_, b)| b.largest.total_cmp(&a.largest));
    RandomPoses {
        poses,
        seed,
        mode: mode.name(),
        turned_joints: turned.iter().filter(|joint| joint.reach > 0.0).count(),
        vertices: matching.pairs.iter().map(|pair| pair.partners.len()).sum(),
        mean: (count > 0).then(|| each.iter().map(|pose| pose.sum).sum::<f64>() / count as f64),
        largest: worst.map(|(_, pose)| pose.largest),
        worst: worst.and_then(|(_, pose)| pose.worst).and_then(name),
        worst_pose: worst.map(|(number, _)| number),
    }
}

/// Returns for each node the tangent of half the largest angle from rest at the keys of any clip.
fn reaches(model: &Model) -> Vec<f64> {
    let mut reaches = vec![0.0_f64; model.rig.len()];
    for channel in model.clips.iter().flat_map(|clip| &clip.channels) {
        if let Some(reach) = reaches.get_mut(channel.node).filter(|_| channel.property == Property::Rotation)
        {
            *reach = reach.max(reach_of(model, channel));
        }
    }
    let joints = || model.skins.iter().flat_map(|skin| &skin.joints);
    if joints().all(|joint| reaches.get(*joint).is_none_or(|reach| *reach == 0.0)) {
        reaches.fill(USUAL);
    }
    reaches
}

fn reach_of(model: &Model, channel: &Channel) -> f64 {
    let rest = match model.rig.rest.get(channel.node) {
        Some(LocalTransform::Trs { rotation, .. }) => *rotation,
        Some(LocalTransform::Matrix(matrix)) => matrix.to_scale_rotation_translation().1,
        None => DQuat::IDENTITY,
    };
    let (stride, skip) = match channel.interpolation {
        Interpolation::Step | Interpolation::Linear => (4, 0),
        Interpolation::CubicSpline => (12, 4),
    };
    let keys = channel.values.chunks_exact(stride).filter_map(|key| key.get(skip..)?.first_chunk::<4>());
    let turns = keys.map(|key| rest.conjugate() * DQuat::from_array(key.map(f64::from)));
    let tangents = turns.map(|turn| turn.xyz().length() / turn.w.abs());
    // Noise of single precision is not a turn; `max` drops NaN.
    tangents.filter(|tangent| *tangent > 1e-4).fold(0.0, f64::max).min(LARGEST)
}

/// Returns the positions of each pair's vertices.
fn skinned(
    model: &Model,
    places: &[Option<(usize, usize)>],
    side: usize,
    mode: SkinningMode,
    turned: &[Turned],
    turns: &[DQuat],
) -> Vec<Vec<[f64; 3]>> {
    let mut pose = Pose::rest(&model.rig);
    for (joint, turn) in turned.iter().zip(turns) {
        if let Some(node) = joint.nodes[side] {
            turn_inside(&mut pose, node, *turn);
        }
    }
    pose.update_world(&model.rig);
    let mut skinned = Vec::new();
    reference_surfaces(model, mode, &pose, &mut skinned);
    let numbers = SkinnedPrimitive::numbers(&skinned);
    let take = |place: &Option<(usize, usize)>| {
        let number = place.and_then(|place| numbers.get(&place).copied());
        number.and_then(|number| skinned.get_mut(number)).map(|found| std::mem::take(&mut found.positions))
    };
    places.iter().map(take).map(Option::unwrap_or_default).collect()
}

fn apart(pairs: &[Pair<'_>], a: &[Vec<[f64; 3]>], b: &[Vec<[f64; 3]>]) -> Apart {
    let mut apart = Apart::default();
    for (number, ((pair, a), b)) in pairs.iter().zip(a).zip(b).enumerate() {
        for &(vertex, partner) in &pair.partners {
            let vertex = vertex as usize;
            let (Some(a), Some(b)) = (a.get(vertex), b.get(partner as usize)) else { continue };
            let distance = DVec3::from_array(*a).distance(DVec3::from_array(*b));
            if !distance.is_finite() {
                continue;
            }
            apart.sum += distance;
            apart.count += 1;
            if distance > apart.largest || apart.worst.is_none() {
                (apart.largest, apart.worst) = (distance, Some((number, vertex)));
            }
        }
    }
    apart
}
