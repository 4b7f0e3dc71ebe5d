//! Viewpoints on a sphere around one point.

use glam::DVec3;

use crate::camera::Orbit;

/// Number of directions around the point.
const DIRECTIONS: u32 = 12;

/// Returns orbits from these heights, in degrees, all around. The given orbit's own direction around comes first.
pub fn around(orbit: Orbit, pitches: &'static [f64]) -> impl Iterator<Item = Orbit> {
    let pitched = pitches.iter().map(move |&pitch_degrees| Orbit { pitch_degrees, auto: false, ..orbit });
    pitched.flat_map(|pitched| {
        (0..DIRECTIONS).map(move |step| {
            let yaw = pitched.yaw_degrees + f64::from(step) * 360.0 / f64::from(DIRECTIONS);
            Orbit { yaw_degrees: if yaw > 180.0 { yaw - 360.0 } else { yaw }, ..pitched }
        })
    })
}

/// The direction from the middle of the picture to the eye.
pub fn towards(orbit: &Orbit) -> DVec3 {
    let (yaw, pitch) = (orbit.yaw_degrees.to_radians(), orbit.pitch_degrees.to_radians());
    DVec3::new(yaw.sin() * pitch.cos(), pitch.sin(), yaw.cos() * pitch.cos())
}
