//! Vectors of four floats, for every processor: `glam`'s, with the target's instructions (SSE2, NEON), or plain floats.

use super::vector::{MAX_SPREAD, ROW, Row, Simd, Task, Vector};
use glam::{BVec4A, Mat4, Vec4};
use std::ops::{Add, Div, Mul, Neg, Sub};

/// Four numbers.
#[derive(Clone, Copy)]
pub struct F4(Vec4);

/// The token for [`F4`]; every processor supports it.
#[derive(Clone, Copy)]
pub struct Portable;

macro_rules! operators {
    ($($trait:ident $name:ident $sign:tt),*) => {
        $(impl $trait for F4 {
            type Output = Self;
            #[inline(always)]
            fn $name(self, other: Self) -> Self {
                Self(self.0 $sign other.0)
            }
        })*
    };
}
operators!(Add add +, Sub sub -, Mul mul *, Div div /);

impl Neg for F4 {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

/// Returns four vectors as one quadruple per lane.
#[inline(always)]
fn quads([x, y, z, w]: [F4; 4]) -> [[f32; 4]; 4] {
    Mat4::from_cols(x.0, y.0, z.0, w.0).transpose().to_cols_array_2d()
}

impl Vector for F4 {
    type Mask = BVec4A;

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
        Self(self.0.sqrt())
    }

    #[inline(always)]
    fn inverse_sqrt(self) -> Self {
        Self(self.0.sqrt().recip())
    }

    #[inline(always)]
    fn abs(self) -> Self {
        Self(self.0.abs())
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        Self(self.0.max(other.0))
    }

    #[inline(always)]
    fn lt(self, other: Self) -> BVec4A {
        self.0.cmplt(other.0)
    }

    #[inline(always)]
    fn select(mask: BVec4A, yes: Self, no: Self) -> Self {
        Self(Vec4::select(mask, yes.0, no.0))
    }

    #[inline(always)]
    fn both(a: BVec4A, b: BVec4A) -> BVec4A {
        a & b
    }

    #[inline(always)]
    fn bits(mask: BVec4A) -> u32 {
        mask.bitmask()
    }

    #[inline(always)]
    fn store(self, row: &mut Row, at: usize) {
        self.0.write_to_slice(&mut row.0[at..at + 4]);
    }

    #[inline(always)]
    fn store3([x, y, z]: [Self; 3], out: &mut [[f32; 3]]) {
        let out = out.as_flattened_mut().first_chunk_mut::<12>().expect("four triples need room");
        let [a, b, c, [x, y, z, _]] = quads([x, y, z, z]);
        // The next triple overwrites the number after this one.
        out[0..4].copy_from_slice(&a);
        out[3..7].copy_from_slice(&b);
        out[6..10].copy_from_slice(&c);
        out[9..12].copy_from_slice(&[x, y, z]);
    }

    #[inline(always)]
    fn store4(xyzw: [Self; 4], out: &mut [[f32; 4]]) {
        out.iter_mut().zip(quads(xyzw)).for_each(|(out, quad)| *out = quad);
    }
}

impl Simd for Portable {
    type V = F4;
    type Wide = [F4; 4];
    // Copying a float to all lanes takes as long as multiplying by it.
    type Spread = [F4; ROW];
    type Room = [[F4; ROW]; MAX_SPREAD];
    const ROOM: Self::Room = [[F4(Vec4::ZERO); ROW]; MAX_SPREAD];
    const LANES: usize = 4;
    // Processors with x86-64 but without AVX2 are rare; the twin's arithmetic keeps the same bounds.
    const FUSES: bool = cfg!(not(target_arch = "x86_64"));

    #[inline(never)]
    fn run<T: Task<Self>>(self, task: T) {
        task.run(self);
    }

    #[inline(always)]
    fn splat(self, number: f32) -> F4 {
        F4(Vec4::splat(number))
    }

    #[inline(always)]
    fn spread<'a>(self, rows: &'a [[f32; ROW]], room: &'a mut Self::Room) -> &'a [Self::Spread] {
        for (row, out) in rows.iter().zip(room.iter_mut()) {
            *out = row.map(|number| self.splat(number));
        }
        &room[..rows.len().min(MAX_SPREAD)]
    }

    #[inline(always)]
    fn number(self, row: &[F4; ROW], at: usize) -> F4 {
        row[at]
    }

    #[inline(always)]
    fn load(self, row: &Row, at: usize) -> F4 {
        F4(Vec4::from_slice(&row.0[at..at + 4]))
    }

    #[inline(always)]
    fn transpose<'a>(self, quad: impl Fn(usize) -> &'a [f32; 4]) -> [F4; 4] {
        let columns = Mat4::from_cols_array_2d(&[*quad(0), *quad(1), *quad(2), *quad(3)]).transpose();
        [F4(columns.x_axis), F4(columns.y_axis), F4(columns.z_axis), F4(columns.w_axis)]
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
        let (first, second) = (self.splat(first), self.splat(second));
        let quarter = |i: usize| F4(Vec4::from_slice(&row[i * 4..i * 4 + 4]));
        let [a, b, c, d] = sum;
        [a + quarter(0) * first, b + quarter(1) * first, c + quarter(2) * second, d + quarter(3) * second]
    }

    #[inline(always)]
    fn wide_store(self, wide: [F4; 4], row: &mut Row) {
        for (i, quarter) in wide.into_iter().enumerate() {
            quarter.store(row, i * 4);
        }
    }
}
