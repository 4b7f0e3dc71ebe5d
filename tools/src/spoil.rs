//! Makes the weights of a model worse, so that modes can be compared where weights are bad. It must not depend on how a mode
//! uses weights.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use sinew_model::{Influences, Mesh, Model, Span};

/// A way to make weights worse.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spoil {
    /// The heaviest joint takes all, as in a first guess by distance.
    Rigid,
    /// Weights are off by up to two thirds, and every third vertex takes a third of another's, as in weights from a scan.
    Noisy,
    /// Each weight is the mean of its neighbours', 40 times over, as after too much smoothing.
    Smooth,
}

impl Spoil {
    /// Every way, with its name.
    pub const ALL: [(&'static str, Self); 3] =
        [("rigid", Self::Rigid), ("noisy", Self::Noisy), ("smooth", Self::Smooth)];
}

/// The number of times that weights are smoothed.
const ROUNDS: usize = 40;

/// The weights of a point by joint.
type Weights = BTreeMap<i32, f64>;

/// Changes the weights of all skinned meshes. Vertices at one place get the same, and at most four.
pub fn spoil(model: &mut Model, how: Spoil) {
    for mesh in &mut model.meshes {
        let points = points(mesh);
        let count = points.iter().flatten().max().map_or(0, |last| last + 1);
        let mut weights = vec![Weights::new(); count];
        let mut neighbours = vec![BTreeSet::new(); count];
        for (primitive, points) in mesh.primitives.iter().zip(&points) {
            if let Some(influences) = &primitive.influences {
                for (vertex, &point) in points.iter().enumerate() {
                    weights[point] = weights_of(influences, vertex);
                }
            }
            for corners in primitive.indices.as_chunks::<3>().0 {
                let [a, b, c] = corners.map(|corner| points[corner as usize]);
                for (from, to) in [(a, b), (b, c), (c, a)].into_iter().filter(|(from, to)| from != to) {
                    neighbours[from].insert(to);
                    neighbours[to].insert(from);
                }
            }
        }
        match how {
            Spoil::Rigid => weights.iter_mut().for_each(|weights| keep(weights, 1)),
            Spoil::Noisy => add_noise(&mut weights, &neighbours),
            Spoil::Smooth => (0..ROUNDS).for_each(|_| weights = smoothed(&weights, &neighbours)),
        }
        weights.iter_mut().for_each(|weights| keep(weights, 4));
        for (primitive, points) in mesh.primitives.iter_mut().zip(&points) {
            if primitive.influences.is_some() {
                let spans = vec![span(points.iter().map(|&point| &weights[point]))];
                primitive.influences = Some(Influences { spans });
            }
        }
    }
}

/// Returns the point of each vertex: vertices at one place are one.
fn points(mesh: &Mesh) -> Vec<Vec<usize>> {
    let mut known = HashMap::new();
    let mut point = |position: &[f32; 3]| {
        let next = known.len();
        *known.entry(position.map(f32::to_bits)).or_insert(next)
    };
    let primitives = mesh.primitives.iter();
    primitives.map(|primitive| primitive.positions.iter().map(&mut point).collect()).collect()
}

fn weights_of(influences: &Influences, vertex: usize) -> Weights {
    let mut weights = Weights::new();
    for span in 0..influences.spans.len() {
        let (joints, of_joints) = influences.of_vertex(span, vertex);
        for (joint, weight) in joints.into_iter().zip(of_joints).filter(|(_, weight)| *weight > 0.0) {
            *weights.entry(joint).or_default() += f64::from(weight);
        }
    }
    weights
}

/// Keeps the heaviest weights, with a sum of one.
fn keep(weights: &mut Weights, most: usize) {
    let mut all: Vec<(i32, f64)> = std::mem::take(weights).into_iter().collect();
    all.sort_by(|a, b| b.1.total_cmp(&a.1));
    all.truncate(most);
    let sum: f64 = all.iter().map(|(_, weight)| weight).sum();
    weights.extend(all.into_iter().map(|(joint, weight)| (joint, weight / sum)));
}

fn add_noise(weights: &mut [Weights], neighbours: &[BTreeSet<usize>]) {
    let before = weights.to_vec();
    let mut state = 1_u64;
    let mut dice = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1_u64 << 53) as f64
    };
    for (point, weights) in weights.iter_mut().enumerate() {
        weights.values_mut().for_each(|weight| *weight *= 1.0 + 4.0 / 3.0 * (dice() - 0.5));
        // Another, three edges away.
        let mut other = point;
        for _ in 0..3 {
            let around = &neighbours[other];
            let at = (dice() * around.len() as f64) as usize;
            other = around.iter().nth(at).copied().unwrap_or(other);
        }
        if dice() < 1.0 / 3.0 {
            for (joint, weight) in &before[other] {
                *weights.entry(*joint).or_default() += weight / 2.0;
            }
        }
    }
}

fn smoothed(weights: &[Weights], neighbours: &[BTreeSet<usize>]) -> Vec<Weights> {
    let mean = |(point, around): (usize, &BTreeSet<usize>)| {
        let mut mean = Weights::new();
        let all = || around.iter().copied().chain([point]);
        for (joint, weight) in all().flat_map(|near| &weights[near]) {
            *mean.entry(*joint).or_default() += weight / (around.len() + 1) as f64;
        }
        mean
    };
    neighbours.iter().enumerate().map(mean).collect()
}

/// Returns the weights of vertices as a file has them, the heaviest first.
fn span<'a>(all: impl Iterator<Item = &'a Weights>) -> Span {
    let mut span = Span { joints: Vec::new(), weights: Vec::new() };
    for weights in all {
        let mut sorted: Vec<(i32, f64)> = weights.iter().map(|(joint, weight)| (*joint, *weight)).collect();
        sorted.sort_by(|a, b| b.1.total_cmp(&a.1));
        let slot = |at: usize| sorted.get(at).map_or((-1, 0.0), |&(joint, weight)| (joint, weight as f32));
        let slots = [0, 1, 2, 3].map(slot);
        span.joints.push(slots.map(|slot| slot.0));
        span.weights.push(slots.map(|slot| slot.1));
    }
    span
}
