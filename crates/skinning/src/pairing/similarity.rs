//! Similarities between two exports of one model: a scale, a rotation and a shift.

use glam::{DMat3, DQuat, DVec3};
use serde::{Serialize, Serializer};

/// `to = scale · rotation · from + shift`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Similarity {
    /// The scale, above 0.
    pub scale: f64,
    /// The rotation, a unit quaternion.
    #[serde(serialize_with = "quaternion")]
    pub rotation: DQuat,
    /// The shift, in the units of `to`.
    #[serde(serialize_with = "vector")]
    pub shift: DVec3,
}

fn quaternion<S: Serializer>(rotation: &DQuat, to: S) -> Result<S::Ok, S::Error> {
    rotation.to_array().serialize(to)
}

fn vector<S: Serializer>(vector: &DVec3, to: S) -> Result<S::Ok, S::Error> {
    vector.to_array().serialize(to)
}

/// The limit below which a rotation in radians, a change of scale, or a shift as a share of the size counts as none.
const NONE: f64 = 1e-5;

/// The tolerance for calling an axis by a coordinate axis's name.
const NEAR: f64 = 1e-3;

impl Similarity {
    /// The identity.
    pub const IDENTITY: Self = Self { scale: 1.0, rotation: DQuat::IDENTITY, shift: DVec3::ZERO };

    /// Maps a point.
    pub fn apply(&self, from: DVec3) -> DVec3 {
        self.rotation * (from * self.scale) + self.shift
    }

    /// Maps a point back.
    pub fn undo(&self, to: DVec3) -> DVec3 {
        self.rotation.conjugate() * (to - self.shift) / self.scale
    }

    /// Returns the similarity with the least squares between pairs of points (Horn 1987, with unit quaternions); `None` if
    /// all points of a side coincide.
    pub fn fit(pairs: &[(DVec3, DVec3)]) -> Option<Self> {
        let count = pairs.len() as f64;
        let (from, to) =
            pairs.iter().fold((DVec3::ZERO, DVec3::ZERO), |sum, pair| (sum.0 + pair.0, sum.1 + pair.1));
        let (from, to) = (from / count, to / count);
        let (mut sizes, mut products) = ([0.0; 2], DMat3::ZERO);
        for pair in pairs {
            let (a, b) = (pair.0 - from, pair.1 - to);
            sizes = [sizes[0] + a.length_squared(), sizes[1] + b.length_squared()];
            products += DMat3::from_cols(b * a.x, b * a.y, b * a.z);
        }
        let scale = (sizes[1] / sizes[0]).sqrt();
        if !(scale.is_finite() && scale > 0.0) {
            return None;
        }
        let rotation = best_rotation(&products);
        let shift = to - rotation * (from * scale);
        (rotation.is_finite() && shift.is_finite()).then_some(Self { scale, rotation, shift })
    }

    /// Returns the similarities that turn axes into axes and map one box onto another, the identity's rotation first; none
    /// if a box has no size.
    pub fn of_boxes(from: [DVec3; 2], to: [DVec3; 2]) -> Vec<Self> {
        let (size, other) = (from[1] - from[0], to[1] - to[0]);
        let scale = other.length() / size.length();
        if !(scale.is_finite() && scale > 0.0) {
            return Vec::new();
        }
        let (from, to) = ((from[0] + from[1]) / 2.0, (to[0] + to[1]) / 2.0);
        let fits = |rotation: &DQuat| {
            let turned = (*rotation * size).abs() * scale;
            (turned - other).abs().max_element() <= 0.02 * other.length()
        };
        let of = |rotation: DQuat| Self { scale, rotation, shift: to - rotation * (from * scale) };
        axis_rotations().filter(fits).map(of).collect()
    }

    /// Describes the effect on a model of a given size before it, in words such as `100 times larger, turned by 90° about x,
    /// z up`; `None` if there is none.
    pub fn words(&self, size: f64) -> Option<String> {
        let mut words = Vec::new();
        if (self.scale - 1.0).abs() > NONE {
            words.push(match self.scale > 1.0 {
                true => format!("{} times larger", short(self.scale)),
                false => format!("{} times smaller", short(1.0 / self.scale)),
            });
        }
        let (axis, angle) = self.rotation.to_axis_angle();
        let (axis, angle) =
            if angle > std::f64::consts::PI { (-axis, std::f64::consts::TAU - angle) } else { (axis, angle) };
        let is_turned = angle > NONE;
        if is_turned {
            words.push(format!("turned by {}° about {}", short(angle.to_degrees()), named(axis)));
            let up = named(self.rotation * DVec3::Y);
            if up.len() <= 2 && up != "y" {
                words.push(format!("{up} up"));
            }
        }
        // Shifts are in the units of the result.
        let least = NONE * size * self.scale;
        if !is_turned && self.shift.length() > least {
            let [x, y, z] = self.shift.to_array().map(|at| short(if at.abs() > least { at } else { 0.0 }));
            words.push(format!("moved by {x} {y} {z} m"));
        }
        (!words.is_empty()).then(|| words.join(", "))
    }
}

/// Formats a number with at most five significant digits.
fn short(number: f64) -> String {
    let digits = (4 - number.abs().max(1e-4).log10().floor() as i32).clamp(0, 9) as usize;
    let text = format!("{number:.digits$}");
    match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => text,
    }
}

/// Formats an axis by its name, or as three numbers.
fn named(axis: DVec3) -> String {
    let known = [
        ("x", DVec3::X),
        ("y", DVec3::Y),
        ("z", DVec3::Z),
        ("-x", -DVec3::X),
        ("-y", -DVec3::Y),
        ("-z", -DVec3::Z),
    ];
    let found = known.into_iter().find(|(_, known)| known.distance(axis) < NEAR);
    match found {
        Some((name, _)) => name.to_owned(),
        None => format!("({}, {}, {})", short(axis.x), short(axis.y), short(axis.z)),
    }
}

/// Returns the 24 rotations that turn axes into axes.
fn axis_rotations() -> impl Iterator<Item = DQuat> {
    use std::f64::consts::FRAC_PI_2;
    // The image of y: itself, then z and back (z up), then the rest.
    let tilts = [
        DQuat::IDENTITY,
        DQuat::from_rotation_x(FRAC_PI_2),
        DQuat::from_rotation_x(-FRAC_PI_2),
        DQuat::from_rotation_z(FRAC_PI_2),
        DQuat::from_rotation_z(-FRAC_PI_2),
        DQuat::from_rotation_x(2.0 * FRAC_PI_2),
    ];
    tilts
        .into_iter()
        .flat_map(|tilt| (0..4).map(move |turn| tilt * DQuat::from_rotation_y(f64::from(turn) * FRAC_PI_2)))
}

/// Returns the rotation with the largest sum of products: the eigenvector of the largest eigenvalue of Horn's matrix.
fn best_rotation(products: &DMat3) -> DQuat {
    // Row `i`, column `j` of the products is the sum of `from[i] · to[j]`.
    let s = |i: usize, j: usize| products.col(i)[j];
    let crossed = [s(1, 2) - s(2, 1), s(2, 0) - s(0, 2), s(0, 1) - s(1, 0)];
    let [xy, zx, yz] = [s(0, 1) + s(1, 0), s(2, 0) + s(0, 2), s(1, 2) + s(2, 1)];
    let [x, y, z] = [s(0, 0), s(1, 1), s(2, 2)];
    let matrix = [
        [x + y + z, crossed[0], crossed[1], crossed[2]],
        [crossed[0], x - y - z, xy, zx],
        [crossed[1], xy, y - x - z, yz],
        [crossed[2], zx, yz, z - x - y],
    ];
    let [w, x, y, z] = largest_eigenvector(matrix);
    DQuat::from_xyzw(x, y, z, w).normalize()
}

/// The number of sweeps over all pairs of axes; a matrix of four converges within five.
const SWEEPS: usize = 12;

/// Returns the eigenvector of the largest eigenvalue of a symmetric matrix, by Jacobi's rotations.
fn largest_eigenvector(mut matrix: [[f64; 4]; 4]) -> [f64; 4] {
    let mut vectors = [[0.0; 4]; 4];
    (0..4).for_each(|axis| vectors[axis][axis] = 1.0);
    for _ in 0..SWEEPS {
        for (p, q) in [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)] {
            if matrix[p][q].abs() <= 1e-300 {
                continue;
            }
            let theta = (matrix[q][q] - matrix[p][p]) / (2.0 * matrix[p][q]);
            let t = theta.signum() / (theta.abs() + theta.hypot(1.0));
            let c = 1.0 / t.hypot(1.0);
            let s = t * c;
            for row in &mut matrix {
                (row[p], row[q]) = (c * row[p] - s * row[q], s * row[p] + c * row[q]);
            }
            let (above, below) = (matrix[p], matrix[q]);
            matrix[p] = std::array::from_fn(|column| c * above[column] - s * below[column]);
            matrix[q] = std::array::from_fn(|column| s * above[column] + c * below[column]);
            for row in &mut vectors {
                (row[p], row[q]) = (c * row[p] - s * row[q], s * row[p] + c * row[q]);
            }
        }
    }
    let largest = (0..4).max_by(|a, b| matrix[*a][*a].total_cmp(&matrix[*b][*b])).unwrap_or(0);
    std::array::from_fn(|row| vectors[row][largest])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points() -> Vec<DVec3> {
        (0..20_u32)
            .map(|n| DVec3::new(f64::from(n * 7 % 11), f64::from(n * 5 % 13), f64::from(n * 3 % 7)) - 2.0)
            .collect()
    }

    #[test]
    fn a_fit_finds_what_was_done() {
        for (number, rotation) in axis_rotations().chain([DQuat::from_rotation_z(1.234)]).enumerate() {
            let done =
                Similarity { scale: 0.01 + number as f64, rotation, shift: DVec3::new(1.0, -2.0, 30.0) };
            let pairs: Vec<_> = points().into_iter().map(|point| (point, done.apply(point))).collect();
            let found = Similarity::fit(&pairs).unwrap();
            let apart = |(from, to): &(DVec3, DVec3)| found.apply(*from).distance(*to);
            let most = pairs.iter().map(apart).fold(0.0, f64::max);
            assert!(most < 1e-9 * done.scale.max(1.0), "{number}: {most}");
        }
        assert_eq!(Similarity::fit(&[]), None);
        assert_eq!(Similarity::fit(&[(DVec3::ONE, DVec3::ZERO); 3]), None);
    }

    #[test]
    fn boxes_are_turned_into_each_other() {
        let done = Similarity {
            scale: 100.0,
            rotation: DQuat::from_rotation_x(std::f64::consts::FRAC_PI_2),
            shift: DVec3::ONE,
        };
        let limits = |points: &[DVec3]| {
            [
                points.iter().copied().fold(DVec3::INFINITY, DVec3::min),
                points.iter().copied().fold(DVec3::NEG_INFINITY, DVec3::max),
            ]
        };
        let from = points();
        let to: Vec<DVec3> = from.iter().map(|point| done.apply(*point)).collect();
        let fits = |found: &Similarity| {
            from.iter().zip(&to).all(|(from, to)| found.apply(*from).distance(*to) < 1e-6)
        };
        assert_eq!(
            Similarity::of_boxes(limits(&from), limits(&to)).iter().filter(|found| fits(found)).count(),
            1
        );
        assert_eq!(axis_rotations().count(), 24);
        let all: Vec<DQuat> = axis_rotations().collect();
        let is_new =
            |(number, one): (usize, &DQuat)| all[..number].iter().all(|other| one.dot(*other).abs() < 0.999);
        assert!(all.iter().enumerate().all(is_new));
    }

    #[test]
    fn words_say_what_is_done() {
        let words = |scale, rotation, shift| Similarity { scale, rotation, shift }.words(2.0);
        let quarter = DQuat::from_rotation_x(std::f64::consts::FRAC_PI_2);
        assert_eq!(words(1.0 + 1e-7, DQuat::IDENTITY, DVec3::splat(1e-6)), None);
        assert_eq!(
            words(100.0, quarter, DVec3::ONE).unwrap(),
            "100 times larger, turned by 90° about x, z up"
        );
        assert_eq!(words(0.01, DQuat::IDENTITY, DVec3::ZERO).unwrap(), "100 times smaller");
        assert_eq!(
            words(2.54, DQuat::from_rotation_y(1.0), DVec3::ZERO).unwrap(),
            "2.54 times larger, turned by 57.296° about y"
        );
        assert_eq!(
            words(1.0, DQuat::IDENTITY, DVec3::new(-1e-17, 0.01, 1e-7)).unwrap(),
            "moved by 0 0.01 0 m"
        );
        assert_eq!(words(1.0, DQuat::IDENTITY, DVec3::new(-1e-5, 1.0, 0.0)).unwrap(), "moved by 0 1 0 m");
        assert_eq!(words(1e4, DQuat::IDENTITY, DVec3::new(0.0, 3e-5, 0.0)).unwrap(), "10000 times larger");
    }
}
