//! Nodes at rest, and copies of bones for meshes that move away from their bind transform.

use std::collections::{BTreeMap, HashSet};

use glam::DMat4;

use super::limits::limits;
use super::matrices::{matrix, quat, vec3};
use super::places::{at_rest, is_moved};
use crate::reading::LoadError;
use crate::reading::budget::Budget;
use crate::reading::message::quoted;
use crate::{LocalTransform, Rig};

/// Tolerance for a mesh's node relative to its bind transform, as a fraction of the matrix's largest number.
const UNMOVED: f64 = 1e-9;

/// Bytes of a node in the rig and in poses.
const NODE_BYTES: usize = 512;

/// The rig, and which of its nodes are copies.
pub struct Nodes {
    pub rig: Rig,
    /// The file's node and its copy, which moves as it does.
    pub copies: Vec<(usize, usize)>,
    /// The elements that any clip moves.
    animated: HashSet<u32>,
}

impl Nodes {
    /// Reads all nodes, parents before children as `ufbx` sorts them.
    ///
    /// # Errors
    /// If the transform of one is not finite.
    pub fn of(scene: &ufbx::Scene) -> Result<Self, LoadError> {
        let animated = scene.anim_layers.iter().flat_map(|layer| layer.anim_props.iter());
        let animated = animated.map(|prop| prop.element.element_id).collect();
        let mut nodes = Self { rig: Rig::default(), copies: Vec::new(), animated };
        for (number, node) in scene.nodes.iter().enumerate() {
            let parent = node.parent.as_ref().map(|parent| parent.element.typed_id);
            let parent = parent.filter(|parent| (*parent as usize) < number);
            let Some(rest) = local(&at_rest(node)) else {
                let message = format!("the position of {} is not finite", quoted(&node.element.name));
                return Err(LoadError::broken("VALUE_NOT_IN_RANGE", format!("nodes[{number}]"), message));
            };
            let number = nodes.add(node.element.name.to_string(), parent, rest);
            if let Some(limits) = limits(node) {
                nodes.rig.limits.insert(number, limits);
            }
        }
        Ok(nodes)
    }

    /// Adds a node below one of the file's; returns its number.
    pub fn add_below(&mut self, node: usize, name: String, rest: LocalTransform) -> usize {
        self.add(name, Some(node as u32), rest)
    }

    fn add(&mut self, name: String, parent: Option<u32>, rest: LocalTransform) -> usize {
        let number = self.rig.len();
        self.rig.names.push(name);
        self.rig.parents.push(parent);
        self.rig.rest.push(rest);
        self.rig.file_index.push(number as u32);
        number
    }

    /// The copies of bones that a mesh's skin follows; empty if it follows the bones themselves.
    ///
    /// Maya skins in the space of the mesh's node, and moves the result by that node's motion from its bind transform.
    /// Bones are then copied below that node, with all their ancestors.
    pub fn bones_in(
        &mut self,
        scene: &ufbx::Scene,
        number: usize,
        mesh: &ufbx::Mesh,
        budget: &mut Budget,
    ) -> Result<BTreeMap<usize, usize>, LoadError> {
        let mut found = BTreeMap::new();
        let clusters = || mesh.skin_deformers.iter().flat_map(|deformer| deformer.clusters.iter());
        let Some((node, first)) = scene.nodes.get(number).zip(clusters().next()) else { return Ok(found) };
        // The node of a geometric offset is a child of the mesh's own node.
        let own = node.parent.as_ref().filter(|_| node.is_geometry_transform_helper);
        let own: &ufbx::Node = own.map_or(node, |own| own);
        let bound = matrix(&first.bind_to_world).mul_mat4(&matrix(&first.mesh_node_to_bone));
        let back = bound.inverse();
        if !is_maya(scene) || !back.is_finite() || !self.moves(own, &bound) {
            return Ok(found);
        }
        let name = format!("bones of {}", own.element.name);
        let below = self.add(name, Some(own.element.typed_id), LocalTransform::from_matrix(back));
        let mut wanted = std::collections::BTreeSet::new();
        for bone in clusters().filter_map(|cluster| cluster.bone_node.as_ref()) {
            let mut at: Option<&ufbx::Node> = Some(bone);
            while let Some(node) = at.filter(|node| wanted.insert(node.element.typed_id as usize)) {
                at = node.parent.as_deref();
            }
        }
        budget.charge(&format!("nodes[{number}]"), wanted.len(), NODE_BYTES)?;
        // In the order of nodes parents come first.
        for original in wanted {
            let (Some(name), Some(rest)) = (self.rig.names.get(original), self.rig.rest.get(original)) else {
                continue;
            };
            let (name, rest) = (name.clone(), *rest);
            let parent = self.rig.parents.get(original).copied().flatten();
            let parent = parent.and_then(|parent| found.get(&(parent as usize)).copied()).unwrap_or(below);
            let copy = self.add(name, Some(parent as u32), rest);
            if let Some(limits) = self.rig.limits.get(&original).copied() {
                self.rig.limits.insert(copy, limits);
            }
            found.insert(original, copy);
            self.copies.push((original, copy));
        }
        Ok(found)
    }

    /// Returns true if a node differs from its mesh's bind transform, or if a clip moves it.
    fn moves(&self, node: &ufbx::Node, bound: &DMat4) -> bool {
        let now = matrix(&node.node_to_world);
        let size = bound.to_cols_array().into_iter().fold(0.0f64, |size, number| size.max(number.abs()));
        let ancestors = std::iter::successors(Some(node), |node| node.parent.as_deref());
        !now.abs_diff_eq(*bound, size * UNMOVED)
            || ancestors.into_iter().any(|node| is_moved(node, &self.animated))
    }
}

fn is_maya(scene: &ufbx::Scene) -> bool {
    scene.metadata.original_application.name.contains("Maya")
}

/// A transform in the parent; `None` where it is not finite.
pub fn local(of: &ufbx::Transform) -> Option<LocalTransform> {
    let (translation, scale) = (vec3(&of.translation), vec3(&of.scale));
    let is_finite = [translation, scale].iter().all(|vector| vector.as_vec3().is_finite());
    let rotation = quat(&of.rotation);
    let length = rotation.length();
    (is_finite && length.is_finite() && length > 0.0).then(|| {
        let is_unit = (length - 1.0).abs() < 1e-13;
        LocalTransform::Trs {
            translation,
            rotation: if is_unit { rotation } else { rotation / length },
            scale,
        }
    })
}

/// Returns a flag per node, true if it or a parent is hidden. Old files mark every mesh as hidden; all of theirs are
/// shown.
pub fn hidden(scene: &ufbx::Scene) -> Vec<bool> {
    let mut hidden: Vec<bool> = Vec::with_capacity(scene.nodes.len());
    for node in &scene.nodes {
        let parent = node.parent.as_ref().and_then(|parent| hidden.get(parent.element.typed_id as usize));
        hidden.push(!node.visible || parent.copied().unwrap_or(false));
    }
    let shows = scene.nodes.iter().zip(&hidden).any(|(node, hidden)| !hidden && node.mesh.is_some());
    if shows { hidden } else { vec![false; hidden.len()] }
}
