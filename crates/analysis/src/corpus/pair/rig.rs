//! Joints that are gone, or that hang on other parents.

use sinew_model::Model;
use sinew_skinning::pairing::joints::SharedJoint;
use sinew_text::words::many;

use super::sides::{Sides, listed};
use crate::corpus::asset::{Asset, Kind};

/// Compares the rigs by joints that move vertices.
pub fn compare(sides: &Sides<'_>, asset: &mut Asset) {
    let old = sides.models[0];
    let moves = moving(old);
    let has_moved =
        |joint: &&SharedJoint| joint.nodes[0].is_some_and(|node| moves.get(node).copied().unwrap_or(false));
    let joints: Vec<&SharedJoint> = sides.joints.joints.iter().filter(has_moved).collect();
    let gone: Vec<&str> =
        joints.iter().filter(|joint| joint.nodes[1].is_none()).map(|joint| named(joint)).collect();
    if !gone.is_empty() {
        let like = if gone.len() == joints.len() { "all" } else { "some" };
        let words = format!("{} gone: {}", many(gone.len(), "joint"), listed(gone.iter().copied()));
        asset.add(Kind::Joints, like, words, gone.len() as f64 / joints.len().max(1) as f64);
    }
    let both = [0, 1].map(|side| sides.joints.in_both(side));
    let moved: Vec<&str> =
        joints.iter().filter(|joint| is_elsewhere(sides, &both, joint)).map(|joint| named(joint)).collect();
    if !moved.is_empty() {
        let words =
            format!("{} with another parent: {}", many(moved.len(), "joint"), listed(moved.iter().copied()));
        asset.add(Kind::Parents, "", words, moved.len() as f64 / joints.len().max(1) as f64);
    }
}

fn named<'a>(joint: &SharedJoint<'a>) -> &'a str {
    if joint.name.is_empty() { "a joint without a name" } else { joint.name }
}

/// Returns true for each node whose joint moves a vertex.
fn moving(model: &Model) -> Vec<bool> {
    let mut moves = vec![false; model.rig.len()];
    for instance in &model.instances {
        let Some(skin) = instance.skin.and_then(|skin| model.skins.get(skin)) else { continue };
        let primitives = model.meshes.get(instance.mesh).map_or(&[][..], |mesh| &mesh.primitives);
        let spans = primitives
            .iter()
            .filter_map(|primitive| primitive.influences.as_ref())
            .flat_map(|all| &all.spans);
        for (joints, weights) in spans.flat_map(|span| span.joints.iter().zip(&span.weights)) {
            for (joint, _) in joints.iter().zip(weights).filter(|(_, weight)| **weight > 0.0) {
                let node = usize::try_from(*joint).ok().and_then(|joint| skin.joints.get(joint));
                if let Some(moves) = node.and_then(|node| moves.get_mut(*node)) {
                    *moves = true;
                }
            }
        }
    }
    moves
}

/// Returns true if the nearest shared joint above a joint is another one in the new rig.
fn is_elsewhere(sides: &Sides<'_>, both: &[Vec<Option<u32>>; 2], joint: &SharedJoint<'_>) -> bool {
    let [Some(old), Some(new)] = joint.nodes else { return false };
    let above = |side: usize, node: usize| {
        let parents = &sides.models[side].rig.parents;
        let next = |node: &usize| parents.get(*node).copied().flatten().map(|parent| parent as usize);
        let mut above = std::iter::successors(next(&node), next);
        above.find_map(|node| both[side].get(node).copied().flatten())
    };
    above(0, old) != above(1, new)
}
