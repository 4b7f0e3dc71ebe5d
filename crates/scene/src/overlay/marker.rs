//! Marks one vertex: a ring and a dot with dark rims, and its name. A surface in front of it dims them.

use glam::{DVec3, DVec4};

use super::influences::label;
use super::letters::Letters;
use super::sheet::{End, Layer, RIM, Sheet, ink};

/// The colour of the marker.
const COLOR: [u8; 3] = [255, 210, 63];

/// Opacity of the marker behind a surface.
const THROUGH: f32 = 0.45;

/// The radius of the ring, in a window's pixels.
const RING: f32 = 9.0;

/// Thickness of the ring.
const THICKNESS: f32 = 2.4;

/// The radius of the dot.
const DOT: f32 = 2.4;

/// The width of the dark rims.
const EDGE: f32 = 1.4;

/// Draws the marker of a vertex at a point, for an eye at a point or, with a last component of 0, in a direction.
pub fn draw(sheet: &mut Sheet, letters: &mut Letters, at: DVec3, eye: DVec4, name: &str) {
    let unit = sheet.unit().max(1.0);
    // The depth of a surface that slopes by 45° at the ring, so that the vertex's own surface hides nothing of it.
    let near = at + towards(at, eye) * radius_m(sheet, at, eye, RING * unit);
    for (layer, place, alpha) in [(Layer::Within, near, 1.0), (Layer::Above, at, THROUGH)] {
        let end = |radius: f32, [r, g, b, a]: [f32; 4]| End {
            place,
            radius: radius * unit,
            ink: [r, g, b, a * alpha],
        };
        // Rims lie beside colours, not below them, so that redrawing leaves the marker unchanged.
        let beside = (THICKNESS + EDGE) * 0.5;
        for radius in [RING + beside, RING - beside, DOT + EDGE * 0.5] {
            sheet.ring(layer, end(radius, RIM), EDGE * unit);
        }
        let color = ink(COLOR, 1.0);
        sheet.ring(layer, end(RING, color), THICKNESS * unit);
        sheet.stroke(layer, end(DOT, color), end(DOT, color));
    }
    label(sheet, letters, at, (RING + THICKNESS + EDGE) * unit, name);
}

/// Returns the unit vector from a point to the eye.
fn towards(at: DVec3, eye: DVec4) -> DVec3 {
    (eye.truncate() - at * eye.w).normalize_or_zero()
}

/// Returns the size in metres of a number of pixels at a point; 0 where the picture does not show it.
fn radius_m(sheet: &Sheet, at: DVec3, eye: DVec4, pixels: f32) -> f64 {
    let side = towards(at, eye).any_orthonormal_vector();
    let step = ((eye.truncate() - at * eye.w).length() * 1e-3).max(f64::MIN_POSITIVE);
    let found = sheet.pixel(at).zip(sheet.pixel(at + side * step));
    let long = found.map_or(0.0, |([x, y, _], [to_x, to_y, _])| (to_x - x).hypot(to_y - y));
    if long > 0.0 { f64::from(pixels) * step / long } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::camera::{Camera, Orbit};

    #[test]
    fn a_marker_is_as_large_wherever_it_is() {
        let points = [DVec3::splat(-1.0), DVec3::splat(1.0)];
        for orbit in ["front", "30,20,400", "30,20,4"] {
            let orbit: Orbit = orbit.parse().unwrap();
            let camera = Camera::new(&orbit, &points, [720, 720]);
            let mut letters = Letters::default();
            let mut sheet = Sheet::new(&camera, [720, 720], 0.0, &mut letters);
            let at = DVec3::new(0.1, 0.2, 0.3);
            draw(&mut sheet, &mut letters, at, camera.eye_in_world, "node0:0:12");
            // Four rings and a dot, of two triangles each.
            assert_eq!(sheet.within.len(), 5 * 6);
            // The name and its plate.
            assert_eq!(sheet.written().len(), 2);
            let [x, y, depth] = sheet.pixel(at).unwrap();
            let ring = &sheet.within[..6];
            let [left, right] =
                [f32::min, f32::max].map(|pick| ring.iter().map(|mark| mark.place[0]).reduce(pick).unwrap());
            let wide = (right - left) * 360.0;
            assert!((wide - 2.0 * (RING + THICKNESS * 0.5 + EDGE + 1.0)).abs() < 0.1, "{wide}");
            // Nearer than the vertex, by about the ring's radius.
            assert!(f64::from(ring[0].place[2]) > depth, "{depth}");
            let from_eye = (camera.eye_in_world.truncate() - at).length();
            let radius = radius_m(&sheet, at, camera.eye_in_world, RING);
            assert!((radius / from_eye - f64::from(RING) / 720.0 * 2.0 * orbit.lens.tan_y()).abs() < 2e-3);
            assert!((0.0..720.0).contains(&x) && (0.0..720.0).contains(&y));
        }
    }
}
