//! Several rows side by side: their blended joints, and the transforms that modes make of them, with the operations of
//! [`reference`](crate::reference) in its order.
//!
//! A number of all rows is an array. The functions here are loops over its lanes, each with the whole formula of one row, which
//! the compiler vectorises.

#![allow(clippy::needless_range_loop, reason = "a lane is an index into many arrays")]

use super::joints::{DUAL, Joints, Numbers, QUATERNION, SIZES, STRETCH};
use super::rows::{Influence, LANES};
use crate::reference::{about, between};
use crate::shared;
use glam::{DAffine3, DMat3, DQuat, DVec3};

/// A number of each row.
pub type Number = [f64; LANES];

/// Three coordinates of each row.
pub type Vectors = [Number; 3];

/// A transform of each row: columns, then translation.
pub type Transforms = [Number; 12];

/// Zeros.
pub const NO_VECTORS: Vectors = [[0.0; LANES]; 3];

/// Zeros.
pub const NO_TRANSFORMS: Transforms = [[0.0; LANES]; 12];

/// The joints of some rows, summed by their weights.
pub struct Block<'a> {
    joints: &'a Joints,
    /// The first joint of each row.
    firsts: [u32; LANES],
    sums: [Number; 32],
    /// The sums row by row.
    of_rows: [Numbers; LANES],
    /// The number of numbers that are summed.
    count: usize,
    /// The lengths of the summed quaternions; 1 where they cancel.
    divisors: Number,
}

impl<'a> Block<'a> {
    /// Makes room. `is_turned` is true if a mode needs quaternions.
    #[inline(always)]
    pub fn new(joints: &'a Joints, is_turned: bool) -> Self {
        let count = if is_turned { 32 } else { STRETCH };
        let (sums, of_rows) = ([[0.0; LANES]; 32], [[0.0; 32]; LANES]);
        Self { joints, firsts: [u32::MAX; LANES], sums, of_rows, count, divisors: [1.0; LANES] }
    }

    /// Sums the joints of rows.
    #[inline(always)]
    pub fn sum<'b>(&mut self, influences: impl Fn(usize) -> &'b [Influence]) {
        for lane in 0..LANES {
            let influences = influences(lane);
            self.firsts[lane] = influences.first().map_or(u32::MAX, |(pivot, _)| *pivot);
            match self.count {
                STRETCH => sum_matrix(influences, self.joints, &mut self.of_rows[lane]),
                _ => sum_all(influences, self.joints, &mut self.of_rows[lane]),
            }
        }
        for at in 0..self.count {
            for lane in 0..LANES {
                self.sums[at][lane] = self.of_rows[lane][at];
            }
        }
    }

    /// Writes the matrices of the first joints.
    #[inline(always)]
    pub fn first(&self, out: &mut Transforms) {
        for lane in 0..LANES {
            let first = self.joints.numbers(self.firsts[lane]);
            for at in 0..12 {
                out[at][lane] = first[at];
            }
        }
    }

    /// Returns the divisors of the quaternions that were turned last.
    #[inline(always)]
    pub fn divisors(&self) -> &Number {
        &self.divisors
    }

    /// Returns the sizes of the first joints' matrices.
    #[inline(always)]
    pub fn first_sizes(&self, out: &mut Number) {
        for lane in 0..LANES {
            out[lane] = self.joints.numbers(self.firsts[lane])[SIZES];
        }
    }

    /// Returns the sizes of the summands of matrices, and of stretches.
    #[inline(always)]
    pub fn sizes(&self) -> [&Number; 2] {
        [&self.sums[SIZES], &self.sums[SIZES + 1]]
    }

    /// Returns the transforms of linear blending.
    #[inline(always)]
    pub fn linear(&self) -> &Transforms {
        self.sums.first_chunk().expect("there are 32 numbers")
    }

    /// Writes the transforms of dual quaternions, with the stretch or without.
    #[inline(always)]
    pub fn turned(&mut self, has_stretch: bool, out: &mut Transforms) {
        let [.., x, y, z, w, x0, y0, z0, w0] = &self.sums;
        for lane in 0..LANES {
            let q = DQuat::from_xyzw(x[lane], y[lane], z[lane], w[lane]);
            let d = DQuat::from_xyzw(x0[lane], y0[lane], z0[lane], w0[lane]);
            let length = (q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w).sqrt();
            self.divisors[lane] = length;
            set(out, lane, &rigid(divided(q, length), divided(d, length)));
        }
        for lane in 0..LANES {
            // Also a NaN.
            if self.divisors[lane].is_nan() || self.divisors[lane] <= f64::from(shared::CANCELLED) {
                self.divisors[lane] = 1.0;
                let first = self.joints.numbers(self.firsts[lane]);
                let four = |at: usize| DQuat::from_slice(&first[at..at + 4]);
                set(out, lane, &rigid(four(QUATERNION), four(DUAL)));
            }
        }
        if has_stretch {
            let stretch: &[Number; 9] = self.sums[STRETCH..].first_chunk().expect("there are 20 numbers");
            for lane in 0..LANES {
                let [r, s] = [get(out, lane).matrix3, matrix(stretch, lane)];
                let columns = [s.x_axis, s.y_axis, s.z_axis];
                for at in 0..3 {
                    let s = columns[at];
                    let column = r.x_axis * s.x + r.y_axis * s.y + r.z_axis * s.z;
                    (out[3 * at][lane], out[3 * at + 1][lane], out[3 * at + 2][lane]) =
                        (column.x, column.y, column.z);
                }
            }
        }
    }
}

/// Sums the matrices of a row.
#[inline(always)]
fn sum_matrix(influences: &[Influence], joints: &Joints, out: &mut Numbers) {
    let mut sum = [0.0; STRETCH];
    for &(joint, weight) in influences {
        let (numbers, weight) = (joints.numbers(joint), f64::from(weight));
        for at in 0..STRETCH {
            sum[at] += numbers[at] * weight;
        }
    }
    out[..STRETCH].copy_from_slice(&sum);
}

/// Sums all numbers of a row; quaternions on the other side than those of its first joint with the other sign.
#[inline(always)]
fn sum_all(influences: &[Influence], joints: &Joints, out: &mut Numbers) {
    let first = joints.numbers(influences.first().map_or(u32::MAX, |(pivot, _)| *pivot));
    let mut sum = [0.0; 32];
    for &(joint, weight) in influences {
        let (numbers, weight) = (joints.numbers(joint), f64::from(weight));
        let (q, p) = (&numbers[QUATERNION..DUAL], &first[QUATERNION..DUAL]);
        let dot = q[0] * p[0] + q[1] * p[1] + q[2] * p[2] + q[3] * p[3];
        let signed = if dot < -f64::from(shared::HALF_TURN) { -weight } else { weight };
        for at in 0..QUATERNION {
            sum[at] += numbers[at] * weight;
        }
        for at in QUATERNION..32 {
            sum[at] += numbers[at] * signed;
        }
    }
    *out = sum;
}

#[inline(always)]
fn divided(q: DQuat, by: f64) -> DQuat {
    DQuat::from_xyzw(q.x / by, q.y / by, q.z / by, q.w / by)
}

/// Returns `R(q)`, and `2 vec(d q*)`.
#[inline(always)]
fn rigid(q: DQuat, d: DQuat) -> DAffine3 {
    let DQuat { x, y, z, w } = q;
    let (x2, y2, z2) = (x + x, y + y, z + z);
    let (xx, xy, xz) = (x * x2, x * y2, x * z2);
    let (yy, yz, zz) = (y * y2, y * z2, z * z2);
    let (wx, wy, wz) = (w * x2, w * y2, w * z2);
    let matrix3 = DMat3::from_cols(
        DVec3::new(1.0 - (yy + zz), xy + wz, xz - wy),
        DVec3::new(xy - wz, 1.0 - (xx + zz), yz + wx),
        DVec3::new(xz + wy, yz - wx, 1.0 - (xx + yy)),
    );
    let (DQuat { x: x0, y: y0, z: z0, w: w0 }, (x1, y1, z1)) = (d, (-x, -y, -z));
    let translation = DVec3::new(
        (w0 * x1 + x0 * w + y0 * z1 - z0 * y1) * 2.0,
        (w0 * y1 - x0 * z1 + y0 * w + z0 * x1) * 2.0,
        (w0 * z1 + x0 * y1 - y0 * x1 + z0 * w) * 2.0,
    );
    DAffine3 { matrix3, translation }
}

/// Blends two transforms of each row by shares.
#[inline(always)]
pub fn share_out(linear: &Transforms, turned: &Transforms, shares: &Number, out: &mut Transforms) {
    for lane in 0..LANES {
        set(out, lane, &between(&get(linear, lane), &get(turned, lane), shares[lane]));
    }
}

/// Turns about centres, which move linearly.
#[inline(always)]
pub fn turn_about(linear: &Transforms, turned: &Transforms, centers: &Vectors, out: &mut Transforms) {
    for lane in 0..LANES {
        set(out, lane, &about(&get(linear, lane), &get(turned, lane), vector(centers, lane)));
    }
}

/// Moves a position of each row.
#[inline(always)]
pub fn move_positions(transforms: &Transforms, positions: &Vectors, out: &mut Vectors) {
    for lane in 0..LANES {
        let b = get(transforms, lane);
        set_vector(out, lane, b.transform_point3(vector(positions, lane)));
    }
}

/// Moves a normal of each row.
#[inline(always)]
pub fn move_normals(transforms: &Transforms, normals: &Vectors, out: &mut Vectors) {
    for lane in 0..LANES {
        let DMat3 { x_axis: x, y_axis: y, z_axis: z } = get(transforms, lane).matrix3;
        let (n, cofactors) = (vector(normals, lane), [y.cross(z), z.cross(x), x.cross(y)]);
        let mirrored_below = -(largest(x) * largest(y) * largest(z)) * f64::from(shared::FLAT);
        let side = if x.dot(cofactors[0]) < mirrored_below { -1.0 } else { 1.0 };
        let turned = (cofactors[0] * n.x + cofactors[1] * n.y + cofactors[2] * n.z) * side;
        let inverse = 1.0 / turned.dot(turned).sqrt();
        let unit = turned * inverse;
        // Without branches, which would keep the loop from being vectorised.
        let is_sound = inverse.is_finite() & (inverse > 0.0);
        let either = |unit: f64, stored: f64| if is_sound { unit } else { stored };
        set_vector(out, lane, DVec3::new(either(unit.x, n.x), either(unit.y, n.y), either(unit.z, n.z)));
    }
}

/// Returns the largest size of a coordinate; that of the later if one is a NaN.
#[inline(always)]
fn largest(v: DVec3) -> f64 {
    let larger = |a: f64, b: f64| if a > b { a } else { b };
    larger(v.x.abs(), larger(v.y.abs(), v.z.abs()))
}

/// Returns the transform of a row.
#[inline(always)]
pub fn get(of: &Transforms, lane: usize) -> DAffine3 {
    let [columns @ .., x, y, z] = of;
    DAffine3 { matrix3: matrix(columns, lane), translation: DVec3::new(x[lane], y[lane], z[lane]) }
}

/// Sets the transform of a row.
#[inline(always)]
pub fn set(of: &mut Transforms, lane: usize, to: &DAffine3) {
    let DMat3 { x_axis: x, y_axis: y, z_axis: z } = to.matrix3;
    let numbers = [x.x, x.y, x.z, y.x, y.y, y.z, z.x, z.y, z.z];
    for at in 0..9 {
        of[at][lane] = numbers[at];
    }
    (of[9][lane], of[10][lane], of[11][lane]) = (to.translation.x, to.translation.y, to.translation.z);
}

#[inline(always)]
fn matrix(of: &[Number; 9], lane: usize) -> DMat3 {
    let column = |at: usize| DVec3::new(of[at][lane], of[at + 1][lane], of[at + 2][lane]);
    DMat3::from_cols(column(0), column(3), column(6))
}

/// Returns the vector of a row.
#[inline(always)]
pub fn vector([x, y, z]: &Vectors, lane: usize) -> DVec3 {
    DVec3::new(x[lane], y[lane], z[lane])
}

/// Sets the vector of a row.
#[inline(always)]
pub fn set_vector([x, y, z]: &mut Vectors, lane: usize, to: DVec3) {
    (x[lane], y[lane], z[lane]) = (to.x, to.y, to.z);
}
