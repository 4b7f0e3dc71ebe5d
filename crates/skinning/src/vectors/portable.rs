//! Vectors of four numbers as plain arrays, for every processor; the compiler turns them into the instructions
//! that the target is sure to have.

use super::vector::{ROW, Row, Simd, Task, Vector, place_in_quads};
use std::ops::{Add, Div, Mul, Neg, Sub};

/// Four numbers.
#[derive(Clone, Copy)]
pub struct F4([f32; 4]);

/// The token for [`F4`]; every processor has it.
#[derive(Clone, Copy)]
pub struct Portable;

macro_rules! lanes {
    ($i:ident => $value:expr) => {{
        let mut out = [Default::default(); 4];
        for $i in 0..4 {
            out[$i] = $value;
        }
        out
    }};
}

macro_rules! operators {
    ($($trait:ident $name:ident $sign:tt),*) => {
        $(impl $trait for F4 {
            type Output = Self;
            #[inline(always)]
            fn $name(self, other: Self) -> Self {
                Self(lanes!(i => self.0[i] $sign other.0[i]))
            }
        })*
    };
}
operators!(Add add +, Sub sub -, Mul mul *, Div div /);

impl Neg for F4 {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self(lanes!(i => -self.0[i]))
    }
}

impl Vector for F4 {
    /// All ones or all zeros.
    type Mask = [u32; 4];

    // Without fused multiplication in the target, `f32::mul_add` is a slow function call.
    #[inline(always)]
    fn mul_add(self, factor: Self, sum: Self) -> Self {
        sum + self * factor
    }

    #[inline(always)]
    fn mul_sub(self, factor: Self, less: Self) -> Self {
        self * factor - less
    }

    #[inline(always)]
    fn neg_mul_add(self, factor: Self, from: Self) -> Self {
        from - self * factor
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        Self(lanes!(i => self.0[i].sqrt()))
    }

    #[inline(always)]
    fn inverse_sqrt(self) -> Self {
        Self(lanes!(i => 1.0 / self.0[i].sqrt()))
    }

    #[inline(always)]
    fn abs(self) -> Self {
        Self(lanes!(i => self.0[i].abs()))
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        Self(lanes!(i => if self.0[i] > other.0[i] { self.0[i] } else { other.0[i] }))
    }

    #[inline(always)]
    fn lt(self, other: Self) -> [u32; 4] {
        lanes!(i => if self.0[i] < other.0[i] { u32::MAX } else { 0 })
    }

    #[inline(always)]
    fn select(mask: [u32; 4], yes: Self, no: Self) -> Self {
        Self(lanes!(i => f32::from_bits(mask[i] & yes.0[i].to_bits() | !mask[i] & no.0[i].to_bits())))
    }

    #[inline(always)]
    fn both(a: [u32; 4], b: [u32; 4]) -> [u32; 4] {
        lanes!(i => a[i] & b[i])
    }

    #[inline(always)]
    fn bits(mask: [u32; 4]) -> u32 {
        mask[0] & 1 | mask[1] & 2 | mask[2] & 4 | mask[3] & 8
    }

    #[inline(always)]
    fn store(self, row: &mut Row, at: usize) {
        row.0[at..at + 4].copy_from_slice(&self.0);
    }

    #[inline(always)]
    fn store3([x, y, z]: [Self; 3], out: &mut [[f32; 3]]) {
        for (i, out) in out.iter_mut().take(4).enumerate() {
            *out = [x.0[i], y.0[i], z.0[i]];
        }
    }

    #[inline(always)]
    fn store4([x, y, z, w]: [Self; 4], out: &mut [[f32; 4]]) {
        for (i, out) in out.iter_mut().take(4).enumerate() {
            *out = [x.0[i], y.0[i], z.0[i], w.0[i]];
        }
    }

    #[inline(always)]
    fn store_quads([x, y, z, w]: [Self; 4], out: &mut [[f32; 4]; ROW], at: usize) {
        for i in 0..4 {
            out[place_in_quads(at + i)] = [x.0[i], y.0[i], z.0[i], w.0[i]];
        }
    }
}

impl Simd for Portable {
    type V = F4;
    type Wide = [F4; 4];
    const LANES: usize = 4;

    #[inline(never)]
    fn run<T: Task<Self>>(self, task: T) {
        task.run(self);
    }

    #[inline(always)]
    fn splat(self, number: f32) -> F4 {
        F4([number; 4])
    }

    #[inline(always)]
    fn load(self, row: &Row, at: usize) -> F4 {
        F4(lanes!(i => row.0[at + i]))
    }

    #[inline(always)]
    fn transpose(self, quads: &[&[f32; 4]; ROW], at: usize) -> [F4; 4] {
        let [a, b, c, d] = [quads[at], quads[at + 1], quads[at + 2], quads[at + 3]];
        let mut out = [self.splat(0.0); 4];
        for (i, out) in out.iter_mut().enumerate() {
            *out = F4([a[i], b[i], c[i], d[i]]);
        }
        out
    }

    #[inline(always)]
    fn wide_zero(self) -> [F4; 4] {
        [self.splat(0.0); 4]
    }

    #[inline(always)]
    fn wide_add_scaled<const FUSED: bool>(self, sum: [F4; 4], row: &[f32; ROW], factor: f32) -> [F4; 4] {
        self.wide_add::<FUSED>(sum, row, factor, factor)
    }

    #[inline(always)]
    fn wide_add<const FUSED: bool>(self, sum: [F4; 4], row: &[f32; ROW], first: f32, second: f32) -> [F4; 4] {
        let mut out = sum;
        for (i, out) in out.iter_mut().enumerate() {
            let factor = self.splat(if i < 2 { first } else { second });
            *out = *out + F4(lanes!(lane => row[i * 4 + lane])) * factor;
        }
        out
    }

    #[inline(always)]
    fn wide_store(self, wide: [F4; 4], row: &mut Row) {
        for (i, quarter) in wide.into_iter().enumerate() {
            quarter.store(row, i * 4);
        }
    }
}
