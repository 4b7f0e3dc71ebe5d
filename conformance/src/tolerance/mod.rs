//! The largest distance from the `f64` reference that single precision explains: a forward error analysis, evaluated for each
//! vertex of a case. This module must not depend on the way any program skins.
//!
//! In the standard model, `fl(a ∘ b) = (a ∘ b)(1 + δ)` with `|δ| ≤ u = 2⁻²⁴`, a quantity that passes through `n` roundings has
//! a relative error of at most `γₙ = n u / (1 − n u)`, in any order of the operations (N. J. Higham, *Accuracy and Stability of
//! Numerical Algorithms*, 2nd edition, 2002, lemma 3.1). A matrix product obeys `|fl(AB) − AB| ≤ γₖ |A||B|` for inner products
//! of length k (section 3.5). The bound follows a vertex from file to result, with absolute values throughout:
//!
//! 1. **Keys.** A stored value is exact. Between keys, the share of the way has the rounding of the times, and the vertex moves
//!    by that much time. Interpolated values are sums of products.
//! 2. **Local matrices** of translation, rotation and scale. A unit quaternion's matrix sums products of two of its components,
//!    such as `1 − 2(y² + z²)`. The error is `γ` of the sum of their absolute values (`chain.rs`).
//! 3. **Chain of joints.** `W_k = W_{k−1} L_k` is a running error analysis (section 3.3):
//!    `E_k = E_{k−1}|L_k| + |W_{k−1}| F_k + E_{k−1} F_k + γ₄ (|W_{k−1}| + E_{k−1})(|L_k| + F_k)`, where `F_k` is the error of `L_k`.
//!    The inverse bind matrix is one more factor. Engines may go through the space of the mesh's node and back, which gives two
//!    more.
//! 4. **Weights.** An engine sums the weights that the file stores, in any order, and may divide by the sum. The reference has
//!    them on a grid of 2⁻²⁴. Each is off by at most `γ_{2n+1} w + 2⁻²⁴`.
//! 5. **Blend and transform**: `Σ w_i E_i |p| + Σ δw_i |M_i||p| + γ₄ Σ w_i |M_i||p|`, for lbs component by component.
//! 6. **Normals** are directions of `B⁻ᵀ n`. With an error `E` of `B` they turn by at most `‖B⁻¹‖ ‖Eᵀ|g|‖ / ‖g‖`, `g = B⁻ᵀ n`,
//!    and by the rounding of cofactors, which are products of two. **Tangents** turn by `‖E|t|‖ / ‖Bt‖`, and with the normal.
//! 7. **Dual quaternions** (`blend.rs`) start from the polar decomposition `A = R S`. If A changes by `δ`, R changes by
//!    at most `‖A⁻¹‖ ‖δ‖` and S by `√2 ‖δ‖` (N. J. Higham, *Computing the polar decomposition*, SIAM J. Sci. Stat. Comput. 7,
//!    1986, theorem 2.5). A quaternion turns by `‖δR‖ / 2√2`. Blending, division by the length and the products follow as above,
//!    in norms.
//!
//! In the worst case, which they bound, all roundings push the same way. An engine in single precision needs a twenty-fifth
//! of its bound at most, and a hundredth in the median of the suite (`bounds_hold_and_are_not_slack`).

mod blend;
mod chain;
#[cfg(test)]
mod tests;

use glam::{DVec3, DVec4};
use sinew_model::{Model, Primitive};
use sinew_skinning::morph::{morph_exactly, weights_of};
use sinew_skinning::pose::{Pose, PoseChoice};
use sinew_skinning::posed::own_of;
use sinew_skinning::reference::transform_normal;
use sinew_skinning::{SkinningMode, skin_of};

use crate::Case;
use crate::expected::{self, Surface};
use blend::{Joint, Moved, moved};
use chain::{gamma, worlds};

/// The largest distances of a case's streams in a mode.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// The distance of positions, in the file's unit.
    pub positions: f64,
    /// The distance of unit normals; `None` without normals, or where their direction is undefined.
    pub normals: Option<f64>,
    /// The distance of unit tangents, likewise.
    pub tangents: Option<f64>,
}

/// The turn from which a direction is undefined.
const UNDEFINED: f64 = 0.1;

/// The share by which terms of the second order, which the analysis leaves out in places, are at most larger.
const SECOND_ORDER: f64 = 1e-3;

/// Returns the bounds of a case; `None` if rounding alone decides where a vertex is.
pub fn bounds(case: &Case, model: &Model, mode: SkinningMode) -> Option<Bounds> {
    let mut largest = [0.0_f64; 3];
    let mut are_there = [true, false, false];
    for &time in &case.times {
        let choice = expected::choice(case, time);
        let late = lateness(model, &choice).map(|secs| apart(model, mode, case, [time - secs, time + secs]));
        let late = late.unwrap_or_default();
        for vertex in vertices(model, mode, &choice) {
            let numbers = [Some(vertex.position), vertex.normal, vertex.tangent];
            for (stream, number) in numbers.into_iter().enumerate() {
                let Some(number) = number else { continue };
                are_there[stream] = true;
                let sum = (number + late[stream]) * (1.0 + SECOND_ORDER);
                // A NaN is no bound.
                largest[stream] = if sum <= largest[stream] { largest[stream] } else { sum };
            }
        }
    }
    let direction = |stream: usize| {
        let is_defined = are_there[stream] && largest[stream] < UNDEFINED;
        is_defined.then(|| rounded_up(largest[stream]))
    };
    let positions = largest[0].is_finite().then(|| rounded_up(largest[0]))?;
    Some(Bounds { positions, normals: direction(1), tangents: direction(2) })
}

/// Rounds up to two digits.
fn rounded_up(number: f64) -> f64 {
    if number == 0.0 {
        return 0.0;
    }
    let digits = 1 - number.log10().floor() as i32;
    let scaled = (number * 10.0_f64.powi(digits)).ceil() as i64;
    // The shortest text of two digits is the number that a manifest reads back.
    format!("{scaled}e{}", -digits).parse().unwrap_or(number)
}

/// Returns the rounding of a time between keys; `None` at keys, before them and after them.
fn lateness(model: &Model, choice: &PoseChoice) -> Option<f64> {
    let PoseChoice::Clips(mix) = choice else { return None };
    let clip = model.clips.get(*mix.clips.first()?)?;
    let time = mix.time_secs;
    let is_between = |times: &[f32]| {
        let after = times.partition_point(|&at| f64::from(at) < time);
        let is_on = times.get(after).is_some_and(|&at| f64::from(at) == time);
        after > 0 && after < times.len() && !is_on
    };
    let is_any = clip.channels.iter().any(|channel| is_between(&channel.times));
    is_any.then(|| gamma(3) * time.abs().max(f64::from(clip.duration_secs)))
}

/// Returns the largest distances of streams between two times.
fn apart(model: &Model, mode: SkinningMode, case: &Case, times: [f64; 2]) -> [f64; 3] {
    let [a, b] = times.map(|time| expected::surface(model, mode, &expected::choice(case, time)));
    Surface::distances(&a, &b)
}

/// The bounds of one vertex.
#[derive(Clone, Copy, Debug)]
struct Vertex {
    position: f64,
    normal: Option<f64>,
    tangent: Option<f64>,
}

/// Returns the bounds of all drawn vertices in a pose.
fn vertices(model: &Model, mode: SkinningMode, choice: &PoseChoice) -> Vec<Vertex> {
    let mut pose = Pose::default();
    pose.set(model, choice);
    let worlds = worlds(model, choice, &pose);
    let mut all = Vec::new();
    for (number, instance) in model.instances.iter().enumerate() {
        let primitives = model.meshes.get(instance.mesh).map_or(&[][..], |mesh| &mesh.primitives);
        for (in_mesh, primitive) in primitives.iter().enumerate() {
            let skin = skin_of(model, instance, primitive.influences.is_some());
            let joints = Joint::all(&worlds, instance.node, skin);
            let mode = if skin.is_some() { mode } else { SkinningMode::Rigid };
            for at in 0..primitive.positions.len() {
                let weights = weights_of(&model.rig, instance, &pose.weights);
                let start = Start::of(primitive, at, weights);
                let index = sinew_model::VertexIndex { instance: number, primitive: in_mesh, vertex: at };
                let own = own_of(model, mode, &pose, index);
                let influences = match skin {
                    Some(_) => influences(primitive, at),
                    None => vec![(0, 1.0)],
                };
                let moved = moved(mode, &joints, &influences, &own, (start.position, start.size));
                all.push(start.bounds(&moved));
            }
        }
    }
    all
}

/// Lists joints and weights, the heaviest first; those without weight are left out.
fn influences(primitive: &Primitive, at: usize) -> Vec<(i32, f64)> {
    let Some(influences) = &primitive.influences else { return Vec::new() };
    let spans = (0..influences.spans.len()).map(|span| influences.of_vertex(span, at));
    let all = spans.flat_map(|(joints, weights)| joints.into_iter().zip(weights));
    let mut all = all.enumerate().filter(|(slot, (_, weight))| *slot == 0 || *weight != 0.0);
    all.by_ref().map(|(_, (joint, weight))| (joint, f64::from(weight))).collect()
}

/// A vertex before skinning, with the sizes of the terms that morph targets sum.
struct Start {
    position: DVec3,
    size: DVec3,
    normal: Option<[DVec3; 2]>,
    tangent: Option<[DVec4; 2]>,
    /// Roundings of a sum with the targets.
    targets: u32,
}

impl Start {
    fn of(primitive: &Primitive, at: usize, weights: &[f64]) -> Self {
        let morphs = primitive.morphs.as_ref();
        let stored = primitive.positions.get(at).copied().unwrap_or_default();
        let (position, size) =
            morph_exactly(stored, morphs.and_then(|all| all.positions.as_ref()), at, weights);
        let normal = primitive.normals.as_ref().and_then(|all| all.get(at)).map(|&normal| {
            let (sum, size) = morph_exactly(normal, morphs.and_then(|all| all.normals.as_ref()), at, weights);
            [sum, size].map(DVec3::from)
        });
        let tangent = primitive.tangents.as_ref().and_then(|all| all.get(at)).map(|&tangent| {
            let (sum, size) =
                morph_exactly(tangent, morphs.and_then(|all| all.tangents.as_ref()), at, weights);
            [sum, size].map(DVec4::from)
        });
        let targets = if morphs.is_some() { weights.len() as u32 + 1 } else { 0 };
        Self { position: position.into(), size: size.into(), normal, tangent, targets }
    }

    /// Bounds the streams of the moved vertex.
    fn bounds(&self, moved: &Moved) -> Vertex {
        let start = gamma(self.targets) * self.size;
        let position = moved.position + moved.size_of(start);
        let normal = self.normal.map(|[n, size]| moved.turn_of_normal(n, gamma(self.targets) * size));
        let tangent = self.tangent.zip(self.normal).zip(normal).map(|((tangent, [n, _]), turn)| {
            let [t, size] = tangent.map(DVec4::truncate);
            let n = transform_normal(&moved.b, n);
            turn + moved.turn_of_tangent(t, n, gamma(self.targets) * size)
        });
        Vertex { position, normal, tangent }
    }
}
