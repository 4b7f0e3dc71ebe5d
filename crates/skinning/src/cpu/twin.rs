//! The arithmetic of the modes' twins, side by side: the same operations in the same order, and so the same bits.

use super::arithmetic::{
    Affines, Arithmetic, ByMatrix, Cofactors, DualQuats, add3, all_lanes, largest, scale3, sub3,
};
use crate::shared::{CANCELLED, FLAT, NOISE, PARALLEL, SMALLEST};
use crate::vectors::{Simd, Vector};

/// Computes exactly as the twins do.
pub struct Twin;

impl Arithmetic for Twin {
    const FUSED: bool = false;

    type DualQuatMotion<S: Simd, const RIGID: bool> = ByMatrix<Self, S::V>;

    #[inline(always)]
    fn motion<S: Simd, const RIGID: bool>(simd: S, sums: DualQuats<S::V>) -> (ByMatrix<Self, S::V>, u32) {
        let (r, usable) = Self::rotations(simd, &sums);
        let b = if RIGID { r } else { Self::stretched(&r, &sums) };
        (ByMatrix::new(b, None), usable)
    }

    #[inline(always)]
    fn rotations<S: Simd>(simd: S, sums: &DualQuats<S::V>) -> (Affines<S::V>, u32) {
        let length_of_q = dot4(sums.q, sums.q).sqrt();
        // If they vanish, the twin falls back to slot 0.
        let usable = simd.splat(CANCELLED).lt(length_of_q);
        let (q, d) = (divide4(sums.q, length_of_q), divide4(sums.d, length_of_q));
        let [x, y, z] = turn_of(simd, q);
        let [qx, qy, qz, qw] = q;
        let (q_xyz, d_xyz) = ([qx, qy, qz], [d[0], d[1], d[2]]);
        let half_translation = add3(sub3(scale3(d_xyz, qw), scale3(q_xyz, d[3])), cross3(q_xyz, d_xyz));
        let translation = scale3(half_translation, simd.splat(2.0));
        (Affines { x, y, z, translation }, S::V::bits(usable))
    }

    #[inline(always)]
    fn cofactors<S: Simd>(simd: S, b: &Affines<S::V>) -> Cofactors<S::V> {
        // `at_size_one`
        let size = largest(b.x).max(largest(b.y)).max(largest(b.z));
        let divisor = S::V::select(simd.splat(SMALLEST).lt(size), size, simd.splat(1.0));
        let (x, y, z) = (divide3(b.x, divisor), divide3(b.y, divisor), divide3(b.z, divisor));
        // `orientation`
        let determinant = dot3(x, cross3(y, z));
        let noise = largest(x) * largest(y) * largest(z) * simd.splat(FLAT);
        let mirrors = determinant.lt(-noise);
        let orientation = S::V::select(mirrors, simd.splat(-1.0), simd.splat(1.0));
        Cofactors { x: cross3(y, z), y: cross3(z, x), z: cross3(x, y), orientation }
    }

    #[inline(always)]
    fn turn_normal<S: Simd>(simd: S, by: &Cofactors<S::V>, n: [S::V; 3]) -> ([S::V; 3], u32) {
        let moved = Self::transform_linear([by.x, by.y, by.z], n);
        (direction(simd, scale3(moved, by.orientation), n), all_lanes::<S>())
    }

    #[inline(always)]
    fn turn_tangent<S: Simd>(
        simd: S,
        moved: [S::V; 3],
        moved_normal: [S::V; 3],
        unskinned: [S::V; 3],
    ) -> ([S::V; 3], u32) {
        let along = direction(simd, moved, unskinned);
        let across = sub3(along, scale3(moved_normal, dot3(moved_normal, along)));
        let is_across = simd.splat(PARALLEL).lt(largest(across));
        (select3::<S::V>(is_across, direction(simd, across, unskinned), unskinned), all_lanes::<S>())
    }
}

/// Returns `R(q)`, by columns.
#[inline(always)]
pub fn turn_of<S: Simd>(simd: S, [qx, qy, qz, qw]: [S::V; 4]) -> [[S::V; 3]; 3] {
    let (one, two) = (simd.splat(1.0), simd.splat(2.0));
    let x = [one - two * (qy * qy + qz * qz), two * (qx * qy + qw * qz), two * (qx * qz - qw * qy)];
    let y = [two * (qx * qy - qw * qz), one - two * (qx * qx + qz * qz), two * (qy * qz + qw * qx)];
    let z = [two * (qx * qz + qw * qy), two * (qy * qz - qw * qx), one - two * (qx * qx + qy * qy)];
    [x, y, z]
}

#[inline(always)]
fn direction<S: Simd>(simd: S, v: [S::V; 3], fallback: [S::V; 3]) -> [S::V; 3] {
    let size = largest(v);
    let is_long = simd.splat(SMALLEST).lt(size);
    let scaled = divide3(v, size);
    let length_of_scaled = dot3(scaled, scaled).sqrt();
    let unit = divide3(scaled, length_of_scaled);
    let unit = [without_noise(simd, unit[0]), without_noise(simd, unit[1]), without_noise(simd, unit[2])];
    select3::<S::V>(is_long, unit, fallback)
}

#[inline(always)]
fn without_noise<S: Simd>(simd: S, x: S::V) -> S::V {
    S::V::select(x.abs().lt(simd.splat(NOISE)), simd.splat(0.0), x)
}

#[inline(always)]
fn select3<V: Vector>(mask: V::Mask, yes: [V; 3], no: [V; 3]) -> [V; 3] {
    [V::select(mask, yes[0], no[0]), V::select(mask, yes[1], no[1]), V::select(mask, yes[2], no[2])]
}

#[inline(always)]
fn divide3<V: Vector>(a: [V; 3], divisor: V) -> [V; 3] {
    [a[0] / divisor, a[1] / divisor, a[2] / divisor]
}

#[inline(always)]
fn divide4<V: Vector>(a: [V; 4], divisor: V) -> [V; 4] {
    [a[0] / divisor, a[1] / divisor, a[2] / divisor, a[3] / divisor]
}

#[inline(always)]
pub fn dot3<V: Vector>(a: [V; 3], b: [V; 3]) -> V {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

#[inline(always)]
pub fn dot4<V: Vector>(a: [V; 4], b: [V; 4]) -> V {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3]
}

#[inline(always)]
pub fn cross3<V: Vector>(a: [V; 3], b: [V; 3]) -> [V; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}
