//! The difference of a vertex between two files by the motion of joints alone, independent of the new file's weights.

use glam::{DMat4, DVec3};
use serde::Serialize;
use sinew_model::{Model, Skin, VertexIndex};
use sinew_skinning::pose::{Pose, PoseChoice};
use sinew_skinning::skin_of;

use super::files::Files;
use super::modes::at;
use sinew_skinning::pairing::influences::{Influence, influences_of};
use sinew_skinning::pairing::joints::SharedJoints;
use sinew_skinning::pairing::{Found, Pair};

/// Differences between the motions of two files at one time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct MotionApart {
    /// The distance between the positions to which the joints of both files move the old vertex's bind position, by the old
    /// weights, in metres; null if the new file lacks one of the joints.
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
    let has_it = |pair: &&Pair| {
        Some(pair.old) == number && pair.spots.iter().any(|(vertex, _)| *vertex as usize == index.vertex)
    };
    let pair = files.pairing.pairs.iter().find(has_it);
    let Some((there, pair)) = pair.and_then(|pair| Some((*Found::all(new).get(pair.new)?, pair))) else {
        return MotionApart::default();
    };
    let morphs = [(old, index.instance, &poses[0]), (new, there.instance, &poses[1])];
    let morphs = morphs.map(|(model, instance, pose)| {
        let node = model.instances.get(instance).map(|instance| instance.node);
        node.and_then(|node| pose.weights.get(model.rig.weights_of(node))).unwrap_or(&[])
    });
    let weights = morphs[0].iter().zip(morphs[1]).map(|(a, b)| (a - b).abs());
    MotionApart {
        motion_m: motion_m([old, new], &poses, index, (&there, pair.new_from_old)),
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
    (found, new_from_old): (&Found, DMat4),
) -> Option<f64> {
    let [a, b] = [old.instances.get(index.instance)?, new.instances.get(found.instance)?];
    let primitive = old.meshes.get(a.mesh)?.primitives.get(index.primitive)?;
    let from = DVec3::from_array(primitive.positions.get(index.vertex)?.map(f64::from));
    // One bind position for both, so that a vertex moved only in the new file does not count as motion.
    let to = new_from_old.transform_point3(from);
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

/// Returns the transform by which a joint moves the bind pose.
fn matrix(pose: &Pose, skin: &Skin, joint: usize) -> Option<DMat4> {
    Some(*pose.world_from_node.get(*skin.joints.get(joint)?)? * *skin.joint_from_bind.get(joint)?)
}
