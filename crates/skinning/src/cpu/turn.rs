//! The rotations nearest to matrices, side by side.

use super::arithmetic::{Arithmetic, largest};
use super::twin::{dot3, dot4, turn_of};
use crate::shared::{NOISE, SMALLEST, TURN_APART, TURN_COMPARED, TURN_STEPS};
use crate::vectors::{Simd, Vector};

/// The trace of a square above which the largest eigenvalue is so far from the others that one more square leaves nothing of
/// them (1 − 2⁻¹²).
const ALONE: f32 = 1.0 - 1.0 / (1 << 12) as f32;

/// A symmetric 4×4 matrix: its columns from the diagonal on.
type Symmetric<V> = [V; 10];

/// Computes the columns of the rotations of [`nearest_turn`](crate::nearest_turn::nearest_turn), from the columns of the
/// matrices and from quaternions instead. Fused arithmetic stops where more steps change nothing.
#[inline(always)]
pub fn nearest_turns<A: Arithmetic, S: Simd>(
    simd: S,
    [x, y, z]: [[S::V; 3]; 3],
    instead: [S::V; 4],
) -> [[S::V; 3]; 3] {
    let (zero, one) = (simd.splat(0.0), simd.splat(1.0));
    let size = largest(x).max(largest(y)).max(largest(z));
    let is_usual = S::V::both(simd.splat(SMALLEST).lt(size), size.lt(simd.splat(f32::INFINITY)));
    let divisor = S::V::select(is_usual, size, one);
    let mut p = start(simd, [scaled(simd, x, divisor), scaled(simd, y, divisor), scaled(simd, z, divisor)]);
    // Matrices without a rotation must not keep the others from stopping.
    let mut apart = if A::FUSED { one } else { zero };
    if A::FUSED {
        p[0] = S::V::select(is_usual, p[0], one);
    }
    for step in 0..TURN_STEPS {
        let trace = p[0] + p[4] + p[7] + p[9];
        if step == TURN_COMPARED {
            apart = trace;
        }
        let q = divided::<A, S>(simd, p, trace);
        p = square::<A, S::V>(q);
        if A::FUSED && step > 0 && S::V::bits(trace.lt(simd.splat(ALONE))) == 0 {
            break;
        }
    }
    let is_defined = S::V::both(is_usual, simd.splat(TURN_APART).lt(apart));
    let [w, x, y, z] = longest::<S::V>(p);
    if A::FUSED {
        let q = select4::<S::V>(is_defined, [x, y, z, w], instead);
        return turn_of_any(simd, q);
    }
    let length = dot4([w, x, y, z], [w, x, y, z]).sqrt();
    let ([x, y, z], w) = (scaled(simd, [x, y, z], length), settle(simd, w / length));
    turn_of(simd, select4::<S::V>(is_defined, [x, y, z, w], instead))
}

/// Divides, without noise.
#[inline(always)]
fn scaled<S: Simd>(simd: S, v: [S::V; 3], divisor: S::V) -> [S::V; 3] {
    [settle(simd, v[0] / divisor), settle(simd, v[1] / divisor), settle(simd, v[2] / divisor)]
}

/// Returns the matrix whose eigenvectors are the rotations, with eigenvalues above zero.
#[inline(always)]
fn start<S: Simd>(simd: S, [x, y, z]: [[S::V; 3]; 3]) -> Symmetric<S::V> {
    let squared = dot3(x, x) + dot3(y, y) + dot3(z, z);
    let shift = (squared * simd.splat(3.0)).sqrt();
    [
        x[0] + y[1] + z[2] + shift,
        y[2] - z[1],
        z[0] - x[2],
        x[1] - y[0],
        x[0] - y[1] - z[2] + shift,
        x[1] + y[0],
        x[2] + z[0],
        y[1] - x[0] - z[2] + shift,
        y[2] + z[1],
        z[2] - x[0] - y[1] + shift,
    ]
}

/// Divides a matrix by its trace.
#[inline(always)]
fn divided<A: Arithmetic, S: Simd>(simd: S, p: Symmetric<S::V>, trace: S::V) -> Symmetric<S::V> {
    let mut q = p;
    let inverse = simd.splat(1.0) / trace;
    for number in &mut q {
        let quotient = if A::FUSED { *number * inverse } else { *number / trace };
        *number = settle(simd, quotient);
    }
    q
}

/// Returns the square of a symmetric matrix, which is symmetric to the bit.
#[inline(always)]
fn square<A: Arithmetic, V: Vector>([a, b, c, d, e, f, g, h, i, j]: Symmetric<V>) -> Symmetric<V> {
    let (x, y, z, w) = ([a, b, c, d], [b, e, f, g], [c, f, h, i], [d, g, i, j]);
    [
        dot::<A, V>(x, x),
        dot::<A, V>(x, y),
        dot::<A, V>(x, z),
        dot::<A, V>(x, w),
        dot::<A, V>(y, y),
        dot::<A, V>(y, z),
        dot::<A, V>(y, w),
        dot::<A, V>(z, z),
        dot::<A, V>(z, w),
        dot::<A, V>(w, w),
    ]
}

#[inline(always)]
fn dot<A: Arithmetic, V: Vector>(a: [V; 4], b: [V; 4]) -> V {
    let sum = A::add_product(a[0] * b[0], a[1], b[1]);
    A::add_product(A::add_product(sum, a[2], b[2]), a[3], b[3])
}

/// Returns the column with the largest number on the diagonal.
#[inline(always)]
fn longest<V: Vector>([a, b, c, d, e, f, g, h, i, j]: Symmetric<V>) -> [V; 4] {
    let (mut longest, mut diagonal) = ([a, b, c, d], a);
    for (column, own) in [([b, e, f, g], e), ([c, f, h, i], h), ([d, g, i, j], j)] {
        let is_longer = diagonal.lt(own);
        longest = select4::<V>(is_longer, column, longest);
        diagonal = V::select(is_longer, own, diagonal);
    }
    longest
}

/// Returns the rotations of quaternions of any length. One that does not turn gives the identity to the bit.
#[inline(always)]
fn turn_of_any<S: Simd>(simd: S, [qx, qy, qz, w]: [S::V; 4]) -> [[S::V; 3]; 3] {
    let one = simd.splat(1.0);
    let two = simd.splat(2.0) / qx.mul_add(qx, qy.mul_add(qy, qz.mul_add(qz, w * w)));
    let [tx, ty, tz] = [qx * two, qy * two, qz * two];
    let (xy, xz, yz) = (qx * ty, qx * tz, qy * tz);
    [
        [one - qy.mul_add(ty, qz * tz), w.mul_add(tz, xy), w.neg_mul_add(ty, xz)],
        [w.neg_mul_add(tz, xy), one - qx.mul_add(tx, qz * tz), w.mul_add(tx, yz)],
        [w.mul_add(ty, xz), w.neg_mul_add(tx, yz), one - qx.mul_add(tx, qy * ty)],
    ]
}

#[inline(always)]
fn settle<S: Simd>(simd: S, x: S::V) -> S::V {
    S::V::select(x.abs().lt(simd.splat(NOISE)), simd.splat(0.0), x)
}

#[inline(always)]
fn select4<V: Vector>(mask: V::Mask, yes: [V; 4], no: [V; 4]) -> [V; 4] {
    [
        V::select(mask, yes[0], no[0]),
        V::select(mask, yes[1], no[1]),
        V::select(mask, yes[2], no[2]),
        V::select(mask, yes[3], no[3]),
    ]
}
