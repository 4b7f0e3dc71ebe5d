//! Several rows side by side: their blended joints, and the transforms that modes make of them, with the operations of
//! [`reference`](crate::reference) in its order.

use std::array;

use super::joints::{DUAL, Joints, Numbers, QUATERNION, STRETCH};
use super::rows::Rows;
use crate::lanes::{Lanes, Vector, cross, dot};
use crate::shared;
use glam::{DAffine3, DMat3, DVec3};

/// The number of rows in a block.
pub const LANES: usize = 8;

type Number = Lanes<LANES>;
type Quaternion = [Number; 4];
type Columns = [Vector<LANES>; 3];

/// A transform: columns and translation.
#[derive(Clone, Copy)]
pub struct Transforms {
    columns: Columns,
    translation: Vector<LANES>,
}

/// The transforms of a mode, prepared for vertices.
pub struct Moves {
    transforms: Transforms,
    cofactors: Columns,
    side: Number,
}

/// A row's transform, prepared for its vertices.
pub struct Move {
    /// From bind space to the world.
    pub b: DAffine3,
    /// The cofactors of its matrix.
    pub cofactors: DMat3,
    /// −1 if it mirrors, else 1.
    pub side: f64,
}

/// The joints of some rows, summed by their weights.
pub struct Block {
    sums: [Numbers; LANES],
    firsts: [Numbers; LANES],
}

impl Block {
    /// Sums the joints of the rows from `begin` on.
    #[inline(always)]
    pub fn new(rows: &Rows, begin: usize, joints: &Joints) -> Self {
        let mut block = Self { sums: [[0.0; 32]; LANES], firsts: [[0.0; 32]; LANES] };
        for (lane, (sum, first)) in block.sums.iter_mut().zip(&mut block.firsts).enumerate() {
            let influences = rows.influences(begin + lane);
            let Some(&(pivot, _)) = influences.first() else { continue };
            *first = *joints.numbers(pivot);
            for &(joint, weight) in influences {
                let weight = f64::from(weight);
                let numbers = joints.numbers(joint);
                let (q, p) = (&numbers[QUATERNION..DUAL], &first[QUATERNION..DUAL]);
                let dot = q[0] * p[0] + q[1] * p[1] + q[2] * p[2] + q[3] * p[3];
                let signed = if dot < -f64::from(shared::HALF_TURN) { -weight } else { weight };
                for (sum, number) in sum[..QUATERNION].iter_mut().zip(&numbers[..QUATERNION]) {
                    *sum += number * weight;
                }
                for (sum, number) in sum[QUATERNION..].iter_mut().zip(&numbers[QUATERNION..]) {
                    *sum += number * signed;
                }
            }
        }
        block
    }

    /// Returns the matrices of the first joints.
    #[inline(always)]
    pub fn first(&self) -> Transforms {
        matrices(&self.firsts)
    }

    /// Returns the transforms of linear blending.
    #[inline(always)]
    pub fn linear(&self) -> Transforms {
        matrices(&self.sums)
    }

    /// Returns the transforms of dual quaternions, with the stretch or without.
    #[inline(always)]
    pub fn turned(&self, has_stretch: bool) -> Transforms {
        let (q, d): (Quaternion, Quaternion) = (numbers(&self.sums, QUATERNION), numbers(&self.sums, DUAL));
        let (first_q, first_d): (Quaternion, Quaternion) =
            (numbers(&self.firsts, QUATERNION), numbers(&self.firsts, DUAL));
        let length = (q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]).sqrt();
        let normal = |sum: Number, first: Number| {
            Lanes(array::from_fn(|lane| {
                let length = length.0[lane];
                // Also a NaN.
                let is_cancelled = length.is_nan() || length <= f64::from(shared::CANCELLED);
                if is_cancelled { first.0[lane] } else { sum.0[lane] / length }
            }))
        };
        let q: Quaternion = array::from_fn(|at| normal(q[at], first_q[at]));
        let d: Quaternion = array::from_fn(|at| normal(d[at], first_d[at]));
        let columns = turn(q);
        let columns = if has_stretch {
            let stretch: [Number; 9] = numbers(&self.sums, STRETCH);
            array::from_fn(|column| {
                let [x, y, z] = [stretch[3 * column], stretch[3 * column + 1], stretch[3 * column + 2]];
                array::from_fn(|row| columns[0][row] * x + columns[1][row] * y + columns[2][row] * z)
            })
        } else {
            columns
        };
        Transforms { columns, translation: shift(q, d) }
    }
}

/// Returns the matrices among the numbers of joints.
#[inline(always)]
fn matrices(of: &[Numbers; LANES]) -> Transforms {
    let all: [Number; 12] = numbers(of, 0);
    let column = |at: usize| [all[at], all[at + 1], all[at + 2]];
    Transforms { columns: [column(0), column(3), column(6)], translation: column(9) }
}

/// Transposes some numbers of joints, from `begin` on.
#[inline(always)]
fn numbers<const N: usize>(of: &[Numbers; LANES], begin: usize) -> [Number; N] {
    array::from_fn(|at| Lanes(array::from_fn(|lane| of[lane][begin + at])))
}

/// Returns `R(q)`.
#[inline(always)]
fn turn([x, y, z, w]: Quaternion) -> Columns {
    let one = Lanes::all(1.0);
    let (x2, y2, z2) = (x + x, y + y, z + z);
    let (xx, xy, xz) = (x * x2, x * y2, x * z2);
    let (yy, yz, zz) = (y * y2, y * z2, z * z2);
    let (wx, wy, wz) = (w * x2, w * y2, w * z2);
    [
        [one - (yy + zz), xy + wz, xz - wy],
        [xy - wz, one - (xx + zz), yz + wx],
        [xz + wy, yz - wx, one - (xx + yy)],
    ]
}

/// Returns `2 vec(d q*)`.
#[inline(always)]
fn shift([x, y, z, w]: Quaternion, [x0, y0, z0, w0]: Quaternion) -> Vector<LANES> {
    let (x1, y1, z1) = (x.minus(), y.minus(), z.minus());
    [
        (w0 * x1 + x0 * w + y0 * z1 - z0 * y1).times(2.0),
        (w0 * y1 - x0 * z1 + y0 * w + z0 * x1).times(2.0),
        (w0 * z1 + x0 * y1 - y0 * x1 + z0 * w).times(2.0),
    ]
}

impl Transforms {
    /// Returns the transform of a lane.
    #[inline(always)]
    pub fn get(&self, lane: usize) -> DAffine3 {
        DAffine3 { matrix3: matrix(&self.columns, lane), translation: vector(&self.translation, lane) }
    }
}

impl Moves {
    /// Prepares transforms for vertices.
    #[inline(always)]
    pub fn new(transforms: Transforms) -> Self {
        let [x, y, z] = transforms.columns;
        let cofactors = [cross(y, z), cross(z, x), cross(x, y)];
        let determinant = dot(x, cofactors[0]);
        let [x, y, z] = transforms.columns.map(|[x, y, z]| x.larger(y.larger(z)));
        let extent = x * y * z;
        let side = Lanes(array::from_fn(|lane| {
            let mirrored_below = -extent.0[lane] * f64::from(shared::FLAT);
            if determinant.0[lane] < mirrored_below { -1.0 } else { 1.0 }
        }));
        Self { transforms, cofactors, side }
    }

    /// Returns the move of a lane.
    #[inline(always)]
    pub fn get(&self, lane: usize) -> Move {
        Move {
            b: self.transforms.get(lane),
            cofactors: matrix(&self.cofactors, lane),
            side: self.side.0[lane],
        }
    }
}

#[inline(always)]
fn matrix([x, y, z]: &Columns, lane: usize) -> DMat3 {
    DMat3::from_cols(vector(x, lane), vector(y, lane), vector(z, lane))
}

#[inline(always)]
fn vector([x, y, z]: &Vector<LANES>, lane: usize) -> DVec3 {
    DVec3::new(x.0[lane], y.0[lane], z.0[lane])
}
