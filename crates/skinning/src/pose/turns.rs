//! Rotations as three angles, for display and input.

use std::f64::consts::FRAC_1_SQRT_2;

use glam::{DQuat, EulerRot};

/// Returns the rotation by these degrees about x, then about y, then about z, each an axis of the parent. The only rounding
/// in quarter turns is that of √½.
pub fn rotation_from_degrees([x, y, z]: [f64; 3]) -> DQuat {
    let about = |axis: usize, degrees: f64| {
        let (sin, cos) = half_sin_cos(degrees);
        let mut q = [0.0, 0.0, 0.0, cos];
        if let Some(component) = q.get_mut(axis) {
            *component = sin;
        }
        DQuat::from_array(q)
    };
    about(2, z) * about(1, y) * about(0, x)
}

/// Returns the angles in degrees that [`rotation_from_degrees`] turns back into this rotation, but for rounding: y from −90
/// to 90, the others from −180 to 180.
pub fn degrees_from_rotation(rotation: DQuat) -> [f64; 3] {
    let (z, y, x) = rotation.to_euler(EulerRot::ZYX);
    [x, y, z].map(f64::to_degrees)
}

/// Returns the sine and cosine of half an angle.
fn half_sin_cos(degrees: f64) -> (f64, f64) {
    // After two turns a quaternion is the same; the remainder is exact.
    let degrees = degrees % 720.0;
    match degrees.rem_euclid(720.0) {
        0.0 => (0.0, 1.0),
        90.0 => (FRAC_1_SQRT_2, FRAC_1_SQRT_2),
        180.0 => (1.0, 0.0),
        270.0 => (FRAC_1_SQRT_2, -FRAC_1_SQRT_2),
        360.0 => (0.0, -1.0),
        450.0 => (-FRAC_1_SQRT_2, -FRAC_1_SQRT_2),
        540.0 => (-1.0, 0.0),
        630.0 => (-FRAC_1_SQRT_2, FRAC_1_SQRT_2),
        _ => (degrees.to_radians() / 2.0).sin_cos(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DVec3;

    #[test]
    fn quarter_turns_are_exact_and_go_x_y_z() {
        let h = FRAC_1_SQRT_2;
        assert_eq!(rotation_from_degrees([0.0, 0.0, 90.0]), DQuat::from_xyzw(0.0, 0.0, h, h));
        assert_eq!(rotation_from_degrees([-90.0, 0.0, 0.0]), DQuat::from_xyzw(-h, 0.0, 0.0, h));
        assert_eq!(rotation_from_degrees([0.0, 180.0, 0.0]), DQuat::from_xyzw(0.0, 1.0, 0.0, 0.0));
        assert_eq!(rotation_from_degrees([720.0, -1440.0, 0.0]), DQuat::IDENTITY);
        // About x, y goes to z; then about z, which leaves z where it is, and x goes to y.
        let both = rotation_from_degrees([90.0, 0.0, 90.0]);
        assert!((both * DVec3::Y - DVec3::Z).length() < 1e-15);
        assert!((both * DVec3::X - DVec3::Y).length() < 1e-15);
        // In the opposite order y would have gone to −x.
        let all = rotation_from_degrees([90.0, 90.0, 90.0]);
        // y to z about x, z to x about y, x to y about z.
        assert!((all * DVec3::Y - DVec3::Y).length() < 1e-15);
    }

    #[test]
    fn angles_come_back() {
        for degrees in [[10.0, 20.0, 30.0], [-170.0, 80.0, -5.0], [0.0, -45.0, 180.0]] {
            let rotation = rotation_from_degrees(degrees);
            assert!((rotation.length() - 1.0).abs() < 1e-15);
            let back = rotation_from_degrees(degrees_from_rotation(rotation));
            assert!(back.dot(rotation).abs() > 1.0 - 1e-14, "{degrees:?}");
        }
    }
}
