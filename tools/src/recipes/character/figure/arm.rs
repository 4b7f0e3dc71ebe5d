//! The left arm from the shoulder to the wrist.

use glam::DVec3;

use super::super::fingers::left_hand_axes;
use super::super::skeleton::left;
use super::super::solid::{Ellipsoid, Loft, Solid};

/// Shoulder cap, upper arm and forearm.
pub fn arm() -> Solid {
    let (shoulder, elbow, wrist) =
        (DVec3::from(left::SHOULDER), DVec3::from(left::ELBOW), DVec3::from(left::WRIST));
    let along = (elbow - shoulder).normalize();
    let out = DVec3::new(-along.y, along.x, 0.0);

    // Out is away from the body; front is the side the elbow bends towards.
    let upper = [
        [-0.06, 0.040, 0.042, 0.044, 0.044],
        [0.12, 0.047, 0.044, 0.049, 0.048],
        [0.32, 0.045, 0.040, 0.048, 0.047],
        [0.55, 0.038, 0.037, 0.048, 0.044],
        [0.80, 0.034, 0.034, 0.039, 0.036],
        [1.00, 0.032, 0.032, 0.031, 0.031],
    ];
    let mut arm = Solid::default();
    arm.add(0.0, Loft::new(shoulder, elbow, out, DVec3::Z, &upper));
    // The cap of the shoulder.
    arm.add(
        0.030,
        Ellipsoid::new((shoulder + along * 0.062 + out * 0.012).to_array(), [0.040, 0.078, 0.050])
            .aimed(along, DVec3::Z),
    );

    // At the elbow the forearm is as round as the upper arm, at the wrist flat like the hand.
    let hand = left_hand_axes();
    let lower = [
        [-0.02, 0.030, 0.030, 0.031, 0.031],
        [0.12, 0.036, 0.037, 0.043, 0.037],
        [0.28, 0.039, 0.039, 0.045, 0.040],
        [0.55, 0.032, 0.032, 0.037, 0.034],
        [0.80, 0.0235, 0.0235, 0.0290, 0.0285],
        [1.00, 0.0205, 0.0205, 0.0265, 0.0265],
    ];
    arm.add(0.018, Loft::new(elbow, wrist, -hand.z_axis, hand.x_axis, &lower));
    // The point of the elbow.
    arm.add(0.018, Ellipsoid::new((elbow - DVec3::Z * 0.018).to_array(), [0.017, 0.020, 0.016]));
    arm
}
