//! Blends joints for the vertices of a block: side by side if they share their joints, otherwise one after the
//! other and then transposed.

use super::arithmetic::{
    Affines, Arithmetic, ByMatrix, Cofactors, DualQuats, Motion, add3, all_lanes, scale3, sub3,
};
use super::layout::MAX_INFLUENCES;
use super::twin::{cross3, dot3, dot4, turn_of};
use super::vector::{ROW, Row, Simd, Vector};
use crate::Slot;
use crate::shared::HALF_TURN;
use crate::turn::{Stretch, dual_of, stretch_of};

/// Slots of the joints that a run's vertices share; used again for the next run.
pub struct Shared {
    /// What follows the first `count` means nothing.
    pub slots: [Slot; MAX_INFLUENCES],
    pub count: usize,
}

/// Gives the motion of each vertex of a block.
pub trait Blend<A: Arithmetic, S: Simd> {
    /// The motion of a vector of vertices.
    type Motion: Motion<S>;
    /// The motion of vertices `at..at + LANES`, and which of them are usable.
    fn motion(&self, simd: S, at: usize) -> (Self::Motion, u32);
}

/// All vertices of a run move alike: rigid, or with a single influence.
pub struct Alike<V> {
    pub b: Affines<V>,
    pub cofactors: Cofactors<V>,
}

impl<A: Arithmetic, S: Simd> Blend<A, S> for Alike<S::V> {
    type Motion = ByMatrix<A, S::V>;

    #[inline(always)]
    fn motion(&self, _simd: S, _at: usize) -> (Self::Motion, u32) {
        (ByMatrix::new(self.b, Some(self.cofactors)), all_lanes::<S>())
    }
}

/// The weights of a block; the first may be derived instead of stored.
#[derive(Clone, Copy)]
pub struct Weights<'a> {
    pub stored: &'a [Row],
    pub derived: bool,
}

impl<'a> Weights<'a> {
    /// The first weight, and the rows of the others.
    #[inline(always)]
    fn split<S: Simd>(&self, simd: S, at: usize) -> (S::V, &'a [Row]) {
        if self.derived {
            let mut first = simd.splat(1.0);
            for row in self.stored {
                first = first - simd.load(row, at);
            }
            return (first, self.stored);
        }
        match self.stored.split_first() {
            Some((first, others)) => (simd.load(first, at), others),
            None => (simd.splat(0.0), &[]),
        }
    }
}

/// Adds the first numbers of a slot's column, times the weights.
#[inline(always)]
fn add_column<A: Arithmetic, S: Simd, const N: usize>(
    simd: S,
    sum: &mut [S::V; N],
    column: &[f32; 4],
    weight: S::V,
) {
    for (sum, &number) in sum.iter_mut().zip(column) {
        *sum = A::add_product(*sum, simd.splat(number), weight);
    }
}

/// The first numbers of the first slot's column, times the weights; with `FROM_FIRST`, the numbers alone.
#[inline(always)]
fn first_column<A: Arithmetic, S: Simd, const N: usize, const FROM_FIRST: bool>(
    simd: S,
    column: &[f32; 4],
    weight: S::V,
) -> [S::V; N] {
    let mut sum = [simd.splat(0.0); N];
    if FROM_FIRST {
        sum.iter_mut().zip(column).for_each(|(sum, &number)| *sum = simd.splat(number));
    } else {
        add_column::<A, S, N>(simd, &mut sum, column, weight);
    }
    sum
}

/// Matrices of shared joints; with `FROM_FIRST`, after [`Shared::turn_from_first`].
pub struct SharedLinear<'a, const FROM_FIRST: bool> {
    pub joints: &'a Shared,
    pub weights: Weights<'a>,
}

impl<A: Arithmetic, S: Simd, const FROM_FIRST: bool> Blend<A, S> for SharedLinear<'_, FROM_FIRST> {
    type Motion = ByMatrix<A, S::V>;

    #[inline(always)]
    fn motion(&self, simd: S, at: usize) -> (Self::Motion, u32) {
        let (first, others) = self.weights.split(simd, at);
        let mut b = first_matrix::<A, S, FROM_FIRST>(simd, &self.joints.slots[0], first);
        for (slot, row) in self.joints.slots[1..].iter().zip(others) {
            add_matrix::<A, S>(simd, &mut b, slot, simd.load(row, at));
        }
        (ByMatrix::new(b, None), all_lanes::<S>())
    }
}

#[inline(always)]
fn first_matrix<A: Arithmetic, S: Simd, const FROM_FIRST: bool>(
    simd: S,
    slot: &Slot,
    weight: S::V,
) -> Affines<S::V> {
    let column = |number: usize| first_column::<A, S, 3, FROM_FIRST>(simd, &slot.columns[number], weight);
    Affines { x: column(0), y: column(1), z: column(2), translation: column(3) }
}

#[inline(always)]
fn add_matrix<A: Arithmetic, S: Simd>(simd: S, b: &mut Affines<S::V>, slot: &Slot, weight: S::V) {
    let [x, y, z, translation] = &slot.columns;
    add_column::<A, S, 3>(simd, &mut b.x, x, weight);
    add_column::<A, S, 3>(simd, &mut b.y, y, weight);
    add_column::<A, S, 3>(simd, &mut b.z, z, weight);
    add_column::<A, S, 3>(simd, &mut b.translation, translation, weight);
}

impl Shared {
    /// Puts every dual quaternion on the first one's side of the sphere. The side depends on the pair of joints
    /// alone, so this runs once per run. Moving a sign from the weight to the weighted number rounds no
    /// differently.
    pub fn turn_to_first(&mut self) {
        let dot = |a: [f32; 4], b: [f32; 4]| a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
        let pivot = self.slots[0].columns[0];
        for slot in self.slots.iter_mut().take(self.count) {
            if dot(slot.columns[0], pivot) < -HALF_TURN {
                let [q, d, ..] = &mut slot.columns;
                q.iter_mut().chain(d).for_each(|number| *number = -*number);
            }
        }
    }

    /// No slots.
    pub const EMPTY: Self = Self { slots: [Slot::ZERO; MAX_INFLUENCES], count: 0 };

    /// The slots of these joints; `no_joint` for those that the palette lacks.
    pub fn set(&mut self, palette: &[Slot], joints: &[u32], no_joint: &Slot) {
        self.count = joints.len();
        for (slot, &joint) in self.slots.iter_mut().zip(joints) {
            *slot = *palette.get(joint as usize).unwrap_or(no_joint);
        }
    }

    /// Replaces slots after the first by how they differ from it: for weights that sum to one, that saves one
    /// multiplication. False if a number is too large for that; then the slots are of no use any more.
    #[must_use]
    pub fn turn_from_first(&mut self) -> bool {
        let Some((first, others)) = self.slots[..self.count].split_first_mut() else { return true };
        let mut is_finite = true;
        for slot in others {
            for (number, first) in
                slot.columns.as_flattened_mut().iter_mut().zip(first.columns.as_flattened())
            {
                *number -= first;
                is_finite &= number.is_finite();
            }
        }
        is_finite
    }

    /// Whether no joint stretches, to the bit: then no blend of them does.
    pub fn is_rigid(&self) -> bool {
        let is_rigid = |slot: &Slot| slot.xyz(2) == [1.0; 3] && slot.xyz(3) == [0.0; 3];
        self.slots.iter().take(self.count).all(is_rigid)
    }
}

/// Dual quaternions of shared joints; with `RIGID`, of joints that do not stretch.
pub struct SharedDualQuat<'a, const RIGID: bool, const FROM_FIRST: bool> {
    /// After [`Shared::turn_to_first`] and, with `FROM_FIRST`, [`Shared::turn_from_first`].
    pub joints: &'a Shared,
    pub weights: Weights<'a>,
}

impl<A: Arithmetic, S: Simd, const RIGID: bool, const FROM_FIRST: bool> Blend<A, S>
    for SharedDualQuat<'_, RIGID, FROM_FIRST>
{
    type Motion = A::DualQuatMotion<S, RIGID>;

    #[inline(always)]
    fn motion(&self, simd: S, at: usize) -> (Self::Motion, u32) {
        let (first, others) = self.weights.split(simd, at);
        let mut sums = first_dual_quat::<A, S, RIGID, FROM_FIRST>(simd, &self.joints.slots[0], first);
        for (slot, row) in self.joints.slots[1..].iter().zip(others) {
            add_dual_quat::<A, S, RIGID>(simd, &mut sums, slot, simd.load(row, at));
        }
        A::motion(simd, sums)
    }
}

#[inline(always)]
fn first_dual_quat<A: Arithmetic, S: Simd, const RIGID: bool, const FROM_FIRST: bool>(
    simd: S,
    slot: &Slot,
    weight: S::V,
) -> DualQuats<S::V> {
    let [q, d, diagonal, off_diagonal] = &slot.columns;
    let stretch = |column: &[f32; 4]| {
        if RIGID {
            return [simd.splat(0.0); 3];
        }
        first_column::<A, S, 3, FROM_FIRST>(simd, column, weight)
    };
    DualQuats {
        q: first_column::<A, S, 4, FROM_FIRST>(simd, q, weight),
        d: first_column::<A, S, 4, FROM_FIRST>(simd, d, weight),
        diagonal: stretch(diagonal),
        off_diagonal: stretch(off_diagonal),
    }
}

#[inline(always)]
fn add_dual_quat<A: Arithmetic, S: Simd, const RIGID: bool>(
    simd: S,
    sums: &mut DualQuats<S::V>,
    slot: &Slot,
    weight: S::V,
) {
    let [q, d, diagonal, off_diagonal] = &slot.columns;
    add_column::<A, S, 4>(simd, &mut sums.q, q, weight);
    add_column::<A, S, 4>(simd, &mut sums.d, d, weight);
    if !RIGID {
        add_column::<A, S, 3>(simd, &mut sums.diagonal, diagonal, weight);
        add_column::<A, S, 3>(simd, &mut sums.off_diagonal, off_diagonal, weight);
    }
}

/// Slots with matrix and rotation of the joints that a run's vertices share.
pub struct SharedTurned {
    /// The matrices by columns.
    matrices: Shared,
    /// The dual quaternions and stretches, as the slots of dual quaternion skinning have them.
    turned: Shared,
}

impl SharedTurned {
    /// No slots.
    pub const EMPTY: Self = Self { matrices: Shared::EMPTY, turned: Shared::EMPTY };

    /// Works the dual quaternions and stretches out of the slots.
    pub fn set(&mut self, slots: &Shared) {
        let Self { matrices, turned } = self;
        (matrices.count, turned.count) = (slots.count, slots.count);
        let outs = matrices.slots.iter_mut().zip(&mut turned.slots);
        for (slot, (matrix, turned)) in slots.slots.iter().take(slots.count).zip(outs) {
            let columns = |row: usize| std::array::from_fn(|column| slot.columns[column][row]);
            *matrix = Slot { columns: std::array::from_fn(columns) };
            let Stretch { diagonal: [xx, yy, zz], off_diagonal: [yz, xz, xy] } = stretch_of(slot);
            let stretch = [[xx, yy, zz, 0.0], [yz, xz, xy, 0.0]];
            *turned = Slot { columns: [slot.columns[3], dual_of(slot), stretch[0], stretch[1]] };
        }
        turned.turn_to_first();
    }

    /// [`Shared::turn_from_first`] for both.
    #[must_use]
    pub fn turn_from_first(&mut self) -> bool {
        self.matrices.turn_from_first() & self.turned.turn_from_first()
    }

    #[inline(always)]
    fn sums<A: Arithmetic, S: Simd, const FROM_FIRST: bool>(
        &self,
        simd: S,
        weights: Weights,
        at: usize,
    ) -> Turned<S::V> {
        let (first, others) = weights.split(simd, at);
        let mut sums = Turned {
            linear: first_matrix::<A, S, FROM_FIRST>(simd, &self.matrices.slots[0], first),
            turned: first_dual_quat::<A, S, false, FROM_FIRST>(simd, &self.turned.slots[0], first),
        };
        let slots = self.matrices.slots[1..].iter().zip(&self.turned.slots[1..]);
        for ((matrix, turned), row) in slots.zip(others) {
            let weight = simd.load(row, at);
            add_matrix::<A, S>(simd, &mut sums.linear, matrix, weight);
            add_dual_quat::<A, S, false>(simd, &mut sums.turned, turned, weight);
        }
        sums
    }
}

/// What linear blending makes of the joints, and the sums of dual quaternion skinning.
struct Turned<V> {
    linear: Affines<V>,
    turned: DualQuats<V>,
}

impl<V: Vector> Turned<V> {
    #[inline(always)]
    fn zero<S: Simd<V = V>>(simd: S) -> Self {
        let zero = simd.splat(0.0);
        let (three, four) = ([zero; 3], [zero; 4]);
        Self {
            linear: Affines { x: three, y: three, z: three, translation: three },
            turned: DualQuats { q: four, d: four, diagonal: three, off_diagonal: three },
        }
    }

    /// The transform that the mode makes of them, in the twin's order.
    #[inline(always)]
    fn motion<A: Arithmetic, S: Simd<V = V>>(
        self,
        simd: S,
        per_vertex: PerVertex,
        at: usize,
    ) -> (ByMatrix<A, V>, u32) {
        let (mut b, usable) = A::matrices(simd, self.turned);
        let linear = self.linear;
        match per_vertex {
            PerVertex::Shares(shares) => {
                let share = shares.map_or(simd.splat(1.0), |row| simd.load(row, at));
                let mix = |linear: [V; 3], turned: [V; 3]| A::add_scaled(linear, sub3(turned, linear), share);
                b = Affines {
                    x: mix(linear.x, b.x),
                    y: mix(linear.y, b.y),
                    z: mix(linear.z, b.z),
                    translation: mix(linear.translation, b.translation),
                };
            }
            PerVertex::Centers([x, y, z]) => {
                let apart = scale3(sub3(linear.x, b.x), simd.load(x, at));
                let apart = A::add_scaled(apart, sub3(linear.y, b.y), simd.load(y, at));
                let apart = A::add_scaled(apart, sub3(linear.z, b.z), simd.load(z, at));
                b.translation = add3(apart, linear.translation);
            }
        }
        (ByMatrix::new(b, None), usable)
    }
}

/// What a mode reads of a block's vertices besides joints and weights.
#[derive(Clone, Copy)]
pub enum PerVertex<'a> {
    /// Shares, for *blend*; `None` if they are all 1.
    Shares(Option<&'a Row>),
    /// Centres of rotation, for *cor*.
    Centers(&'a [Row; 3]),
}

/// Shared joints with matrix and rotation, for *blend* and *cor*.
pub struct SharedTurning<'a, const FROM_FIRST: bool> {
    pub joints: &'a SharedTurned,
    pub weights: Weights<'a>,
    pub per_vertex: PerVertex<'a>,
}

impl<A: Arithmetic, S: Simd, const FROM_FIRST: bool> Blend<A, S> for SharedTurning<'_, FROM_FIRST> {
    type Motion = ByMatrix<A, S::V>;

    #[inline(always)]
    fn motion(&self, simd: S, at: usize) -> (Self::Motion, u32) {
        self.joints.sums::<A, S, FROM_FIRST>(simd, self.weights, at).motion(simd, self.per_vertex, at)
    }
}

/// Each vertex has its own joints. A register holds one vertex's whole slot during blending; then the vertices
/// are transposed to lie side by side.
#[derive(Clone, Copy)]
pub struct Own<'a> {
    /// Fewer slots than a joint number can count.
    pub slots: &'a [Slot],
    /// The slot for a joint that `slots` lacks.
    pub no_joint: &'a Slot,
    pub joints: &'a [[u16; ROW]],
    pub weights: &'a [Row],
}

impl Own<'_> {
    /// The slot of a vertex's influence.
    #[inline(always)]
    fn slot(&self, joints: &[u16; ROW], lane: usize) -> &Slot {
        let joint = usize::from(joints[lane]);
        // A jump that is hardly ever taken: a choice without one would wait for the comparison.
        if joint < self.slots.len() { &self.slots[joint] } else { cold(self.no_joint) }
    }

    /// One column of an influence's slots, side by side.
    #[inline(always)]
    fn column<S: Simd>(&self, simd: S, joints: &[u16; ROW], column: usize, at: usize) -> [S::V; 4] {
        let mut quads = [&Slot::ZERO.columns[0]; ROW];
        for (lane, quad) in quads.iter_mut().enumerate().skip(at).take(S::LANES) {
            *quad = &self.slot(joints, lane).columns[column];
        }
        simd.transpose(&quads, at)
    }

    /// The weights, negated where the joint's quaternion lies on the other side of the sphere.
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

    /// The weighted sums of all sixteen numbers of the slots, one vertex after the other.
    #[inline(always)]
    fn sums<A: Arithmetic, S: Simd>(&self, simd: S, at: usize, sums: &mut [Row; ROW]) {
        // Most files have up to four influences; knowing how many saves a third of the time.
        if let (Ok(joints), Ok(weights)) = (self.joints.try_into(), self.weights.try_into()) {
            let (joints, weights): (&[[u16; ROW]; 4], &[Row; 4]) = (joints, weights);
            self.sums_of::<A, S>(simd, at, joints, weights, sums);
        } else {
            self.sums_of::<A, S>(simd, at, self.joints, self.weights, sums);
        }
    }

    #[inline(always)]
    fn sums_of<A: Arithmetic, S: Simd>(
        &self,
        simd: S,
        at: usize,
        joints: &[[u16; ROW]],
        weights: &[Row],
        sums: &mut [Row; ROW],
    ) {
        for (lane, out) in sums.iter_mut().enumerate().skip(at).take(S::LANES) {
            let mut sum = simd.wide_zero();
            for (joints, weights) in joints.iter().zip(weights) {
                let row: &[f32; ROW] = bytemuck::cast_ref(self.slot(joints, lane));
                let weight = weights.0[lane];
                sum = if A::FUSED {
                    simd.wide_add_scaled::<true>(sum, row, weight)
                } else {
                    simd.wide_add_scaled::<false>(sum, row, weight)
                };
            }
            simd.wide_store(sum, out);
        }
    }

    /// [`Own::sums`] with other weights for the first two columns.
    #[inline(always)]
    fn signed_sums<A: Arithmetic, S: Simd>(&self, simd: S, at: usize, signed: &[Row], sums: &mut [Row; ROW]) {
        for (lane, out) in sums.iter_mut().enumerate().skip(at).take(S::LANES) {
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

/// Tells the compiler that this hardly ever happens.
#[cold]
#[inline(never)]
fn cold(slot: &Slot) -> &Slot {
    slot
}

/// One column of summed slots, side by side.
#[inline(always)]
fn column_of<S: Simd>(simd: S, sums: &[Row; ROW], column: usize, at: usize) -> [S::V; 4] {
    let mut quads = [&Slot::ZERO.columns[0]; ROW];
    for (quad, sum) in quads.iter_mut().zip(sums).skip(at).take(S::LANES) {
        let columns: &[[f32; 4]; 4] = bytemuck::cast_ref(&sum.0);
        *quad = &columns[column];
    }
    simd.transpose(&quads, at)
}

#[inline(always)]
fn xyz<V: Copy>([x, y, z, _]: [V; 4]) -> [V; 3] {
    [x, y, z]
}

/// [`Own`] joints, of which only the first counts.
pub struct OwnRigid<'a>(pub Own<'a>);

impl<A: Arithmetic, S: Simd> Blend<A, S> for OwnRigid<'_> {
    type Motion = ByMatrix<A, S::V>;

    #[inline(always)]
    fn motion(&self, simd: S, at: usize) -> (Self::Motion, u32) {
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

    #[inline(always)]
    fn motion(&self, simd: S, at: usize) -> (Self::Motion, u32) {
        let mut sums = [Row([0.0; ROW]); ROW];
        self.0.sums::<A, S>(simd, at, &mut sums);
        let b = Affines {
            x: xyz(column_of(simd, &sums, 0, at)),
            y: xyz(column_of(simd, &sums, 1, at)),
            z: xyz(column_of(simd, &sums, 2, at)),
            translation: xyz(column_of(simd, &sums, 3, at)),
        };
        (ByMatrix::new(b, None), all_lanes::<S>())
    }
}

/// [`Own`] joints' dual quaternions.
pub struct OwnDualQuat<'a>(pub Own<'a>);

impl<A: Arithmetic, S: Simd> Blend<A, S> for OwnDualQuat<'_> {
    type Motion = A::DualQuatMotion<S, false>;

    #[inline(always)]
    fn motion(&self, simd: S, at: usize) -> (Self::Motion, u32) {
        let mut signed = [Row([0.0; ROW]); MAX_INFLUENCES];
        self.0.signed_weights(simd, at, &mut signed);
        let mut sums = [Row([0.0; ROW]); ROW];
        self.0.signed_sums::<A, S>(simd, at, &signed, &mut sums);
        let sums = DualQuats {
            q: column_of(simd, &sums, 0, at),
            d: column_of(simd, &sums, 1, at),
            diagonal: xyz(column_of(simd, &sums, 2, at)),
            off_diagonal: xyz(column_of(simd, &sums, 3, at)),
        };
        A::motion(simd, sums)
    }
}

impl Own<'_> {
    /// The sums of slots with matrix and rotation, a vector of vertices at a time.
    #[inline(always)]
    fn turned<A: Arithmetic, S: Simd>(&self, simd: S, at: usize) -> Turned<S::V> {
        let mut sums = Turned::zero(simd);
        let Some(first) = self.joints.first() else { return sums };
        let pivot = self.column(simd, first, 3, at);
        for (joints, weights) in self.joints.iter().zip(self.weights) {
            let rows = [0, 1, 2].map(|row| self.column(simd, joints, row, at));
            let q = self.column(simd, joints, 3, at);
            let weight = simd.load(weights, at);
            let flips = dot4(q, pivot).lt(simd.splat(-HALF_TURN));
            let signed_weight = S::V::select(flips, -weight, weight);

            let column = |number: usize| rows.map(|row| row[number]);
            let Affines { x, y, z, translation } = &mut sums.linear;
            for (number, sum) in [x, y, z, translation].into_iter().enumerate() {
                *sum = A::add_scaled(*sum, column(number), weight);
            }
            let d = duals(simd, column(3), q);
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

/// [`dual_of`] side by side.
#[inline(always)]
fn duals<S: Simd>(simd: S, b: [S::V; 3], [qx, qy, qz, qw]: [S::V; 4]) -> [S::V; 4] {
    let [x, y, z] = scale3(add3(scale3(b, qw), cross3(b, [qx, qy, qz])), simd.splat(0.5));
    [x, y, z, dot3(b, [qx, qy, qz]) * simd.splat(-0.5)]
}

/// [`stretch_of`] side by side.
#[inline(always)]
fn stretches<S: Simd>(simd: S, rows: &[[S::V; 4]; 3], q: [S::V; 4]) -> ([S::V; 3], [S::V; 3]) {
    let [rx, ry, rz] = turn_of(simd, q);
    let [a, b, c] = rows.map(xyz);
    let row = |along: [S::V; 3]| add3(add3(scale3(a, along[0]), scale3(b, along[1])), scale3(c, along[2]));
    let (x, y, z) = (row(rx), row(ry), row(rz));
    ([x[0], y[1], z[2]], [y[2], x[2], x[1]])
}

/// [`Own`] joints with matrix and rotation, for *blend* and *cor*.
pub struct OwnTurning<'a> {
    pub own: Own<'a>,
    pub per_vertex: PerVertex<'a>,
}

impl<A: Arithmetic, S: Simd> Blend<A, S> for OwnTurning<'_> {
    type Motion = ByMatrix<A, S::V>;

    #[inline(always)]
    fn motion(&self, simd: S, at: usize) -> (Self::Motion, u32) {
        self.own.turned::<A, S>(simd, at).motion(simd, self.per_vertex, at)
    }
}
