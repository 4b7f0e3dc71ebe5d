//! Places of prims in their parents, by their lists of transform operations.

use std::collections::HashSet;

use glam::{DMat4, DQuat, DVec3};
use openusd::sdf::Value;

use super::samples::Samples;
use super::stage::{Prim, Stage};
use super::values;
pub use super::values::unit;
use crate::LocalTransform;

/// The list of operations.
const ORDER: &str = "xformOpOrder";

/// Tolerance of a matrix that is a translation, rotation and scale, in parts of its largest number.
const SAME: f64 = 1e-12;

/// Operations of a prim, outermost first.
pub struct Place {
    ops: Vec<Op>,
    /// True if the prim does not follow its parent.
    pub resets: bool,
    /// Times at which a value is stored, in order.
    pub times: Vec<f64>,
    /// True if the parts of the matrix move on no straight lines between these times.
    pub turns: bool,
}

struct Op {
    name: String,
    inverted: bool,
}

impl Place {
    /// Reads a prim's operations.
    pub fn of(stage: &Stage, prim: &Prim) -> Self {
        let order = stage.value(prim, ORDER).and_then(|order| values::texts(&order)).unwrap_or_default();
        let mut place = Self { ops: Vec::new(), resets: false, times: Vec::new(), turns: false };
        for name in order {
            if name == "!resetXformStack!" {
                place.ops.clear();
                place.resets = true;
                continue;
            }
            let (name, inverted) = match name.strip_prefix("!invert!") {
                Some(name) => (name.to_owned(), true),
                None => (name, false),
            };
            place.ops.push(Op { name, inverted });
        }
        let mut scales = false;
        let mut known = HashSet::new();
        for op in &place.ops {
            // Pivots have one at either end.
            if !known.insert(op.name.as_str()) {
                continue;
            }
            let times = stage.times(prim, &op.name);
            let kind = op.name.split(':').nth(1).unwrap_or_default();
            let changes = times.len() > 1;
            let is_turn = ["rotate", "orient", "transform"].iter().any(|turn| kind.starts_with(turn));
            place.turns |= changes && (is_turn || scales || op.inverted && kind.starts_with("scale"));
            scales |= changes && kind.starts_with("scale");
            place.times.extend(times);
        }
        place.times.sort_by(f64::total_cmp);
        place.times.dedup();
        place
    }

    /// Names of the operations.
    pub fn names(&self) -> impl ExactSizeIterator<Item = &str> {
        self.ops.iter().map(|op| op.name.as_str())
    }

    /// The matrix to the parent, at a time or as the file opens; `None` if it is not finite.
    pub fn at(&self, stage: &Stage, prim: &Prim, moment: Option<(f64, &Samples)>) -> Option<DMat4> {
        let mut all = DMat4::IDENTITY;
        for op in &self.ops {
            let value = match moment {
                Some((time, samples)) => samples.at(&op.name, time),
                None => stage.value(prim, &op.name),
            };
            let Some(own) = value.and_then(|value| matrix(&op.name, &value)) else { continue };
            all = all.mul_mat4(&if op.inverted { own.inverse() } else { own });
        }
        values::is_bearable(&all).then_some(all)
    }
}

/// The matrix of one operation.
fn matrix(name: &str, value: &Value) -> Option<DMat4> {
    let kind = name.split(':').nth(1)?;
    Some(match kind {
        "transform" => values::matrix(value)?,
        "translate" => DMat4::from_translation(values::vector(value)?),
        "translateX" => DMat4::from_translation(DVec3::X * values::number(value)?),
        "translateY" => DMat4::from_translation(DVec3::Y * values::number(value)?),
        "translateZ" => DMat4::from_translation(DVec3::Z * values::number(value)?),
        "scale" => DMat4::from_scale(values::vector(value)?),
        "scaleX" => DMat4::from_scale(DVec3::new(values::number(value)?, 1.0, 1.0)),
        "scaleY" => DMat4::from_scale(DVec3::new(1.0, values::number(value)?, 1.0)),
        "scaleZ" => DMat4::from_scale(DVec3::new(1.0, 1.0, values::number(value)?)),
        "orient" => DMat4::from_quat(unit(values::quaternion(value)?)?),
        _ => {
            let axes = kind.strip_prefix("rotate")?;
            let angles = match axes.len() {
                1 => DVec3::splat(values::number(value)?),
                _ => values::vector(value)?,
            };
            // The first letter turns first.
            let turn = |all: DQuat, axis: char| match axis {
                'X' => DQuat::from_rotation_x(angles.x.to_radians()).mul_quat(all),
                'Y' => DQuat::from_rotation_y(angles.y.to_radians()).mul_quat(all),
                _ => DQuat::from_rotation_z(angles.z.to_radians()).mul_quat(all),
            };
            DMat4::from_quat(axes.chars().fold(DQuat::IDENTITY, turn))
        }
    })
}

/// A matrix as translation, rotation and scale, which clips can move.
pub fn parts(matrix: &DMat4) -> LocalTransform {
    let (scale, rotation, translation) = matrix.to_scale_rotation_translation();
    let rotation = unit(rotation).unwrap_or(DQuat::IDENTITY);
    LocalTransform::Trs { translation, rotation, scale }
}

/// A matrix in the form that keeps all of it.
pub fn exact(matrix: &DMat4) -> LocalTransform {
    let parts = parts(matrix);
    let size = matrix.to_cols_array().into_iter().fold(0.0f64, |size, number| size.max(number.abs()));
    match parts.parent_from_node().abs_diff_eq(*matrix, size * SAME) {
        true => parts,
        false => LocalTransform::from_matrix(*matrix),
    }
}

#[cfg(test)]
mod tests {
    use glam::{DMat4, DVec3, DVec4};
    use openusd::gf;
    use openusd::sdf::Value;

    use super::{exact, matrix};
    use crate::LocalTransform;

    #[test]
    fn the_first_letter_of_a_rotation_turns_first() {
        let angles = Value::Vec3d(gf::Vec3d { x: 90.0, y: 90.0, z: 0.0 });
        let turned = |name: &str| matrix(name, &angles).unwrap().transform_vector3(DVec3::Y).round();
        assert_eq!(turned("xformOp:rotateXYZ"), DVec3::X);
        assert_eq!(turned("xformOp:rotateYXZ:pivot"), DVec3::Z);
        assert!(matrix("xformOp:unheardOf", &angles).is_none());
    }

    #[test]
    fn shear_is_kept() {
        let sheared = DMat4::from_cols(DVec4::X, DVec4::new(0.5, 1.0, 0.0, 0.0), DVec4::Z, DVec4::W);
        assert!(matches!(exact(&sheared), LocalTransform::Matrix(_)));
        assert!(matches!(exact(&DMat4::from_scale(DVec3::new(-2.0, 1.0, 3.0))), LocalTransform::Trs { .. }));
    }
}
