//! Turns an orbit once around the figure.

use glam::DVec3;

use super::{Bounds, MARGIN, Orbit};

impl Orbit {
    /// Sets the distance at which all `points` fit from every side, unless the orbit has one. A turning figure must
    /// neither leave the picture nor change its apparent size.
    pub fn for_all_sides(self, points: &[DVec3], size: [u32; 2]) -> Self {
        if self.distance.is_some() {
            return self;
        }
        let mut bounds = Bounds::EMPTY;
        points.iter().for_each(|&point| bounds.add(point));
        let bounds = bounds.or_unit();
        let center = self.target.unwrap_or(bounds.center());
        let corners = [bounds.min, bounds.max];
        let points = if points.is_empty() { &corners } else { points };
        let aspect = f64::from(size[0].max(1)) / f64::from(size[1].max(1));
        let tan_y = self.lens.tan_y() / MARGIN;
        let tan_x = tan_y * aspect;
        let (sin, cos) = self.pitch_degrees.to_radians().sin_cos();
        // A point moves on a circle of radius r at a height h. Turned by an angle a, its view coordinates are r sin a
        // to the right, h cos p - r cos a sin p up, and r cos a cos p + h sin p near. It fits at a distance of |x| /
        // tan_x and |y| / tan_y. These are the largest values over all a.
        let needed = |point: &DVec3| {
            let from_center = *point - center;
            let (radius, height) = (from_center.x.hypot(from_center.z), from_center.y);
            if self.lens.parallel {
                // Nearness plays no part.
                let above = (height * cos).abs() + radius * sin.abs();
                return (radius / tan_x).max(above / tan_y).max(1e-6);
            }
            let beside = height * sin + (radius * cos).hypot(radius / tan_x);
            let above = height * sin + height * cos / tan_y + radius * (cos - sin / tan_y).abs();
            let below = height * sin - height * cos / tan_y + radius * (cos + sin / tan_y).abs();
            let near = height * sin + radius * cos;
            beside.max(above).max(below).max(near + 1e-6)
        };
        let distance = points.iter().map(needed).filter(|needed| needed.is_finite()).fold(1e-6, f64::max);
        Self { distance: Some(distance), ..self }
    }

    /// Turns by a fraction of a whole turn.
    pub fn turned(self, part: f64) -> Self {
        Self { yaw_degrees: (self.yaw_degrees + 360.0 * part).rem_euclid(360.0), ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::camera::Camera;

    /// Returns the largest |x| or |y| of the points in the picture, over all sides; 1 is its border.
    fn reach(orbit: Orbit, points: &[DVec3], size: [u32; 2]) -> f64 {
        let sides = (0..720).map(|side| orbit.turned(f64::from(side) / 720.0));
        let furthest = |orbit: Orbit| {
            let camera = Camera::new(&orbit, points, size);
            let clip_from_world = camera.clip_from_view * camera.view_from_world;
            let ndc = |point: &DVec3| clip_from_world.project_point3(*point).truncate().abs().max_element();
            points.iter().map(ndc).fold(0.0, f64::max)
        };
        sides.map(furthest).fold(0.0, f64::max)
    }

    #[test]
    fn everything_just_fits_from_every_side() {
        let figure = [[-0.3, 0.0, 0.1], [0.4, 1.8, 0.0], [0.0, 0.9, -0.7], [0.2, 0.1, 0.5]].map(DVec3::from);
        for pitch_degrees in [-89.0, -30.0, 0.0, 10.0, 45.0, 90.0] {
            for size in [[200, 100], [100, 300], [64, 64]] {
                let orbit = Orbit { pitch_degrees, ..Orbit::default() }.for_all_sides(&figure, size);
                let reach = reach(orbit, &figure, size) * MARGIN;
                assert!((0.999..1.0001).contains(&reach), "{orbit} {size:?}: {reach}");
            }
        }
    }

    #[test]
    fn a_given_distance_stays_and_a_turn_ends_where_it_began() {
        let orbit: Orbit = "30,5,3".parse().unwrap();
        assert_eq!(orbit.for_all_sides(&[DVec3::ONE * 100.0], [9, 9]), orbit);
        assert_eq!(orbit.turned(0.25).to_string(), "120,5,3");
        assert_eq!(orbit.turned(1.0), orbit);
        assert!(Orbit::default().for_all_sides(&[], [9, 9]).distance.is_some_and(f64::is_finite));
    }
}
