//! Chest, waist, pelvis and neck.

use glam::DVec3;

use super::super::solid::{Ellipsoid, Loft, Solid};
use super::cone;

/// Half-width, front and back of the trunk from crotch (0) to collar (1), seen from front and side.
const TRUNK: [[f64; 5]; 11] = [
    [0.00, 0.120, 0.120, 0.070, 0.085],
    [0.10, 0.155, 0.155, 0.090, 0.096],
    [0.19, 0.160, 0.160, 0.096, 0.092],
    [0.28, 0.150, 0.150, 0.098, 0.074],
    [0.38, 0.134, 0.134, 0.093, 0.064],
    [0.48, 0.133, 0.133, 0.094, 0.070],
    [0.60, 0.144, 0.144, 0.104, 0.090],
    [0.74, 0.162, 0.162, 0.115, 0.110],
    [0.86, 0.156, 0.156, 0.098, 0.114],
    [0.94, 0.120, 0.120, 0.072, 0.104],
    [1.02, 0.076, 0.076, 0.044, 0.088],
];

/// The trunk with its muscles.
pub fn torso() -> Solid {
    let mut torso = Solid::default();
    let (low, high) = (DVec3::new(0.0, 0.885, 0.0), DVec3::new(0.0, 1.475, 0.0));
    torso.add(0.0, Loft::new(low, high, DVec3::X, DVec3::Z, &TRUNK).square(0.30).cap(0.70));
    // Seat.
    torso.add(0.040, Ellipsoid::new([0.070, 0.930, -0.054], [0.074, 0.078, 0.060]));
    // Between the legs.
    torso.add(0.030, cone([0.0, 0.900, 0.020], 0.046, [0.0, 0.905, -0.030], 0.046));
    // Chest: two flat shields that end in a soft edge below.
    torso.add(
        0.045,
        Ellipsoid::new([0.084, 1.364, 0.060], [0.084, 0.058, 0.027])
            .aimed(DVec3::new(0.30, 1.0, -0.22), DVec3::new(0.30, 0.0, 1.0)),
    );
    // Broad back muscles from the armpit to the waist.
    torso.add(0.045, cone([0.122, 1.350, -0.050], 0.050, [0.088, 1.185, -0.030], 0.026));
    // The slope from neck to shoulder.
    torso.add(0.060, cone([0.026, 1.505, -0.040], 0.040, [0.150, 1.440, -0.026], 0.038));
    // Furrows of the spine and of the belly.
    torso.carve(0.030, cone([0.0, 1.060, -0.098], 0.016, [0.0, 1.360, -0.140], 0.016));
    torso.carve(0.026, cone([0.0, 1.100, 0.107], 0.006, [0.0, 1.350, 0.140], 0.004));
    torso
}
