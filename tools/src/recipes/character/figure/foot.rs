//! The left foot in a close shoe.

use glam::DVec3;

use super::super::skeleton::left;
use super::super::solid::{Ellipsoid, Loft, RoundCone, Shape, Solid};

/// The ends of the foot: middle of the heel's back, tip of the shoe.
const HEEL: DVec3 = DVec3::new(0.122, 0.034, -0.078);
const TIP: DVec3 = DVec3::new(0.158, 0.034, 0.166);
/// The back of the foot, on which it lands.
const HEEL_BONE: DVec3 = DVec3::new(0.125, 0.044, -0.050);
/// Thickness of the sole.
const SOLE: f64 = 0.024;

/// Shoe with its sole, flat on y = 0.
pub fn foot() -> Solid {
    let ankle = DVec3::from(left::ANKLE);
    // Out, inward, up, down.
    let upper = [
        [0.06, 0.023, 0.023, 0.030, 0.034],
        [0.16, 0.030, 0.030, 0.040, 0.034],
        [0.34, 0.034, 0.032, 0.046, 0.034],
        [0.55, 0.042, 0.035, 0.034, 0.034],
        [0.74, 0.046, 0.041, 0.022, 0.034],
        [0.86, 0.045, 0.042, 0.018, 0.034],
        [0.94, 0.038, 0.039, 0.014, 0.034],
    ];
    let mut foot = Solid::default();
    foot.add(0.0, Loft::new(HEEL, TIP, DVec3::X, DVec3::Y, &upper).square(0.30).cap(1.0));
    // Heel and instep up to the ankle, with its two knuckles.
    foot.add(0.020, RoundCone { from: ankle, from_radius: 0.034, to: HEEL_BONE, to_radius: 0.028 });
    let tendon = ankle + DVec3::new(0.0, 0.060, -0.010);
    foot.add(0.030, RoundCone { from: tendon, from_radius: 0.022, to: HEEL_BONE, to_radius: 0.026 });
    let instep = DVec3::new(0.140, 0.050, 0.040);
    foot.add(0.024, RoundCone { from: ankle, from_radius: 0.035, to: instep, to_radius: 0.030 });
    for (aside, radii) in
        [([0.027, 0.0, -0.004], [0.012, 0.016, 0.014]), ([-0.027, 0.006, 0.002], [0.011, 0.016, 0.014])]
    {
        foot.add(0.014, Ellipsoid::new((ankle + DVec3::from(aside)).to_array(), radii));
    }
    foot.add(0.012, sole());
    // The ground: carves away everything below it.
    foot.carve(0.012, Ellipsoid::new([0.14, -50.0, 0.05], [50.0; 3]));
    foot
}

/// A slab a little wider than the shoe.
fn sole() -> Shape {
    let rows = [
        [0.06, 0.027, 0.027, SOLE, 0.05],
        [0.16, 0.033, 0.033, SOLE, 0.05],
        [0.34, 0.035, 0.032, SOLE, 0.05],
        [0.55, 0.043, 0.035, SOLE, 0.05],
        [0.74, 0.048, 0.043, SOLE, 0.05],
        [0.86, 0.048, 0.044, SOLE, 0.05],
        [0.94, 0.041, 0.041, SOLE, 0.05],
    ];
    let down = DVec3::new(0.0, -0.034, 0.0);
    Loft::new(HEEL + down, TIP + down, DVec3::X, DVec3::Y, &rows).square(0.80).cap(0.80).into()
}
