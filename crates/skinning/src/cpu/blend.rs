//! Blends joints for the vertices of a block: side by side, for vertices that share their joints. [`own`](super::own) blends
//! for the others.

use super::arithmetic::{
    Affines, Arithmetic, ByMatrix, Cofactors, DualQuats, Motion, add3, all_lanes, scale3, sub3,
};
use super::layout::MAX_INFLUENCES;
use crate::shared::HALF_TURN;
use crate::turn::{Stretch, apart, dual_of, stretch_of};
use crate::vectors::{Row, Simd, Vector};
use crate::{Affine, Slot};

/// Slots of the joints that a run's vertices share; used again for the next run.
pub struct Shared {
    /// The slots; only the first `count` are valid.
    pub slots: [Slot; MAX_INFLUENCES],
    pub count: usize,
}

/// Gives the motion of each vertex of a block.
pub trait Blend<A: Arithmetic, S: Simd> {
    /// The motion of a vector of vertices.
    type Motion: Motion<S>;
    /// Memory for blending.
    type Room;
    /// Zeroed memory.
    const ROOM: Self::Room;
    /// Returns the motion of vertices `at..at + LANES`, and a bit for each usable lane. Those from 0 on come first, and leave
    /// in `room` what the others need.
    fn motion(&self, simd: S, at: usize, room: &mut Self::Room) -> (Self::Motion, u32);
}

/// All vertices of a run move alike: rigid, or with a single influence.
pub struct Alike<V> {
    pub b: Affines<V>,
    pub cofactors: Cofactors<V>,
}

impl<A: Arithmetic, S: Simd> Blend<A, S> for Alike<S::V> {
    type Motion = ByMatrix<A, S::V>;

    type Room = ();
    const ROOM: () = ();

    #[inline(always)]
    fn motion(&self, _simd: S, _at: usize, _room: &mut ()) -> (Self::Motion, u32) {
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
    /// Returns the first weight, and the rows of the others.
    #[inline(always)]
    pub fn split<S: Simd>(&self, simd: S, at: usize) -> (S::V, &'a [Row]) {
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

/// Returns the first numbers of a slot's column.
#[inline(always)]
pub fn column<S: Simd, const N: usize>(simd: S, slot: &S::Spread, number: usize) -> [S::V; N] {
    std::array::from_fn(|row| simd.number(slot, number * 4 + row))
}

/// Adds the first numbers of a slot's column, times the weights.
#[inline(always)]
pub fn add_column<A: Arithmetic, S: Simd, const N: usize>(
    simd: S,
    sum: &mut [S::V; N],
    slot: &S::Spread,
    number: usize,
    weight: S::V,
) {
    for (row, sum) in sum.iter_mut().enumerate() {
        *sum = A::add_product(*sum, simd.number(slot, number * 4 + row), weight);
    }
}

/// Returns the first numbers of the first slot's column, times the weights; with `FROM_FIRST`, the numbers alone.
#[inline(always)]
fn first_column<A: Arithmetic, S: Simd, const N: usize, const FROM_FIRST: bool>(
    simd: S,
    slot: &S::Spread,
    number: usize,
    weight: S::V,
) -> [S::V; N] {
    if FROM_FIRST {
        return column(simd, slot, number);
    }
    let mut sum = [simd.splat(0.0); N];
    add_column::<A, S, N>(simd, &mut sum, slot, number, weight);
    sum
}

/// Matrices of shared joints.
pub struct SharedLinear<'a, S: Simd, const FROM_FIRST: bool> {
    /// With `FROM_FIRST`, after [`Shared::turn_from_first`].
    pub joints: &'a [S::Spread],
    pub weights: Weights<'a>,
}

impl<A: Arithmetic, S: Simd, const FROM_FIRST: bool> Blend<A, S> for SharedLinear<'_, S, FROM_FIRST> {
    type Motion = ByMatrix<A, S::V>;
    type Room = ();
    const ROOM: () = ();

    #[inline(always)]
    fn motion(&self, simd: S, at: usize, _room: &mut ()) -> (Self::Motion, u32) {
        let (first, others) = self.weights.split(simd, at);
        let mut b = first_matrix::<A, S, FROM_FIRST>(simd, &self.joints[0], first);
        for (slot, row) in self.joints[1..].iter().zip(others) {
            add_matrix::<A, S>(simd, &mut b, slot, simd.load(row, at));
        }
        (ByMatrix::new(b, None), all_lanes::<S>())
    }
}

#[inline(always)]
fn first_matrix<A: Arithmetic, S: Simd, const FROM_FIRST: bool>(
    simd: S,
    slot: &S::Spread,
    weight: S::V,
) -> Affines<S::V> {
    let column = |number: usize| first_column::<A, S, 3, FROM_FIRST>(simd, slot, number, weight);
    Affines { x: column(0), y: column(1), z: column(2), translation: column(3) }
}

#[inline(always)]
fn add_matrix<A: Arithmetic, S: Simd>(simd: S, b: &mut Affines<S::V>, slot: &S::Spread, weight: S::V) {
    add_column::<A, S, 3>(simd, &mut b.x, slot, 0, weight);
    add_column::<A, S, 3>(simd, &mut b.y, slot, 1, weight);
    add_column::<A, S, 3>(simd, &mut b.z, slot, 2, weight);
    add_column::<A, S, 3>(simd, &mut b.translation, slot, 3, weight);
}

impl Shared {
    /// Puts every dual quaternion on the first one's side of the sphere. The side depends on the pair of joints alone, so
    /// this runs once per run. Moving a sign from the weight to the weighted number does not change the rounding.
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

    /// Copies the slots of these joints; `no_joint` for those that the palette lacks.
    #[inline(always)]
    pub fn set(&mut self, palette: &[Slot], joints: &[u32], no_joint: &Slot) {
        self.count = joints.len();
        for (slot, &joint) in self.slots.iter_mut().zip(joints) {
            *slot = *palette.get(joint as usize).unwrap_or(no_joint);
        }
    }

    /// Returns true if all numbers are finite.
    #[inline(always)]
    pub fn is_finite(&self) -> bool {
        // Testing each number does not become vector instructions; looking for the largest exponent does.
        let numbers: &[f32] = bytemuck::cast_slice(&self.slots[..self.count]);
        let largest = |largest: i32, number: &f32| largest.max(number.abs().to_bits().cast_signed());
        numbers.iter().fold(0, largest) < f32::INFINITY.to_bits().cast_signed()
    }

    /// Returns true if every dual quaternion is on the side of every other. Then [`Shared::turn_to_first`] gives the same
    /// motions whichever joint is the first.
    #[inline(always)]
    pub fn is_on_one_side(&self) -> bool {
        let dot = |a: [f32; 4], b: [f32; 4]| a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
        let slots = &self.slots[..self.count];
        let side = |(number, a): (usize, &Slot)| {
            slots[..number].iter().all(|b| dot(a.columns[0], b.columns[0]) > HALF_TURN)
        };
        slots.iter().enumerate().all(side)
    }

    /// Replaces slots after the first by their differences from it. For weights that sum to one, that saves one
    /// multiplication. Returns false if a number is too large for that; the slots are then invalid.
    #[must_use]
    #[inline(always)]
    pub fn turn_from_first(&mut self) -> bool {
        let Some((first, others)) = self.slots[..self.count].split_first_mut() else { return true };
        // The bits without the sign grow with the number; comparing these in turn takes vectors, testing each number does not.
        let mut largest = 0;
        for slot in others {
            for (number, first) in
                slot.columns.as_flattened_mut().iter_mut().zip(first.columns.as_flattened())
            {
                *number -= first;
                largest = largest.max(number.abs().to_bits().cast_signed());
            }
        }
        largest < f32::INFINITY.to_bits().cast_signed()
    }

    /// Returns the slots as rows that are multiplied with vectors.
    #[inline(always)]
    pub fn spread<'a, S: Simd>(&'a self, simd: S, room: &'a mut S::Room) -> &'a [S::Spread] {
        simd.spread(bytemuck::cast_slice(&self.slots[..self.count.max(1)]), room)
    }

    /// Returns true if no joint stretches, to the bit; then no blend of them does.
    pub fn is_rigid(&self) -> bool {
        let is_rigid = |slot: &Slot| slot.xyz(2) == [1.0; 3] && slot.xyz(3) == [0.0; 3];
        self.slots.iter().take(self.count).all(is_rigid)
    }
}

/// Dual quaternions of shared joints; with `RIGID`, of joints that do not stretch.
pub struct SharedDualQuat<'a, S: Simd, const RIGID: bool, const FROM_FIRST: bool> {
    /// After [`Shared::turn_to_first`] and, with `FROM_FIRST`, [`Shared::turn_from_first`].
    pub joints: &'a [S::Spread],
    pub weights: Weights<'a>,
}

impl<A: Arithmetic, S: Simd, const RIGID: bool, const FROM_FIRST: bool> Blend<A, S>
    for SharedDualQuat<'_, S, RIGID, FROM_FIRST>
{
    type Motion = A::DualQuatMotion<S, RIGID>;
    type Room = ();
    const ROOM: () = ();

    #[inline(always)]
    fn motion(&self, simd: S, at: usize, _room: &mut ()) -> (Self::Motion, u32) {
        let (first, others) = self.weights.split(simd, at);
        let mut sums = first_dual_quat::<A, S, RIGID, FROM_FIRST>(simd, &self.joints[0], first);
        for (slot, row) in self.joints[1..].iter().zip(others) {
            add_dual_quat::<A, S, RIGID>(simd, &mut sums, slot, simd.load(row, at));
        }
        A::motion(simd, sums)
    }
}

#[inline(always)]
fn first_dual_quat<A: Arithmetic, S: Simd, const RIGID: bool, const FROM_FIRST: bool>(
    simd: S,
    slot: &S::Spread,
    weight: S::V,
) -> DualQuats<S::V> {
    let quaternion = |number: usize| first_column::<A, S, 4, FROM_FIRST>(simd, slot, number, weight);
    let stretch = |number: usize| {
        if RIGID {
            return [simd.splat(0.0); 3];
        }
        first_column::<A, S, 3, FROM_FIRST>(simd, slot, number, weight)
    };
    DualQuats { q: quaternion(0), d: quaternion(1), diagonal: stretch(2), off_diagonal: stretch(3) }
}

#[inline(always)]
fn add_dual_quat<A: Arithmetic, S: Simd, const RIGID: bool>(
    simd: S,
    sums: &mut DualQuats<S::V>,
    slot: &S::Spread,
    weight: S::V,
) {
    add_column::<A, S, 4>(simd, &mut sums.q, slot, 0, weight);
    add_column::<A, S, 4>(simd, &mut sums.d, slot, 1, weight);
    if !RIGID {
        add_column::<A, S, 3>(simd, &mut sums.diagonal, slot, 2, weight);
        add_column::<A, S, 3>(simd, &mut sums.off_diagonal, slot, 3, weight);
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

    /// Derives the dual quaternions and stretches from the slots.
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

    /// Subtracts each joint's rotation from its matrix, after [`SharedTurned::set`].
    pub fn leave_rotations_out(&mut self, slots: &Shared) {
        for (slot, out) in slots.slots.iter().take(slots.count).zip(&mut self.matrices.slots) {
            let Affine { x, y, z, translation } = apart(slot);
            *out = Slot { columns: [x, y, z, translation].map(|[x, y, z]| [x, y, z, 0.0]) };
        }
    }

    /// Runs [`Shared::is_on_one_side`] for the dual quaternions; also false if some number is not finite.
    #[inline(always)]
    pub fn is_on_one_side(&self) -> bool {
        self.turned.is_finite() && self.turned.is_on_one_side()
    }

    /// Runs [`Shared::turn_from_first`] for both.
    #[must_use]
    pub fn turn_from_first(&mut self) -> bool {
        self.matrices.turn_from_first() & self.turned.turn_from_first()
    }

    /// Runs [`Shared::spread`] for both.
    #[inline(always)]
    pub fn spread<'a, S: Simd>(
        &'a self,
        simd: S,
        [first, second]: &'a mut [S::Room; 2],
    ) -> SpreadTurned<'a, S> {
        SpreadTurned { matrices: self.matrices.spread(simd, first), turned: self.turned.spread(simd, second) }
    }
}

/// [`SharedTurned`] as rows that are multiplied with vectors.
#[derive(Clone, Copy)]
pub struct SpreadTurned<'a, S: Simd> {
    pub matrices: &'a [S::Spread],
    pub turned: &'a [S::Spread],
}

impl<S: Simd> SpreadTurned<'_, S> {
    #[inline(always)]
    fn sums<A: Arithmetic, const FROM_FIRST: bool>(
        &self,
        simd: S,
        weights: Weights,
        at: usize,
    ) -> Turned<S::V> {
        let (first, others) = weights.split(simd, at);
        let mut sums = Turned {
            linear: first_matrix::<A, S, FROM_FIRST>(simd, &self.matrices[0], first),
            turned: first_dual_quat::<A, S, false, FROM_FIRST>(simd, &self.turned[0], first),
        };
        let slots = self.matrices[1..].iter().zip(&self.turned[1..]);
        for ((matrix, turned), row) in slots.zip(others) {
            let weight = simd.load(row, at);
            add_matrix::<A, S>(simd, &mut sums.linear, matrix, weight);
            add_dual_quat::<A, S, false>(simd, &mut sums.turned, turned, weight);
        }
        sums
    }
}

/// The linear blend of the joints, and the sums of dual quaternion skinning.
pub struct Turned<V> {
    pub linear: Affines<V>,
    pub turned: DualQuats<V>,
}

impl<V: Vector> Turned<V> {
    /// Returns empty sums.
    #[inline(always)]
    pub fn zero<S: Simd<V = V>>(simd: S) -> Self {
        let zero = simd.splat(0.0);
        let (three, four) = ([zero; 3], [zero; 4]);
        Self {
            linear: Affines { x: three, y: three, z: three, translation: three },
            turned: DualQuats { q: four, d: four, diagonal: three, off_diagonal: three },
        }
    }

    /// Returns the mode's transform from the sums, in the twin's order.
    #[inline(always)]
    pub fn motion<A: Arithmetic, S: Simd<V = V>>(
        self,
        simd: S,
        per_vertex: PerVertex,
        at: usize,
    ) -> (ByMatrix<A, V>, u32) {
        let (r, usable) = A::rotations(simd, &self.turned);
        let mut b = A::stretched(&r, &self.turned);
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

/// A mode's input for a block's vertices besides joints and weights.
#[derive(Clone, Copy)]
pub enum PerVertex<'a> {
    /// Shares, for *blend*; `None` if they are all 1.
    Shares(Option<&'a Row>),
    /// Centres of rotation, for *cor*.
    Centers(&'a [Row; 3]),
}

/// Shared joints with matrix and rotation, for *blend* and *cor*.
pub struct SharedTurning<'a, S: Simd, const FROM_FIRST: bool> {
    pub joints: SpreadTurned<'a, S>,
    pub weights: Weights<'a>,
    pub per_vertex: PerVertex<'a>,
}

impl<A: Arithmetic, S: Simd, const FROM_FIRST: bool> Blend<A, S> for SharedTurning<'_, S, FROM_FIRST> {
    type Motion = ByMatrix<A, S::V>;
    type Room = ();
    const ROOM: () = ();

    #[inline(always)]
    fn motion(&self, simd: S, at: usize, _room: &mut ()) -> (Self::Motion, u32) {
        self.joints.sums::<A, FROM_FIRST>(simd, self.weights, at).motion(simd, self.per_vertex, at)
    }
}
