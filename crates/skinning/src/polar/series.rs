//! Decomposes matrices that nearly are rotations times a number, several side by side, by the first terms of a series.
//! Every processor gives the same bits: nothing is fused, and a matrix's bits do not depend on its neighbours.

use super::Polar;
use crate::lanes::{Lanes, Vector, cross, dot};
use glam::{DMat3, DQuat, DVec3};
use std::array;

/// Numbers whose squares and cubes are well within the range of `f64`.
const TAME: std::ops::Range<f64> = 1e-90..1e90;

/// The maximum distance of `AᵀA` from a multiple of the identity. The next terms of the series, the cube of this times ten,
/// are below the last bits of `f64`.
const NEAR: f64 = 2e-6;

/// The rotations and stretches of some matrices, side by side.
pub struct Turns<const N: usize> {
    rotation: [Lanes<N>; 4],
    /// xx, yy, zz; yz, xz, xy.
    stretch: [Vector<N>; 2],
    /// The distance of each matrix from a rotation times a number, and the square of that number.
    apart: Lanes<N>,
    square: Lanes<N>,
}

impl<const N: usize> Turns<N> {
    /// Decomposes by series in `D`: with `AᵀA = s² (I + D)`, `S = s √(I + D)` and `R = A S⁻¹`.
    #[inline(always)]
    pub fn of(matrices: &[DMat3; N]) -> Self {
        let column = |of: fn(&DMat3) -> DVec3| -> Vector<N> {
            array::from_fn(|row| Lanes(array::from_fn(|lane| of(&matrices[lane])[row])))
        };
        let (x, y, z) = (column(|a| a.x_axis), column(|a| a.y_axis), column(|a| a.z_axis));
        let one = Lanes::all(1.0);

        let lengths = [dot(x, x), dot(y, y), dot(z, z)];
        let square = (lengths[0] + lengths[1] + lengths[2]).map(|sum| sum / 3.0);
        let inverse = square.map(f64::recip);
        let d = lengths.map(|length| length * inverse - one);
        let o = [dot(y, z), dot(x, z), dot(x, y)].map(|product| product * inverse);
        let apart = d.into_iter().chain(o).fold(Lanes::all(0.0), Lanes::larger);

        let handedness = dot(cross(x, y), z);
        let size = square.map(f64::sqrt);
        let scale = handedness.choose(size, Lanes::all(0.0) - size);
        let inverse = scale.map(f64::recip);

        // D², D is symmetric.
        let squared_diagonal = [
            d[0] * d[0] + o[2] * o[2] + o[1] * o[1],
            o[2] * o[2] + d[1] * d[1] + o[0] * o[0],
            o[1] * o[1] + o[0] * o[0] + d[2] * d[2],
        ];
        let squared_others = [
            o[2] * o[1] + d[1] * o[0] + o[0] * d[2],
            d[0] * o[1] + o[2] * o[0] + o[1] * d[2],
            d[0] * o[2] + o[2] * d[1] + o[1] * o[0],
        ];
        let root = |first: Lanes<N>, second: Lanes<N>| first.times(0.5) - second.times(0.125);
        let inverse_root = |first: Lanes<N>, second: Lanes<N>| second.times(0.375) - first.times(0.5);
        let stretch = [
            array::from_fn(|i| (one + root(d[i], squared_diagonal[i])) * scale),
            array::from_fn(|i| root(o[i], squared_others[i]) * scale),
        ];
        let [ixx, iyy, izz] = array::from_fn(|i| (one + inverse_root(d[i], squared_diagonal[i])) * inverse);
        let [iyz, ixz, ixy] = array::from_fn(|i| inverse_root(o[i], squared_others[i]) * inverse);
        let turned = |along: Vector<N>| -> Vector<N> {
            array::from_fn(|row| x[row] * along[0] + y[row] * along[1] + z[row] * along[2])
        };
        let r = [turned([ixx, ixy, ixz]), turned([ixy, iyy, iyz]), turned([ixz, iyz, izz])];
        Self { rotation: quaternion(r), stretch, apart, square }
    }

    /// Returns one matrix's decomposition; `None` if it is too far from a rotation times a number.
    #[inline(always)]
    pub fn get(&self, lane: usize) -> Option<Polar> {
        // A NaN is not near.
        if !(self.apart.0[lane] <= NEAR && TAME.contains(&self.square.0[lane])) {
            return None;
        }
        let rotation = DQuat::from_array(self.rotation.map(|numbers| numbers.0[lane]));
        let [[xx, yy, zz], [yz, xz, xy]] = self.stretch.map(|numbers| numbers.map(|number| number.0[lane]));
        let columns = [DVec3::new(xx, xy, xz), DVec3::new(xy, yy, yz), DVec3::new(xz, yz, zz)];
        let [x, y, z] = columns;
        Some(Polar { rotation, stretch: DMat3::from_cols(x, y, z) })
    }
}

/// Returns the unit quaternions of rotations by columns, from the one of four formulas with the largest divisor (Shepperd
/// 1978); its own component is positive.
#[inline(always)]
fn quaternion<const N: usize>([x, y, z]: [Vector<N>; 3]) -> [Lanes<N>; 4] {
    let one = Lanes::all(1.0);
    let (differences, sums) =
        ([y[2] - z[1], z[0] - x[2], x[1] - y[0]], [y[2] + z[1], z[0] + x[2], x[1] + y[0]]);
    let by_x = [one + x[0] - y[1] - z[2], sums[2], sums[1], differences[0]];
    let by_y = [sums[2], one - x[0] + y[1] - z[2], sums[0], differences[1]];
    let by_z = [sums[1], sums[0], one - x[0] - y[1] + z[2], differences[2]];
    let by_w = [differences[0], differences[1], differences[2], one + x[0] + y[1] + z[2]];
    let q: [Lanes<N>; 4] = array::from_fn(|i| {
        let upright = (x[0] + y[1]).choose(by_w[i], by_z[i]);
        z[2].choose(upright, (y[1] - x[0]).choose(by_y[i], by_x[i]))
    });
    let squared = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    let inverse = squared.map(|squared| 1.0 / squared.sqrt());
    q.map(|component| component * inverse)
}
