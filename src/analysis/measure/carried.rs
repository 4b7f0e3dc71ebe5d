//! How far the motion of joints alone carries a vertex apart in two files, whatever the weights of the new one are.

use glam::{DMat4, DVec3};
use serde::Serialize;
use sinew_model::{Model, Primitive, Skin, VertexIndex};
use sinew_skinning::pose::{Pose, PoseChoice};
use sinew_skinning::skin_of;

use super::files::Files;
use super::modes::at;
use crate::pairing::influences::{Influence, influences_of};
use crate::pairing::joints::SharedJoints;
use crate::pairing::{Found, Pair, Spot};

/// Differences between the motions of two files at one time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct MotionApart {
    /// Distance between where the joints of both files carry the vertex from its bind pose, by the old weights, in metres; null where
    /// the new file lacks one of the joints.
    pub motion_m: Option<f64>,
    /// The largest difference between the weights of a morph target; null without any.
    pub morph_weights: Option<f64>,
}

/// Measures at an old vertex.
pub fn motion_apart(files: Files, time: f64, index: VertexIndex) -> MotionApart {
    let [old, new] = files.models;
    let poses = [0, 1].map(|side| posed(files.models[side], &at(files.motions[side], time)));
    let is_it = |found: &Found| (found.instance, found.number) == (index.instance, index.primitive);
    let number = Found::all(old).iter().position(is_it);
    let spot = |pair: &Pair| {
        let found = pair.spots.iter().find(|(vertex, _)| *vertex as usize == index.vertex)?;
        Some((pair.new, found.1))
    };
    let of_part = files.pairing.pairs.iter().filter(|pair| Some(pair.old) == number);
    let found = of_part.filter_map(spot).next();
    let Some((there, spot)) =
        found.and_then(|(new_part, spot)| Some((*Found::all(new).get(new_part)?, spot)))
    else {
        return MotionApart::default();
    };
    let morphs = [(old, index.instance, &poses[0]), (new, there.instance, &poses[1])];
    let morphs = morphs.map(|(model, instance, pose)| {
        let node = model.instances.get(instance).map(|instance| instance.node);
        node.and_then(|node| pose.weights.get(model.rig.weights_of(node))).unwrap_or(&[])
    });
    let weights = morphs[0].iter().zip(morphs[1]).map(|(a, b)| (a - b).abs());
    MotionApart {
        motion_m: motion_m([old, new], &poses, index, (&there, spot)),
        morph_weights: weights.max_by(f64::total_cmp),
    }
}

fn posed(model: &Model, choice: &PoseChoice) -> Pose {
    let mut pose = Pose::default();
    pose.set(model, choice);
    pose
}

fn motion_m(
    [old, new]: [&Model; 2],
    [here, there]: &[Pose; 2],
    index: VertexIndex,
    (found, spot): (&Found, Spot),
) -> Option<f64> {
    let [a, b] = [old.instances.get(index.instance)?, new.instances.get(found.instance)?];
    let primitive = old.meshes.get(a.mesh)?.primitives.get(index.primitive)?;
    let (from, to) = (stored(primitive, index.vertex)?, on(found.primitive, spot)?);
    let skins = [
        skin_of(old, a, primitive.influences.is_some()),
        skin_of(new, b, found.primitive.influences.is_some()),
    ];
    let apart = match skins {
        [None, None] => {
            let (here, there) = (here.world_from_node.get(a.node)?, there.world_from_node.get(b.node)?);
            here.transform_point3(from) - there.transform_point3(to)
        }
        [Some(old_skin), Some(new_skin)] => {
            let joints = SharedJoints::new([old, new]);
            let mut weights: Vec<Influence> = Vec::new();
            influences_of(primitive.influences.as_ref()?, index.vertex, old_skin.joints.len(), &mut weights);
            let mut apart = DVec3::ZERO;
            for Influence { joint, weight } in weights {
                let node = *old_skin.joints.get(joint as usize)?;
                let shared = joints.joints.get(joints.of_node[0].get(node).copied()?? as usize)?;
                let other = new_skin.joints.iter().position(|node| Some(*node) == shared.nodes[1])?;
                let (here, there) =
                    (matrix(here, old_skin, joint as usize)?, matrix(there, new_skin, other)?);
                apart += (here.transform_point3(from) - there.transform_point3(to)) * weight;
            }
            apart
        }
        _ => return None,
    };
    apart.is_finite().then(|| apart.length())
}

/// Returns where a joint carries the bind pose.
fn matrix(pose: &Pose, skin: &Skin, joint: usize) -> Option<DMat4> {
    Some(*pose.world_from_node.get(*skin.joints.get(joint)?)? * *skin.joint_from_bind.get(joint)?)
}

fn stored(primitive: &Primitive, vertex: usize) -> Option<DVec3> {
    Some(DVec3::from_array(primitive.positions.get(vertex)?.map(f64::from)))
}

/// The stored place of a spot.
fn on(primitive: &Primitive, spot: Spot) -> Option<DVec3> {
    match spot {
        Spot::Vertex(vertex) => stored(primitive, vertex as usize),
        Spot::Point(point) => {
            let corners = point.corners.into_iter().zip(point.shares);
            corners.map(|(corner, share)| Some(stored(primitive, corner as usize)? * share)).sum()
        }
    }
}
