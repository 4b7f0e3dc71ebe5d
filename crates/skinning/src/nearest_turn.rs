//! The rotation nearest to a 3×3 matrix, in a fixed number of steps.
//!
//! The quaternion of the proper rotation that maximises `tr(Rᵀ X)` is the eigenvector of the largest eigenvalue of a
//! symmetric 4×4 matrix (Horn, *Closed-form solution of absolute orientation using unit quaternions*, 1987). With the
//! singular values of X, σ3 with the sign of det X, its eigenvalues are σ1 + σ2 + σ3, σ1 − σ2 − σ3, −σ1 + σ2 − σ3 and
//! −σ1 − σ2 + σ3. None is below −√3 |X|, so adding that makes all positive, and the square of the matrix has the same
//! eigenvectors further apart. 21 squares raise the ratio of the two largest to the power 2²¹. On the way, after
//! 2¹⁵, the sizes are compared. So it converges whatever the matrix: either the ratio is below 1 − 2⁻¹⁴, and the rest is
//! e⁻¹²⁸, or the two largest count as equal, and the rotation is not defined.

use crate::affine::{dot3, largest};
use crate::polar;
use crate::shared::{NOISE, SMALLEST, TURN_APART, TURN_COMPARED, TURN_STEPS};
use crate::turn::{Columns, divide4, dot4};
use glam::{DMat3, DMat4, DQuat};

/// Returns the quaternion, as x y z w, of the rotation nearest to X; `instead` if there is none, or many.
pub fn nearest_turn(x: &Columns, instead: [f32; 4]) -> [f32; 4] {
    let Columns { x, y, z } = x;
    let size = largest(*x).max(largest(*y)).max(largest(*z));
    if size <= SMALLEST || !size.is_finite() {
        return instead;
    }
    let scaled = |v: &[f32; 3]| v.map(|v| settle(v / size));
    let (x, y, z) = (scaled(x), scaled(y), scaled(z));
    let squared = dot3(x, x) + dot3(y, y) + dot3(z, z);
    let shift = (squared * 3.0).sqrt();
    let (wx, wy, wz) = (y[2] - z[1], z[0] - x[2], x[1] - y[0]);
    let (xy, xz, yz) = (x[1] + y[0], x[2] + z[0], y[2] + z[1]);
    let mut p = [
        [x[0] + y[1] + z[2] + shift, wx, wy, wz],
        [wx, x[0] - y[1] - z[2] + shift, xy, xz],
        [wy, xy, y[1] - x[0] - z[2] + shift, yz],
        [wz, xz, yz, z[2] - x[0] - y[1] + shift],
    ];
    let mut apart = 0.0;
    for step in 0..TURN_STEPS {
        let trace = p[0][0] + p[1][1] + p[2][2] + p[3][3];
        if step == TURN_COMPARED {
            apart = trace;
        }
        let q = p.map(|column| divide4(column, trace).map(settle));
        p = q.map(|column| {
            let terms = [0, 1, 2, 3].map(|term| q[term].map(|number| number * column[term]));
            [0, 1, 2, 3].map(|row| terms[0][row] + terms[1][row] + terms[2][row] + terms[3][row])
        });
    }
    if apart.is_nan() || apart <= TURN_APART {
        return instead;
    }
    let (mut longest, mut diagonal) = (p[0], p[0][0]);
    for (number, column) in p.iter().enumerate().skip(1) {
        if column[number] > diagonal {
            (longest, diagonal) = (*column, column[number]);
        }
    }
    let length = dot4(longest, longest).sqrt();
    let [w, x, y, z] = divide4(longest, length).map(settle);
    [x, y, z, w]
}

/// Returns the rotation nearest to X by singular values, and by what share the largest eigenvalue is alone; `None` where
/// [`nearest_turn`] has none either.
pub fn exactly(x: &DMat3) -> Option<(DQuat, f64)> {
    let (rotation, [first, second, third]) = polar::nearest(*x)?;
    let shift = (3.0 * (first * first + second * second + third * third)).sqrt();
    let largest = first + second + third + shift;
    let others = [first - second - third, second - first - third, third - first - second];
    let ratios = others.map(|other| (other + shift) / largest);
    let raised = ratios.map(|ratio| ratio.powi(1 << (TURN_COMPARED - 1)));
    let (sum, squares) =
        raised.iter().fold((1.0, 1.0), |(sum, squares), size| (sum + size, squares + size * size));
    let gap = 1.0 - ratios.into_iter().fold(0.0, f64::max);
    (squares / (sum * sum) > f64::from(TURN_APART)).then_some((rotation, gap))
}

/// The least product of the gaps between the largest eigenvalue and the others, as a share of its cube, for which
/// [`quickly`] loses at most two digits.
const QUICK_GAPS: f64 = 0.1;

/// The most steps to the largest eigenvalue; far from the others, six are enough.
const QUICK_STEPS: usize = 16;

/// The last step, as a share of the root; the error that it leaves is its square.
const QUICK_STEP: f64 = 1e-13;

/// Returns the rotation of [`exactly`] to twelve digits, in less time where eigenvalues are apart.
pub fn closely(x: &DMat3) -> Option<DQuat> {
    quickly(x).or_else(|| exactly(x).map(|(rotation, _)| rotation))
}

/// Returns the rotation by the largest root of the characteristic polynomial; `None` where eigenvalues are close, or the
/// matrix is zero or not finite.
fn quickly(x: &DMat3) -> Option<DQuat> {
    let size = x.to_cols_array().into_iter().fold(0.0, |largest: f64, number| largest.max(number.abs()));
    if size <= f64::from(SMALLEST) || !x.is_finite() {
        return None;
    }
    let [x, y, z] = (*x * (1.0 / size)).to_cols_array_2d();
    let (wx, wy, wz) = (y[2] - z[1], z[0] - x[2], x[1] - y[0]);
    let (xy, xz, yz) = (x[1] + y[0], x[2] + z[0], y[2] + z[1]);
    let squared: f64 = [x, y, z].as_flattened().iter().map(|number| number * number).sum();
    let of = |root: f64| {
        DMat4::from_cols_array_2d(&[
            [x[0] + y[1] + z[2] - root, wx, wy, wz],
            [wx, x[0] - y[1] - z[2] - root, xy, xz],
            [wy, xy, y[1] - x[0] - z[2] - root, yz],
            [wz, xz, yz, z[2] - x[0] - y[1] - root],
        ])
    };
    // λ⁴ + aλ² + bλ + c, whose largest root Newton's steps reach from above.
    let (a, b) = (-2.0 * squared, -8.0 * DMat3::from_cols_array_2d(&[x, y, z]).determinant());
    let c = of(0.0).determinant();
    let slope = |root: f64| (4.0 * root * root + 2.0 * a) * root + b;
    let mut root = (3.0 * squared).sqrt();
    let is_found = (0..QUICK_STEPS).any(|_| {
        let step = (((root * root + a) * root + b) * root + c) / slope(root);
        root -= step;
        step.abs() <= QUICK_STEP * root
    });
    // The slope is the product of the gaps.
    let is_alone = slope(root) > QUICK_GAPS * root.powi(3);
    (is_found && is_alone).then(|| {
        // Each column of the adjugate is a multiple of the eigenvector, the one with the largest diagonal the longest.
        let adjugate = adjugate(&of(root));
        let longest = (0..4).max_by(|&i, &j| adjugate[i][i].abs().total_cmp(&adjugate[j][j].abs()));
        let [w, x, y, z] = adjugate[longest.unwrap_or(0)];
        DQuat::from_xyzw(x, y, z, w).normalize()
    })
}

/// Returns the adjugate of a symmetric matrix, by the determinants of its first two columns and of its last two.
fn adjugate(matrix: &DMat4) -> [[f64; 4]; 4] {
    let m = matrix.to_cols_array_2d();
    let minor = |columns: [usize; 2], i: usize, j: usize| {
        m[columns[0]][i] * m[columns[1]][j] - m[columns[0]][j] * m[columns[1]][i]
    };
    let [s01, s02, s03, s12, s13, s23] =
        [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)].map(|(i, j)| minor([0, 1], i, j));
    let [t01, t02, t03, t12, t13, t23] =
        [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)].map(|(i, j)| minor([2, 3], i, j));
    let [a, b, c, d] = m;
    [
        [
            b[1] * t23 - b[2] * t13 + b[3] * t12,
            -(a[1] * t23 - a[2] * t13 + a[3] * t12),
            d[1] * s23 - d[2] * s13 + d[3] * s12,
            -(c[1] * s23 - c[2] * s13 + c[3] * s12),
        ],
        [
            -(b[0] * t23 - b[2] * t03 + b[3] * t02),
            a[0] * t23 - a[2] * t03 + a[3] * t02,
            -(d[0] * s23 - d[2] * s03 + d[3] * s02),
            c[0] * s23 - c[2] * s03 + c[3] * s02,
        ],
        [
            b[0] * t13 - b[1] * t03 + b[3] * t01,
            -(a[0] * t13 - a[1] * t03 + a[3] * t01),
            d[0] * s13 - d[1] * s03 + d[3] * s01,
            -(c[0] * s13 - c[1] * s03 + c[3] * s01),
        ],
        [
            -(b[0] * t12 - b[1] * t02 + b[2] * t01),
            a[0] * t12 - a[1] * t02 + a[2] * t01,
            -(d[0] * s12 - d[1] * s02 + d[2] * s01),
            c[0] * s12 - c[1] * s02 + c[2] * s01,
        ],
    ]
}

fn settle(x: f32) -> f32 {
    if x.abs() < NOISE { 0.0 } else { x }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::{DQuat, DVec3};
    use proptest::prelude::*;

    fn columns(x: &DMat3) -> Columns {
        let [x, y, z] = [x.x_axis, x.y_axis, x.z_axis].map(|axis| axis.as_vec3().to_array());
        Columns { x, y, z }
    }

    /// Returns the angle between what the steps find and the truth, in `f64`, with the gap.
    fn error(x: &DMat3) -> Option<(f64, f64)> {
        let rounded = columns(x);
        let exact =
            DMat3::from_cols_array_2d(&[rounded.x, rounded.y, rounded.z].map(|axis| axis.map(f64::from)));
        let (truth, gap) = exactly(&exact)?;
        let found = nearest_turn(&rounded, [f32::NAN; 4]).map(f64::from);
        let found = DQuat::from_array(found).normalize();
        let apart = truth.conjugate() * found;
        Some((2.0 * apart.xyz().length().atan2(apart.w.abs()), gap))
    }

    fn rotation() -> impl Strategy<Value = DQuat> {
        (-1.0..1.0, -1.0..1.0, -1.0..1.0, -4.0..4.0).prop_map(|(x, y, z, angle)| {
            DQuat::from_axis_angle(DVec3::new(x, y, z).normalize_or(DVec3::X), angle)
        })
    }

    /// The most by which rounding turns the result, times the gap, in roundings of `f32`.
    const ROUNDINGS: f64 = 12.0;

    /// Closer eigenvalues may count as equal.
    const EQUAL: f64 = 1.5 / (1 << 14) as f64;

    fn check(x: &DMat3) {
        if let Some((angle, gap)) = error(x).filter(|(_, gap)| *gap > EQUAL) {
            let roundings = angle * gap / (f64::from(f32::EPSILON) / 2.0);
            assert!(roundings < ROUNDINGS, "{x}: {angle} at a gap of {gap} is {roundings} roundings");
        }
    }

    proptest! {
        #[test]
        fn any_matrix_has_its_nearest_rotation(q in rotation(), p in rotation(), a in 0.0..1.0, b in -1.0..1.0, exponent in -30..30) {
            let values = DVec3::new(1.0, a, a * b) * 2.0_f64.powi(exponent);
            check(&(DMat3::from_quat(q) * DMat3::from_diagonal(values) * DMat3::from_quat(p)));
        }

        /// The two largest eigenvalues come as close as rounding lets them be told apart: thin, and mirrored.
        #[test]
        fn the_worst_matrices_have_theirs(q in rotation(), p in rotation(), gap in -4.0..0.0, third in -1.0..1.0) {
            let small = 10.0_f64.powf(gap);
            for values in [DVec3::new(1.0, small, 0.0), DVec3::new(1.0, small, third * small), DVec3::new(1.0, 1.0, small - 1.0)] {
                check(&(DMat3::from_quat(q) * DMat3::from_diagonal(values) * DMat3::from_quat(p)));
            }
        }

        /// Wherever the quick way has an answer, it is that of singular values.
        #[test]
        fn the_quick_way_is_right(q in rotation(), p in rotation(), a in 0.0..1.0, b in -1.0..1.0, gap in -6.0..0.0, exponent in -30..30) {
            for values in [DVec3::new(1.0, a, a * b), DVec3::new(1.0, 10.0_f64.powf(gap), 0.0), DVec3::new(1.0, 1.0, b)] {
                let x = DMat3::from_quat(q) * DMat3::from_diagonal(values * 2.0_f64.powi(exponent)) * DMat3::from_quat(p);
                let found = quickly(&x);
                let DVec3 { x: s1, y: s2, z: s3 } = values;
                let gaps = 8.0 * (s1 + s2) * (s1 + s3) * (s2 + s3) / (s1 + s2 + s3).powi(3);
                prop_assert!(found.is_some() || gaps < 1.5 * QUICK_GAPS, "{gaps}");
                if let Some(found) = found {
                    let (truth, _) = exactly(&x).unwrap();
                    let apart = (truth.conjugate() * found).xyz().length();
                    prop_assert!(apart < 1e-12, "{x}: {apart}");
                }
            }
        }

        /// Symmetric matrices do not turn, to the bit.
        #[test]
        fn a_stretch_turns_nothing(p in rotation(), a in 0.01..1.0, b in 0.0..1.0) {
            let turn = DMat3::from_quat(p);
            let x = turn * DMat3::from_diagonal(DVec3::new(1.0, a, a * b)) * turn.transpose();
            let mut x = columns(&x);
            (x.y[0], x.z[0], x.z[1]) = (x.x[1], x.x[2], x.y[2]);
            prop_assert_eq!(nearest_turn(&x, [f32::NAN; 4]), [0.0, 0.0, 0.0, 1.0]);
        }
    }

    /// All that have no rotation, or many, get the other one: both with the steps and in `f64`.
    #[test]
    fn what_has_no_direction_gets_the_other_rotation() {
        let q = DMat3::from_quat(DQuat::from_euler(glam::EulerRot::XYZ, 0.3, -1.1, 2.0));
        let of = |x: f64, y: f64, z: f64| q * DMat3::from_diagonal(DVec3::new(x, y, z)) * q;
        for x in [
            DMat3::ZERO,
            of(1.0, 0.0, 0.0),
            of(1.0, 1e-6, 0.0),
            of(1.0, 1.0, -1.0),
            of(-1.0, -1.0, -1.0),
            DMat3::IDENTITY * f64::NAN,
            DMat3::IDENTITY * f64::INFINITY,
        ] {
            let instead = [0.5, -0.5, 0.5, 0.5];
            assert_eq!(nearest_turn(&columns(&x), instead), instead, "{x}");
            assert_eq!((exactly(&x), quickly(&x)), (None, None), "{x}");
        }
        // Whatever mirrors one axis keeps the rotation of the others.
        let (angle, _) = error(&of(3.0, 2.0, -1.0)).unwrap();
        assert!(angle < 1e-6, "{angle}");
    }
}
