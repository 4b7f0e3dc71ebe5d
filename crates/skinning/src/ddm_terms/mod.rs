//! Smooths a mesh's weights once, before any pose, so that *ddm* keeps its volume and detail in each. It must not depend on
//! poses, or on how a mode uses the result.
//!
//! Le, Lewis, *Direct Delta Mush Skinning and Variants* (SIGGRAPH 2019). With `B = (I + λL)^−p` and `w' = (I + κL)^−p w`
//! for the cotangent Laplacian L, each row divided by its diagonal, and `u_k = (v_k, 1)`:
//!
//! ```text
//! Ψ_ij = Σ_k B_ik w_kj u_k u_kᵀ
//! Ω_ij = (1 − α) Ψ_ij + α w'_ij (p_i, 1)(p_i, 1)ᵀ,   p_i = Σ_j Ψ_ij[0..3, 3] / Σ_j Ψ_ij[3, 3]
//! ```
//!
//! A vertex's terms are kept about its own centre `p_i`. There α only mixes two weights, the definition's `Q − q pᵀ` needs no
//! difference of large numbers, and `f32` is enough for the terms.

mod filter;
mod row;
mod spread;
pub(crate) mod surface;
#[cfg(test)]
mod tests;
mod thin;

use filter::Filter;
use glam::DVec3;
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};
pub use row::Exact;
use sinew_model::{DdmOddities, DdmRows, DdmSettings, DdmTerm, Mesh, Model, Primitive};
use spread::{Region, Values};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use surface::Surface;
pub use thin::{Poses, distance, thin};

/// A progress callback: takes the finished share of the work, from 0 to 1, and returns false to stop.
pub type Watch<'a> = dyn Fn(f64) -> bool + 'a;

/// The number of joints to smooth between two calls of the callback, a thread.
const JOINTS_BETWEEN: usize = 4;

/// The most terms of a mesh before light ones are dropped, some GiB of them.
const MAX_TERMS: usize = 1 << 25;

/// Returns the terms of a mesh's vertices. The first call for a model finds them, which may take seconds; [`prepare`] shows
/// progress.
pub fn of(model: &Model, mesh: usize) -> Option<Arc<DdmRows>> {
    model.ddm.get(mesh).or_else(|| {
        let settings = model.ddm.settings();
        let rows = find_for(model, mesh, &settings, &|_| true)?;
        Some(model.ddm.keep(mesh, &settings, rows))
    })
}

/// Finds the terms of all meshes that skins draw, unless they are already known. Returns `false` if `watch` stopped it.
pub fn prepare(model: &Model, watch: &Watch) -> bool {
    let settings = model.ddm.settings();
    let missing: Vec<usize> = drawn(model).filter(|&mesh| model.ddm.get(mesh).is_none()).collect();
    let vertices = |mesh: usize| -> usize {
        let primitives = model.meshes.get(mesh).map_or(&[][..], |mesh| &mesh.primitives);
        primitives.iter().map(|primitive| primitive.positions.len()).sum()
    };
    let all: usize = missing.iter().map(|&mesh| vertices(mesh)).sum();
    let mut done = 0;
    for &mesh in &missing {
        let of_mesh = vertices(mesh) as f64;
        let share = |share: f64| watch((done as f64 + share * of_mesh) / all.max(1) as f64);
        let Some(rows) = find_for(model, mesh, &settings, &share) else { return false };
        model.ddm.keep(mesh, &settings, rows);
        done += vertices(mesh);
    }
    true
}

/// Returns true if the terms of all meshes that skins draw are known.
pub fn is_ready(model: &Model) -> bool {
    drawn(model).all(|mesh| model.ddm.get(mesh).is_some())
}

/// Returns the meshes that skins draw, each once.
pub fn drawn(model: &Model) -> impl Iterator<Item = usize> {
    let skinned = model.instances.iter().filter(|instance| instance.skin.is_some());
    let meshes: BTreeSet<usize> = skinned.map(|instance| instance.mesh).collect();
    meshes.into_iter().filter(|&mesh| mesh < model.meshes.len())
}

/// Finds the terms of a mesh's vertices, as few as the settings ask for.
fn find_for(model: &Model, mesh: usize, settings: &DdmSettings, watch: &Watch) -> Option<DdmRows> {
    let of_model = model.meshes.get(mesh)?;
    let Some(within) = settings.within else { return find(of_model, settings, watch) };
    let all = DdmSettings { least: 0.0, within: None, ..*settings };
    let rows = find(of_model, &all, &|share| watch(share / 2.0))?;
    thin(of_model, rows, &Poses::of(model, mesh), within, &|share| watch(0.5 + share / 2.0))
}

/// Finds the terms of a mesh's vertices, whatever the clips; `None` if `watch` stopped it.
pub fn find(mesh: &Mesh, settings: &DdmSettings, watch: &Watch) -> Option<DdmRows> {
    find_at_most(MAX_TERMS, mesh, settings, watch)
}

/// Finds the terms of a mesh's vertices. If there are more than a number, each vertex has that of slot 0's joint alone.
fn find_at_most(most: usize, mesh: &Mesh, settings: &DdmSettings, watch: &Watch) -> Option<DdmRows> {
    let surface = Surface::new(mesh);
    let weights = Weights::of(mesh, &surface);
    let filters = [settings.lambda, settings.kappa]
        .map(|strength| Filter::new(strength, settings.iterations, surface.top));
    let reach = filters.iter().map(|filter| filter.terms.len()).max().unwrap_or(0);
    let middle = middle(&surface.points);
    let places: Vec<DVec3> = surface.points.iter().map(|point| *point - middle).collect();
    let centers = smooth_places(&surface, &places, &filters);

    let joints: Vec<(&i32, &Vec<(u32, f64)>)> = weights.by_joint.iter().collect();
    let (mut found, mut count) = (Vec::with_capacity(joints.len()), 0);
    for some in joints.chunks(rayon::current_num_threads() * JOINTS_BETWEEN) {
        if !watch(found.len() as f64 / joints.len().max(1) as f64) {
            return None;
        }
        let smooth =
            |work: &mut (Region, Values<TEN>), &(&joint, of_joint): &(&i32, &Vec<(u32, f64)>)| -> Vec<_> {
                let (region, values) = work;
                region.gather(&surface, of_joint.iter().map(|weight| weight.0), reach);
                let first = of_joint.iter().map(|&(point, weight)| ten(places[point as usize], weight));
                values.spread(region, surface.top, [&filters[0], &filters[1]], first);
                let terms = region.points.iter().zip(&values.smooth).zip(&values.other);
                let term = |((&point, psi), &weight): ((&u32, &[f64; TEN]), &f64)| {
                    Some((point, row::term(joint, psi, weight, centers[point as usize], settings.alpha)?))
                };
                terms.filter_map(term).collect()
            };
        found.extend(some.par_iter().map_init(Default::default, smooth).collect::<Vec<_>>());
        count += found[found.len() - some.len()..].iter().map(Vec::len).sum::<usize>();
        if count > most {
            return Some(followers(mesh, &surface, &weights, count));
        }
    }
    let mut rows = DdmRows { found: count, oddities: surface.oddities, ..DdmRows::default() };
    let (ends, mut terms) = by_point(surface.points.len(), found);
    let mut start = 0;
    for ((&end, &first), &center) in ends.iter().zip(&weights.heaviest).zip(&centers) {
        let moved = row::settle(&mut terms[start..end], first, settings.least, &mut rows.terms);
        rows.ends.push(rows.terms.len() as u32);
        rows.centers.push((center + middle + moved).as_vec3().to_array());
        start = end;
    }
    rows.points = points_of(mesh, &surface);
    Some(rows)
}

/// Returns the point of each vertex, primitive by primitive.
fn points_of(mesh: &Mesh, surface: &Surface) -> Vec<Vec<u32>> {
    (0..mesh.primitives.len()).map(|number| surface.points_of(number).to_vec()).collect()
}

/// Returns points that follow the joint of slot 0, for a mesh with too many terms.
fn followers(mesh: &Mesh, surface: &Surface, weights: &Weights, count: usize) -> DdmRows {
    let heaviest = weights.heaviest.iter();
    DdmRows {
        points: points_of(mesh, surface),
        centers: surface.points.iter().map(|point| point.as_vec3().to_array()).collect(),
        ends: (1..=surface.points.len() as u32).collect(),
        terms: heaviest.map(|&joint| DdmTerm { joint, weight: 1.0, ..DdmTerm::default() }).collect(),
        found: count,
        oddities: DdmOddities { too_many: count, ..surface.oddities },
    }
}

/// Returns terms in the order of their points, and the end of each point's.
fn by_point(points: usize, found: Vec<Vec<(u32, DdmTerm)>>) -> (Vec<usize>, Vec<DdmTerm>) {
    let mut ends = vec![0; points];
    for &(point, _) in found.iter().flatten() {
        ends[point as usize] += 1;
    }
    let mut sum = 0;
    for end in &mut ends {
        sum += std::mem::replace(end, sum);
    }
    let mut terms = vec![DdmTerm::default(); sum];
    for (point, term) in found.into_iter().flatten() {
        terms[ends[point as usize]] = term;
        ends[point as usize] += 1;
    }
    (ends, terms)
}

/// The numbers of a symmetric 4×4 matrix: xx, yy, zz, yz, xz, xy, x, y, z, 1.
const TEN: usize = 10;

/// Returns the weighted products of `(v, 1)` with itself.
fn ten(v: DVec3, weight: f64) -> [f64; TEN] {
    [v.x * v.x, v.y * v.y, v.z * v.z, v.y * v.z, v.x * v.z, v.x * v.y, v.x, v.y, v.z, 1.0].map(|x| x * weight)
}

/// Returns the middle of the points' box, so that places far from the origin lose nothing.
fn middle(points: &[DVec3]) -> DVec3 {
    let finite = || points.iter().copied().filter(|point| point.is_finite());
    let low = finite().reduce(DVec3::min).unwrap_or_default();
    finite().reduce(DVec3::max).unwrap_or_default().midpoint(low)
}

/// Smooths the positions themselves: since a point's weights sum to one, these are the centres of its terms.
fn smooth_places(surface: &Surface, places: &[DVec3], filters: &[Filter; 2]) -> Vec<DVec3> {
    let mut region = Region::default();
    region.gather(surface, 0..places.len() as u32, 0);
    let mut values = Values::default();
    values.spread(
        &region,
        surface.top,
        [&filters[0], &filters[0]],
        places.iter().map(|place| place.to_array()),
    );
    values.smooth.into_iter().map(DVec3::from).collect()
}

/// The weights of a surface's points.
struct Weights {
    /// Points with their weights, by joint, each in ascending order.
    by_joint: BTreeMap<i32, Vec<(u32, f64)>>,
    /// The joint of each point's first vertex in slot 0.
    heaviest: Vec<i32>,
}

impl Weights {
    /// Gathers the mean weights of the vertices at each point; they sum to one.
    fn of(mesh: &Mesh, surface: &Surface) -> Self {
        let mut all: Vec<(i32, u32, f64)> = Vec::new();
        let mut heaviest = vec![None; surface.points.len()];
        let mut counts = vec![0.0; surface.points.len()];
        for (number, primitive) in mesh.primitives.iter().enumerate() {
            for (vertex, &point) in surface.points_of(number).iter().enumerate() {
                let start = all.len();
                each_weight(primitive, vertex, |joint, weight| all.push((joint, point, weight)));
                let sum: f64 = all[start..].iter().map(|weight| weight.2).sum();
                if sum > 0.0 {
                    all[start..].iter_mut().for_each(|weight| weight.2 /= sum);
                    counts[point as usize] += 1.0;
                    heaviest[point as usize].get_or_insert(all[start].0);
                } else {
                    all.truncate(start);
                }
            }
        }
        all.sort_by_key(|&(joint, point, _)| (joint, point));
        let mut by_joint: BTreeMap<i32, Vec<(u32, f64)>> = BTreeMap::new();
        for alike in all.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
            let (joint, point, _) = alike[0];
            let mean = alike.iter().map(|weight| weight.2).sum::<f64>() / counts[point as usize];
            by_joint.entry(joint).or_default().push((point, mean));
        }
        Self { by_joint, heaviest: heaviest.into_iter().map(|joint| joint.unwrap_or(-1)).collect() }
    }
}

/// Visits the joints that move a vertex with their weights, slot 0 first.
fn each_weight(primitive: &Primitive, vertex: usize, mut visit: impl FnMut(i32, f64)) {
    for span in primitive.influences.iter().flat_map(|influences| &influences.spans) {
        if let (Some(joints), Some(weights)) = (span.joints.get(vertex), span.weights.get(vertex)) {
            for (&joint, &weight) in joints.iter().zip(weights) {
                if weight > 0.0 {
                    visit(joint, f64::from(weight));
                }
            }
        }
    }
}
