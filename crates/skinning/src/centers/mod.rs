//! Finds the centre of rotation of each vertex: the centroid of the surface with similar weights. It must not depend on
//! poses, or on how a mode uses the centres.
//!
//! Le, Hodgins, *Real-time Skeletal Skinning with Optimized Centers of Rotation* (SIGGRAPH 2016), equations 1 and 4. With σ
//! = 0.1 and sums over pairs of different joints j, k that both a vertex v and a triangle t have:
//!
//! ```text
//! s(v, t) = Σ_jk  v_j v_k t_j t_k · exp(−((v_j t_k − v_k t_j) / σ)²)
//! c(v)    = Σ_t s(v, t) area(t) centre(t) / Σ_t s(v, t) area(t)
//! ```
//!
//! A triangle's weights are the mean of its corners' weights. A vertex's centre depends only on its weights, so vertices of
//! equal weights form one group, and triangles with corners in the same groups one patch. The sums take one pair of joints
//! after the other, with the groups and patches that have both.

mod body;
mod sum;
#[cfg(test)]
mod tests;

use body::Body;
use sinew_model::{MeshCenters, Model};
use std::collections::BTreeMap;

/// The falloff of the likeness of weights.
pub const SIGMA: f64 = 0.1;

/// A progress callback: takes the finished share of the work, from 0 to 1, and returns false to stop.
pub type Watch<'a> = dyn Fn(f64) -> bool + 'a;

/// Returns the centres of a primitive's vertices. The first call for a model finds them, which may take seconds; [`prepare`]
/// shows progress. `None` if the skin does not draw the mesh, or the primitive has no joints.
pub fn of(model: &Model, skin: usize, mesh: usize, primitive: usize) -> Option<&[[f32; 3]]> {
    let all = model.centers.get_or_find(|| find(model, &|_| true).unwrap_or_default());
    let centers = all.get(&(skin, mesh))?.get(primitive)?;
    (!centers.is_empty()).then_some(centers)
}

/// Finds the centres of a model, unless they are already known. Returns `false` if `watch` stopped it.
pub fn prepare(model: &Model, watch: &Watch) -> bool {
    if model.centers.get().is_none() {
        let Some(found) = find(model, watch) else { return false };
        model.centers.get_or_find(|| found);
    }
    true
}

/// Finds the centres of all meshes that skins draw, by skin and mesh; `None` if `watch` stopped it.
pub fn find(model: &Model, watch: &Watch) -> Option<BTreeMap<(usize, usize), MeshCenters>> {
    let drawn = drawn(model);
    let mut found = BTreeMap::new();
    let count = drawn.len() as f64;
    for (number, (&skin, meshes)) in drawn.iter().enumerate() {
        let done = |share: f64| watch((number as f64 + share) / count);
        let joints = model.skins.get(skin).map_or(0, |skin| skin.joints.len());
        let meshes = meshes.iter().filter_map(|&mesh| Some((mesh, model.meshes.get(mesh)?)));
        let body = Body::new(meshes, joints);
        let centers = body.centers(&sum::sums(&body, &done)?);
        found.extend(centers.into_iter().map(|(mesh, centers)| ((skin, mesh), centers)));
    }
    Some(found)
}

/// Returns the meshes that each skin draws, each once.
pub fn drawn(model: &Model) -> BTreeMap<usize, Vec<usize>> {
    let mut drawn: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    let skinned = model.instances.iter().filter_map(|instance| Some((instance.skin?, instance.mesh)));
    for (skin, mesh) in skinned.filter(|(skin, _)| *skin < model.skins.len()) {
        drawn.entry(skin).or_default().push(mesh);
    }
    for meshes in drawn.values_mut() {
        meshes.sort_unstable();
        meshes.dedup();
    }
    drawn
}
