//! The report's skins: their joints, the number of influences of vertices, and the loss under a renderer with lower limits.

use std::collections::BTreeMap;

use serde::Serialize;

use super::joints::{Stretched, stretched};
use super::parts::Mesh;
use super::path_of;
use sinew_model::statistics::{InfluenceStatistics, LIMITS, Loss};
use sinew_model::{Model, PrimitiveName, SkinningMethod, VertexIndex, VertexName};

/// A skin, with the meshes that the shown scene draws with it.
#[derive(Clone, Debug, Serialize)]
pub struct Skin {
    /// The name; empty if it has none.
    pub name: String,
    /// The method that its author intended: `rigid`, `linear`, `dual quaternion` or `blended`; null if the file says
    /// nothing.
    pub method: Option<&'static str>,
    /// The number of joints.
    pub joints: usize,
    /// Their names, in the skin's order; empty for a node without one.
    pub joint_names: Vec<String>,
    /// The number of joints with weight on some vertex.
    pub joints_used: usize,
    /// The meshes drawn with it.
    pub meshes: Vec<usize>,
    /// The numbers of vertices by their number of weights above zero in the file.
    pub influences: Vec<usize>,
    /// The furthest sum of weights from one in the file; null without vertices.
    pub largest_sum_error: Option<SumError>,
    /// The loss under renderers with lower limits.
    pub limits: Vec<Limit>,
    /// The number of parts in which its meshes are drawn, all primitives together.
    pub palette_parts: usize,
    /// Joints that stretch the mesh in the rest pose or in a clip.
    pub stretched: Vec<Stretched>,
}

/// A sum of weights that is not one.
#[derive(Clone, Debug, Serialize)]
pub struct SumError {
    /// The distance from one.
    pub error: f64,
    /// The vertex's name, in the form that `--vertex` accepts.
    pub name: String,
    /// The mesh.
    pub mesh: usize,
    /// The primitive.
    pub primitive: usize,
    /// The vertex.
    pub vertex: usize,
}

/// The loss under a renderer that keeps only this many influences.
#[derive(Clone, Debug, Serialize)]
pub struct Limit {
    /// The number of influences that it keeps.
    pub limit: usize,
    /// The number of vertices with more.
    pub vertices: usize,
    /// The mean share of their weight that these lose.
    pub mean_loss: f64,
    /// The largest share.
    pub worst_loss: f64,
}

/// Reports all skins.
pub fn skins(
    model: &Model,
    influences: &BTreeMap<String, InfluenceStatistics>,
    meshes: &[Mesh],
    metres_per_unit: f64,
) -> Vec<Skin> {
    let mut stretched = stretched(model, metres_per_unit).into_iter();
    let mut drawn_by = vec![Vec::new(); model.skins.len()];
    for instance in &model.instances {
        if let Some(meshes) = instance.skin.and_then(|skin| drawn_by.get_mut(skin)) {
            meshes.push(instance.mesh);
        }
    }
    let skin = |(skin, mut drawn): (&sinew_model::Skin, Vec<usize>)| {
        drawn.sort_unstable();
        drawn.dedup();
        let primitives = drawn.iter().flat_map(|&mesh| {
            let primitives = meshes.get(mesh).map_or(&[][..], |mesh| &mesh.primitives);
            primitives.iter().map(move |primitive| (mesh, primitive))
        });
        let mut found = Skin {
            name: skin.name.clone(),
            method: skin.method.map(SkinningMethod::name),
            joints: skin.joints.len(),
            joint_names: skin
                .joints
                .iter()
                .map(|&joint| model.rig.names.get(joint).cloned().unwrap_or_default())
                .collect(),
            joints_used: 0,
            meshes: drawn.clone(),
            influences: Vec::new(),
            largest_sum_error: None,
            limits: Vec::new(),
            palette_parts: 0,
            stretched: stretched.next().unwrap_or_default(),
        };
        let mut used = vec![false; skin.joints.len()];
        let mut losses = [Loss::default(); LIMITS.len()];
        for (mesh, primitive) in primitives {
            let Some(statistics) = influences.get(&path_of(mesh, primitive.primitive)) else { continue };
            found.palette_parts += primitive.palette_parts;
            merge(&mut found, &mut used, &mut losses, statistics);
            let error = statistics.largest_sum_error;
            if found.largest_sum_error.as_ref().is_none_or(|known| known.error < error) {
                let (primitive, vertex) = (primitive.primitive, statistics.largest_sum_vertex);
                let by_number = PrimitiveName::in_mesh(model, mesh, primitive);
                let name = match by_number.find(model) {
                    Ok((instance, primitive)) => {
                        VertexName::of(model, VertexIndex { instance, primitive, vertex })
                    }
                    Err(_) => by_number.vertex(vertex),
                };
                let name = name.to_string();
                found.largest_sum_error = Some(SumError { error, name, mesh, primitive, vertex });
            }
        }
        found.joints_used = used.iter().filter(|used| **used).count();
        let limit = |(limit, loss): (usize, Loss)| Limit {
            limit,
            vertices: loss.vertices,
            mean_loss: loss.mean(),
            worst_loss: loss.worst,
        };
        found.limits = LIMITS.into_iter().zip(losses).map(limit).collect();
        found
    };
    model.skins.iter().zip(drawn_by).map(skin).collect()
}

/// Merges the statistics of one primitive's vertices.
fn merge(skin: &mut Skin, used: &mut [bool], losses: &mut [Loss], statistics: &InfluenceStatistics) {
    let length = skin.influences.len().max(statistics.histogram.len());
    skin.influences.resize(length, 0);
    for (count, more) in skin.influences.iter_mut().zip(&statistics.histogram) {
        *count += more;
    }
    for (used, here) in used.iter_mut().zip(&statistics.used) {
        *used |= here;
    }
    for (loss, more) in losses.iter_mut().zip(&statistics.losses) {
        loss.merge(more);
    }
}
