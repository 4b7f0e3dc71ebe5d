//! The tree of each skin's joints, with the vertices that they move and the clips that move them.

use serde::Serialize;

use super::bones::parents;
use super::surface::{instances_by_skin, skinned};
use sinew_model::{Model, Primitive, Property, Skin};
use sinew_skinning::pairing::influences::{NO_JOINT, influences_of};

/// The maximum number of vertices, nodes and clips to read for all skins together.
const MAX_WORK: usize = 32_000_000;

/// The joints of all skins.
#[derive(Clone, Debug, Serialize)]
pub struct JointTrees<'a> {
    /// The names of the clips, which joints refer to by index.
    pub clips: Vec<&'a str>,
    /// A tree for each skin, in the file's order.
    pub skins: Vec<JointTree<'a>>,
    /// True if some skins were skipped, because the file has too many: their joints have no parents, vertices and clips.
    pub reduced: bool,
}

/// The joints of a skin.
#[derive(Clone, Debug, Serialize)]
pub struct JointTree<'a> {
    /// The skin's index.
    pub skin: usize,
    /// The name; empty if it has none.
    pub name: &'a str,
    /// The number of vertices of the meshes drawn with it.
    pub vertices: usize,
    /// The joints: each after its parent, before its parent's next child.
    pub joints: Vec<TreeJoint<'a>>,
}

/// A joint of a skin.
#[derive(Clone, Debug, Serialize)]
pub struct TreeJoint<'a> {
    /// The index in the skin.
    pub joint: usize,
    /// The node's index in the file.
    pub node: u32,
    /// The name; empty if it has none.
    pub name: &'a str,
    /// The index in the skin of the nearest joint above it; null for a root.
    pub parent: Option<usize>,
    /// The number of joints above it.
    pub depth: usize,
    /// The number of vertices on which it has some weight, each vertex of a mesh once.
    pub vertices: usize,
    /// The sum of its weights.
    pub weight: f64,
    /// The joint's share of the total weight.
    pub share: f64,
    /// The clips that set its node's translation, rotation or scale.
    pub clips: Vec<usize>,
}

/// Returns the trees of all skins.
pub fn joints(model: &Model) -> JointTrees<'_> {
    let clips_of = clips_of(model);
    let mut left = MAX_WORK;
    let mut reduced = false;
    let drawn = instances_by_skin(model);
    let mut skins = Vec::new();
    for (number, skin) in model.skins.iter().enumerate() {
        let primitives = skinned(model, drawn.row(number));
        let vertices: usize = primitives.iter().map(|(.., primitive)| primitive.positions.len()).sum();
        let nodes = skin.joints.iter();
        let clips: usize = nodes.map(|node| clips_of.get(*node).map_or(0, |clips| clips.len())).sum();
        let work = vertices.saturating_add(model.rig.len()).saturating_add(clips);
        let (parents, moved, clips_of) = match left.checked_sub(work) {
            Some(rest) => {
                left = rest;
                (parents(model, skin), moved(&primitives, skin.joints.len()), &clips_of[..])
            }
            None => {
                reduced = true;
                (vec![None; skin.joints.len()], Vec::new(), &[][..])
            }
        };
        let joints = tree(model, skin, &parents, &moved, clips_of);
        skins.push(JointTree { skin: number, name: &skin.name, vertices, joints });
    }
    JointTrees { clips: model.clips.iter().map(|clip| clip.name.as_str()).collect(), skins, reduced }
}

/// Returns for each node the clips that set its transform.
fn clips_of(model: &Model) -> Vec<Vec<usize>> {
    let mut clips_of: Vec<Vec<usize>> = vec![Vec::new(); model.rig.len()];
    for (number, clip) in model.clips.iter().enumerate() {
        for channel in &clip.channels {
            let moves = match channel.property {
                Property::Translation | Property::Rotation | Property::Scale => true,
                Property::Weights | Property::Weight(_) => false,
            };
            let clips = clips_of.get_mut(channel.node).filter(|clips| moves && clips.last() != Some(&number));
            if let Some(clips) = clips {
                clips.push(number);
            }
        }
    }
    clips_of
}

/// Returns for each joint the number of vertices that it moves and the sum of its weights.
fn moved(primitives: &[(usize, usize, usize, &Primitive)], joints: usize) -> Vec<(usize, f64)> {
    let mut moved = vec![(0_usize, 0.0_f64); joints];
    let mut row = Vec::new();
    for (.., primitive) in primitives {
        let Some(stored) = &primitive.influences else { continue };
        for vertex in 0..primitive.positions.len() {
            influences_of(stored, vertex, joints, &mut row);
            for influence in row.iter().filter(|influence| influence.joint != NO_JOINT) {
                if let Some((vertices, weight)) = moved.get_mut(influence.joint as usize) {
                    *vertices += 1;
                    *weight += influence.weight;
                }
            }
        }
    }
    moved
}

/// Returns the joints of a skin in the order of its tree.
fn tree<'a>(
    model: &'a Model,
    skin: &Skin,
    parents: &[Option<usize>],
    moved: &[(usize, f64)],
    clips_of: &[Vec<usize>],
) -> Vec<TreeJoint<'a>> {
    let mut children = vec![Vec::new(); parents.len()];
    for (joint, parent) in parents.iter().enumerate() {
        if let Some(children) = parent.and_then(|parent| children.get_mut(parent)) {
            children.push(joint);
        }
    }
    let all: f64 = moved.iter().map(|(_, weight)| weight).sum();
    let roots = parents.iter().enumerate().filter(|(_, parent)| parent.is_none());
    let mut waiting: Vec<(usize, usize)> = roots.map(|(joint, _)| (joint, 0)).collect();
    waiting.reverse();
    let mut joints = Vec::with_capacity(parents.len());
    while let Some((joint, depth)) = waiting.pop() {
        let below = children.get(joint).map_or(&[][..], |children| children).iter().rev();
        waiting.extend(below.map(|child| (*child, depth.saturating_add(1))));
        let node = skin.joints.get(joint).copied().unwrap_or(usize::MAX);
        let (vertices, weight) = moved.get(joint).copied().unwrap_or_default();
        joints.push(TreeJoint {
            joint,
            node: model.rig.file_index.get(node).copied().unwrap_or(0),
            name: model.rig.names.get(node).map_or("", String::as_str),
            parent: parents.get(joint).copied().flatten(),
            depth,
            vertices,
            weight,
            share: if all > 0.0 { weight / all } else { 0.0 },
            clips: clips_of.get(node).cloned().unwrap_or_default(),
        });
    }
    joints
}
