//! Skins: the clusters of a mesh as joints, and the mesh's own node for what no cluster moves.

use std::collections::BTreeMap;

use super::matrices::matrix;
use crate::influences::{RawSet, prepare};
use crate::{Influences, Skin};
use glam::DMat4;

/// The skin of a mesh that hangs on a node, with copies of bones in place of those that have one; `None` where no deformer
/// skins it.
pub fn skin_of(
    scene: &ufbx::Scene,
    mesh: &ufbx::Mesh,
    node: usize,
    copies: &BTreeMap<usize, usize>,
) -> Option<Skin> {
    let first = mesh.skin_deformers.first()?;
    let mut skin = Skin { name: first.element.name.to_string(), ..Skin::default() };
    for cluster in mesh.skin_deformers.iter().flat_map(|deformer| deformer.clusters.iter()) {
        let (joint, from_bind) = match &cluster.bone_node {
            Some(bone) => {
                let bone = bone.element.typed_id as usize;
                (copies.get(&bone).copied().unwrap_or(bone), matrix(&cluster.geometry_to_bone))
            }
            // What stood in for a lost bone stays where the bind pose had it.
            None => {
                let root = matrix(&scene.root_node.node_to_world).inverse();
                (0, root * matrix(&cluster.geometry_to_world))
            }
        };
        skin.joints.push(joint);
        skin.joint_from_bind.push(from_bind);
    }
    skin.joints.push(node);
    skin.joint_from_bind.push(DMat4::IDENTITY);
    Some(skin)
}

/// The influences of a mesh's control points, by all its skins together.
pub fn influences_of(mesh: &ufbx::Mesh) -> Option<Influences> {
    mesh.skin_deformers.first()?;
    let clusters: usize = mesh.skin_deformers.iter().map(|deformer| deformer.clusters.len()).sum();
    if clusters >= usize::from(u16::MAX) {
        return None;
    }
    let all: Vec<Vec<(u16, f64)>> =
        (0..mesh.num_vertices).map(|point| of_point(mesh, point, clusters)).collect();
    let sets = all.iter().map(Vec::len).max().unwrap_or(0).div_ceil(4).max(1);
    let set = |number: usize| {
        let row = |weights: &Vec<(u16, f64)>| {
            [0, 1, 2, 3].map(|slot| weights.get(number * 4 + slot).copied().unwrap_or_default())
        };
        let rows: Vec<[(u16, f64); 4]> = all.iter().map(row).collect();
        RawSet {
            joints: rows.iter().map(|row| row.map(|(joint, _)| joint)).collect(),
            weights: rows.iter().map(|row| row.map(|(_, weight)| weight as f32)).collect(),
        }
    };
    let sets: Vec<RawSet> = (0..sets).map(set).collect();
    prepare(&sets, clusters + 1).ok().map(|prepared| prepared.influences)
}

/// A control point's joints and weights, which sum to one; the mesh's own node has what no cluster moves.
fn of_point(mesh: &ufbx::Mesh, point: usize, clusters: usize) -> Vec<(u16, f64)> {
    let (mut weights, mut before) = (Vec::new(), 0);
    for deformer in &mesh.skin_deformers {
        if let Some(vertex) = deformer.vertices.get(point) {
            let from = vertex.weight_begin as usize;
            let own = deformer.weights.get(from..from + vertex.num_weights as usize).unwrap_or_default();
            weights.extend(own.iter().map(|own| ((before + own.cluster_index as usize) as u16, own.weight)));
        }
        before += deformer.clusters.len();
    }
    let sum: f64 = weights.iter().map(|(_, weight)| weight).sum();
    if sum <= 0.0 {
        return vec![(clusters as u16, 1.0)];
    }
    weights.iter_mut().for_each(|(_, weight)| *weight /= sum);
    weights
}
