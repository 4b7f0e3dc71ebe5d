//! Applies morph targets to a primitive's vertices before skinning, in `f32` like the GPU and in `f64` for the reference.
//! Twin: `shaders/morph.comp`
//!
//! `v' = v + w₀ d₀ + w₁ d₁ + …` over the targets that move the vertex, in their order. Each product and each sum is rounded
//! (denormals to zero). The next sum compensates for the rounding of the one before, as in Kahan ("Further remarks on
//! reducing truncation errors", 1965), so 100,000 targets are as exact as one. A target with weight 0 is skipped, so without
//! any weight the mesh equals the file's to the bit.

use crate::pose::Pose;
use sinew_model::{Deltas, Instance, Morphs, Primitive, Rig};

use super::twin::Vertices;

/// Writes all nodes' weights as shaders read them, at the places that [`Rig::weights_of`] gives.
pub fn weights_into(pose: &Pose, out: &mut Vec<f32>) {
    out.clear();
    let weight = |&weight: &f64| {
        let weight = weight as f32;
        // Some processors treat denormal numbers as zero.
        if weight.is_subnormal() { 0.0 } else { weight }
    };
    out.extend(pose.weights.iter().map(weight));
}

/// Returns the weights of an instance's node among those of all nodes.
pub fn weights_of<'a, T>(rig: &Rig, instance: &Instance, weights: &'a [T]) -> &'a [T] {
    weights.get(rig.weights_of(instance.node)).unwrap_or_default()
}

/// Morphs a stream. Targets with weight 0 add nothing.
pub fn morph_into<const N: usize, const D: usize>(
    base: &[[f32; N]],
    deltas: &Deltas<D>,
    weights: &[f32],
    out: &mut Vec<[f32; N]>,
) {
    out.clear();
    out.extend(base.iter().enumerate().map(|(vertex, &base)| {
        let (mut sum, mut excess) = (base, [0.0; N]);
        for (target, delta) in deltas.of(vertex) {
            let weight = weights.get(target as usize).copied().unwrap_or(0.0);
            if weight != 0.0 {
                for ((sum, excess), delta) in sum.iter_mut().zip(&mut excess).zip(delta) {
                    (*sum, *excess) = added(*sum, *excess, weight * delta);
                }
            }
        }
        sum
    }));
}

/// Returns a sum plus a term, and its excess by rounding; `excess` is that of the sum before.
fn added(sum: f32, excess: f32, term: f32) -> (f32, f32) {
    let sum = settled(sum);
    let term = settled(settled(term) - excess);
    let next = settled(sum + term);
    let excess = settled(settled(next - sum) - term);
    // An overflowed sum has nothing to compensate for.
    (next, if excess.abs() < LARGE { excess } else { 0.0 })
}

/// A limit above the rounding error of any finite sum.
const LARGE: f32 = 1e32;

/// Flushes denormal numbers to zero, because some processors do so after every addition.
fn settled(x: f32) -> f32 {
    if x.abs() < f32::MIN_POSITIVE { 0.0 } else { x }
}

/// Applies [`morph_into`] to one vertex in `f64`. Returns the result, and the sum of the absolute values of all terms.
pub fn morph_exactly<const N: usize, const D: usize>(
    base: [f32; N],
    deltas: Option<&Deltas<D>>,
    vertex: usize,
    weights: &[f64],
) -> ([f64; N], [f64; N]) {
    let mut sum = base.map(f64::from);
    let mut sizes = sum.map(f64::abs);
    for (target, delta) in deltas.into_iter().flat_map(|deltas| deltas.of(vertex)) {
        let weight = weights.get(target as usize).copied().unwrap_or(0.0);
        if weight == 0.0 {
            continue;
        }
        for ((sum, size), delta) in sum.iter_mut().zip(&mut sizes).zip(delta) {
            let term = weight * f64::from(delta);
            *sum += term;
            *size += term.abs();
        }
    }
    (sum, sizes)
}

/// A primitive's morphed streams, in reused memory.
#[derive(Clone, Debug, Default)]
pub struct Morphed {
    positions: Vec<[f32; 3]>,
    normals: Vec<[f32; 3]>,
    tangents: Vec<[f32; 4]>,
}

impl Morphed {
    /// Returns all of a primitive's vertices: moved streams from here, the others from the primitive.
    pub fn vertices<'a>(&'a mut self, primitive: &'a Primitive, weights: &[f32]) -> Vertices<'a> {
        let mut vertices = Vertices::of(primitive);
        let Some(morphs) = active(primitive, weights) else { return vertices };
        if let Some(deltas) = &morphs.positions {
            morph_into(vertices.positions, deltas, weights, &mut self.positions);
            vertices.positions = &self.positions;
        }
        if let (Some(deltas), Some(normals)) = (&morphs.normals, vertices.normals) {
            morph_into(normals, deltas, weights, &mut self.normals);
            vertices.normals = Some(&self.normals);
        }
        if let (Some(deltas), Some(tangents)) = (&morphs.tangents, vertices.tangents) {
            morph_into(tangents, deltas, weights, &mut self.tangents);
            vertices.tangents = Some(&self.tangents);
        }
        vertices
    }
}

/// Returns the targets of a primitive; `None` if they have no effect.
fn active<'a>(primitive: &'a Primitive, weights: &[f32]) -> Option<&'a Morphs> {
    primitive.morphs.as_ref().filter(|_| weights.iter().any(|&weight| weight != 0.0))
}

/// Texture coordinates and colours, which no joint moves.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Surface {
    /// Each set of texture coordinates that targets move.
    pub texcoords: Vec<Option<Vec<[f32; 2]>>>,
    /// Colours, from 0 to 1, if targets move them.
    pub colors: Option<Vec<[f32; 4]>>,
}

impl Surface {
    /// Returns the texture coordinates and colours of a primitive that targets move.
    pub fn of(primitive: &Primitive, weights: &[f32]) -> Self {
        let Some(morphs) = active(primitive, weights) else { return Self::default() };
        let moved = |(base, deltas): (&Vec<[f32; 2]>, &Option<Deltas<2>>)| {
            deltas.as_ref().map(|deltas| {
                let mut moved = Vec::new();
                morph_into(base, deltas, weights, &mut moved);
                moved
            })
        };
        let colors = primitive.colors.as_ref().zip(morphs.colors.as_ref()).map(|(base, deltas)| {
            let mut moved = Vec::new();
            morph_into(base, deltas, weights, &mut moved);
            moved.as_flattened_mut().iter_mut().for_each(|channel| *channel = channel.clamp(0.0, 1.0));
            moved
        });
        Self { texcoords: primitive.texcoords.iter().zip(&morphs.texcoords).map(moved).collect(), colors }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn deltas<const N: usize>(targets: &[&[(u32, [f32; N])]]) -> Option<Deltas<N>> {
        Deltas::new(3, &targets.iter().map(|moves| moves.to_vec()).collect::<Vec<_>>())
    }

    fn primitive() -> Primitive {
        Primitive {
            positions: vec![[0.0, -0.0, 0.0], [1.0, 2.0, 3.0], [4.0, 5.0, 6.0]],
            normals: Some(vec![[0.0, 0.0, 1.0]; 3]),
            tangents: Some(vec![[1.0, 0.0, 0.0, -1.0]; 3]),
            texcoords: vec![vec![[0.5, 0.5]; 3], vec![[0.0, 0.0]; 3]],
            colors: Some(vec![[0.5, 0.5, 0.5, 1.0]; 3]),
            morphs: Some(Morphs {
                positions: deltas(&[&[(1, [1.0, 0.0, 0.0])], &[(1, [0.0, 4.0, 0.0]), (2, [0.0, 0.0, -8.0])]]),
                normals: deltas(&[&[(2, [0.0, 1.0, -1.0])]]),
                tangents: deltas(&[&[(0, [0.0, 2.0, 0.0])]]),
                texcoords: vec![None, deltas(&[&[], &[(0, [1.0, -1.0])]])],
                colors: deltas(&[&[(0, [1.0, -2.0, 0.25, -0.5])]]),
            }),
            ..Primitive::default()
        }
    }

    #[test]
    fn every_stream_moves_by_its_weighted_targets() {
        let (primitive, mut room) = (primitive(), Morphed::default());
        let moved = room.vertices(&primitive, &[0.5, 0.25]);
        assert_eq!(moved.positions, [[0.0, 0.0, 0.0], [1.5, 3.0, 3.0], [4.0, 5.0, 4.0]]);
        assert_eq!(moved.normals.unwrap(), [[0.0, 0.0, 1.0], [0.0, 0.0, 1.0], [0.0, 0.5, 0.5]]);
        assert_eq!(moved.tangents.unwrap()[0], [1.0, 1.0, 0.0, -1.0]);
        let surface = Surface::of(&primitive, &[0.5, 0.25]);
        assert_eq!(surface.texcoords, [None, Some(vec![[0.25, -0.25], [0.0, 0.0], [0.0, 0.0]])]);
        assert_eq!(surface.colors.unwrap()[..2], [[1.0, 0.0, 0.625, 0.75], [0.5, 0.5, 0.5, 1.0]]);
    }

    /// Plain sums would be off by 10⁻³ here.
    #[test]
    fn very_many_targets_are_as_exact_as_one() {
        let count = 100_003;
        let targets = vec![vec![(0, [0.7f32, -1.3, 1e-3])]; count];
        let deltas = Deltas::new(1, &targets).unwrap();
        let weights = vec![1.0 / count as f32; count];
        let exact_weights: Vec<f64> = weights.iter().map(|&weight| weight.into()).collect();
        let base = [[1.0f32, 2.0, 3.0]];
        let mut moved = Vec::new();
        morph_into(&base, &deltas, &weights, &mut moved);
        let (exact, _) = morph_exactly(base[0], Some(&deltas), 0, &exact_weights);
        for (moved, exact) in moved[0].iter().zip(exact) {
            assert!((f64::from(*moved) - exact).abs() <= 3e-7, "{moved} for {exact}");
        }
    }

    #[test]
    fn sums_beyond_the_range_of_numbers_stay_there() {
        for terms in [vec![f32::MAX, f32::MAX, -f32::MAX], vec![f32::INFINITY, 1.0], vec![3e38, 3e38, 1.0]] {
            let targets: Vec<Vec<(u32, [f32; 1])>> = terms.iter().map(|&term| vec![(0, [term])]).collect();
            let deltas = Deltas::new(1, &targets).unwrap();
            let mut moved = Vec::new();
            morph_into(&[[1.0f32]], &deltas, &vec![1.0; terms.len()], &mut moved);
            assert_eq!(moved, [[f32::INFINITY]], "{terms:?}");
        }
    }

    #[test]
    fn a_weight_of_zero_or_none_leaves_every_bit() {
        let (primitive, mut room) = (primitive(), Morphed::default());
        let bits =
            |stream: &[[f32; 3]]| stream.as_flattened().iter().map(|x| x.to_bits()).collect::<Vec<_>>();
        for weights in [&[][..], &[0.0], &[-0.0, 0.0]] {
            let moved = room.vertices(&primitive, weights);
            assert_eq!(bits(moved.positions), bits(&primitive.positions));
            assert_eq!(Surface::of(&primitive, weights), Surface::default());
        }
        // One of two weights: vertices that only the other target moves keep their bits, too.
        let moved = room.vertices(&primitive, &[1.0, 0.0]);
        assert_eq!(bits(moved.positions)[..3], bits(&primitive.positions)[..3]);
        assert_eq!(moved.positions[1..], [[2.0, 2.0, 3.0], [4.0, 5.0, 6.0]]);
    }

    /// 1 + 2⁻²⁴ is 1, but the rounding is not lost: the second step counts for both.
    #[test]
    fn what_rounding_takes_is_given_back() {
        let step = 1.0 / 16_777_216.0;
        let targets = vec![vec![(0, [1.0])]; 8];
        let deltas = Deltas::new(1, &targets).unwrap();
        let moved = |count: usize| {
            let mut out = Vec::new();
            morph_into(&[[1.0]], &deltas, &[step; 8][..count], &mut out);
            out[0][0]
        };
        assert_eq!([moved(1), moved(2), moved(8)], [1.0, 1.0 + 2.0 * step, 1.0 + 8.0 * step]);
        let (exact, sizes) = morph_exactly([1.0], Some(&deltas), 0, &[f64::from(step); 8]);
        assert_eq!((exact, sizes), ([1.0 + 8.0 / 16_777_216.0], [1.0 + 8.0 / 16_777_216.0]));
    }

    #[test]
    fn tiny_weights_are_none() {
        let mut pose = Pose::default();
        pose.weights = vec![0.1, 1e-40, -2.0];
        let mut weights = Vec::new();
        weights_into(&pose, &mut weights);
        assert_eq!(weights, [0.1, 0.0, -2.0]);
    }
}
