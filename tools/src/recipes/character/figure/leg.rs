//! The left leg from the hip to the ankle.

use glam::DVec3;

use super::super::skeleton::left;
use super::super::solid::{Ellipsoid, Loft, Solid};

/// Thigh, knee and shin.
pub fn leg() -> Solid {
    let (hip, knee, ankle) = (DVec3::from(left::HIP), DVec3::from(left::KNEE), DVec3::from(left::ANKLE));

    // Out, inward, front, back.
    let thigh = [
        [-0.02, 0.074, 0.076, 0.080, 0.082],
        [0.12, 0.080, 0.084, 0.088, 0.086],
        [0.35, 0.074, 0.078, 0.087, 0.079],
        [0.60, 0.063, 0.062, 0.076, 0.066],
        [0.82, 0.051, 0.051, 0.058, 0.052],
        [1.00, 0.045, 0.045, 0.045, 0.043],
    ];
    let mut leg = Solid::default();
    leg.add(0.0, Loft::new(hip, knee, DVec3::X, DVec3::Z, &thigh));
    let shin = [
        [-0.02, 0.042, 0.042, 0.043, 0.040],
        [0.10, 0.044, 0.044, 0.043, 0.048],
        [0.27, 0.050, 0.052, 0.040, 0.064],
        [0.45, 0.043, 0.045, 0.036, 0.058],
        [0.70, 0.031, 0.031, 0.032, 0.037],
        [0.88, 0.027, 0.027, 0.030, 0.030],
        [1.00, 0.029, 0.029, 0.032, 0.032],
    ];
    leg.add(0.020, Loft::new(knee, ankle, DVec3::X, DVec3::Z, &shin));
    // Knee cap and the two bulges above it.
    leg.add(0.020, Ellipsoid::new((knee + DVec3::new(0.0, 0.004, 0.030)).to_array(), [0.025, 0.038, 0.017]));
    leg.add(0.034, Ellipsoid::new([0.084, 0.595, 0.030], [0.022, 0.045, 0.024]));
    // Calf, higher and fuller on the outside.
    leg.add(0.026, Ellipsoid::new([0.140, 0.400, -0.030], [0.022, 0.072, 0.026]));
    leg.add(0.026, Ellipsoid::new([0.100, 0.385, -0.032], [0.022, 0.070, 0.027]));
    leg
}
