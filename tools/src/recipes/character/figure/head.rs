//! Head and neck with a hint of a face.

use glam::DVec3;

use super::super::solid::{Ellipsoid, Loft, RoundCone, Solid};
use super::{ball, cone};

/// Head and neck.
pub fn head() -> Solid {
    let mut neck = Solid::default();
    neck.add(0.0, cone([0.0, 1.440, -0.030], 0.058, [0.0, 1.620, -0.010], 0.050));
    // The two cords from behind the ear to the collar.
    neck.add(0.016, cone([0.050, 1.612, -0.018], 0.014, [0.016, 1.462, 0.026], 0.011));

    let mut head = Solid::default();
    head.add(0.0, Ellipsoid::new([0.0, 1.712, -0.018], [0.0775, 0.089, 0.093]));
    head.add(0.040, Ellipsoid::new([0.0, 1.728, 0.030], [0.062, 0.058, 0.058]));
    // Face from the chin up to the brow.
    let face = [
        [0.00, 0.024, 0.024, 0.086, 0.020],
        [0.12, 0.039, 0.039, 0.091, 0.030],
        [0.35, 0.055, 0.055, 0.090, 0.050],
        [0.62, 0.067, 0.067, 0.090, 0.070],
        [1.00, 0.071, 0.071, 0.087, 0.080],
    ];
    let (chin, brow) = (DVec3::new(0.0, 1.578, -0.004), DVec3::new(0.0, 1.720, -0.002));
    head.add(0.024, Loft::new(chin, brow, DVec3::X, DVec3::Z, &face).square(0.25).cap(0.5));
    // Jaw from the ear to the chin.
    head.add(0.024, cone([0.054, 1.630, 0.000], 0.016, [0.018, 1.585, 0.066], 0.014));
    head.add(0.018, Ellipsoid::new([0.0, 1.586, 0.078], [0.020, 0.014, 0.012]));
    // Cheek bone.
    head.add(0.030, Ellipsoid::new([0.046, 1.660, 0.058], [0.020, 0.014, 0.018]));
    head.add(0.030, Ellipsoid::new([0.040, 1.632, 0.050], [0.020, 0.026, 0.021]));
    // Eye socket, then the closed lid in it, then the brow above.
    head.carve(0.026, Ellipsoid::new([0.034, 1.684, 0.101], [0.020, 0.012, 0.014]));
    head.add(0.009, Ellipsoid::new([0.0325, 1.6825, 0.0745], [0.0155, 0.0115, 0.0135]));
    head.add(0.020, cone([0.014, 1.702, 0.087], 0.005, [0.048, 1.705, 0.070], 0.005));
    // Nose: bridge, tip, wing.
    head.add(0.018, cone([0.0, 1.696, 0.088], 0.0065, [0.0, 1.650, 0.1055], 0.0085));
    head.add(0.010, ball([0.0075, 1.6450, 0.0970], 0.0070));
    // Lips that taper into the corners of the mouth, and the dent below them.
    head.add(0.007, cone([0.0, 1.6180, 0.0862], 0.0052, [0.021, 1.6150, 0.0765], 0.0030));
    head.add(0.006, cone([0.0, 1.6085, 0.0850], 0.0060, [0.019, 1.6125, 0.0765], 0.0030));
    head.carve(0.016, cone([0.0, 1.5970, 0.101], 0.003, [0.018, 1.5980, 0.096], 0.003));
    head.add(0.010, ear());

    let mut whole = Solid::default();
    whole.add(0.0, head);
    whole.add(0.030, neck);
    whole
}

/// A tilted dish with a hollow.
fn ear() -> Solid {
    let up = DVec3::new(0.12, 1.0, -0.20);
    let out = DVec3::new(1.0, 0.0, -0.45);
    let dish = |center: [f64; 3], radii: [f64; 3]| Ellipsoid::new(center, radii).aimed(up, out);
    let mut ear = Solid::default();
    ear.add(0.0, dish([0.0775, 1.672, -0.014], [0.0185, 0.0315, 0.0085]));
    ear.carve(0.006, dish([0.0865, 1.674, -0.014], [0.0115, 0.0215, 0.0075]));
    ear.add(
        0.008,
        RoundCone {
            from: DVec3::new(0.076, 1.645, -0.006),
            from_radius: 0.0075,
            to: DVec3::new(0.075, 1.652, -0.006),
            to_radius: 0.007,
        },
    );
    ear
}
