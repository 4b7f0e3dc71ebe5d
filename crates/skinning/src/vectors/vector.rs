//! The vector traits that the fast path computes with, and the rows that they load from.

use std::ops::{Add, Div, Mul, Neg, Sub};

/// Sixteen numbers on one cache line: a vector of AVX-512, or several of a narrower one.
#[repr(C, align(64))]
#[derive(Clone, Copy, Debug)]
pub struct Row(pub [f32; ROW]);

/// How many vertices a block of the layout holds.
pub const ROW: usize = 16;

/// How many rows [`Simd::spread`] takes: as many as a vertex can have joints.
pub const MAX_SPREAD: usize = 16;

/// Where a vertex of a block is among the block's quadruples: the order in which exchanging rows and columns of four
/// vectors within their 128-bit parts leaves them.
pub const fn place_in_quads(lane: usize) -> usize {
    lane % 4 * 4 + lane / 4
}

/// Numbers computed side by side, one per vertex.
pub trait Vector:
    Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self> + Neg<Output = Self>
{
    /// A yes or no for each number.
    type Mask: Copy;
    /// `self * factor + sum`, rounded once where the processor can do that quickly.
    fn mul_add(self, factor: Self, sum: Self) -> Self;
    /// `self * factor - less`, likewise.
    fn mul_sub(self, factor: Self, less: Self) -> Self;
    /// `from - self * factor`, likewise.
    fn neg_mul_add(self, factor: Self, from: Self) -> Self;
    /// Square root, correctly rounded.
    fn sqrt(self) -> Self;
    /// One divided by the square root, to a few units in the last place.
    fn inverse_sqrt(self) -> Self;
    /// Absolute value.
    fn abs(self) -> Self;
    /// The larger number.
    fn max(self, other: Self) -> Self;
    /// True where `self` is smaller; false for a NaN.
    fn lt(self, other: Self) -> Self::Mask;
    /// `yes` where the mask says so, else `no`.
    fn select(mask: Self::Mask, yes: Self, no: Self) -> Self;
    /// True where both are.
    fn both(a: Self::Mask, b: Self::Mask) -> Self::Mask;
    /// A bit for each number, the first lowest.
    fn bits(mask: Self::Mask) -> u32;
    /// Writes the numbers to `row` from number `at` on.
    fn store(self, row: &mut Row, at: usize);
    /// Writes triples one after the other.
    fn store3(xyz: [Self; 3], out: &mut [[f32; 3]]);
    /// Writes quadruples one after the other.
    fn store4(xyzw: [Self; 4], out: &mut [[f32; 4]]);
    /// Writes quadruples of vertices from `at` on, each to its [`place_in_quads`].
    fn store_quads(xyzw: [Self; 4], out: &mut [[f32; 4]; ROW], at: usize);
}

/// A token for a set of instructions that this processor has; makes vectors.
pub trait Simd: Copy {
    /// Its vector type.
    type V: Vector;
    /// Sixteen numbers of one vertex or joint.
    type Wide: Copy;
    /// A row of sixteen numbers that are multiplied with whole vectors.
    type Spread: Copy;
    /// Memory for [`MAX_SPREAD`] of them, if they are not read where they are.
    type Room;
    /// Memory with zeros.
    const ROOM: Self::Room;
    /// How many numbers a vector has; divides [`ROW`].
    const LANES: usize;
    /// Runs a task in a function of its own, compiled for these instructions.
    fn run<T: Task<Self>>(self, task: T);
    /// The same number in every lane.
    fn splat(self, number: f32) -> Self::V;
    /// Makes rows ready for [`Simd::number`], at most [`MAX_SPREAD`] of them.
    fn spread<'a>(self, rows: &'a [[f32; ROW]], room: &'a mut Self::Room) -> &'a [Self::Spread];
    /// Number `at` of a row, in every lane.
    fn number(self, row: &Self::Spread, at: usize) -> Self::V;
    /// The numbers of `row` from number `at` on.
    fn load(self, row: &Row, at: usize) -> Self::V;
    /// Turns quadruples `at..at + LANES` into four vectors.
    fn transpose(self, quads: &[&[f32; 4]; ROW], at: usize) -> [Self::V; 4];
    /// Sixteen zeros.
    fn wide_zero(self) -> Self::Wide;
    /// `sum + row * factor`; rounded once where `FUSED` allows and the processor can.
    fn wide_add_scaled<const FUSED: bool>(self, sum: Self::Wide, row: &[f32; ROW], factor: f32)
    -> Self::Wide;
    /// `sum + row * factor`, with one factor for the first eight numbers and one for the others;
    /// rounded likewise.
    fn wide_add<const FUSED: bool>(
        self,
        sum: Self::Wide,
        row: &[f32; ROW],
        first: f32,
        second: f32,
    ) -> Self::Wide;
    /// Writes the numbers to `row`.
    fn wide_store(self, wide: Self::Wide, row: &mut Row);
}

/// Work to be compiled for a set of instructions.
pub trait Task<S> {
    /// Runs it. This and all that it calls on vectors must be `inline(always)`, to be compiled for `S`.
    fn run(self, simd: S);
}
