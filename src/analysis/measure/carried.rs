//! How far the motion of joints alone carries a vertex apart in two files, whatever their meshes and weights.

use glam::{DMat4, DVec3};
use serde::Serialize;
use sinew_model::{Model, VertexIndex};
use sinew_skinning::pose::{Pose, PoseChoice};
use sinew_skinning::posed::reference_vertex;
use sinew_skinning::{SkinningMode, skin_of};

use super::files::Files;
use super::modes::at;
use crate::pairing::influences::{Influence, NO_JOINT};
use crate::pairing::joints::{SharedJoints, row};
use crate::pairing::{Found, Pair};

/// What moves differently in two files at one time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct MotionApart {
    /// How far apart the joints of both files carry the old vertex from its place at rest, by its old weights, in metres;
    /// null where the new file lacks one of the joints.
    pub motion_m: Option<f64>,
    /// The largest difference between the weights of a morph target; null without any.
    pub morph_weights: Option<f64>,
}

/// Measures at an old vertex.
pub fn motion_apart(files: Files, time: f64, index: VertexIndex) -> MotionApart {
    let [old, new] = files.models;
    let rest = [old, new].map(|model| posed(model, &PoseChoice::Rest));
    let moved = [0, 1].map(|side| posed(files.models[side], &at(files.motions[side], time)));
    let motions = [0, 1].map(|side| [&rest[side], &moved[side]]);
    let number = Found::all(old)
        .iter()
        .position(|found| (found.instance, found.number) == (index.instance, index.primitive));
    let pair = files.pairing.pairs.iter().find(|pair| Some(pair.old) == number && has(pair, index.vertex));
    let Some(there) = pair.and_then(|pair| Found::all(new).get(pair.new).copied()) else {
        return MotionApart::default();
    };
    let morphs = [(old, index.instance, &moved[0]), (new, there.instance, &moved[1])].map(
        |(model, instance, pose)| {
            let node = model.instances.get(instance).map(|instance| instance.node);
            node.and_then(|node| pose.weights.get(model.rig.weights_of(node))).unwrap_or(&[])
        },
    );
    let weights = morphs[0].iter().zip(morphs[1]).map(|(a, b)| (a - b).abs());
    MotionApart {
        motion_m: motion_m(files.models, motions, index, there.instance),
        morph_weights: weights.max_by(f64::total_cmp),
    }
}

fn posed(model: &Model, choice: &PoseChoice) -> Pose {
    let mut pose = Pose::default();
    pose.set(model, choice);
    pose
}

fn has(pair: &Pair, vertex: usize) -> bool {
    pair.spots.iter().any(|(old, _)| *old as usize == vertex)
}

fn motion_m(
    [old, new]: [&Model; 2],
    [before, after]: [[&Pose; 2]; 2],
    index: VertexIndex,
    there: usize,
) -> Option<f64> {
    let place = reference_vertex(old, SkinningMode::Linear, before[0], index)?;
    let instance = old.instances.get(index.instance)?;
    let primitive = old.meshes.get(instance.mesh)?.primitives.get(index.primitive)?;
    let moves = |[rest, moved]: [&Pose; 2], node: usize| -> Option<DMat4> {
        let motion = *moved.world_from_node.get(node)? * rest.world_from_node.get(node)?.inverse();
        motion.is_finite().then_some(motion)
    };
    if skin_of(old, instance, primitive.influences.is_some()).is_none() {
        let node = new.instances.get(there)?.node;
        let places =
            [moves(before, instance.node)?, moves(after, node)?].map(|motion| motion.transform_point3(place));
        return Some(places[0].distance(places[1]));
    }
    let joints = SharedJoints::new([old, new]);
    let mut weights: Vec<Influence> = Vec::new();
    row(old, &joints.of_node[0], instance.skin, (primitive, index.vertex), &mut weights);
    let mut apart = DVec3::ZERO;
    for Influence { joint, weight } in weights.into_iter().filter(|influence| influence.joint != NO_JOINT) {
        let [Some(a), Some(b)] = joints.joints.get(joint as usize)?.nodes else { return None };
        let (here, there) = (moves(before, a)?, moves(after, b)?);
        apart += (here.transform_point3(place) - there.transform_point3(place)) * weight;
    }
    Some(apart.length())
}
