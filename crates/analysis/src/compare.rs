//! Compares skinned vertices: bit by bit between two `f32` results, and in units of the model's size between an
//! `f32` result and the `f64` reference.

use std::ops::Range;

use serde::Serialize;

use sinew_skinning::posed::{SkinnedPrimitive, Truth};
use sinew_skinning::wide::{self, Work};

/// The comparison of two results that must be equal to the last bit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Bits {
    /// The number of floats that were compared.
    pub components: u64,
    /// The number of components that differ.
    pub differing: u64,
    /// The largest distance in units in the last place.
    pub max_ulp: u64,
    /// The largest distance.
    pub max_abs: f64,
}

impl Bits {
    /// Compares positions, normals and tangents. A stream that only one of them has differs in every component.
    pub fn between(a: &SkinnedPrimitive<f32>, b: &SkinnedPrimitive<f32>) -> Self {
        let mut bits = Self::default();
        let lost = |vertex: usize| is_lost(a, vertex) && is_lost(b, vertex);
        bits.add_streams(Some(&a.positions), Some(&b.positions), lost);
        bits.add_streams(a.normals.as_ref(), b.normals.as_ref(), lost);
        bits.add_streams(a.tangents.as_ref(), b.tangents.as_ref(), lost);
        bits
    }

    /// Compares positions alone.
    pub fn of_positions(a: &SkinnedPrimitive<f32>, b: &SkinnedPrimitive<f32>) -> Self {
        let mut bits = Self::default();
        let lost = |vertex: usize| is_lost(a, vertex) && is_lost(b, vertex);
        bits.add_streams(Some(&a.positions), Some(&b.positions), lost);
        bits
    }

    fn add_streams<const N: usize>(
        &mut self,
        a: Option<&Vec<[f32; N]>>,
        b: Option<&Vec<[f32; N]>>,
        lost: impl Fn(usize) -> bool,
    ) {
        let (a, b) = (a.map_or(&[][..], Vec::as_slice), b.map_or(&[][..], Vec::as_slice));
        if bytes(a) == bytes(b) {
            self.components += (a.len() * N) as u64;
            return;
        }
        for (vertex, (a, b)) in a.iter().zip(b).enumerate() {
            self.components += N as u64;
            if a.map(f32::to_bits) != b.map(f32::to_bits) && !lost(vertex) {
                a.iter().zip(b).for_each(|(&a, &b)| self.add(a, b));
            }
        }
        let unpaired = (a.len().abs_diff(b.len()) * N) as u64;
        self.components += unpaired;
        self.differing += unpaired;
        if unpaired > 0 {
            (self.max_ulp, self.max_abs) = (u64::MAX, f64::INFINITY);
        }
    }

    fn add(&mut self, a: f32, b: f32) {
        if a.to_bits() == b.to_bits() {
            return;
        }
        self.differing += 1;
        self.max_ulp = self.max_ulp.max(ordered(a).abs_diff(ordered(b)));
        self.max_abs = self.max_abs.max(apart(f64::from(a), f64::from(b)));
    }

    /// Merges another comparison.
    pub fn merge(&mut self, other: &Self) {
        self.components += other.components;
        self.differing += other.differing;
        self.max_ulp = self.max_ulp.max(other.max_ulp);
        self.max_abs = self.max_abs.max(other.max_abs);
    }
}

/// Returns true if all streams of two results have the same bits.
pub fn have_equal_bits(a: &SkinnedPrimitive<f32>, b: &SkinnedPrimitive<f32>) -> bool {
    bytes(&a.positions) == bytes(&b.positions)
        && a.normals.as_deref().map(bytes) == b.normals.as_deref().map(bytes)
        && a.tangents.as_deref().map(bytes) == b.tangents.as_deref().map(bytes)
}

fn bytes<const N: usize>(stream: &[[f32; N]]) -> &[u8] {
    bytemuck::cast_slice(stream.as_flattened())
}

/// Returns true if a vertex has left the range of `f32`. If both have lost it, there is nothing to compare. Skipping a
/// weight of zero leaves an infinity, multiplying by it gives NaN, and processors differ in their choice between a number
/// and NaN.
fn is_lost(skinned: &SkinnedPrimitive<f32>, vertex: usize) -> bool {
    skinned.positions.get(vertex).is_some_and(|p| p.iter().any(|number| !number.is_finite()))
}

/// Returns an integer with the order and distances of the floats.
fn ordered(x: f32) -> i64 {
    let bits = i64::from(x.to_bits() & 0x7fff_ffff);
    if x.is_sign_negative() { -bits } else { bits }
}

/// The maximum distance of a component of a normal or tangent from the reference.
pub const DIRECTION_BOUND: f64 = 2e-5;

/// The error of an `f32` result against the reference.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Error {
    /// The largest distance of a position's coordinate, in units of the largest coordinate.
    pub max: f64,
    /// The root mean square of these distances.
    pub rms: f64,
    /// The vertex of the largest distance.
    pub worst_vertex: usize,
    /// The time in the clip in seconds; `None` outside clips.
    pub worst_time: Option<f64>,
    /// The largest difference of a normal's or tangent's component. If blending nearly flattens a vertex, no `f32`
    /// arithmetic can be better than its steadiness allows, so the difference is scaled down by that.
    pub max_direction: f64,
    #[serde(skip)]
    sum_of_squares: f64,
    #[serde(skip)]
    count: u64,
}

impl Error {
    /// Compares a result with the reference.
    pub fn of(result: &SkinnedPrimitive<f32>, truth: &Truth) -> Self {
        let mut error = Self::default();
        let r = radius(truth);
        let Truth { skinned, reaches, .. } = truth;
        match reaches.is_empty() {
            true => error.add_positions(result.positions.as_flattened(), skinned.positions.as_flattened(), r),
            false => error.add_each(&result.positions, skinned, |vertex| {
                reaches.get(vertex).map_or(r, |reach| reach.max(r))
            }),
        }
        if result.positions.len() != skinned.positions.len() {
            error.max = f64::INFINITY;
        }
        error.max_direction = directions(result.normals.as_ref(), skinned.normals.as_ref(), 0..3, truth)
            .max(directions(result.tangents.as_ref(), skinned.tangents.as_ref(), 3..4, truth));
        error.finish();
        error
    }

    /// Adds the distances of coordinates, in units that depend on the vertex.
    fn add_each(&mut self, a: &[[f32; 3]], b: &SkinnedPrimitive<f64>, unit: impl Fn(usize) -> f64) {
        for (vertex, (a, b)) in a.iter().zip(&b.positions).enumerate() {
            for (a, b) in a.iter().zip(b) {
                let distance = apart(f64::from(*a), *b) / unit(vertex);
                self.sum_of_squares += distance * distance;
                self.count += 1;
                if distance > self.max {
                    (self.max, self.worst_vertex) = (distance, vertex);
                }
            }
        }
    }

    /// Adds the distances of coordinates, in units of `r`.
    fn add_positions(&mut self, a: &[f32], b: &[f64], r: f64) {
        let count = a.len().min(b.len());
        let mut distances = [0.0; LANES];
        for begin in (0..count).step_by(LANES) {
            let end = count.min(begin + LANES);
            let (Some(a), Some(b)) = (a.get(begin..end), b.get(begin..end)) else { continue };
            wide::run(Apart { a, b, r, distances: &mut distances });
            let distances = distances.get(..end - begin).unwrap_or_default();
            distances.iter().for_each(|distance| self.sum_of_squares += distance * distance);
            let largest = distances.iter().fold(0.0, |largest, &x| if x > largest { x } else { largest });
            if largest > self.max {
                let first = distances.iter().position(|distance| *distance == largest).unwrap_or_default();
                (self.max, self.worst_vertex) = (largest, (begin + first) / 3);
            }
        }
        self.count += count as u64;
    }

    /// Merges another comparison.
    pub fn merge(&mut self, other: &Self) {
        if other.max > self.max {
            (self.max, self.worst_vertex, self.worst_time) =
                (other.max, other.worst_vertex, other.worst_time);
        }
        self.max_direction = self.max_direction.max(other.max_direction);
        self.sum_of_squares += other.sum_of_squares;
        self.count += other.count;
        self.finish();
    }

    fn finish(&mut self) {
        self.rms = (self.sum_of_squares / self.count.max(1) as f64).sqrt();
    }
}

/// Returns the unit of position errors: the largest |coordinate| of the skinned primitive, or of the summed terms if that is
/// larger, as with a bind pose far from the origin.
pub fn radius(truth: &Truth) -> f64 {
    if truth.reach > 0.0 { truth.reach } else { 1.0 }
}

/// The maximum turn of a direction by rounding of the blended joints, per unit of unsteadiness: a few units in the last
/// place of an `f32`, measured on rods twisted to within 10⁻⁵ of half a turn.
const ROUNDING: f64 = 4.0 / 16_777_216.0;

/// The number of values that are computed side by side.
const LANES: usize = 256;

/// Measures the distances of coordinates.
struct Apart<'a> {
    a: &'a [f32],
    b: &'a [f64],
    r: f64,
    distances: &'a mut [f64; LANES],
}

impl Work for Apart<'_> {
    #[inline(always)]
    fn work(self) {
        let Self { a, b, r, distances } = self;
        for ((distance, &a), &b) in distances.iter_mut().zip(a).zip(b) {
            *distance = apart(f64::from(a), b) / r;
        }
    }
}

/// Returns the largest difference of a direction's component. `side` are the components that change their sign if the vertex
/// is turned over: all of a normal, the handedness of a tangent.
fn directions<const N: usize>(
    result: Option<&Vec<[f32; N]>>,
    of: Option<&Vec<[f64; N]>>,
    side: Range<usize>,
    truth: &Truth,
) -> f64 {
    let (result, of) = match (result, of) {
        (Some(result), Some(of)) if result.len() == of.len() => (result, of),
        (None, None) => return 0.0,
        _ => return f64::INFINITY,
    };
    let mut signs = [1.0; N];
    signs.get_mut(side).unwrap_or_default().fill(-1.0);
    let mut room = Directions { steady: [1.0; LANES], has_side: [true; LANES], distances: [0.0; LANES] };
    let mut worst = 0.0;
    for (number, (a, b)) in result.chunks(LANES).zip(of.chunks(LANES)).enumerate() {
        let first = number * LANES;
        for (lane, (steady, has_side)) in room.steady.iter_mut().zip(&mut room.has_side).enumerate() {
            *steady = truth.steadiness.get(first + lane).copied().unwrap_or(1.0);
            *has_side = truth.is_side_certain.get(first + lane).copied().unwrap_or(true);
        }
        wide::run(Turned { a, b, signs, room: &mut room });
        let distances = room.distances.get(..a.len()).unwrap_or_default();
        worst = distances.iter().fold(worst, |worst, &x| if x > worst { x } else { worst });
    }
    worst
}

/// The certainty of some vertices' directions, and their distances from the truth.
struct Directions {
    /// The steadiness.
    steady: [f64; LANES],
    /// True if rounding cannot turn the normal over.
    has_side: [bool; LANES],
    distances: [f64; LANES],
}

/// Measures directions.
struct Turned<'a, const N: usize> {
    a: &'a [[f32; N]],
    b: &'a [[f64; N]],
    /// The signs of the components of the other side.
    signs: [f64; N],
    room: &'a mut Directions,
}

impl<const N: usize> Work for Turned<'_, N> {
    #[inline(always)]
    fn work(self) {
        let Self { a, b, signs, room: Directions { steady, has_side, distances } } = self;
        let lanes = distances.iter_mut().zip(steady).zip(has_side);
        for (((a, b), signs), ((distance, steady), has_side)) in
            a.iter().zip(b).zip(std::iter::repeat(signs)).zip(lanes)
        {
            let (mut here, mut turned) = (0.0, 0.0);
            for ((&a, &b), sign) in a.iter().zip(b).zip(signs) {
                here = larger(here, apart(f64::from(a), b));
                turned = larger(turned, apart(f64::from(a), sign * b));
            }
            // Rounding decides which side of so flat a transform shows, but it must be one of the two.
            let either = if turned < here { turned } else { here };
            // 1 for all but the flattest vertices. Two unit vectors are never more than 2 apart, so a vertex without any
            // steadiness always passes, but must still be a number.
            let allowance = (ROUNDING / *steady / DIRECTION_BOUND).clamp(1.0, 2.0 / DIRECTION_BOUND);
            *distance = if *has_side { here } else { either } / allowance;
        }
    }
}

/// Returns the larger of two numbers that are no NaN.
#[inline(always)]
fn larger(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}

/// Returns the distance of two numbers; infinite if one is NaN, because bounds are compared with `>`, which NaN would pass.
#[inline(always)]
fn apart(a: f64, b: f64) -> f64 {
    let distance = (a - b).abs();
    if distance.is_nan() { f64::INFINITY } else { distance }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn between(a: [f32; 3], b: [f32; 3]) -> Bits {
        let skinned = |position| SkinnedPrimitive {
            instance: 0,
            primitive: 0,
            positions: vec![position, [1.0; 3]],
            normals: Some(vec![position.map(|number| number - 1.0), [0.0; 3]]),
            tangents: None,
        };
        Bits::between(&skinned(a), &skinned(b))
    }

    #[test]
    fn only_what_both_have_lost_is_forgiven() {
        let lost = between([f32::NAN, 1.0, 0.0], [0.0, f32::INFINITY, 2.0]);
        assert_eq!((lost.components, lost.differing), (12, 0));
        let one_lost = between([f32::NAN, 1.0, 0.0], [0.0, 1.0, 0.0]);
        assert_eq!((one_lost.components, one_lost.differing, one_lost.max_abs), (12, 2, f64::INFINITY));
        let next = between([2.0, f32::from_bits(0x3f80_0001), 0.0], [2.0, 1.0, -0.0]);
        assert_eq!((next.components, next.differing, next.max_abs), (12, 3, f64::from(f32::EPSILON)));
    }
}
