//! Moves vertices as *ddm* does: first the points of a window, side by side, then the vertices at them.

use super::arithmetic::{Affines, Arithmetic, ByMatrix, Cofactors, add3, load3, scale3, sub3};
use super::blend::Blend;
use super::own::numbers_of;
use super::terms::{Numbers, OfWindow, Points};
use super::turn::nearest_turns;
use crate::vectors::{ROW, Simd, Task, Vector};
use crate::{Slot, direct_delta_mush as ddm};
use std::marker::PhantomData;

/// The transforms of a window's points, by the rows of their matrices. A point whose translation is not finite is left to the
/// twin.
#[derive(Default)]
pub struct Motions([Vec<[f32; 4]>; 3]);

impl Motions {
    /// Nothing.
    pub const EMPTY: Self = Self([const { Vec::new() }; 3]);

    /// Computes the transforms of a window's points.
    #[inline(always)]
    pub fn set<A: Arithmetic, S: Simd>(&mut self, simd: S, window: &OfWindow, slots: &[Slot]) {
        let count = window.blocks.len() * ROW;
        for row in &mut self.0 {
            if row.len() < count {
                row.resize(count, [0.0; 4]);
            }
        }
        simd.run(SetAll { window, slots, rows: &mut self.0, arithmetic: PhantomData::<A> });
    }
}

struct SetAll<'a, A> {
    window: &'a OfWindow,
    slots: &'a [Slot],
    rows: &'a mut [Vec<[f32; 4]>; 3],
    arithmetic: PhantomData<A>,
}

impl<A: Arithmetic, S: Simd> Task<S> for SetAll<'_, A> {
    #[inline(always)]
    fn run(self, simd: S) {
        let Self { window, slots, rows: [x, y, z], .. } = self;
        for (number, points) in window.blocks.iter().enumerate() {
            for step in 0..ROW / S::LANES {
                let at = step * S::LANES;
                let b = motion::<A, S>(simd, window, points, slots, at);
                let from = number * ROW + at;
                for (row, out) in [&mut *x, &mut *y, &mut *z].into_iter().enumerate() {
                    let quad = [b.x[row], b.y[row], b.z[row], b.translation[row]];
                    S::V::store4(quad, &mut out[from..from + S::LANES]);
                }
            }
        }
    }
}

/// Computes [`ddm::blend`] side by side, for points `at..at + LANES`.
#[inline(always)]
fn motion<A: Arithmetic, S: Simd>(
    simd: S,
    window: &OfWindow,
    points: &Points,
    slots: &[Slot],
    at: usize,
) -> Affines<S::V> {
    let slot = |joint: u32| slots.get(joint as usize).unwrap_or(&ddm::NO_JOINT);
    let center = load3(simd, &points.centers, at);
    let mut firsts = [&ddm::NO_JOINT; ROW];
    for (first, joint) in firsts.iter_mut().zip(&points.firsts[at..at + S::LANES]) {
        *first = slot(*joint);
    }
    let x = simd.transpose(|lane| &firsts[lane].columns[0]);
    let y = simd.transpose(|lane| &firsts[lane].columns[1]);
    let z = simd.transpose(|lane| &firsts[lane].columns[2]);
    let b = matrices(&[x, y, z]);
    let instead = simd.transpose(|lane| &firsts[lane].columns[3]);
    let start = A::transform_position(&b, center);
    let zero = [simd.splat(0.0); 3];
    let mut sums = Sums { x: zero, y: zero, z: zero, q: zero };
    sums.add::<A, S>(simd, &b, sub3(start, start), &points.first, at);
    let joints = window.joints.get(points.others.clone()).unwrap_or(&[]);
    let others = window.terms.get(points.others.clone()).unwrap_or(&[]);
    for (joint, numbers) in joints.iter().zip(others) {
        let [x, y, z, _] = &slot(*joint).columns;
        let b = matrices(&[splat4(simd, x), splat4(simd, y), splat4(simd, z)]);
        let apart = sub3(A::transform_position(&b, center), start);
        sums.add::<A, S>(simd, &b, apart, numbers, at);
    }
    let [x, y, z] = nearest_turns::<A, S>(simd, [sums.x, sums.y, sums.z], instead);
    let turned = A::transform_linear([x, y, z], center);
    Affines { x, y, z, translation: add3(sub3(start, turned), sums.q) }
}

/// Makes matrices of their rows.
#[inline(always)]
fn matrices<V: Copy>(rows: &[[V; 4]; 3]) -> Affines<V> {
    Affines {
        x: numbers_of(rows, 0),
        y: numbers_of(rows, 1),
        z: numbers_of(rows, 2),
        translation: numbers_of(rows, 3),
    }
}

#[inline(always)]
fn splat4<S: Simd>(simd: S, [x, y, z, w]: &[f32; 4]) -> [S::V; 4] {
    [simd.splat(*x), simd.splat(*y), simd.splat(*z), simd.splat(*w)]
}

/// The sums of terms: `Q` by its columns, and `q`.
struct Sums<V> {
    x: [V; 3],
    y: [V; 3],
    z: [V; 3],
    q: [V; 3],
}

impl<V: Vector> Sums<V> {
    /// Adds terms of joints that move the centres so far apart from where the first joints do.
    #[inline(always)]
    fn add<A: Arithmetic, S: Simd<V = V>>(
        &mut self,
        simd: S,
        b: &Affines<V>,
        apart: [V; 3],
        numbers: &Numbers,
        at: usize,
    ) {
        let Numbers { products: [xx, yy, zz, yz, xz, xy], offset, weight } = numbers;
        let (xx, yy, zz) = (simd.load(xx, at), simd.load(yy, at), simd.load(zz, at));
        let (yz, xz, xy) = (simd.load(yz, at), simd.load(xz, at), simd.load(xy, at));
        let [x, y, z] = load3(simd, offset, at);
        self.x = add_along::<A, V>(self.x, b, apart, [xx, xy, xz], x);
        self.y = add_along::<A, V>(self.y, b, apart, [xy, yy, yz], y);
        self.z = add_along::<A, V>(self.z, b, apart, [xz, yz, zz], z);
        self.q = add_along::<A, V>(self.q, b, apart, [x, y, z], simd.load(weight, at));
    }
}

/// Returns `sum + b v + apart share`, in the twin's order unless fused.
#[inline(always)]
fn add_along<A: Arithmetic, V: Vector>(
    sum: [V; 3],
    b: &Affines<V>,
    apart: [V; 3],
    v: [V; 3],
    share: V,
) -> [V; 3] {
    if A::FUSED {
        let sum = A::add_scaled(A::add_scaled(sum, b.x, v[0]), b.y, v[1]);
        return A::add_scaled(A::add_scaled(sum, b.z, v[2]), apart, share);
    }
    let along = A::transform_linear([b.x, b.y, b.z], v);
    add3(sum, add3(along, scale3(apart, share)))
}

/// Vertices of a block that move with their points.
pub struct AtPoints<'a> {
    pub motions: &'a Motions,
    /// The places of their points.
    pub places: &'a [u16; ROW],
}

/// Rows of a vertex that only the twin can move.
const LEFT: [f32; 4] = [f32::NAN; 4];

impl<A: Arithmetic, S: Simd> Blend<A, S> for AtPoints<'_> {
    type Motion = ByMatrix<A, S::V>;
    type Room = ();
    const ROOM: () = ();

    #[inline(always)]
    fn motion(&self, simd: S, at: usize, _room: &mut ()) -> (Self::Motion, u32) {
        let places = &self.places[at..at + S::LANES];
        let [x, y, z] = &self.motions.0;
        let x = simd.transpose(|lane| x.get(usize::from(places[lane])).unwrap_or(&LEFT));
        let y = simd.transpose(|lane| y.get(usize::from(places[lane])).unwrap_or(&LEFT));
        let z = simd.transpose(|lane| z.get(usize::from(places[lane])).unwrap_or(&LEFT));
        let b = matrices(&[x, y, z]);
        let limit = simd.splat(f32::INFINITY);
        let [x, y, z] = b.translation;
        let usable = S::V::both(S::V::both(x.abs().lt(limit), y.abs().lt(limit)), z.abs().lt(limit));
        // The cofactors of a rotation are its own columns.
        let own = Cofactors { x: b.x, y: b.y, z: b.z, orientation: simd.splat(1.0) };
        (ByMatrix::new(b, A::FUSED.then_some(own)), S::V::bits(usable))
    }
}
