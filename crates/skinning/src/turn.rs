//! Rotations by quaternion: their matrices, their part in a joint's transform, and stretches before them. Twin of
//! `shaders/include/turn.glsl`.
//!
//! A slot with a matrix and its rotation, `M = [A | b]` with `A = R S`:
//!
//! | column | x    | y    | z    | w   |                              |
//! |--------|------|------|------|-----|------------------------------|
//! | 0      | A.xx | A.xy | A.xz | b.x | the first row of `M`         |
//! | 1      | A.yx | A.yy | A.yz | b.y | the second                   |
//! | 2      | A.zx | A.zy | A.zz | b.z | the third                    |
//! | 3      | q.x  | q.y  | q.z  | q.w | the unit quaternion of `R`   |

use crate::affine::{add3, cross3, dot3, scale3, sub3, transform_position};
use crate::polar::{self, Polar};
use crate::shared;
use crate::{Affine, Slot};
use glam::{DMat3, DMat4, DVec4};

/// The slot of "no joint" with matrix and rotation: the identity, which is its own rows, and the identity quaternion.
pub const IDENTITY: Slot = Slot {
    columns: [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]],
};

/// The contents of a slot's columns with matrix and rotation, in words.
pub const SLOT: &str = "columns 0 to 2 are the rows of the matrix, column 3 is q as x y z w";

/// Numbers smaller than this share of their largest neighbour are noise of the decomposition (2⁻⁴⁰). Replacing them by zero
/// keeps planes flat. At 1e-17, a product of three would be denormal, which some devices flush to zero and others do not.
const NOISE: f64 = shared::NOISE as f64;

/// Makes a slot with a joint's matrix and its rotation.
pub fn slot(world_from_bind: &DMat4) -> Slot {
    slot_of_polar(world_from_bind, polar::decompose(DMat3::from_mat4(*world_from_bind)))
}

/// Makes a [`slot`] from a decomposed matrix.
pub fn slot_of_polar(world_from_bind: &DMat4, polar: Polar) -> Slot {
    let a = DMat3::from_mat4(*world_from_bind);
    let Polar { rotation: q, stretch: _ } = polar;
    let largest = a.to_cols_array().into_iter().fold(0.0, |largest: f64, v| largest.max(v.abs()));
    let row = |number: usize| {
        let [x, y, z, _] = settle(a.row(number).extend(0.0), largest);
        [x, y, z, world_from_bind.w_axis[number] as f32]
    };
    Slot { columns: [row(0), row(1), row(2), settle(q.into(), 1.0)] }
}

/// Rounds to `f32`, and noise beside `largest` to zero.
pub fn settle(v: DVec4, largest: f64) -> [f32; 4] {
    v.to_array().map(|x| if x.abs() < largest * NOISE { 0.0 } else { x as f32 })
}

/// A matrix by its columns.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Columns {
    /// The image of the x axis.
    pub x: [f32; 3],
    /// The image of the y axis.
    pub y: [f32; 3],
    /// The image of the z axis.
    pub z: [f32; 3],
}

/// A stretch `S`: a symmetric matrix.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Stretch {
    /// xx, yy, zz.
    pub diagonal: [f32; 3],
    /// yz, xz, xy.
    pub off_diagonal: [f32; 3],
}

impl Stretch {
    /// Adds another stretch, weighted.
    pub fn add(&mut self, other: &Self, weight: f32) {
        self.diagonal = add3(self.diagonal, scale3(other.diagonal, weight));
        self.off_diagonal = add3(self.off_diagonal, scale3(other.off_diagonal, weight));
    }
}

pub(crate) fn add4(a: [f32; 4], b: [f32; 4]) -> [f32; 4] {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2], a[3] + b[3]]
}

pub(crate) fn scale4(a: [f32; 4], factor: f32) -> [f32; 4] {
    a.map(|v| v * factor)
}

pub(crate) fn divide4(a: [f32; 4], divisor: f32) -> [f32; 4] {
    a.map(|v| v / divisor)
}

pub(crate) fn dot4(a: [f32; 4], b: [f32; 4]) -> f32 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3]
}

/// Returns `R(q)`.
pub fn turn_of(q: [f32; 4]) -> Columns {
    let [qx, qy, qz, qw] = q;
    let x = [1.0 - 2.0 * (qy * qy + qz * qz), 2.0 * (qx * qy + qw * qz), 2.0 * (qx * qz - qw * qy)];
    let y = [2.0 * (qx * qy - qw * qz), 1.0 - 2.0 * (qx * qx + qz * qz), 2.0 * (qy * qz + qw * qx)];
    let z = [2.0 * (qx * qz + qw * qy), 2.0 * (qy * qz - qw * qx), 1.0 - 2.0 * (qx * qx + qy * qy)];
    Columns { x, y, z }
}

/// Returns `R S`, by columns: those of `S` are (xx xy xz), (xy yy yz), (xz yz zz).
pub fn turn_stretched(r: &Columns, s: &Stretch) -> Columns {
    let [xx, yy, zz] = s.diagonal;
    let [yz, xz, xy] = s.off_diagonal;
    let x = add3(add3(scale3(r.x, xx), scale3(r.y, xy)), scale3(r.z, xz));
    let y = add3(add3(scale3(r.x, xy), scale3(r.y, yy)), scale3(r.z, yz));
    let z = add3(add3(scale3(r.x, xz), scale3(r.y, yz)), scale3(r.z, zz));
    Columns { x, y, z }
}

/// Returns `2 vec(d q*)`.
pub fn translation_of(q: [f32; 4], d: [f32; 4]) -> [f32; 3] {
    let (q_xyz, d_xyz) = ([q[0], q[1], q[2]], [d[0], d[1], d[2]]);
    let half_translation = add3(sub3(scale3(d_xyz, q[3]), scale3(q_xyz, d[3])), cross3(q_xyz, d_xyz));
    scale3(half_translation, 2.0)
}

/// Returns the stretch in a slot with matrix and rotation: `S = Rᵀ A`.
pub fn stretch_of(slot: &Slot) -> Stretch {
    let r = turn_of(slot.columns[3]);
    let row = |along: [f32; 3]| {
        let two = add3(scale3(slot.xyz(0), along[0]), scale3(slot.xyz(1), along[1]));
        add3(two, scale3(slot.xyz(2), along[2]))
    };
    let (x, y, z) = (row(r.x), row(r.y), row(r.z));
    Stretch { diagonal: [x[0], y[1], z[2]], off_diagonal: [y[2], x[2], x[1]] }
}

/// Returns `d = ½ (b, 0) q`.
pub fn dual_from(b: [f32; 3], [qx, qy, qz, qw]: [f32; 4]) -> [f32; 4] {
    let [x, y, z] = scale3(add3(scale3(b, qw), cross3(b, [qx, qy, qz])), 0.5);
    let w = dot3(b, [qx, qy, qz]) * -0.5;
    [x, y, z, w]
}

/// Returns the dual part in such a slot.
pub fn dual_of(slot: &Slot) -> [f32; 4] {
    dual_from([slot.columns[0][3], slot.columns[1][3], slot.columns[2][3]], slot.columns[3])
}

/// Returns `M − R` of such a slot, by columns: how far the joint takes a point from where its rotation alone would.
pub fn apart(slot: &Slot) -> Affine {
    let r = turn_of(slot.columns[3]);
    let column = |number: usize| [0, 1, 2].map(|row| slot.columns[row][number]);
    let (x, y, z) = (sub3(column(0), r.x), sub3(column(1), r.y), sub3(column(2), r.z));
    Affine { x, y, z, translation: column(3) }
}

/// Returns `M p − R p` of such a slot, as `(A − R) p + b`: in the bind pose nothing is rounded.
pub fn apart_of(slot: &Slot, p: [f32; 3]) -> [f32; 3] {
    transform_position(&apart(slot), p)
}

/// The rows of the linear blend `M`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Rows(pub [[f32; 4]; 3]);

impl Rows {
    /// Adds a slot's rows, weighted.
    pub fn add(&mut self, slot: &Slot, weight: f32) {
        for (sum, row) in self.0.iter_mut().zip(&slot.columns) {
            *sum = add4(*sum, scale4(*row, weight));
        }
    }

    /// Returns a column: of `A` for 0 to 2, `b` for 3.
    pub fn column(&self, number: usize) -> [f32; 3] {
        self.0.map(|row| row[number])
    }
}
