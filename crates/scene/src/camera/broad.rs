//! Turns the viewpoint `auto` to the broad side of a flat figure, so that the picture never shows it edge-on.

use glam::DVec3;

use super::Orbit;

/// Largest thickness of a flat figure, as a share of its width.
const FLAT: f64 = 0.02;

/// Cosine of the angle within which a flat figure needs no turn.
const WELL: f64 = 0.7;

/// Angle between the eye and the normal of a flat figure's broad side. A turn shows it as a body in space.
const BESIDE_DEGREES: f64 = 30.0;

/// Returns the normal of the plane that contains nearly all points; `None` if they fill space or lie on a line.
pub fn normal_of_flat(points: &[DVec3]) -> Option<DVec3> {
    let farthest = |from: &dyn Fn(DVec3) -> f64| {
        let finite = points.iter().copied().filter(|point| point.is_finite());
        finite.max_by(|a, b| from(*a).total_cmp(&from(*b)))
    };
    let start = points.iter().copied().find(|point| point.is_finite())?;
    let from = farthest(&|point| point.distance_squared(start))?;
    let to = farthest(&|point| point.distance_squared(from))?;
    let along = (to - from).try_normalize()?;
    let beside = |point: DVec3| (point - from).reject_from_normalized(along);
    let out = farthest(&|point| beside(point).length_squared())?;
    let width = beside(out).length();
    let normal = along.cross(out - from).try_normalize()?;
    let heights =
        || points.iter().map(|point| (*point - from).dot(normal)).filter(|height| height.is_finite());
    let thickness = heights().fold(0.0, f64::max) - heights().fold(0.0, f64::min);
    let is_line = width <= from.distance(to) * 1e-6;
    (!is_line && thickness <= width * FLAT).then_some(normal)
}

impl Orbit {
    /// Returns the `auto` viewpoint for a figure whose broad side has this normal, if it is flat. Explicit viewpoints
    /// stay.
    pub fn facing(self, normal: Option<DVec3>) -> Self {
        let (_, _, seen_from) = self.axes();
        let Some(normal) = normal.filter(|normal| self.is_auto() && seen_from.dot(*normal) < WELL) else {
            return self;
        };
        let beside =
            (seen_from - normal * seen_from.dot(normal)).normalize_or(normal.any_orthonormal_vector());
        let (sin, cos) = BESIDE_DEGREES.to_radians().sin_cos();
        let eye = normal * cos + beside * sin;
        let yaw_degrees = eye.x.atan2(eye.z).to_degrees().round();
        let pitch_degrees = eye.y.clamp(-1.0, 1.0).asin().to_degrees().round();
        Self { yaw_degrees, pitch_degrees, ..self }
    }

    /// Returns true if the user set neither angles nor distance.
    fn is_auto(&self) -> bool {
        self.auto && self.distance.is_none()
    }

    /// Returns the side of a flat, two-sided figure that faces the default `auto` viewpoint.
    pub fn nearer_side(normal: DVec3) -> DVec3 {
        let (_, _, seen_from) = Self::default().axes();
        if seen_from.dot(normal) < 0.0 { -normal } else { normal }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn quad([u, v]: [DVec3; 2]) -> Vec<DVec3> {
        vec![DVec3::ZERO, u, v, u + v, (u + v) * 0.5]
    }

    #[test]
    fn flat_is_what_lies_in_a_plane() {
        for (sides, normal) in [
            ([DVec3::X, DVec3::Y * 2.0], DVec3::Z),
            ([DVec3::X, DVec3::Z], DVec3::Y),
            ([DVec3::Y, DVec3::Z * 0.1], DVec3::X),
            ([DVec3::X + DVec3::Y, DVec3::Z], (DVec3::X - DVec3::Y).normalize()),
        ] {
            let found = normal_of_flat(&quad(sides)).unwrap();
            assert!(found.dot(normal).abs() > 0.999_999, "{found} is not {normal}");
        }
        let mut thick = quad([DVec3::X, DVec3::Y]);
        thick.push(DVec3::new(0.5, 0.5, 0.01));
        assert!(normal_of_flat(&thick).is_some());
        thick.push(DVec3::new(0.5, 0.5, -0.1));
        for solid in
            [&thick[..], &[], &[DVec3::ONE; 3], &[DVec3::ZERO, DVec3::X, DVec3::X * 3.0], &[DVec3::NAN]]
        {
            assert_eq!(normal_of_flat(solid), None, "{solid:?}");
        }
    }

    #[test]
    fn auto_looks_at_the_broad_side() {
        let auto = Orbit::default();
        for normal in [DVec3::X, DVec3::Y, DVec3::Z, DVec3::NEG_X, DVec3::NEG_Y, DVec3::NEG_Z] {
            let (_, _, eye) = auto.facing(Some(normal)).axes();
            assert!(eye.dot(normal) > 0.8, "{normal} is seen from {eye}");
            // An explicit viewpoint stays.
            for given in ["30,10", "front"] {
                let given: Orbit = given.parse().unwrap();
                assert_eq!(given.facing(Some(normal)), given);
            }
        }
        // Viewpoints that show the broad side stay, and so do those of figures that are not flat.
        for normal in [Some(DVec3::Z), None] {
            assert_eq!(auto.facing(normal), auto);
        }
        let up = Orbit::nearer_side(DVec3::NEG_Y);
        assert_eq!((up, auto.facing(Some(up)).to_string()), (DVec3::Y, "30,60".to_owned()));
    }
}
