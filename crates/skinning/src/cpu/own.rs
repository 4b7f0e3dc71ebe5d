//! Blends joints for vertices with separate joints: one after the other, then transposed to lie side by side.

use super::arithmetic::{Affines, Arithmetic, ByMatrix, DualQuats, add3, all_lanes, scale3};
use super::blend::{Blend, PerVertex, Turned};
use super::layout::MAX_INFLUENCES;
use super::twin::{cross3, dot3, dot4, turn_of};
use crate::Slot;
use crate::shared::HALF_TURN;
use crate::vectors::{ROW, Row, Simd, Vector, sum_rows};

/// Vertices with separate joints. A register holds one vertex's whole slot during blending; then the vertices are transposed
/// to lie side by side.
#[derive(Clone, Copy)]
pub struct Own<'a> {
    /// The slots.
    pub slots: &'a [Slot],
    /// The slot for a joint that `slots` lacks.
    pub no_joint: &'a Slot,
    /// The first float of each joint's slot.
    pub joints: &'a [[u32; ROW]],
    pub weights: &'a [Row],
}

impl Own<'_> {
    /// Returns the slot of a vertex's influence.
    #[inline(always)]
    fn slot(&self, joints: &[u32; ROW], lane: usize) -> &Slot {
        let joint = joints[lane] as usize / ROW;
        // This jump is hardly ever taken; a branchless select would wait for the comparison.
        if joint < self.slots.len() { &self.slots[joint] } else { cold(self.no_joint) }
    }

    /// Returns one column of an influence's slots, side by side.
    #[inline(always)]
    pub fn column<S: Simd>(&self, simd: S, joints: &[u32; ROW], column: usize, at: usize) -> [S::V; 4] {
        simd.transpose(|lane| &self.slot(joints, at + lane).columns[column])
    }

    /// Stores a vector of weights, negated if the joint's quaternion lies on the other side of the sphere.
    #[inline(always)]
    fn signed_weights<S: Simd>(&self, simd: S, at: usize, signed: &mut [Row; MAX_INFLUENCES]) {
        let Some(first) = self.joints.first() else { return };
        let pivot = self.column(simd, first, 0, at);
        // The first is on its own side.
        if let (Some(weights), Some(signed)) = (self.weights.first(), signed.first_mut()) {
            simd.load(weights, at).store(signed, at);
        }
        for ((joints, weights), signed) in self.joints.iter().zip(self.weights).zip(signed).skip(1) {
            let q = self.column(simd, joints, 0, at);
            let weights = simd.load(weights, at);
            let flips = dot4(q, pivot).lt(simd.splat(-HALF_TURN));
            S::V::select(flips, -weights, weights).store(signed, at);
        }
    }

    /// Computes the weighted sums of all sixteen numbers of the slots, one vertex after the other.
    #[inline(always)]
    fn sums<A: Arithmetic, S: Simd>(&self, simd: S, sums: &mut [Row; ROW]) {
        // Most files have up to four influences; a constant number saves a third of the time.
        let done = match self.joints.len() {
            1 => self.sums_of::<A, S, 1>(simd, sums),
            2 => self.sums_of::<A, S, 2>(simd, sums),
            3 => self.sums_of::<A, S, 3>(simd, sums),
            4 => self.sums_of::<A, S, 4>(simd, sums),
            _ => None,
        };
        if done.is_none() {
            self.signed_sums::<A, S>(simd, self.weights, sums);
        }
    }

    /// Computes the sums for exactly `K` influences. Returns `None`, without sums, if their number differs or a joint has no
    /// slot.
    #[inline(always)]
    fn sums_of<A: Arithmetic, S: Simd, const K: usize>(&self, simd: S, sums: &mut [Row; ROW]) -> Option<()> {
        let joints: &[[u32; ROW]; K] = self.joints.try_into().ok()?;
        let weights: &[Row; K] = self.weights.try_into().ok()?;
        let slots: &[[f32; ROW]] = bytemuck::cast_slice(self.slots);
        if A::FUSED {
            sum_rows::<S, true, K>(simd, slots, joints, weights, sums)
        } else {
            sum_rows::<S, false, K>(simd, slots, joints, weights, sums)
        }
    }

    /// Computes [`Own::sums`] with other weights for the first two columns.
    #[inline(always)]
    fn signed_sums<A: Arithmetic, S: Simd>(&self, simd: S, signed: &[Row], sums: &mut [Row; ROW]) {
        for (lane, out) in sums.iter_mut().enumerate() {
            let mut sum = simd.wide_zero();
            for ((joints, weights), signed) in self.joints.iter().zip(self.weights).zip(signed) {
                let row: &[f32; ROW] = bytemuck::cast_ref(self.slot(joints, lane));
                let (first, second) = (signed.0[lane], weights.0[lane]);
                sum = if A::FUSED {
                    simd.wide_add::<true>(sum, row, first, second)
                } else {
                    simd.wide_add::<false>(sum, row, first, second)
                };
            }
            simd.wide_store(sum, out);
        }
    }
}

/// Marks a branch as unlikely for the compiler.
#[cold]
#[inline(never)]
fn cold(slot: &Slot) -> &Slot {
    slot
}

/// Returns one column of summed slots, side by side.
#[inline(always)]
fn column_of<S: Simd>(simd: S, sums: &[Row; ROW], column: usize, at: usize) -> [S::V; 4] {
    let sums = &sums[at..at + S::LANES];
    simd.transpose(|lane| {
        let columns: &[[f32; 4]; 4] = bytemuck::cast_ref(&sums[lane].0);
        &columns[column]
    })
}

#[inline(always)]
fn xyz<V: Copy>([x, y, z, _]: [V; 4]) -> [V; 3] {
    [x, y, z]
}

/// [`Own`] joints; only the first counts.
pub struct OwnRigid<'a>(pub Own<'a>);

impl<A: Arithmetic, S: Simd> Blend<A, S> for OwnRigid<'_> {
    type Motion = ByMatrix<A, S::V>;
    type Room = ();
    const ROOM: () = ();

    #[inline(always)]
    fn motion(&self, simd: S, at: usize, _room: &mut ()) -> (Self::Motion, u32) {
        let own = &self.0;
        let first = own.joints.first().unwrap_or(&[0; ROW]);
        let b = Affines {
            x: xyz(own.column(simd, first, 0, at)),
            y: xyz(own.column(simd, first, 1, at)),
            z: xyz(own.column(simd, first, 2, at)),
            translation: xyz(own.column(simd, first, 3, at)),
        };
        (ByMatrix::new(b, None), all_lanes::<S>())
    }
}

/// [`Own`] joints' matrices.
pub struct OwnLinear<'a>(pub Own<'a>);

impl<A: Arithmetic, S: Simd> Blend<A, S> for OwnLinear<'_> {
    type Motion = ByMatrix<A, S::V>;
    type Room = [Row; ROW];
    const ROOM: Self::Room = [Row([0.0; ROW]); ROW];

    #[inline(always)]
    fn motion(&self, simd: S, at: usize, sums: &mut Self::Room) -> (Self::Motion, u32) {
        if at == 0 {
            self.0.sums::<A, S>(simd, sums);
        }
        let b = Affines {
            x: xyz(column_of(simd, sums, 0, at)),
            y: xyz(column_of(simd, sums, 1, at)),
            z: xyz(column_of(simd, sums, 2, at)),
            translation: xyz(column_of(simd, sums, 3, at)),
        };
        (ByMatrix::new(b, None), all_lanes::<S>())
    }
}

/// [`Own`] joints' dual quaternions; with `RIGID`, without their stretches.
pub struct OwnDualQuat<'a, const RIGID: bool>(pub Own<'a>);

impl<A: Arithmetic, S: Simd, const RIGID: bool> Blend<A, S> for OwnDualQuat<'_, RIGID> {
    type Motion = A::DualQuatMotion<S, RIGID>;
    type Room = ([Row; MAX_INFLUENCES], [Row; ROW]);
    const ROOM: Self::Room = ([Row([0.0; ROW]); MAX_INFLUENCES], [Row([0.0; ROW]); ROW]);

    #[inline(always)]
    fn motion(&self, simd: S, at: usize, (signed, sums): &mut Self::Room) -> (Self::Motion, u32) {
        if at == 0 {
            for step in 0..ROW / S::LANES {
                self.0.signed_weights(simd, step * S::LANES, signed);
            }
            self.0.signed_sums::<A, S>(simd, signed, sums);
        }
        let sums = DualQuats {
            q: column_of(simd, sums, 0, at),
            d: column_of(simd, sums, 1, at),
            diagonal: xyz(column_of(simd, sums, 2, at)),
            off_diagonal: xyz(column_of(simd, sums, 3, at)),
        };
        A::motion(simd, sums)
    }
}

impl Own<'_> {
    /// Returns the sums of slots with matrix and rotation, a vector of vertices at a time.
    #[inline(always)]
    fn turned<A: Arithmetic, S: Simd>(&self, simd: S, at: usize) -> Turned<S::V> {
        let mut sums = Turned::zero(simd);
        let Some(first) = self.joints.first() else { return sums };
        let pivot = self.column(simd, first, 3, at);
        for (joints, weights) in self.joints.iter().zip(self.weights) {
            let rows = [
                self.column(simd, joints, 0, at),
                self.column(simd, joints, 1, at),
                self.column(simd, joints, 2, at),
            ];
            let q = self.column(simd, joints, 3, at);
            let weight = simd.load(weights, at);
            let flips = dot4(q, pivot).lt(simd.splat(-HALF_TURN));
            let signed_weight = S::V::select(flips, -weight, weight);

            let Affines { x, y, z, translation } = &mut sums.linear;
            for (number, sum) in [x, y, z, translation].into_iter().enumerate() {
                *sum = A::add_scaled(*sum, numbers_of(&rows, number), weight);
            }
            let d = duals(simd, numbers_of(&rows, 3), q);
            for number in 0..4 {
                let turned = &mut sums.turned;
                turned.q[number] = A::add_product(turned.q[number], q[number], signed_weight);
                turned.d[number] = A::add_product(turned.d[number], d[number], signed_weight);
            }
            let (diagonal, off_diagonal) = stretches(simd, &rows, q);
            sums.turned.diagonal = A::add_scaled(sums.turned.diagonal, diagonal, weight);
            sums.turned.off_diagonal = A::add_scaled(sums.turned.off_diagonal, off_diagonal, weight);
        }
        sums
    }
}

/// Computes [`dual_from`](crate::turn::dual_from) side by side.
#[inline(always)]
pub fn duals<S: Simd>(simd: S, b: [S::V; 3], [qx, qy, qz, qw]: [S::V; 4]) -> [S::V; 4] {
    let [x, y, z] = scale3(add3(scale3(b, qw), cross3(b, [qx, qy, qz])), simd.splat(0.5));
    [x, y, z, dot3(b, [qx, qy, qz]) * simd.splat(-0.5)]
}

/// Computes [`stretch_of`] side by side.
#[inline(always)]
pub fn stretches<S: Simd>(simd: S, rows: &[[S::V; 4]; 3], q: [S::V; 4]) -> ([S::V; 3], [S::V; 3]) {
    let [rx, ry, rz] = turn_of(simd, q);
    let rows = [xyz(rows[0]), xyz(rows[1]), xyz(rows[2])];
    let (x, y, z) = (weighted(&rows, rx), weighted(&rows, ry), weighted(&rows, rz));
    ([x[0], y[1], z[2]], [y[2], x[2], x[1]])
}

/// Returns the numbers of one column, from rows.
#[inline(always)]
pub fn numbers_of<V: Copy>(rows: &[[V; 4]; 3], column: usize) -> [V; 3] {
    [rows[0][column], rows[1][column], rows[2][column]]
}

#[inline(always)]
fn weighted<V: Vector>(rows: &[[V; 3]; 3], weights: [V; 3]) -> [V; 3] {
    let sum = add3(scale3(rows[0], weights[0]), scale3(rows[1], weights[1]));
    add3(sum, scale3(rows[2], weights[2]))
}

/// [`Own`] joints with matrix and rotation, for *blend* and *cor*.
pub struct OwnTurning<'a> {
    pub own: Own<'a>,
    pub per_vertex: PerVertex<'a>,
}

impl<A: Arithmetic, S: Simd> Blend<A, S> for OwnTurning<'_> {
    type Motion = ByMatrix<A, S::V>;
    type Room = ();
    const ROOM: () = ();

    #[inline(always)]
    fn motion(&self, simd: S, at: usize, _room: &mut ()) -> (Self::Motion, u32) {
        self.own.turned::<A, S>(simd, at).motion(simd, self.per_vertex, at)
    }
}
