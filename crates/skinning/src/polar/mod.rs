//! Polar decomposition of a joint's 3×3 part: `A = R S`, a rotation after a symmetric stretch.
//!
//! `R` is the rotation nearest to `A` (Higham, *Computing the Polar Decomposition*, 1986). Higham's Newton
//! iteration inverts `A`, but animators hide things by scaling joints to nothing along an axis. So this uses
//! singular values instead, by one-sided Jacobi rotations (Hestenes 1958; Demmel and Veselić 1992 show that
//! small singular values come out accurate as well). Most joints only turn, or grow alike in all directions:
//! for them, a few terms of a series are as exact and ten times as fast.

mod series;

use self::series::Turns;
use crate::vectors::{Level, Task};
use glam::{DMat3, DMat4, DQuat, DVec3};

/// `A = R S`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Polar {
    /// `R`, always a proper rotation.
    pub rotation: DQuat,
    /// `S`, symmetric; positive semidefinite, or negative if `A` mirrors.
    pub stretch: DMat3,
}

/// A singular value smaller than this share of the largest counts as zero in `f64`.
const NOISE: f64 = 1e-14;

/// Decomposes any matrix. If `A` mirrors, `R` and `S` both change sign, so that `R` stays proper. If `A` has
/// rank 2, `R` is the rotation that agrees with the plane `A` keeps; at rank 1, the smallest such rotation; at
/// rank 0, the identity.
pub fn decompose(a: DMat3) -> Polar {
    nearly_turns(a).unwrap_or_else(|| decompose_any(a))
}

/// Runs [`decompose`] by a series, for a matrix that nearly is a rotation times a number.
fn nearly_turns(a: DMat3) -> Option<Polar> {
    Turns::of(&[a]).get(0)
}

/// The number of matrices to decompose side by side.
const LANES: usize = 8;

/// Decomposes the 3×3 parts of all joints, with the same bits as [`decompose`], and visits them in their order.
pub fn decompose_each(joints: &[DMat4], visit: impl FnMut(&DMat4, Polar)) {
    Level::Best.run(DecomposeEach { joints, visit });
}

struct DecomposeEach<'a, F> {
    joints: &'a [DMat4],
    visit: F,
}

impl<S, F: FnMut(&DMat4, Polar)> Task<S> for DecomposeEach<'_, F> {
    #[inline(always)]
    fn run(mut self, _simd: S) {
        for joints in self.joints.chunks(LANES) {
            let matrices: [DMat3; LANES] = std::array::from_fn(|lane| {
                joints.get(lane).map_or(DMat3::IDENTITY, |joint| DMat3::from_mat4(*joint))
            });
            let turns = Turns::of(&matrices);
            for (lane, (joint, &matrix)) in joints.iter().zip(&matrices).enumerate() {
                (self.visit)(joint, turns.get(lane).unwrap_or_else(|| decompose_any(matrix)));
            }
        }
    }
}

/// Runs [`decompose`] by singular values.
fn decompose_any(a: DMat3) -> Polar {
    // A zero matrix has no rotation. Nor does one with an infinity or a NaN, which at least stays visible in S.
    let Some((size, Singular { u, v, values })) = singular(a) else {
        return Polar { rotation: DQuat::IDENTITY, stretch: a };
    };
    let sign = if values[2] < -NOISE * values[0] { -1.0 } else { 1.0 };
    let r = outer(u[0], v[0]) * sign + outer(u[1], v[1]) * sign + outer(u[2], v[2]);
    let s = outer(v[0], v[0]) * (values[0] * sign)
        + outer(v[1], v[1]) * (values[1] * sign)
        + outer(v[2], v[2]) * values[2];
    Polar { rotation: DQuat::from_mat3(&r).normalize(), stretch: s * size }
}

/// Returns the proper rotation nearest to a matrix, and the singular values as shares of its largest entry, largest first; the
/// last has the sign of the determinant. `None` if the matrix is zero or not finite.
pub fn nearest(a: DMat3) -> Option<(DQuat, [f64; 3])> {
    let (_, Singular { u, v, values }) = singular(a)?;
    let r = outer(u[0], v[0]) + outer(u[1], v[1]) + outer(u[2], v[2]);
    Some((DQuat::from_mat3(&r).normalize(), values))
}

/// The singular values of a matrix: `A v_k = σ_k u_k`, largest first. Both triples are right-handed, so the last value has
/// the sign of the determinant.
struct Singular {
    u: [DVec3; 3],
    v: [DVec3; 3],
    values: [f64; 3],
}

/// Decomposes a matrix divided by its largest entry, so that squares stay finite, and returns that entry too; `None` if it
/// is zero or not finite.
fn singular(a: DMat3) -> Option<(f64, Singular)> {
    let size = a.to_cols_array().into_iter().fold(0.0, |largest: f64, v| largest.max(v.abs()));
    if !(size > 0.0 && a.is_finite()) {
        return None;
    }
    let (columns, v) =
        orthogonal_columns(DMat3::from_cols(a.x_axis / size, a.y_axis / size, a.z_axis / size));
    let mut order = [0, 1, 2];
    order.sort_by(|&i, &j| columns[j].length_squared().total_cmp(&columns[i].length_squared()));
    let [first, second, third] = order;
    let v1 = v[first];
    let sigma1 = columns[first].length();
    let u1 = columns[first] / sigma1;
    let rest = columns[second].reject_from_normalized(u1);
    let is_line = rest.length() <= NOISE * sigma1;
    let (u2, v2, sigma2) = if is_line {
        let axis = axis_between(v1, u1);
        let across = |direction| axis.reject_from_normalized(direction).normalize();
        (across(u1), across(v1), 0.0)
    } else {
        (rest.normalize(), v[second], rest.length())
    };
    // The third directions follow from the others, so σ3 carries the sign of det A.
    let (u3, v3) = (u1.cross(u2), v1.cross(v2));
    let sigma3 = if is_line { 0.0 } else { u3.dot(columns[third]) * v3.dot(v[third]).signum() };
    Some((size, Singular { u: [u1, u2, u3], v: [v1, v2, v3], values: [sigma1, sigma2, sigma3] }))
}

/// Returns the axis of the smallest rotation that takes one unit vector to another.
fn axis_between(from: DVec3, to: DVec3) -> DVec3 {
    let axis = from.cross(to);
    if axis.length() > 1e-9 { axis.normalize() } else { from.any_orthonormal_vector() }
}

/// Returns `(A V, V)` for a rotation `V` that makes the columns of `A V` orthogonal to each other.
fn orthogonal_columns(a: DMat3) -> ([DVec3; 3], [DVec3; 3]) {
    let mut columns = [a.x_axis, a.y_axis, a.z_axis];
    let mut v = [DVec3::X, DVec3::Y, DVec3::Z];
    // Convergence is quadratic: five sweeps are usual; the limit only guards against a cycle.
    for _ in 0..20 {
        let mut done = true;
        for (i, j) in [(0, 1), (0, 2), (1, 2)] {
            let alpha = columns[i].length_squared();
            let beta = columns[j].length_squared();
            let gamma = columns[i].dot(columns[j]);
            if gamma.abs() <= 1e-15 * (alpha * beta).sqrt() {
                continue;
            }
            done = false;
            // The smaller of the two rotations that make the pair orthogonal.
            let zeta = (beta - alpha) / (2.0 * gamma);
            let tangent = zeta.signum() / (zeta.abs() + zeta.hypot(1.0));
            let cosine = 1.0 / tangent.hypot(1.0);
            let sine = cosine * tangent;
            for basis in [&mut columns, &mut v] {
                let (p, q) = (basis[i], basis[j]);
                basis[i] = p * cosine - q * sine;
                basis[j] = p * sine + q * cosine;
            }
        }
        if done {
            break;
        }
    }
    (columns, v)
}

/// Returns `a bᵀ`.
fn outer(a: DVec3, b: DVec3) -> DMat3 {
    DMat3::from_cols(a * b.x, a * b.y, a * b.z)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn vector() -> impl Strategy<Value = DVec3> {
        (-1.0..1.0, -1.0..1.0, -1.0..1.0).prop_map(|(x, y, z)| DVec3::new(x, y, z))
    }

    fn matrix() -> impl Strategy<Value = DMat3> {
        (vector(), vector(), vector()).prop_map(|(x, y, z)| DMat3::from_cols(x, y, z))
    }

    fn rotation() -> impl Strategy<Value = DQuat> {
        (vector(), -4.0..4.0).prop_map(|(v, angle)| DQuat::from_axis_angle(v.normalize_or(DVec3::X), angle))
    }

    /// Checks that RS = A, |q| = 1 and S is symmetric: a polar decomposition, up to S's sign.
    fn check(a: DMat3) -> Polar {
        let polar = decompose(a);
        let size = a.to_cols_array().into_iter().fold(0.0, |largest: f64, v| largest.max(v.abs()));
        assert!((polar.rotation.length() - 1.0).abs() < 1e-15, "{a} gives {polar:?}");
        assert!(polar.stretch.abs_diff_eq(polar.stretch.transpose(), 1e-15 * size), "{a} gives {polar:?}");
        let back = DMat3::from_quat(polar.rotation) * polar.stretch;
        assert!(back.abs_diff_eq(a, 2e-14 * size), "{a} becomes {back} by {polar:?}");
        polar
    }

    /// Returns true if all of S's eigenvalues have the sign of `sign` or are zero, by its principal minors.
    fn is_definite(s: DMat3, sign: f64) -> bool {
        let s = s * sign;
        let size = s.to_cols_array().into_iter().fold(0.0, |largest: f64, v| largest.max(v.abs()));
        let minor = |i: usize, j: usize| s.col(i)[i] * s.col(j)[j] - s.col(i)[j] * s.col(j)[i];
        (0..3).all(|i| s.col(i)[i] > -1e-13 * size)
            && [(0, 1), (0, 2), (1, 2)].into_iter().all(|(i, j)| minor(i, j) > -1e-13 * size.powi(2))
            && s.determinant() > -1e-13 * size.powi(3)
    }

    proptest! {
        #[test]
        fn any_matrix_splits(a in matrix(), exponent in -300..300) {
            prop_assume!(a.determinant().abs() > 1e-9);
            let polar = check(a * 2.0_f64.powi(exponent));
            prop_assert!(is_definite(polar.stretch * 2.0_f64.powi(-exponent), a.determinant().signum()));
        }

        #[test]
        fn rotation_and_stretch_come_back(q in rotation(), x in 0.1..9.0, y in 0.1..9.0, z in 0.1..9.0, mirror: bool) {
            let s = DMat3::from_diagonal(DVec3::new(x, y, z)) * if mirror { -1.0 } else { 1.0 };
            let polar = check(DMat3::from_quat(q) * s);
            prop_assert!(polar.rotation.dot(q).abs() > 1.0 - 1e-14);
            prop_assert!(polar.stretch.abs_diff_eq(s, 1e-14 * x.max(y).max(z)));
        }

        /// Both ways agree at the limit of near rotations, on either side of it.
        #[test]
        fn the_series_is_as_exact(q in rotation(), e in matrix(), error in -17.0..-5.0, exponent in -40..40, mirror: bool) {
            let e = e * 10.0_f64.powf(error);
            let scale = 2.0_f64.powi(exponent) * if mirror { -1.0 } else { 1.0 };
            let a = DMat3::from_quat(q) * (DMat3::IDENTITY + e) * scale;
            let (polar, other) = (check(a), decompose_any(a));
            prop_assert!(polar.rotation.dot(other.rotation).abs() > 1.0 - 1e-15);
            let apart = (DMat3::from_quat(polar.rotation) - DMat3::from_quat(other.rotation)).to_cols_array();
            prop_assert!(apart.into_iter().all(|apart| apart.abs() < 4e-15), "{a}: {polar:?} and {other:?}");
            prop_assert!(polar.stretch.abs_diff_eq(other.stretch, 4e-15 * scale.abs()), "{a}: {polar:?} and {other:?}");
        }

        #[test]
        fn flat_matrices_split(u in vector(), v in vector(), s in vector(), t in vector()) {
            let outer = |a: DVec3, b: DVec3| DMat3::from_cols(a * b.x, a * b.y, a * b.z);
            check(outer(u, s));
            check(outer(u, s) + outer(v, t));
        }

        /// A joint scaled to nothing along an axis keeps the rotation of the other two.
        #[test]
        fn a_lost_axis_does_not_lose_the_rotation(q in rotation(), p in rotation()) {
            let p = DMat3::from_quat(p);
            let s = p * DMat3::from_diagonal(DVec3::new(2.0, 0.0, 3.0)) * p.transpose();
            let polar = check(DMat3::from_quat(q) * s);
            prop_assert!(polar.rotation.dot(q).abs() > 1.0 - 1e-14);
            prop_assert!(polar.stretch.abs_diff_eq(s, 1e-14));
        }

        #[test]
        fn nearly_flat_matrices_split(q in rotation(), p in rotation(), exponent in -18.0..-1.0, mirror: bool) {
            let thin = 10.0_f64.powf(exponent) * if mirror { -1.0 } else { 1.0 };
            let s = DMat3::from_diagonal(DVec3::new(2.0, thin, 1.0));
            check(DMat3::from_quat(q) * s * DMat3::from_quat(p));
        }
    }

    #[test]
    fn the_identity_stays_exact() {
        assert_eq!(decompose(DMat3::IDENTITY), Polar { rotation: DQuat::IDENTITY, stretch: DMat3::IDENTITY });
    }

    #[test]
    fn what_only_turns_and_grows_needs_no_iteration() {
        let q = DQuat::from_xyzw(0.1, -0.7, 0.3, 0.6).normalize();
        let turned = DMat3::from_quat(q);
        // Numbers as rounded in a file.
        let rounded = turned.as_mat3().as_dmat3();
        for a in [turned, rounded, turned * 100.0, rounded * 0.01, rounded * -3.0] {
            assert!(nearly_turns(a).is_some(), "{a}");
        }
        for a in [
            DMat3::ZERO,
            turned * 1e-200,
            turned * f64::NAN,
            turned * DMat3::from_diagonal(DVec3::new(1.0, 1.0, 1.1)),
        ] {
            assert!(nearly_turns(a).is_none(), "{a}");
        }
    }

    #[test]
    fn all_joints_are_decomposed_like_each() {
        let joint = |number: u32| {
            let turned = f64::from(number);
            let turn = DQuat::from_euler(glam::EulerRot::XYZ, turned, turned * 0.7, turned * 1.9);
            let along_y = if number.is_multiple_of(3) { 1.5 } else { 1.0 };
            let size = if number == 11 { f64::NAN } else { turned };
            DMat4::from_scale_rotation_translation(DVec3::new(1.0, along_y, 1.0) * size, turn, DVec3::X)
        };
        for count in [0, 1, 7, 8, 9, 30] {
            let joints: Vec<DMat4> = (0..count).map(joint).collect();
            let mut found = Vec::new();
            decompose_each(&joints, |joint, polar| found.push((*joint, polar)));
            let bits = |polar: &Polar| {
                (polar.rotation.to_array().map(f64::to_bits), polar.stretch.to_cols_array().map(f64::to_bits))
            };
            assert_eq!(found.len(), joints.len());
            for (joint, (own, polar)) in joints.iter().zip(&found) {
                assert_eq!(joint.to_cols_array().map(f64::to_bits), own.to_cols_array().map(f64::to_bits));
                assert_eq!(bits(polar), bits(&decompose(DMat3::from_mat4(*joint))), "{joint}");
            }
        }
    }

    #[test]
    fn nothing_and_nonsense_have_no_rotation() {
        assert_eq!(decompose(DMat3::ZERO), Polar { rotation: DQuat::IDENTITY, stretch: DMat3::ZERO });
        for nonsense in [f64::NAN, f64::INFINITY] {
            assert_eq!(decompose(DMat3::IDENTITY * nonsense).rotation, DQuat::IDENTITY);
        }
    }
}
