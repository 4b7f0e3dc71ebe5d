//! Normals and tangents under the 3×3 part of a transform, in `f64`. This module must not depend on the mode that made the
//! transform.

use super::shared;
use glam::{DMat3, DVec3, DVec4};

/// Returns `sign(det B3)`; a determinant within rounding of zero counts as positive.
#[inline(always)]
pub fn orientation(b3: &DMat3) -> f64 {
    if b3.determinant() < mirrored_below(b3) { -1.0 } else { 1.0 }
}

/// Returns the determinant below which a transform mirrors.
#[inline(always)]
fn mirrored_below(b3: &DMat3) -> f64 {
    -extent(b3) * f64::from(shared::FLAT)
}

/// Returns the product of the columns' largest components.
#[inline(always)]
fn extent(b3: &DMat3) -> f64 {
    b3.to_cols_array_2d().map(|column| DVec3::from(column).abs().max_element()).iter().product()
}

/// The rounding of one `f32` operation.
const ULP: f64 = f32::EPSILON as f64 / 2.0;

/// The maximum number of roundings of a component of a blended transform, in units of the summands. These are the slot, the
/// product with the weight and the sum; for dual quaternions also the length, the rotation matrix and its product with the
/// stretch.
const BLEND_ROUNDINGS: f64 = 16.0;

/// The roundings of a determinant's six products together: two divisions by the size, two products, two sums.
const DETERMINANT_ROUNDINGS: f64 = 6.0 * 6.0;

/// Returns true if no rounding in `f32` moves the determinant across the mirroring limit. An error of δ in a component moves
/// it by δ times its cofactor.
#[inline(always)]
pub(crate) fn is_orientation_certain(b3: &DMat3, size: f64) -> bool {
    let cofactors: f64 = cofactor(b3).to_cols_array().map(f64::abs).iter().sum();
    let rounding = ULP * (BLEND_ROUNDINGS * size * cofactors + DETERMINANT_ROUNDINGS * extent(b3));
    (b3.determinant() - mirrored_below(b3)).abs() > rounding
}

/// Returns `n' = normalize(sign(det B3) · cofactor(B3) · n)`.
#[inline(always)]
pub fn transform_normal(b3: &DMat3, n: DVec3) -> DVec3 {
    (cofactor(b3) * n * orientation(b3)).try_normalize().unwrap_or(n)
}

/// Returns the matrix of cofactors, which is the determinant times the inverse transpose.
#[inline(always)]
pub fn cofactor(b3: &DMat3) -> DMat3 {
    let (x, y, z) = (b3.x_axis, b3.y_axis, b3.z_axis);
    DMat3::from_cols(y.cross(z), z.cross(x), x.cross(y))
}

/// Returns `t' = normalize(B3 t)`, made orthogonal to `n'` and normalised again; `t.w' = sign(det B3) t.w`.
#[inline(always)]
pub fn transform_tangent(b3: &DMat3, t: DVec4, moved_normal: DVec3) -> DVec4 {
    let unskinned = t.truncate();
    let along = (*b3 * unskinned).try_normalize().unwrap_or(unskinned);
    let across = along - moved_normal * moved_normal.dot(along);
    let parallel = across.abs().max_element() <= f64::from(shared::PARALLEL);
    let kept = if parallel { unskinned } else { across.try_normalize().unwrap_or(unskinned) };
    kept.extend(t.w * orientation(b3))
}
