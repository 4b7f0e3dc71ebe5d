//! AVX-512 and AVX2 as [vectors](super::vector), found at run time.
//!
//! All of the fast path's `unsafe` is here, for three reasons:
//! - *Instructions that a processor may lack.* A vector type has no public constructor: values come from a token ([`Avx2`],
//!   [`Avx512`]), and only detection creates tokens, so the existence of a token proves support. That makes the arithmetic
//!   safe to call everywhere else.
//! - *Loads and stores through pointers*, each below a slice whose length was just checked.
//! - *Items by index*, with indices that are compared with the length together instead of one by one (`Checked`).
#![allow(unsafe_code, reason = "SIMD intrinsics; see above for what makes them safe")]

use super::vector::{ROW, Row, Simd};

#[cfg(target_arch = "x86_64")]
pub use x86::{Avx2, Avx512};

/// Computes for each vertex of a block the sum of its rows times its weights; rounded once per product if `FUSED` allows and
/// the processor can. A row is given by the number of its first float. Returns `None`, without sums, if one does not exist.
#[inline(always)]
pub fn sum_rows<S: Simd, const FUSED: bool, const K: usize>(
    simd: S,
    rows: &[[f32; ROW]],
    firsts: &[[u32; ROW]; K],
    weights: &[Row; K],
    sums: &mut [Row; ROW],
) -> Option<()> {
    let floats = rows.as_flattened();
    // One comparison for all; a comparison and a jump for each would be a third of the work.
    let largest = firsts.as_flattened().iter().fold(0, |largest, &first| first.max(largest));
    if (largest as usize).checked_add(ROW)? > floats.len() {
        return None;
    }
    let row = |influence: usize, lane: usize| -> &[f32; ROW] {
        let first = firsts[influence][lane] as usize;
        // SAFETY: as many floats follow the largest of these numbers.
        unsafe { &*floats.as_ptr().add(first).cast() }
    };
    for (lane, out) in sums.iter_mut().enumerate() {
        let mut sum = simd.wide_zero();
        for (influence, weights) in weights.iter().enumerate() {
            sum = simd.wide_add_scaled::<FUSED>(sum, row(influence, lane), weights.0[lane]);
        }
        simd.wide_store(sum, out);
    }
    Some(())
}

/// Copies the triples at some places, one after the other. Does nothing if one of the places does not exist, or is the last.
#[inline(never)]
pub fn pick3(from: &[[f32; 3]], places: &[u16], out: &mut [[f32; 3]]) {
    // One load reads the number after a triple, too.
    let Some((_, all_but_last)) = from.split_last() else { return };
    let Some(picked) = Checked::of(all_but_last, places) else { return };
    // SAFETY: `picked` has compared the largest of the places with the last but one, so four numbers begin at each.
    let quad =
        |place: u16| unsafe { from.as_ptr().add(usize::from(place)).cast::<[f32; 4]>().read_unaligned() };
    let count = places.len().min(out.len());
    let (fours, _) = places[..count].as_chunks::<4>();
    let (rooms, rest) = out[..count].as_chunks_mut::<4>();
    for (room, four) in rooms.iter_mut().zip(fours) {
        let four = four.map(quad);
        #[cfg(target_arch = "x86_64")]
        x86::four_triples(&four, bytemuck::cast_mut(room));
        #[cfg(not(target_arch = "x86_64"))]
        room.iter_mut().zip(four).for_each(|(room, [x, y, z, _])| *room = [x, y, z]);
    }
    rest.iter_mut().zip(count / 4 * 4..).for_each(|(room, nth)| *room = *picked.item(nth));
}

/// Copies the quadruples at some places, one after the other. Does nothing if one of the places does not exist.
#[inline(never)]
pub fn pick4(from: &[[f32; 4]], places: &[u16], out: &mut [[f32; 4]]) {
    let Some(picked) = Checked::of(from, places) else { return };
    out.iter_mut().zip(0..places.len()).for_each(|(room, nth)| *room = *picked.item(nth));
}

/// Items, and indices of items that all exist.
struct Checked<'a, T> {
    items: &'a [T],
    numbers: &'a [u16],
}

impl<'a, T> Checked<'a, T> {
    /// Checks all by one comparison.
    #[inline(always)]
    fn of(items: &'a [T], numbers: &'a [u16]) -> Option<Self> {
        let largest = numbers.iter().fold(0, |largest, &number| number.max(largest));
        (usize::from(largest) < items.len()).then_some(Self { items, numbers })
    }

    /// Returns the item of the `nth` index.
    #[inline(always)]
    fn item(&self, nth: usize) -> &'a T {
        let number = usize::from(self.numbers[nth]);
        // SAFETY: `of` has compared the largest of the indices, and they are borrowed immutably for as long as this lives.
        unsafe { self.items.get_unchecked(number) }
    }
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use crate::vectors::vector::{ROW, Row, Simd, Task, Vector};
    use std::arch::x86_64::*;
    use std::ops::{Add, Div, Mul, Neg, Sub};

    /// Proof of AVX2 and FMA.
    #[derive(Clone, Copy)]
    pub struct Avx2(());

    /// Proof of AVX-512F.
    #[derive(Clone, Copy)]
    pub struct Avx512(());

    /// Eight numbers.
    #[derive(Clone, Copy)]
    pub struct F8(__m256);

    /// Sixteen numbers.
    #[derive(Clone, Copy)]
    pub struct F16(__m512);

    impl Avx2 {
        /// Returns the token, if this processor has the instructions.
        pub fn detect() -> Option<Self> {
            (is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma")).then_some(Self(()))
        }
    }

    impl Avx512 {
        /// Returns the token, if this processor has the instructions.
        pub fn detect() -> Option<Self> {
            let fma = is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma");
            (fma && is_x86_feature_detected!("avx512f")).then_some(Self(()))
        }
    }

    macro_rules! operators {
        ($vector:ident: $($trait:ident $name:ident $intrinsic:ident),*; $xor:expr) => {
            $(impl $trait for $vector {
                type Output = Self;
                #[inline(always)]
                fn $name(self, other: Self) -> Self {
                    // SAFETY: there is no value of this type without its token.
                    Self(unsafe { $intrinsic(self.0, other.0) })
                }
            })*
            impl Neg for $vector {
                type Output = Self;
                #[inline(always)]
                fn neg(self) -> Self {
                    // SAFETY: there is no value of this type without its token.
                    Self(unsafe { $xor(self.0) })
                }
            }
        };
    }
    operators!(F8: Add add _mm256_add_ps, Sub sub _mm256_sub_ps, Mul mul _mm256_mul_ps, Div div _mm256_div_ps;
        |v| _mm256_xor_ps(v, _mm256_set1_ps(-0.0)));
    operators!(F16: Add add _mm512_add_ps, Sub sub _mm512_sub_ps, Mul mul _mm512_mul_ps, Div div _mm512_div_ps;
        |v| _mm512_castsi512_ps(_mm512_xor_si512(_mm512_castps_si512(v), _mm512_set1_epi32(i32::MIN))));

    /// Returns as many floats as a vector has, from `at` on.
    #[inline(always)]
    fn part<const N: usize>(row: &Row, at: usize) -> &[f32; N] {
        assert!(at.is_multiple_of(N) && at + N <= ROW, "a vector must lie within its row");
        // SAFETY: the slice was just checked to have `at + N` numbers.
        unsafe { &*row.0.as_ptr().add(at).cast() }
    }

    /// Returns [`part`], mutable.
    #[inline(always)]
    fn part_mut<const N: usize>(row: &mut Row, at: usize) -> &mut [f32; N] {
        assert!(at.is_multiple_of(N) && at + N <= ROW, "a vector must lie within its row");
        // SAFETY: the slice was just checked to have `at + N` numbers.
        unsafe { &mut *row.0.as_mut_ptr().add(at).cast() }
    }

    /// Runs one step of Newton's method for 1/√x; it doubles the digits of the processor's estimate (11 or 14 bits).
    #[inline(always)]
    fn newton<V: Vector>(x: V, estimate: V, one: V, half: V) -> V {
        let error = (x * estimate).neg_mul_add(estimate, one);
        (estimate * half).mul_add(error, estimate)
    }

    impl Vector for F8 {
        type Mask = __m256;

        #[inline(always)]
        fn mul_add(self, factor: Self, sum: Self) -> Self {
            // SAFETY: there is no value of this type without its token; so throughout this block.
            Self(unsafe { _mm256_fmadd_ps(self.0, factor.0, sum.0) })
        }

        #[inline(always)]
        fn mul_sub(self, factor: Self, less: Self) -> Self {
            // SAFETY: as above.
            Self(unsafe { _mm256_fmsub_ps(self.0, factor.0, less.0) })
        }

        #[inline(always)]
        fn neg_mul_add(self, factor: Self, from: Self) -> Self {
            // SAFETY: as above.
            Self(unsafe { _mm256_fnmadd_ps(self.0, factor.0, from.0) })
        }

        #[inline(always)]
        fn sqrt(self) -> Self {
            // SAFETY: as above.
            Self(unsafe { _mm256_sqrt_ps(self.0) })
        }

        #[inline(always)]
        fn inverse_sqrt(self) -> Self {
            // SAFETY: as above.
            unsafe {
                newton(
                    self,
                    Self(_mm256_rsqrt_ps(self.0)),
                    Self(_mm256_set1_ps(1.0)),
                    Self(_mm256_set1_ps(0.5)),
                )
            }
        }

        #[inline(always)]
        fn abs(self) -> Self {
            // SAFETY: as above.
            Self(unsafe { _mm256_andnot_ps(_mm256_set1_ps(-0.0), self.0) })
        }

        #[inline(always)]
        fn max(self, other: Self) -> Self {
            // SAFETY: as above.
            Self(unsafe { _mm256_max_ps(self.0, other.0) })
        }

        #[inline(always)]
        fn lt(self, other: Self) -> __m256 {
            // SAFETY: as above.
            unsafe { _mm256_cmp_ps::<_CMP_LT_OQ>(self.0, other.0) }
        }

        #[inline(always)]
        fn select(mask: __m256, yes: Self, no: Self) -> Self {
            // SAFETY: as above.
            Self(unsafe { _mm256_blendv_ps(no.0, yes.0, mask) })
        }

        #[inline(always)]
        fn both(a: __m256, b: __m256) -> __m256 {
            // SAFETY: masks come from comparing vectors.
            unsafe { _mm256_and_ps(a, b) }
        }

        #[inline(always)]
        fn bits(mask: __m256) -> u32 {
            // SAFETY: masks come from comparing vectors.
            unsafe { _mm256_movemask_ps(mask) as u32 }
        }

        #[inline(always)]
        fn store(self, row: &mut Row, at: usize) {
            // SAFETY: `part_mut` gives room for eight numbers.
            unsafe { _mm256_storeu_ps(part_mut::<8>(row, at).as_mut_ptr(), self.0) }
        }

        #[inline(always)]
        fn store3([x, y, z]: [Self; 3], out: &mut [[f32; 3]]) {
            let out = out.as_flattened_mut();
            assert!(out.len() >= 24, "eight triples need room");
            // SAFETY: the length was just checked to hold 24 numbers. In comments a bar parts the 128-bit
            // halves.
            unsafe {
                let xy = _mm256_shuffle_ps::<0x88>(x.0, y.0); // x0 x2 y0 y2 | x4 x6 y4 y6
                let yz = _mm256_shuffle_ps::<0xDD>(y.0, z.0); // y1 y3 z1 z3 | y5 y7 z5 z7
                let zx = _mm256_shuffle_ps::<0xD8>(z.0, x.0); // z0 z2 x1 x3 | z4 z6 x5 x7
                let a = _mm256_shuffle_ps::<0x88>(xy, zx); // x0 y0 z0 x1 | x4 y4 z4 x5
                let b = _mm256_shuffle_ps::<0xD8>(yz, xy); // y1 z1 x2 y2 | y5 z5 x6 y6
                let c = _mm256_shuffle_ps::<0xDD>(zx, yz); // z2 x3 y3 z3 | z6 x7 y7 z7
                let start = out.as_mut_ptr();
                _mm256_storeu_ps(start, _mm256_permute2f128_ps::<0x20>(a, b));
                _mm256_storeu_ps(start.add(8), _mm256_permute2f128_ps::<0x30>(c, a));
                _mm256_storeu_ps(start.add(16), _mm256_permute2f128_ps::<0x31>(b, c));
            }
        }

        #[inline(always)]
        fn store4(xyzw: [Self; 4], out: &mut [[f32; 4]]) {
            let out = out.as_flattened_mut();
            assert!(out.len() >= 32, "eight quadruples need room");
            let [a, b, c, d] = transpose_quarters_256(xyzw); // vertices 0|4, 1|5, 2|6, 3|7
            // SAFETY: the length was just checked to hold 32 numbers.
            unsafe {
                let start = out.as_mut_ptr();
                _mm256_storeu_ps(start, _mm256_permute2f128_ps::<0x20>(a.0, b.0));
                _mm256_storeu_ps(start.add(8), _mm256_permute2f128_ps::<0x20>(c.0, d.0));
                _mm256_storeu_ps(start.add(16), _mm256_permute2f128_ps::<0x31>(a.0, b.0));
                _mm256_storeu_ps(start.add(24), _mm256_permute2f128_ps::<0x31>(c.0, d.0));
            }
        }
    }

    /// Transposes the 4×4 numbers in each 128 bits.
    #[inline(always)]
    fn transpose_quarters_256([a, b, c, d]: [F8; 4]) -> [F8; 4] {
        // SAFETY: there is no value of this type without its token.
        unsafe {
            let (ab_low, ab_high) = (_mm256_unpacklo_ps(a.0, b.0), _mm256_unpackhi_ps(a.0, b.0));
            let (cd_low, cd_high) = (_mm256_unpacklo_ps(c.0, d.0), _mm256_unpackhi_ps(c.0, d.0));
            [
                F8(_mm256_shuffle_ps::<0x44>(ab_low, cd_low)),
                F8(_mm256_shuffle_ps::<0xEE>(ab_low, cd_low)),
                F8(_mm256_shuffle_ps::<0x44>(ab_high, cd_high)),
                F8(_mm256_shuffle_ps::<0xEE>(ab_high, cd_high)),
            ]
        }
    }

    /// Implements reading a float and copying it to all lanes by one instruction.
    macro_rules! numbers_in_place {
        () => {
            type Spread = [f32; ROW];
            type Room = ();
            const ROOM: () = ();

            #[inline(always)]
            fn spread<'a>(self, rows: &'a [[f32; ROW]], _room: &'a mut ()) -> &'a [[f32; ROW]] {
                rows
            }

            #[inline(always)]
            fn number(self, row: &[f32; ROW], at: usize) -> Self::V {
                self.splat(row[at])
            }
        };
    }

    /// Copies the first three of each quadruple's numbers next to each other.
    #[inline(always)]
    pub fn four_triples(quads: &[[f32; 4]; 4], out: &mut [[f32; 4]; 3]) {
        // SAFETY: SSE is part of x86-64, and each quadruple has four numbers.
        unsafe {
            let [a, b, c, d] = quads.each_ref().map(|quad| _mm_loadu_ps(quad.as_ptr()));
            let z_of_a_x_of_b = _mm_shuffle_ps::<0x0A>(a, b); // a2 a2 b0 b0
            let z_of_c_x_of_d = _mm_shuffle_ps::<0x0A>(c, d); // c2 c2 d0 d0
            _mm_storeu_ps(out[0].as_mut_ptr(), _mm_shuffle_ps::<0x84>(a, z_of_a_x_of_b)); // a0 a1 a2 b0
            _mm_storeu_ps(out[1].as_mut_ptr(), _mm_shuffle_ps::<0x49>(b, c)); // b1 b2 c0 c1
            _mm_storeu_ps(out[2].as_mut_ptr(), _mm_shuffle_ps::<0x98>(z_of_c_x_of_d, d)); // c2 d0 d1 d2
        }
    }

    impl Simd for Avx2 {
        type V = F8;
        type Wide = (F8, F8);
        numbers_in_place!();
        const LANES: usize = 8;
        const FUSES: bool = true;

        #[inline(always)]
        fn run<T: Task<Self>>(self, task: T) {
            #[target_feature(enable = "avx2,fma")]
            #[inline(never)]
            fn compiled_for_it<T: Task<Avx2>>(simd: Avx2, task: T) {
                task.run(simd);
            }
            // SAFETY: the token proves that the processor has the instructions this function is compiled for.
            unsafe { compiled_for_it(self, task) }
        }

        #[inline(always)]
        fn splat(self, number: f32) -> F8 {
            // SAFETY: the token proves that the processor has AVX; so throughout this block.
            F8(unsafe { _mm256_set1_ps(number) })
        }

        #[inline(always)]
        fn load(self, row: &Row, at: usize) -> F8 {
            // SAFETY: as above, and `part` has eight numbers.
            F8(unsafe { _mm256_loadu_ps(part::<8>(row, at).as_ptr()) })
        }

        #[inline(always)]
        fn transpose<'a>(self, quad: impl Fn(usize) -> &'a [f32; 4]) -> [F8; 4] {
            let mut halves = [self.splat(0.0); 4];
            for (i, half) in halves.iter_mut().enumerate() {
                // SAFETY: as above; each quadruple has four numbers.
                *half = F8(unsafe {
                    let low = _mm256_castps128_ps256(_mm_loadu_ps(quad(i).as_ptr()));
                    _mm256_insertf128_ps::<1>(low, _mm_loadu_ps(quad(i + 4).as_ptr()))
                });
            }
            transpose_quarters_256(halves)
        }

        #[inline(always)]
        fn wide_zero(self) -> (F8, F8) {
            (self.splat(0.0), self.splat(0.0))
        }

        #[inline(always)]
        fn wide_add_scaled<const FUSED: bool>(
            self,
            sum: (F8, F8),
            row: &[f32; ROW],
            factor: f32,
        ) -> (F8, F8) {
            self.wide_add::<FUSED>(sum, row, factor, factor)
        }

        #[inline(always)]
        fn wide_add<const FUSED: bool>(
            self,
            sum: (F8, F8),
            row: &[f32; ROW],
            first: f32,
            second: f32,
        ) -> (F8, F8) {
            // SAFETY: as above; the row has sixteen numbers.
            let (low, high) =
                unsafe { (F8(_mm256_loadu_ps(row.as_ptr())), F8(_mm256_loadu_ps(row.as_ptr().add(8)))) };
            let (first, second) = (self.splat(first), self.splat(second));
            if FUSED {
                (low.mul_add(first, sum.0), high.mul_add(second, sum.1))
            } else {
                (sum.0 + low * first, sum.1 + high * second)
            }
        }

        #[inline(always)]
        fn wide_store(self, wide: (F8, F8), row: &mut Row) {
            wide.0.store(row, 0);
            wide.1.store(row, 8);
        }
    }

    /// The sources of 48 floats when x and y (step 0), then z (step 1), are interleaved into triples: an index into the
    /// first operand, or 16 + an index into the second.
    const TRIPLES: [[[i32; 16]; 2]; 3] = {
        let mut places = [[[0; 16]; 2]; 3];
        let mut i = 0;
        while i < 48 {
            let (part, lane, vertex) = (i / 16, i % 16, (i / 3) as i32);
            places[part][0][lane] = match i % 3 {
                0 => vertex,
                1 => 16 + vertex,
                _ => 0, // filled in step 1
            };
            places[part][1][lane] = if i % 3 == 2 { 16 + vertex } else { lane as i32 };
            i += 1;
        }
        places
    };

    /// The sources for pairs of single floats, and for quadruples of such pairs.
    const PAIRS: [[i32; 16]; 2] = {
        let mut places = [[0; 16]; 2];
        let mut i = 0;
        while i < 32 {
            places[i / 16][i % 16] = (i / 2 + 16 * (i % 2)) as i32;
            i += 1;
        }
        places
    };
    const QUADRUPLES: [[i32; 16]; 2] = {
        let mut places = [[0; 16]; 2];
        let mut i = 0;
        while i < 32 {
            let (vertex, component) = (i / 4, i % 4);
            places[i / 16][i % 16] = (vertex * 2 + component % 2 + 16 * (component / 2)) as i32;
            i += 1;
        }
        places
    };

    /// Picks sixteen of two vectors' 32 numbers.
    #[inline(always)]
    fn pick(a: F16, places: &[i32; 16], b: F16) -> F16 {
        // SAFETY: there is no value of this type without its token; there are sixteen places.
        F16(unsafe { _mm512_permutex2var_ps(a.0, _mm512_loadu_si512(places.as_ptr().cast()), b.0) })
    }

    impl Vector for F16 {
        type Mask = __mmask16;

        #[inline(always)]
        fn mul_add(self, factor: Self, sum: Self) -> Self {
            // SAFETY: there is no value of this type without its token; so throughout this block.
            Self(unsafe { _mm512_fmadd_ps(self.0, factor.0, sum.0) })
        }

        #[inline(always)]
        fn mul_sub(self, factor: Self, less: Self) -> Self {
            // SAFETY: as above.
            Self(unsafe { _mm512_fmsub_ps(self.0, factor.0, less.0) })
        }

        #[inline(always)]
        fn neg_mul_add(self, factor: Self, from: Self) -> Self {
            // SAFETY: as above.
            Self(unsafe { _mm512_fnmadd_ps(self.0, factor.0, from.0) })
        }

        #[inline(always)]
        fn sqrt(self) -> Self {
            // SAFETY: as above.
            Self(unsafe { _mm512_sqrt_ps(self.0) })
        }

        #[inline(always)]
        fn inverse_sqrt(self) -> Self {
            // SAFETY: as above.
            unsafe {
                newton(
                    self,
                    Self(_mm512_rsqrt14_ps(self.0)),
                    Self(_mm512_set1_ps(1.0)),
                    Self(_mm512_set1_ps(0.5)),
                )
            }
        }

        #[inline(always)]
        fn abs(self) -> Self {
            // SAFETY: as above.
            Self(unsafe { _mm512_abs_ps(self.0) })
        }

        #[inline(always)]
        fn max(self, other: Self) -> Self {
            // SAFETY: as above.
            Self(unsafe { _mm512_max_ps(self.0, other.0) })
        }

        #[inline(always)]
        fn lt(self, other: Self) -> __mmask16 {
            // SAFETY: as above.
            unsafe { _mm512_cmp_ps_mask::<_CMP_LT_OQ>(self.0, other.0) }
        }

        #[inline(always)]
        fn select(mask: __mmask16, yes: Self, no: Self) -> Self {
            // SAFETY: as above.
            Self(unsafe { _mm512_mask_blend_ps(mask, no.0, yes.0) })
        }

        #[inline(always)]
        fn both(a: __mmask16, b: __mmask16) -> __mmask16 {
            a & b
        }

        #[inline(always)]
        fn bits(mask: __mmask16) -> u32 {
            u32::from(mask)
        }

        #[inline(always)]
        fn store(self, row: &mut Row, at: usize) {
            // SAFETY: `part_mut` gives room for sixteen numbers.
            unsafe { _mm512_storeu_ps(part_mut::<16>(row, at).as_mut_ptr(), self.0) }
        }

        #[inline(always)]
        fn store3([x, y, z]: [Self; 3], out: &mut [[f32; 3]]) {
            let out = out.as_flattened_mut();
            assert!(out.len() >= 48, "sixteen triples need room");
            for (places, out) in TRIPLES.iter().zip(out.chunks_exact_mut(16)) {
                let triples = pick(pick(x, &places[0], y), &places[1], z);
                // SAFETY: the chunk has room for sixteen numbers.
                unsafe { _mm512_storeu_ps(out.as_mut_ptr(), triples.0) };
            }
        }

        #[inline(always)]
        fn store4([x, y, z, w]: [Self; 4], out: &mut [[f32; 4]]) {
            let out = out.as_flattened_mut();
            assert!(out.len() >= 64, "sixteen quadruples need room");
            let start = out.as_mut_ptr();
            for (half, places) in PAIRS.iter().enumerate() {
                let (xy, zw) = (pick(x, places, y), pick(z, places, w));
                for (quarter, places) in QUADRUPLES.iter().enumerate() {
                    // SAFETY: these are sixteen of the 64 numbers that were just checked to fit.
                    unsafe { _mm512_storeu_ps(start.add(half * 32 + quarter * 16), pick(xy, places, zw).0) };
                }
            }
        }
    }

    /// Transposes the 4×4 numbers in each 128 bits.
    #[inline(always)]
    fn transpose_quarters_512([a, b, c, d]: [F16; 4]) -> [F16; 4] {
        // SAFETY: there is no value of this type without its token.
        unsafe {
            let (ab_low, ab_high) = (_mm512_unpacklo_ps(a.0, b.0), _mm512_unpackhi_ps(a.0, b.0));
            let (cd_low, cd_high) = (_mm512_unpacklo_ps(c.0, d.0), _mm512_unpackhi_ps(c.0, d.0));
            [
                F16(_mm512_shuffle_ps::<0x44>(ab_low, cd_low)),
                F16(_mm512_shuffle_ps::<0xEE>(ab_low, cd_low)),
                F16(_mm512_shuffle_ps::<0x44>(ab_high, cd_high)),
                F16(_mm512_shuffle_ps::<0xEE>(ab_high, cd_high)),
            ]
        }
    }

    impl Simd for Avx512 {
        type V = F16;
        type Wide = F16;
        numbers_in_place!();
        const LANES: usize = 16;
        const FUSES: bool = true;

        #[inline(always)]
        fn run<T: Task<Self>>(self, task: T) {
            #[target_feature(enable = "avx512f,avx2,fma")]
            #[inline(never)]
            fn compiled_for_it<T: Task<Avx512>>(simd: Avx512, task: T) {
                task.run(simd);
            }
            // SAFETY: the token proves that the processor has the instructions this function is compiled for.
            unsafe { compiled_for_it(self, task) }
        }

        #[inline(always)]
        fn splat(self, number: f32) -> F16 {
            // SAFETY: the token proves that the processor has AVX-512F; so throughout this block.
            F16(unsafe { _mm512_set1_ps(number) })
        }

        #[inline(always)]
        fn load(self, row: &Row, at: usize) -> F16 {
            // SAFETY: as above, and `part` has sixteen numbers.
            F16(unsafe { _mm512_loadu_ps(part::<16>(row, at).as_ptr()) })
        }

        #[inline(always)]
        fn transpose<'a>(self, quad: impl Fn(usize) -> &'a [f32; 4]) -> [F16; 4] {
            let mut quarters = [self.splat(0.0); 4];
            for (i, quarter) in quarters.iter_mut().enumerate() {
                // SAFETY: as above; each quadruple has four numbers.
                *quarter = F16(unsafe {
                    let all = _mm512_castps128_ps512(_mm_loadu_ps(quad(i).as_ptr()));
                    let all = _mm512_insertf32x4::<1>(all, _mm_loadu_ps(quad(i + 4).as_ptr()));
                    let all = _mm512_insertf32x4::<2>(all, _mm_loadu_ps(quad(i + 8).as_ptr()));
                    _mm512_insertf32x4::<3>(all, _mm_loadu_ps(quad(i + 12).as_ptr()))
                });
            }
            transpose_quarters_512(quarters)
        }

        #[inline(always)]
        fn wide_zero(self) -> F16 {
            self.splat(0.0)
        }

        #[inline(always)]
        fn wide_add_scaled<const FUSED: bool>(self, sum: F16, row: &[f32; ROW], factor: f32) -> F16 {
            // SAFETY: as above; the row has sixteen numbers.
            let row = F16(unsafe { _mm512_loadu_ps(row.as_ptr()) });
            let factor = self.splat(factor);
            if FUSED { row.mul_add(factor, sum) } else { sum + row * factor }
        }

        #[inline(always)]
        fn wide_add<const FUSED: bool>(self, sum: F16, row: &[f32; ROW], first: f32, second: f32) -> F16 {
            // SAFETY: as above; the row has sixteen numbers.
            let row = F16(unsafe { _mm512_loadu_ps(row.as_ptr()) });
            let factor = F16::select(0x00FF, self.splat(first), self.splat(second));
            if FUSED { row.mul_add(factor, sum) } else { sum + row * factor }
        }

        #[inline(always)]
        fn wide_store(self, wide: F16, row: &mut Row) {
            wide.store(row, 0);
        }
    }
}
