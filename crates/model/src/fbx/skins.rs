//! Skins: the clusters of a mesh as joints, and the mesh's node for weight without a cluster.

use std::collections::BTreeMap;

use super::Work;
use super::matrices::{matrix, unit};
use crate::gltf::StoredSet;
use crate::influences::{MAX_INFLUENCES, Prepared, RawSet, Tally, prepare};
use crate::reading::LoadError;
use crate::reading::budget::Budget;
use crate::reading::message::{counted, quoted};
use crate::statistics::InfluenceStatistics;
use crate::{Influences, Skin, SkinningMethod};
use glam::DMat4;

/// The skin of a node's mesh, with copies of bones in place of those that have one; `None` if no deformer
/// skins it.
///
/// # Errors
/// If a joint was bound with a matrix that is not finite.
pub fn skin_of(
    scene: &ufbx::Scene,
    mesh: &ufbx::Mesh,
    node: usize,
    copies: &BTreeMap<usize, usize>,
    budget: &mut Budget,
) -> Result<Option<Skin>, LoadError> {
    let Some(first) = mesh.skin_deformers.first() else { return Ok(None) };
    let name = first.element.name.to_string();
    let mut skin = Skin { name, method: method_of(mesh), ..Skin::default() };
    let mut joint_from_bind = Vec::new();
    // Any number of nodes may show a mesh.
    let joints =
        mesh.skin_deformers.iter().map(|deformer| deformer.clusters.len()).fold(1, usize::saturating_add);
    budget.charge(&format!("nodes[{node}]"), joints, size_of::<(usize, DMat4)>())?;
    for cluster in mesh.skin_deformers.iter().flat_map(|deformer| deformer.clusters.iter()) {
        let (joint, from_bind) = match &cluster.bone_node {
            Some(bone) => {
                let bone = bone.element.typed_id as usize;
                (copies.get(&bone).copied().unwrap_or(bone), matrix(&cluster.geometry_to_bone))
            }
            // A placeholder for a lost bone stays where the bind pose has it.
            None => {
                let root = matrix(&scene.root_node.node_to_world).inverse();
                (0, root.mul_mat4(&matrix(&cluster.geometry_to_world)))
            }
        };
        if !from_bind.is_finite() {
            let path = format!("meshes[{}].joints[{}]", mesh.element.typed_id, skin.joints.len());
            let message = format!("the bind matrix of {} is not finite", quoted(&cluster.element.name));
            return Err(LoadError::broken("ACCESSOR_INVALID_FLOAT", path, message));
        }
        skin.joints.push(joint);
        joint_from_bind.push(from_bind);
    }
    skin.joints.push(node);
    joint_from_bind.push(DMat4::IDENTITY);
    skin.joint_from_bind = joint_from_bind.into();
    Ok(Some(skin))
}

/// Returns the skinning method of a mesh. If its skins differ, each vertex blends by its share. A skin that is called
/// rigid but gives vertices several joints is blended, as in the programs that write it.
pub fn method_of(mesh: &ufbx::Mesh) -> Option<SkinningMethod> {
    let mut methods = mesh.skin_deformers.iter().map(|deformer| match deformer.skinning_method {
        ufbx::SkinningMethod::Rigid if deformer.max_weights_per_vertex <= 1 => SkinningMethod::Rigid,
        ufbx::SkinningMethod::Linear | ufbx::SkinningMethod::Rigid => SkinningMethod::Linear,
        ufbx::SkinningMethod::DualQuaternion => SkinningMethod::DualQuaternion,
        ufbx::SkinningMethod::BlendedDqLinear => SkinningMethod::Blended,
    });
    let first = methods.next()?;
    Some(if methods.all(|method| method == first) { first } else { SkinningMethod::Blended })
}

/// Returns true if skins of a file blend methods by shares, or use different methods.
pub fn blends(scene: &ufbx::Scene) -> bool {
    let mut methods = scene.meshes.iter().filter_map(|mesh| method_of(mesh));
    let first = methods.next();
    first == Some(SkinningMethod::Blended) || methods.any(|method| Some(method) != first)
}

/// The share of dual quaternions at each control point of a skinned mesh.
pub fn shares_of(mesh: &ufbx::Mesh) -> Option<Vec<f32>> {
    mesh.skin_deformers.first()?;
    let share = |point: usize| {
        let rows = mesh.skin_deformers.iter().filter_map(|deformer| deformer.vertices.get(point));
        let moving = rows.clone().find(|row| row.num_weights > 0).or_else(|| rows.clone().next());
        moving.map_or(0.0, |row| unit(row.dq_weight))
    };
    Some((0..mesh.num_vertices).map(share).collect())
}

/// Returns the influences of a mesh's control points, by all its skins together, and warns about those left out.
pub fn influences_of(
    mesh: &ufbx::Mesh,
    path: &str,
    work: &mut Work<'_>,
) -> Result<Option<Influences>, LoadError> {
    // Every control point has room for as many as the one with the most.
    let most = mesh
        .skin_deformers
        .iter()
        .map(|deformer| deformer.max_weights_per_vertex)
        .fold(0, usize::saturating_add);
    let slots = most.saturating_add(4).saturating_mul(mesh.num_vertices);
    if !mesh.skin_deformers.is_empty() {
        work.budget.charge(path, slots, size_of::<(u16, f64, u16, f32)>())?;
    }
    let Some((sets, joints)) = sets_of(mesh, 0..mesh.num_vertices) else {
        if !mesh.skin_deformers.is_empty() {
            let message = "its skins have more joints than sinew reads; it is not skinned";
            work.warnings.add("TOO_MANY_JOINTS", path, message);
        }
        return Ok(None);
    };
    let Ok(Prepared { influences, repairs, .. }) = prepare(&sets, joints) else { return Ok(None) };
    let mut warn = |code, tally: Tally, what: &str| {
        if tally.vertices > 0 {
            let points = counted(tally.vertices, "control point", "control points");
            work.warnings.add(code, path, format!("{points} (first {}) {what}", tally.first));
        }
    };
    let what = "with weights that are NaN or infinite, which count as 0";
    warn("ACCESSOR_INVALID_FLOAT", repairs.weights_not_finite, what);
    warn("ACCESSOR_WEIGHTS_NEGATIVE", repairs.weights_negative, "with negative weights, which count as 0");
    let what = format!(
        "with more than {MAX_INFLUENCES} influences; the smallest were dropped, {:.2} % of the weight on average and \
         {:.2} % at most",
        repairs.mean_dropped * 100.0,
        repairs.most_dropped * 100.0
    );
    warn("TOO_MANY_INFLUENCES", repairs.dropped, &what);
    Ok(Some(influences))
}

/// Returns statistics of the influences at these control points.
pub fn statistics(mesh: &ufbx::Mesh, points: &[u32]) -> InfluenceStatistics {
    let sets = sets_of(mesh, points.iter().map(|point| *point as usize));
    sets.map(|(sets, joints)| InfluenceStatistics::of(&sets, joints)).unwrap_or_default()
}

/// A control point's joints and weights as clusters give them.
pub fn stored(mesh: &ufbx::Mesh, point: usize) -> Vec<StoredSet> {
    let Some((sets, _)) = sets_of(mesh, std::iter::once(point)) else { return Vec::new() };
    let row = |(number, set): (usize, RawSet)| {
        let (joints, weights) = (*set.joints.first()?, *set.weights.first()?);
        Some(StoredSet { number, joints, weights })
    };
    sets.into_iter().enumerate().filter_map(row).collect()
}

/// The joints and weights of control points in sets of four, and the number of joints.
fn sets_of(mesh: &ufbx::Mesh, points: impl Iterator<Item = usize>) -> Option<(Vec<RawSet>, usize)> {
    mesh.skin_deformers.first()?;
    let clusters: usize = mesh.skin_deformers.iter().map(|deformer| deformer.clusters.len()).sum();
    if clusters >= usize::from(u16::MAX) {
        return None;
    }
    let all: Vec<Vec<(u16, f64)>> = points.map(|point| of_point(mesh, point, clusters)).collect();
    let sets = all.iter().map(Vec::len).max().unwrap_or(0).div_ceil(4).max(1);
    let set = |number: usize| {
        let row = |weights: &Vec<(u16, f64)>| {
            let mut slots = weights.iter().copied().skip(number.saturating_mul(4));
            [0; 4].map(|_| slots.next().unwrap_or_default())
        };
        let rows: Vec<[(u16, f64); 4]> = all.iter().map(row).collect();
        RawSet {
            joints: rows.iter().map(|row| row.map(|(joint, _)| joint)).collect(),
            weights: rows.iter().map(|row| row.map(|(_, weight)| weight as f32)).collect(),
        }
    };
    Some(((0..sets).map(set).collect(), clusters.saturating_add(1)))
}

/// A control point's joints and weights, which sum to one; the mesh's node has the weight without a cluster.
fn of_point(mesh: &ufbx::Mesh, point: usize, clusters: usize) -> Vec<(u16, f64)> {
    let (mut weights, mut before) = (Vec::new(), 0usize);
    for deformer in &mesh.skin_deformers {
        if let Some(vertex) = deformer.vertices.get(point) {
            let from = vertex.weight_begin as usize;
            let to = from.saturating_add(vertex.num_weights as usize);
            let own = deformer.weights.get(from..to).unwrap_or_default();
            let joint = |own: &ufbx::SkinWeight| before.saturating_add(own.cluster_index as usize) as u16;
            weights
                .extend(own.iter().map(|own| (joint(own), own.weight)).filter(|(_, weight)| *weight != 0.0));
        }
        before = before.saturating_add(deformer.clusters.len());
    }
    let usable =
        weights.iter().map(|(_, weight)| *weight).filter(|weight| weight.is_finite() && *weight > 0.0);
    let sum: f64 = usable.sum();
    match sum > 0.0 && sum.is_finite() {
        true => weights.iter_mut().for_each(|(_, weight)| *weight /= sum),
        false => weights.push((clusters as u16, 1.0)),
    }
    weights
}
