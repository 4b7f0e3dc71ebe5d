//! Which joints, primitives and vertices of two models are the same.

use std::collections::{HashMap, VecDeque};

use glam::DVec3;
use serde::Serialize;

use super::nearest::Tree;
use super::surface::skinned;
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

/// A primitive that an instance draws.
#[derive(Clone, Copy, Debug)]
pub struct Found<'a> {
    /// Index into the model's instances.
    pub instance: usize,
    /// Index into the model's skins.
    pub skin: usize,
    /// Index into the mesh's primitives.
    pub number: usize,
    /// The primitive.
    pub primitive: &'a Primitive,
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
        let [mut a, mut b] = models.map(|model| moved(model).into_iter().map(Some).collect::<Vec<_>>());
        let mut pairs = Vec::new();
        let by_mesh = |model: &'a Model, found: &Found<'a>| {
            let mesh =
                model.instances.get(found.instance).and_then(|instance| model.meshes.get(instance.mesh));
            mesh.map_or("", |mesh| &mesh.name)
        };
        let by_node = |model: &'a Model, found: &Found<'a>| {
            let instance = model.instances.get(found.instance);
            instance.and_then(|instance| model.rig.names.get(instance.node)).map_or("", String::as_str)
        };
        pair_up(&mut a, &mut b, |side, found| key(by_mesh(models[side], found), found), &mut pairs);
        pair_up(&mut a, &mut b, |side, found| key(by_node(models[side], found), found), &mut pairs);
        pair_up(&mut a, &mut b, |_, _| Some(("", 0)), &mut pairs);
        pairs.sort_by_key(|pair: &Pair<'_>| (pair.found[0].instance, pair.found[0].number));
        Self { pairs, alone: [a, b].map(|list| list.into_iter().flatten().collect()) }
    }
}

fn key<'n>(name: &'n str, found: &Found<'_>) -> Option<(&'n str, usize)> {
    (!name.is_empty()).then_some((name, found.primitive.file_index))
}

/// The primitives that skins move, each mesh once.
fn moved(model: &Model) -> Vec<Found<'_>> {
    let has_skin = |instance: &&Instance| instance.skin.is_some_and(|skin| skin < model.skins.len());
    let instances = model.instances.iter().enumerate().filter(|(_, instance)| has_skin(instance));
    let instances: Vec<usize> = instances.map(|(number, _)| number).collect();
    let found = skinned(model, &instances).into_iter().filter_map(|(instance, _, number, primitive)| {
        let skin = model.instances.get(instance)?.skin?;
        Some(Found { instance, skin, number, primitive })
    });
    found.collect()
}

/// Takes out of both lists what has the same key.
fn pair_up<'a, 'n>(
    a: &mut [Option<Found<'a>>],
    b: &mut [Option<Found<'a>>],
    key: impl Fn(usize, &Found<'a>) -> Option<(&'n str, usize)>,
    pairs: &mut Vec<Pair<'a>>,
) {
    let mut by_key: HashMap<(&str, usize), VecDeque<usize>> = HashMap::new();
    for (place, found) in b.iter().enumerate() {
        if let Some(key) = found.as_ref().and_then(|found| key(1, found)) {
            by_key.entry(key).or_default().push_back(place);
        }
    }
    for entry in a {
        let Some(key) = entry.as_ref().and_then(|found| key(0, found)) else { continue };
        let place = by_key.get_mut(&key).and_then(VecDeque::pop_front);
        let other = place.and_then(|place| b.get_mut(place)).and_then(Option::take);
        if let (Some(first), Some(second)) = (*entry, other) {
            *entry = None;
            let (how, partners) = partners(first.primitive, second.primitive);
            pairs.push(Pair { found: [first, second], how, partners });
        }
    }
}

/// Matches by order if both have as many vertices, unless places say otherwise: if order puts less than half of the
/// vertices at the same place, and the nearest place more of them.
fn partners(a: &Primitive, b: &Primitive) -> (How, Vec<Option<u32>>) {
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
