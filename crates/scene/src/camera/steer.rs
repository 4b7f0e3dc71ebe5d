//! Interactive orbit control: turns, moves and zooms by pixels of the picture.

use glam::{DVec2, DVec3};

use super::{Camera, Orbit};

/// Degrees for a drag across the height of the picture.
const DEGREES_A_HEIGHT: f64 = 220.0;

/// The nearest and the furthest distance, in metres.
const NEAREST: f64 = 1e-6;
const FARTHEST: f64 = 1e9;

impl Orbit {
    /// Returns this view with explicit target and distance, so that turning and moving do not refit it.
    pub fn settled(self, points: &[DVec3], size: [u32; 2]) -> Self {
        if let (Some(_), Some(_)) = (self.target, self.distance) {
            return self;
        }
        let (target, distance) = Camera::fit(&self, points, size);
        Self { target: Some(target), distance: Some(distance.clamp(NEAREST, FARTHEST)), ..self }
    }

    /// Turns around the target by a drag of this many pixels.
    pub fn dragged(self, pixels: DVec2, size: [u32; 2]) -> Self {
        let degrees = pixels * (DEGREES_A_HEIGHT / f64::from(size[1].max(1)));
        let yaw_degrees = (self.yaw_degrees - degrees.x + 180.0).rem_euclid(360.0) - 180.0;
        let pitch_degrees = (self.pitch_degrees + degrees.y).clamp(-90.0, 90.0);
        Self { yaw_degrees, pitch_degrees, auto: false, ..self }
    }

    /// Moves so that the points in the target's plane follow the pointer by this many pixels.
    pub fn panned(self, pixels: DVec2, size: [u32; 2]) -> Self {
        let (right, up, _) = self.axes();
        let metres = self.metres_a_pixel(size);
        self.moved(right * (-pixels.x * metres) + up * (pixels.y * metres))
    }

    /// Moves nearer for a factor below 1, or away for one above. The point of the target's plane at `pixel` stays
    /// there.
    pub fn zoomed(self, factor: f64, pixel: DVec2, size: [u32; 2]) -> Self {
        let Some(distance) = self.distance else { return self };
        let nearer = (distance * factor).clamp(NEAREST, FARTHEST);
        let (right, up, _) = self.axes();
        let [width, height] = size.map(f64::from);
        let from_middle = (pixel - DVec2::new(width, height) * 0.5) * self.metres_a_pixel(size);
        let kept = 1.0 - nearer / distance;
        let moved = self.moved(right * (from_middle.x * kept) - up * (from_middle.y * kept));
        Self { distance: Some(nearer), ..moved }
    }

    /// Moves along the view's axes (right, up, ahead), in fractions of its distance.
    pub fn flown(self, along: DVec3) -> Self {
        let Some(distance) = self.distance else { return self };
        let (right, up, backward) = self.axes();
        self.moved((right * along.x + up * along.y - backward * along.z) * distance)
    }

    fn moved(self, by: DVec3) -> Self {
        let moved = self.target.map(|target| target + by).filter(|target| target.is_finite());
        Self { target: moved.or(self.target), ..self }
    }

    /// Returns the size of a pixel in the target's plane.
    fn metres_a_pixel(&self, size: [u32; 2]) -> f64 {
        2.0 * self.distance.unwrap_or(1.0) * self.lens.tan_y() / f64::from(size[1].max(1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::camera::Lens;

    const SIZE: [u32; 2] = [400, 300];

    fn pixel(orbit: Orbit, points: &[DVec3], place: DVec3) -> DVec2 {
        let camera = Camera::new(&orbit, points, SIZE);
        let clip = camera.clip_from_view * camera.view_from_world * place.extend(1.0);
        let across = |along: f64, side: u32| (along / clip.w * 0.5 + 0.5) * f64::from(side);
        DVec2::new(across(clip.x, SIZE[0]), across(clip.y, SIZE[1]))
    }

    fn points() -> Vec<DVec3> {
        vec![DVec3::new(-0.4, 0.0, -0.3), DVec3::new(0.5, 1.8, 0.2), DVec3::new(0.1, 0.9, 0.6)]
    }

    fn orbits() -> Vec<Orbit> {
        let parallel = Lens { parallel: true, ..Lens::default() };
        [Orbit::default(), Orbit { yaw_degrees: -120.0, pitch_degrees: 35.0, ..Orbit::default() }]
            .into_iter()
            .flat_map(|orbit| [orbit, Orbit { lens: parallel, ..orbit }])
            .collect()
    }

    #[test]
    fn settling_changes_nothing_that_is_seen() {
        for orbit in orbits() {
            let settled = orbit.settled(&points(), SIZE);
            assert!(settled.target.is_some() && settled.distance.is_some());
            for point in points() {
                let apart = pixel(orbit, &points(), point).distance(pixel(settled, &points(), point));
                assert!(apart < 1e-6, "{orbit:?}: {apart}");
            }
            assert_eq!(settled.settled(&[], SIZE), settled);
        }
    }

    #[test]
    fn what_the_hand_holds_stays_in_it() {
        for orbit in orbits() {
            let orbit = orbit.settled(&points(), SIZE);
            let (right, up, _) = orbit.axes();
            let held = orbit.target.unwrap() + right * 0.2 + up * 0.3;
            let at = pixel(orbit, &points(), held);
            let by = DVec2::new(31.0, -17.0);
            let panned = pixel(orbit.panned(by, SIZE), &points(), held);
            assert!((panned - at - by).length() < 1e-6, "{panned} from {at}");
            for factor in [0.5, 0.9, 1.7] {
                let zoomed = pixel(orbit.zoomed(factor, at, SIZE), &points(), held);
                assert!((zoomed - at).length() < 1e-6, "{zoomed} from {at} by {factor}");
            }
        }
    }

    #[test]
    fn dragging_turns_and_stops_at_the_poles() {
        let orbit = Orbit::default().settled(&points(), SIZE);
        let turned = orbit.dragged(DVec2::new(-300.0, 0.0), SIZE);
        assert!((turned.yaw_degrees - (30.0 + 220.0 - 360.0)).abs() < 1e-9, "{turned:?}");
        assert_eq!(turned.target, orbit.target);
        assert_eq!(orbit.dragged(DVec2::new(0.0, 1e6), SIZE).pitch_degrees, 90.0);
        assert_eq!(orbit.dragged(DVec2::new(0.0, -1e6), SIZE).pitch_degrees, -90.0);
    }

    #[test]
    fn nobody_gets_lost() {
        let mut orbit = Orbit::default().settled(&points(), SIZE);
        for factor in [1e-300, 1e300] {
            for _ in 0..3 {
                orbit = orbit.zoomed(factor, DVec2::new(13.0, 7.0), SIZE);
                orbit = orbit.flown(DVec3::splat(1e300));
            }
            assert!(orbit.target.unwrap().is_finite() && orbit.distance.unwrap() <= FARTHEST, "{orbit:?}");
        }
    }
}
