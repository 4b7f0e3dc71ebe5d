//! Which joints, primitives and vertices of two models are the same.

use std::collections::HashMap;

use glam::DVec3;
use serde::Serialize;

use super::nearest::Tree;
use super::surface::skinned;
use crate::pairing::{By, Found, Partners};
use sinew_model::{Instance, Model, Primitive};

/// How far apart the same vertex may be in both models, as a share of the primitive's size.
const SAME: f64 = 1e-5;

/// How far apart vertices may be that stand for each other, as a share of the primitive's size.
const MOST_APART: f64 = 0.02;

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

/// How the vertices of two primitives were matched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum How {
    /// Both have as many vertices: by their order.
    Order,
    /// By the nearest place in the bind pose.
    Place,
}

/// Two primitives that are the same.
#[derive(Clone, Debug)]
pub struct Pair<'a> {
    /// The primitive of each model.
    pub found: [Found<'a>; 2],
    /// How their vertices were matched.
    pub how: How,
    /// For each vertex of the first, that of the second.
    pub partners: Vec<Option<u32>>,
}

/// What is the same in two models, and what is in one alone.
#[derive(Clone, Debug, Default)]
pub struct Matching<'a> {
    /// Primitives of both.
    pub pairs: Vec<Pair<'a>>,
    /// Primitives of one alone.
    pub alone: [Vec<Found<'a>>; 2],
}

impl<'a> Matching<'a> {
    /// Matches the primitives that skins move, each mesh once: by the names of their meshes, then of their nodes, then
    /// by order; of one mesh, by number.
    pub fn new(models: [&'a Model; 2]) -> Self {
        let [a, b] = models.map(moved);
        let partners = Partners::new(&a, &b, [By::Mesh, By::Node, By::Order]);
        let pair = |(first, second): (&Found<'a>, &Option<usize>)| {
            let found = [*first, *b.get((*second)?)?];
            let (how, partners) = vertices(found.map(|found| found.primitive));
            Some(Pair { found, how, partners })
        };
        let pairs = a.iter().zip(&partners.of_first).filter_map(pair).collect();
        let [only_a, only_b] = partners.alone;
        let alone = |found: &[Found<'a>], numbers: Vec<usize>| {
            numbers.into_iter().filter_map(|number| found.get(number)).copied().collect()
        };
        Self { pairs, alone: [alone(&a, only_a), alone(&b, only_b)] }
    }
}

/// The primitives that skins move, each mesh once.
fn moved(model: &Model) -> Vec<Found<'_>> {
    let has_skin = |instance: &&Instance| instance.skin.is_some_and(|skin| skin < model.skins.len());
    let instances = model.instances.iter().enumerate().filter(|(_, instance)| has_skin(instance));
    let instances: Vec<usize> = instances.map(|(number, _)| number).collect();
    let found = skinned(model, &instances).into_iter();
    found.filter_map(|(instance, _, number, _)| Found::new(model, instance, number)).collect()
}

/// Matches by order if both have as many vertices, unless places say otherwise: if order puts less than half of the
/// vertices at the same place, and the nearest place more of them.
fn vertices([a, b]: [&Primitive; 2]) -> (How, Vec<Option<u32>>) {
    let place = |position: &[f32; 3]| DVec3::from_array(position.map(f64::from));
    let finite = || a.positions.iter().map(place).filter(|place| place.is_finite());
    let low = finite().fold(DVec3::INFINITY, DVec3::min);
    let high = finite().fold(DVec3::NEG_INFINITY, DVec3::max);
    let size = if low.x <= high.x { low.distance(high) } else { 0.0 };
    let has_order = a.positions.len() == b.positions.len();
    let both = a.positions.iter().zip(&b.positions).filter(|_| has_order);
    let by_order = both.filter(|(a, b)| place(a).distance(place(b)) <= SAME * size).count();
    if has_order && by_order * 2 >= a.positions.len() {
        return (How::Order, (0..).take(a.positions.len()).map(Some).collect());
    }
    let tree = Tree::new(b.positions.iter().map(place));
    let nearest = a.positions.iter().map(|position| tree.nearest(place(position), MOST_APART * size));
    let nearest: Vec<Option<(u32, f64)>> = nearest.collect();
    let by_place = nearest.iter().flatten().filter(|(_, apart)| *apart <= SAME * size).count();
    if has_order && by_place <= by_order {
        return (How::Order, (0..).take(a.positions.len()).map(Some).collect());
    }
    (How::Place, nearest.into_iter().map(|found| found.map(|(vertex, _)| vertex)).collect())
}
