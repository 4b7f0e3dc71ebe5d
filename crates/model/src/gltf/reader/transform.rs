//! Reads, checks and repairs the transform of a node.

use glam::{DMat4, DQuat, DVec3, DVec4};

use crate::gltf::json::Node;
use crate::reading::error::LoadError;
use crate::reading::warnings::Warnings;
use crate::rig::LocalTransform;

/// Tolerance of a quaternion's length without a warning, as in the Khronos validator: the error of numbers rounded to 8
/// bits.
const UNIT_TOLERANCE: f64 = 7.69e-3;

/// Tolerance of a matrix relative to its translation, rotation and scale, as a fraction of its largest number.
const SHEAR_TOLERANCE: f64 = 1e-3;

/// Reads the transform of the node at `path`. A node that clips move must not keep a matrix, so
/// that of an `animated` node is taken apart.
pub fn read(
    node: &Node,
    path: &str,
    animated: bool,
    warnings: &mut Warnings,
) -> Result<LocalTransform, LoadError> {
    let translation = finite(node.translation.as_deref(), &format!("{path}.translation"), warnings);
    let rotation = finite(node.rotation.as_deref(), &format!("{path}.rotation"), warnings);
    let scale = finite(node.scale.as_deref(), &format!("{path}.scale"), warnings);
    let matrix = finite(node.matrix.as_deref(), &format!("{path}.matrix"), warnings);

    if let Some(matrix) = matrix {
        if translation.is_some() || rotation.is_some() || scale.is_some() {
            warnings.add(
                "NODE_MATRIX_TRS",
                path,
                "has a matrix and also translation, rotation or scale; the matrix was used",
            );
        }
        return from_matrix(&matrix, &format!("{path}.matrix"), animated, warnings);
    }

    let rotation = match rotation {
        Some(rotation) => {
            let (unit, repair) = unit_quaternion(DQuat::from_array(rotation));
            match repair {
                QuaternionRepair::None => {}
                QuaternionRepair::Normalized => {
                    warnings.add(
                        "ROTATION_NON_UNIT",
                        &format!("{path}.rotation"),
                        "was not a unit quaternion and was normalised",
                    );
                }
                QuaternionRepair::Replaced => {
                    warnings.add(
                        "ROTATION_NON_UNIT",
                        &format!("{path}.rotation"),
                        "was zero and became no rotation",
                    );
                }
            }
            unit
        }
        None => DQuat::IDENTITY,
    };
    Ok(LocalTransform::Trs {
        translation: translation.map_or(DVec3::ZERO, DVec3::from_array),
        rotation,
        scale: scale.map_or(DVec3::ONE, DVec3::from_array),
    })
}

/// A node's matrix with its last row corrected, decomposed if clips move the node; `path` is the matrix's.
fn from_matrix(
    matrix: &[f64; 16],
    path: &str,
    animated: bool,
    warnings: &mut Warnings,
) -> Result<LocalTransform, LoadError> {
    let (matrix, was_affine) = affine(DMat4::from_cols_array(matrix));
    if !was_affine {
        warnings.add("NODE_MATRIX_NON_TRS", path, "the last row is not 0 0 0 1; it was replaced");
    } else if !is_trs(&matrix) {
        warnings.fault(
            "NODE_MATRIX_NON_TRS",
            path,
            "does not decompose into translation, rotation and scale; used unchanged",
        );
    }
    if animated { take_apart(&matrix, path, warnings) } else { Ok(LocalTransform::from_matrix(matrix)) }
}

/// Repair of a quaternion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QuaternionRepair {
    /// Nothing but rounding.
    None,
    /// Normalised, because its length was clearly not one.
    Normalized,
    /// Replaced, because its length was zero.
    Replaced,
}

/// The unit quaternion in a finite one's direction.
pub fn unit_quaternion(quaternion: DQuat) -> (DQuat, QuaternionRepair) {
    let length = quaternion.length();
    if !(length.is_finite() && length > 1e-30) {
        return (DQuat::IDENTITY, QuaternionRepair::Replaced);
    }
    let unit = quaternion / length;
    if (length - 1.0).abs() > UNIT_TOLERANCE {
        (unit, QuaternionRepair::Normalized)
    } else {
        (unit, QuaternionRepair::None)
    }
}

/// The matrix with an exact last row, and whether it already had one.
pub fn affine(mut matrix: DMat4) -> (DMat4, bool) {
    let was_affine = matrix.row(3) == DVec4::W;
    matrix.x_axis.w = 0.0;
    matrix.y_axis.w = 0.0;
    matrix.z_axis.w = 0.0;
    matrix.w_axis.w = 1.0;
    (matrix, was_affine)
}

/// Returns true if a matrix is a translation, a rotation and a scale, except for rounding.
fn is_trs(matrix: &DMat4) -> bool {
    const TOLERANCE: f64 = 5e-5;
    let (scale, rotation, translation) = matrix.to_scale_rotation_translation();
    let again = DMat4::from_scale_rotation_translation(scale, rotation.normalize(), translation);
    matrix.determinant() != 0.0 && again.is_finite() && again.abs_diff_eq(*matrix, TOLERANCE)
}

/// Decomposes a matrix into translation, rotation and scale, with a warning if that is approximate.
fn take_apart(matrix: &DMat4, path: &str, warnings: &mut Warnings) -> Result<LocalTransform, LoadError> {
    let (scale, rotation, translation) = matrix.to_scale_rotation_translation();
    let transform = LocalTransform::Trs { translation, rotation: rotation.normalize(), scale };
    let again = transform.parent_from_node();
    let size = matrix.to_cols_array().into_iter().fold(1.0, |size: f64, value| size.max(value.abs()));
    if !again.is_finite() {
        return Err(LoadError::broken(
            "NODE_MATRIX_NON_TRS",
            path,
            "is singular, so clips cannot move the node",
        ));
    }
    let message = if again.abs_diff_eq(*matrix, SHEAR_TOLERANCE * size) {
        "belongs to a node that clips move; split into translation, rotation and scale"
    } else {
        "belongs to a node that clips move; split into translation, rotation and scale, and its shear is lost"
    };
    warnings.add("ANIMATION_CHANNEL_TARGET_NODE_MATRIX", path, message);
    Ok(transform)
}

/// Numbers that fit into single precision, to which everything is converted in the end.
/// Larger ones become the largest number, because such a file is valid.
fn finite<const N: usize>(
    values: Option<&[f64; N]>,
    path: &str,
    warnings: &mut Warnings,
) -> Option<[f64; N]> {
    let mut values = *values?;
    if let Some(value) = values.iter().find(|value| !(**value as f32).is_finite()) {
        warnings.add("INVALID_DATA", path, format!("{value:e} exceeds single precision"));
        let largest = f64::from(f32::MAX);
        values = values.map(|value| value.clamp(-largest, largest));
    }
    Some(values)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn transform(json: &str, animated: bool) -> (Result<LocalTransform, LoadError>, Vec<String>) {
        let node: Node = serde_json::from_str(json).unwrap();
        let mut warnings = Warnings::default();
        let result = read(&node, "nodes[0]", animated, &mut warnings);
        (result, warnings.into_vec().into_iter().map(|w| format!("{}: {}", w.path, w.message)).collect())
    }

    #[test]
    fn nothing_is_no_transform() {
        let (result, warnings) = transform("{}", false);
        assert_eq!(result.unwrap(), LocalTransform::IDENTITY);
        assert!(warnings.is_empty());
    }

    #[test]
    fn rotations_become_unit_quaternions() {
        let rotation = |json: &str| match transform(json, false) {
            (Ok(LocalTransform::Trs { rotation, .. }), warnings) => (rotation, warnings.len()),
            other => panic!("{other:?}"),
        };
        assert_eq!(rotation(r#"{"rotation": [0, 0, 0, 2]}"#), (DQuat::IDENTITY, 1));
        assert_eq!(rotation(r#"{"rotation": [0, 0, 0, 0]}"#), (DQuat::IDENTITY, 1));
        let (unit, warnings) = rotation(r#"{"rotation": [0.70711, 0, 0, 0.70711]}"#);
        assert!((unit.length() - 1.0).abs() < 1e-15);
        assert_eq!(warnings, 0);
    }

    #[test]
    fn rounding_to_eight_bits_is_no_fault() {
        // Just beyond and just within 0.99231 and 1.00769.
        for (w, repair) in [
            (0.9923, QuaternionRepair::Normalized),
            (0.99232, QuaternionRepair::None),
            (1.00768, QuaternionRepair::None),
            (1.0077, QuaternionRepair::Normalized),
        ] {
            assert_eq!(unit_quaternion(DQuat::from_xyzw(0.0, 0.0, 0.0, w)), (DQuat::IDENTITY, repair));
        }
        // Of all unit quaternions with signed bytes, among the farthest off, by 0.0076.
        let rounded = DQuat::from_xyzw(65.0, 54.0, -70.0, 62.0) / 127.0;
        assert_eq!(unit_quaternion(rounded).1, QuaternionRepair::None);
    }

    #[test]
    fn matrices_are_kept_or_taken_apart() {
        let json = r#"{"matrix": [0,2,0,0, -2,0,0,0, 0,0,2,0, 5,6,7,1]}"#;
        let (result, warnings) = transform(json, false);
        assert!(matches!(result.unwrap(), LocalTransform::Matrix(_)));
        assert!(warnings.is_empty());
        match transform(json, true) {
            (Ok(LocalTransform::Trs { translation, scale, .. }), warnings) => {
                assert_eq!(translation, DVec3::new(5.0, 6.0, 7.0));
                assert!(scale.abs_diff_eq(DVec3::splat(2.0), 1e-12));
                assert!(warnings[0].ends_with("translation, rotation and scale"), "{warnings:?}");
            }
            other => panic!("{other:?}"),
        }
        let sheared = r#"{"matrix": [1,0,0,0, 1,1,0,0, 0,0,1,0, 0,0,0,1]}"#;
        assert!(transform(sheared, true).1[0].contains("shear"));
        assert!(transform(sheared, false).1.is_empty(), "a fault, but no repair");
        let singular = r#"{"matrix": [0,0,0,0, 0,1,0,0, 0,0,1,0, 0,0,0,1]}"#;
        assert!(transform(singular, true).0.is_err());
        assert!(transform(singular, false).0.is_ok());
        let projective = r#"{"matrix": [1,0,0,0.5, 0,1,0,0, 0,0,1,0, 0,0,0,2], "scale": [1, 1, 1]}"#;
        assert_eq!(transform(projective, false).1.len(), 2);
    }

    #[test]
    fn numbers_beyond_single_precision_become_the_largest() {
        let (result, warnings) = transform(r#"{"translation": [0, 1e300, -1e300]}"#, false);
        let LocalTransform::Trs { translation, .. } = result.unwrap() else { panic!("no matrix was given") };
        let largest = f64::from(f32::MAX);
        assert_eq!(translation, DVec3::new(0.0, largest, -largest));
        assert_eq!(warnings, ["nodes[0].translation: 1e300 exceeds single precision"]);
    }
}
