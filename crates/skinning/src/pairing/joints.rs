//! The joints of two models by their names.

use super::influences::{Influence, NO_JOINT, influences_of, merge};
use super::names;
use sinew_model::{Model, Primitive};

/// The joints of two models by name: by equal names, then without namespace and case if that is unambiguous. Joints of one
/// name pair by their order.
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
    /// The joint's name, from the first model if both have it; empty if it has none.
    pub name: &'a str,
    /// Its index in that file.
    pub file_index: u32,
    /// Its node in each rig.
    pub nodes: [Option<usize>; 2],
}

impl<'a> SharedJoints<'a> {
    /// Pairs the joints of all skins.
    pub fn new(models: [&'a Model; 2]) -> Self {
        let nodes = models.map(joint_nodes);
        let names = [0, 1].map(|side: usize| {
            let name = |node: &usize| models[side].rig.names.get(*node).map_or("", String::as_str);
            nodes[side].iter().map(name).collect::<Vec<&str>>()
        });
        let [mine, theirs] = &names;
        let (mut of_first, mut is_free) = (vec![None; mine.len()], vec![true; theirs.len()]);
        names::pair(mine, theirs, &mut of_first, &mut is_free);
        let nameless = |names: &[&str], at: usize| names.get(at).is_some_and(|name| name.is_empty());
        let mut others = (0..theirs.len()).filter(|at| nameless(theirs, *at));
        for (_, place) in of_first.iter_mut().enumerate().filter(|(at, _)| nameless(mine, *at)) {
            *place = others.next();
            if let Some(free) = place.and_then(|other| is_free.get_mut(other)) {
                *free = false;
            }
        }
        let mut shared =
            Self { joints: Vec::new(), of_node: models.map(|model| vec![None; model.rig.len()]) };
        for (&node, partner) in nodes[0].iter().zip(of_first) {
            shared.add(models, [Some(node), partner.and_then(|other| nodes[1].get(other).copied())]);
        }
        for (&node, _) in nodes[1].iter().zip(is_free).filter(|(_, is_free)| *is_free) {
            shared.add(models, [None, Some(node)]);
        }
        shared
    }

    /// Returns for each node of a rig its joint, if both models have it.
    pub fn in_both(&self, side: usize) -> Vec<Option<u32>> {
        let of_node = self.of_node.get(side).into_iter().flatten();
        let is_shared = |joint: &u32| {
            self.joints.get(*joint as usize).is_some_and(|joint| joint.nodes.iter().all(Option::is_some))
        };
        of_node.map(|joint| joint.filter(is_shared)).collect()
    }

    fn add(&mut self, models: [&'a Model; 2], nodes: [Option<usize>; 2]) {
        let number = u32::try_from(self.joints.len()).unwrap_or(u32::MAX);
        for (of_node, node) in self.of_node.iter_mut().zip(nodes) {
            if let Some(of_node) = node.and_then(|node| of_node.get_mut(node)) {
                *of_node = Some(number);
            }
        }
        let first = models.into_iter().zip(nodes).find_map(|(model, node)| Some((&model.rig, node?)));
        let name = first.and_then(|(rig, node)| rig.names.get(node)).map_or("", String::as_str);
        let file_index = first.and_then(|(rig, node)| rig.file_index.get(node).copied()).unwrap_or(0);
        self.joints.push(SharedJoint { name, file_index, nodes });
    }
}

/// Returns the nodes that are joints of some skin, in the order of the rig.
fn joint_nodes(model: &Model) -> Vec<usize> {
    let mut is_joint = vec![false; model.rig.len()];
    for &node in model.skins.iter().flat_map(|skin| &skin.joints) {
        if let Some(is_joint) = is_joint.get_mut(node) {
            *is_joint = true;
        }
    }
    is_joint.into_iter().enumerate().filter(|(_, is_joint)| *is_joint).map(|(node, _)| node).collect()
}

/// Computes the weights of a vertex by shared joints; none without a skin.
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
