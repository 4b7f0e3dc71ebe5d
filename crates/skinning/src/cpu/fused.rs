//! The fast arithmetic: fused on processors with fused multiplication, with a fraction of the twin's divisions and square
//! roots.
//!
//! The twin divides by the largest component before it squares, so that joints of any size cannot overflow. This file
//! squares directly and leaves lanes with squares outside [`SAFE`] to the twin: only joints scaled beyond 10⁻⁴ or 10⁴ and
//! degenerate ones.

use super::arithmetic::{Affines, Arithmetic, Cofactors, DualQuats, Motion, all_lanes, largest, scale3};
use crate::shared::FLAT;
use crate::vectors::{Simd, Vector};

/// The range in which squared lengths and their terms lose no bits: the products of two numbers that make up a square of
/// 10⁻³⁰ are far above the smallest normal `f32`, 10⁻³⁸.
const SAFE: (f32, f32) = (1e-30, 1e30);

/// Blended quaternions with a squared length above this have certainly not cancelled; the twin's limit is a length of 2⁻²⁰.
const NOT_CANCELLED: f32 = 1.0 / (1_u64 << 38) as f32;

/// The least part of a tangent's squared length across the normal. Below it, rounding affects the direction so much that
/// only the twin's order of operations is exact (2⁻²⁴).
const ACROSS: f32 = 1.0 / (1 << 24) as f32;

/// The fastest arithmetic within the definition's bounds.
pub struct Fused;

impl Arithmetic for Fused {
    const FUSED: bool = true;

    type DualQuatMotion<S: Simd, const RIGID: bool> = ByDualQuat<S::V, RIGID>;

    #[inline(always)]
    fn motion<S: Simd, const RIGID: bool>(simd: S, sums: DualQuats<S::V>) -> (ByDualQuat<S::V, RIGID>, u32) {
        let (two, usable) = factor(simd, sums.q);
        (ByDualQuat { sums, two }, usable)
    }

    // With the factor of [`ByDualQuat`] instead of a length, a vertex that does not turn keeps its bits.
    #[inline(always)]
    fn rotations<S: Simd>(simd: S, sums: &DualQuats<S::V>) -> (Affines<S::V>, u32) {
        let (two, usable) = factor(simd, sums.q);
        let [qx, qy, qz, w] = sums.q;
        let one = simd.splat(1.0);
        let [tx, ty, tz] = scale3([qx, qy, qz], two);
        let (xy, xz, yz) = (qx * ty, qx * tz, qy * tz);
        let x = [one - qy.mul_add(ty, qz * tz), w.mul_add(tz, xy), w.neg_mul_add(ty, xz)];
        let y = [w.neg_mul_add(tz, xy), one - qx.mul_add(tx, qz * tz), w.mul_add(tx, yz)];
        let z = [w.mul_add(ty, xz), w.neg_mul_add(tx, yz), one - qx.mul_add(tx, qy * ty)];
        let [dx, dy, dz, dw] = sums.d;
        let outer = [dw.neg_mul_add(qx, w * dx), dw.neg_mul_add(qy, w * dy), dw.neg_mul_add(qz, w * dz)];
        let translation = scale3(add_cross([qx, qy, qz], [dx, dy, dz], outer), two);
        (Affines { x, y, z, translation }, usable)
    }

    #[inline(always)]
    fn cofactors<S: Simd>(simd: S, b: &Affines<S::V>) -> Cofactors<S::V> {
        let x = cross3(b.y, b.z);
        let determinant = dot3(b.x, x);
        let mut orientation = simd.splat(1.0);
        // Few transforms mirror, so the flatness limit is rarely needed.
        if S::V::bits(determinant.lt(simd.splat(0.0))) != 0 {
            let noise = largest(b.x) * largest(b.y) * largest(b.z) * simd.splat(FLAT);
            orientation = S::V::select(determinant.lt(-noise), -orientation, orientation);
        }
        Cofactors { x, y: cross3(b.z, b.x), z: cross3(b.x, b.y), orientation }
    }

    #[inline(always)]
    fn turn_normal<S: Simd>(simd: S, by: &Cofactors<S::V>, n: [S::V; 3]) -> ([S::V; 3], u32) {
        let moved = Self::transform_linear([by.x, by.y, by.z], n);
        let squared = dot3(moved, moved);
        let turned = scale3(moved, by.orientation * squared.inverse_sqrt());
        (turned, S::V::bits(is_safe(simd, squared)))
    }

    // Removing the part along the normal before normalising gives the same direction.
    #[inline(always)]
    fn turn_tangent<S: Simd>(simd: S, along: [S::V; 3], n: [S::V; 3], _t: [S::V; 3]) -> ([S::V; 3], u32) {
        let shared = dot3(n, along);
        let across = [
            n[0].neg_mul_add(shared, along[0]),
            n[1].neg_mul_add(shared, along[1]),
            n[2].neg_mul_add(shared, along[2]),
        ];
        let squared = dot3(across, across);
        let is_across = (shared * shared * simd.splat(ACROSS)).lt(squared);
        let usable = S::V::both(is_across, is_safe(simd, squared));
        (scale3(across, squared.inverse_sqrt()), S::V::bits(usable))
    }

    // Starting from the translation saves one operation.
    #[inline(always)]
    fn transform_position<V: Vector>(b: &Affines<V>, p: [V; 3]) -> [V; 3] {
        let sum = Self::add_scaled(b.translation, b.x, p[0]);
        Self::add_scaled(Self::add_scaled(sum, b.y, p[1]), b.z, p[2])
    }
}

/// Stretches, then turns by dual quaternions that are not of length one, without a matrix. With `u` the vector and `w` the
/// scalar part of `q`, and `v`, `e` those of `d`, `R(q) a = a + (2/|q|²) u × (u × a + w a)`. The translation, `(2/|q|²) (w v
/// − e u + u × v)`, goes into the same cross product.
pub struct ByDualQuat<V, const RIGID: bool> {
    sums: DualQuats<V>,
    /// 2/|q|²
    two: V,
}

impl<V: Vector, const RIGID: bool> ByDualQuat<V, RIGID> {
    #[inline(always)]
    fn stretch(&self, a: [V; 3]) -> [V; 3] {
        if RIGID {
            return a;
        }
        let ([xx, yy, zz], [yz, xz, xy]) = (self.sums.diagonal, self.sums.off_diagonal);
        Fused::transform_linear([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]], a)
    }

    #[inline(always)]
    fn rotate(&self, a: [V; 3]) -> [V; 3] {
        let [x, y, z, w] = self.sums.q;
        let c = add_cross([x, y, z], a, scale3(a, w));
        Fused::add_scaled(a, cross3([x, y, z], c), self.two)
    }
}

impl<S: Simd, const RIGID: bool> Motion<S> for ByDualQuat<S::V, RIGID> {
    #[inline(always)]
    fn position(&self, _simd: S, p: [S::V; 3]) -> [S::V; 3] {
        let [x, y, z, w] = self.sums.q;
        let [dx, dy, dz, dw] = self.sums.d;
        let p = self.stretch(p);
        let inner = add_cross([x, y, z], p, Fused::add_scaled([dx, dy, dz], p, w));
        let outer = [dw.neg_mul_add(x, w * dx), dw.neg_mul_add(y, w * dy), dw.neg_mul_add(z, w * dz)];
        Fused::add_scaled(p, add_cross([x, y, z], inner, outer), self.two)
    }

    // The cofactor matrix of R S is R times that of S, which is symmetric because S is.
    #[inline(always)]
    fn normal(&self, simd: S, n: [S::V; 3], is_unit: bool) -> ([S::V; 3], S::V, u32) {
        let mut orientation = simd.splat(1.0);
        let mut usable = all_lanes::<S>();
        let mut n = n;
        if !RIGID {
            let ([xx, yy, zz], [yz, xz, xy]) = (self.sums.diagonal, self.sums.off_diagonal);
            let x = cross3([xy, yy, yz], [xz, yz, zz]);
            let determinant = dot3([xx, xy, xz], x);
            if S::V::bits(determinant.lt(simd.splat(0.0))) != 0 {
                // The flatness limit is defined on R S; leave uncertain lanes to the twin.
                let size = largest([xx, xy, xz]) * largest([xy, yy, yz]) * largest([xz, yz, zz]);
                let mirrors = determinant.lt(-(size * simd.splat(16.0 * FLAT)));
                orientation = S::V::select(mirrors, -orientation, orientation);
                usable = S::V::bits(mirrors) | !S::V::bits(determinant.lt(simd.splat(0.0)));
            }
            let y = [x[1], xx.mul_sub(zz, xz * xz), xy.mul_sub(xz, xx * yz)];
            let z = [x[2], y[2], xx.mul_sub(yy, xy * xy)];
            n = Fused::transform_linear([x, y, z], n);
        }
        let moved = self.rotate(n);
        if !is_unit {
            return (scale3(moved, orientation), orientation, usable);
        }
        let squared = dot3(n, n);
        let turned = scale3(moved, orientation * squared.inverse_sqrt());
        (turned, orientation, usable & S::V::bits(is_safe(simd, squared)))
    }

    #[inline(always)]
    fn tangent(&self, simd: S, t: [S::V; 3], moved_normal: [S::V; 3], is_unit: bool) -> ([S::V; 3], u32) {
        let moved = self.rotate(self.stretch(t));
        if !is_unit {
            return (moved, all_lanes::<S>());
        }
        Fused::turn_tangent(simd, moved, moved_normal, t)
    }
}

/// Returns the factor of [`ByDualQuat`], 2/|q|², and the lanes in which the quaternions have not cancelled.
#[inline(always)]
fn factor<S: Simd>(simd: S, [x, y, z, w]: [S::V; 4]) -> (S::V, u32) {
    let squared = x.mul_add(x, y.mul_add(y, z.mul_add(z, w * w)));
    let usable = S::V::both(simd.splat(NOT_CANCELLED).lt(squared), squared.lt(simd.splat(SAFE.1)));
    (simd.splat(2.0) / squared, S::V::bits(usable))
}

#[inline(always)]
fn is_safe<S: Simd>(simd: S, squared: S::V) -> <S::V as Vector>::Mask {
    S::V::both(simd.splat(SAFE.0).lt(squared), squared.lt(simd.splat(SAFE.1)))
}

#[inline(always)]
fn dot3<V: Vector>(a: [V; 3], b: [V; 3]) -> V {
    a[0].mul_add(b[0], a[1].mul_add(b[1], a[2] * b[2]))
}

#[inline(always)]
fn cross3<V: Vector>(a: [V; 3], b: [V; 3]) -> [V; 3] {
    [a[1].mul_sub(b[2], a[2] * b[1]), a[2].mul_sub(b[0], a[0] * b[2]), a[0].mul_sub(b[1], a[1] * b[0])]
}

/// Returns `a × b + sum`.
#[inline(always)]
fn add_cross<V: Vector>(a: [V; 3], b: [V; 3], sum: [V; 3]) -> [V; 3] {
    [
        a[1].mul_add(b[2], a[2].neg_mul_add(b[1], sum[0])),
        a[2].mul_add(b[0], a[0].neg_mul_add(b[2], sum[1])),
        a[0].mul_add(b[1], a[1].neg_mul_add(b[0], sum[2])),
    ]
}
