//! The joints of two models by their names.

use std::collections::HashMap;

use super::influences::{Influence, NO_JOINT, influences_of, merge};
use sinew_model::{Model, Primitive};

/// The joints of two models by name; joints of one name are told apart by their order.
#[derive(Clone, Debug, Default)]
pub struct SharedJoints<'a> {
    /// Each joint: its name, and its nodes in the rigs.
    pub joints: Vec<SharedJoint<'a>>,
    /// For each node of both rigs, the joint.
    pub of_node: [Vec<Option<u32>>; 2],
}

/// A joint of one model or both.
#[derive(Clone, Copy, Debug, Default)]
pub struct SharedJoint<'a> {
    /// Its name; empty if it has none.
    pub name: &'a str,
    /// Its number in each file.
    pub file_index: u32,
    /// Its node in each rig.
    pub nodes: [Option<usize>; 2],
}

impl<'a> SharedJoints<'a> {
    /// The joints of all skins.
    pub fn new(models: [&'a Model; 2]) -> Self {
        let mut shared = Self::default();
        let mut by_name: HashMap<(&str, usize), u32> = HashMap::new();
        for (side, model) in models.into_iter().enumerate() {
            let mut is_joint = vec![false; model.rig.len()];
            for &node in model.skins.iter().flat_map(|skin| &skin.joints) {
                if let Some(is_joint) = is_joint.get_mut(node) {
                    *is_joint = true;
                }
            }
            let mut count_of: HashMap<&str, usize> = HashMap::new();
            let mut of_node = vec![None; model.rig.len()];
            for node in is_joint.iter().enumerate().filter(|(_, is_joint)| **is_joint).map(|(node, _)| node) {
                let name = model.rig.names.get(node).map_or("", String::as_str);
                let count = count_of.entry(name).or_default();
                let next = shared.joints.len() as u32;
                let number = *by_name.entry((name, *count)).or_insert(next);
                *count += 1;
                if number == next {
                    let file_index = model.rig.file_index.get(node).copied().unwrap_or(0);
                    shared.joints.push(SharedJoint { name, file_index, nodes: [None; 2] });
                }
                if let Some(nodes) = shared.joints.get_mut(number as usize).map(|joint| &mut joint.nodes)
                    && let (Some(place), Some(of_node)) = (nodes.get_mut(side), of_node.get_mut(node))
                {
                    *place = Some(node);
                    *of_node = Some(number);
                }
            }
            if let Some(place) = shared.of_node.get_mut(side) {
                *place = of_node;
            }
        }
        shared
    }
}

/// The weights of a vertex by shared joints; none without a skin.
pub fn row(
    model: &Model,
    of_node: &[Option<u32>],
    skin: Option<usize>,
    (primitive, vertex): (&Primitive, usize),
    out: &mut Vec<Influence>,
) {
    let skin = skin.and_then(|skin| model.skins.get(skin));
    let (Some(skin), Some(stored)) = (skin, &primitive.influences) else {
        return out.clear();
    };
    influences_of(stored, vertex, skin.joints.len(), out);
    for influence in &mut *out {
        let node = skin.joints.get(influence.joint as usize);
        let joint = node.and_then(|node| of_node.get(*node).copied().flatten());
        influence.joint = joint.unwrap_or(NO_JOINT);
    }
    merge(out);
}
