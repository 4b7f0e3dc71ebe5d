//! Moves vertices as *ddm* does: first the points of a window, side by side, then the vertices at them.

use super::arithmetic::{Affines, Arithmetic, ByMatrix, Cofactors, add3, load3, scale3, sub3};
use super::blend::Blend;
use super::own::numbers_of;
use super::terms::{OfWindow, Points, TermRow};
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
            let first = points.first as usize;
            let terms = window.terms.get(first..first + points.count as usize).unwrap_or(&[]);
            for step in 0..ROW / S::LANES {
                let at = step * S::LANES;
                let b = motion::<A, S>(simd, points, terms, slots, at);
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
    points: &Points,
    terms: &[TermRow],
    slots: &[Slot],
    at: usize,
) -> Affines<S::V> {
    let zero = [simd.splat(0.0); 3];
    let center = load3(simd, &points.centers, at);
    let (mut x, mut y, mut z, mut q) = (zero, zero, zero, zero);
    // Without terms, nothing moves.
    let mut start = center;
    let mut instead = [simd.splat(0.0), simd.splat(0.0), simd.splat(0.0), simd.splat(1.0)];
    for (number, term) in terms.iter().enumerate() {
        let joints = Joints::of::<S>(slots, term, at);
        let rows = [joints.column(simd, 0), joints.column(simd, 1), joints.column(simd, 2)];
        let b = Affines {
            x: numbers_of(&rows, 0),
            y: numbers_of(&rows, 1),
            z: numbers_of(&rows, 2),
            translation: numbers_of(&rows, 3),
        };
        let moved = A::transform_position(&b, center);
        if number == 0 {
            (start, instead) = (moved, joints.column(simd, 3));
        }
        let apart = sub3(moved, start);
        let [xx, yy, zz, yz, xz, xy] = [0, 1, 2, 3, 4, 5].map(|of| &term.products[of]);
        let [ox, oy, oz] = load3(simd, &term.offset, at);
        let (xx, yy, zz) = (simd.load(xx, at), simd.load(yy, at), simd.load(zz, at));
        let (yz, xz, xy) = (simd.load(yz, at), simd.load(xz, at), simd.load(xy, at));
        let weight = simd.load(&term.weight, at);
        x = add_along::<A, S::V>(x, &b, apart, [xx, xy, xz], ox);
        y = add_along::<A, S::V>(y, &b, apart, [xy, yy, yz], oy);
        z = add_along::<A, S::V>(z, &b, apart, [xz, yz, zz], oz);
        q = add_along::<A, S::V>(q, &b, apart, [ox, oy, oz], weight);
    }
    let [x, y, z] = nearest_turns::<A, S>(simd, [x, y, z], instead);
    let turned = A::transform_linear([x, y, z], center);
    Affines { x, y, z, translation: add3(sub3(start, turned), q) }
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

/// The slots of the joints of one term.
enum Joints<'a> {
    /// All have the same.
    Shared(&'a Slot),
    /// Each has its own.
    Own([&'a Slot; ROW]),
}

impl<'a> Joints<'a> {
    /// Returns those of points `at..at + LANES`, from the first place on.
    #[inline(always)]
    fn of<S: Simd>(slots: &'a [Slot], term: &TermRow, at: usize) -> Self {
        let slot = |joint: u32| slots.get(joint as usize).unwrap_or(&ddm::NO_JOINT);
        if term.is_shared {
            return Self::Shared(slot(term.joints[0]));
        }
        let mut own = [&ddm::NO_JOINT; ROW];
        for (own, joint) in own.iter_mut().zip(&term.joints[at..at + S::LANES]) {
            *own = slot(*joint);
        }
        Self::Own(own)
    }

    /// Returns one column of the slots, side by side.
    #[inline(always)]
    fn column<S: Simd>(&self, simd: S, column: usize) -> [S::V; 4] {
        match self {
            Self::Shared(slot) => {
                let [x, y, z, w] = slot.columns[column];
                [simd.splat(x), simd.splat(y), simd.splat(z), simd.splat(w)]
            }
            Self::Own(own) => simd.transpose(|lane| &own[lane].columns[column]),
        }
    }
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
        let row = |of: &[[f32; 4]]| simd.transpose(|lane| of.get(usize::from(places[lane])).unwrap_or(&LEFT));
        let rows = [row(x), row(y), row(z)];
        let b = Affines {
            x: numbers_of(&rows, 0),
            y: numbers_of(&rows, 1),
            z: numbers_of(&rows, 2),
            translation: numbers_of(&rows, 3),
        };
        let limit = simd.splat(f32::INFINITY);
        let [x, y, z] = b.translation;
        let usable = S::V::both(S::V::both(x.abs().lt(limit), y.abs().lt(limit)), z.abs().lt(limit));
        // The cofactors of a rotation are its own columns.
        let own = Cofactors { x: b.x, y: b.y, z: b.z, orientation: simd.splat(1.0) };
        (ByMatrix::new(b, A::FUSED.then_some(own)), S::V::bits(usable))
    }
}
