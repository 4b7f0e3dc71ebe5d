//! The vector traits that the fast path computes with, and the rows that they load from.

use std::ops::{Add, Div, Mul, Neg, Sub};

/// Sixteen floats on one cache line: a vector of AVX-512, or several of a narrower one.
#[repr(C, align(64))]
#[derive(Clone, Copy, Debug)]
pub struct Row(pub [f32; ROW]);

/// The number of vertices in a block of the layout.
pub const ROW: usize = 16;

/// The maximum number of rows for [`Simd::spread`], which is that of a vertex's joints.
pub const MAX_SPREAD: usize = 16;

/// Floats computed side by side, one per vertex.
pub trait Vector:
    Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self> + Neg<Output = Self>
{
    /// A boolean for each float.
    type Mask: Copy;
    /// Returns `self * factor + sum`, rounded once if the processor can do that quickly.
    fn mul_add(self, factor: Self, sum: Self) -> Self;
    /// Returns `self * factor - less`, rounded likewise.
    fn mul_sub(self, factor: Self, less: Self) -> Self;
    /// Returns `from - self * factor`, rounded likewise.
    fn neg_mul_add(self, factor: Self, from: Self) -> Self;
    /// Returns the square root, correctly rounded.
    fn sqrt(self) -> Self;
    /// Returns one divided by the square root, to a few units in the last place.
    fn inverse_sqrt(self) -> Self;
    /// Returns the absolute value.
    fn abs(self) -> Self;
    /// Returns the larger number.
    fn max(self, other: Self) -> Self;
    /// Returns true in lanes where `self` is smaller; false for a NaN.
    fn lt(self, other: Self) -> Self::Mask;
    /// Selects `yes` in lanes where the mask is true, else `no`.
    fn select(mask: Self::Mask, yes: Self, no: Self) -> Self;
    /// Returns true in lanes where both are true.
    fn both(a: Self::Mask, b: Self::Mask) -> Self::Mask;
    /// Returns a bit for each float, the first lowest.
    fn bits(mask: Self::Mask) -> u32;
    /// Writes the floats to `row` from index `at` on.
    fn store(self, row: &mut Row, at: usize);
    /// Writes triples one after the other.
    fn store3(xyz: [Self; 3], out: &mut [[f32; 3]]);
    /// Writes quadruples one after the other.
    fn store4(xyzw: [Self; 4], out: &mut [[f32; 4]]);
}

/// A token for a set of instructions that this processor supports; makes vectors.
pub trait Simd: Copy {
    /// The vector type.
    type V: Vector;
    /// Sixteen floats of one vertex or joint.
    type Wide: Copy;
    /// A row of sixteen floats to multiply with whole vectors.
    type Spread: Copy;
    /// Memory for [`MAX_SPREAD`] spread rows, unless they are read in place.
    type Room;
    /// Zeroed memory.
    const ROOM: Self::Room;
    /// The number of floats in a vector; divides [`ROW`].
    const LANES: usize;
    /// True if it is worth compiling the fused arithmetic for.
    const FUSES: bool;
    /// Runs a task in a separate function, compiled for these instructions.
    fn run<T: Task<Self>>(self, task: T);
    /// Returns the same float in every lane.
    fn splat(self, number: f32) -> Self::V;
    /// Prepares rows for [`Simd::number`], at most [`MAX_SPREAD`] of them.
    fn spread<'a>(self, rows: &'a [[f32; ROW]], room: &'a mut Self::Room) -> &'a [Self::Spread];
    /// Returns float `at` of a row, in every lane.
    fn number(self, row: &Self::Spread, at: usize) -> Self::V;
    /// Returns the floats of `row` from index `at` on.
    fn load(self, row: &Row, at: usize) -> Self::V;
    /// Transposes as many quadruples as a vector has floats into four vectors.
    fn transpose<'a>(self, quad: impl Fn(usize) -> &'a [f32; 4]) -> [Self::V; 4];
    /// Returns sixteen zeros.
    fn wide_zero(self) -> Self::Wide;
    /// Returns `sum + row * factor`; rounded once if `FUSED` allows and the processor can.
    fn wide_add_scaled<const FUSED: bool>(self, sum: Self::Wide, row: &[f32; ROW], factor: f32)
    -> Self::Wide;
    /// Returns `sum + row * factor`, with one factor for the first eight floats and one for the others; rounded likewise.
    fn wide_add<const FUSED: bool>(
        self,
        sum: Self::Wide,
        row: &[f32; ROW],
        first: f32,
        second: f32,
    ) -> Self::Wide;
    /// Writes the floats to `row`.
    fn wide_store(self, wide: Self::Wide, row: &mut Row);
}

/// Work to be compiled for a set of instructions.
pub trait Task<S> {
    /// Runs the task. This and all its calls on vectors must be `inline(always)`, to be compiled for `S`. A closure over
    /// vectors is not: the compiler may keep it, and `array::map` around it, as a function without the instructions.
    fn run(self, simd: S);
}
