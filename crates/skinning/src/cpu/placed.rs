//! Blends joints as *dqs-blender* does: each gives the rigid motion that takes a vertex where the joint alone would, so the
//! sums depend on the vertex's position.

use super::arithmetic::{Arithmetic, ByMatrix, DualQuats, add3, load3, sub3};
use super::blend::{Blend, SpreadTurned, Turned, Weights, add_column, column};
use super::own::{Own, duals, numbers_of, stretches};
use super::twin::{dot4, turn_of};
use crate::shared::HALF_TURN;
use crate::vectors::{ROW, Row, Simd, Vector};

/// Computes the transforms from the sums of dual quaternions and stretches, in the twin's order: `p` goes to
/// `R(q) p + 2 vec(d q*)`, directions by `R(q) S`.
#[inline(always)]
fn placed<A: Arithmetic, S: Simd>(simd: S, sums: &DualQuats<S::V>, p: [S::V; 3]) -> (ByMatrix<A, S::V>, u32) {
    let (r, usable) = A::rotations(simd, sums);
    let mut b = A::stretched(&r, sums);
    let unstretched = [sub3(r.x, b.x), sub3(r.y, b.y), sub3(r.z, b.z)];
    b.translation = add3(A::transform_linear(unstretched, p), r.translation);
    (ByMatrix::new(b, None), usable)
}

/// Shared joints, after [`SharedTurned::leave_rotations_out`](super::blend::SharedTurned::leave_rotations_out).
pub struct SharedPlaced<'a, S: Simd> {
    pub joints: SpreadTurned<'a, S>,
    pub weights: Weights<'a>,
    pub positions: &'a [Row; 3],
}

impl<A: Arithmetic, S: Simd> Blend<A, S> for SharedPlaced<'_, S> {
    type Motion = ByMatrix<A, S::V>;
    type Room = ();
    const ROOM: () = ();

    #[inline(always)]
    fn motion(&self, simd: S, at: usize, _room: &mut ()) -> (Self::Motion, u32) {
        let SpreadTurned { matrices, turned } = self.joints;
        let p = load3(simd, self.positions, at);
        let (first, others) = self.weights.split(simd, at);
        let mut sums = Turned::zero(simd).turned;
        add_shared::<A, S>(simd, &mut sums, (&matrices[0], &turned[0]), p, first);
        for ((matrix, turned), row) in matrices[1..].iter().zip(&turned[1..]).zip(others) {
            add_shared::<A, S>(simd, &mut sums, (matrix, turned), p, simd.load(row, at));
        }
        placed(simd, &sums, p)
    }
}

/// Adds a joint's dual quaternions for points `p`, and its stretch.
#[inline(always)]
fn add_shared<A: Arithmetic, S: Simd>(
    simd: S,
    sums: &mut DualQuats<S::V>,
    (matrix, turned): (&S::Spread, &S::Spread),
    p: [S::V; 3],
    weight: S::V,
) {
    let columns = [column(simd, matrix, 0), column(simd, matrix, 1), column(simd, matrix, 2)];
    let apart = add3(A::transform_linear(columns, p), column(simd, matrix, 3));
    let d = duals(simd, apart, column(simd, turned, 0));
    add_column::<A, S, 4>(simd, &mut sums.q, turned, 0, weight);
    for (sum, d) in sums.d.iter_mut().zip(d) {
        *sum = A::add_product(*sum, d, weight);
    }
    add_column::<A, S, 3>(simd, &mut sums.diagonal, turned, 2, weight);
    add_column::<A, S, 3>(simd, &mut sums.off_diagonal, turned, 3, weight);
}

/// [`Own`] joints.
pub struct OwnPlaced<'a> {
    pub own: Own<'a>,
    pub positions: &'a [Row; 3],
}

impl<A: Arithmetic, S: Simd> Blend<A, S> for OwnPlaced<'_> {
    type Motion = ByMatrix<A, S::V>;
    type Room = ();
    const ROOM: () = ();

    #[inline(always)]
    fn motion(&self, simd: S, at: usize, _room: &mut ()) -> (Self::Motion, u32) {
        let own = &self.own;
        let p = load3(simd, self.positions, at);
        let mut sums = Turned::zero(simd).turned;
        let first = own.joints.first().unwrap_or(&[0; ROW]);
        let pivot = own.column(simd, first, 3, at);
        for (joints, weights) in own.joints.iter().zip(own.weights) {
            let rows = [
                own.column(simd, joints, 0, at),
                own.column(simd, joints, 1, at),
                own.column(simd, joints, 2, at),
            ];
            let q = own.column(simd, joints, 3, at);
            let weight = simd.load(weights, at);
            let flips = dot4(q, pivot).lt(simd.splat(-HALF_TURN));
            let signed_weight = S::V::select(flips, -weight, weight);

            let [rx, ry, rz] = turn_of(simd, q);
            let columns = [
                sub3(numbers_of(&rows, 0), rx),
                sub3(numbers_of(&rows, 1), ry),
                sub3(numbers_of(&rows, 2), rz),
            ];
            let apart = add3(A::transform_linear(columns, p), numbers_of(&rows, 3));
            let d = duals(simd, apart, q);
            for number in 0..4 {
                sums.q[number] = A::add_product(sums.q[number], q[number], signed_weight);
                sums.d[number] = A::add_product(sums.d[number], d[number], signed_weight);
            }
            let (diagonal, off_diagonal) = stretches(simd, &rows, q);
            sums.diagonal = A::add_scaled(sums.diagonal, diagonal, weight);
            sums.off_diagonal = A::add_scaled(sums.off_diagonal, off_diagonal, weight);
        }
        placed(simd, &sums, p)
    }
}
