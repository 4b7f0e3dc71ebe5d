//! Triangles of polygons: fans where that is right, and ears that are cut off one by one where corners are turned in.

use glam::DVec3;

/// The most corners of a polygon from which ears are cut.
const MAX_CORNERS: usize = 512;

/// The most corners that are tried as ears, for each corner of a polygon.
const MAX_TRIES: usize = 8;

/// Area of a triangle that counts as turned over, as a share of the polygon's.
const TURNED: f64 = -1e-9;

/// Splits polygons into triangles. Its lists are used again for each.
#[derive(Default)]
pub struct Ears {
    /// The polygon in a plane.
    flat: Vec<DVec3>,
    left: Vec<usize>,
    /// Triangles, as corners of the polygon.
    pub triangles: Vec<[usize; 3]>,
}

impl Ears {
    /// Splits a polygon; returns false if it is so intricate that triangles may lie outside it.
    pub fn split(&mut self, corners: &[DVec3]) -> bool {
        self.triangles.clear();
        self.triangles.extend((2..corners.len()).map(|last| [0, last.saturating_sub(1), last]));
        if corners.len() < 4 {
            return true;
        }
        let at = |corner: usize| corners.get(corner).copied().unwrap_or_default();
        let area = |[a, b, c]: [usize; 3]| (at(b) - at(a)).cross(at(c) - at(a));
        let normal: DVec3 = self.triangles.iter().map(|triangle| area(*triangle)).sum();
        let least = TURNED * normal.length_squared();
        let is_right = |triangle: &[usize; 3]| area(*triangle).dot(normal) >= least;
        if normal == DVec3::ZERO || !normal.is_finite() || self.triangles.iter().all(is_right) {
            return true;
        }
        if corners.len() == 4 {
            let other = [[0, 1, 3], [1, 2, 3]];
            if other.iter().all(is_right) {
                self.triangles.clear();
                self.triangles.extend(other);
            }
            return true;
        }
        if corners.len() > MAX_CORNERS {
            return false;
        }
        let (u, v) = normal.normalize().any_orthonormal_pair();
        self.flat.clear();
        self.flat.extend(corners.iter().map(|at| DVec3::new(at.dot(u), at.dot(v), 0.0)));
        self.cut()
    }

    /// Cuts off ears of the flat polygon, which goes round counter-clockwise; returns false if it has none at some point.
    fn cut(&mut self) -> bool {
        self.triangles.clear();
        self.left.clear();
        self.left.extend(0..self.flat.len());
        let (mut from, mut tries, mut is_whole) = (0usize, self.flat.len().saturating_mul(MAX_TRIES), true);
        while self.left.len() > 3 {
            let count = self.left.len();
            let places = (0..count).map(|step| from.saturating_add(step).checked_rem(count).unwrap_or(0));
            let ear = places.clone().take(tries).find(|place| {
                tries = tries.saturating_sub(1);
                self.is_ear(*place)
            });
            // Polygons that cross themselves have none.
            is_whole &= ear.is_some();
            let place = ear.or_else(|| places.clone().find(|place| self.turn(*place) >= 0.0)).unwrap_or(0);
            let triangle = self.around(place);
            self.triangles.push(triangle);
            self.left.remove(place);
            from = place;
        }
        if let [a, b, c] = *self.left.as_slice() {
            self.triangles.push([a, b, c]);
        }
        is_whole
    }

    /// The corners before, at and after a place.
    fn around(&self, place: usize) -> [usize; 3] {
        let count = self.left.len();
        let before = place.checked_sub(1).unwrap_or(count.saturating_sub(1));
        let after = place.saturating_add(1).checked_rem(count).unwrap_or(0);
        [before, place, after].map(|place| self.left.get(place).copied().unwrap_or(0))
    }

    fn points(&self, triangle: [usize; 3]) -> [DVec3; 3] {
        triangle.map(|corner| self.flat.get(corner).copied().unwrap_or_default())
    }

    /// Returns a number above zero where the corner at a place is turned out.
    fn turn(&self, place: usize) -> f64 {
        let [a, b, c] = self.points(self.around(place));
        (b - a).cross(c - b).z
    }

    /// Returns true if the corner at a place is turned out and no other one is in its triangle.
    fn is_ear(&self, place: usize) -> bool {
        let [a, b, c] = self.points(self.around(place));
        let is_inside = |p: DVec3| {
            let is_corner = p == a || p == b || p == c;
            !is_corner
                && [(a, b), (b, c), (c, a)].iter().all(|(from, to)| (*to - *from).cross(p - *from).z >= 0.0)
        };
        self.turn(place) > 0.0
            && !self.left.iter().filter_map(|corner| self.flat.get(*corner)).any(|p| is_inside(*p))
    }
}

#[cfg(test)]
mod tests {
    use glam::DVec3;

    use super::Ears;

    /// Splits a polygon; returns the triangles, and the sum of their areas, each seen from above.
    fn split(corners: &[[f64; 2]]) -> (Vec<[usize; 3]>, f64) {
        let corners: Vec<DVec3> = corners.iter().map(|[x, y]| DVec3::new(*x, *y, 0.5 * x)).collect();
        let mut ears = Ears::default();
        assert!(ears.split(&corners));
        let area = |[a, b, c]: &[usize; 3]| {
            let area = (corners[*b] - corners[*a]).cross(corners[*c] - corners[*a]).z / 2.0;
            assert!(area > 0.0, "a triangle is turned over");
            area
        };
        let sum = ears.triangles.iter().map(area).sum();
        (ears.triangles, sum)
    }

    #[test]
    fn convex_polygons_stay_fans() {
        let (triangles, area) = split(&[[0.0, 0.0], [2.0, 0.0], [3.0, 1.0], [2.0, 2.0], [0.0, 2.0]]);
        assert_eq!((triangles, area), (vec![[0, 1, 2], [0, 2, 3], [0, 3, 4]], 5.0));
    }

    #[test]
    fn an_l_and_a_star_are_whole_wherever_they_begin() {
        let l = [[0.0, 0.0], [2.0, 0.0], [2.0, 1.0], [1.0, 1.0], [1.0, 3.0], [0.0, 3.0]];
        let star: Vec<[f64; 2]> = (0..10)
            .map(|corner| {
                let (turn, reach) =
                    (f64::from(corner) * std::f64::consts::PI / 5.0, [3.0, 1.0][corner as usize % 2]);
                [reach * turn.cos(), reach * turn.sin()]
            })
            .collect();
        let star_area = 5.0 * 3.0 * (std::f64::consts::PI / 5.0).sin();
        for (corners, want) in [(l.to_vec(), 4.0), (star, star_area)] {
            for first in 0..corners.len() {
                let mut turned = corners.clone();
                turned.rotate_left(first);
                let (triangles, area) = split(&turned);
                assert_eq!(triangles.len(), corners.len() - 2);
                assert!((area - want).abs() < 1e-12, "{area}");
            }
        }
    }

    #[test]
    fn quads_have_the_diagonal_inside() {
        let arrow = [[0.0, 0.0], [2.0, 2.0], [0.0, 1.0], [-2.0, 2.0]];
        assert_eq!(split(&arrow).0, [[0, 1, 2], [0, 2, 3]]);
        let mut turned = arrow;
        turned.rotate_left(1);
        assert_eq!(split(&turned).0, [[0, 1, 3], [1, 2, 3]]);
    }

    #[test]
    fn combs_are_whole_and_huge_ones_are_not_tried() {
        let comb = |teeth: u32| {
            let tooth = |tooth: u32| {
                let x = f64::from(tooth);
                [[x, 1.0], [x + 0.25, 9.0], [x + 0.5, 9.0], [x + 0.75, 1.0]]
            };
            let mut corners: Vec<[f64; 2]> = (0..teeth).flat_map(tooth).collect();
            corners.extend([[f64::from(teeth), 0.0], [0.0, 0.0]]);
            corners.reverse();
            corners
        };
        let (triangles, area) = split(&comb(100));
        assert!(triangles.len() == 400 && (area - 100.0 * (1.0 + 4.0)).abs() < 0.51, "{area}");
        let huge: Vec<DVec3> = comb(200).iter().map(|[x, y]| DVec3::new(*x, *y, 0.0)).collect();
        assert!(!Ears::default().split(&huge));
    }
}
